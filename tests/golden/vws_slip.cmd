#! -n -q scenarios/vws/slip.scn
break kernelend
continue
print kernel.0.cycles
print l1d.accesses
print mem.joined
continue
print kernel.1.cycles
print l1d.accesses - 3872
print mem.joined - 27328
reverse-continue
goto 24000
show code 78x34
print/d warp[24].reg[6][0]
print/d warp[31].reg[6][28]
delete
gpu i-vws
restart
run
print kernel.1.cycles
print l1d.accesses
gpu vws
restart
run
print kernel.0.cycles
print kernel.1.cycles
gpu i-vws-impatient
restart
run
print kernel.1.cycles
gpu e-vws-impatient
restart
run
print kernel.1.cycles
print gang.splits.memory
print gang.merges
