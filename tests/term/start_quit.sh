# The terminal is as it was, whichever way the full screen is left.
. tests/term/lib
begin 80 24
enter "stty -a >$work/before"
for way in 'q quits:Escape q:0' 'a typed quit:quit Space 3 Enter:3' \
	'a typed quit that would lose a stop:tbreak Space cycle Space 9 Enter quit Space 4 Enter:4' 'the end of input:C-d:0' 'tui off:tui Space off Enter quit Enter:0'; do
	name=${way%%:*} rest=${way#*:}
	enter "clear; $WARPSTEP; echo status \$?; stty -a >$work/after"
	wait_for '^─ console'
	for key in ${rest%:*}; do
		keys "$key"
		[ "$key" != Escape ] || wait_for KEYS
		[ "$key" != off ] || :
	done
	wait_for '^status '
	check "$name: its status" shows "^status ${rest##*:}"
	check "$name: the screen is the one before" shows_not console
	enter 'echo done'
	wait_for '^done'
	check "$name: stty is the same" cmp -s "$work/before" "$work/after"
	[ "$(T display -p '#{alternate_on}')" = 0 ] || check "$name: alternate screen off" false
done
enter "clear; $WARPSTEP -q"
wait_for '^─ console'
enter 'step 4'
wait_for 'cycle 4 '
enter 'tui off'
wait_for '^(warpstep)'
check 'tui off: the prompt alone' shows_not '─ console'
type 'step '
type 5
keys Enter
wait_for '^cycle 9'
enter 'tui on'
wait_for '^─ console'
check 'tui on: the panes again, and what was said' shows 'cycle 9 '
enter quit
wait_for '^sh> *$'
done_testing
