#! -q --keep-going scenarios/faults/conflict.scn
run
print kernel.0.cycles
print kernel.1.cycles
break bankconflict
goto 0
continue
delete
run
info conflicts
show source 80x15
