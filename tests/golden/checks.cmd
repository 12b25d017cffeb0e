# what is found in kernels that do something wrong, and where the time went
gpu tiny
module tests/ptx/checks.ptx
buffer out u32[1024]
launch unordered grid 1 block 64 args out
stats lines
stats instructions
set stats.lines on
set check.races on
set check.uninitialized on
break race
run
continue
reverse-continue
reverse-continue
delete
run
info checks
stats lines unordered
stats lines ordered
stats ipc unordered
info conflicts
launch strided grid 1 block 64 args out
launch half grid 1 block 64 args out
restart
run
info conflicts
info faults
