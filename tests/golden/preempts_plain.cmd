#! -n -q --plain scenarios/multi/ways.scn
policy partition=even preempt=chimera
restart
break preempt flush
continue
show preempts
show kernels
