#! -n -q scenarios/vws/l0.scn
run
print kernel.0.cycles
print kernel.1.cycles
print l1i.accesses
print l0i.hits
set l0i.bytes 0
restart
run
print kernel.0.cycles
print kernel.1.cycles
set l1i.ports 2
restart
run
print kernel.0.cycles
print l1i.accesses
set l0i.bytes 256
restart
run
print kernel.0.cycles
print l0i.waits
print kernel.1.cycles
print l1d.accesses
print mem.joined
set l1i.ports 7
restart
run
print kernel.1.cycles
print l0i.waits
gpu i-vws
set l0i.bytes 0
restart
run
print kernel.0.cycles
print kernel.1.cycles
print gang.fetches
