#! -n -q scenarios/multi/trial.scn
set gpu.sms 16
synthetic roots iterations 16 body 20 mix fp32 10 sfu 90 distance 4 regs 32
launch roots grid 400 block 128 stream 2 at 3000
policy partition=maestro allocate=twoway preempt=chimera rank=urgent,kernel-lrr
restart
break epoch
goto 3500
info maestro
why sm 15
continue
delete
goto 19000
info maestro
why sm 2
focus sm 15
why cta 90
show partition 80x10
focus sm 2
show partition 80x11
print gpu.maestro.sm[15].pair
print gpu.maestro.kernel[2].launch - 1
launch dense grid 1200 block 128 stream 3 at 19500
restart
break if gpu.maestro.kernels == 4
continue
info maestro
delete
goto 60000
info maestro
