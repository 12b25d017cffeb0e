#! -n -q scenarios/multi/deadline.scn
policy partition=even preempt=drain
break deadline missed
continue
goto 31000
why sm 0
focus sm 2
why
why cta 4
goto 35701
why cta 4
show ctas
policy preempt=switch
restart
continue
goto 39401
why
why sm 2
