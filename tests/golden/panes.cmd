#! -q scenarios/default.scn
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
