#! -q scenarios/default.scn
break matmul.cu:17 if warp == 3 as third
break matmul.cu:17 as third if warp == 3
break $L__BB0_2
break matmul.cu:999
break matmul.ptx:60
break nowhere.cu:3
break conflict bank 2
tbreak watch mem.lines
watch fall
watch above 40 l1d.misses
break stall long for 90 if kernel == 0
ignore third 2
info breakpoints
continue
delete 2 3 4
continue
continue
info breakpoints
reverse-continue
delete
break event release
commands
silent
print cycle
continue
end
break cycle 1000
continue
reverse-continue
delete
break stall long for 500
break lost idle for 9000
continue
break stall ->
# no such stop: its block is passed over
commands 99
  echo not run
end
commands nobody
end
delete
# times with units, at the clock of the GPU
break cycle 1us
goto 0.25us
goto +10ns
goto 3parsecs
continue
# numbers and hits, as a saved session has them
number 5
number 20
break event release
goto 900
number 20 hits 607 837
info breakpoints
goto 700
info breakpoints
reverse-continue
ignore 20 1
number 20 hits 5000
number 21 hits 1
number 20 times 3
quit
