#! -q tests/ptx/first.scn
# Which of two paths goes first: of warp 0, 31 lanes or lane 0, and what that costs.
break pc 12
break pc 17
continue
set warp.first program
restart
continue
delete
compare warp.first=most
explain warp.first
set warp.first larger
quit
