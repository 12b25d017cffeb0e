#! -q -n scenarios/pipeline.scn
# a wait for a group of asynchronous copies, which is in no register: as follow, the drawing and why tell it
goto 500
focus warp 1
follow warp 1
show datapath 80x12
why
