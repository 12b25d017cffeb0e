# A lesson: its questions can be answered, each command that it tells to type is one, in the order in which they are told, and what it
# claims is so. It does not set the policies that it asks the reader to set.
# Quick: those that are soon run, at least one of each folder.
# each: scenarios/subcore/control-bits.scn scenarios/subcore/register-cache.scn scenarios/subcore/stream-buffer.scn scenarios/subcore/two-kinds.scn
# each: scenarios/tlp/vt-types.scn scenarios/tlp/vt-figure5.scn scenarios/tlp/vt-writeback.scn scenarios/elf/bypass.scn scenarios/elf/fetch-order.scn scenarios/elf/earliest-load.scn scenarios/vws/skew.scn scenarios/faults/*.scn
# each: scenarios/course/0[1-8]*.scn scenarios/multi/fragmentation.scn scenarios/labs/02*.scn scenarios/labs/03*.scn scenarios/labs/12*.scn
# each: scenarios/warpsync.scn scenarios/slow.scn scenarios/roots.scn scenarios/barriers.scn
# each long: scenarios/subcore/*.scn scenarios/tlp/*.scn scenarios/elf/*.scn scenarios/vws/*.scn scenarios/course/*.scn scenarios/labs/*.scn
# each long: scenarios/multi/[diw]*.scn scenarios/multi/f*.scn scenarios/multi/st*.scn scenarios/multi/sw*.scn
# each long: scenarios/multi/history.scn scenarios/multi/lud-pair.scn scenarios/multi/spatial-or-smk.scn scenarios/multi/trial.scn
# each long: scenarios/pipeline.scn scenarios/tensor.scn scenarios/reductions.scn
. tests/tap

# A reader who gives every question up and types what notes and answers put between backquotes, a command a line, step by step
# as they stand in the text; braces stand for values and not for commands.
commands() {
	awk 'function typed(text, part) {
			while (match(text, /`[^`]*`/)) {
				part = part substr(text, RSTART + 1, RLENGTH - 2) "\n"
				text = substr(text, RSTART + RLENGTH)
			}
			return part
		}
		BEGIN { first = 1 }
		/^part / { if (open && !asked) { printf "%s%s", first ? "lesson\n" : "lesson next\n", notes; first = 0 } open = 1; asked = 0; notes = "" }
		/^note / { if (open) notes = notes typed($0); else printf "%s", typed($0) }
		/^ask / { printf "%sgive up\n%s", first ? "lesson\n" : "lesson next\n", notes; first = 0; asked = 1; notes = "" }
		/^reveal / { printf "%s", typed($0) }
		END { if (open && !asked) printf "%s%s", first ? "lesson\n" : "lesson next\n", notes }' "$1"
}

# Numbers of notes, hints and texts of answers, a thousand and more, that nothing computes: unclaimed LESSON CLAIMS HEARD. Known are those of
# the lesson's set-up and questions, of its claims, of what the program prints when the texts' commands are typed (the texts themselves
# left out), sums whose parts stand beside them, and claims of lessons that the text names. Those that end in 00 and powers of two
# are sizes that somebody chose.
unclaimed() {
	awk 'function plain(n) { gsub(",", "", n); return n + 0 }
		function chosen(n) { if (n % 100 == 0) return 1; while (n % 2 == 0) n /= 2; return n == 1 }
		function learn(text, of) {
			while (match(text, /[0-9][0-9,]*/)) {
				known[of, plain(substr(text, RSTART, RLENGTH))]
				text = substr(text, RSTART + RLENGTH)
			}
		}
		function value(sum, t, n, i, whole, part) {
			gsub(",", "", sum)
			n = split(sum, t, " ")
			part = t[1]
			for (i = 2; i < n; i += 2)
				if (t[i] == "x") part *= t[i + 1]
				else if (t[i] == "/") part /= t[i + 1]
				else { whole += part; part = t[i] == "-" ? -t[i + 1] : t[i + 1] }
			return whole + part
		}
		function sums(text, sum, at, off) {
			while (match(text, /[0-9][0-9.,]* ([x\/+-] [0-9][0-9.,]* )+= [0-9][0-9,]*/)) {
				sum = substr(text, RSTART, RLENGTH)
				at = index(sum, "=")
				text = substr(text, RSTART + at)
				off = value(substr(sum, 1, at - 2)) - plain(substr(sum, at + 2))
				if (off < 0.51 && off > -0.51) learn(substr(sum, at), "")
				else print "not so: " sum
			}
		}
		FNR == 1 { file++ }
		file == 1 && /^(note|hint|reveal|wrong|ask) / {
			longest = ""
			for (i = split($0, part, /\{[^}]*\}|"/); i > 1; i--)
				if (length(part[i]) > length(longest)) longest = part[i]
			said[++texts] = longest
			text[texts] = /^ask / ? "" : substr($0, index($0, "\""))
			learn(/^ask / ? $0 : /^wrong / ? substr($0, 1, index($0, "\"")) : "", "")
			next
		}
		file == 1 { learn($0, "") }
		file == 2 { learn($0, "") }
		file == 3 {
			for (i = 1; i <= texts; i++)
				if (index($0, said[i])) next
			learn($0, "")
		}
		file == 4 && /^(claims|says) / {
			match($0, /^[a-z]* "[^"]*" [^ ]*/)
			other = substr($0, 1, RLENGTH)
			sub(/.*[" \/]/, "", other)
			learn(substr($0, RLENGTH), other)
			others[other]
		}
		END {
			for (i = 1; i <= texts; i++) sums(text[i])
			for (i = 1; i <= texts; i++) {
				rest = text[i]
				gsub(/`[^`]*`|\{[^}]*\}/, "", rest)
				while (match(rest, /[0-9]+(,[0-9][0-9][0-9])+/)) {
					n = plain(found = substr(rest, RSTART, RLENGTH))
					rest = substr(rest, RSTART + RLENGTH)
					is = (("", n) in known) || chosen(n)
					for (other in others) is = is || index(text[i], other) && ((other, n) in known)
					if (!is) print found " in " substr(text[i], 1, 50)
				}
			}
		}' "$1" "$2" "$3" tests/shape/lessons.sh
}

lesson=$1
[ -e "$lesson" ] || { echo "usage: $0 SCENARIO"; exit 1; }
name=$(basename "$lesson" .scn) said=$LOG/lesson.$$ heard=$LOG/heard.$$ claimed=$LOG/claimed.$$
trap 'rm -f "$said" "$heard" "$claimed"' EXIT
echo >"$claimed"
! grep -q '^policy' "$lesson"
report "$name sets no policy" $?
commands "$lesson" | "$WARPSTEP" -n -q --plain "$lesson" >"$said" 2>&1
status=$? want=0 first=
case $name in
overflow) want=3 first='access out of bounds: ' ;;
lock) want=4 first='livelock: ' ;;
esac
[ $status = $want ] && ! grep -v "^stdin:1:1: ${first:-.}" "$said" | grep -q '^stdin:\|quiz.*:[0-9]*:'
report "$name: its commands run" $?
mv "$said" "$heard"
grep -q '^part "' "$lesson" && grep -q '^ask \([a-z]* "\|kernel \)' "$lesson" && grep -q '^\(reveal\|note\) .*nexpected' "$lesson" && grep -q '^\(reveal\|note\) .*Read on' "$lesson"
report "$name: parts, questions, something unexpected, where to read on" $?
head -n 1 "$lesson" | grep -q "^# $name - [A-Z0-9_].*\.\$"
report "$name: the first line says in a sentence what the lesson shows" $?
holds "$name: each answer can be computed, all others are explained as wrong, each page fits" "$WARPSTEP" -n -q -b -e 'lesson check' -e quit "$lesson"

