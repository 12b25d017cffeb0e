#! -n -q
gpu tiny
module tests/ptx/pressed.ptx
buffer out u32[32]
launch pressed grid 1 block 32 args out
step 80
list
show source 80x16
list other.cu:5
directory tests/ptx
show source 120x8
set stats.lines on
run
stats lines
