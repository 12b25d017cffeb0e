#! --keep-going -n -q --plain scenarios/turns.scn
# the grid does not fit: moves to what never comes end where that is proven, as `run` does; a cycle comes in any case
gpu tiny
restart
step 12
finish kernel
goto 12
goto kernel lock
goto 12
until inst.warp >= 1000000
goto 12
until 20000
goto 12
animate 60 by 20000 for 20000
alone
critical
limits kernel relay
goto flag
