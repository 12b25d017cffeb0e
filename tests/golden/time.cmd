#! -q scenarios/default.scn
step
step 100
step -s issue
step
next
next
next diverge
reverse-next
reverse-step 2
goto 500
goto -100
goto +7
goto 2*100
back
back
forward
undo
undo
until inst.warp >= 50
finish
finish cta
reverse-continue
run
step
reverse-step
hash
run
hash
goto 0
hash
quit
