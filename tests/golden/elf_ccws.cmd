#! -n -q scenarios/elf/ccws.scn
run
stats l1d.hit_rate
policy swl
set swl.limit 5
restart
run
set swl.limit 6
restart
run
policy default
policy ccws
restart
run
stats l1d.hit_rate
stats ccws.lost
goto 20000
show warps 80x16
show memory 80x24
why warp 29
break throttle more
continue
delete
set ccws.k 32
restart
run
stats l1d.hit_rate
set l1d.bytes 49152
restart
run
explain ccws.k
explain ccws.lost
