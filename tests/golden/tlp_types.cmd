#! -n -q scenarios/tlp/vt-types.scn
run
stats kernel.*.cycles
stats occupancy.registers
policy cta=vt
restart
goto 1000
show ctas
goto 5000
show ctas
run
stats kernel.*.cycles
stats occupancy.registers
policy default
set sm.unlimited on
restart
run
stats kernel.*.cycles
