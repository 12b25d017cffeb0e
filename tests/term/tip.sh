# The greeting teaches a command that was never used, `tip` the next ones; what is typed is remembered from session to session.
. tests/term/lib
begin 80 24
enter "$WARPSTEP"
wait_for '^─ console'
check 'the greeting has a tip' shows '^tip: `'
check "the scenario's note is seen from its beginning" shows '^A 64 x 64 matrix product'
check 'to its end' shows 'F1 or `help` lists everything'
check 'at cycle 0 the bottom line says how to begin' shows '^ type step, next, continue, run, break, tip '
enter tip
wait_for '^tip 1 of [0-9]*: `why`'
enter tip
wait_for '^tip 2 of [0-9]*: `goto 400`'
check 'tips come one after the other' true
enter 'why'
wait_for '^(warpstep) why'
enter 'goto 20'
wait_for 'cycle 20 '
check 'at a stop the bottom line has the commands of the pane' shows '^ type step, next, continue, why '
enter 'run'
wait_for '  finished'
check 'at the end what can be asked then' shows '^ type stats, limits, critical'
keys C-d
wait_shell
enter "clear; $WARPSTEP -q"
wait_for '^─ console'
check 'quiet: no tip' shows_not '^tip: `'
enter tip
wait_for '^tip 3 of '
check 'commands of the history file are not taught again' true
keys C-d
wait_shell
done_testing
