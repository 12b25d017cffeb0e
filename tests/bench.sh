#!/bin/sh
# This tree's speed beside another commit's: builds that commit in build/bench-base and runs both alternately.
#
# usage: tests/bench.sh COMMIT [ROW...]      ROUNDS=N: as many times (5)
# For each number of `make bench`: the median of each side, the median of the rounds' ratios, this tree's to the other's, and their
# spread. A ratio above 1 is a higher number: faster, unless the name ends in seconds or factor. Where the other commit does not yet
# know BENCH_JSON, its bench is this tree's, built with its sources; if that cannot be, it is said.
: "${MAKE:=make}" "${CC:=cc}" "${ROUNDS:=5}" "${BENCH:=build/release/tests/bench}"
base=$1
tree=build/bench-base
[ -n "$base" ] || { echo "usage: make bench-compare BASE=COMMIT [ROWS='word...'] [ROUNDS=N]" >&2; exit 2; }
shift
commit=$(git rev-parse --verify --quiet "$base^{commit}") || { echo "$base: no such commit" >&2; exit 2; }

rm -rf "$tree"
mkdir -p "$tree"
git archive "$commit" | tar -x -C "$tree" || exit 1
grep -q BENCH_JSON "$tree/tests/bench/bench.c" || cp tests/bench/bench.c "$tree/tests/bench/bench.c"
echo "building $(git log -1 --format='%h %s' "$commit")"
(cd "$tree" && unset MAKEFLAGS && "$MAKE" CC="$CC" build/release/tests/bench) >"$tree/log" 2>&1 || {
	tail -5 "$tree/log"
	echo "$base: its bench cannot be built (all in $tree/log)" >&2
	exit 1
}

numbers=$tree/numbers
: >"$numbers"
round() { # SIDE DIRECTORY ROWS...: one run, a line for each number
	side=$1
	rm -f "$tree/json"
	(cd "$2" && shift 2 && BENCH_JSON=$where/$tree/json "./$BENCH" "$@") >/dev/null || exit 1
	sed -n 's/^{"load":"\([^"]*\)","row":"\([^"]*\)","name":"\([^"]*\)","value":\(.*\)}$/'"$i $side"'	\1, \2: \3	\4/p' "$tree/json" >>"$numbers"
}
where=$PWD
BENCH=${BENCH#./}
i=1
while [ "$i" -le "$ROUNDS" ]; do
	echo "round $i of $ROUNDS" >&2
	round base "$tree" "$@"
	round here . "$@"
	i=$((i + 1))
done
awk -F '\t' -f tests/bench/compare.awk "$numbers"
