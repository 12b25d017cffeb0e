#!/bin/sh
# Control bits of a trace from a cubin: its instructions have them as a decoder of its own reads them from the file, nothing
# comes before its result, the laws hold, nothing changes where the settings do not ask for them; a cubin that nvcc makes anew, if there is one.
# more: every cubin that is kept
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/tap
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)

# words CUBIN: its words, decoded by awk alone
words() { od -An -v -tu1 "$1" | awk -f tests/trace/words.awk; }
# record CUBIN KERNEL [WAY [WARPS [ARCHITECTURE]]]: the trace that a kernel would leave, with all its words up to its EXIT or on its way
record() {
	words "$1" >"$work/words" && awk -v kernel="$2" -v way="$3" -v warps="${4:-2}" -v binary="${5:-86}" -f tests/trace/record.awk \
		tests/trace/opcodes.txt "$work/words" >"$work/$2.traceg"
}
# run LINE...: a scenario of these lines in batch, with the statistics of control bits; output in $work/out
run() {
	printf '%s\n' "$@" >"$work/run.scn"
	"$WARPSTEP" -n -q -b "$work/run.scn" -e run -e 'print cycle' -e 'print control.hazards' -e 'print control.hazards_stall' -e 'print rf.reused' \
		-e hash >"$work/out" 2>"$work/err"
}
# numbers: cycle, hazards, those of stall counters, reused reads, hash
numbers() { grep -xE '[0-9]+|[0-9a-f]{16}' "$work/out" | tr '\n' ' '; }
# bits SCENARIO KERNEL: PC, bits and reuse bits as `info control` shows them
bits() {
	"$WARPSTEP" -n -q -j "$1" -e "info control $2" -e quit 2>/dev/null |
		jq -r 'select(.cmd == "info") | .result.instructions[] | [(.instruction | capture("/\\*(?<pc>[0-9a-f]+)\\*/").pc), .bits, (.reuse // "")] | join(" ")'
}

cp tests/trace/tile.cubin tests/trace/waves.cubin "$work"
loop='0-1a0 1b0-3a0x4 3b0-3c0'
record tests/trace/tile.cubin tile "$loop"
record tests/trace/waves.cubin outer && record tests/trace/waves.cubin waves
printf 'tile.traceg\nouter.traceg\nwaves.traceg\n' | sed 's/^/kernel-/' >"$work/list.g"
for kernel in tile outer waves; do mv "$work/$kernel.traceg" "$work/kernel-$kernel.traceg"; done

# Every instruction of three kernels from two cubins, against the words of the files.
printf 'gpu a6000 sms 1\ntrace list.g cubin waves.cubin tile.cubin\n' >"$work/all.scn"
for kernel in tile outer waves; do
	for file in tile waves; do words "tests/trace/$file.cubin"; done | awk -v kernel="$kernel" '
		$1 == kernel { r = ""; for (i = 0; i < 3; i++) r = r (int($4 / 2 ^ i) % 2 ? i : ""); print $2, $3, r }' | sed 's/ $//' | sort >"$work/want"
	bits "$work/all.scn" "$kernel" | sed 's/ $//' | sort >"$work/got"
	[ "$(wc -l <"$work/got")" -gt 20 ] && [ -z "$(comm -13 "$work/want" "$work/got")" ]
	report "control bits of kernel $kernel are those of the file's words ($(wc -l <"$work/got"))" $?
done

