#! -n -q scenarios/tlp/vt-figure5.scn
run
policy cta=vt
restart
break swap
continue
show ctas
continue
show ctas
continue
continue
show ctas
delete
run
stats vt.swaps
set vt.bandwidth 0
restart
run
set vt.bandwidth 64
restart
run
set vt.bandwidth 512
set sm.residents 3
restart
run
set sm.residents 4
set sm.ctas 4
restart
run
