#! -n -q scenarios/multi/deadline.scn
policy partition=even preempt=drain
break deadline
restart
continue
info deadlines
show kernels
continue
reverse-continue
delete
policy preempt=switch
break deadline met
restart
continue
run
stats deadline.*
stats kernel.1.deadline.*
delete
policy preempt=chimera
break deadline missed
restart
continue
info deadlines
goto 355000
info ctas all
show kernels
info deadlines
print launch[1].missed
explain deadline.late
