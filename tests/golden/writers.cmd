#! -q
# who wrote what is watched; all that met a stop in one cycle; stores and atomics are events of their instructions
gpu volta
set gpu.sms 2
module scenarios/kernels/vecadd.ptx
buffer a f32[1000] iota
buffer b f32[1000] iota
buffer c f32[1000]
launch vecadd grid 8 block 128 args a b c 1000
watch c[300]
continue
reverse-step
focus sm 1 warp 3
continue
reverse-continue
delete
break store if lanes == 32
break stall long for 3
goto 100
continue
info stop
continue
info stop
info breakpoints
info stop now
delete
step
info stop
# of a slice
gpu i-vws
set gpu.sms 2
restart
watch c[300]
continue
