# Keys at random, in terminals of random sizes: single keys, lines, the mouse, pasted text, bytes that mean nothing, the beginnings of escape
# sequences, new sizes, Ctrl-C. Whatever was pressed: the program goes on, its prompt can be reached, what `save session` writes brings the
# same machine back, and the terminal is as it was before. WARPSTEP_SEEDS="FROM TO": other draws than these.
. tests/term/lib
CEILING=60

# Below each title what may come: a line is one of it, in printf's escapes.
cat >"$work/pool" <<'X'
@key
s
S
n
c
w
y
H
b
u
z
l
g
N
C
j
k
h
]
[
+
-
=
D
d
a
A
f
r
R
i
e
p
B
<
>
0
1
2
3
4
5
6
7
8
9
/
;
&
o
x
v
.
,
K
W
?
:
q
@key
\t
\r
\033
\b
\177
\001
\005
\013
\014
\016
\020
\022
\024
\025
\027
\031
\033[A
\033[B
\033[C
\033[D
\033[H
\033[F
\033[5~
\033[6~
\033[Z
\033OP
\033[1;5C
\033b
\033.
@line
step 7
reverse-step 3
next 2
goto 300
goto 90
back
why
stats
list
layout wide
layout code
layout timeline
layout floor
layout banks
layout datapath
layout data
layout events
pane zoom
pane console
winheight +9
set mouse on
set mouse off
set time.zoom 3
set var reg[4][0] = 40
set lat.int 9
policy order=lrr
break stall long for 9
watch l1d.misses
continue
compare order=gto
compare end
explain ipc
help keys
info warps
show warps
data c[3]
follow load
lesson
restart
undo
tui refresh
filter warps long
sort warps -wait
animate 60 for 9
ask "how many?" ipc
define twice
end
screen record off
@paste
step 3\rwhy\r
nothing of \t this\r is \033 known\r
define four\rstep\r
\303\251\342\224\200\360\237\230\200\rstep\r
@junk
\033[
\033[<
\033[<0;9
\033]0;title\007
\033P+q\033\\
\033[200~half
\033[201~
\302
\377\376\000\200
\342\224
\033\033\033
\033[999;999R
\033[?1;2c
\005\005\001\013\030\030
X
# draw SEED: size, then one action a line: bytes, or "size WIDTH HEIGHT", "interrupt".
draw() {
	awk -v seed="$1" '
		function below(n) { return int(rand() * n) }
		function one(kind) { return pool[kind, below(count[kind])] }
		function size() { return below(5) ? 40 + below(160) " " 10 + below(50) : 1 + below(40) " " 1 + below(12) }
		/^@/ { kind = substr($0, 2); next }
		{ pool[kind, count[kind]++ + 0] = $0 }
		END {
			srand(seed)
			print size()
			for (i = 0; i < 60; i++) {
				what = below(20)
				if (what < 9) {
					text = ""
					for (k = below(4); k >= 0; k--) text = text one("key")
					print text
				} else if (what < 13) print "\\025" one("line") "\\r"
				else if (what < 14) print "\\033:\\025" one("line") "\\r"
				else if (what < 15) print "\\033[200~" one("paste") "\\033[201~"
				else if (what < 16) print one("junk")
				else if (what < 17) {
					at = 1 + below(200) ";" 1 + below(60)
					print "\\033[<" (below(2) ? 0 : below(3) ? 64 + below(2) : below(130)) ";" at (below(4) ? "M\\033[<0;" at "m" : "M")
				} else if (what < 19) print "size " size()
				else print "interrupt"
			}
		}' "$work/pool"
}
# send BYTES: to the terminal, as they are.
send() {
	# shellcheck disable=SC2059
	printf -- "$1" >"$work/bytes"
	T load-buffer "$work/bytes" \; paste-buffer -r -d
}
runs_still() { ps -o comm= --ppid "$pid" | grep -q warpstep; }
ends() { ! runs_still; }
# The prompt, known by a file that its line makes; first out of whatever has the keys, and past the questions of a lesson. In
# single-key mode the lines are `legend' and `explain'.
answers() {
	runs_still || return 0
	asked=$((asked + 1))
	send '\003' && sleep 0.1
	[ $((asked % 2)) = 0 ] || send '\033'
	sleep 0.1
	send '\025lesson walk\r'
	for line in '\025export csv here from 0 to 1\r' ''; do # what is typed ends a walk that runs
		for _ in $(seq "$asked"); do
			sleep 0.3
			[ ! -e "$work/here" ] || return 0
		done
		send "$line"
	done
	return 1
}

scenes="default faults/overflow vws/skew multi/fragmentation subcore/two-kinds tlp/vt-figure5 turns shuffle"
# shellcheck disable=SC2086
for seed in $(seq ${WARPSTEP_SEEDS:-2}); do
	scene=$(echo $scenes | tr ' ' '\n' | sed -n "$((seed % 8 + 1))p")
	draw "$seed" >"$work/drawn"
	[ "$seed" = "${last:-$seed}" ] || T kill-server
	last=$seed socket=warpstep-$$-$seed
	begin 80 24
	read -r width height <"$work/drawn"
	resize "$width" "$height"
	pid=$(T display -p '#{pane_pid}')
	rm -f "$work"/*.scn "$work/after" "$work/ended" "$work/here"
	type "cd $work; stty -g >before; ASAN_OPTIONS=detect_leaks=0 $WARPSTEP $PWD/scenarios/$scene.scn 2>said; echo \$? >ended; clear; stty -g >after; echo the end"
	keys Enter
	try runs_still
	sleep 0.2
	sed 1d "$work/drawn" >"$work/actions"
	wrong='' asked=0
	while IFS= read -r action; do
		case $action in
		size\ *) size=${action#size } && resize "${size% *}" "${size#* }" ;;
		interrupt) send '\003' ;;
		*) send "$action" ;;
		esac
		sleep 0.05
		[ -n "$wrong" ] || wrong=$(screen | grep 'Σ [0-9,]* ✗')
	done <"$work/actions"
	[ -z "$wrong" ]
	result "seed $seed: the sums of the panes hold $wrong" $?
	resize 100 40
	if try answers && runs_still; then
		send "\\025tui off\\r\\025delete\\r\\025goto 400\\r\\025set lat.sfu 17\\r"
		send "\\025save session one.scn\\r\\025echo saved\\r\\025hash\\r"
		within shows '^[0-9a-f]\{16\}$'
		hash=$(screen | grep '^[0-9a-f]\{16\}$' | tail -n 1)
		again=$(echo hash | "$WARPSTEP" -q -n --plain --trust -x "$work/one.scn" 2>&1 | grep '^[0-9a-f]\{16\}$')
		[ -n "$hash" ] && [ "$hash" = "$again" ]
		result "seed $seed: the sitting of $scene comes back" $?
		send '\025quit\r\025quit\r'
		try ends || result "seed $seed: quits" 1
	fi
	within test -s "$work/after"
	cmp -s "$work/before" "$work/after" && [ "$(T display -p '#{alternate_on}#{mouse_any_flag}#{cursor_flag}')" = 001 ] &&
		[ "$(cat "$work/ended")" -lt 128 ] && ! grep -q 'runtime error\|ERROR: ' "$work/said"
	result "seed $seed: the terminal is as it was, status $(cat "$work/ended")" $?
done
done_testing
