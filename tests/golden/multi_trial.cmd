#! -n -q scenarios/multi/trial.scn
info maestro
policy partition=maestro allocate=twoway preempt=chimera
info maestro
restart
goto 4000
info maestro
why sm 2
show partition
goto 6000
info maestro
policy rank=urgent,kernel-lrr
restart
goto 40000
info maestro
print gpu.maestro.sm[0].role
explain maestro
