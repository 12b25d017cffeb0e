#! -q -j scenarios/matmul.scn
compare order=lrr stats cycle
compare why
compare multi.insts=0 -- step 10
compare stats l1d.hit_rate
