#! -n -q scenarios/collatz.scn
set unit.branch.count 1
set unit.branch.interval 8
restart
break stall unit for 6
continue
why
why slot 0.0
show subcores
delete
run
stats slots.pipeline.*
quit
