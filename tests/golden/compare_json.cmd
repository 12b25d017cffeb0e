#! -q -j scenarios/matmul.scn
#~ /other warp scheduling polic/,/^[{]"cmd"/{/^[{]"cmd"/!d}
compare order=lrr stats cycle
compare why
compare multi.insts=0 -- step 10
compare stats l1d.hit_rate
compare order=gto,lrr stats l1d.hits
show compare 60x6
show difference 60x6
