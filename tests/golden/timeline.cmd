#! -q scenarios/default.scn
# checkpoints and visited places on the ruler, spark lines below; columns of 1, 2 and 8 cycles
goto 400
checkpoint here
goto 450
spark ipc
spark slots.pipeline / slots.total
show timeline 80x16
set time.zoom 1
show timeline 100x12
set time.zoom 3
# narrow: names are cut, there are no scales
show timeline 40x14
spark
spark -d 1
goto 420
show timeline 60x10
spark -d 0
spark
spark nonsense
spark host.seconds
spark -d 3
