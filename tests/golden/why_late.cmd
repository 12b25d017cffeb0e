#! -q scenarios/subcore/operand-mix.scn
#~ /another order would choose/,/^  outcome/{/^    (gto|lrr|two-level):/!{/^    /d}}
policy order=rba
set rba.delay 3
restart
goto 400
why slot 0.0
