#! -n -q scenarios/roots.scn
# what kernels print without timing, by CTA and warp; an assertion stops it with its text
hash
run --functional
hash
print a[64]
gpu tiny
buffer n f32[128] iota 126 -1
launch roots grid 2 block 64 args n 128
run --functional
