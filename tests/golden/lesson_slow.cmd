#! -n -q --keep-going scenarios/slow.scn
set stats.lines on
run
layout source
list 3,6
break slow.cu:13
goto 0
continue
bt
step 50
show warps 80x8
delete
run
info conflicts
