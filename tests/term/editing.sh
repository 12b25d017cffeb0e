# readline inside: characters of several bytes, a search for one, completion, history kept for this user alone.
. tests/term/lib
begin 80 24
enter "$WARPSTEP"
wait_for '^─ console'
enter 'echo café'
within shows '^café'
enter 'echo other'
within shows '^other'
keys C-r
within shows 'reverse-i-search'
type 'é'
check 'a search for a character of two bytes' within shows "i-search)\`é': echo café"
keys Enter
within shows '^(warpstep)$'
type 'ech'
keys Tab
within shows '^(warpstep) echo $\|^(warpstep) echo$'
type 'éé'
keys Left BSpace
within shows '^(warpstep) echo é$'
check 'editing goes by characters' true
keys C-e
keys C-u
type 'reverse-'
keys Tab Tab
within shows 'reverse-continue .*breakpoint'
check 'completion says what the words mean' shows '^reverse-step '
keys C-u
type 'cho as before'
keys M-C-j C-a
type e
keys Enter
check 'no key of readline leads into the editing mode of vi' within shows '^as before'
enter 'set gpu.sms 4'
within shows ' 4 SMs'
check 'the status line follows' true
keys Up
within shows '^(warpstep) set gpu.sms 4'
check 'history' true
keys C-u
enter 'step 3'
within shows '^cycle 3$'
keys Enter
within shows '^cycle 6$'
check 'Enter repeats what was typed, its arguments too' true
enter 'reverse-step 2'
within shows '^cycle 4$'
keys Enter
within shows '^cycle 2$'
enter 'echo once'
within shows '^once$'
keys Enter
check 'Enter repeats no command that does not move' sh -c 'sleep 0.3; tmux -L "$0" capture-pane -p | grep -c "^once$" | grep -qx 1' "$socket"
type 'x'
keys C-d
check 'Ctrl-D within a line is a key of readline' within shows '^(warpstep) x$'
keys C-u C-d
check 'Ctrl-D in an empty line asks where an input is not saved' within shows '^quit or Ctrl-D again exits and loses 1 input '
keys C-d
wait_shell
history=$work/.local/state/warpstep/history
check 'the history file is private' [ "$(stat -c %a "$history")" = 600 ]
check 'and holds what was typed' grep -q 'set gpu.sms 4' "$history"
printf 'old line\necho twice\necho \033[31m\necho twice\n' >"$history"
enter "clear; $WARPSTEP"
wait_for '^─ console'
keys Up
within shows '^(warpstep) echo twice'
keys Up
within shows '^(warpstep) old line'
check 'equal lines once, none with control bytes' true
keys C-u
enter 'echo kept'
within shows '^kept'
kill -HUP "$(ps -o pid= --ppid "$(T display -p '#{pane_pid}')" | tr -d ' ')"
wait_shell
check 'a signal loses nothing' grep -q '^echo kept' "$history"
enter "clear; $WARPSTEP -q"
wait_for '^─ console'
enter 'tui off'
wait_for '^(warpstep)'
type 'nonsense'
wait_for '^(warpstep) nonsense'
keys C-c
within shows '^(warpstep)$'
type 'echo alive'
keys Enter
wait_for '^alive'
check 'Ctrl-C at the plain prompt empties the line' true
mv "$history" "$work/elsewhere"
ln -s "$work/elsewhere" "$history"
awk 'BEGIN { for (i = 0; i < 10050; i++) print "echo " i }' >>"$work/elsewhere"
keys C-d
wait_shell
check 'a long history is cut at its beginning' [ "$(wc -l <"$work/elsewhere")" = 10000 ]
check 'its end stays' [ "$(tail -n 1 "$work/elsewhere")" = 'echo 10049' ]
check 'and so do its permissions' [ "$(stat -c %a "$work/elsewhere")" = 600 ]
check 'and the link to it' [ -L "$history" ]
rm "$work/elsewhere"
enter "clear; $WARPSTEP -q"
wait_for '^─ console'
enter 'echo here'
within shows '^here'
keys C-d
wait_for '^sh> *$'
check 'a link to no file is not written through' [ ! -e "$work/elsewhere" ]
done_testing
