#! -n -q tests/ptx/apart.ptx
info modules
launch ring grid 1 block 32
