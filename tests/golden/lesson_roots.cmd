#! -n -q --keep-going scenarios/roots.scn
run
info output
break output
reverse-continue
reverse-continue
bt
why warp 0
run --functional
delete
goto 0
set var a[70] = -1
run
info faults
undo
undo
run
