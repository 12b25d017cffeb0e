# Without a GPU: kernels with marks (tests/gpu) compute what they computed, and leave clocks; what a GPU's machine is asked for is said.
# more: kernels at the size for which they are measured
. tests/tap
gpu=$BUILD/tests/gpu
LOG=$(cd "$LOG" && pwd)
dry=$LOG/gpu.dry
mkdir -p "$dry"

holds "the marked PTX of every scenario of kernels.sh list is written" env OUT="$dry" sh -c \
	'"$1" -n $(sh tests/kernels.sh list) 2>/dev/null; [ "$(ls "$OUT" | wc -l)" -gt 150 ]' sh "$gpu"
refused=
[ -n "$WARPSTEP_LONG" ] && each=1 || each=5 # a quick run reads a fifth of them, and runs a fifth in another order
for file in $(ls "$dry"/*.ptx | awk -v each=$each 'NR % each == 0'); do
	echo "module $file" >"$LOG/gpu.cmd"
	"$WARPSTEP" -n -q -b -x "$LOG/gpu.cmd" -e quit >/dev/null 2>&1 || refused="$refused $(basename "$file")"
done
none "each is read" "$refused"

# marked SCENARIO MODULE: the scenario with its module marked; its checks, and the words of its first CTA
marked() {
	sed -e "s|^module .*|module $dry/$2|" -e "s|file data/|file $PWD/scenarios/data/|" "scenarios/$1.scn" >"$LOG/gpu.scn"
	"$WARPSTEP" --trust -n -q -b -e run -e "print warpstep_marks[0..3]" "$LOG/gpu.scn" 2>&1
}
for name in vecadd bfs ${WARPSTEP_LONG:+sad fft}; do
	marked $name "scenarios-$name.scn.0.ptx" >"$LOG/gpu.out"
	grep -q 'checks\{0,1\} passed' "$LOG/gpu.out" && ! grep -q failed "$LOG/gpu.out"
	report "$name computes the same with marks" $? "$(head -n 3 "$LOG/gpu.out" | tr '\n' ' ')"
	# MARK_TOP less the start, the stop, time and SM: the stop is later
	set -- $(grep -A 3 warpstep_marks "$LOG/gpu.out" | tr -s ' ,{}=' '\n' | grep -x '[0-9][0-9]*' | head -n 2)
	start=$((0x4000000000000000 - $1))
	[ "$start" -gt 0 ] && [ "$2" -gt "$start" ]
	report "$name leaves its clocks" $? "$(tail -n 3 "$LOG/gpu.out" | tr '\n' ' ')"
done

[ -e /dev/nvidiactl ] || {
	"$gpu" scenarios/vecadd.scn >/dev/null 2>"$LOG/gpu.err"
	[ $? = 1 ] && grep -q 'there is no libcuda' "$LOG/gpu.err"
	report "no GPU: says so, status 1" $? "$(cat "$LOG/gpu.err")"
}
sh tests/kernels.sh list >"$LOG/gpu.list"
awk -F '\t' '!/^#/ && $2 ~ /^[0-9]+$/ { print $1 }' tests/silicon/measured/*-kernels.tsv | sort -u >"$LOG/gpu.measured"
none "what was measured is there" "$(sort "$LOG/gpu.list" | comm -13 - "$LOG/gpu.measured")"
none "each measured line has every figure" "$(awk -F '\t' '!/^#/ && NF != 21 { print FILENAME ":" FNR }' tests/silicon/measured/*-kernels.tsv tests/silicon/measured/*-changes.tsv)"
# From the first issue to the last exit: the kernel's cycles without the time in which its stores are acknowledged
"$gpu" -s tiny scenarios/vecadd.scn >"$LOG/gpu.out" 2>&1
whole=$("$WARPSTEP" -n -q -b -e 'gpu tiny' -e run -e 'print kernel.0.cycles' scenarios/vecadd.scn 2>/dev/null | grep -x '[0-9]*')
[ "$(cut -f 1-3 "$LOG/gpu.out")" = "$(printf 'scenarios/vecadd.scn\t0\tvecadd')" ] && [ "$(cut -f 4 "$LOG/gpu.out")" -lt "$whole" ] &&
	[ "$(cut -f 4 "$LOG/gpu.out")" -gt $((whole - 500)) ]
report "gpu -s: cycles on a preset" $? "$(cat "$LOG/gpu.out")"
# Of all scenarios of the library each computes the same in the order of ptx.schedule.
for file in $(sh tests/kernels.sh list | grep '^scenarios/[a-z0-9]*.scn' | awk -v each=$each 'NR % each == 0'); do
	"$WARPSTEP" -n -q -b "$file" -e 'set ptx.schedule on' -e 'run --functional' >"$LOG/gpu.out" 2>&1
	report "$file in the order of ptx.schedule" $? "$(grep -v '^cycle' "$LOG/gpu.out" | head -n 2 | tr '\n' ' ')"
done
# Recorded kernels on preset h200 take the cycles of the table that is kept (after a change: kernels.sh traced h200 makes it in $OUT).
[ -n "$WARPSTEP_LONG" ] && each=1
OUT=$LOG sh tests/kernels.sh traced h200 $each >"$LOG/gpu.traced"
others=$(grep "$(printf '\t')" "$LOG/h200-traced.tsv" | grep -v -x -F -f tests/silicon/measured/H200-traced.tsv)
none "recorded kernels: $(grep -c "$(printf '\t')" "$LOG/h200-traced.tsv") rows of the table" "$others"
holds "... each that is more than 10 % off has been looked at (kernels.sh reasons h200)" sh -c 'awk -F "\t" -v OFS="\t" \
	"NR > 1 && (\$6 > 1.1 * \$5 || \$6 < 0.9 * \$5) { print \$1, \$2, \$5, \$6 }" tests/silicon/measured/H200-traced.tsv >"$1/gpu.beyond" &&
	sed 1d tests/silicon/measured/H200-reasons.tsv | cut -f 1-4 | cmp - "$1/gpu.beyond"' sh "$LOG"
[ -z "$WARPSTEP_LONG" ] ||
	holds "... and the counts of the manual" grep -q -x -F "$(cat tests/silicon/measured/H200-traced.counts)" "$LOG/gpu.traced"
[ -z "$WARPSTEP_LONG" ] || {
	OUT=$LOG sh tests/kernels.sh table h100 | grep '^[0-9]* kernels' >"$LOG/gpu.counts"
	holds "the counts of the manual" cmp "$LOG/gpu.counts" tests/silicon/measured/H100-kernels.counts
	OUT=$LOG sh tests/kernels.sh changed h100 | grep '^[0-9]* changes' >"$LOG/gpu.counts"
	holds "... of changes" cmp "$LOG/gpu.counts" tests/silicon/measured/H100-changes.counts
	OUT=$LOG sh tests/kernels.sh traced_changes h200 >"$LOG/gpu.traced"
	grep "$(printf '\t')" "$LOG/h200-traced-changes.tsv" | cmp - tests/silicon/measured/H200-changed.tsv
	report "recorded changes: the table that is kept" $?
}
counted=$(awk -F '\t' 'NR > 1 { n[$9]++ } END { printf "%d changes of kernels: %d within a tenth, %d more in the right direction, %d in the wrong one;",
	NR - 1, n["same"], n["right"], n["WRONG"] }' tests/silicon/measured/H200-changed.tsv)
holds "recorded changes: the counts are those of the table" grep -q "^$counted" tests/silicon/measured/H200-changed.counts
exit $failed
