#! -n -q scenarios/multi/ways.scn
policy partition=even preempt=chimera
goto 20002
why sm 0
why sm 3
why warp 2
why cta 4
goto 20600
why cta 28
break event preempt if cycle > 25000
continue
why cta 0
why cta 28 at 20002
delete
policy preempt=drain
goto 40000
why cta 99
preempt flush 0 2
step
why cta 28
show preempts 80x6
