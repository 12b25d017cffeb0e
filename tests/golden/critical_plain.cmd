#! -q --plain scenarios/default.scn
goto 600
critical
show timeline
