# The microbenchmarks measure what they say: numbers that follow from a preset's settings by hand come out, and move as the settings do;
# every bench's program loads; published.tsv is in order.
. tests/tap
OUT=$LOG/silicon
export OUT
here=tests/silicon
mkdir -p "$OUT" && cp $here/plain.gpu "$OUT"

# No setting below changes how many SMs plain.gpu has, nor its clock.
BENCH_MACHINE=$(sh tests/silicon.sh run ./plain.gpu none | awk '{ print $4, $6 }')
export BENCH_MACHINE

# The laws are read twice: once for the benches that they ask for, which run then, once for their values.
# value PRESET NAME: what a bench shows there
value() {
	if [ -z "$judging" ]; then
		echo "$1 $2" >>"$OUT/asked"
	elif read -r value <"$OUT/kept/${1#./}.$2"; then
		echo "$value"
	fi
}

# near NAME VALUE WANT: within one percent; within NAME VALUE LOW HIGH. A value may be a difference: A less B.
near() { [ -z "$judging" ] || printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$OUT/checks"; }
within() { [ -z "$judging" ] || printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" >>"$OUT/checks"; }
less() { echo "$1 less $2"; }
# judge: the results of all, by TAP
judge() {
	awk -F '\t' '
		function number(text, part) { return split(text, part, " less ") == 2 ? part[1] - part[2] : text }
		function missing(text) { return text ~ /^$|^ |-$| $/ }
		{
			wanted = NF > 3 ? $3 ".." $4 : number($3)
			low = NF > 3 ? $3 : 0.99 * number($3)
			high = NF > 3 ? $4 : 1.01 * number($3)
			none = missing($2) || missing($3)
			print (!none && number($2) >= low && number($2) <= high ? 0 : 1), $1 ": " (none ? "no value" : number($2)) ", wanted " wanted
		}' "$OUT/checks" >"$OUT/judged"
	while read -r status text; do report "$text" "$status"; done <"$OUT/judged"
	: >"$OUT/checks"
}

laws() {
	# An instruction reads its operands for a cycle, then has its latency; two operands of two banks cost no more.
	near "a dependent addition: lat.int and a cycle" "$(value ./plain.gpu,lat.int=2 int.add.lat)" 3
	near "... of 6 cycles" "$(value ./plain.gpu,lat.int=6 int.add.lat)" 7
	near "a dependent product: lat.fp32 and a cycle" "$(value ./plain.gpu,lat.fp32=5 fp32.mul.lat)" 6
	near "a dependent special function" "$(value ./plain.gpu,lat.sfu=30 sfu.rcp.lat)" 31
	near "a dependent shuffle" "$(value ./plain.gpu,lat.shfl=11 shfl.lat)" 12

	# Four sub-cores with a unit each, a warp in so many cycles.
	within "additions: 4 x 32 lanes in 2 cycles" "$(value ./plain.gpu int.add.thr)" 62 64
	within "... in 4 cycles" "$(value ./plain.gpu,unit.int.interval=4 int.add.thr)" 31 32
	within "special functions: 4 x 32 lanes in 8 cycles" "$(value ./plain.gpu sfu.rcp.thr)" 15.8 16
	within "doubles: 4 x 32 lanes in 4 cycles" "$(value ./plain.gpu fp64.fma.thr)" 31 32

	# Tensor cores. Steps that know nothing of each other wait for results; those of one instruction follow each other in
	# lat.tensor_step (and a cycle for three operands of two banks), whatever lat.tensor; steps of 1024 products, doubles of 256.
	near "m16n8k16: two latencies of a step" "$(value ./plain.gpu,lat.tensor=30 tensor.m16n8k16.f16.f32.lat)" "$(value ./plain.gpu,lat.tensor=30 tensor.m16n8k8.f16.f32.lat | awk '{ print 2 * $1 }')"
	deep=$(less "$(value ./plain.gpu,lat.tensor=30,lat.tensor_step=9 tensor.m16n8k16.f16.f32.lat)" "$(value ./plain.gpu,lat.tensor=30,lat.tensor_step=9 tensor.m16n8k8.f16.f32.lat)")
	within "... or one and a step" "$deep" 9 10.3
	within "... 5 cycles longer" "$(less "$(value ./plain.gpu,lat.tensor=30,lat.tensor_step=14 tensor.m16n8k32.s8.lat)" "$(value ./plain.gpu,lat.tensor=30,lat.tensor_step=14 tensor.m16n8k16.s8.lat)")" 14 15.4
	within "products of m8n8k4: 4 cores of 1024 in 8 cycles" "$(value ./plain.gpu,lat.tensor_step=8,unit.tensor.interval=8 tensor.m8n8k4.f16.thr)" 470 512
	within "... of doubles: 4 cores of 256 in 16" "$(value ./plain.gpu,unit.tensor.f64_interval=16 tensor.m8n8k4.f64.thr)" 62 64.5
	near "... whose latency is their own" "$(less "$(value ./plain.gpu,lat.dmma=40 tensor.m8n8k4.f64.lat)" "$(value ./plain.gpu,lat.dmma=30 tensor.m8n8k4.f64.lat)")" 10.16

	# Halves are done where and as fp32 is, unless they have times or units of their own.
	near "halves: lat.fp32" "$(value ./plain.gpu,lat.fp32=9 half2.fma.lat)" "$(value ./plain.gpu,lat.fp32=9 fp32.fma.lat)"
	near "... or lat.half" "$(less "$(value ./plain.gpu,lat.half=9 half2.fma.lat)" "$(value ./plain.gpu,lat.half=6 half2.fma.lat)")" 3.01
	within "halves: 4 x 64 in 2 cycles" "$(value ./plain.gpu,sm.banks=8 half2.fma.thr)" 125 128
	within "... in one" "$(value ./plain.gpu,sm.banks=8,unit.half.interval=1 half2.fma.thr)" 240 256
	within "... that a unit of their own needs no less" "$(value ./plain.gpu,sm.banks=8,unit.half.count=1,unit.half.interval=4 half2.fma.thr)" 62 64

	# Two instructions of a fetch, and a cycle without; or none, if it is decoded at once.
	within "barriers, two in three cycles" "$(value ./plain.gpu,fetch.insts=2 barrier.w1)" 1.5 1.55
	within "... one in each" "$(value ./plain.gpu,fetch.insts=2,fetch.direct=1 barrier.w1)" 1 1.05

	# A loop whose branch waits for its unit; one unit in five cycles is no reason to wait. A sub-core has its own.
	near "a branch in 40 cycles: so long takes a turn" "$(value ./plain.gpu,unit.branch.count=1,unit.branch.interval=40 branch.loop)" 40
	near "... in 5" "$(value ./plain.gpu,unit.branch.count=1,unit.branch.interval=5 branch.loop)" "$(value ./plain.gpu branch.loop)"
	near "... two that diverge, and one at the end, 40 cycles each" "$(value ./plain.gpu,unit.branch.count=1,unit.branch.interval=40 branch.diverge)" 120

	# Two or three operands, of two banks: a window of two cycles hides the second read. Stages around the units are latency of all.
	near "a product and a sum, three operands: another read" "$(value ./plain.gpu,lat.fp32=2 fp32.fma.lat)" 4
	near "... in the window that two operands have, too" "$(value ./plain.gpu,lat.fp32=2,collector.window=2 fp32.fma.lat)" 4
	near "... two operands" "$(value ./plain.gpu,lat.fp32=2,collector.window=2 fp32.mul.lat)" 4
	near "... three cycles of three" "$(value ./plain.gpu,lat.fp32=2,collector.window=3 fp32.mul.lat)" 5
	near "stages: 2 + 4 cycles and a read" "$(value ./plain.gpu,lat.int=2,lat.pipe=4 int.add.lat)" 7
	near "... of another class" "$(value ./plain.gpu,lat.sfu=20,lat.pipe=4 sfu.rcp.lat)" 25
	within "... and of tensor cores" "$(less "$(value ./plain.gpu,lat.tensor_step=5,lat.pipe=9 tensor.m16n8k16.f16.f32.lat)" "$(value ./plain.gpu,lat.tensor_step=5 tensor.m16n8k16.f16.f32.lat)")" 8.9 9.2
	step=$(less "$(value ./plain.gpu,collector.window=2,lat.tensor_step=8 tensor.m16n8k16.f16.f32.lat)" "$(value ./plain.gpu,collector.window=2,lat.tensor_step=8 tensor.m16n8k8.f16.f32.lat)")
	within "a step of 8 cycles whose operands are read in the window" "$step" 8 8.2

	# The register cache: of three operands two are the same in every instruction, so that two banks need no cycle and a half for them,
	# nor a chain a second cycle, or of one bank a third.
	ports=unit.fp32.interval=1,unit.half.interval=1,sm.collectors=4
	within "three operands of two banks: 128 lanes in 1.5 cycles" "$(value ./plain.gpu,$ports fp32.fma.thr)" 82 86
	within "... two of which the register cache has: in one" "$(value ./plain.gpu,$ports,collector.reuse=on fp32.fma.thr)" 120 128
	within "... and twice as many halves" "$(value ./plain.gpu,$ports,collector.reuse=on half2.fma.thr)" 240 256
	near "a chain of three operands: a read less" "$(value ./plain.gpu,collector.reuse=on fp32.fma.lat)" 3.015
	near "... of one bank: three reads" "$(value ./plain.gpu,sm.banks=1 fp32.fma.lat)" 5.015
	near "... or one" "$(value ./plain.gpu,sm.banks=1,collector.reuse=on fp32.fma.lat)" 3.02

	# Conflicts take a cycle each; 32 banks give 4 bytes in a cycle; latencies of caches show. (Of n loads the last
	# one's conflict is counted too, its latency is not: clk/(n-1) is a little high.)
	free=$(value ./plain.gpu shared.lat)
	within "8 lanes at one bank: 7 cycles more" "$(less "$(value ./plain.gpu shared.lat.c8)" "$free")" 7 7.12
	within "32 lanes at one bank: 31 cycles more" "$(less "$(value ./plain.gpu shared.lat.c32)" "$free")" 31 31.5
	within "... at two cycles a way: 14" "$(less "$(value ./plain.gpu,shared.conflict=2 shared.lat.c8)" "$free")" 14 14.25
	within "... the result a cycle later for each: 14" "$(less "$(value ./plain.gpu,shared.conflict_latency=1 shared.lat.c8)" "$free")" 14 14.25
	near "... the banks are free as soon" "$(value ./plain.gpu,shared.conflict_latency=1 shared.rate.c8)" "$(value ./plain.gpu shared.rate.c8)"
	near "an atomic's 32 lanes at one address take no turns" "$(value ./plain.gpu atom.shared.addr)" "$(value ./plain.gpu atom.shared.own)"
	within "... or 3 cycles each" "$(less "$(value ./plain.gpu,shared.atomic=3 atom.shared.addr)" "$(value ./plain.gpu atom.shared.addr)")" 91 93
	turns=./plain.gpu,shared.atomic=1
	within "32 lanes that add to a word of each of 16 warps: 32 cycles" "$(value $turns red.shared.own32)" 31 33
	near "... one each: as many" "$(value $turns red.shared.oner32)" "$(value $turns red.shared.own32)"
	within "... counted: one, as if each had a word of its own" "$(value $turns,shared.count_ones=on red.shared.oner32)" 1 1.1
	near "... which nothing else is" "$(value $turns,shared.count_ones=on red.shared.own32)" "$(value $turns red.shared.own32)"
	wait=./plain.gpu,shared.atomic_wait=on
	near "a warp that waits for each: shared.latency and 2 cycles of its way" "$(value $wait atom.shared.own)" 22
	within "... 10 cycles slower, 31 lanes that take turns of 2" "$(less "$(value $wait,shared.latency=30,shared.atomic=2 atom.shared.addr)" "$(value $wait atom.shared.own)")" 71 73
	within "a memory instruction every other cycle: 64 bytes in a cycle" "$(value ./plain.gpu,lsu.interval=2 shared.bw.4)" 60 64
	near "... of 16 bytes a lane takes four anyhow" "$(value ./plain.gpu,lsu.interval=2 shared.bw.16)" "$(value ./plain.gpu shared.bw.16)"
	within "... loads that hit the L1, too" "$(value ./plain.gpu,lsu.interval=2 l1.bw.4)" 58 65
	near "shared memory 9 cycles slower" "$(less "$(value ./plain.gpu,shared.latency=29 shared.lat)" "$free")" 9
	within "shared memory: 128 bytes in a cycle" "$(value ./plain.gpu shared.bw.4)" 120 128
	near "the L1 10 cycles slower" "$(less "$(value ./plain.gpu,l1d.latency=30 l1.lat)" "$(value ./plain.gpu l1.lat)")" 10
	within "DRAM 50 cycles of 850 MHz slower, 66.6 of the SM's 1132" "$(less "$(value ./plain.gpu,dram.latency=150 dram.lat)" "$(value ./plain.gpu dram.lat)")" 66 68

	within "ld.cg finds nothing in an L1 that has the line: the L2's 50 cycles more" "$(less "$(value ./plain.gpu,l2.latency=210 l2.cg.lat)" "$(value ./plain.gpu l2.cg.lat)")" 50 51

	# (Of 64 reductions 63 wait for others.) A warp of an SM sends 32 bytes of a reduction in a cycle. Lanes that meet at one address take their turns; a warp that waits for its
	# reductions sees the round trip of each.
	within "a reduction to one line: 4 cycles of the port" "$(value ./plain.gpu red.line.w16)" 4 4.25
	within "31 lanes that find another, a clock each" "$(value ./plain.gpu,l2.atomic_lanes=1 red.addr.w1)" 32 35
	near "... 5 clocks each" "$(less "$(value ./plain.gpu,l2.atomic_lanes=5 red.addr.w1)" "$(value ./plain.gpu,l2.atomic_lanes=1 red.addr.w1)")" 122.06
	near "floating-point additions, 3 clocks each" "$(less "$(value ./plain.gpu,l2.atomic_lanes=1,l2.atomic_float=3 red.f32.w1)" "$(value ./plain.gpu,l2.atomic_lanes=1 red.f32.w1)")" 61.03
	within "32 lanes parted: a cycle of the port each" "$(value ./plain.gpu,lsu.atomic_split=on,l2.atomic_lanes=5 red.addr.w1)" 32 35
	within "... four at 8 bytes a cycle" "$(value ./plain.gpu,lsu.atomic_split=on,icnt.bytes=8 red.addr.w1)" 128 132
	near "... a line's lanes that do not meet stay together" "$(value ./plain.gpu,lsu.atomic_split=on red.line.w16)" "$(value ./plain.gpu red.line.w16)"
	alone=$(value ./plain.gpu,sm.atomic_wait=on red.line.w1)
	within "a warp waits for each reduction: the L2's latency and the crossbar's, twice 10" "$alone" 180 190
	near "... 50 cycles more" "$(less "$(value ./plain.gpu,sm.atomic_wait=on,l2.latency=210 red.line.w1)" "$alone")" 50
	near "... four warps at a time" "$(value ./plain.gpu,sm.atomic_wait=on red.line.w4)" "$(echo "$alone" | awk '{ print $1 / 4 }')"
	# Barriers: an arrival every barrier.interval cycles, then barrier.latency (32 warps are fetched for beside it).
	unit=./plain.gpu,barrier.latency=22,barrier.interval=2
	near "a barrier of one warp: the next issue after barrier.latency" "$(value $unit barrier.w1)" 23
	near "... of 4 warps: three arrivals more" "$(value $unit barrier.w4)" 29
	near "... of 16" "$(value $unit barrier.w16)" 53
	within "... of 32" "$(value $unit barrier.w32)" 85 88

	# All SMs read what is in the L2: 64 slices of 32 bytes, if answers need not wait for others' ports; of 8 and of 16. Head
	# of line, ports stand still for a good part of the time.
	within "64 slices of 32 bytes" "$(value ./plain.gpu,icnt.pass=64 l2.bw.4)" 1640 2048
	within "... head of line" "$(value ./plain.gpu l2.bw.4)" 800 1640
	within "64 slices of 8 bytes" "$(value ./plain.gpu,icnt.pass=64,icnt.answer_bytes=8 l2.bw.4)" 410 512
	within "64 slices of 16 bytes" "$(value ./plain.gpu,icnt.pass=64,icnt.bytes=16 l2.bw.4)" 820 1024

	# Copies in groups of one: each waits for its hit in the L1; those that go past it for the L2, for that of the fifth before, or the last
	# one alone.
	near "copies one by one, the L1 10 cycles slower: each 10 more" \
		"$(less "$(value ./plain.gpu,l1d.latency=30 async.lat)" "$(value ./plain.gpu async.lat)")" 10
	within "five groups on their way, an L2 50 cycles slower: a fifth of that" \
		"$(less "$(value ./plain.gpu,l2.latency=210 async.groups)" "$(value ./plain.gpu async.groups)")" 9.5 11
	near "no groups: 50 for all 32" "$(less "$(value ./plain.gpu,l2.latency=210 async.whole)" "$(value ./plain.gpu async.whole)")" 1.5625

	# An L2 in two halves, 100 cycles apart: what an SM has read it has near by; of 64 lines that nobody has read half are far.
	near "halves: the second time all is near" "$(value ./plain.gpu,l2.halves=2,l2.far=100 l2.lat)" "$(value ./plain.gpu l2.lat)"
	within "... the first time half of it is far" "$(less "$(value ./plain.gpu,l2.halves=2,l2.far=100 dram.lat)" "$(value ./plain.gpu dram.lat)")" 40 60
}

mkdir -p "$OUT/kept" && rm -f "$OUT"/kept/* "$OUT/asked" "$OUT/checks"
judging=
laws
sort -u "$OUT/asked" >"$OUT/pairs"
sh tests/silicon.sh many <"$OUT/pairs" >"$OUT/values"
paste "$OUT/pairs" "$OUT/values" | while read -r preset name same value unit; do
	[ "$name" = "$same" ] && echo "$value" >"$OUT/kept/${preset#./}.$name"
done
judging=1
laws
judge

sh tests/silicon.sh write
none "every program loads" "$(sed "s|^\([^ ]*\).*|info module $OUT/\1.ptx|" "$OUT/launches" | "$WARPSTEP" -n -q --keep-going 2>&1 |
	awk -v wanted="$(grep -c . "$OUT/launches")" '/ kernels can be run$/ { ran += $2 == $4 && $4 > 0; next } /^[^ ]*:/ || /not supported/
		END { if (ran != wanted) print ran " of " wanted }')"
cut -d " " -f 1 "$OUT/launches" >"$OUT/names"
none "published: device, bench, value, unit, source, address, how sure" "$(awk -F '\t' '
	FNR == NR { known[$1]; next }
	/^#/ { next }
	NF != 7 || !($2 in known) || $5 == "" || $6 !~ /^https:/ || $7 !~ /^(read|quoted|other|not found)$/ || ($3 != "" && $3 !~ /^[0-9.]+$/) ||
		($7 == "not found" && $3 != "") { print FNR ": " $2 }' "$OUT/names" $here/published.tsv)"

# One-instruction traces beside Accel-Sim: its cycles are those of the runs that peer.sh makes, and come from what it prints.
none "peer.tsv: rows of the runs, of configurations that a preset has" "$(awk -F '\t' '/^#/ { next } { print $1 }' $here/peer.tsv | sort -u |
	while read -r config; do
		grep -q "	$config$" $here/devices.tsv || echo "$config: no preset"
		awk -F '\t' -v config="$config" '$1 == config { print $3, $4, $5, $6, $7, $9 }' $here/peer.tsv >"$OUT.rows"
		sh tests/peer.sh runs | diff - "$OUT.rows" | head -n 3
	done
	awk -F '\t' '/^#/ { next } NF != 9 || $2 == "" || $8 !~ /^([1-9][0-9]*|-)$/ { print FNR }' $here/peer.tsv)"
printf '%s\n' '#!/bin/sh' "grep -qx -e '-gpgpu_n_clusters 1' run.config && grep -qx -e '-some 1' run.config || exit 1" \
	'echo "gpu_sim_cycle = 42"' >"$OUT/accel-sim" && chmod +x "$OUT/accel-sim"
printf '%s' '-some 1' >"$OUT/some.config"
none "peer.sh theirs keeps what the simulator prints" "$(KINDS=bar sh tests/peer.sh theirs "$OUT/accel-sim" CONFIG commit "$OUT/some.config" \
	"$OUT/some.config" | awk -F '\t' '$1 != "CONFIG" || $2 != "commit" || $8 != 42; END { if (NR != 11) print NR " rows" }')"
sh tests/peer.sh ours qv100 bar >"$OUT.out"
awk 'NR > 1 && $1 == "bar" && $4 > 100 && $5 > 100 { n++ } END { exit n != 3 }' "$OUT.out"
report "peer.sh ours: ours, theirs and the difference" $?
# 20000 cycles for 256 additions, 1000 for none, of 512 threads.
near "the value of a bench from a trace: its cycles without those of no repetition" "$(
	mkdir -p "$OUT/here/tests/silicon"
	for file in tests/trace tests/silicon.sh tests/peer.sh; do ln -sfn "$PWD/$file" "$OUT/here/$file"; done
	for file in benches.txt gen.awk; do ln -sfn "$PWD/$here/$file" "$OUT/here/$here/$file"; done
	printf 'C\tx\tint.add.thr\tint.ind\t512\t1\t256\t20000\nC\tx\t-\tint.ind\t512\t1\t0\t1000\n' >"$OUT/here/$here/peer.tsv"
	cd "$OUT/here" && OUT=. && sh tests/peer.sh raw C >raw && sh tests/silicon.sh values raw | cut -f 2)" 6.9
judge
exit $failed
