#!/bin/sh
# Exported files: whole, closed, and equal to the statistics; the machine stays as it was; bad input leaves no file.
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
checks=$root/tests/golden/export
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
. "$root/tests/tap"

# The statistics at a cycle, "name value unit" a line.
stats_at() {
	"$WARPSTEP" -b -e "goto $2" -e 'stats *' "$root/scenarios/$1.scn" 2>err </dev/null | grep -E '^[a-z0-9.]+ +[-0-9].*'
}

# window SCENARIO FROM TO [WHOLE]: export it in every format from a machine that stands elsewhere, and check all of it.
window() {
	from=$2 whole=$4
	stats_at "$1" "$2" >before
	stats_at "$1" "$3" >after
	to=$(awk '$1 == "cycle" && $3 == "cycles" { print $2; exit }' after)
	awk -f "$checks/delta.awk" before after >want
	rm -f out.*
	"$WARPSTEP" -b -e "goto $((to * 2 / 3))" -e 'step -s collect' -e hash -e "export kanata out.kanata from $from to $to" \
		-e "export chrome out.json from $from to $to" -e "export csv out.csv from $from to $to columns *" \
		-e "export events out.jsonl from $from to $to" -e hash "$root/scenarios/$1.scn" 2>err </dev/null |
		grep -E '^[0-9a-f]{16}$' >hashes
	holds "$1 $from-$to: the machine has not moved" sh -c 'test $(wc -l <hashes) = 2 && test $(sort -u hashes | wc -l) = 1'
	holds "$1 $from-$to: kanata" awk -v whole="$whole" -f "$checks/kanata.awk" want out.kanata
	holds "$1 $from-$to: chrome" awk -v whole="$whole" -v to="$to" -f "$checks/chrome.awk" want out.json
	holds "$1 $from-$to: csv" awk -v from="$from" -v to="$to" -f "$checks/csv.awk" want out.csv
	holds "$1 $from-$to: events" awk -v from="$from" -v to="$to" -f "$checks/events.awk" want out.jsonl
}
window vecadd 0 100000 1
window default 0 100000 1
window reduce 0 100000 1
window bfs 500 1500
window shuffle 333 900

