#! -n -q scenarios/subcore/control-bits.scn
set issue.dependences scoreboard
set issue.readers 1
set collector.allocate on
set lat.int 1
restart
until warp[0].issued == 14
why
step
why
step 2
why
step 2
why
print sm[0].reading[0].until
set issue.readers 2
restart
until warp[0].issued == 14
step 2
why
explain issue.readers
set warp.size 8
restart
