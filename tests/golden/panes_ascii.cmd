#! -q --ascii --size 64x12 scenarios/synthetic.scn
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
