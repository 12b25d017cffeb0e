#! -n -q scenarios/multi/spatial-or-smk.scn
policy partition=maestro allocate=twoway preempt=chimera rank=urgent,kernel-lrr
restart
goto 60000
info maestro
goto 260000
info maestro
why sm 6
focus sm 6
show partition 80x10
break epoch spatial
reverse-continue
reverse-continue
info interference 500
