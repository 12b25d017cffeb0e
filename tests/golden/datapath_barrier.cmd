#! -q scenarios/matmul.scn
# warp 5 waits at a barrier for two others
goto 700
focus sm 1
focus warp 5
break stall barrier for 4 if warp == 5
continue
show datapath 80x18
why
