#! -q scenarios/default.scn
#~ s/^(. events .*(Σ|sum) )[0-9,]+/\1N/; s/^(. events .* of )[0-9]+/\1N/; s/^(events of SM [0-9]+: )[0-9]+(.*sum )[0-9]+/\1N\2N/
filter events issue
goto 0
show warps 80x24
show subcores 80x24
show banks 80x24
show ctas 80x24
show kernels 80x24
show events 80x24
goto 450
show warps 80x24
show subcores 80x24
show banks 80x24
show ctas 80x24
show kernels 80x24
show events 80x24
focus warp 3
show warps 80x24
show subcores 80x24
show banks 80x24
show ctas 80x24
show kernels 80x24
show events 80x24
goto 1500
show warps 80x24
show subcores 80x24
show banks 80x24
show ctas 80x24
show kernels 80x24
show events 80x24
run
show warps 80x24
show subcores 80x24
show banks 80x24
show ctas 80x24
show kernels 80x24
show events 80x24
filter stats slots.*
show stats 80x24
show notes 80x24
echo a line for the console
show console 80x6
filter events grant
show events 80x8
filter events writeback
show events 80x8
filter events dispatch
show events 80x8
filter events fetch
show events 80x8
filter events l2hit
show events 80x8
filter events l1dmiss
show events 80x8
filter events conflict
show events 80x8
filter events barrier
show events 80x8
filter events shared
show events 80x8
