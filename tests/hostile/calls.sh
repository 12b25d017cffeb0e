#!/bin/sh
# A system call fails, at any place: a file that is read, a write, the renaming of a file that is whole, a job's row. There is one line
# that says which file, and a status; a file that is written over is the old one or the new one, and none is left beside it. Of many
# writes some; WARPSTEP_LONG=1: ten times as many. strace lets them fail.
# more: hundreds of runs under strace
. tests/tap
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
HOME=$work XDG_CONFIG_HOME=$work
export HOME XDG_CONFIG_HOME
if nm "$WARPSTEP" | grep -q __asan_init || ! strace -o "$work/log" -e trace=write -e inject=write:error=ENOSPC:when=1 true 2>/dev/null; then
	echo "1..0 # strace cannot let a call fail here"
	exit 77
fi
mkdir "$work/files"
cat >"$work/many" <<-END
	step 300
	why warp 0
	reverse-step
	export chrome $work/files/chrome from 0 to 120
	export csv $work/files/csv
	export kanata $work/files/kanata from 0 to 200
	save session $work/files/session
	screen dump $work/files/picture.svg
END

# old_files: what the commands write over.
old_files() {
	rm -rf "$work/files"
	mkdir "$work/files"
	for file in chrome csv kanata session picture.svg; do echo old >"$work/files/$file"; done
}
# sitting [OPTION...] under strace, if it is to be: $traced.
sitting() {
	# shellcheck disable=SC2086
	timeout 100 $traced "$WARPSTEP" "$@" -n -q --trust scenarios/vecadd.scn -x "$work/many" -e quit >"$work/out" 2>"$work/err" </dev/null
}
# whole: each file is the old one or the new one, and there is no other.
whole() {
	for file in chrome csv kanata session picture.svg; do
		grep -qx old "$work/files/$file" || cmp -s "$work/files/$file" "$work/new/$file" || return 1
	done
	test "$(ls -A "$work/files" | wc -l)" = 5
}
# inject CALL ERROR WHEN [OPTION...]: the sitting in which that call fails.
inject() {
	traced="strace -f -o $work/log -e trace=$1 -e inject=$1:error=$2:when=$3"
	shift 3
	old_files
	sitting "$@"
	status=$?
	traced=
}
# said TEXT: one line on standard error, with that text.
said() { test "$(wc -l <"$work/err")" = 1 && grep -q "$1" "$work/err"; }

# --- writes ---
old_files
sitting
holds "undisturbed" test $? = 0
cp -r "$work/files" "$work/new"
traced="strace -f -o $work/log -e trace=write"
sitting
traced=
count=$(grep -c 'write(' "$work/log")
STEP=${WARPSTEP_LONG:+20}
bad_place=
for place in $(awk -v n="$count" -v step="${STEP:-2}" 'BEGIN { for (i = 1; i <= n; i = int(i * (1 + 1 / step)) + 1) print i; print n }'); do
	inject write ENOSPC "$place"
	[ $status = 1 ] && said 'No space left on device' && whole || bad_place="$bad_place $place (status $status)"
done
[ "$count" -gt 20 ] && [ -z "$bad_place" ]
report "each of $count writes may fail" $? "not$bad_place"
traced="strace -f -o $work/log -e trace=write"
sitting -j
traced=
bad_place=
for place in $(grep 'write(' "$work/log" | grep -n 'write(1,' | cut -d: -f1); do
	inject write ENOSPC "$place" -j
	[ $status = 1 ] && tail -n 1 "$work/err" | grep -q 'standard output: No space left on device' || bad_place="$bad_place $place (status $status)"
done
[ "$place" -gt 5 ] && [ -z "$bad_place" ]
report "in JSON" $? "not$bad_place"

# --- a file that is whole cannot take the place of the old one ---
bad_place=
for place in 1 2 3 4 5; do
	inject rename EACCES "$place"
	[ $status = 1 ] && said 'cannot write .*: Permission denied' && whole || bad_place="$bad_place $place (status $status)"
done
[ -z "$bad_place" ]
report "each file's renaming may fail" $? "not$bad_place"

# --- reads: the scenario, its preset, its module, the file of commands ---
top=$(pwd)
for read in "$top/scenarios/vecadd.scn" "$top/scenarios/gpu/volta.gpu" "$top/scenarios/kernels/vecadd.ptx" "$work/many"; do
	for place in 1 2; do
		old_files
		traced="strace -f -o $work/log -P $read -e trace=read -e inject=read:error=EIO:when=$place"
		sitting
		status=$?
		traced=
		[ $status = 2 ] && said 'cannot read: Input/output error' && whole
		report "read $place of ${read##*/}" $? "status $status: $(head -c 200 "$work/err")"
	done
done

# --- a job's row is whole or not there, and the same command makes up for it ---
printf 'gpu tiny\nsweep sm.warps 8\nmodule vecadd.ptx\nbuffer a f32[64]\nbuffer c f32[64]\nlaunch vecadd grid 1 block 64 args a a c 64\n' >"$work/s.scn"
cp scenarios/kernels/vecadd.ptx "$work"
job=$("$WARPSTEP" --jobs "$work/s.scn" 2>/dev/null </dev/null | sed 's/ #.*//')
# row: what is recorded of the only job.
row() { "$WARPSTEP" --results "$work/s.db" 2>&1 | tail -n 1; }
refused=0 bad_place=
for place in 1 4 12 16 20 24 28 32 36 40; do
	rm -f "$work"/s.db*
	# shellcheck disable=SC2086
	strace -f -o "$work/log" -e trace=pwrite64 -e inject=pwrite64:error=ENOSPC:when=$place $job >"$work/out" 2>"$work/err" </dev/null
	case $?/$(row) in
	0/*complete*) ;;
	1/*missing* | 1/*'no sweep is recorded there') refused=$((refused + 1)) && said 'database or disk is full' || bad_place="$bad_place $place" ;;
	*) bad_place="$bad_place $place" ;;
	esac
	$job >"$work/out" 2>"$work/err" </dev/null
	case $?/$(row) in 0/*complete*) ;; *) bad_place="$bad_place $place (again)" ;; esac
done
[ "$refused" -gt 3 ] && [ -z "$bad_place" ]
report "a job's row is whole or missing" $? "not$bad_place; $refused refused"
exit "$failed"
