#! --plain scenarios/labs/11-race.scn
run
info checks
lesson back
answer c
answer a
with check.races off -- run
lesson again
lesson
answer b
restart
run
