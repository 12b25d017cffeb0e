# Tables and sentences keep to the terminal's width: at the plain prompt no line runs on in the next row, whatever the width; on the
# full screen they keep to the console's, which folds what is printed as it is resized.
. tests/term/lib
# Lines that the terminal itself had to continue are wider than it when they are joined.
none_runs_on() { ! T capture-pane -p -J | grep -q -E "^.{$1}.*[^ ]"; }
begin 80 24
enter "$WARPSTEP -q --plain $PWD/scenarios/faults/race.scn"
wait_for '^(warpstep)'
enter 'set check.races on'
enter run
within shows 'checks passed'
enter 'info checks'
check 'a finding takes three lines' within shows '^  18 race.cu:9: ld.shared.u32 r1, \[r1+128\]$'
enter 'help livelock'
enter 'stats lines'
within shows 'race.cu:22 '
check 'nothing runs on at 80 columns' none_runs_on 80
within shows '^(warpstep)$'
keys -R
resize 60 24
enter 'explain ipc.thread'
within shows '^ *formula'
check 'nor at 60' none_runs_on 60
enter quit
wait_shell
resize 80 24
enter clear
enter "$WARPSTEP -q $PWD/scenarios/faults/race.scn"
wait_for '^─ console ─\{70\}$'
enter 'set check.races on'
enter run
within shows 'checks passed'
enter 'info checks'
check 'the full screen shows the same' within shows '^  18 race.cu:9: ld.shared.u32 r1, \[r1+128\]$'
done_testing
