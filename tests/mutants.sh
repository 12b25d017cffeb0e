#!/bin/sh
# Mutation: do the tests notice small errors? Plants those of mutants.list in a copy of the tree (build/mutants), all in one build,
# each switched on by WARPSTEP_MUTANT=N; runs for each the tests until one fails; prints which did.
#
# usage: tests/mutants.sh [-o] [-c] [PATTERN...]      those whose line in the table (number, file:line, text) holds a pattern
#        -o      run only the tests that the list names for them: soon done while a test is being written
#        -c      go on where a run was broken off (build/mutants/progress): those that it has judged keep their verdicts
# Goldens, which `make goldens` writes anew, come last: what they alone notice is counted apart, for there a test of a rule is missing.
# The status is 1 if a mutant survives without a reason in the list, or the list names text that is not there. What each test says is
# not kept: WARPSTEP_MUTANT=N TEST in build/mutants shows it.
here=tests/mutants
tree=build/mutants
: "${MAKE:=make}" "${CC:=cc}"

is_golden() { case $1 in tests/golden/* | tests/laws/states.sh) ;; *) false ;; esac }

# --- one mutant: its own tests, then all, the quickest first, goldens last; at the first failure it is killed ---
if [ "$1" = --one ]; then
	ulimit -c 0
	field() { printf "%s\n" "$row" | cut -f "$1"; }
	row=$2
	number=$(field 1)
	export WARPSTEP_MUTANT="$number"
	by= tried= first= last=
	# what survives for a reason is tried by its own tests alone: all others take minutes to say so again
	all=$(cat others)
	[ -z "$(field 6)" ] || all=
	for test in $(field 3) $all; do
		if is_golden "$test"; then last="$last $test"; else first="$first $test"; fi
	done
	for test in $first $last; do
		case " $tried " in *" $test "*) continue ;; esac
		tried="$tried $test"
		limit=$(awk -v test="$test" '$2 == test { print int(20 + $1 / 50) }' times)
		sh ../../$here.sh --test "$test" "${limit:-60}" >/dev/null 2>&1 || { by=$test; break; }
	done
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$number" "$(field 2)" "${by:-survives}" "$(field 4)" "$(field 5)" "$(field 6)"
	exit 0
fi

# --- one test in the copy: test_x, laws:SCENARIO, run:SCENARIO (to its end, with its checks) or a shell test's path ---
if [ "$1" = --test ]; then
	case $2 in
	test_*) timeout "$3" "build/release/tests/$2" ;;
	laws:*) timeout "$3" build/release/tests/laws "${2#laws:}" ;;
	run:*) timeout "$3" ./warpstep -n -q -b "${2#run:}" ;;
	*) BUILD=build/release WARPSTEP=$PWD/warpstep LOG=$(mktemp -d) timeout "$3" sh "$2" ;;
	esac </dev/null
	exit
fi

only= again=
while :; do
	case $1 in -o) only=1 ;; -c) again=1 ;; *) break ;; esac
	shift
done
[ -f $here/mutants.list ] || { echo "to be run from the top of the tree"; exit 1; }
mkdir -p $tree || exit 1
exec 9>$tree.lock
flock 9

# --- a copy of the tree; of what is built already, the objects ---
[ -d $tree/build/release ] || {
	mkdir -p $tree/build/release
	for part in src objects-tests flags objects packages; do
		[ ! -e build/release/$part ] || cp -a build/release/$part $tree/build/release
	done
}
cp -au Makefile README.md src include tests scenarios man $tree || exit 1
(cd $tree && find src include tests scenarios -type f ! -name 'mutant.[ch]') | while read -r file; do [ -e "$file" ] || rm -f "$tree/$file"; done
rm -rf $tree.new
mkdir -p $tree.new
awk -v out=$tree.new -f $here/plant.awk $here/mutants.list || exit 1
mv $tree.new/table $tree/table
rm -f $tree/stale
[ ! -e $tree.new/stale ] || mv $tree.new/stale $tree/stale
for file in $(cat $tree/planted 2>/dev/null); do
	[ -e "$tree.new/$file" ] || [ ! -e "$file" ] || cp "$file" "$tree/$file"
done
(cd $tree.new && find . -type f | sed 's|^\./||') >$tree/planted
while read -r file; do
	cmp -s "$tree.new/$file" "$tree/$file" || cp "$tree.new/$file" "$tree/$file"
done <$tree/planted
rm -rf $tree.new
cp -u $here/mutant.h $tree/include/mutant.h
cp -u $here/mutant.c $tree/src/base/mutant.c
[ $# -gt 0 ] || set -- .
[ -n "$again" ] && [ -e $tree/progress ] || : >$tree/progress
for pattern; do grep -e "$pattern" $tree/table; done | sort -n -u |
	awk -F '\t' 'function key(at) { sub(/:.*/, "", at); return at SUBSEP $4 SUBSEP $5 }
		had { judged[key($2)] = 1; next } !(key($2) in judged)' had=1 $tree/progress had=0 - >$tree/chosen
{
	[ -n "$only" ] || cat $here/chain
	cut -f 3 $tree/chosen
} | grep -v '^#' | tr -s ' ' '\n' | sort -u >$tree/asked
echo "building $(wc -l <$tree/table) mutants in $(wc -l <$tree/planted) files"
$MAKE -C $tree CC="$CC" -j"$(nproc)" test-programs ${only:+TESTS="$(tr '\n' ' ' <$tree/asked)"} >$tree/build.log 2>&1 || { grep -m 20 -E 'error|Error' $tree/build.log; exit 1; }

# --- without a mutant all tests pass; how long each takes, in milliseconds ---
cd $tree || exit 1
export WARPSTEP_MUTANT=0
while read -r test; do
	before=$(date +%s%N)
	sh ../../$here.sh --test "$test" 600 >test.log 2>&1 || { echo "$test fails without a mutant"; tail -n 3 test.log; }
	echo "$((($(date +%s%N) - before) / 1000000))	$test"
done <asked | sort -n >times.new
grep -q fails times.new && { cat times.new; exit 1; }
mv times.new times
[ -n "$only" ] || cut -f 2 times >others
[ -z "$only" ] || : >others

# --- the mutants ---
tr '\n' '\0' <chosen | xargs -0 -r -P "$(nproc)" -n 1 sh ../../$here.sh --one | tee -a progress | awk -F '\t' '
	{ printf "%s %s %s\n", $1, $2, $3 == "survives" ? "SURVIVES" : $3; fflush() }' >&2
sort -n progress | awk -F '\t' '
	{ printf "%4d  %-32s %-28s %s  ->  %s\n", $1, $2, $3, $4, $5 == "" ? "(nothing)" : $5
	  if ($3 ~ /^tests\/golden\/|^tests\/laws\/states.sh$/) { goldens++; print "      noticed by a golden alone: a test of the rule is missing" }
	  else if ($3 != "survives") killed++
	  else if ($6 != "") { known++; printf "      reason: %s\n", $6 }
	  else { bad++; print "      survives: a test is missing, or a reason" } }
	END { printf "%d mutants: %d killed by tests of rules, %d (%.0f%%) by goldens alone, %d survive for a reason, %d survive\n", NR, killed, goldens,
	             NR ? 100 * goldens / NR : 0, known, bad
	      exit bad > 0 || !NR }'
status=$?
[ ! -e stale ] || { echo "the list is out of date:"; cat stale; status=1; }
exit $status
