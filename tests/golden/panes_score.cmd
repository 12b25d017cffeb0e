#! -q scenarios/subcore/bank-conflict.scn
policy order=rba
restart
# both collector units are taken: no warp is eligible, no score shown
step 400
show banks 80x24
# 2 reads at bank 0, 3 at bank 1: two operands in bank 0 and one in bank 1 score 7, the other way round 8
step 1
show banks 80x24
show banks 34x12
# an order without scores
policy order=gto
show banks 80x24
