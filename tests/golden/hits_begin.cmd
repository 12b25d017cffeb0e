#! -n -q --plain scenarios/default.scn
# what is ignored has been used up when a condition lets others be counted
break stall long for 20 as slow
ignore 1 3
goto 1200
info breakpoints
condition 1 warp == 4
info breakpoints
continue
delete
goto 0
# hits of a future that has been cut are gone, whoever moves first
restart
break stall long for 20
goto 900
info breakpoints
goto 17
set lat.int 9
goto 900
info breakpoints
restart
goto 900
info breakpoints
delete
goto 0
# the way of a reload counts no hits
break $L__BB0_2
goto 1200
info breakpoints
reload
info breakpoints
step
reverse-next
continue
