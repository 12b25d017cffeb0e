# The mouse: off unless it is asked for; then a click focuses a pane, the wheel scrolls the one it is over, and the terminal
# is told when it ends.
. tests/term/lib
begin 80 24
enter "$WARPSTEP"
wait_for '^─ console'
is_on() { [ "$(T display -p '#{mouse_standard_flag}#{mouse_sgr_flag}')" = "$1" ]; }
check 'it is off' is_on 00
enter 'step 300'
wait_for '^cycle 300'
row=$(screen | grep -n 'subcores' | sed 's/:.*//;1q')
row=$((row + 1)) # below the title
type "$(printf '\033[<0;60;%dM\033[<0;60;%dm' "$row" "$row")"
enter 'echo before'
wait_for '^before'
check 'a click does nothing then' shows_not "▸ subcores"
enter 'set mouse on'
try is_on 11
check 'it can be turned on' is_on 11
type "$(printf '\033[<0;60;%dM\033[<0;60;%dm' "$row" "$row")"
check 'a click focuses a pane' shows '▸ subcores'
screen | sed -n 4p >"$work/before"
type "$(printf '\033[<65;5;3M')"
scrolled() { ! screen | sed -n 4p | cmp -s - "$work/before"; }
check 'the wheel scrolls the pane below it' within scrolled
check 'and the focus stays' shows '▸ subcores'
row=$(screen | grep -n '^   10 ' | sed 's/:.*//;1q')
type "$(printf '\033[<0;20;%dM\033[<0;20;%dm' "$row" "$row")"
check 'a click on a row focuses it' within shows '^▸  10 '
row=$(screen | grep -n 'warps SM 0' | sed 's/:.*//;1q')
type "$(printf '\033[<0;20;%dM\033[<0;20;%dm' "$row" "$row")"
check 'a click on a title zooms' within shows_not 'subcores'
type "$(printf '\033[<0;20;%dM\033[<0;20;%dm' "$row" "$row")"
check 'and back' within shows 'subcores'
enter 'layout timeline'
wait_for '▸ timeline'
column=$(screen | sed -n 's/^\( .*\)│240.*/\1/p' | head -n 1 | wc -m)
type "$(printf '\033[<0;%d;5M\033[<0;%d;5m' "$column" "$column")"
check 'a click on a column of the timeline goes there' within shows 'cycle 240 '
# $1: a pattern of a row, $2: a column; a click there
click() {
	row=$(screen | grep -n -- "$1" | sed 's/:.*//;1q')
	type "$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$2" "$row" "$2" "$row")"
}
enter 'layout code'
wait_for '^▸ code'
pc=$(screen | sed -n 's/^ *\([0-9]*\)  *[0-9]* .*\(ld\|st\|add\|mul\|mov\|shl\).*/\1/p' | head -n 1)
click "^ *$pc  *[0-9]* " 30
check 'a click on an instruction puts the cursor there' within shows "^→ *$pc "
enter 'layout source'
wait_for '^▸ source'
line=$(screen | sed -n 's/^  *\([0-9][0-9]*\) .*/\1/p' | head -n 1)
click "^  *$line " 30
check 'a click on a line' within shows "^→ *$line "
enter 'layout registers'
wait_for '^▸ registers'
click '^ *r3 ' 26
check 'a click on a register, and its lane' within shows '^→ *r3 '
check 'which is then the focused one' within shows '▸1 '
enter 'layout data'
wait_for '^▸ data'
click '^ 0x.*\[0\]' 34
check 'a click on an element' within shows '▸[^ ]'
enter 'layout breakpoints'
enter 'break cycle 5000'
enter 'break cycle 6000'
wait_for 'cycle 6000 '
click '^.*2 on  *cycle 6000' 20
check 'a click on a stop' within shows '^→ *2 on'
shows_asked_twice() { [ "$(screen | grep -c '^quit or Ctrl-D again exits')" = 2 ]; }
enter quit
check 'quit asks where stops would be lost' within shows '^quit or Ctrl-D again exits and loses 2 stops '
enter 'echo no'
within shows '^no$'
enter quit
check 'and asks anew after another line' within shows_asked_twice
enter quit
wait_shell
check 'it is off behind us' is_on 00
done_testing
