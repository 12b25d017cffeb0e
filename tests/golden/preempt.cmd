#! -n -q -e "set preempt.ctas 2" scenarios/vecadd.scn
goto 40
preempt
preempt swap
preempt save 0
preempt save 99 0
preempt flush 0 31
hash
depart flush
preempt save 0 1
preempt save 0 2
info ctas
step
info ctas
stats cta.started
stats cta.flushed
stats cta.saved
stats stale.operands
stats stale.results
undo
undo
undo
hash
preempt save
goto 300
stats cta.saved
reverse-step 270
stats cta.saved
goto 300
stats cta.saved
run
stats cta.started
stats cta.restored
stats cta.finished
