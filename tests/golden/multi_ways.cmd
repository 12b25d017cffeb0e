#! -n -q scenarios/multi/ways.scn
policy partition=even preempt=drain
break drain
restart
continue
show ctas
delete
policy preempt=switch
restart
break preempt
continue
why warp 2
continue
reverse-continue
delete
run
policy preempt=chimera
restart
run
print kernel.0.wasted
stats cta.*
policy partition=smart
