#! -q scenarios/default.scn
why
step 400
why
why warp 5
why slot 0.0
step 118
why warp 2
why warp 12 at 400
why slot 1.0 at 450
break stall barrier for 2 as gate
continue
why
info breakpoints
delete gate
break stall long -> eligible as woken if warp == 2
continue
reverse-continue
info breakpoints
delete woken
why slot 3
why warp 99
why at 99999
info deadlock
explain collector
explain pipeline
goto 520
show memory 80x24
show code 80x16
show timeline 80x14
goto 480
show timeline 80x14
set time.zoom 3
show timeline 80x14
run
why warp 0
quit
