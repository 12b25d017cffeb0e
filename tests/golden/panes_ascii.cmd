#! -q --ascii --size 64x12 scenarios/synthetic.scn
goto 777
show warps
show subcores
show banks
show ctas
show kernels
show events
show notes
filter warps S
show warps
filter warps
sort warps -wait
show warps 70x8
sort warps
filter events l1d*
show events 70x8
filter stats l1d.refused*
show stats 70x6
