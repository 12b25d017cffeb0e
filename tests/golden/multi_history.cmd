#! -n -q scenarios/multi/history.scn
policy partition=maestro allocate=twoway preempt=chimera rank=urgent,kernel-lrr
restart
break epoch moved
continue
focus sm 6
show partition 80x10
continue
goto 151000
info maestro
