#! -n -q --plain -e "gpu i-vws" scenarios/collatz.scn
filter gangs single
goto 4000
show gangs
gpu vws
restart
show gangs
