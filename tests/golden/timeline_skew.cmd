#! -q -e "set vws.split group" scenarios/vws/skew.scn
# the line of one slice comes late, and the others go on without it; said, and with slices apart
goto 1560
focus warp 3
show timeline 80x14
goto 2300
show timeline 80x14
set time.rows slices
show timeline 60x12
