# Sweeps: jobs and their keys, rows that are there once and whole whatever is killed, shards, and means that there are not.
. tests/tap
. tests/sweep/lib
HOME=$work XDG_CONFIG_HOME=$work
export HOME XDG_CONFIG_HOME

# keys [OPTION...]: the keys of the jobs of s.scn, in their order.
keys() { "$WARPSTEP" "$@" --jobs "$work/s.scn" | sed 's/.*--run-job=\([0-9a-f]*\)@.*/\1/'; }
# same NAME FILE FILE
same() { holds "$1" cmp "$2" "$3"; }
# says NAME TEXT COMMAND...: its output holds a line.
says() {
	says_name=$1 says_text=$2
	shift 2
	said=$("$@" 2>&1)
	printf '%s\n' "$said" | grep -qF -- "$says_text"
	report "$says_name" $? "$said"
}

# alone OPTION...: without GNU parallel, whose start takes longer than a few jobs
mkdir "$work/bin"
ln -s "$(command -v sh)" "$work/bin/sh"
alone() { PATH=$work/bin "$WARPSTEP" "$@" 2>"$work/alone.err"; }

# --- keys: a hash of what decides the result, and of nothing else ---
cp scenarios/kernels/vecadd.ptx "$work"
cat >"$work/s.scn" <<'END'
gpu tiny
sweep l1d.bytes 16384 32768
sweep seed 1..2
module vecadd.ptx
buffer a f32[256] random $seed -1 1
buffer b f32[256] file b.bin
buffer c f32[256]
launch vecadd grid 1 block 256 args a b c 256
finally
  check c file c.bin tolerance 9
end
END
head -c 1024 /dev/zero >"$work/b.bin"
head -c 1024 /dev/zero >"$work/c.bin"
keys >"$work/keys"
holds "4 points, 4 keys" test "$(sort -u "$work/keys" | wc -l)" = 4
# stays NAME, changes NAME: the keys are as they were, or none of them is.
stays() { keys >"$work/new"; same "$1: the same keys" "$work/keys" "$work/new"; }
changes() {
	keys >"$work/new"
	none "$1: other keys" "$(grep -xFf "$work/keys" "$work/new")"
	holds "$1: as many" test "$(wc -l <"$work/new")" = 4
}
touch "$work"/*.bin "$work/vecadd.ptx"
cp "$work/s.scn" "$work/kept.scn"
sed -i -e '1s/$/   # a comment/' -e '1i# another' -e 's/^  check/    check/' "$work/s.scn"
stays "times, comments and blanks"
mkdir "$work/other" && cp "$work"/s.scn "$work"/*.ptx "$work"/*.bin "$work/other"
"$WARPSTEP" --jobs "$work/other/s.scn" | sed 's/.*--run-job=\([0-9a-f]*\)@.*/\1/' >"$work/new"
same "another folder: the same keys" "$work/keys" "$work/new"
keys --max-seconds 100 --max-memory 1000 >"$work/new"
same "limits of the host: the same keys" "$work/keys" "$work/new"
sed -i 's/^sweep seed 1..2/sweep seed 1..3/' "$work/s.scn"
keys >"$work/new"
none "one more value: the old keys are there" "$(grep -vxFf "$work/new" "$work/keys")"
cp "$work/kept.scn" "$work/s.scn"
sed -i 's/^gpu tiny/gpu tiny\nset l1d.latency 77/' "$work/s.scn"
changes "a setting"
cp "$work/kept.scn" "$work/s.scn"
printf x | dd of="$work/b.bin" bs=1 seek=100 conv=notrunc 2>/dev/null
changes "a byte of an input"
head -c 1024 /dev/zero >"$work/b.bin"
printf x | dd of="$work/c.bin" bs=1 seek=100 conv=notrunc 2>/dev/null
changes "a byte of an expected result"
head -c 1024 /dev/zero >"$work/c.bin"
sed -i 's/add\(.*\)f32/sub\1f32/' "$work/vecadd.ptx"
changes "an instruction of the kernel"
cp scenarios/kernels/vecadd.ptx "$work"
sed -i 's/tolerance 9/tolerance 8/' "$work/s.scn"
changes "a check"
cp "$work/kept.scn" "$work/s.scn"
sed -i 's/^finally/measure half = cycle \/ 2\nfinally/' "$work/s.scn"
changes "an expression that is measured"
sed -i 's/^measure.*/measure l1d.hits/' "$work/s.scn"
stays "a statistic in the tables"
keys --max-cycles 500 >"$work/new"
none "a limit of cycles: other keys" "$(grep -xFf "$work/keys" "$work/new")"

