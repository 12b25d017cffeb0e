#! -j --keep-going -n -q scenarios/multi/ways.scn
policy partition=even preempt=chimera
restart
break preempt switch
continue
show preempts 60x8
