#! -n -q scenarios/elf/fetch-order.scn
run
policy order=elf
restart
run
goto 302
show warps
why slot 0.0
run
stats slots.long
policy elf
restart
run
stats slots.long
goto 300
show timeline
policy order=gto fetch=elf
restart
run
policy elf
set icnt.latency 4
restart
run
policy default
restart
run
