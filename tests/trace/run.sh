#!/bin/sh
# Traces as scenarios: the laws hold, opening one by its name works, compressed or not.
# more: every kept trace under the laws
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
sh tests/trace/generate "$work/small" 6 4 2
. tests/tap

printf 'gpu tiny\nset trace.overlap on\ntrace small/kernelslist.g\n' >"$work/small.scn"
for law in walk reverse journal again lanes sinks order sleep steady elf sums events allocation neutral conservation residents chaos kills; do
	"$BUILD/tests/laws" ${WARPSTEP_LONG:+-l} -w $law "$work/small.scn" >"$work/law" 2>&1 || cat "$work/law"
	[ "$(grep -c '^ok' "$work/law")" = 1 ] && ! grep -q '^not ok' "$work/law"
	report "law $law on a trace" $?
done

# A whole kernel there and back: the hashes at both ends are those of the first time.
"$WARPSTEP" -b "$work/small/kernelslist.g" -e 'goto 5000' -e hash -e run -e hash -e 'goto 5000' -e hash -e run -e hash >"$work/out" 2>&1 &&
	grep -oE '^[0-9a-f]{16}$' "$work/out" | awk '{ h[NR] = $1 } END { exit !(NR >= 4 && h[1] == h[3] && h[2] == h[4] && h[1] != h[2]) }'
report "there and back over whole kernels" $?

