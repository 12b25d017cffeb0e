# What `explain NAME` says of each mechanism comes out: the commands named, typed in the scenario named, print every number of its effect.
# more: runs the scenario of each mechanism
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/tap
"$WARPSTEP" -n -q -j -e 'explain mechanisms' -e quit </dev/null 2>/dev/null | tr '{' '\n' | sed -n 's/.*"kind": *"mechanism".*"name": *"\([^"]*\)".*/\1/p' >"$work/names"
[ "$(wc -l <"$work/names")" -eq 8 ]
report "eight mechanisms" $? "$(tr '\n' ' ' <"$work/names")"
while read -r name; do
	"$WARPSTEP" -n -q --plain -e "explain $name" -e quit </dev/null >"$work/said" 2>&1
	line=$(sed -n 's/^  effect  *//p' "$work/said" | head -n 1)
	scenario=$(printf '%s\n' "$line" | sed 's/^in \([^,]*\), .*/\1/')
	printf '%s\n' "$line" | sed 's/^[^`]*`\([^`]*\)`.*/\1/' | tr ';' '\n' >"$work/typed"
	numbers=$(printf '%s\n' "$line" | sed 's/.*`: //' | grep -o '[0-9][0-9,]*[0-9]' | tr -d ,)
	"$WARPSTEP" -n -q --plain -b -x "$work/typed" -e quit "$scenario" </dev/null 2>&1 | tr -d , >"$work/seen"
	missing=
	for number in $numbers; do
		grep -qw -- "$number" "$work/seen" || missing="$missing $number"
	done
	[ -n "$numbers" ] && [ -z "$missing" ]
	report "$name: its effect comes out" $? "not in the output:$missing"
	lesson=$(sed -n 's/^  lesson  *warpstep //p' "$work/said" | head -n 1)
	grep -q '^ask ' "$lesson" 2>/dev/null
	report "$name: its lesson is one" $? "$lesson"
done <"$work/names"
