#! -n -q --trust -e "gpu i-vws" tests/ptx/warpsync.scn
break split exit
continue
continue
reverse-continue
delete
break split control exit
goto 0
continue
info breakpoints
