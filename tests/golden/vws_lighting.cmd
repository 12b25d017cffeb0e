#! -n -q scenarios/vws/lighting.scn
goto 2000
print gang.slots
print inst.warp
goto 4000
print gang.slots
print inst.warp
goto 8000
print gang.slots
print inst.warp
run
print gang.slots
print inst.warp
print kernel.0.cycles
gpu vws
restart
run
print kernel.0.cycles
gpu ws4
policy gang=none
restart
run
print kernel.0.cycles
print l1i.accesses + l0i.hits
gpu i-vws
restart
run
print l1i.accesses + l0i.hits
gpu e-vws
restart
run
print gang.slots
print l1i.accesses + l0i.hits
print kernel.0.cycles