# Latencies of a preset that follows the paper's machine are no longer than ptxas takes for granted: nothing comes too early.
run 'gpu a6000 sms 1' 'trace list.g'
pass=$(numbers)
run 'gpu a6000 sms 1' 'trace list.g cubin tile.cubin waves.cubin'
given=$(numbers)
echo "$pass$given" | awk '{ exit !($2 == 0 && $7 == 0 && $5 != $10 && $9 != $4) }'
report "bits of ptxas: no hazards on preset a6000 (warpstep's bits: $pass; the cubins': $given)" $?
# Longer latencies are hazards, each where a stall counter was relied on; a longer latency of a load is none.
run 'gpu a6000 sms 1' 'set lat.fp32 9' 'set lat.int 9' 'trace list.g cubin tile.cubin waves.cubin'
numbers | awk '{ exit !($2 > 20 && $2 == $3) }'
report "longer latencies than the compiler's are hazards of stall counters ($(numbers))" $?
run 'gpu a6000 sms 1' 'set l1d.latency 300' 'set shared.latency 90' 'set lat.sfu 77' 'trace list.g cubin tile.cubin waves.cubin'
numbers | awk '{ exit !($2 == 0) }'
report "longer latencies of loads and special functions are none ($(numbers))" $?

# Without settings that ask for them the bits change nothing.
for gpu in volta tiny; do
	run "gpu $gpu" 'set gpu.sms 1' 'trace list.g' && numbers >"$work/without"
	run "gpu $gpu" 'set gpu.sms 1' 'trace list.g cubin tile.cubin waves.cubin' && numbers >"$work/with"
	[ -s "$work/with" ] && cmp -s "$work/without" "$work/with"
	report "a scoreboard without reuse bits on preset $gpu: the same run" $?
done
# ... but they are a part of what ran.
for cubins in '' ' cubin tile.cubin waves.cubin' ' cubin waves.cubin tile.cubin'; do
	printf 'gpu tiny\ntrace list.g%s\n' "$cubins" >"$work/hash.scn"
	"$WARPSTEP" -n -q "$work/hash.scn" -e 'stats config.hash' -e quit 2>/dev/null | awk '/^config.hash/ { print $2 }'
done | awk '{ h[NR] = $1 } END { exit !(NR == 3 && h[1] != h[2] && h[2] == h[3]) }'
report "config.hash tells the bits, not the order of cubins" $?

printf 'gpu a6000 sms 1\ntrace list.g cubin tile.cubin waves.cubin\n' >"$work/law.scn"
# (to their ends, or of a quick run's cycles)
for law in walk reverse journal again lanes sinks order sleep steady sums events allocation conservation residents; do
	"$BUILD/tests/laws" ${WARPSTEP_LONG:+-l} -w $law "$work/law.scn" >"$work/law" 2>&1
	[ "$(grep -c '^ok' "$work/law")" = 1 ] && ! grep -q '^not ok' "$work/law"
	report "law $law on a trace with a cubin" $?
done

# Where they come from, and bits that are changed by hand.
"$WARPSTEP" -n -q -b "$work/all.scn" -e 'next l1dmiss' -e 'step 40' -e 'info control outer' -e why -e 'set var control[1].stall = 9' -e 'print control[1].stall' -e restart \
	-e 'print control[1].stall' -e quit >"$work/out" 2>&1
grep -q '^set by the compiler of .*/waves.cubin$' "$work/out" && grep -q 'control bits of the next instruction: B.*, set by the compiler of .*/tile.cubin$' "$work/out" &&
	[ "$(grep -x '[0-9]' "$work/out" | tr '\n' ' ')" = '9 1 ' ]
report "info control and why name the cubin; set var changes its bits until restart" $?
printf 'gpu a6000 sms 1\ntrace list.g\n' >"$work/pass.scn"
"$WARPSTEP" -n -q -b "$work/pass.scn" -e 'info control outer' -e quit 2>&1 | grep -q '^set by warpstep'
report "info control without a cubin" $?
# A saved session finds the cubin again.
(cd "$work" && "$WARPSTEP" -n -q all.scn -e 'step 50' -e hash -e 'save session kept.scn' -e quit >out 2>&1 && "$WARPSTEP" -n -q kept.scn --trust -e hash -e quit >again 2>&1)
hash=$(grep -xE '[0-9a-f]{16}' "$work/out") && grep -qx "$hash" "$work/again"
report "a saved session names its cubins" $?

