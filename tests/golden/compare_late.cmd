#! -q scenarios/faults/race.scn
# in place: B has no past, and its timeline shows none
goto 200
compare order=lrr -- step 60
goto 230
show tracks 110x18
