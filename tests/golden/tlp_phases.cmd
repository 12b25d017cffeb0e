#! -n -q scenarios/tlp/dyncta-phases.scn
run
stats kernel.*.cycles
set dispatch.limit 2
restart
run
set dispatch.limit 0
policy cta=dyncta
restart
goto 205000
print sm[0].bounds[0].limit - 1
goto 220000
print sm[0].bounds[0].limit - 1
goto 440000
print sm[0].bounds[0].limit - 1
run
stats kernel.*.cycles
