#! -q --plain scenarios/spmv.scn
goto 1200
effects load for 900
show timeline
goto 1850
show timeline
