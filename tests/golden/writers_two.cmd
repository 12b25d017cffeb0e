#! -n -q scenarios/transpose.scn
# two warps of an SM that write in one cycle: an event for each, and each watch names its own
goto 1460
break event store if sm == 0
continue
info stop
delete
goto 1460
watch out_naive[13]
watch out_naive[8231]
continue
info stop
