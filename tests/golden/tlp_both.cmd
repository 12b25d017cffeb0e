#! -n -q scenarios/tlp/vt-or-dyncta.scn
run
stats kernel.*.cycles
set dispatch.limit 1
restart
run
stats kernel.*.cycles
set dispatch.limit 0
policy cta=vt
restart
run
stats kernel.*.cycles
policy default
policy lrr
policy cta=dyncta
restart
run
stats kernel.*.cycles
policy cta=vt,dyncta
restart
run
stats kernel.*.cycles
