# The sessions that the manual shows are what the program does: transcripts.awk says how they stand in a page.
# `make goldens` puts the outputs as they are now into the pages.
# each: man/*.in
. tests/tap

page=$1
grep -q '^\.\\" session' "$page" || exit 0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$WARPSTEP" "$work/bin/warpstep"
PATH=$work/bin:$PATH
export WARPSTEP_THREADS=1 HOME="$work" XDG_CONFIG_HOME="$work" XDG_STATE_HOME="$work" COLUMNS=80
unset NO_COLOR

LC_ALL=C.UTF-8 awk -v MODE=typed -v DIR="$work" -f tests/golden/transcripts.awk "$page"
for run in "$work"/*.run; do
	session=${run%.run}
	sed 1d "$run" >"$session.in"
	if [ -s "$session.in" ]; then
		eval "set -- $(head -n 1 "$run")"
		warpstep --ascii --no-init --quiet --size 76x24 "$@" <"$session.in" >"$session.all" 2>&1
		awk -v S="$session" '/^@@[0-9]+$/ { n = substr($0, 3); printf "%s", text > (S "." n ".out"); text = ""; next }
			{ text = text $0 "\n" }' "$session.all"
	fi
done
for line in "$work"/*.sh; do
	[ ! -e "$line" ] || sh "$line" >"${line%.sh}.out" 2>&1 </dev/null
done
LC_ALL=C.UTF-8 awk -v MODE=fill -v DIR="$work" -f tests/golden/transcripts.awk "$page" >"$work/page" || : >"$work/page"
if [ "$WARPSTEP_GOLDENS" = write ] && [ -s "$work/page" ]; then
	cmp -s "$page" "$work/page" || cp "$work/page" "$page"
fi
diff -u "$page" "$work/page" >"$work/diff"
report "the sessions in $page" $? "$(sed -n '4,12p' "$work/diff")"
[ ! -s "$work/lost" ]
report "the lines that $page shows are there" $? "$(cat "$work/lost" 2>/dev/null)"
exit $failed
