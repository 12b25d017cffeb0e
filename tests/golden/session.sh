#!/bin/sh
# Sittings drawn at random come back: `save session`, then the script; state, stops, displays, screen and the next script are the same, and
# what is said when they go on.
# WARPSTEP_SEEDS="FROM TO": other draws than these.
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
. "$root/tests/tap"

# What may be typed: a line each, those of a block joined by |. Nothing numbered is deleted, for that numbers the others anew.
cat >lines <<'X'
goto 300
goto 1200
step 17
step -s issue
reverse-step 40
set lat.fp32 9
set lat.int 3
set time.zoom 2
set stats.lines on
set lat.[fi]* 6
with lat.int 20 -- step 50
with lat.fp32 2 -- goto 900
with lat.int 7 -- goto 100
with stats.lines on -- step 3
policy order=lrr
policy order=rba
break stall long for 20 as slow if kernel == 0
break stall long -> issued if warp == 3
break matmul.cu:17
break $L__BB0_2
break event release
break lost pipeline for 4
break conflict bank 1 depth 2 as crowd
break imbalance for 3
break if l1d.misses > 100
break cycle 5000
tbreak cycle 6000
tbreak watch mem.lines
watch above 5 l1d.misses
watch fall sm[0].ctas if cycle > 100
dprintf ctastart if cta > 2, "CTA %d\tof %s", cta, sm
commands 1|silent|print warp[0].pc|end
commands 2|info warps|continue|end
ignore 1 3
ignore 2 70
condition 1 warp == 4
disable 1
disable 3
enable 1
display/x gpu.cycle
display ipc
display sm[0].warp[3].pc
define twice|step|step|end
document twice|Two steps.|end
alias go = goto
alias hot = info warps
checkpoint here
checkpoint there 250
layout banks
layout wide
layout mine = warps*2+banks:3 console
pane warps
pane console
pane next
pane zoom
winheight +3
winheight -1
key x = step 10
key "#" = stats slots.*
key s =
filter warps fetch
filter stats "a \"b\\"
sort warps -wait
focus sm 0 sub 1 warp 5
focus sm 0 sub 0 warp 2
set var reg[4][0] = 40
set var reg[3][1] = $warp
set var c[$warp] = -1.5
data c[7] as s16
data shared|data +5
data as hex
layout data
set registers.format float
stepi 7
next 2
undo
preempt save 0 0
preempt flush 0 1
policy order=oldest
policy order=gto throttle=ccws
policy resident=vt
set sm.warps 32
set l1d.bytes 16384
set dram.latency 90
set stats.lines off
set engine.threads 2
set var shared.f32[2] = 4
set var shared.u32[1] = 0xffffffff
set var pred[0] = 0x0f
set var sm[0].warp[1].reg[2][5] = 9
buffer zz u32[10] iota 3
restart
spark ipc
spark l1d.misses
floor color ipc
layout floor
layout code
set code.lane 3
set step.cycles 5
back
forward
reverse-next
reverse-continue
continue
finish cta
repeat i 0..2|step|end
show stats
list 12
follow load
sort stats name
gpu tiny
gpu volta sms 2
launch matmul16 grid 2,2 block 16,16 args a b c 64
reload
set gpu.sms 2
set issue.width 2
set check.races on
set lat.sfu 30
expect cycle >= 0
finish
until inst.warp >= 900
goto kernel matmul16
repeat i 1..3|set lat.int $i|step|end
X

# sitting SEED: thirty of them.
sitting() {
	awk -v seed="$1" 'BEGIN { srand(seed) } { line[NR] = $0 } END { for (i = 0; i < 30; i++) print line[1 + int(rand() * NR)] }' lines |
		tr '|' '\n'
}
# further SEED: what is typed after it has been saved; where it has been before is not saved, nor how long a breakpoint was nearly met.
further() {
	echo 'step 1'
	awk -v seed="$1" 'BEGIN { srand(seed + 5000000) } !/^(undo|back|forward|reload)/ { line[++n] = $0 }
		END { for (i = 0; i < 12; i++) print line[1 + int(rand() * n)] }' lines | tr '|' '\n'
	printf 'delete\ngoto 700\nfocus\nhash\n'
}
# scene SEED: most on the default one.
scene() {
	case $(($1 % 8)) in
	1) echo "$root/scenarios/multi/fragmentation.scn" ;;
	2) echo "$root/scenarios/vws/skew.scn" ;;
	3) echo "$root/scenarios/bfs.scn" ;;
	*) echo "$root/scenarios/default.scn" ;;
	esac
}
# What lies ahead of where the machine has gone back to is not saved: an input forgets it at the end of every sitting. Nor are the
# places that it stood at (dots of the timeline, over ticks, too), and that there is no machine: what is saved of it makes one.
# The screen without its console, which is full, the name of the file that made it, and the marks of what has changed since the machine
# stood elsewhere; not at the start of a run, where what has been printed decides which panes there are. What is known of the session.
printf 'repeat i 0..60\necho .\nend\n' >rows
cat >ask <<'X'
info display
info checkpoints
info policy
alias
key x
help twice
hash
X
# shellcheck disable=SC2086
for seed in $(seq ${WARPSTEP_SEEDS:-24}); do
	rm -f one.scn two.scn
	(sitting $seed; echo 'set lat.sfu 17'; echo hash; echo 'save session one.scn'; cat rows; echo 'screen dump one.screen'; echo 'echo ASKED'; cat ask; echo info breakpoints; further $seed) |
		"$WARPSTEP" -q -n --plain "$(scene $seed)" >one 2>&1
	(echo 'save session two.scn'; cat rows; echo 'screen dump two.screen'; echo 'echo ASKED'; cat ask; echo info breakpoints; further $seed) |
		"$WARPSTEP" -q -n --plain --trust -x one.scn >two 2>&1
	for out in one two; do
		sed '1,/^ASKED$/d; s/^[^ ]*:[0-9]*:[0-9]*: //; s/: the longest lasted .*//' $out >$out.said
		sed 's/[·│]/ /g; /^. console/,$d; s/^. notes .*//; s/\*/ /g' $out.screen >$out.panes
		! grep -q '  cycle 0  ' $out.screen || echo 'at the start' >$out.panes
	done
	holds "sitting $seed is saved" test -s one.scn
	holds "sitting $seed comes back as it was and goes on alike" diff one.said two.said
	holds "sitting $seed shows the same panes" diff one.panes two.panes
	holds "sitting $seed is saved alike" diff one.scn two.scn
