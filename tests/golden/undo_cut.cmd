#! -n -q scenarios/default.scn
# undo of an input that made the machine forget others: it is gone, and those are there again
goto 1160
policy order=lrr
set var c[3] = 5
set lat.int 3
step 40
hash
goto 900
set lat.sfu 17
undo
print lat.sfu
goto 1200
hash
with lat.fp32 3 -- goto 900
with lat.fp32 3 -- goto 900
undo
undo
hash
goto 900
set lat.sfu 17
step 300
hash
undo
undo
goto 1200
hash
