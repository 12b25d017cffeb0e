#! -n -q scenarios/elf/earliest-load.scn
run
goto 60
show timeline
why slot 0.0
policy elf
restart
break event l1dmiss
continue
show warps
why warp 2
delete
run
stats slots.long
goto 290
show timeline
policy lrr
restart
run
info elf
policy elf
restart
run
stats elf.*
set elf.points 2
restart
info elf
run
