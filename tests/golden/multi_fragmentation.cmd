#! -n -q scenarios/multi/fragmentation.scn
goto 500
show partition
show partition 50x6
why sm 0
policy allocate=firstfit
restart
goto 641
show partition
why sm 0
policy allocate=twoway
restart
goto 641
show partition
print sm[0].twoway.high
why sm 0
policy partition=fcfs allocate=firstfit
restart
goto 500
why sm 0