# claims NAME SCENARIO EXPRESSION COMMAND...: true after the commands, if it is the lesson's. A scenario without a folder is of subcore.
claims() {
	name=$1 scenario=$2 expression=$3
	shift 3
	case $scenario in */* | slow | roots | pipeline | barriers | tensor | reductions) ;; *) scenario=subcore/$scenario ;; esac
	[ "$lesson" = "scenarios/$scenario.scn" ] || return 0
	echo "$expression $*" >>"$claimed"
	for command in "$@" "expect $expression"; do
		echo "$command"
	done | "$WARPSTEP" -n -q --plain "$lesson" >"$said" 2>&1
	report "$scenario: $name" $?
}

# says NAME SCENARIO TEXT COMMAND...: the commands print the text, if it is the lesson's.
says() {
	name=$1 scenario=$2 text=$3
	shift 3
	[ "$lesson" = "scenarios/$scenario.scn" ] || return 0
	echo "$text $*" >>"$claimed"
	for command in "$@"; do
		echo "$command"
	done | "$WARPSTEP" -n -q --plain "$lesson" >"$said" 2>&1
	grep -qF -e "$text" "$said"
	report "$scenario: $name" $?
}
claims "half a result" faults/race 'out[3] == 96 && repaired[3] == 1216 && kernel.0.cycles == 855' run
claims "the store is late" faults/race 'cycle == 739 && events.race == 1' 'break race' continue
claims "in another order, too" faults/race 'out[3] == 96' 'policy order=lrr' restart run
claims "row 9 is the load that came too soon" faults/race 'cycle == 608 && $warp == 0 && warp[0].reg[1][3] == 0' run 'origin out[3]' 'goto origin 9'
claims "with a barrier nothing races" faults/race 'events.race == 1 && kernel.1.cycles == 605' 'set check.races on' run
claims "lane 0 has it and waits" faults/lock 'cycle == 461 && held[0] == 1 && counter[0] == 0 && warp[0].mask == 0xfffffffe' 'goto 461'
claims "turns end it" faults/lock 'kernel.0.cycles == 227395 && kernel.1.cycles == 20855 && counter[0] == 32' 'set warp.patience 32' restart run
claims "256 is too much" faults/overflow 'value[9] == 256 && bin[0] == 0 && bin[31] == 0 && cycle == 529' 'break fault' continue
claims "16 of 32 come" faults/barrier 'cycle == 736 && warp[0].reg[0][0] == 16 && warp[0].mask == 0xffff && warp[1].status == status.done' 'break fault' continue
claims "32 cycles for one" faults/conflict 'cycle == 14393 && warp[0].reg[0][3] - warp[0].reg[0][2] == 128' 'break bankconflict' continue
claims "970 cycles of 16,656" faults/conflict 'kernel.0.cycles == 16656 && kernel.1.cycles == 15686 && events.bankconflict == 32' 'set check.banks on' run
claims "the line that waits loads nothing" slow 'cycle == 214 && warp[2].pc == 16 && warp[2].status == status.long && warp[2].mask == 0xffffffff' 'break slow.cu:13' continue 'step 50'
claims "32 sectors a load, where 4 would do" slow 'events.uncoalesced == 64 && kernel.0.cycles == 2324' 'set check.coalescing on' run
claims "CTA 1 prints first" roots 'cycle == 408 && events.output == 2 && warp[2].mask == 1 && warp[0].status == status.short' 'break output' continue
claims "and its lines can be taken back" roots 'cycle == 408 && events.output == 2' run 'break output' reverse-continue reverse-continue
claims "an assertion stops all before anybody prints" roots 'cycle == 352 && events.output == 1' 'set var a[70] = -1' 'break fault' continue
claims "as if it had not been" roots 'cycle == 475 && a[70] * a[70] > 69 && events.output == 4' 'set var a[70] = -1' 'goto 300' undo undo run
first='launch[2].last_retire - 6000' second='launch[3].last_retire - 206000'
claims "both wait for all" multi/idempotent "$first == 81209 && $second == 80869" run
claims "it trips as it stores, not before" multi/idempotent 'events.idempotence == 0' 'break idempotence' continue reverse-step
claims "then it cannot be flushed" multi/idempotent 'events.idempotence == 2 && sm[2].cta[0].tripped == 21' 'break idempotence' continue
claims "who has not stored is flushed" multi/idempotent "$first == 20289 && cta.flushed == 28 && preempt.drains == 4" \
	'policy partition=even preempt=flush' restart run
claims "strict asks the kernel" multi/idempotent "$first == 49469 && kernel.0.wasted == 0 && cta.flushed == 16" \
	'policy partition=even preempt=flush' 'set chimera.idempotence strict' restart run
claims "flushed after it has written" multi/idempotent 'z[128] != 0 && cta.flushed > 12' 'policy partition=even preempt=flush' restart 'break flushed if kernel == 1' continue
claims "and it writes the same" multi/idempotent "$second == 15733 && kernel.1.wasted == 3000 && z[128] > 2" 'policy partition=even preempt=flush' restart run
claims "equally far: all or none" multi/idempotent "cta.flushed == 32 && preempt.drains == 0 && kernel.0.wasted == 2685" 'policy order=lrr partition=even preempt=flush' restart run
claims "saved where that is cheaper" multi/idempotent "cta.saved == 32 && cta.flushed == 0" 'policy order=lrr partition=even preempt=chimera' restart run
claims "16,384 and a twentieth" fma-baseline 'kernel.0.cycles > 16384 && kernel.0.cycles < 16384 * 1.08' run
claims "a fifth less with a faster unit" fma-baseline 'kernel.0.cycles < 17200 * 0.85 && kernel.0.cycles > 17200 * 0.7' \
	'set unit.fp32.interval 1' restart run
claims "at the barrier" fma-balanced 'warp[8].status == status.barrier && warp[31].status == status.barrier' 'step 2000'
claims "one issues" fma-unbalanced 'sm[0].sub[0].issued > 9 * sm[0].sub[1].issued' 'step 2000'
claims "seed 2 lies between" fma-unbalanced 'kernel.0.cycles > 30000 && kernel.0.cycles < 60000' 'policy assign=shuffle' 'set shuffle.seed 2' restart run
claims "seed 20 is lucky" fma-unbalanced 'kernel.0.cycles < 17900' 'policy assign=shuffle' 'set shuffle.seed 20' restart run
claims "the short warps are done" fma-imbalance 'warp[1].status == status.done && warp[0].status != status.done' 'step 18000'
claims "83,000 cycles" fma-imbalance 'kernel.0.cycles > 82000 && kernel.0.cycles < 84900' run
claims "28,000 with srr" fma-imbalance 'kernel.0.cycles > 27000 && kernel.0.cycles < 29000' 'policy assign=srr' restart run
claims "more than half idle" one-in-four 'slots.idle * 2 > slots.total' run
claims "less than half the cycles with srr" one-in-four 'kernel.0.cycles < 95000' 'policy assign=srr' restart run
claims "two kinds of additions in turn: 3.3 a cycle; in eights 2.3" two-kinds 'a[0] == 796 && d[0] == 256 && kernel.0.ipc > 3.25 && kernel.1.ipc < 2.3 && kernel.1.cycles > 1.4 * kernel.0.cycles' run
claims "... in turns of the warps 2.0" two-kinds 'kernel.0.ipc > 3.15 && kernel.1.ipc < 2.1' 'policy order=lrr' restart run
claims "... with a share of the collector units for each kind nearly the same" two-kinds 'kernel.1.cycles < 1.04 * kernel.0.cycles' 'policy order=lrr' 'set collector.share 1' restart run
claims "... as with sixteen collector units" two-kinds 'kernel.1.cycles < 1.04 * kernel.0.cycles' 'policy order=lrr' 'set sm.collectors 16' restart run
claims "29 cycles for a line of eight" stream-buffer 'kernel.0.cycles == 3712 && kernel.1.cycles == 3713' 'set l1i.stream 0' restart run
claims "four lines ahead are enough, two are not" stream-buffer 'kernel.0.cycles == 1026' 'set l1i.stream 4' restart run
claims "... 1,279 with two" stream-buffer 'kernel.0.cycles == 1279' 'set l1i.stream 2' restart run
claims "one warp after the other: none of 129 lines is there" stream-buffer 'kernel.0.cycles == 1026 && kernel.1.cycles == 4758 && kernel.2.cycles < 2100' run
claims "... half as many misses in turns" stream-buffer 'kernel.1.cycles == 2049 && kernel.2.cycles < 2100' 'policy order=lrr fetch=lrr' restart run
claims "150, the same for two warps, nearly twice that for four; 525 where a register is held" memory-queue 'kernel.0.cycles == 150 && kernel.1.cycles == 152 && kernel.2.cycles == 280 && kernel.3.cycles == 525 && kernel.4.cycles == 215' run
claims "... 13 cycles for each number if data are read as addresses are" memory-queue 'kernel.3.cycles == 525 - 32 * 3' 'set lsu.read_data 0' restart run
says "... which reads its registers in the cycle before" subcore/memory-queue 'st.shared.u32 [r1+512], r0 reads its registers until cycle 717' 'goto 716' 'focus warp 3' why
says "why names the store" subcore/memory-queue 'st.shared.u32 [r1+1024], r0, issued in cycle 721, has not read its registers' 'goto 723' 'focus warp 3' why
says "limits names the L0" subcore/stream-buffer 'behind them, L0 instruction cache misses' 'limits kernel 1'
claims "the same, in three orders: 1.6, 1.25 and 1.15 cycles" register-cache 'a[0] == 12800 && b[0] == 12800 && c[0] == 12800 && kernel.0.cycles > 1.59 * 8192 && kernel.0.cycles < 1.64 * 8192 && kernel.1.cycles < 1.27 * 8192 && kernel.1.cycles > 1.23 * 8192 && kernel.2.cycles < 1.18 * 8192' run
claims "... and none where warps take turns" register-cache 'kernel.1.cycles > 1.5 * 8192 && kernel.2.cycles > 1.5 * 8192' 'policy order=lrr' restart run
claims "... nor without the cache" register-cache 'rf.reused == 0 && kernel.1.cycles > 0.99 * kernel.0.cycles && kernel.2.cycles > 0.99 * kernel.0.cycles' 'set collector.reuse off' restart run
claims "the first reads that take no port are in kernel 1" register-cache 'kernel.0.ended == 1 && kernel.1.ended == 0 && rf.reused == 4' 'break event reuse' continue
claims "a queue of four is first in kernel 2" bank-conflict 'kernel.1.cycles > 0 && kernel.2.cycles > 0 && kernel.3.cycles == 0' \
	'break conflict depth 4' continue
claims "30,800 cycles, a quarter more than the banks need" operand-mix 'kernel.0.cycles > 25716 * 1.1 && kernel.0.cycles < 25716 * 1.3' run
claims "22,000 without conflicts" operand-mix 'kernel.0.cycles < 23000' 'set sm.banks 32' restart run
claims "two more units help kernel 0 more than rba" operand-mix 'kernel.0.cycles < 28700' 'set sm.collectors 4' restart run
claims "and rba less" operand-mix 'kernel.0.cycles > 28700 && kernel.0.cycles < 30000' 'policy order=rba' restart run
claims "order alone saves a quarter of kernel 1" operand-mix 'kernel.1.cycles == 31098 && kernel.0.cycles == 28891' 'policy order=rba' restart run
claims "one unit" operand-mix 'kernel.0.cycles == 38131 && kernel.0.inst.warp == 4 * 17144' 'set sm.collectors 1' restart run
claims "gto, with two units and with four" operand-mix 'kernel.0.cycles == 30559 && kernel.1.cycles == 41390' run
claims "... with four" operand-mix 'kernel.0.cycles == 28326' 'set sm.collectors 4' restart run
claims "... with 32 banks" operand-mix 'kernel.0.cycles == 22540' 'set sm.banks 32' restart run
claims "scores that are 5 cycles old" operand-mix 'kernel.1.cycles == 35730' 'policy order=rba' 'set rba.delay 5' restart run
claims "... 20" operand-mix 'kernel.1.cycles == 40563' 'policy order=rba' 'set rba.delay 20' restart run
claims "22 instructions in 516 cycles" course/02-latency 'kernel.0.cycles == 516 && kernel.0.inst.warp == 22' run
claims "both loads under way, the addition in cycle 285" course/03-scoreboard 'cycle == 49 && events.l1dmiss == 2' 'break event l1dmiss' continue continue
claims "which sequences are long" course/05-divergence \
	'steps[26] == 111 && steps[102] == 87 && steps[106] == 100 && steps[109] == 113 && steps[120] == 95 && steps[125] == 108 && steps[127] < 90' run
claims "warp 0 ends first, 3 % before warp 3" course/05-divergence 'cycle == 5844 && $warp == 0' 'break event warpdone' continue
claims "14 % of the slots wait for memory" course/07-occupancy 'slots.long * 100 > 14 * slots.total && slots.long * 100 < 15 * slots.total' 'break kernelend' continue
claims "gto" course/08-scheduling 'cycle == 2358' run
claims "lrr" course/08-scheduling 'cycle == 2497' 'policy order=lrr' restart run
says "what urgent takes alone" course/09-sharing '7,965' run 'alone 1'
claims "long takes 610,000 cycles" course/09-sharing 'launch[0].last_retire == 613109' run
claims "sub-core 0 has all long warps" course/10-papers 'kernel.0.cycles == 37739' run
claims "one path of each" barriers 'kernel.4.cycles == 2816 && kernel.3.cycles == 5768' run
claims "an answer at once" barriers 'kernel.0.cycles == 355' 'set barrier.latency 0' run
claims "one group more is worth a tenth" pipeline 'kernel.0.cycles == 9525 && kernel.1.cycles == 3944 && kernel.2.cycles * 100 < kernel.1.cycles * 90' run
claims "cycles" reductions 'kernel.0.cycles == 6019 && kernel.2.cycles == 2528 && kernel.3.cycles == 84531' run
claims "chain" tensor 'kernel.0.cycles == 5947' run
claims "halves without the register cache" tensor 'kernel.5.cycles == 50742' 'set collector.reuse off' restart run
claims "cycles of random banks" bank-conflict 'kernel.3.cycles == 14734 && kernel.0.cycles == 12933' run
claims "... with eight collector units" bank-conflict 'kernel.3.cycles == 13499' 'set sm.collectors 8' restart run
claims "... with rba" bank-conflict 'kernel.3.cycles == 13847' 'policy order=rba' restart run
claims "as baseline" fma-balanced 'kernel.0.cycles == 17355' 'policy assign=srr' restart run
claims "17,232" fma-baseline 'kernel.0.cycles == 17232' run
claims "srr" fma-unbalanced 'kernel.0.cycles == 17452' 'policy assign=srr' restart run
claims "a pool of banks" fma-unbalanced 'kernel.0.cycles == 24292' 'gpu monolithic' 'set gpu.sms 1' restart run
claims "seed 2" fma-unbalanced 'kernel.0.cycles == 33844' 'policy assign=shuffle' 'set shuffle.seed 2' restart run
claims "with ratio 100 shuffle takes 1.9 times as long as srr" fma-imbalance 'kernel.0.cycles > 1.9 * 218716' 'policy assign=shuffle' 'set shuffle.seed 2' 'symbol ratio = 100' restart run
claims "... srr" fma-imbalance 'kernel.0.cycles == 218716' 'policy assign=srr' 'symbol ratio = 100' restart run
claims "round robin" one-in-four 'kernel.0.cycles == 190901 && subcore.cov > 0.775 && subcore.cov < 0.785' run
claims "shuffle" one-in-four 'cycle == 120460' 'policy assign=shuffle' 'set shuffle.seed 2' restart run
claims "srr" one-in-four 'cycle == 88873' 'policy assign=srr' restart run
claims "round robin" one-in-four-random 'kernel.0.cycles == 380969 && subcore.cov > 0.76' run
claims "srr" one-in-four-random 'kernel.0.cycles == 232015' 'policy assign=srr' restart run
claims "shuffle is 1.3 times as fast" one-in-four-random 'cycle < 380973 / 1.29' 'policy assign=shuffle' restart run
claims "hardly any arithmetic" one-in-four-random 'cycle == 121078 && subcore.cov > 0.725' 'symbol work = 1' restart run
claims "much arithmetic" one-in-four-random 'cycle > 1.88 * 466967' 'symbol work = 32' restart run
claims "cycles in turn, in eights" two-kinds 'kernel.0.cycles == 2785 && kernel.1.cycles == 4059' run
claims "... in turns of the warps" two-kinds 'kernel.0.cycles == 2886 && kernel.1.cycles == 4575' 'policy order=lrr' restart run
claims "two CTAs at a time" tlp/vt-figure5 'cycle == 1587' run
claims "four, with swaps" tlp/vt-figure5 'cycle == 1014' 'policy cta=vt' restart run
claims "... that take no time" tlp/vt-figure5 'cycle == 1001' 'policy cta=vt' 'set vt.bandwidth 0' restart run
claims "... of 64 bits in a cycle" tlp/vt-figure5 'cycle == 1109' 'policy cta=vt' 'set vt.bandwidth 64' restart run
claims "... of three" tlp/vt-figure5 'cycle == 1633' 'policy cta=vt' 'set sm.residents 3' restart run
claims "four slots" tlp/vt-figure5 'cycle == 906' 'set sm.ctas 4' restart run
claims "slots and registers" tlp/vt-types 'kernel.0.cycles == 6207 && kernel.1.cycles == 5488' run
claims "Virtual Thread is for the first" tlp/vt-types 'kernel.0.cycles == 3655 && kernel.1.cycles == 5488' 'policy cta=vt' restart run
claims "slots for all" tlp/vt-types 'kernel.0.cycles == 3306' 'set sm.unlimited on' restart run
claims "results come back to a CTA that is out" tlp/vt-writeback 'cycle == 181 && sm[0].cta[0].pending == 0' 'policy cta=vt' 'break writeback if cta == 0' 'goto 71' continue continue continue
claims "as many writes and reads" tlp/vt-writeback 'rf.writes == 448 && rf.reads == 600 && cycle == 1014' 'policy cta=vt' restart run
claims "... as without" tlp/vt-writeback 'rf.writes == 448 && rf.reads == 600 && cycle == 1587' run
cycles='kernel.0.cycles == %s && kernel.1.cycles == %s'
claims "both kernels" tlp/vt-or-dyncta "$(printf "$cycles" 26341 198161)" run
claims "one CTA at a time" tlp/vt-or-dyncta "$(printf "$cycles" 183850 66928)" 'set dispatch.limit 1' restart run
claims "Virtual Thread" tlp/vt-or-dyncta "$(printf "$cycles" 17225 179767)" 'policy cta=vt' restart run
claims "DYNCTA" tlp/vt-or-dyncta "$(printf "$cycles" 74210 189952)" 'policy cta=dyncta' restart run
claims "both" tlp/vt-or-dyncta "$(printf "$cycles" 17320 187902)" 'policy cta=vt,dyncta' restart run
claims "30 SMs" tlp/dyncore 'kernel.0.cycles == 39859 && power.relative > 0.985' run
claims "22 SMs" tlp/dyncore 'kernel.0.cycles == 40111 && power.relative > 0.795 && power.relative < 0.805' 'policy dyncore' restart run
claims "and fewer CTAs" tlp/dyncore 'kernel.0.cycles == 41183 && power.relative < 0.765' 'policy cta=dyncta,dyncore' restart run
claims "all CTAs" tlp/dyncta-compute 'cycle == 411476' run
claims "one CTA" tlp/dyncta-compute 'cycle == 475668' 'set dispatch.limit 1' restart run
claims "two CTAs" tlp/dyncta-compute 'cycle == 412852' 'set dispatch.limit 2' restart run
claims "half of them, and more" tlp/dyncta-compute 'cycle == 411488 && dyncta.n > 7.92 && dyncta.n < 7.94' 'policy cta=dyncta' restart run
phases='kernel.0.cycles == %s && kernel.1.cycles == %s && kernel.2.cycles == %s'
claims "three phases" tlp/dyncta-phases "$(printf "$phases" 205923 344863 205459) && cycle == 756812" run
claims "with one CTA" tlp/dyncta-phases 'cycle == 603752' 'set dispatch.limit 1' restart run
claims "with two" tlp/dyncta-phases 'cycle == 537348 && kernel.1.cycles * 2.75 < 344863' 'set dispatch.limit 2' restart run
claims "with three" tlp/dyncta-phases 'cycle == 733644' 'set dispatch.limit 3' restart run
claims "with DYNCTA" tlp/dyncta-phases "$(printf "$phases" 205943 170801 205491) && cycle == 582804" 'policy cta=dyncta' restart run
claims "not one hit" tlp/dyncta-aes 'l1d.hits == 0 && cycle == 348234' run
claims "two CTAs are as slow" tlp/dyncta-aes 'cycle == 347308' 'set dispatch.limit 2' restart run
claims "DYNCTA has two there, one paused" tlp/dyncta-aes 'cycle == 347316 && dyncta.n > 1.055 && dyncta.n < 1.065' 'policy cta=dyncta' restart run
claims "with 32 KB" tlp/dyncta-aes 'cycle == 185672' 'policy cta=dyncta' 'set l1d.bytes 32768' restart run
claims "... and without it" tlp/dyncta-aes 'cycle == 348234' 'set l1d.bytes 32768' restart run
claims "maestro makes dense later than halves with turns" multi/trial 'launch[0].last_retire == 145619' \
	'policy partition=maestro allocate=twoway preempt=chimera rank=urgent,kernel-lrr' restart run
claims "halves with turns" multi/trial 'launch[0].last_retire == 131061' 'policy partition=smk preempt=chimera rank=urgent,kernel-lrr' restart run
claims "14 of 16 loads hit" tlp/dyncta-aes 'l1d.hit_rate == 0.875 && cycle == 128572' 'set dispatch.limit 1' restart run
says "one after the other, ANTT and STP" multi/lud-pair 'ANTT 2.4846  STP 1.2519' 'policy partition=fcfs' restart run 'alone streams'
says "what lud takes alone" multi/lud-pair '276,394' 'policy partition=fcfs' restart run 'alone streams'
says "with smart and drain" multi/lud-pair 'ANTT 1.4072  STP 1.4458' 'policy partition=smart preempt=drain' restart run 'alone streams'
says "with smart and chimera" multi/lud-pair 'ANTT 1.2699  STP 1.6314' 'policy partition=smart preempt=chimera' restart run 'alone streams'
says "with even" multi/lud-pair 'ANTT 1.5089  STP 1.4872' 'policy partition=even preempt=chimera' restart run 'alone streams'
claims "warp 1 waits behind a head that is refused" elf/bypass 'sm[0].lsu_count >= 4 && l1d.refused.mshrs > 10 && l1d.merges == 0' 'goto 60'
claims "part (a): aside, past, behind, past, past" elf/bypass 'cycle == 52 && lsu.reexec.moved == 2 && lsu.reexec.untried == 1 && lsu.reexec.bypasses == 3' \
	'set lsu.reexec newcar' restart 'break reexec' 'break bypass' continue continue continue continue continue
claims "part (b): neither load nor store, another warp's load" elf/bypass 'lsu.reexec.moved == 5 && lsu.reexec.untried == 3 && sm[0].reexec_count == 3' \
	'set lsu.reexec newcar' restart 'goto 252' 'break reexec' continue continue continue
claims "nothing won in the rows" elf/bypass 'kernel.0.cycles == 176 && kernel.1.cycles == 208 && kernel.2.cycles == 3849 && kernel.3.cycles == 81259 && l1d.hit_rate < 0.17' run
claims "much where lines are used up" elf/bypass 'kernel.0.cycles == 176 && kernel.1.cycles == 208 && kernel.2.cycles == 3835 && kernel.3.cycles == 19135 && l1d.hit_rate > 0.85' \
	'set lsu.reexec newcar' restart run
claims "car keeps the order of a warp" elf/bypass 'sm[0].reexec_count == 1 && sm[0].lsu_count > 0 && lsu.reexec.bypasses == 0' 'set lsu.reexec car' restart 'goto 40'
claims "no entries are no queue" elf/bypass 'kernel.3.cycles == 81259 && lsu.reexec.moved == 0' 'set lsu.reexec newcar' 'set lsu.reexec_entries 0' restart run
claims "straight code and a loop wait for lines" elf/prefetch 'kernel.0.cycles == 9641 && kernel.1.cycles == 7299 && kernel.2.cycles == 51419' run
claims "more than a third less" elf/prefetch 'kernel.0.cycles == 6030 && kernel.1.cycles == 4539 && l1i.prefetch.late > 0.58 * l1i.prefetch.useful' 'set l1i.prefetch 16' restart run
claims "but not where memory is waited for" elf/prefetch 'kernel.2.cycles == 51565' 'set l1i.prefetch 16' restart run
claims "1 is half of it" elf/prefetch 'kernel.0.cycles == 7797 && kernel.2.cycles == 51419' 'set l1i.prefetch 1' restart run
claims "a larger L1I helps the loop alone" elf/prefetch 'kernel.0.cycles == 9641 && kernel.1.cycles == 4184' 'set l1i.bytes 4096' restart run
claims "1 and 2 are ready, four instructions from their loads" elf/earliest-load \
	'warp[1].status == status.eligible && warp[2].status == status.eligible && warp[0].status == status.issued' 'goto 60'
claims "the first miss in cycle 86 under gto" elf/earliest-load '$cycle == 86 && $warp == 0' 'break event l1dmiss' continue
claims "and in 58 under elf" elf/earliest-load '$cycle == 58 && $warp == 1' 'policy elf' 'break event l1dmiss' continue
claims "a tenth fewer cycles" elf/earliest-load 'cycle * 10 < 1106 * 9 && slots.long * 2 < 244' 'policy elf' run
claims "44 calculations for 760 instructions" elf/earliest-load 'elf.recalcs == 44 && inst.warp == 760' 'policy elf' run
claims "order alone wins nothing" elf/fetch-order 'cycle > 1940 * 0.99' 'policy order=elf' run
claims "one candidate" elf/fetch-order 'warp[2].status == status.issued && slots.held == 0' 'policy order=elf' 'goto 302'
claims "order and fetch win a tenth" elf/fetch-order 'cycle < 1940 * 0.91 && slots.long < 600' 'policy elf' run
claims "so does the fetch alone" elf/fetch-order 'cycle < 1940 * 0.91' 'policy fetch=elf' run
claims "nothing is won where memory is near" elf/fetch-order 'cycle >= 1594' 'policy elf' 'set icnt.latency 4' restart run
claims "one warp waits for the unit's answer" barriers 'cycle == 300 && warp[0].status == status.barrier && barrier.waits == 0' 'goto 300'
claims "22 cycles each, and two for each arrival more" barriers \
	'kernel.0.cycles == 1636 && kernel.1.cycles - kernel.0.cycles == 63 * 6 + 21 && kernel.3.cycles > 3.4 * kernel.0.cycles && kernel.4.cycles > 2 * kernel.5.cycles' run
claims "the row is the most of 32 warps' wait" barriers 'kernel.0.cycles == 1636 && kernel.3.cycles < 5768 / 2' 'set barrier.interval 0' run
claims "the way the most of one warp's" barriers 'kernel.0.cycles < 1636 / 4 && kernel.3.cycles > 5768 / 1.4' 'set barrier.latency 0' run
claims "warp 0 has been there for 22 cycles, and waits for the row" barriers 'warp[0].status == status.barrier && warp[0].pc == 35 && warp[31].status == status.barrier' 'goto 10100'
claims "a chain: 24.6 cycles and what is around it" tensor 'kernel.0.cycles > 24.6 * 240 && kernel.0.cycles < 25 * 240' run
claims "three sums are enough, for one warp" tensor 'kernel.0.cycles > 2.4 * kernel.1.cycles && kernel.2.cycles > 0.98 * kernel.1.cycles' run
claims "four warps fill it, with one sum or three" tensor '16 * 240 * 2048 / kernel.3.cycles > 940 && kernel.4.cycles > 0.98 * kernel.3.cycles' run
claims "the second step waits for the first" tensor 'warp[1].status == status.short' 'goto 7001'
claims "four times as long and a little without" tensor 'kernel.5.cycles > 4.2 * kernel.3.cycles && kernel.5.cycles < 4.5 * kernel.3.cycles' run
claims "six times without the cache of registers" tensor 'kernel.5.cycles > 6 * kernel.3.cycles' 'set collector.reuse off' restart run
claims "32 sectors or four" reductions 'kernel.0.cycles < 6 * 1024 && kernel.1.cycles > 32 * 1024 && kernel.2.cycles < 2.5 * 1024' run
claims "31 turns of two clocks" reductions 'kernel.3.cycles > 33 * kernel.2.cycles && l2.atomic_conflicts == 2 * 31 * 1024' run
claims "... are all there is" reductions 'kernel.3.cycles < 2600' 'set l2.atomic_float 0' restart run
claims "adding up first is worth it where the L2 does not" reductions 'kernel.3.cycles > 5 * kernel.4.cycles && kernel.4.cycles > 6 * kernel.2.cycles' run
claims "all groups but none: the next tile's, too" pipeline 'warp[0].status == status.long && warp[0].copies == 1 && kernel.1.cycles == 0' 'goto 530'
claims "one number, twice as fast and more" pipeline 'kernel.0.cycles > 2.2 * kernel.1.cycles && kernel.0.inst.warp == kernel.1.inst.warp && kernel.2.cycles < kernel.1.cycles' run
claims "hasty alone races" pipeline 'd[0] == a[0] && events.race > 0' 'set check.races on' run
claims "... the others do not" pipeline 'events.race == 0 && kernel.2.cycles > 0' 'set check.races on' 'break event kernelend if kernel == 2' continue
claims "half the lanes come, half are missing" ./warpsync 'cycle == 234 && events.rendezvous == 2 && warp[0].waits == 65535' 'break rendezvous' continue
claims "the other side completes them" ./warpsync 'cycle == 307 && warp[0].waits == 0' 'break rendezvous if missing == 0' continue
claims "no warp has status gang" ./warpsync 'warps.gang == 0 && events.rendezvous == 68 && kernel.2.cycles == 14045 && kernel.3.cycles == 21143 && kernel.4.cycles == 3104' run
claims "a turn after 32 times round" ./warpsync 'warp[0].spins == 0 && warp[0].joins == 1' 'break path if why == 3' continue
claims "at once: baton and lock sooner, the sum later" ./warpsync \
	'kernel.2.cycles == 1025 && kernel.3.cycles == 1923 && kernel.4.cycles == 50831 && kernel.4.inst.warp == 6268' 'set warp.patience 1' restart run
claims "never: it goes round for ever" ./warpsync 'cycle < 20000 && kernel.3.cycles == 0' 'set warp.patience 0' restart 'break livelock' continue
claims "thirty warps lose their lines" elf/ccws 'cycle == 108102 && l1d.hit_rate < 0.17' run
claims "most hits come at the end" elf/ccws 'cycle == 60000 && l1d.hit_rate < 0.07' 'goto 60000'
claims "five do not" elf/ccws 'cycle < 33200 && l1d.hit_rate > 0.97' 'policy swl' 'set swl.limit 5' restart run
claims "six do" elf/ccws 'cycle > 70000' 'policy swl' 'set swl.limit 6' restart run
claims "ccws finds most of it" elf/ccws 'cycle < 60700 && l1d.hit_rate > 0.84 && ccws.lost > 0.8' 'policy ccws' restart run
claims "4 of 24 may load" elf/ccws 'sm[0].ccws.members == 24 && sm[0].ccws.held == 20 && warp[29].status == status.held' 'policy ccws' 'goto 20000'
claims "more hits and more time" elf/ccws 'cycle > 67000 && l1d.hit_rate > 0.92' 'policy ccws' 'set ccws.k 32' restart run
claims "nothing where all fit" elf/ccws 'cycle == 22643 && events.victimhit == 0' 'policy ccws' 'set l1d.bytes 49152' restart run
claims "as without" elf/ccws 'cycle == 22643' 'set l1d.bytes 49152' restart run
claims "nobody has a turn who must first pass a barrier" ./turns 'events.path == 0 && cycle == 28405' 'set warp.patience 1' restart run
late='launch[1].last_retire - 20000'
claims "who comes last waits for all" multi/ways "$late == 598977" run
claims "a drain takes as long as a CTA" multi/ways "$late == 198009 && kernel.0.wasted == 0" 'policy partition=even preempt=drain' restart run
claims "a flush costs what was done" multi/ways "$late == 16077 && kernel.0.wasted == 9831 && cta.flushed == 16" 'policy partition=even preempt=flush' restart run
claims "a switch costs the way there and back" multi/ways "$late == 16617 && kernel.0.wasted == 0 && preempt.moved_bytes == 524288" \
	'policy partition=even preempt=switch' restart run
claims "to each its own" multi/ways "$late == 16077 && kernel.0.wasted == 104 && cta.flushed == 14 && cta.saved == 2" \
	'policy partition=even preempt=chimera' restart run
claims "all alike are saved" multi/ways "cta.saved == 16" 'policy order=lrr partition=even preempt=chimera' restart run
claims "within 300 cycles nothing moves" multi/ways "cta.flushed == 16" 'policy order=lrr partition=even preempt=chimera' 'set chimera.bound 300' restart run
claims "what is there moves at no cost" multi/fragmentation 'cycle == 6062' run
claims "pieces keep a CTA out" multi/fragmentation 'cycle == 6757' 'policy allocate=firstfit' restart run
claims "what is free lies in one piece" multi/fragmentation 'cycle == 6062' 'policy allocate=twoway' restart run
claims "a drain takes what the CTAs take" multi/drain 'cycle == 202294 && request[2].reached - request[2].asked == 182293 && kernel.0.wasted == 0' \
	'policy order=lrr partition=even preempt=drain' 'break partition reached' continue
claims "who is nearer to its end is gone sooner" multi/drain 'request[3].reached - request[3].asked == 132676 && request[4].reached - request[4].asked == 152872 && request[6].reached - request[6].asked == 40568 && request[5].reached - request[5].asked == 46344' \
	'policy order=lrr partition=even preempt=drain' 'goto 430000'
claims "prices of drains are wrong" multi/drain 'ledger[29].latency[0] == 193147 && ledger[29].out - ledger[29].asked == 152872' 'policy order=lrr partition=even preempt=drain' 'goto 430000'
claims "drains lose nothing and end first" multi/drain 'cycle == 665973 && kernel.0.wasted == 0 && preempt.late == preempt.requests' 'policy order=lrr partition=even preempt=drain' run
claims "a flush is gone at once" multi/flush 'cycle == 20002 && cta.flushed == 16 && request[1].reached - request[1].asked == 1 && kernel.0.wasted == 9739' \
	'policy order=lrr partition=even preempt=flush' 'break preempt flush' continue
claims "the same 16 once more" multi/flush 'cta.flushed == 32 && ledger[1].cta == ledger[17].cta && ledger[17].lost == 1376' 'policy order=lrr partition=even preempt=flush' 'goto 80002'
claims "the cheapest are those begun again" multi/flush 'cycle == 1203858 && kernel.0.wasted == 366694 && kernel.0.inst.warp == 974938' 'policy order=lrr partition=even preempt=flush' run
claims "chimera saves what is dear" multi/flush 'kernel.0.wasted == 558 && cta.saved == 150' 'policy order=lrr partition=even preempt=chimera' run
claims "one context after the other" multi/switch 'cycle == 24146 && ledger[1].out - ledger[1].asked == 519 && ledger[8].out - ledger[8].asked == 4145 && ledger[8].halted == 4144' \
	'policy order=lrr partition=even preempt=switch' 'break partition reached' continue
claims "a switch knows nothing of progress" multi/switch 'cycle == 724550 && kernel.0.wasted == 0 && preempt.moved_bytes == 5734400 && preempt.requests == 24 && request[1].reached - request[1].asked == 4145 && request[19].reached - request[19].asked == 4145 && request[19].asked == 560001 && request[19].sm == 0' \
	'policy order=lrr partition=even preempt=switch' run
claims "moving is a thousandth" multi/switch 'cycle == 723866' 'policy order=lrr partition=even preempt=switch' 'set chimera.switch free' restart run
claims "late if the bound is 4,000" multi/switch 'cycle == 24146' 'policy order=lrr partition=even preempt=switch' 'set chimera.bound 4000' 'break preempt switch late' continue
claims "age of a CTA" multi/deadline 'cycle - cta[0].started == 6307 && cta[0].started == 23693' 'goto 30000'
claims "length of a CTA" multi/deadline 'cta[0].started == 23693 + 23052' 'goto 60000'
says "an instance" multi/deadline '4,637' run 'alone 1'
claims "a switch" multi/deadline 'ledger[1].latency[2] == 6207 && ledger[1].halted == 2 * 6207' 'policy partition=even preempt=switch' restart 'goto 40000'
claims "without a policy it never comes" multi/deadline 'deadline.missed == 27 && deadline.unstarted == 54' run
claims "a drain is late by far" multi/deadline 'cycle == 39701 && deadline.missed == 1 && deadline.unstarted == 2' 'policy partition=even preempt=drain' restart 'break deadline' continue
claims "and always" multi/deadline 'deadline.missed == 29 && deadline.requests == 29 && deadline.void == 17993' 'policy partition=even preempt=drain' restart run
claims "a flush while it may" multi/deadline 'deadline.missed == 16 && deadline.requests == 30 && kernel.0.wasted == 11534' 'policy partition=even preempt=flush' restart run
claims "a switch is late by 1,207 cycles each time" multi/deadline 'deadline.missed == 39 && deadline.requests == 40 && deadline.unstarted == 0' 'policy partition=even preempt=switch' restart run
claims "of each the best" multi/deadline 'deadline.missed == 1 && deadline.requests == 31 && cta.flushed == 6 && cta.saved == 2' 'policy partition=even preempt=chimera' restart run
claims "the one that is missed, forwards and back" multi/deadline 'cycle == 364701' 'policy partition=even preempt=chimera' restart 'break deadline missed' 'goto 400000' reverse-continue
claims "too old, and not old enough" multi/deadline 'cycle == 355000 && cycle - cta[0].started - 1 == 17438' 'policy partition=even preempt=chimera' 'goto 355000'
claims "twice the bandwidth" multi/deadline 'deadline.missed == 0' 'policy partition=even preempt=chimera' 'set dram.channels 2' restart run
claims "each after the other" multi/lud-pair 'launch[0].last_retire == 820633 && launch[7].through == 1097070' 'policy partition=fcfs' restart run
claims "lud waits for SMs that drain" multi/lud-pair 'launch[0].last_retire == 1004261 && launch[7].through == 439630 && launch[7].iteration == 3' 'policy partition=smart preempt=drain' restart run
claims "lud as fast as alone, and more is done in all" multi/lud-pair 'launch[0].last_retire == 1236113 && launch[7].through == 285682 && launch[7].iteration == 5 && cta.flushed == 29' \
	'policy partition=smart preempt=chimera' restart run
claims "an SM that lud cannot fill" multi/lud-pair 'launch[0].last_retire == 1646509 && launch[7].through == 279526' 'policy partition=even preempt=chimera' restart run
cmp -s scenarios/multi/kernels/lud.ptx scenarios/kernels/lud.ptx && cmp -s scenarios/multi/kernels/lud.in scenarios/data/lud.in
same=$?
[ "$name" != lud-pair ] || report "lud-pair: the library's lud" $same
late='launch[1].last_retire'
claims "nothing of second issues" multi/starvation 'kernel.1.inst.warp == 0 && kernel.1.started == 2 && warp[32].status == status.eligible' 'goto 5000'
claims "it comes behind all of first" multi/starvation "$late == 68612 && launch[0].last_retire == 64481" run
claims "a turn for each warp" multi/starvation "$late == 21477" 'policy order=lrr' restart run
claims "a turn for each kernel" multi/starvation "$late == 10518 && cycle == 70901" 'policy rank=kernel-lrr' restart run
claims "warp 4 is paused, its kernel has half" multi/starvation \
	'warp[4].status == status.paused && kernel.1.inst.warp > 7000 && kernel.1.inst.warp < kernel.1.ready' 'policy rank=kernel-lrr' restart 'goto 5000'
claims "by what was ready" multi/starvation "$late == 26536" 'policy rank=kernel-ipr' restart run
claims "parts that are kept for who waits" multi/starvation "$late == 22450" 'policy rank=kernel-fair' restart run
claims "the same as a limit" multi/starvation "$late == 22408 && warps.held > 0" 'policy hold=smkw' restart run
claims "and lent" multi/starvation "$late == 22450" 'policy hold=smkw' 'set smk.lend on' restart run
claims "apart" multi/trial 'cycle == 200930 && launch[1].last_retire == 160416' 'policy partition=even preempt=chimera' restart run
claims "by halves" multi/trial 'cycle == 156680' 'policy partition=smk preempt=chimera' restart run
maestro='policy partition=maestro allocate=twoway preempt=chimera'
claims "an SM of its own for each, three ways tried" multi/trial 'gpu.maestro.ctas == 6 && gpu.maestro.option[1].second > 30000 && gpu.maestro.apart == 1' "$maestro" restart 'goto 6000'
claims "taking turns makes sharing better" multi/trial 'gpu.maestro.option[1].second < 1000 && gpu.maestro.apart == 0' "$maestro rank=urgent,kernel-lrr" restart 'goto 6000'
claims "the memory-bound kernel is done sooner" multi/trial 'gpu.maestro.ctas >= 11 && launch[1].last_retire == 113305' "$maestro rank=urgent,kernel-lrr" restart run
pair='launch[0].last_retire == %s && launch[1].last_retire == %s && launch[2].last_retire == 200000 + %s && launch[3].last_retire == 200000 + %s'
claims "apart: the tables are as fast as can be" multi/spatial-or-smk "$(printf "$pair" 120668 129233 78650 77925)" 'policy partition=even preempt=chimera' restart run
claims "shared: dense is, and the tables are not" multi/spatial-or-smk "$(printf "$pair" 67125 122418 142467 143832)" 'policy partition=smk preempt=chimera' restart run
claims "35 % of hits" multi/spatial-or-smk 'l1d.hit_rate > 0.345 && l1d.hit_rate < 0.355' 'policy partition=smk preempt=chimera' restart 'goto 260000'
claims "and 78" multi/spatial-or-smk 'l1d.hit_rate > 0.775 && l1d.hit_rate < 0.785' 'policy partition=even preempt=chimera' restart 'goto 260000'
claims "with room for both tables sharing is best" multi/spatial-or-smk 'launch[2].last_retire - 200000 == 71358' \
	'policy partition=smk preempt=chimera' 'set l1d.bytes 98304' 'set l1d.ways 12' restart run
maestro='policy partition=maestro allocate=twoway preempt=chimera rank=urgent,kernel-lrr'
claims "2 CTAs of dense, 14 of stream" multi/spatial-or-smk \
	'gpu.maestro.ctas == 2 && gpu.maestro.trial == 0 && gpu.maestro.apart == 0 && gpu.maestro.option[3].first + gpu.maestro.option[3].second < 2500' "$maestro" restart 'goto 60000'
claims "SMs apart for the tables" multi/spatial-or-smk 'gpu.maestro.apart == 1 && gpu.maestro.option[1].first + gpu.maestro.option[1].second > 7500' "$maestro" restart 'goto 260000'
claims "when" multi/spatial-or-smk 'cycle == 258864' "$maestro" restart 'break epoch spatial' 'goto 260000' reverse-continue
claims "what asking costs" multi/spatial-or-smk 'launch[2].last_retire == 306361' "$maestro" restart run
claims "half, then 7" multi/history 'cycle == 6512 && gpu.maestro.ctas == 7' "$maestro" restart 'break epoch moved' continue
claims "seven epochs, and the eighth keeps it" multi/history 'gpu.maestro.ctas == 2 && gpu.maestro.epochs == 8 && gpu.maestro.decided == 1' "$maestro" restart 'goto 52200'
claims "the sixth had kept 3" multi/history 'gpu.maestro.ctas == 3 && gpu.maestro.epochs == 6 && gpu.maestro.decided == 1' "$maestro" restart 'goto 39300'
claims "the second time it begins with 3" multi/history 'gpu.maestro.ctas == 3 && gpu.maestro.kernel[0].launch == 3 && kernel.1.inst.warp > 0' "$maestro" restart 'goto 151000'
claims "94,205 instructions" multi/history 'kernel.1.inst.warp == 94205' "$maestro" restart 'goto 20000'
claims "117,217" multi/history 'kernel.3.inst.warp == 117217' "$maestro" restart 'goto 170000'
claims "each with its times" multi/history \
	'launch[1].last_retire == 126620 && launch[3].last_retire == 267956 && launch[5].last_retire == 375714 && launch[7].last_retire == 516077' "$maestro" restart run
claims "beside roots 2 is wrong" multi/history 'cycle == 306032 && gpu.maestro.apart == 1' "$maestro" restart 'goto 300100' 'break epoch' continue
claims "eleven epochs" multi/history 'gpu.maestro.epochs_apart == 11' "$maestro" restart 'goto 370000'
claims "thick begins with half" multi/history 'gpu.maestro.ctas == 8' "$maestro" restart 'goto 450100'
claims "and comes to 9" multi/history 'gpu.maestro.ctas == 9' "$maestro" restart 'goto 500000'
claims "lanes in turns do not part a gang, halves of slices do" vws/split 'cycle == 5740 && gang.splits.control == 1 && warp[3].pc == 15 && warp[4].pc == 23' 'break split' continue
claims "either arm in one cycle" vws/split 'warp[0].status == status.issued && warp[4].status == status.issued && warp[0].pc == 21 && warp[4].pc == 29' 'goto 5849'
claims "slices gain where ways go by slices" vws/split 'kernel.0.cycles == 5425 && kernel.1.cycles == 3041 && kernel.2.cycles == 12525' run
claims "whole warps: the same to the cycle where they do not" vws/split 'kernel.0.cycles == 5425 && kernel.1.cycles == 4970 && kernel.2.cycles == 20275' 'gpu vws' restart run
claims "one gang a cycle: nothing for one warp, worse for 32" vws/split 'kernel.1.cycles == 3055 && kernel.2.cycles == 22895' 'set vws.gangs_per_cycle 1' restart run
claims "four gangs are as two" vws/split 'kernel.2.cycles == 12525' 'set vws.gangs_per_cycle 4' restart run
claims "what has parted stays apart" vws/reform 'gang.merges == 0 && events.gangform == 0' run
claims "equal arms end in one gang" vws/reform 'cycle == 801 && warp[0].pc == 32 && warp[7].pc == 32 && gang.merges == 1' 'set vws.reform on' restart 'break form' continue
claims "6 merges in 8 rounds" vws/reform 'gang.merges == 6 && gang.issues == 627' 'set vws.reform on' restart 'break kernelend' continue
claims "679 issues without" vws/reform 'gang.merges == 0 && gang.issues == 679' 'break kernelend' continue
claims "one gang in two rounds of a loop" vws/reform 'cycle == 4417 && warp[0].pc == 32 && warp[4].pc == 32 && warp[0].reg[6][0] == 1 && warp[4].reg[6][16] == 0' \
	'set vws.reform on' restart 'goto 3800' 'break form' continue
claims "and again, further apart" vws/reform 'cycle == 5121 && warp[0].reg[6][0] == 3 && warp[4].reg[6][16] == 1' 'set vws.reform on' restart 'goto 4500' 'break form' continue
claims "a greedy choice of gangs keeps halves apart" vws/reform 'kernel.2.cycles == 22969 && gang.merges == 11' 'set vws.reform on' 'set vws.gangs_per_cycle 1' restart run
claims "whole warps" vws/reform 'kernel.2.cycles == 20275' 'gpu vws' restart run
claims "turns bring them together" vws/reform 'kernel.2.cycles == 21604 && gang.merges == 36' 'policy gang=gang-lrr' 'set vws.reform on' 'set vws.gangs_per_cycle 1' restart run
claims "turns alone" vws/reform 'kernel.2.cycles == 21870 && gang.merges == 0' 'policy gang=gang-lrr' 'set vws.gangs_per_cycle 1' restart run
claims "who waits for who cannot come is late" vws/reform 'kernel.0.cycles == 3731 && kernel.1.cycles == 5949 && gang.merges == 8' 'gpu e-vws-sync' restart run
claims "without waiting" vws/reform 'kernel.0.cycles == 3486 && kernel.1.cycles == 5873 && gang.merges == 18' 'gpu e-vws-sync' 'set vws.sync 0' restart run
claims "slices in step take what whole warps take" vws/slip 'kernel.0.cycles == 16242 && l1d.accesses == 3872 && mem.joined == 27328 && mem.instructions == 31232 && mem.lines == 3904' 'break kernelend' continue
claims "one load, and each slice asks for each line itself" vws/slip 'kernel.1.cycles == 26869 && l1d.accesses - 3872 == 22652' run
claims "slices of a warp in different rounds" vws/slip 'warp[24].reg[6][0] == 34 && warp[31].reg[6][28] == 27' 'goto 24000'
claims "a gang does not drift" vws/slip 'kernel.1.cycles == 15775 && l1d.accesses == 7968' 'gpu i-vws' restart run
claims "whole warps" vws/slip 'kernel.0.cycles == 16242 && kernel.1.cycles == 15775' 'gpu vws' restart run
claims "impatient ones do" vws/slip 'kernel.1.cycles == 29152' 'gpu i-vws-impatient' restart run
claims "and come together again" vws/slip 'kernel.1.cycles == 16038 && gang.splits.memory == 521 && gang.merges == 1205' 'gpu e-vws-impatient' restart run
claims "eight ports and an L0" vws/l0 'kernel.0.cycles == 20542 && kernel.1.cycles == 16224 && l1i.accesses == 3944 && l0i.hits == 251984 && l1d.accesses == 3872' run
claims "eight ports without" vws/l0 'kernel.0.cycles == 20542 && kernel.1.cycles == 16224 && l0i.hits == 0' 'set l0i.bytes 0' restart run
claims "two ports without" vws/l0 'kernel.0.cycles == 74176 && l1i.accesses == 256000' 'set l0i.bytes 0' 'set l1i.ports 2' restart run
claims "two ports with: what computes does not mind, what loads comes out of step" vws/l0 \
	'kernel.0.cycles == 20808 && l0i.waits == 2860 && kernel.1.cycles == 22866 && l1d.accesses == 14809' 'set l1i.ports 2' restart run
claims "one port too few" vws/l0 'kernel.1.cycles == 17063 && l0i.waits == 151' 'set l1i.ports 7' restart run
claims "gangs need no L0" vws/l0 'kernel.0.cycles == 20542 && kernel.1.cycles == 16224 && gang.fetches == l1i.accesses' 'gpu i-vws' 'set l0i.bytes 0' restart run
claims "seven wait for one" vws/skew 'cycle == 915 && warp[0].status == status.long && warp[1].status == status.gang && warp[7].status == status.gang' 'break stall gang' continue
skewed='kernel.0.cycles == %s && kernel.1.cycles == %s && kernel.2.cycles == %s'
claims "in each round, though each misses once" vws/skew "$(printf "$skewed" 3569 3040 5499)" run
claims "seven go on" vws/skew 'cycle == 915 && warp[0].status == status.long && warp[1].status == status.issued && warp[7].status == status.issued' \
	'set vws.split group' restart 'break split memory' continue
claims "waits overlap" vws/skew "$(printf "$skewed" 2204 2767 4482)" 'set vws.split group' restart run
claims "who parts more gains less" vws/skew "$(printf "$skewed" 2208 2767 4663)" 'set vws.split impatient' restart run
claims "who meets again gains no more" vws/skew 'kernel.2.cycles == 4499 && gang.merges > 0' 'set vws.split group' 'set vws.reform on' restart run
claims "who was never in a gang gains least" vws/skew 'kernel.2.cycles == 4774' 'gpu ws4' restart run
claims "a slice waits for lanes of others" vws/rendezvous 'cycle == 1162 && warp[2].status == status.gang' 'break stall gang' continue
claims "to meet once is for nothing, each time helps" vws/rendezvous "$(printf "$skewed" 38069 37913 30439)" run
claims "as whole warps" vws/rendezvous "$(printf "$skewed" 20848 20474 21209)" 'gpu vws' restart run
claims "five meetings are nearly enough for schedulers that go round" vws/rendezvous "$(printf "$skewed" 37598 29710 28291)" 'policy order=lrr' restart run
claims "gangs need none" vws/rendezvous "$(printf "$skewed" 20848 20474 21209)" 'gpu i-vws' restart run
claims "gangs crumble" vws/lighting 'gang.slots == 25490 && inst.warp == 56670' 'goto 8000'
claims "and stay so" vws/lighting 'gang.slots == 25490 && inst.warp == 111280 && gang.size.8 == 1304 && gang.singles == 85790 && kernel.0.cycles == 16492 && fetch.ops == 92590' run
claims "whole warps take as long as their longest slice" vws/lighting 'kernel.0.cycles == 22716' 'gpu vws' restart run
claims "slices alone: as fast, with more fetches" vws/lighting 'kernel.0.cycles == 16233 && fetch.ops == 111792' 'gpu ws4' restart run
claims "chance brings together what it parted" vws/lighting 'gang.slots == 94233 && fetch.ops == 42684 && kernel.0.cycles == 15335' 'gpu e-vws' restart run
claims "two lanes share a line of 128 bytes, so there are 16 in each access" labs/01-coalesce 'mem.lines == 16384 && mem.instructions == 1024' run
claims "a load of a column takes 32 cycles of its bank" labs/02-pad 'shared.accesses == 256 && shared.cycles == 128 + 128 * 32' run
claims "a number from memory takes some 400 cycles" labs/03-latency 'mem.latency > 380 && mem.latency < 450 && slots.long > 20000' run
claims "each warp is divided once" labs/04-diverge 'branch.diverged == 64' run
claims "the L1D has most of the numbers" labs/05-tile 'l1d.hit_rate > 0.8 && mem.lines > 10 * 2304' run
claims "an atomic per turn and warp" labs/06-histogram 'l2.atomics == 1024 && events.race == 0' 'set check.races on' run
claims "five barriers of eight warps" labs/07-shuffle 'events.barrier == 5 * 8 * 32' run
claims "few warps fit" labs/08-occupancy 'occupancy.warps > 15 && occupancy.warps < 17 && occupancy.registers > 0.85' run
claims "registers are a limit" labs/08-occupancy 'occupancy.warps < 17' run limits
claims "waits fill the slots" labs/09-copy 'slots.long > 0.45 * slots.total && events.race == 0' 'set check.races on' run
claims "number by number" labs/10-tensor 'inst.warp > 6000' run
claims "right, and it races" labs/11-race 'out[0] == 32640 && events.race == 24' 'set check.races on' run
claims "half of the blocks never come" labs/12-deadlock 'cta.started == 32 && cta.finished == 0' 'goto 5000'
case $lesson in scenarios/course/01*)
	for file in scenarios/course/kernels/*; do
		base=$(basename "$file")
		cmp -s "$file" "scenarios/kernels/$base" || cmp -s "$file" "scenarios/subcore/kernels/$base" || cmp -s "$file" "scenarios/faults/kernels/$base"
		report "course: $base is the library's" $?
	done
	;;
esac
none "${lesson#scenarios/}: each number of its texts is computed" "$(unclaimed "$lesson" "$claimed" "$heard")"
exit $failed
