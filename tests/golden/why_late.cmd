#! -q scenarios/subcore/operand-mix.scn
policy order=rba
set rba.delay 3
restart
goto 400
why slot 0.0