# --- rows: once and whole ---
points 8 3 >"$work/k.scn"
"$WARPSTEP" -q --sweep "$work/k.scn"
dump "$work/k.db" >"$work/whole"
holds "8 rows and a plan" test "$(wc -l <"$work/whole")" = 9
killed "$work/k.scn" "$work/killed.db" 0.15 2 >/dev/null 2>&1
dump "$work/killed.db" >"$work/dump"
same "killed at $(cat "$work/kills") random moments, then resumed: the same rows" "$work/whole" "$work/dump"
for shards in 1 2 7; do
	for i in $(seq $shards); do
		"$WARPSTEP" --jobs "$work/k.scn" --shard "$i/$shards" --results "$work/$i-of-$shards.db" | sh
	done
	"$WARPSTEP" --merge "$work/all-$shards.db" "$work"/*-of-"$shards".db
	dump "$work/all-$shards.db" >"$work/dump"
	same "--jobs of $shards shards, merged: the same rows" "$work/whole" "$work/dump"
done
"$WARPSTEP" --merge "$work/lines.db" "$work/whole"
dump "$work/lines.db" >"$work/dump"
same "a dump, merged: the same rows" "$work/whole" "$work/dump"
says "without GNU parallel it says so" "GNU parallel is not installed" env PATH="$work/bin" "$WARPSTEP" --sweep "$work/k.scn" --results "$work/alone.db"
dump "$work/alone.db" >"$work/dump"
same "... and the rows are the same" "$work/whole" "$work/dump"
if command -v parallel >/dev/null; then
	"$WARPSTEP" -q --sweep "$work/k.scn" --sshlogin : --results "$work/hosts.db"
	dump "$work/hosts.db" >"$work/dump"
	same "on hosts: the same rows" "$work/whole" "$work/dump"
	# Hosts by an ssh that runs commands here, with a shell named as sshd names it, but on the host away, which is down.
	mkdir "$work/ssh"
	cat >"$work/ssh/ssh" <<-'END'
		#!/bin/sh
		while :; do case $1 in --) shift; break ;; -*) shift ;; *) host=$1; shift ;; esac; done
		[ "$host" != away ] || exit 255
		case $* in *GNU_Parallel_worker*) echo "$host" >>"${0%/*}/hosts" ;; esac
		SHELL=/bin/sh exec sh -c "$*"
	END
	chmod +x "$work/ssh/ssh"
	PATH=$work/ssh:$PATH "$WARPSTEP" -q --sweep "$work/k.scn" --sshlogin one,two --results "$work/remote.db"
	dump "$work/remote.db" >"$work/dump"
	same "on hosts that ssh reaches: the same rows" "$work/whole" "$work/dump"
	holds "... each of 8 jobs on one of them" test "$(grep -cE '^(one|two)$' "$work/ssh/hosts")" = 8
	holds "... and jobs on both" test "$(sort -u "$work/ssh/hosts" | wc -l)" = 2
	PATH=$work/ssh:$PATH "$WARPSTEP" -q --sweep "$work/k.scn" --workers 1 --sshlogin away --results "$work/away.db" >/dev/null 2>"$work/err"
	holds "a host that is down: status 1" test $? = 1
	holds "... and the jobs that have no row" grep -q '8 jobs of 8 have no row' "$work/err"
	PATH=$work/ssh:$PATH "$WARPSTEP" -q --sweep "$work/k.scn" --sshlogin one --results "$work/away.db"
	dump "$work/away.db" >"$work/dump"
	same "... which another host makes" "$work/whole" "$work/dump"
else
	echo "# skipped: GNU parallel is missing, so no hosts"
fi

# --- what is missing or cut is in no number ---
alone -q --sweep "$work/k.scn" --shard 1/2 --results "$work/half.db"
says "a name that no point has is an error" "no point has a number 'nonsense'" "$WARPSTEP" --results "$work/half.db" nonsense
says "there is no mean over missing points" "incomplete: no number" "$WARPSTEP" --results "$work/half.db" geomean ipc by policy
says "... and they are named" "point 1 (policy order=gto, iterations 2): missing" "$WARPSTEP" --results "$work/half.db" geomean ipc by policy
"$WARPSTEP" --results "$work/half.db" geomean ipc by policy >/dev/null 2>&1
holds "... and it fails" test $? = 1
alone -q --sweep "$work/k.scn" --max-cycles 2500 --results "$work/cut.db"
holds "a sweep with cut points has status 3" test $? = 3
says "a cut point shows as cut" "cycle limit" "$WARPSTEP" --results "$work/cut.db"
says "there is no mean over cut points" "): cycle limit" "$WARPSTEP" --results "$work/cut.db" mean cycle
if ! nm "$WARPSTEP" | grep -q __asan_init; then # the sanitizers need terabytes of addresses
	alone -q --sweep "$work/k.scn" --shard 1/4 --max-memory 10 --results "$work/small.db"
	says "a job without memory shows as killed" "killed by memory" "$WARPSTEP" --results "$work/small.db"
fi
alone -q --sweep "$work/k.scn" --shard 1/4 --results "$work/small.db"
holds "... and is run again when there is enough" test "$("$WARPSTEP" --results "$work/small.db" | grep -c ' complete ')" = 2
sed -i 's/cta.finished == 4/cta.finished == 5/' "$work/k.scn"
alone -q --sweep "$work/k.scn" --shard 1/4 --results "$work/small.db"
says "a failed check shows as such" "check failed" "$WARPSTEP" --results "$work/small.db"
says "rows of other inputs are kept, marked" "2 rows of other versions" "$WARPSTEP" --results "$work/small.db"
says "databases of other inputs are not mixed" "has other points or other keys there" "$WARPSTEP" --merge "$work/all-1.db" "$work/small.db"

# --- numbers, by hand: the geometric mean of cycles of lrr over those of gto, point by point ---
"$WARPSTEP" --csv --results "$work/k.db" cycle by iterations policy >"$work/cycles"
wanted=$(awk -F , 'NR > 1 { sum += log($3 / $2); n++ } END { printf "%.10g", exp(sum / n) }' "$work/cycles")
got=$("$WARPSTEP" --csv --results "$work/k.db" geomean cycle by policy | sed -n 's/^order=lrr,//p')
holds "a geometric mean is relative to the baseline" test "$(printf '%.10g' "$got")" = "$wanted"

holds "an expression is of real numbers" test "$("$WARPSTEP" --csv --results "$work/k.db" min share | tail -n 1 | cut -c1-3)" = 0.5

points 8 3 | sed 's/order=gto order=lrr/"order=gto fetch=lrr" order=lrr/; /^baseline/d' >"$work/blanks.scn"
alone -q --sweep "$work/blanks.scn"
holds "a value of several words" test "$("$WARPSTEP" --results "$work/blanks.db" where policy "order=gto fetch=lrr" | grep -c complete)" = 4

# --- undo takes the lines of a sweep back: else the same again would be an error ---
again='sweep l1d.bytes 16384 32768
baseline l1d.bytes 16384
except l1d.bytes 32768
measure half = cycle / 2
'
printf 'gpu tiny\n%sundo\nundo\nundo\nundo\n%sundo\n' "$again" "$again" >"$work/undo"
holds "lines of a sweep are undone" sh -c "\"$WARPSTEP\" -n -q --plain <\"$work/undo\""
"$WARPSTEP" -n -q -j --plain <"$work/undo" 2>/dev/null | jq -r '.result.undone // empty' >"$work/undone"
printf '%s\n' "measure half = cycle / 2" "except l1d.bytes 32768" "baseline l1d.bytes 16384" "sweep l1d.bytes 16384 32768" "measure half = cycle / 2" >"$work/wanted"
same "... the last first" "$work/wanted" "$work/undone"
printf 'gpu tiny\n%s%s' "$again" "sweep l1d.bytes 16384 32768" >"$work/twice"
"$WARPSTEP" -n -q --plain <"$work/twice" >/dev/null 2>&1
holds "... and without undo it is an error" test $? = 2

# --- what a job does instead of its run ---
{ points 4 3 && printf 'job\n  goto 100\n  print cycle + 1\n  goto 200\nend\n'; } >"$work/job.scn"
alone -q --sweep "$work/job.scn"
holds "a block job ends where its last line does" test "$("$WARPSTEP" --csv --results "$work/job.db" mean cycle | tail -n 1)" = 200
"$WARPSTEP" --results "$work/job.db" dump >"$work/dump"
holds "... and what it printed is in the row" test "$(jq -r 'select(.state == "complete") | .values.printed' "$work/dump" | grep -cx 101)" = 4
"$WARPSTEP" --jobs "$work/job.scn" | sed 's/.*--run-job=\([0-9a-f]*\)@.*/\1/' >"$work/keys"
sed -i 's/goto 200/goto 201/' "$work/job.scn"
none "another line of it: other keys" "$("$WARPSTEP" --jobs "$work/job.scn" | grep -Ff "$work/keys")"
sed -i 's/goto 201/goto 0 1/' "$work/job.scn"
alone -q --sweep "$work/job.scn"
says "a line of it that fails shows as such" "check failed" "$WARPSTEP" --results "$work/job.db"
sed -i 's/goto 0 1/save written/' "$work/job.scn"
(cd "$work" && alone -q --trust --sweep job.scn)
holds "a line of it writes nothing" test ! -e "$work/written"

