#! -q --keep-going scenarios/faults/race.scn
run
print out[0..3]
print repaired[0..3]
break race
goto 0
continue
list race.cu:3,9
info checks
delete
run
info checks
origin out[3]
goto origin 9
policy order=lrr
restart
run
print out[0..3]
goto 0
break race
continue
info stop
