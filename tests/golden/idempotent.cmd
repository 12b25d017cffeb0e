#! -n -q scenarios/backprop.scn
#~ /backprop.cu:/d; /CTAs/d; /registers/d
info kernel backprop_forward
info kernel backprop_adjust
synthetic early body 11 iterations 10 mix int 4 store 1 idempotent 50
synthetic whole body 11 iterations 10 mix int 4 store 1
synthetic counts body 11 iterations 10 mix int 4 atomic 1
launch early grid 1 block 32
launch whole grid 1 block 32
launch counts grid 1 block 32
restart
info kernel early
info kernel whole
info kernel counts
