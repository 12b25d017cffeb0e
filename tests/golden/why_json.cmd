#! -q -j scenarios/default.scn
step 518
why warp 0
why slot 0.0
break stall long -> eligible as woken
show timeline 80x8
show memory
quit
