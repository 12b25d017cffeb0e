#! -n -q -e "set preempt.ctas 2" scenarios/vecadd.scn
goto 60
focus sm 1 warp 3
finish warp
goto 60
finish cta
goto 60
preempt save
preempt kill 0 0
finish cta
reverse-step
info ctas 0
goto 60
finish warp
goto 60
finish kernel
finish
goto 40
preempt kill
finish cta
