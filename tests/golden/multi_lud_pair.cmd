#! -n -q scenarios/multi/lud-pair.scn
info streams
policy partition=smart preempt=chimera
restart
run
info streams
alone streams
info kernels
print launch[7].through
set multi.insts 300000
restart
run
alone streams
info kernels
