# CTAs that are saved and come back elsewhere: the checks of shared memory find nothing that was not there, and a saved session brings
# the departures back.
. tests/tap
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Commands: every 37 cycles a CTA of each SM is saved.
departures() {
	echo "set preempt.ctas 8"
	echo "set check.races on"
	echo "set check.uninitialized on"
	echo restart
	i=150
	while [ "$i" -lt 1500 ]; do
		printf 'goto %d\npreempt save 0 %d\npreempt save 1 %d\n' "$i" $((i % 4)) $((i / 3 % 4))
		i=$((i + 37))
	done
	echo run
}

for name in reduce matmul scan hotspot; do
	{ departures; printf 'stats cta.restored\nstats events.race\nstats events.uninitialized\n'; } >"$work/commands"
	"$WARPSTEP" -n -q "scenarios/$name.scn" <"$work/commands" >"$work/out" 2>/dev/null
	awk '/^cta.restored/ { came = $2 } /^events\./ { n++; found += $2 } END { exit !(came > 20 && n == 2 && found == 0) }' "$work/out"
	report "$name: saved CTAs keep what the checks know of their shared memory" $?
done

{ departures; printf 'hash\nsave session %s/again\n' "$work"; } >"$work/commands"
"$WARPSTEP" -n -q scenarios/reduce.scn <"$work/commands" 2>/dev/null | grep -E '^[0-9a-f]{16}$' >"$work/first"
echo hash | "$WARPSTEP" -n -q --trust -x "$work/again" 2>/dev/null | grep -E '^[0-9a-f]{16}$' >"$work/second"
[ -s "$work/first" ] && cmp -s "$work/first" "$work/second"
report "a saved session brings departures back" $? "$(head -n 3 "$work/again" 2>&1 | tr '\n' ';')"
exit $failed
