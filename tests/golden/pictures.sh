# The pictures of README and the manual (man/pictures/pictures.txt) are what the screen looks like today. With WARPSTEP_GOLDENS=write they
# are made anew.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/tap
grep -v '^#' man/pictures/pictures.txt | sed 's/ *| */|/g' >"$work/rows"
while IFS='|' read -r name size scenario commands; do
	printf '%s\n' "$commands" | sed 's/; */\n/g' >"$work/typed"
	"$WARPSTEP" -b -q -n --size "$size" -x "$work/typed" -e "screen dump $work/$name.svg" -e quit "scenarios/$scenario" </dev/null >"$work/said" 2>&1
	[ "$WARPSTEP_GOLDENS" = write ] && cp "$work/$name.svg" man/pictures
	cmp -s "$work/$name.svg" "man/pictures/$name.svg"
	report "man/pictures/$name.svg is today's screen (make pictures)" $? "$(tail -n 1 "$work/said")"
	grep -q "man/pictures/$name.svg" README.md man/*.in
	report "$name.svg is shown somewhere" $?
done <"$work/rows"
for file in man/pictures/*.svg; do
	grep -q "^$(basename "$file" .svg)|" "$work/rows"
	report "$file has its row" $?
done
exit $failed
