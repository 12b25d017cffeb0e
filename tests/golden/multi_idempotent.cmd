#! -n -q scenarios/multi/idempotent.scn
info kernel inplace
policy partition=even preempt=flush
restart
break idempotence
continue
preempt flush
continue
reverse-continue
reverse-step
preempt flush
step 2
show ctas
delete
break flushed if kernel == 1
continue
print z[128]
set chimera.idempotence strict
restart
delete
goto 6010
show ctas
run
explain chimera.idempotence
explain idempotence
delete
set chimera.notice on
restart
run
print gpu.cycle
print preempt.notices
info kernel inplace
explain chimera.notice
