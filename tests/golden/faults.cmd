#! -q
# a fault leads to who did it: the focus, the stop's line, why, the panes; its number on the SM and in its CTA
gpu volta
set gpu.sms 2
module scenarios/kernels/vecadd.ptx
buffer a f32[1000] iota
buffer b f32[1000] iota
buffer c f32[900]
launch vecadd grid 8 block 128 args a b c 1000
run
why
info faults
show code 80x8
show warps 80x10
focus sm 0 warp 0
reverse-step
step
break fault
goto 0
continue
delete
# slices: the one whose lane it was
gpu i-vws
set gpu.sms 2
restart
run
