#! -q scenarios/collatz.scn
# the operands of the next instruction in the first active lane, in another, in one that is not active
goto 1500
show code 80x16
set code.lane 16
show code 80x12
set code.lane 3
show code 80x12
# the registers that live there, wide and narrow
set code.registers on
show code 120x24
print warp[0].reg[4][3]
print warp[0].reg[7][16]
set code.lane 16
show code 40x14
# a kernel without values
set code.lane 33
