#!/bin/sh
# Wherever a sitting has been, the machine in a cycle is the one of a run that only went forward. Drawn at random: a scenario, a machine,
# settings, a few changes on the way; then ten walks through all that moves, shows or asks, each of which ends where the straight run does
# and must find its hash. WARPSTEP_SEEDS="FROM TO": other draws than these few (10,000 of them are 100,000 walks).
. tests/tap
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# Short runs, most mechanisms among them.
scenes="scenarios/barriers scenarios/bfs scenarios/bitonic scenarios/cutcp scenarios/default scenarios/faults/barrier scenarios/faults/overflow
scenarios/hotspot scenarios/latency scenarios/match scenarios/multi/fragmentation scenarios/particles scenarios/reduce scenarios/saxpy
scenarios/scan scenarios/shuffle scenarios/spmv scenarios/subcore/control-bits scenarios/subcore/two-kinds scenarios/tlp/vt-figure5
scenarios/tlp/vt-types scenarios/tlp/vt-writeback scenarios/turns scenarios/vecadd scenarios/vws/skew tests/laws/atomics
tests/laws/barriers tests/laws/constants tests/laws/control tests/laws/evws tests/laws/gvws tests/laws/halves tests/laws/later
tests/laws/leftover tests/laws/many tests/laws/memory tests/laws/modern tests/laws/products tests/laws/readers tests/laws/reuse
tests/laws/sectors tests/ptx/dot tests/ptx/families tests/ptx/handover tests/ptx/histogram tests/ptx/spill tests/ptx/swaploop
tests/ptx/textures"

# What is known before the first cycle, refused lines too: a machine, then settings of it.
cat >"$work/machines" <<'X'
gpu tiny
gpu volta sms 2
gpu a100 sms 2
gpu h100 sms 3
gpu fermi sms 2
gpu vws
gpu i-vws
gpu e-vws
gpu ws4
gpu ws32
gpu chimera sms 4
gpu monolithic
X
cat >"$work/before" <<'X'
set sm.subcores 2
set sm.warps 16
set engine.threads 2
set engine.order 3
set l1d.bytes 16384
set l2.slices 2
set dram.channels 1
set lat.int 9
set stats.lines on
policy order=lrr
policy order=two-level
policy order=oldest
policy resident=vt
policy resident=rmwgvws
policy blocks=dyncta
policy order=ccws
policy throttle=ccws
policy preempt=chimera
set preempt.delay 40
set texture.bytes 4096
X
# What changes the machine on the way.
cat >"$work/changes" <<'X'
set lat.int 11
set lat.fp32 2
set lat.sfu 30
set dram.latency 90
set lat.[fi]* 5
policy order=lrr
policy order=gto
policy order=oldest
with lat.int 20 -- step 30
set var sm[0].warp[1].reg[3][1] = 5
set var sm[0].warp[0].reg[0][0] = 7
preempt save 0 0
preempt flush 0 1
set issue.width 2
focus warp 1
X
# What moves, shows and asks; # is a number below the end, @ one below forty. Lines of a block are joined by |.
cat >"$work/ways" <<'X'
goto #
goto #
goto 0
goto +@
goto -@
step @
step
step -s issue
step -s memory
stepi @
reverse-step @
reverse-step
reverse-stepi @
next
next 3
next l1dmiss
next ctaend
reverse-next
reverse-next 4
reverse-next barrier
finish
finish cta
back
back
forward
until #
until inst.warp >= 200
while inst.warp < 300
advance pc @
set lat.sfu 33|undo
checkpoint a
goto a
checkpoint b #
goto b
tbreak event ctaend|continue
tbreak event diverge|continue|continue
break pc @|continue|reverse-continue|delete
break stall long for 9|continue|continue|reverse-continue|delete
break cycle #|commands|silent|print warp[0].pc|end|run|delete
break if l1d.misses > @|continue|reverse-continue|delete
watch l1d.misses|continue|step|reverse-continue|delete
watch rise sm[0].ctas|continue|reverse-continue|delete
dprintf ctastart if cta > 2, "CTA %d", cta|goto #|delete
why
why warp @
why cta @
why slot 0.0
backtrace
follow load
follow
explain ipc
stats
stats all
stats lines
history
info warps
info ctas
info breakpoints
display ipc
focus warp @
focus sm 0 sub 0 warp @
print warp[1].reg[2][0]
x/4xw @
list
layout banks
layout wide
layout multi
layout memory
layout code
show stats
show warps
show timeline
show floor
show heat
screen dump /dev/null
save session /dev/null
set time.zoom @
set code.lane 3
filter warps long
sort warps -wait
hash
with stats.lines on -- step @
floor color ipc
spark ipc
X
# The same that repeats the run in a copy, which takes time: one in ten.
cat >"$work/asks" <<'X'
why warp 1 at #
when warp @ in long
when inst.warp > @
who wrote r1
who read shared.u32[1]
origin r2 lane @
origin r4
effects for 200
effects load
critical
compare order=gto|compare end
alone
X

