#! -n -q scenarios/multi/flush.scn
policy order=lrr partition=even preempt=flush
info kernel long
break preempt flush
continue
show preempts
why cta 28
reverse-step
why cta 28
continue
continue
show preempts 120x14
delete
run
print kernel.0.wasted
print gpu.cycle
show kernels
show preempts 120x20
policy preempt=chimera
restart
run
print kernel.0.wasted
stats cta.*
