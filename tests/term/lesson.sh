# A lesson on a terminal of 80x24: the question is seen, what would show its answer is held back, keys too; then the verdict,
# whole, beside what the machine shows.
. tests/term/lib
begin 80 24
enter "$WARPSTEP -n scenarios/elf/prefetch.scn"
wait_for '─ notes 1 of 3: Instruction cache misses'
check 'the question is seen' shows 'Question 1: How many cycles does kernel 0'
check 'the bottom line has what may be typed' shows '^ type answer VALUE, hint, give up, lesson '
keys Escape
check 'or pressed' within shows '^ y answer  H hint  G give up '
keys Escape
wait_for '^(warpstep) *$'
enter 'run'
wait_for 'not available until the question is answered'
check 'nothing has moved' shows 'cycle 0 '
enter 'answer 9000'
wait_for 'Wrong: the answer is 6030; you answered 9000'
check 'the machine has gone there' within shows 'cycle 62,280'
enter 'lesson next'
wait_for '─ notes 2 of 3'
check 'the next step begins anew' within shows 'cycle 0 '
enter 'answer a'
wait_for 'you answered a'
check 'the longest page is seen whole' within shows 'half as much'
check 'and the console below it' shows '─ console'
within shows 'prompt  finished' # a key would pause the run
enter 'lesson report'
wait_for '0 of 2 questions answered correctly'
enter 'quit'
wait_shell
# a layout whose console stands only where there is room: what a command answers is seen, the stop of a step is not
enter "$WARPSTEP -n scenarios/course/02-latency.scn"
wait_for 'notes 1 of 4: How long does a load take'
check 'the drawing has its boxes' shows '┌crossbar '
enter 'print icnt.latency'
check 'an answer is seen' shows '^100 *$'
check 'below the page' shows 'Question 1: How many cycles does a load take'
enter 'answer 240'
wait_for 'Right: 240'
check 'the page answers: no console' shows_not '─ console'
check 'and the drawing again has its boxes' shows '┌crossbar '
enter 'step'
wait_for 'cycle 521'
check 'nor for a stop' shows_not '─ console'
enter 'steep'
check 'an error is seen' shows "unknown command 'steep'"
enter 'quit'
wait_for 'loses 1 stop'
enter 'quit'
wait_shell
done_testing
