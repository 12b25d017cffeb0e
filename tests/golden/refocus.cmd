#! -n -q scenarios/match.scn
focus sm 1 warp 2
step 100
until sm[1].ctas == 0
why
next
reverse-step 200
finish kernel
why
goto 0
step
restart
until 60
until 10
break foo bar
break event release
continue
