#! -q --plain scenarios/synthetic.scn
#~ s/^(. events .*(Σ|sum) )[0-9,]+/\1N/; s/^(. events .* of )[0-9]+/\1N/; s/^(events of SM [0-9]+: )[0-9]+(.*sum )[0-9]+/\1N\2N/
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
