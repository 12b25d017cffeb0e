#! -n -q --plain
# a block of checks that changes the run and goes on is not entered again while it runs
gpu tiny
module scenarios/kernels/vecadd.ptx
buffer a f32[256]
buffer b f32[256]
buffer c f32[256]
launch vecadd grid 1 block 256 args a b c 256
finally
  set var c[0] = 1
  run
  expect c[0] == 1
end
run
run
