# Where there can be no full screen there is the prompt; colours and characters are as the user wishes.
. tests/term/lib
begin 80 24 
enter "TERM=dumb $WARPSTEP"
wait_for 'plain prompt: TERM=dumb'
check 'TERM=dumb: the prompt, with one line that says why' shows '^(warpstep)'
enter 'step 5'
wait_for '^cycle 5'
enter quit
wait_for '^sh> *$'
enter "clear; TERM=nosuchterm $WARPSTEP"
wait_for 'plain prompt: '
enter quit
wait_for '^sh> *$'
enter "clear; echo next; $WARPSTEP --plain"
wait_for '^next'
wait_for '^(warpstep)'
check '--plain: no boxes' shows_not '─'
enter 'tui on'
wait_for 'the full screen is not available '
check '--plain: none on request' true
type 'nonsense'
within shows '^(warpstep) nonsense$'
keys C-c
within shows '^(warpstep)$'
enter 'echo alive'
wait_for '^alive'
check '--plain: Ctrl-C drops the line' true
enter quit
wait_for '^sh> *$'
enter "clear; echo step 9 | $WARPSTEP | cat; $WARPSTEP -q -e 'step 3' $PWD/scenarios/default.scn </dev/null; echo done"
wait_for '^done'
check 'pipes: plain text' shows '^cycle 9'
check 'no full screen without a terminal' shows '^cycle 3'
enter "clear; LC_ALL=C $WARPSTEP"
wait_for '^- console'
check 'C locale: ASCII alone' sh -c "! tmux -L $socket capture-pane -p | LC_ALL=C grep -q '[^ -~]'"
keys C-d
wait_for '^sh> *$'
enter "clear; $WARPSTEP --ascii"
wait_for '^- console'
check '--ascii: ASCII alone' sh -c "! tmux -L $socket capture-pane -p | LC_ALL=C grep -q '[^ -~]'"
keys C-d
wait_for '^sh> *$'
coloured() { T capture-pane -p -e | grep -q "$(printf '\033')\[[0-9;]*3\([0-7]m\|8;5;\)"; }
for way in "TERM=tmux-256color $WARPSTEP:yes" "TERM=tmux-256color NO_COLOR=1 $WARPSTEP:no" "TERM=tmux-256color $WARPSTEP --color=never:no" \
	"TERM=tmux-256color NO_COLOR=1 $WARPSTEP --color=always:yes"; do
	enter "clear; ${way%:*}"
	wait_for '^─ console'
	enter 'step 400'
	within shows 'cycle 400'
	if [ "${way##*:}" = yes ]; then check "colours: ${way%:*}" coloured; else check "no colours: ${way%:*}" eval '! coloured'; fi
	keys C-d
	wait_for '^sh> *$'
done
done_testing
