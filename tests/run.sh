#!/bin/sh
# Run unit tests (cmocka programs in $BUILD/tests) and shell tests (tests/*/*.sh), several at a time.
#
# usage: run.sh [PATTERN...]     only tests whose path holds one of the patterns
#
# Both kinds may print TAP lines ("ok 1 - name", "not ok 2 - name"), each counted as a test. A shell test that
# prints none counts as one by its exit status; 77 means skipped. One line for each failure; their output is in
# $BUILD/log, which leads to the folder of the newest run: several runs in one tree do not disturb each other. The last
# line is "N passed, N failed".
: "${BUILD:=build/release}" "${WARPSTEP:=$PWD/warpstep}"
export BUILD WARPSTEP CMOCKA_MESSAGE_OUTPUT=TAP ASAN_OPTIONS=detect_leaks=1 LC_ALL=C.UTF-8 TERM="${TERM:-dumb}"

# Run one test into its log; its status goes beside it.
if [ "$1" = --one ]; then
	log=$LOG/$(echo "$2" | tr / _)
	case $2 in
	*.sh) timeout 300 sh "$2" >"$log" 2>&1 </dev/null ;;
	*) timeout 300 "$2" >"$log" 2>&1 </dev/null ;;
	esac
	echo $? >"$log.status"
	exit 0
fi

# A folder for this run ($LOG, where tests keep what they make too); those of runs that are over go.
[ -L "$BUILD/log" ] || rm -rf "$BUILD/log"
for old in "$BUILD"/log.*; do
	kill -0 "${old##*.}" 2>/dev/null || rm -rf "$old"
done
LOG=$BUILD/log.$$
export LOG
mkdir -p "$LOG"
ln -sfn "log.$$" "$BUILD/log"
for test in "$BUILD"/tests/test_* tests/*/*.sh; do
	case $test in *.d | *'*'*) continue ;; esac
	[ $# -gt 0 ] || { echo "$test"; continue; }
	for pattern in "$@"; do
		case $test in *"$pattern"*) echo "$test"; break ;; esac
	done
done >"$LOG/tests"
xargs -r -P "$(nproc)" -n 1 sh "$0" --one <"$LOG/tests"

passed=0 failed=0
while read -r test; do
	log=$LOG/$(echo "$test" | tr / _)
	status=$(cat "$log.status" 2>/dev/null || echo 125)
	good=$(grep -a -c '^ok ' "$log")
	bad=$(grep -a -c '^not ok ' "$log")
	grep -a '^not ok ' "$log" | sed "s|^not ok [0-9]*[ -]*|FAIL $test: |"
	if [ "$status" = 77 ]; then
		echo "SKIP $test: $(tail -n 1 "$log")"
	elif [ "$status" != 0 ] && [ "$bad" = 0 ]; then
		echo "FAIL $test: status $status: $(grep -a -v '^ok ' "$log" | tail -n 1)"
		bad=1
	elif [ "$good" = 0 ] && [ "$bad" = 0 ]; then
		good=1
	fi
	passed=$((passed + good)) failed=$((failed + bad))
done <"$LOG/tests"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
