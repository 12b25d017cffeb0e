#! -n -q scenarios/vws/skew.scn
break stall gang
continue
show warps 78x12
why warp 3
delete
run
print kernel.0.cycles
print kernel.1.cycles
print kernel.2.cycles
set vws.split group
restart
break split memory
continue
show warps 78x12
continue
show warps 78x12
delete
run
print kernel.0.cycles
print kernel.1.cycles
set vws.split impatient
restart
break split memory
continue
show warps 78x12
delete
run
print kernel.0.cycles
print kernel.1.cycles
print kernel.2.cycles
set vws.split group
restart
run
print kernel.2.cycles
set vws.reform on
restart
run
print kernel.2.cycles
gpu ws4
restart
run
print kernel.2.cycles
