#! -q scenarios/course/06-coalescing.scn
# three states of warp 5: no instruction, data that have not come, a full LSU; what the drawing says, and what why says
focus warp 5
break stall fetch for 4 if warp == 5
continue
show datapath 80x18
why
delete
break stall long for 4 if warp == 5
continue
show datapath 80x18
why
delete
break stall lsu for 4 if warp == 5
continue
show datapath 80x18
why
reverse-step
show datapath 80x1
show datapath 80x13
show datapath 80x11
show datapath 80x10
