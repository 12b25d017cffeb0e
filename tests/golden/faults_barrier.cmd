#! -q --keep-going scenarios/faults/barrier.scn
run
list barrier.cu:9,13
print warp[0].reg[0][0]
bt
show warps 80x8
