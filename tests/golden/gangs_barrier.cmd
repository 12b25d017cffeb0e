#! --keep-going -n -q --plain scenarios/faults/barrier.scn
# slices that wait at a barrier do not join those of their warp that are past it: each machine comes to the barrier of step 2, which
# half of a slice reaches
layout wide
gpu ws4
run
gpu e-vws
restart
run
gpu e-vws-sync
restart
run
