#! -j --keep-going scenarios/vecadd.scn
step 50
show banks 40x6
step
show banks 40x6
show ctas 60x6
show kernels 60x4
filter stats ipc
show stats 60x5
sort warps -age
filter warps 3
show warps 60x5
show nothing
show warps 0x3
sort warps up
