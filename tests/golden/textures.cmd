#! -q scenarios/rotate.scn
info buffers
launch rotate grid 1 block 32 args pixels turned 100 60 0.75 0.5
texture again pixels 2d 100,61 u8
texture again pixels 2d 100,60 u8 linear
compare tex.rate=4 tex.latency=0
goto 1120
why warp 14
run
origin result[1234]
stats tex.*
texture row result 1d 100 f32
info buffers
undo
info buffers
quit