# lives WAY END N PHASE N...: CTAs that make room so: every slice is closed, N stays end with the word, so many of each phase begin.
lives() {
	way=$1
	"$WARPSTEP" -b -e "policy order=lrr partition=even preempt=$way" -e 'goto 19990' -e 'goto 45000' -e 'export chrome out.json from 20003 to 45000' \
		-e 'export chrome all.json from 19990 to 45000' "$root/scenarios/multi/ways.scn" >/dev/null 2>err </dev/null
	for file in out.json all.json; do
		holds "lives under $way: as many begin as end in $file" sh -c "test \$(grep -c '\"ph\":\"b\"' $file) = \$(grep -c '\"ph\":\"e\"' $file)"
	done
	holds "lives under $way: $3 end $2" sh -c "test \$(grep -c '\"end\":\"$2\"' all.json) = $3"
	shift 3
	while [ $# -gt 0 ]; do
		holds "lives under $way: so many are $1" sh -c "test \$(grep -c '\"ph\":\"b\".*$1\"' all.json) = $2"
		shift 2
	done
}
lives switch saved 16 saving 16 restoring 16 waits 16
lives flush flushed 16 waits 16
lives drain flushed 0 draining 16

# refused NAME MESSAGE COMMAND: the command fails with this line and leaves no file.
refused() {
	rm -f bad.*
	if "$WARPSTEP" -b -e 'step 200' -e "$3" "$root/scenarios/vecadd.scn" >out 2>err </dev/null; then
		holds "$1: fails" false
	else
		printf '%s\n' "$2" >line.want
		head -n 1 err >line
		holds "$1" diff line.want line
	fi
	holds "$1: no file" sh -c 'test -z "$(ls | grep ^bad)"'
}
ends=$(stats_at vecadd 100000 | awk '$1 == "cycle" && $3 == "cycles" { print $2; exit }')
refused "no such format" "-e 2: unknown format 'chrom' (did you mean 'chrome'?)" 'export chrom bad.x'
refused "no cycles" "-e 2: no cycles to export from 200 to 200 (\`from CYCLE to CYCLE\` chooses; the machine is at cycle 200)" \
	'export csv bad.x from 200'
refused "beyond the end" "-e 2: no cycle 900000: the program ends in cycle $ends" \
	'export csv bad.x from 900000 to 900001'
refused "a word" "-e 2: unexpected 'form' (expected from CYCLE, to CYCLE or columns GLOB...)" 'export csv bad.x form 1'
refused "no number" "-e 2: a cycle must be an integer from 0, not '-1'" 'export csv bad.x from -1'
refused "nothing after a word" "-e 2: missing cycle after 'to'" 'export csv bad.x to'
refused "columns of another" "-e 2: 'events' has no columns to choose (only csv has)" 'export events bad.x columns ipc'
refused "no such statistic" "-e 2: no numeric statistic matches 'ipcc' (did you mean 'ipc'?)" \
	'export csv bad.x columns ipcc'
refused "no columns before a word" "-e 2: missing name or glob of a statistic after 'columns'" 'export csv bad.x columns to 5'
"$WARPSTEP" -b -e 'export csv first columns ipc slots.long from 3 to 5' -e 'export csv last from 3 to 5 columns ipc slots.long' \
	"$root/scenarios/vecadd.scn" >out 2>err </dev/null
holds "columns may come before the window" cmp first last
refused "another compression" "-e 2: cannot compress as .xz (a name that ends in .gz can be)" 'export csv bad.csv.xz'
refused "no such directory" "-e 2: cannot write none/bad.x: No such file or directory" 'export csv none/bad.x'
refused "a directory" "-e 2: cannot write .: Is a directory" 'export csv .'

"$WARPSTEP" -b -e 'set export.limit 1' -e 'export events bad.big to 100000' "$root/scenarios/matmul.scn" >out 2>err </dev/null
holds "a limit" grep -q '^-e 2: output exceeds export.limit (1 MiB) in cycle [0-9]* of 0 to 100000; nothing was written' err
holds "a limit: no file" sh -c 'test -z "$(ls | grep ^bad)"'
printf 'gpu tiny\nsynthetic s iterations 100000000 mix int 1\nlaunch s grid 4 block 256\n' >endless.scn
"$WARPSTEP" -b --max-seconds=0.3 -e 'set export.limit 65536' -e 'export csv bad.x to 1000000000' endless.scn >out 2>err </dev/null
holds "a limit of seconds" test $? = 5
holds "a limit of seconds: no file" sh -c 'test -z "$(ls | grep ^bad)"'
printf 'gpu tiny\nexport csv bad.x\n' >writes.scn
"$WARPSTEP" -b writes.scn >out 2>err </dev/null
holds "a file of commands may not write" sh -c 'grep -q "^writes.scn:2:" err && test ! -e bad.x'
echo old >kept
"$WARPSTEP" -b -e 'export csv kept to 100 columns nothing' "$root/scenarios/vecadd.scn" >out 2>err </dev/null
holds "a file that was there stays after an error" grep -q '^old$' kept

# No window, and too much for the limit. A row of this column, which stays 0, is the cycle, a comma, a digit and the end of the line:
# 16 bytes of headings + 9 x 4 + 90 x 5 + 900 x 6 + 9000 x 7 = 68902 bytes up to cycle 9999, then 8 each: an eighth of a MiB (131072)
# is passed in cycle 9999 + 7772 = 17771 with 131078 bytes. So 200000 cycles take 1475190 bytes, and four fifths of the cycles that
# fit are 200000 x 1048576 / 1475190 x 0.8 = 113729.
"$WARPSTEP" -b -e 'set export.limit 1' -e 'goto 200000' -e 'export csv bad.x columns cta.saved' endless.scn >out 2>err </dev/null
holds "too much without a window" grep -qxF -e "-e 3: output would be about 2 MiB for cycles 0 to 200000, above export.limit (1 MiB); nothing was \
written (name a window, such as \`from 0 to 113729\`, or \`set export.limit\`)" err
holds "too much without a window: no file" sh -c 'test -z "$(ls | grep ^bad)"'
"$WARPSTEP" -b -e 'set export.limit 1' -e 'goto 120000' -e 'export csv fits columns cta.saved' -e 'goto 200000' \
	-e 'export csv within from 0 to 113729 columns cta.saved' -e 'export csv bad.x to 200000 columns cta.saved' endless.scn >out 2>err </dev/null
holds "what fits is written without a window" test "$(tail -n 1 fits)" = 120000,0
holds "the window that is named fits" test "$(tail -n 1 within)" = 113729,0
holds "a window is written as far as it can be" grep -q '^-e 6: output exceeds export.limit (1 MiB) in cycle 1[0-9]* of 0 to 200000' err

# Compressed: the same text, and the sizes of both.
rm -f packed.* plain
"$WARPSTEP" -j -b -e 'step 200' -e 'export events plain' -e 'export events packed.gz' "$root/scenarios/vecadd.scn" >out 2>err </dev/null
gzip -dc packed.gz >unpacked
holds "compressed" cmp plain unpacked
holds "compressed: the sizes" grep -q "\"bytes\":$(wc -c <packed.gz),\"text_bytes\":$(wc -c <plain)}" out
holds "compressed: it is smaller" test "$(wc -c <packed.gz)" -lt $(($(wc -c <plain) / 4))
rm -f packed.gz
(ulimit -f 1; "$WARPSTEP" -b -e 'step 200' -e 'export events packed.gz' "$root/scenarios/vecadd.scn" >/dev/null 2>&1 </dev/null)
holds "compressed: what cannot be written fails" test $? = 1
holds "compressed: what cannot be written leaves no file" test ! -e packed.gz

# The first instruction of vecadd reads the first pointer, for line 2 of its source; that of a synthetic kernel has no source.
"$WARPSTEP" -b -e 'export chrome slices to 100' "$root/scenarios/vecadd.scn" >out 2>err </dev/null
holds "instruction and source line" grep -qF '"cta":0,"pc":0,"instruction":"ld.param.u64 d0, [vecadd_param_0]","source":"vecadd.cu:2"}}' slices

# One warp, the first two of its instructions, the second of which reads what the first writes. Worked out by hand: a cycle of
# issue (its operands are read in the next one, before dispatch), lat.int = 2 in the unit, then its reader issues at once.
printf 'gpu tiny\nset lat.int 2\nsynthetic s iterations 1 mix int 1\nlaunch s grid 1 block 32\n' >one.scn
"$WARPSTEP" -b -e 'export kanata one from 45 to 49' -e 'export chrome slices from 45 to 49' one.scn >out 2>err </dev/null
printf '%b' 'Kanata\t0004\nC=\t45\nC\t1\nI\t0\t0\t0\nS\t0\t0\tIs\nC\t1\nE\t0\t0\tIs\nS\t0\t0\tEx\nS\t0\t1\tS\n' \
	'C\t2\nE\t0\t0\tEx\nS\t0\t0\tWb\nE\t0\t1\tS\nI\t1\t1\t0\nS\t1\t0\tIs\n' \
	'C\t1\nE\t0\t0\tWb\nR\t0\t0\t0\nE\t1\t0\tIs\nR\t1\t1\t1\n' >one.want
grep -v '^L' one >one.lines
holds "an example worked out by hand" diff one.want one.lines
holds "a slice without a source line" sh -c 'grep -q "\"instruction\":" slices && ! grep -q "\"source\":" slices'
exit $failed