# --- a row is a machine ---
key=$("$WARPSTEP" --results "$work/k.db" where policy order=lrr iterations 3 | awk 'END { print $NF }')
points 8 3 >"$work/k.scn"
cycle=$("$WARPSTEP" --csv --results "$work/k.db" cycle by policy where iterations 3 | sed -n 's/^order=lrr,//p')
"$WARPSTEP" --row "$key" --results "$work/k.db" -b -q -e 'print cycle' -e 'reverse-step 7' -e 'print cycle' >"$work/out" 2>&1
holds "a row opens at its end" grep -qx "$cycle" "$work/out"
holds "... and goes back" grep -qx "$((cycle - 7))" "$work/out"
key=$("$WARPSTEP" --results "$work/all-7.db" | awk '/ complete / { print $NF; exit }')
holds "a row of merged results opens with its file" "$WARPSTEP" --row "$key" --results "$work/all-7.db" -b -q -e 'expect cta.finished == 4' -e quit "$work/k.scn"
"$WARPSTEP" -j --results "$work/k.db" geomean ipc by policy | jq -e '.ok and .result.complete and (.result.rows | length == 2)' >/dev/null
report "a table as JSON" $?
printf 'set l1d.latency 99\n' >"$work/changed" && sed -i "1r $work/changed" "$work/k.scn"
says "... but not if a file has changed" "has key" "$WARPSTEP" --row "$key" --results "$work/k.db" -b
if command -v gnuplot >/dev/null; then
	"$WARPSTEP" --results "$work/k.db" --chart "$work/x.svg" geomean cycle by policy
	holds "a chart as SVG" grep -q '</svg>' "$work/x.svg"
	says "... and as text" "cycle: geometric mean" "$WARPSTEP" --results "$work/k.db" --chart - geomean cycle by policy
fi
exit $failed
