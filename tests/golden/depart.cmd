#! -n -q -e "set preempt.ctas 2" scenarios/vecadd.scn
#~ s/0x[0-9a-f]+/ADDRESS/g
goto 40
depart
depart swap
depart save 0
depart save 99 0
depart flush 0 31
hash
depart flush
depart save 0 1
depart save 0 2
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
depart save
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
