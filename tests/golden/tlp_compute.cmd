#! -n -q scenarios/tlp/dyncta-compute.scn
run
set dispatch.limit 1
restart
run
set dispatch.limit 2
restart
run
set dispatch.limit 0
policy cta=dyncta
restart
goto 2048
show ctas
goto 8192
show ctas
run
stats dyncta.n
