#! -q --plain tests/compare/tile.scn
# two versions of one kernel
compare tests/compare/tile2.ptx stats cycle
compare lines
# one of its kernels that takes the same arguments; its results are others
compare tests/compare/tile2.ptx kernel.0.entry=copy stats cycle
# another scenario, other GPUs in proportion
compare tests/compare/copied.scn stats cycle
compare gpu=a100,h100 tests/compare/tile2.ptx
compare gpu=h100 stats cycle
# what cannot be
compare swap
compare nothing.ptx
compare scenarios/kernels/vecadd.ptx
compare tests/compare/tile2.ptx kernel.0.entry=none
compare tests/compare/copied.scn gpu=h100
compare gpu=nope
