#! -n -q -e "gpu e-vws-sync" -e "set vws.sync 300" scenarios/vws/reform.scn
break stall gang for 30
continue
why
print warp[0].pc
print warp[7].pc
why warp 7
delete
break form
continue
goto 3800
set vws.sync 0
break kernelend
continue
stats gang.*
explain vws.sync
