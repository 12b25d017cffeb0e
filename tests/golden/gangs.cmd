#! -n -q -e "gpu i-vws" scenarios/collatz.scn
show gangs
goto 1500
show gangs 80x20
focus warp 1
show gangs 40x14
show gangs 24x6
goto 4000
filter gangs single
show gangs 80x16
filter gangs
set style.signs ascii
show gangs 80x12
set style.signs unicode
run
stats gang.*
stats lanes.issue
stats fetch.ops
show gangs
gpu vws
restart
show gangs
