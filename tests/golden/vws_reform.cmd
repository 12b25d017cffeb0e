#! -n -q scenarios/vws/reform.scn
break form
continue
set vws.reform on
restart
continue
delete
break kernelend
continue
print gang.merges
print gang.issues
set vws.reform off
restart
continue
print gang.issues
delete
set vws.reform on
restart
goto 3800
break form
continue
print/d warp[0].reg[6][0]
print/d warp[4].reg[6][16]
continue
print/d warp[0].reg[6][0]
print/d warp[4].reg[6][16]
delete
set vws.reform off
set vws.gangs_per_cycle 1
restart
run
print kernel.2.cycles
set vws.reform on
restart
run
print kernel.2.cycles
print gang.merges
policy gang=gang-lrr
restart
run
print kernel.2.cycles
print gang.merges
gpu e-vws-sync
restart
break stall gang for 10
continue
why
delete
run
print kernel.0.cycles
print kernel.1.cycles
print gang.merges
set vws.sync 0
restart
run
print kernel.0.cycles
print kernel.1.cycles
print gang.merges
