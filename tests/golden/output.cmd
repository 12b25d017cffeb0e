#! -n -q scenarios/roots.scn
info output
break event output if failed == 0
continue
info output
delete
run
info output 2
info output x
reverse-step 66
info output
goto 0
info output
step 409
goto 10
set var a[70] = -1
run
info output
info faults
