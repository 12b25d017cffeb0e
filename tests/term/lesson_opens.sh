# A scenario with parts and no layout opens on the full screen at any size: where there is room for notes only in another
# layout, or for no pane at all, the step is printed in the console.
. tests/term/lib
cat >"$work/part.scn" <<'END'
gpu tiny
synthetic k iterations 4 body 8 mix int 60 fp32 40
launch k grid 4 block 64
part "Waiting"
note "Look at the warps."
ask number "How long does it take?" cycle
after run
reveal "It is {cycle}."
part "The end"
note "That is all."
END
n=0
# opens WIDTH HEIGHT WHAT: the scenario at that size shows WHAT; it is left with `quit`, and without a signal.
opens() {
	begin "$1" "$2"
	enter "$WARPSTEP -n $work/part.scn; echo ended \$? >$work/ended"
	wait_for "$3"
	check "$1x$2: the screen is there" true
	enter 'answer 7'
	wait_for "$4"
	check "$1x$2: a verdict is seen" true
	enter quit
	try test -s "$work/ended"
	[ "$(cat "$work/ended")" = 'ended 0' ]
	result "$1x$2: it ends well" $?
	rm "$work/ended"
	T kill-server
	try not_there
}
not_there() { ! T has-session 2>/dev/null; }
opens 80 24 'Question 1: How long does it take' 'you answered 7'
opens 200 50 'Question 1: How long does it take' 'you answered 7'
opens 20 5 'give up' '(warpstep)'
opens 40 1 '(warpstep)' '(warpstep)'

begin 80 24
enter "$WARPSTEP -n --plain $work/part.scn"
wait_for 'give up'
check 'a plain prompt asks, too' shows 'How long does it take'
enter 'tui on'
wait_for 'the full screen is not available'
enter 'quit'
wait_shell
enter 'clear'
enter "$WARPSTEP -n -q $work/part.scn"
wait_for '^─ console'
enter 'tui off'
wait_for '^(warpstep)'
enter 'lesson'
wait_for 'give up'
enter 'tui on'
wait_for '^─ console'
enter 'layout lesson'
wait_for 'notes 1 of 2: Waiting'
enter 'give up'
wait_for 'Given up: the answer is'
check 'the screen goes off and on while a question waits' shows 'notes 1 of 2'
enter 'layout default'
wait_for '─ code'
enter 'lesson next'
wait_for 'That is all'
check 'a step is printed where its layout has no notes' true
enter 'quit'
check 'quit asks where a lesson has been begun' within shows '^quit or Ctrl-D again exits and loses 1 input '
enter 'quit'
wait_shell
done_testing
