#! -n -q -e "gpu e-vws-impatient" scenarios/match.scn
break split
break form
continue
continue
continue
reverse-continue
reverse-continue
continue
show gangs 80x10
delete
break split memory
continue
continue
reverse-continue
delete
break split control if slices < 8
continue
continue
reverse-continue
delete
info breakpoints
break split sideways
break form twice
delete
break form if slices == 8
goto 0
continue
reverse-continue
