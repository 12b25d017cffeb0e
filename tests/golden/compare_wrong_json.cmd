#! -n -q -j scenarios/vecadd.scn
compare kernel.0.block=128 kernel.0.grid=64 stats cycle
compare kernel.0.grid=4 order=gto,lrr stats cta.started
