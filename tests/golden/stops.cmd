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
help break
quit
