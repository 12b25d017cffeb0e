#! -n -q scenarios/bfs.scn
# program points of a kernel, with its room and with less; of all kernels of another scenario
info elf
set elf.points 5
restart
info elf
policy elf
goto 700
show warps 90x8
show code 100x12
sort code -to_load
show code 90x6
why
print sm[0].elf.load
print sm[0].elf.slot[0].priority
policy elf++
policy
explain elf
explain elf++
explain elf.recalcs
help policy
run
stats elf.*
policy elfe
info elf nothing
policy default
set elf.points 0
restart
info elf
policy elf
goto 700
show warps 90x8
