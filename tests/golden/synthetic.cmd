#! -q /dev/null
gpu tiny
synthetic hot iterations 10 body 11 mix fp32 60 int 20 load 20 distance 4
synthetic lanes
  body 8
  iterations 16
  mix int 3 store 1   # a quarter stores
  access strided
  diverge slice
end
launch hot grid 4 block 64
launch lanes grid 2 block 32 as second
run
expect inst.warp == 8 * 111 + 2 * 129
expect kernel.1.ctas == 2
stats inst.*
quit
