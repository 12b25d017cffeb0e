#! -q -e 'gpu tiny' scenarios/vecadd.scn
follow
follow warp 99
follow warp
follow load
follow line 0x700000000000
follow sideways
break hop L3
break hop L2
break hop write
info breakpoints
next l1dmiss
follow load
continue
next hop
next hop 2
reverse-next hop
reverse-continue
focus warp 3
follow warp 3
next hop
step 200
follow warp 0 at 320
delete
follow warp 0 at 250
reverse-next hop 100
reverse-next hop
follow line 0x700000000000 at 240
follow load at 1 
follow off
next hop
follow off
delete
break hop dram
restart
continue
