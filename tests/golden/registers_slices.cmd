#! -q scenarios/vws/split.scn
# a slice has four lanes of the warp's 32: those alone are its
goto 300
show registers 80x14
focus warp 5
show registers 80x14
step 40
show registers 40x10
set code.lane 22
show registers 60x10
