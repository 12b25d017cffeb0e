#! -n -q scenarios/elf/bypass.scn
goto 60
show memory
why warp 1
set lsu.reexec newcar
restart
break reexec
break bypass
continue
continue
continue
continue
continue
show memory
why warp 0
goto 252
continue
continue
continue
continue
reverse-continue
delete
run
stats kernel.*.cycles
stats l1d.hit_rate
set lsu.reexec car
restart
goto 60
show memory
set lsu.reexec_entries 0
explain lsu.reexec
explain reexec
stats lsu.reexec.*
set lsu.reexec_entries 32
restart
goto 255
why warp 0
set lsu.reexec newcar
restart
goto 256
why warp 0
why warp 1
