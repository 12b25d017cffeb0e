#! -q --plain scenarios/synthetic.scn
filter events issue
goto 777
show warps
show subcores
show banks
show ctas
show kernels
show events
show notes
filter events l1d*
show events
filter stats dram.*
show stats
show warps 40x4
