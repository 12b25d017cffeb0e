#! -q scenarios/default.scn
info checkpoints
checkpoint
goto 400
hash
checkpoint mid
step -s issue
checkpoint
checkpoint later 600 -s fetch
checkpoint past mid
checkpoint 5x
checkpoint -d
checkpoint -d nothing
info checkpoints
goto p1
goto mid
hash
goto later
goto p2
checkpoint mid
info checkpoints
checkpoint -d later
goto later
help checkpoint
quit
