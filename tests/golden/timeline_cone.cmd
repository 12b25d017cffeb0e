#! -q scenarios/spmv.scn
# what depends on an answer, after effects: its events per column, until the past is another one
goto 1200
effects load for 900
goto 1850
set time.zoom 2
show timeline 80x16
set var reg[11][0] = 7
show timeline 80x16
