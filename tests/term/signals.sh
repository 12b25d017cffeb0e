# A signal that ends the process leaves the terminal as it was, and the status says which it was.
. tests/term/lib
# runs LINE: it is on the screen, and the program computes. A signal overtakes bytes that were not read yet.
computes() { ps -o stat= --ppid "$(T display -p '#{pane_pid}')" | grep -q R; }
runs() { shows "$1" && computes && sleep 0.1 && computes && sleep 0.1 && computes; }
# ends_a_fill: a buffer of a gigabyte takes seconds; on a machine that stalls it may be full before Ctrl-C comes, or
# Ctrl-C may come before the line is read: then once more. A buffer that was full is an input that is not saved.
ends_a_fill() {
	round=$((round + 1))
	enter 'clear'
	enter "buffer z$round u8[1000000000] iota"
	CEILING=10 try runs "^(warpstep) buffer z$round"
	keys C-c
	wait_for '^(warpstep)$'
	shows '^interrupted$'
}
begin 80 24
ulimit -c 0
enter "ulimit -c 0; stty -a >$work/before"
for pair in TERM=15 HUP=1 SEGV=11 QUIT=3 ABRT=6 BUS=7 PIPE=13 USR1=10 XCPU=24 ALRM=14 VTALRM=26 PROF=27 IO=29 PWR=30 TRAP=5 SYS=31 \
	RTMIN+3=37; do
	signal=${pair%=*} number=$((128 + ${pair#*=}))
	enter "clear; $WARPSTEP; echo status \$?; stty -a >$work/after; echo the end"
	wait_for '^─ console'
	pid=$(T display -p '#{pane_pid}')
	kill -$((number - 128)) "$(ps -o pid= --ppid "$pid" | tr -d ' ')"
	wait_for '^the end'
	check "$signal: status $number" shows "^status $number"
	check "$signal: stty is the same" cmp -s "$work/before" "$work/after"
	check "$signal: the screen is the one before" shows_not console
done
enter "clear; $WARPSTEP"
wait_for '^─ console'
check 'Ctrl-C throws away nothing that is on its way to the screen' \
	sh -c 'stty -a <"$0" | grep -q "[^-]noflsh"' "$(T display -p '#{pane_tty}')"
type 'nonsense'
wait_for '^(warpstep) nonsense'
keys C-c
wait_for 'nonsense^C'
check 'Ctrl-C empties the line' shows '^(warpstep)$'
enter 'define five'
enter 'step 5'
wait_for '^> step 5$'
keys C-c
wait_for 'without its .end.'
check 'Ctrl-C leaves a block' shows '^(warpstep)$'
enter 'ask "how many?" ipc'
wait_for '^answer:'
keys C-c
wait_for '^not answered: the answer is'
check 'Ctrl-C leaves a question' shows '^(warpstep)$'
enter 'set memory.limit 100000'
round=0
check 'Ctrl-C ends a command that moves nothing' ends_a_fill
enter 'clear'
enter 'repeat i 1..999999'
enter 'goto 900'
enter 'goto 0'
enter end
within runs '^> end\|^cycle 900'
keys C-c
wait_for '^interrupted$'
check 'Ctrl-C ends all rounds of a repeat' shows '^(warpstep)$'
keys Escape
wait_for KEYS
keys C-c
wait_for 'q quits'
check 'Ctrl-C in key mode says how to leave' true
keys q
check 'q asks where an input is not saved' shows '^ q again exits and loses [1-9][0-9]* input'
keys q
wait_shell
done_testing
