#! -n -q scenarios/multi/switch.scn
policy order=lrr partition=even preempt=switch
break preempt switch
continue
why warp 2
show preempts
show kernels
break partition reached
continue
show preempts 120x14
delete
run
print kernel.0.wasted
print preempt.moved_bytes
show preempts 120x20
set chimera.switch free
restart
run
print gpu.cycle
set chimera.switch time
set chimera.bound 4000
restart
break preempt switch late
continue
reverse-continue
delete
