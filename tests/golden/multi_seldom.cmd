#! -n -q
gpu maxwell
set gpu.sms 8
set preempt.ctas 512
set maestro.epoch 80000
synthetic late time 160000 steps 16 regs 128
synthetic later time 320000 steps 8 regs 252
launch late grid 4000 block 32
launch later grid 4000 block 32 stream 1
policy partition=maestro allocate=twoway preempt=chimera rank=urgent,kernel-fair
goto 240000
info maestro
why sm 5
goto 640000
info maestro
