#! -q
gpu tiny
module tests/ptx/limits/bound.ptx
launch turns grid 2 block 64
launch chase grid 1 block 32
show timeline 80x12
goto 600
critical
hash
show timeline 80x14
goto 20
hash
critical kernel 1
critical kernel 2
set lat.int 3
show timeline 80x12
critical
