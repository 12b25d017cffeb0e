#! -n -q --plain scenarios/warpsync.scn
break rendezvous
break path if why == 3
continue
why warp 0
show warps
continue
why warp 0
reverse-continue
delete 1
continue
why warp 0
reverse-continue
continue
hash
goto 100
goto 3000
continue
stats events.rendezvous
explain gang
set warp.patience 0
restart
delete
break livelock
continue
info deadlock