# bad NAME LINE TEXT: the line is refused with status 2 and says this in one line, and nothing of it stays
bad() {
	(cd "$work" && "$WARPSTEP" -n -q -b -e "$2" >out 2>err)
	[ $? = 2 ] && grep -qF -- "$3" "$work/err" && [ "$(grep -c . "$work/err")" = 1 ] &&
		[ "$(cd "$work" && printf '%s\ninfo modules\ninfo kernels\n' "$2" | "$WARPSTEP" -n -q --plain 2>/dev/null | grep -c 'tile\|outer')" = 0 ]
	report "$1" $? "$(head -n 2 "$work/err" | tr '\n' ' ')"
}
cp tests/trace/tile.cu "$work/text.cubin"
head -c 3000 tests/trace/tile.cubin >"$work/short.cubin"
: >"$work/empty.cubin"
sed 's/^-binary version = 86/-binary version = 80/' "$work/kernel-tile.traceg" >"$work/other.traceg"
bad "a list with a kernel that the cubin lacks" 'trace list.g cubin tile.cubin' "tile.cubin: no kernel outer (each kernel of the trace must be in a cubin; this one's kernels: tile)"
bad "... that neither has" 'trace list.g cubin tile.cubin tile.cubin' 'tile.cubin: no kernel outer, neither here nor in the other cubins'
bad "another architecture" 'trace other.traceg cubin tile.cubin' 'tile.cubin: a cubin of sm_86, but kernel tile was recorded with binary version 80 (a cubin of sm_80 is needed)'
bad "text" 'trace list.g cubin text.cubin' 'text.cubin: not an ELF file, as cubins are (`nvcc -cubin` makes one'
bad "an empty file" 'trace list.g cubin empty.cubin' 'empty.cubin: not an ELF file'
bad "cut short" 'trace list.g cubin short.cubin' 'short.cubin: cut short, or damaged: 3000 bytes'
bad "a program" "trace list.g cubin $WARPSTEP" 'an ELF file for machine'
bad "no such file" 'trace list.g cubin none.cubin' 'none.cubin: cannot open'
bad "a folder" 'trace list.g cubin .' 'is a directory, not a file'
bad "a file without an end" 'trace list.g cubin /dev/zero' '/dev/zero: '
bad "a word that is not cubin" 'trace list.g cubins tile.cubin' 'expected `cubin` and the names of cubins behind the trace'
bad "no name" 'trace list.g cubin' 'expected `cubin` and the names of cubins behind the trace'

# What nvcc makes of the sources today, for an architecture of each generation: both decoders read the same fields.
if [ -x "$nvcc" ]; then
	for arch in $("$nvcc" --list-gpu-code 2>/dev/null | sed -n 's/^sm_\(70\|75\|80\|86\|90\|100\|120\)$/\1/p'); do
		cp tests/trace/tile.cu tests/trace/waves.cu "$work"
		for kernel in tile outer waves; do
			file=$([ $kernel = tile ] && echo tile || echo waves)
			[ $kernel = waves ] || (cd "$work" && "$nvcc" -cubin -arch="sm_$arch" -o "new-$file.cubin" "$file.cu" 2>nvcc.err)
			record "$work/new-$file.cubin" "$kernel" '' 1 "$arch"
			printf 'set issue.dependences control\nset collector.reuse on\ntrace %s.traceg cubin new-%s.cubin\n' "$kernel" "$file" >"$work/new.scn"
			bits "$work/new.scn" "$kernel" | sed 's/ $//' >"$work/got"
			awk -v kernel="$kernel" '$1 == kernel { r = ""; for (i = 0; i < 3; i++) r = r (int($4 / 2 ^ i) % 2 ? i : ""); print $2, $3, r }' "$work/words" |
				sed 's/ $//' | grep -F -f "$work/got" >"$work/want"
			[ "$(wc -l <"$work/got")" -gt 15 ] && cmp -s "$work/got" "$work/want" || echo "$kernel on sm_$arch"
		done
	done >"$work/wrong"
	none "control bits of cubins that nvcc makes" "$(cat "$work/wrong")"
else
	echo "# no nvcc: cubins are not made anew"
fi
exit $failed
