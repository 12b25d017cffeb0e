#! -n -q scenarios/multi/ways.scn
set chimera.switch memory
policy partition=even preempt=switch
restart
break preempt
continue
why warp 2
step 40
why warp 2
stats preempt.moved_bytes
delete
break restored
continue
step 200
focus sm 2 warp 2
why
explain chimera.switch
delete
run
print launch[1].last_retire - 20000
stats preempt.*