# Every record is issued; both kernels end.
"$WARPSTEP" -b "$work/small/kernelslist.g" >"$work/out" 2>&1 &&
	want=$(grep -ch '^[0-9a-f]\{4\} ' "$work"/small/*.traceg | awk '{ n += $1 } END { print n }') &&
	grep -q "^inst.warp  *$want " "$work/out"
report "all records are issued" $?

# Traces do not say where the sides of a branch meet: gangs that part in one wait nowhere (vws.sync).
for gpu in e-vws e-vws-sync; do
	"$WARPSTEP" -b "$work/small/kernelslist.g" -e "gpu $gpu" -e restart -e run -e 'print gang.splits.control' -e 'print gang.sync' -e hash 2>&1 |
		grep -xE '[0-9a-f]+' >"$work/$gpu"
done
[ "$(sed -n 1p "$work/e-vws")" -gt 0 ] && [ "$(sed -n 2p "$work/e-vws-sync")" = 0 ] && cmp -s "$work/e-vws" "$work/e-vws-sync"
report "slices of a trace part and wait nowhere" $?

# The checks look at traces without harm.
"$WARPSTEP" -b "$work/small/kernelslist.g" -e 'set check.races on' -e 'set check.uninitialized on' -e 'set check.barriers on' \
	-e 'set check.banks on' -e 'set check.coalescing on' -e 'set stats.lines on' -e run -e 'stats lines' -e 'info kernel 0' -e 'info modules' \
	-e 'info warps' >"$work/out" 2>&1
report "checks and counts on a trace" $?

xz -k "$work/small/kernel-1.traceg" 2>/dev/null && gzip -k "$work/small/kernel-2.traceg" && {
	"$WARPSTEP" -b "$work/small/kernelslist.g" -e run -e hash 2>&1 | grep -E '^[0-9a-f]{16}|hash' >"$work/plain"
	rm "$work/small/kernel-1.traceg" "$work/small/kernel-2.traceg"
	"$WARPSTEP" -b "$work/small/kernelslist.g" -e run -e hash 2>&1 | grep -E '^[0-9a-f]{16}|hash' >"$work/packed"
	[ -s "$work/plain" ] && cmp "$work/plain" "$work/packed"
}
report "xz and gzip give the same run" $?

# No values: the pane of registers says so.
"$WARPSTEP" -b "$work/small/kernelslist.g" -e 'next ctastart' -e 'show registers 40x6' >"$work/out" 2>&1 &&
	grep -q '^ no values: recorded trace$' "$work/out"
report "the registers of a trace" $?

# Traces tell no reuse bits: those of 64 independent FFMA R, R4, R5, R6 follow from the rule, of all three operands but in the last.
sh tests/trace/generate "$work/ffma" fp32.ind 32
"$WARPSTEP" -b "$work/ffma/kernelslist.g" -e 'set collector.reuse on' -e 'info kernel 0' -e run -e 'print rf.reused' -e 'print rf.reads' >"$work/out" 2>&1 &&
	[ "$(grep -c 'FFMA .* 0\* 1\* 2\* ' "$work/out")" = 63 ] && grep -qx 189 "$work/out" && grep -qx 3 "$work/out"
report "reuse bits of a trace" $?

# What is refused, and the setting that lets an unknown opcode pass.
sed 's/ MUFU.RCP / FROB.RCP /' "$work/small/kernel-1.traceg" >"$work/small/frob.traceg" 2>/dev/null ||
	xz -dc "$work/small/kernel-1.traceg.xz" | sed 's/ MUFU.RCP / FROB.RCP /' >"$work/small/frob.traceg"
"$WARPSTEP" -b "$work/small/frob.traceg" >"$work/out" 2>&1
[ $? = 2 ] && grep -q 'frob.traceg:[0-9]*:[0-9]*: unknown opcode .FROB.RCP.' "$work/out"
report "an unknown opcode names itself and its line" $?
printf 'gpu tiny\nset trace.unknown int\ntrace small/frob.traceg\n' >"$work/frob.scn"
"$WARPSTEP" -b "$work/frob.scn" >"$work/out" 2>&1
report "set trace.unknown int" $?
"$WARPSTEP" -b "$work/frob.scn" -e 'run --functional' >"$work/out" 2>&1
[ $? = 1 ] && grep -q 'no values' "$work/out"
report "no functional run" $?
"$WARPSTEP" -b "$work/frob.scn" -e 'launch mixed grid 1 block 32' >"$work/out" 2>&1
[ $? = 2 ] && grep -q 'kernel of a trace' "$work/out"
report "a trace is launched by itself alone" $?
"$WARPSTEP" -b "$work/frob.scn" -e 'step 300' -e hash -e restart -e 'step 300' -e hash -e 'step 10' -e undo -e hash >"$work/out" 2>&1 &&
	[ "$(grep -oE '^[0-9a-f]{16}$' "$work/out" | sort -u | wc -l)" = 1 ]
report "restart and undo" $?
# Kernels run one after another; if they may overlap, those of one stream still do, whatever came between (streams 5, 7, 9, 7).
sh tests/trace/generate "$work/streams" 2 2 4
number_of=0
for stream in 5 7 9 7; do
	number_of=$((number_of + 1))
	sed -i "s/^-cuda stream id = .*/-cuda stream id = $stream/" "$work/streams/kernel-$number_of.traceg"
done
printf 'gpu tiny\ntrace streams/kernelslist.g\n' >"$work/streams.scn"
printf 'set trace.overlap on\ngpu tiny\ntrace streams/kernelslist.g\n' >"$work/overlap.scn"
# starts SCENARIO: the cycles in which kernels begin
starts() {
	printf 'break event kernelstart\ncontinue\ncontinue\ncontinue\ncontinue\ncontinue\n' |
		"$WARPSTEP" -n -q --plain "$1" 2>/dev/null | sed -n 's/^cycle \([0-9]*\): breakpoint 1.*/\1/p' | tr '\n' ' '
}
starts "$work/streams.scn" >"$work/out"
awk '{ exit !(NF == 4 && $2 > $1 + 400 && $3 > $2 + 400 && $4 > $3 + 400) }' "$work/out"
report "kernels run one after another" $?
starts "$work/overlap.scn" >"$work/out"
awk '{ exit !(NF == 2 && $2 > $1 + 500) }' "$work/out"
report "trace.overlap: three streams at once, the second kernel of one after its first" $?

# Asynchronous copies: DEPBAR 0 waits for both, DEPBAR 1 for none; copies of no lane are over at once.
# copies WAIT MASK: cycles until a DEPBAR behind two copies has issued
copies() {
	sed "s/WAIT/$1/; s/LANES/$2/" tests/trace/copies.traceg >"$work/copies.traceg"
	printf 'set gpu.launch_latency 0\nrestart\nbreak pc 5\ncontinue\nprint $cycle\n' >"$work/copies.cmd"
	"$WARPSTEP" -n -q --plain "$work/copies.traceg" <"$work/copies.cmd" 2>"$work/err" | grep -x '[0-9]*' | tail -n 1
}
waits=$(copies 0 ffffffff) leaves=$(copies 1 ffffffff) none=$(copies 0 00000000)
[ "$waits" -gt $((leaves + 100)) ] && [ "$none" -lt $((leaves + 30)) ]
report "DEPBAR waits for copies: 0 for all, 1 for none ($waits, $leaves, $none)" $?
sed "s/WAIT/0/; s/LANES/ffffffff/" tests/trace/copies.traceg >"$work/copies.traceg"
"$WARPSTEP" -b "$work/copies.traceg" -e 'set gpu.launch_latency 0' -e restart -e 'step 100' -e why >"$work/out" 2>&1 &&
	grep -q 'long (long scoreboard), for' "$work/out" && grep -q 'the group closed 1 commit ago has 2 copies in flight' "$work/out" &&
	[ "$(grep -c '[12]: .*LDGSTS.*cache lines have not arrived' "$work/out")" = 2 ]
report "why names the copies" $?

# One-instruction traces: every kind is issued to its last record.
kinds=$(sed -n 's/^\([a-z][^ |]*\) .*/\1/p' tests/trace/kinds.txt)
none "kinds of one-instruction traces ($(echo "$kinds" | wc -l))" "$(for kind in $kinds; do
	sh tests/trace/generate "$work/kind" "$kind" 64 6 2 &&
		"$WARPSTEP" -b "$work/kind/kernelslist.g" -e 'set gpu.sms 2' -e restart >"$work/out" 2>&1 &&
		grep -q "^inst.warp  *$(grep -c '^[0-9a-f]\{4\} ' "$work/kind/kernel-1.traceg") " "$work/out" || echo "$kind"
done)"
sh tests/trace/generate "$work/kind" no.such.kind >"$work/out" 2>&1
[ $? = 1 ] && grep -q 'no kind' "$work/out"
report "a kind that is none" $?

