#!/bin/sh
# Run unit tests (cmocka programs in $BUILD/tests) and shell tests (tests/*/*.sh), several at a time.
#
# usage: run.sh [PATTERN...]     only tests whose name holds one of the patterns
#
# A test's name is its path. A shell test with a line "# each: FILE..." (patterns of files) is one test for each of them, which it
# gets as its argument; its name is then "PATH FILE". Tests with a line "# more: WHY" and those of a line "# each more: FILE..." run only
# with WARPSTEP_MORE (`make check-more`) or WARPSTEP_LONG (`make check-all`), those with a line "# long: WHY" and those of a line
# "# each long: FILE..." only with WARPSTEP_LONG; all of them run if a pattern names them (one that holds ".scn" for the last).
#
# Tests may print TAP lines ("ok 1 - name", "not ok 2 - name"), each counted as a test. A shell test that prints none counts as one by its
# exit status; 77 means skipped. One line for each failure; their output is in $BUILD/log, which leads to the folder of the newest run:
# several runs in one tree do not disturb each other. A run of more than twenty tests lists the twenty that took most. The last line is
# "N passed, N failed". No test is given up before $LIMIT seconds, which a busy machine needs, too.
: "${BUILD:=build/release}" "${WARPSTEP:=$PWD/warpstep}" "${LIMIT:=$([ -n "$WARPSTEP_LONG" ] && echo 7200 || echo 1800)}"
export BUILD WARPSTEP LIMIT CMOCKA_MESSAGE_OUTPUT=TAP ASAN_OPTIONS=detect_leaks=1 LC_ALL=C.UTF-8 TERM="${TERM:-dumb}"

# Run one test, "LOG NAME", into its log; LOG.end says its status, when it began and ended, and what it took.
if [ "$1" = --one ]; then
	log=$LOG/${2%% *} test=${2#* }
	read -r began _ </proc/uptime
	case $test in
	*.sh\ *) timeout "$LIMIT" sh "${test%% *}" "${test#* }" >"$log" 2>&1 </dev/null ;;
	*.sh) timeout "$LIMIT" sh "$test" >"$log" 2>&1 </dev/null ;;
	*) timeout "$LIMIT" "$test" >"$log" 2>&1 </dev/null ;;
	esac
	status=$?
	read -r ended _ </proc/uptime
	{
		echo "$status $began $ended"
		times
	} >"$log.end"
	exit 0
fi

# Every test, a line each, behind what it is: quick, more, long, or one that a line "each long" names.
tests() {
	for test in "$BUILD"/tests/test_*; do
		case $test in *.d | *'*'*) ;; *) echo "quick $test" ;; esac
	done
	awk 'function tell(i) {
			if (name && !n) print kind, name
			for (i = 1; i <= n; i++) print (of[i] ? of[i] : kind), name, files[i]
			name = FILENAME; kind = "quick"; n = 0
		}
		FNR == 1 { tell() }
		/^# more: / { kind = "more" }
		/^# long: / { kind = "long" }
		/^# each( more| long)?: / { of[++n] = $3 == "long:" ? "each" : $3 == "more:" ? "more" : ""; sub(/^[^:]*: /, ""); files[n] = $0 }
		END { tell() }' tests/*/*.sh |
	while read -r kind test files; do
		[ -n "$files" ] || echo "$kind $test"
		for file in $files; do [ ! -e "$file" ] || echo "$kind $test $file"; done
	done
}

# wanted PATTERN...: the tests of standard input that are to run: those of this run's length, and those that a pattern names.
wanted() {
	[ $# -gt 0 ] || set -- ''
	while read -r kind test; do
		for pattern in "$@"; do
			case $test in *"$pattern"*) ;; *) continue ;; esac
			case $kind:$WARPSTEP_LONG:$WARPSTEP_MORE:$pattern in
			quick:* | *:?*:*:* | more::?*:* | more:::?* | long::*:?* | each::*:*.scn*)
				echo "$test"
				break
				;;
			esac
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
tests | wanted "$@" | awk '!had[$0]++ { log_name = $0; gsub(/[\/ ]/, "_", log_name); print log_name, $0 }' >"$LOG/tests"
for pattern in "$@"; do
	cut -d ' ' -f 2- "$LOG/tests" | grep -qF -- "$pattern" || { echo "no test's name holds '$pattern'" >&2; exit 2; }
done
tr '\n' '\0' <"$LOG/tests" | xargs -0 -r -P "$(nproc)" -n 1 sh "$0" --one

LC_ALL=C awk -v folder="$LOG" '
	function seconds(x, part) { split(x, part, /[ms]/); return part[1] * 60 + part[2] }
	{
		log_file = folder "/" $1
		test = substr($0, length($1) + 2)
		good = bad = 0
		last = said = ""
		while ((getline line < log_file) > 0) {
			last = line
			if (line ~ /^ok /) { good++; continue }
			said = line
			if (sub(/^not ok [0-9]*[ -]*/, "", line)) { bad++; print "FAIL " test ": " line }
		}
		close(log_file)
		status = 125
		if ((getline line < (log_file ".end")) > 0) {
			split(line, end, " ")
			status = end[1]
			getline line < (log_file ".end")
			getline line < (log_file ".end")
			split(line, took, " ")
			printf "%.2f %.2f %s\n", seconds(took[1]) + seconds(took[2]), end[3] - end[2], test >(folder "/seconds")
		}
		close(log_file ".end")
		if (status == 77) print "SKIP " test ": " last
		else if (status >= 124 || (status != 0 && !bad)) { print "FAIL " test ": status " status ": " said; bad++ }
		else if (!good && !bad) good = 1
		passed += good
		failed += bad
	}
	END {
		close(folder "/seconds")
		if (NR > 20) {
			print "the tests that took most: seconds of processors, seconds in all"
			most = "sort -k 1,1nr -k 2,2nr " folder "/seconds"
			for (i = 0; i < 20 && (most | getline line) > 0; i++) {
				split(line, took, " ")
				printf "%6.0f %6.0f  %s\n", took[1], took[2], substr(line, length(took[1] took[2]) + 3)
			}
		}
		printf "%d passed, %d failed\n", passed, failed
		exit failed || !passed
	}' "$LOG/tests"
