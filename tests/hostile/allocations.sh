#!/bin/sh
# An allocation fails, at any place: the program ends with one line and status 1, or goes on as if nothing were; no file is left half
# written, and in the full screen the terminal is as it was. Of all places some, nearer to each other at first; WARPSTEP_LONG=1: ten
# times as many.
# more: hundreds of runs
. tests/term/lib
STEP=${WARPSTEP_LONG:+80}
STEP=${STEP:-8}
if ! ${CC:-cc} -D_GNU_SOURCE -O1 -shared -fPIC -o "$work/failing.so" tests/hostile/failing.c 2>/dev/null || nm "$WARPSTEP" | grep -q __asan_init; then
	echo "1..0 # no library can be loaded before the program"
	exit 77
fi
places() { awk -v n="$1" -v step="$STEP" 'BEGIN { for (i = 1; i <= n; i = int(i * (1 + 1 / step)) + 1) print i }'; }
# fail PLACE COMMAND...: what it prints goes to `said`.
fail() {
	place=$1
	shift
	FAIL_AT=$place LD_PRELOAD=$work/failing.so "$@" >"$work/said" 2>&1 </dev/null
}
# What depends on the host's clock and on addresses is left out.
lasting() { sed '/"host\.\|^host\./d; s/"host[^,}]*//g; s/[0-9.]* s of//' "$1"; }

# every NAME COMMAND...: the command under a failure at each of the places. What it had printed until then may end within a line.
every() {
	name=$1 bad_place=
	shift
	FAIL_COUNT=$work/count LD_PRELOAD=$work/failing.so "$@" >"$work/usual" 2>&1 </dev/null
	usual=$?
	count=$(cat "$work/count")
	for place in $(places "$count"); do
		fail "$place" "$@"
		status=$?
		if [ $status = 1 ] && [ "$(grep -c 'warpstep: out of memory: [0-9]* bytes could not be allocated' "$work/said")" = 1 ]; then
			:
		elif [ $status != "$usual" ] || ! [ "$(lasting "$work/said")" = "$(lasting "$work/usual")" ]; then
			bad_place="$bad_place $place (status $status)"
		fi
	done
	[ "$count" -gt 500 ] && [ -z "$bad_place" ]
	result "$name: $count allocations, each may fail${bad_place:+; not$bad_place}" $?
}

cat >"$work/many" <<-END
	step 300
	why warp 0
	info warps
	stats
	reverse-step
	break stall long
	continue
	checkpoint a
	export chrome $work/new.json
	save session $work/new.session
	critical kernel 0
	limits kernel 0
	compare policy order=lrr
	origin c[5]
	screen dump $work/new.svg
	explain chimera
	list
	goto 100
	run
END
every "a batch run" "$WARPSTEP" -b scenarios/vecadd.scn
every "in JSON" "$WARPSTEP" -b -j scenarios/vecadd.scn
every "many commands" "$WARPSTEP" -n -q --trust scenarios/vecadd.scn -x "$work/many" -e quit

# A file that is written over is the old one or the new one.
"$WARPSTEP" -b -q --trust scenarios/vecadd.scn -e run -e "export chrome $work/x.json" >/dev/null 2>&1 </dev/null
cp "$work/x.json" "$work/new.json"
bad_place=
FAIL_COUNT=$work/count LD_PRELOAD=$work/failing.so "$WARPSTEP" -b -q --trust scenarios/vecadd.scn -e run -e "export chrome $work/x.json" >/dev/null 2>&1 </dev/null
for place in $(places "$(cat "$work/count")"); do
	echo old >"$work/x.json"
	fail "$place" "$WARPSTEP" -b -q --trust scenarios/vecadd.scn -e run -e "export chrome $work/x.json"
	[ "$(cat "$work/x.json")" = old ] || cmp -s "$work/x.json" "$work/new.json" || bad_place="$bad_place $place"
done
[ -s "$work/new.json" ] && [ -s "$work/count" ] && [ -z "$bad_place" ]
result "a file that is written over${bad_place:+: half at$bad_place}" $?

# The full screen: whatever fails, the shell's terminal is as it was and the reason stands on it.
begin 80 24
bad_place=
for place in 1 30 60 100 200 400 700 1200 2000 3000; do
	enter "clear; stty -a >$work/before; FAIL_AT=$place LD_PRELOAD=$work/failing.so $WARPSTEP -n scenarios/vecadd.scn -e 'step 300' -e 'why warp 0' -e 'layout source' -e 'reverse-step' -e 'limits kernel 0'; echo status \$?; stty -a >$work/after; echo end of $place"
	wait_for "^end of $place"
	screen | grep -q 'warpstep: out of memory' && screen | grep -q '^status 1' && cmp -s "$work/before" "$work/after" &&
		[ "$(T display-message -p '#{alternate_on}')" = 0 ] || bad_place="$bad_place $place"
done
[ -z "$bad_place" ]
result "the full screen${bad_place:+: not at$bad_place}" $?
exit $bad
