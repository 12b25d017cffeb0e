#! -n -q --plain scenarios/subcore/register-cache.scn
# with collector.allocate: ports that are taken ahead, reads of instructions that have none yet, where each instruction stands
gpu a6000 sms 1
set ptx.schedule off
set collector.reuse off
restart
break event conflict
continue
show banks 90x14
step
show banks 90x14
info banks
step
show banks 60x12
set ptx.schedule on
set collector.reuse on
restart
goto 600
show banks 110x14
info banks
