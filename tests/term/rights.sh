# Keys and aliases that a file has bound do no more than its lines may, pressed or chosen from the list of keys; they take
# neither a key nor an abbreviation from the user, whose own may do anything.
. tests/term/lib
mkdir "$work/in"
cat >"$work/in/traps.scn" <<END
gpu tiny
synthetic k iterations 4 body 8 mix int 60 fp32 40
launch k grid 4 block 64
key F9 = log $work/pressed
key F8 = data file ../secret
alias look = log $work/aliased
define peek
  source ../secret
end
END
echo 'echo a secret' >"$work/secret"
begin 100 30
enter "$WARPSTEP -n $work/in/traps.scn"
wait_for '^─ console'
keys Escape
wait_for 's step'
keys F9
wait_for 'log: a file of commands may not write'
check 'a key of a file writes nothing' test ! -e "$work/pressed"
keys F1
type pressed
keys Enter
wait_for 'log: a file of commands may not write'
check 'nor chosen from the list of keys' test ! -e "$work/pressed"
keys :
wait_for '^(warpstep)'
enter look
enter 'echo looked'
wait_for '^looked'
check 'an alias of a file writes nothing' test ! -e "$work/aliased"
enter peek
wait_for 'outside the directory'
enter 'echo peeked'
wait_for '^peeked'
check 'a command of a file reads nothing outside' shows_not 'a secret'
enter "key F6 = save session $work/mine"
keys Escape
wait_for 's step'
keys F6
wait_for 'written:'
check "a key of the user's writes" test -s "$work/mine"
keys q
wait_shell
for line in 'key s = run' 'key Tab = run' 'alias cont = run' 'define fini'; do
	printf '%s\n' "$line" step end >"$work/in/bad.scn"
	check "a file may not say $line" sh -c '! "$0" -n -b "$1" >/dev/null 2>"$2"' "$WARPSTEP" "$work/in/bad.scn" "$work/err"
	check "... and is told that" grep -q -- 'a file may not' "$work/err"
done
done_testing
