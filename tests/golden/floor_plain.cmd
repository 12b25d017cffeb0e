#! -n -q --plain scenarios/multi/trial.scn
policy partition=maestro allocate=twoway preempt=chimera
restart
goto 4000
show floor
floor color stall
show floor
floor color sm.l1d.hit_rate
show floor
