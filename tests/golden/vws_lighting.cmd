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
print gang.size.8
print gang.size.2
print gang.singles
gpu vws
restart
run
print kernel.0.cycles
gpu ws4
restart
run
print kernel.0.cycles
print fetch.ops
gpu i-vws
restart
run
print fetch.ops
gpu e-vws
restart
run
print gang.slots
print fetch.ops
print kernel.0.cycles
