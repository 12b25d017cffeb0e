#! -q scenarios/matmul.scn
#~ /other warp scheduling polic/,/^cycle 500/{/^cycle 500/!d}
# why is LRR slower here
compare order=lrr
goto parting
compare why
# in place, to a cycle, with a part of the table; the session does not move
goto 500
hash
compare lat.int=20 policy assign=srr stats slots.* -- step 1000
hash
compare
compare stats l1d.h*
# a change of the layout, from the start; one that changes nothing here; one that ends in a fault
compare gpu.sms=1 -- until inst.warp >= 2000
compare multi.insts=0
compare kernel.0.grid=8,8
# B as the run, taken back, and again
compare lat.int=20
compare swap
set lat.int
undo
set lat.int
compare end
compare
goto parting
# what lies ahead of here, or was changed on the way, is in neither
goto 1000
set lat.fp32 9
goto 600
compare lat.int=20 stats cycle -- step 10
compare gpu.sms=1 stats cycle -- step 10
