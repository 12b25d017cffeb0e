#! -n -q scenarios/vws/rendezvous.scn
break rendezvous if missing == 0
continue
delete
break stall gang
continue
why warp 2
why
delete
run
print kernel.0.cycles
print kernel.1.cycles
print kernel.2.cycles
print mem.joined
gpu vws
restart
run
print kernel.0.cycles
print kernel.1.cycles
print kernel.2.cycles
gpu ws4
policy order=lrr
restart
run
print kernel.0.cycles
print kernel.1.cycles
print kernel.2.cycles
gpu i-vws
restart
run
print kernel.0.cycles
print kernel.1.cycles
print kernel.2.cycles
