#! -n -q scenarios/tlp/dyncta-aes.scn
run
stats l1d.hits
set dispatch.limit 1
restart
run
stats l1d.hits
set dispatch.limit 2
restart
run
set dispatch.limit 0
policy cta=dyncta
restart
run
stats dyncta.n
goto 20000
show ctas
why sm 0
break throttle
continue
delete
set l1d.bytes 32768
restart
run
policy default
policy lrr
restart
run
