#! -n -q scenarios/elf/prefetch.scn
run
stats kernel.*.cycles
stats l1i.*
goto 300
show timeline
set l1i.prefetch 16
restart
break iprefetch
continue
continue
continue
show memory
goto 110
why warp 2
reverse-continue
delete
run
stats kernel.*.cycles
stats l1i.prefetch.*
set l1i.prefetch 1
restart
run
stats l1i.prefetch.*
set l1i.prefetch 0
set l1i.bytes 4096
restart
run
stats kernel.*.cycles
explain l1i.prefetch
explain iprefetch
