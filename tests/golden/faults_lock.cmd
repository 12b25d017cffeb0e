#! -q --keep-going scenarios/faults/lock.scn
run
info deadlock
goto 371
show code 80x16
list lock.cu:13,18
set warp.patience 32
restart
run
print counter[0]
print counter2[0]
print kernel.0.cycles
print kernel.1.cycles
