#! -n -q --plain scenarios/default.scn
# the checks of a scenario run again at the end of a run that was changed on the way, and once at the end of one that was not
run
run
goto 24000
set var c[0] = 7
run
undo 3
run
