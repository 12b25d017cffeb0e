# what needs a check switches it on, from the beginning of the run
gpu tiny
module tests/ptx/checks.ptx
buffer out u32[1024]
launch unordered grid 1 block 64 args out
step 60
break race
hash
reverse-continue
continue
continue
print events.uninitialized
print events.race
info conflicts
set check.banks
delete
restart
break bankconflict
set check.banks
set check.races off
info checks
