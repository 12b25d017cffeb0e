#!/bin/sh
# Run unit tests (cmocka programs in $BUILD/tests) and shell tests (tests/*/*.sh), several at a time.
#
# usage: run.sh [PATTERN...]     only tests whose name holds one of the patterns
#
# A test's name is its path. A shell test with a line "# each: FILE..." (patterns of files) is one test for each of them, which it
# gets as its argument; its name is then "PATH FILE". Those of a line "# each long: FILE...", and tests with a line "# long: WHY", run only
# with WARPSTEP_LONG (`make check-all`), or if a pattern names them (the former: one that holds ".scn"). Tests may print TAP lines ("ok 1 - name", "not ok 2 - name"), each counted as
# a test. A shell test that prints none counts as one by its exit status; 77 means skipped. One line for each failure; their output
# is in $BUILD/log, which leads to the folder of the newest run: several runs in one tree do not disturb each other. A run of more
# than twenty tests lists the twenty that took most. The last line is "N passed, N failed". No test is given up before $LIMIT
# seconds, which a busy machine needs, too.
: "${BUILD:=build/release}" "${WARPSTEP:=$PWD/warpstep}" "${LIMIT:=$([ -n "$WARPSTEP_LONG" ] && echo 7200 || echo 1800)}"
export BUILD WARPSTEP LIMIT CMOCKA_MESSAGE_OUTPUT=TAP ASAN_OPTIONS=detect_leaks=1 LC_ALL=C.UTF-8 TERM="${TERM:-dumb}"

# Where the output of a test goes.
log_of() { echo "$LOG/$(echo "$1" | tr '/ ' __)"; }

# Run one test into its log; its status goes beside it.
if [ "$1" = --one ]; then
	log=$(log_of "$2")
	began=$(date +%s)
	case $2 in
	*.sh\ *) timeout "$LIMIT" sh "${2%% *}" "${2#* }" >"$log" 2>&1 </dev/null ;;
	*.sh) timeout "$LIMIT" sh "$2" >"$log" 2>&1 </dev/null ;;
	*) timeout "$LIMIT" "$2" >"$log" 2>&1 </dev/null ;;
	esac
	echo $? >"$log.status"
	times >"$log.times"
	awk -v name="$2" -v wall="$(($(date +%s) - began))" 'function seconds(x) { split(x, part, /[ms]/); return part[1] * 60 + part[2] }
		NR == 2 { printf "%d %d %s\n", seconds($1) + seconds($2), wall, name }' "$log.times" >"$log.seconds"
	exit 0
fi

# Every test, a line each, behind what it is: quick, long, or one that a line "each long" names.
tests() {
	for test in "$BUILD"/tests/test_* tests/*/*.sh; do
		case $test in *.d | *'*'*) continue ;; *.sh) ;; *) echo "quick $test"; continue ;; esac
		length=quick
		! grep -q '^# long: ' "$test" || length=long
		grep -q '^# each' "$test" || echo "$length $test"
		for file in $(sed -n 's/^# each: //p' "$test"); do [ ! -e "$file" ] || echo "$length $test $file"; done
		for file in $(sed -n 's/^# each long: //p' "$test"); do [ ! -e "$file" ] || echo "each $test $file"; done
	done
}

# wanted PATTERN...: the tests of standard input that are to run: the quick ones, or those that a pattern names.
wanted() {
	[ $# -gt 0 ] || set -- ''
	while read -r length test; do
		for pattern in "$@"; do
			case $test in *"$pattern"*) ;; *) continue ;; esac
			case $length:$WARPSTEP_LONG:$pattern in quick:* | *:?*:* | long::?* | each::*.scn*) echo "$test"; break ;; esac
		done
	done
}

# A folder for this run ($LOG, where tests keep what they make too); those of runs that are over go.
[ -L "$BUILD/log" ] || rm -rf "$BUILD/log"
for old in "$BUILD"/log.*; do
	kill -0 "${old##*.}" 2>/dev/null || rm -rf "$old"
done
LOG=$BUILD/log.$$
export LOG
mkdir -p "$LOG"
ln -sfn "log.$$" "$BUILD/log"
tests | wanted "$@" | awk '!had[$0]++' >"$LOG/tests"
for pattern in "$@"; do
	grep -qF -- "$pattern" "$LOG/tests" || { echo "no test's name holds '$pattern'" >&2; exit 2; }
done
tr '\n' '\0' <"$LOG/tests" | xargs -0 -r -P "$(nproc)" -n 1 sh "$0" --one

passed=0 failed=0
while read -r test; do
	log=$(log_of "$test")
	status=$(cat "$log.status" 2>/dev/null || echo 125)
	good=$(grep -a -c '^ok ' "$log")
	bad=$(grep -a -c '^not ok ' "$log")
	grep -a '^not ok ' "$log" | sed "s|^not ok [0-9]*[ -]*|FAIL $test: |"
	if [ "$status" = 77 ]; then
		echo "SKIP $test: $(tail -n 1 "$log")"
	elif [ "$status" -ge 124 ] || { [ "$status" != 0 ] && [ "$bad" = 0 ]; }; then
		echo "FAIL $test: status $status: $(grep -a -v '^ok ' "$log" | tail -n 1)"
		bad=$((bad + 1))
	elif [ "$good" = 0 ] && [ "$bad" = 0 ]; then
		good=1
	fi
	passed=$((passed + good)) failed=$((failed + bad))
done <"$LOG/tests"

if [ "$(wc -l <"$LOG/tests")" -gt 20 ]; then
	echo "the tests that took most: seconds of processors, seconds in all"
	cat "$LOG"/*.seconds | sort -k 1,1nr -k 2,2nr | head -n 20 | awk '{ printf "%6d %6d  %s\n", $1, $2, substr($0, length($1 $2) + 3) }'
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
