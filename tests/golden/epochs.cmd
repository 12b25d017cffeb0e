#! -n -q scenarios/multi/trial.scn
break epoch nothing
break epoch spatial shared
break epoch begun kept
set maestro.epoch 1000
policy partition=maestro allocate=twoway preempt=chimera rank=urgent,kernel-lrr
break epoch
break epoch begun as start
break epoch moved shared as decided
continue
why sm 2
continue
why sm 2
why cta 390
why cta 1100
disable 1 start
break epoch if before == 6 as six
break epoch begun if ctas == 6
break partition changed if ctas > 12 as many
break stall long if lanes == 3
dprintf epoch, "%d CTAs of kernel %d, before %d", ctas, kernel, before
continue
disable six many
continue
info breakpoints
goto 6000
reverse-continue
show events 100x8
stats events.epoch*
stats kernel.?.ipc
print kernel.1.ipc + kernel.0.ipc == ipc
explain kernel.1.ipc
explain epoch
why cta 0
why cta 1300
policy default
restart
goto 1000
why sm 2
why cta 390
policy partition=maestro allocate=twoway preempt=chimera rank=urgent,kernel-lrr
restart
goto 3000
focus sm 2
show partition 80x10
show partition 200x14
focus sm 0
show partition
info interference 200
show kernels 80x9
alone streams
show kernels 100x9
