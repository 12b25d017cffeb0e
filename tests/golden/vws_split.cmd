#! -n -q scenarios/vws/split.scn
break split
continue
show warps 78x12
goto 5849
show warps 78x12
delete
run
print kernel.0.cycles
print kernel.1.cycles
print kernel.2.cycles
gpu vws
restart
run
print kernel.0.cycles
print kernel.1.cycles
print kernel.2.cycles
gpu i-vws
set vws.gangs_per_cycle 1
restart
run
print kernel.1.cycles
print kernel.2.cycles
set vws.gangs_per_cycle 4
restart
run
print kernel.2.cycles
