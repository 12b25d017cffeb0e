# Ctrl-Z gives the terminal back; a size that changed meanwhile is seen at once.
. tests/term/lib
begin 100 30
enter "$WARPSTEP"
wait_for '^─ console'
enter 'step 400'
wait_for 'cycle 400'
keys C-z
wait_shell
check 'stopped: the screen is the one before' shows_not '─ console'
enter 'stty -a | grep -c -w -- -icanon'
wait_for '^0'
check 'stopped: the terminal edits lines' true
resize 80 24
enter fg
within shows '┬─ subcores'
check 'going on: all is drawn anew at the new size' shows 'cycle 400'
enter 'step 1'
within shows 'cycle 401'
check 'going on: keys come through' true
pid=$(T display -p '#{pane_pid}')
child=$(ps -o pid= --ppid "$pid" | tr -d ' ')
kill -STOP "$child"
wait_for 'sh>' # nobody could restore the modes: Enter is no newline yet
type 'fg'
keys C-j
within shows_not 'sh>'
enter 'step 1'
within shows 'cycle 402'
check 'after SIGSTOP too' shows '─ console'
keys C-d
wait_shell
done_testing
