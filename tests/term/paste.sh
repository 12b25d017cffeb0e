# Pastes: lines wait for their Enter, control bytes do nothing, 10 kB are 10 kB.
. tests/term/lib
begin 80 24
enter "$WARPSTEP"
wait_for '^─ console'
printf 'step 7\nstep 20\n\033]52;c;AAAA\007echo end\n' >"$work/lines"
T load-buffer "$work/lines"
T paste-buffer -p -d
wait_for '^(warpstep) step 7$'
check 'nothing runs by being pasted' shows 'cycle 0 '
check 'how many lines wait' shows '2 more pasted lines'
keys Enter
within shows 'cycle 7 '
wait_for '^(warpstep) step 20$'
keys C-c
within shows 'step 20^C'
check 'Ctrl-C drops what waits' shows '^(warpstep)$'
keys Enter
head -c 10000 /dev/zero | tr '\0' 'x' >"$work/long"
T load-buffer "$work/long"
T paste-buffer -p -d
within shows '^<xxx'
keys C-a
within shows '^(warpstep) xxx.*>$'
check 'a line of 10 kB is scrolled' true
keys C-k
type 'echo still here'
keys Enter
within shows '^still here'
check 'and can be cleared' true
{ printf 'echo a'; printf '\033[200~b\033[31mc\001\002\033'; } >"$work/evil"
T load-buffer "$work/evil"
T paste-buffer -p -d
within shows '^(warpstep) echo a'
keys Enter
within shows '^a'
type "$(printf '\033[200~echo one\033[201~')"
within shows '^(warpstep) echo one'
keys C-u
type "$(head -c 10000 /dev/zero | tr '\0' 'y')"
within shows '^<yyy'
keys C-u
enter 'echo typed'
within shows '^typed'
check 'a typed line of 10 kB' true
keys C-d
wait_shell
done_testing
