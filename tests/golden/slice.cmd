#! --plain
# a slice of a GPU, what undo leaves of it; notes on machines with the memory system of more SMs
gpu volta sms 5
gpu volta sms 2
set gpu.sms 1
undo
undo
explain gpu.sms
set gpu.sms 2
set gpu.sms 2
gpu volta sms 80
gpu volta
set gpu.sms 79
set gpu.sms 2
gpu tiny sms 2
gpu volta sms 5
# as long as it would be on 80 SMs with as many CTAs each
module scenarios/kernels/saxpy.ptx
buffer x f32[5120] iota
buffer y f32[5120] iota
launch saxpy grid 40 block 128 args x y 2.5 5120
run
limits
compare l2.latency=20 stats cycle
compare gpu.sms=4 stats cycle
goto 300
limits window 100 1000
set gpu.sms 4
restart
limits
