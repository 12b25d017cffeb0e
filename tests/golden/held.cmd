#! -n -q scenarios/elf/ccws.scn
policy swl
restart
set swl.limit 5
restart
goto 3000
why warp 29
policy default
policy mascar
restart
set lsu.reexec car
restart
goto 3000
why warp 29
set mascar.hits on
set mascar.first on
goto 4000
stats l1d.refused.policy
policy default
policy two-level-active
restart
goto 610
why slot 0.0
break throttle loud
