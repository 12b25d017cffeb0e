#! -n -q scenarios/subcore/control-bits.scn
info control
goto 11
show code 78x14
show source 78x14
show source 150x12
show code 110x8
why
follow warp 0
goto 48
show datapath 80x12
follow warp 0
follow off
goto 0
until warp[0].issued == 15
step 2
why
until warp[0].issued == 16
step 6
why
continue
print c[5]
stats control.*
restart
set var control[14].stall = 16
set var control[14].write = 6
set var control[14].due = 1
set var control[22].stall = 1
set var control[14].stall = 1
print control[14].stall
continue
print c[5]
print control.hazards
reverse-step 120
set lat.int 3
why
info control vecadd
info control vecadd 1
continue
print c[5]
print control.hazards
set issue.dependences scoreboard
restart
info control
set var control[3].stall = 1