# cycles KIND THREADS TIMES [SETTING...]: of its trace on one SM, without what launching takes
cycles() {
	sh tests/trace/generate "$work/kind" "$1" "$2" "$3"
	shift 3
	"$WARPSTEP" -b "$work/kind/kernelslist.g" -e 'set gpu.sms 1' -e 'set gpu.launch_latency 0' "$@" -e restart -e run \
		-e 'print kernel.0.cycles' 2>"$work/err" </dev/null | grep -x '[0-9]*'
}

# oldest KIND THREADS TIMES [SETTING...]: the same, where the oldest instruction goes to a unit first
oldest() { cycles "$@" -e 'set collector.order oldest'; }

# differ NAME A B WANT: B - A, within 2 of what is wanted
differ() {
	[ -n "$2" ] && [ -n "$3" ] && [ $(($3 - $2 - $4)) -ge -2 ] && [ $(($3 - $2 - $4)) -le 2 ]
	report "$1: $((${3:-0} - ${2:-0})), wanted $4" $?
}

# Numbers that follow from settings: 64 instructions that wait for one another take the latency each; between those of a sub-core's
# 4 warps, 256, are 255 intervals, if none is left behind until the others have to wait (collector.order); before 64 loads is one, which misses; of 64 copies each waits for that of N groups before.
differ "HMMA, 10 cycles slower" "$(cycles hmma.1688.dep 32 64 -e 'set lat.tensor 10')" "$(cycles hmma.1688.dep 32 64 -e 'set lat.tensor 20')" 640
differ "HMMA, every 4 cycles more" "$(oldest hmma.1688.ind 512 64 -e 'set unit.tensor.interval 4')" \
	"$(oldest hmma.1688.ind 512 64 -e 'set unit.tensor.interval 8')" 1020
differ "FFMA, 10 cycles slower" "$(cycles fp32.dep 32 64)" "$(cycles fp32.dep 32 64 -e 'set lat.fp32 12')" 640
differ "MUFU, every cycle more" "$(oldest sfu.ind 512 64)" "$(oldest sfu.ind 512 64 -e 'set unit.sfu.interval 9')" 255
differ "LDS, 10 cycles slower" "$(cycles lds.dep 32 64 -e 'set shared.latency 23')" "$(cycles lds.dep 32 64 -e 'set shared.latency 33')" 640
# copied KIND LATENCY: of 64 copies, each a group, whose lines hit the L1 after so many cycles
copied() { cycles "$1" 32 64 -e 'set ideal.l1d on' -e "set l1d.latency $2"; }
differ "LDGSTS, DEPBAR 0, 10 cycles slower" "$(copied ldgsts.group.0 20)" "$(copied ldgsts.group.0 30)" 640
differ "... DEPBAR 1: every second waits" "$(copied ldgsts.group.1 20)" "$(copied ldgsts.group.1 30)" 320
differ "... DEPBAR 4: every fifth" "$(copied ldgsts.group.4 20)" "$(copied ldgsts.group.4 30)" 130
differ "... no DEPBAR: none" "$(copied ldgsts 20)" "$(copied ldgsts 30)" 10
differ "16 bytes of one address, 3 cycles less if first words count" "$(oldest lds.128.same 512 64 -e 'set shared.first_word on')" \
	"$(oldest lds.128.same 512 64 -e 'set shared.first_word off')" $((3 * 16 * 64))
differ "L1, 10 cycles slower" "$(cycles ldg.hit.dep 32 64 -e 'set l1d.latency 22')" \
	"$(cycles ldg.hit.dep 32 64 -e 'set l1d.latency 32')" 640

# The code pane has no columns that a trace cannot fill; the lines of the source where the tracer wrote them.
echo 'show code 70x6' | "$WARPSTEP" -n -q --plain "$work/small.scn" >"$work/out" 2>&1
grep -q 'instruction .*reconv  *warps' "$work/out" && ! grep -q 'line' "$work/out"
report "no empty columns in the code pane" $?
sed "s/WAIT/0/; s/LANES/ffffffff/; s/lineinfo = 0/lineinfo = 1/; s/^\(00[0-7]0 ffffffff\)/17 \1/" tests/trace/copies.traceg >"$work/lines.traceg"
printf 'show code 70x6\ninfo kernel 0\nstep 5100\nwhy\n' | "$WARPSTEP" -n -q --plain "$work/lines.traceg" >"$work/out" 2>&1 &&
	grep -q 'line instruction' "$work/out" && [ "$(grep -c ' 17$' "$work/out")" = 8 ]
report "lines of the source" $?
exit $failed
