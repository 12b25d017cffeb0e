#! -n -q scenarios/multi/drain.scn
policy order=lrr partition=even preempt=drain
break preempt drain
continue
show preempts
why cta 0
why sm 3
delete
break partition reached
continue
continue
print kernel.0.wasted
continue
continue
continue
continue
show preempts 120x14
delete
run