done

# comes_back NAME SCENARIO LINE...: a sitting of these lines.
comes_back() {
	name=$1 path=$2
	shift 2
	printf '%s\n' "$@" 'save session one.scn' 'echo ASKED' 'info breakpoints' focus hash | "$WARPSTEP" -q -n --plain --trust "$path" >one 2>&1
	printf '%s\n' 'save session two.scn' 'echo ASKED' 'info breakpoints' focus hash | "$WARPSTEP" -q -n --plain --trust -x one.scn >two 2>&1
	for out in one two; do sed '1,/^ASKED$/d' $out >$out.said; done
	holds "$name: comes back as it was" diff one.said two.said
	holds "$name: is saved alike" diff one.scn two.scn
}
# A stop leaves the focus at a warp that has ended, from which a move takes it away.
comes_back "a register of the warp that had the focus" "$root/scenarios/default.scn" 'break imbalance for 3' 'with lat.int 7 -- goto 100' back continue \
	'set lat.fp32 2' 'goto 900' 'set var reg[3][1] = 5'
comes_back "a restart without what was written before it" "$root/scenarios/default.scn" 'step 5' 'set var c[2] = -1.5' restart 'set lat.int 9' 'step 5'
comes_back "a value that was set for one move back" "$root/scenarios/default.scn" 'goto 1200' 'with lat.int 7 -- goto 100' restart 'goto 1200'

comes_back "the focus on a machine that has become larger" "$root/scenarios/default.scn" 'focus warp 2' 'step 5' 'gpu volta' restart 'step 20' \
	'set var reg[4][0] = 40'
comes_back "the focus on a machine that has become smaller" "$root/scenarios/vecadd.scn" 'gpu volta sms 4' restart 'focus sm 3 warp 40' 'gpu tiny' \
	restart 'step 20'
comes_back "an input inside the cycle that faults" "$root/scenarios/faults/overflow.scn" 'goto 528' 'step -s issue' 'buffer zz u32[4]' \
	'goto 3' 'set lat.int 9'
comes_back "what was followed, where the run ends before it" "$root/scenarios/default.scn" 'goto 1000' 'follow warp 0' 'goto 100' \
	'set var reg[3][1] = 7' run 'break cycle 7'
comes_back "a definition from where the machine has been taken back" "$root/scenarios/default.scn" reload 'repeat i 0..2' step end 'define twice' \
	step end undo 'set sm.warps 32' 'step 5'
comes_back "a value that it had for one move, and another at restart" "$root/scenarios/default.scn" 'with lat.int 20 -- step 50' 'reverse-step 40' \
	'set var shared.u32[1] = 7' 'with lat.int 20 -- step 50' restart 'step 100'

# So does a sitting whose run has ended badly: with a fault, a livelock, a check that fails. What stands behind the last move is
# restored, too: hits, focus, the lane that is shown, how far a lesson is.
sed "s|module |&$root/scenarios/|; s/  expect .*/  expect cycle < 5/" "$root/scenarios/saxpy.scn" >wrong.scn
# bad_ending SCENARIO [lesson]: such a sitting, in which the lesson is begun at the end
bad_ending() {
	case $1 in wrong.scn) path=$work/wrong.scn ;; *) path=$root/$1 ;; esac
	comes_back "$1${2:+, $2}" "$path" 'layout code' 'watch l1d.misses' run 'focus warp 1' 'set code.lane 2' "$2"
}
for ending in scenarios/faults/barrier.scn scenarios/faults/overflow.scn scenarios/labs/12-deadlock.scn wrong.scn; do
	bad_ending $ending
	case $ending in *deadlock*) restored= ;; *) restored=' restored' ;; esac # to go into a livelock is no failure
	holds "$ending: a run that ends badly is saved" grep -q "^goto [1-9][0-9]*$restored\$" one.scn
	bad_ending $ending lesson
done
exit $failed
