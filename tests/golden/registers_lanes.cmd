#! -q scenarios/collatz.scn
# lanes that part: those that are not active stand in brackets; what changed since the last stop has a star
goto 1500
show registers
next
next
show registers
reverse-next
show registers 40x10
# another lane: the columns follow
set code.lane 30
show registers 80x10
set registers.format decimal
show registers 60x16
set registers.format float
show registers 100x12
set registers.format hex
show registers 120x30
show registers 160x48
show registers 200x60
filter registers dead
show registers 80x8
filter registers
# all that a lane can be: a warp that has ended, one that is not there
set code.lane 32
focus warp 31
show registers 60x6
run
show registers 60x6
set registers.format octal
