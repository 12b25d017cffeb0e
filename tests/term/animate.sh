# Animation: cycles go by at a pace, any key pauses, a stop ends it, and one undo takes it back; questions are answered at
# the prompt.
. tests/term/lib
begin 100 30
enter "$WARPSTEP"
wait_for '^─ console'
enter 'animate 60 for 3'
check 'it ends after so many cycles' shows '^cycle 3$'
keys Escape
wait_for KEYS
keys a
within shows 'running: any key pauses'
within shows 'cycle \([4-9]\|[1-9][0-9]\) '
keys Space
check 'a key pauses it' shows ' stopped'
check 'at a cycle between' shows '^cycle [1-9][0-9]*$'
keys u
check 'it is one command to undo' shows '^undone: animate$'
within shows 'cycle 3 '
enter ':break 9'
within shows '^breakpoint 1: cycle 9'
within shows 'KEYS\|(warpstep)'
enter 'animate 60'
check 'a stop ends it' shows '^cycle 9: breakpoint 1'
enter 'animate 1'
within shows 'running: any key pauses'
keys C-c
check 'Ctrl-C pauses it' shows ' stopped'
enter 'ask "How many SMs?" gpu.sms'
check 'a question stands at the prompt' shows '^answer:'
enter 1
check 'and its answer is judged' shows '^right: 1 (1 of 1)'
done_testing
