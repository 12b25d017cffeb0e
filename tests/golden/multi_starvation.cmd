#! -n -q scenarios/multi/starvation.scn
goto 5000
why warp 32
policy rank=kernel-lrr
restart
goto 5000
why warp 4
why slot 0.0
reverse-step
why warp 4
policy rank=kernel-ipr
restart
goto 5000
why warp 8
policy rank=kernel-fair
restart
goto 5000
why warp 36
why sm 0
policy rank=none smkpw
policy
restart
goto 5000
why sm 0
break stall held for 20
continue
why
delete
policy partition=smk rank=urgent,kernel-lrr hold=none
why sm 0
explain smkpw