# draw SEED LENGTH: $work/begin, what comes before the first cycle; straight, the run that only goes forward; walks, the ten.
draw() {
	awk -v seed="$1" -v last="$2" -v out="$work/" '
		function below(n) { return int(rand() * n) }
		function one(kind, n) { return line[kind, below(count[kind])] }
		function way(text) {
			text = one(below(10) ? "ways" : "asks")
			while (sub(/#/, below(end + 20), text)) ;
			while (sub(/@/, 1 + below(40), text)) ;
			gsub(/\|/, "\n", text)
			return text
		}
		function wander(n, i) { for (i = 0; i < n; i++) print way() > (out "walks") }
		FNR == 1 { n = split(FILENAME, part, "/"); kind = part[n] }
		{ line[kind, count[kind]++] = $0 }
		END {
			srand(seed)
			end = rand() < .5 ? below(last) + 1 : last + 1000
			printf "" > (out "begin")
			if (below(6)) print one("machines") > (out "begin")
			for (i = below(4); i > 0; i--) print one("before") > (out "begin")
			at = 0
			for (i = below(4); i > 0; i--) {
				at += below((end - at) / 2 + 1)
				move = "goto " at (below(3) ? "" : "\nstep -s issue") "\n" one("changes")
				wander(4)
				print move > (out "straight")
				print move > (out "walks")
			}
			print "delete\ngoto " end "\necho THERE\nhash" > (out "straight")
			for (w = 1; w <= 10; w++) {
				wander(8)
				print "delete\ngoto " end "\necho THERE\nhash" > (out "walks")
			}
		}' "$work/machines" "$work/before" "$work/changes" "$work/ways" "$work/asks"
}

# sits LINES: the drawn scenario, what comes before, then these lines; the hashes behind each THERE.
sits() {
	cat "$work/begin" "$1" | (ulimit -t 600 && exec "$WARPSTEP" -q -n --plain --trust "$scene" 2>&1) | grep -aA1 '^THERE$' | grep -av '^THERE$\|^--$'
}

# shellcheck disable=SC2086
set -- ${WARPSTEP_SEEDS:-1 6}
seed=$1
while [ "$seed" -le "$2" ]; do
	scene=$(echo $scenes | tr ' ' '\n' | awk -v seed="$seed" '{ name[NR] = $0 } END { srand(seed); rand(); print name[1 + int(rand() * NR)] ".scn" }')
	length=$(printf 'run\necho THERE\nprint gpu.cycle\n' | "$WARPSTEP" -q -n --plain --trust "$scene" 2>&1 | sed '1,/^THERE$/d' | tail -n 1)
	draw "$seed" "$length"
	straight=$(sits "$work/straight")
	case $straight in # settings that refuse each other
	*[!0-9a-f]*) : >"$work/begin" && straight=$(sits "$work/straight") ;;
	esac
	sits "$work/walks" >"$work/ends"
	[ -n "$straight" ] && [ "$(grep -c -x -F -e "$straight" "$work/ends")" = 10 ] && [ "$(wc -l <"$work/ends")" = 10 ]
	report "seed $seed: ten walks through $scene end where a straight run does" $? "$straight is not: $(sort "$work/ends" | uniq -c | tr '\n' ' ')"
	seed=$((seed + 1))
done
exit $failed
