#! -q
gpu tiny
set gpu.sms 2
synthetic spin body 20 iterations 30 mix fp32 60 int 40 distance 2
synthetic walk body 12 iterations 20 mix load 30 int 70 distance 3
launch spin grid 24 block 128 stream 1
launch walk grid 24 block 128 stream 2
launch walk grid 2 block 64 every 5000 as tick stream 3
goto 800
show kernels 100
alone 1
show kernels 100
alone
show kernels 100
show kernels 60
hash
# a setting, and they hold no more; back, and still
set lat.fp32 9
show kernels 100
alone 9
alone 0 1
explain slowdown
