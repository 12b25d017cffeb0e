#! -n -q scenarios/tlp/dyncore.scn
run
stats kernel.0.cycles
stats power.relative
policy dyncore
restart
break gate
continue
show kernels
delete
run
stats kernel.0.cycles
stats power.relative
stats dyncore.gated_cycles
policy cta=dyncta,dyncore
restart
run
stats kernel.0.cycles
stats power.relative
