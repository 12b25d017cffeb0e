#! -q --plain -e 'compile "sh tests/compare/edited %i %o"' $(cp tests/compare/turn.* "$work")"$work/turn.scn"
# nothing has run yet
history runs
compare run 1
goto 300
history
# the same machine again is the same run
run
goto 10
run
restart
run
history runs
# other settings, then as before; a change on the way
set lat.int 8
policy order=lrr
restart
run
history runs
set lat.int 1
policy default
restart
goto 100
set lat.fp32 9
run
history runs
compare run 3
# another launch
launch turn grid 4,4 block 16,16 args b a 128
compare run 1 stats cycle
restart
run
compare run 1
history runs
# nothing of that name, words that do not belong
compare run 9
compare run -1
compare run x
compare run
compare run 1 gpu=a100
compare run 4 tests/compare/turn2.ptx
compare run 4 run 4
compare run 4 lat.int=8 stats cycle
compare swap
compare run 4,4 stats cycle
history limits
history runs now
history runs limits 3
