# Runs of a kernel of kernels.csv beside a task that asks for 15 of 30 SMs for 200 us, and is killed if it has not ended `bound` us later.
#
# usage: run.sh KIND KERNEL WAY BOUND REQUESTS, with KIND one of
#   fresh     the kernel begins anew before each request, on every SM as far through its blocks as chance wills: requests are independent
#   periodic  a request every millisecond while the kernel goes on; WAY none: no task
# prints: KIND KERNEL WAY BOUND, requests, missed, SMs late, instructions that count (not those of blocks that were flushed, nor those void because
# a deadline was missed), drains, flushes, saves. WAY strict is a flush of idempotent kernels alone.
kind=$1 kernel=$2 way=$3 bound=$4 requests=$5
here=tests/reproduce/preempt
run=$OUT/runs/preempt/$kind.$kernel.$way.$bound
mkdir -p "$OUT/runs/preempt"
case $way in strict) policy=flush idempotence=strict ;; *) policy=$way idempotence=relaxed ;; esac
cycles() {
	awk "BEGIN { printf \"%.0f\", 1400 * ($1) }"
}
# Where nothing waits blocks of an SM must be as far to a percent, and their idempotent parts exact: then a warp issues in every cycle.
case $bound in 0.*) exact=1 ;; *) exact= ;; esac
synthetic=$(awk -f $here/kernel.awk -v kernel="$kernel" -v bound="$bound" -v exact="$exact" $here/kernels.csv)
set -- $(echo "$synthetic" | awk '/^synthetic/ { time = $4 / 1400 } /^launch/ { print time, $6, $4 / 8 }')
time=$1 block=$2 wave=$3
if [ "$kind" = fresh ]; then
	waves=$(awk "BEGIN { print int(($time * 1.05 + 250) / $time) + 2 }")
	from=$(cycles "$time * 1.05 + 30") every=$(cycles "$waves * $time + 400")
	launches=$(awk "BEGIN { for (i = 0; i < $requests; i++) printf \"launch victim grid %d block %d at %.0f\n\", $wave * $waves, $block, i * $every }")
else
	from=$(cycles "$time * 2 + 500") every=1400000
	launches="launch victim grid 100000000 block $block"
fi
{
	echo "$synthetic" | sed '/^launch/d'
	echo "$launches"
	echo "set l1i.perfect on"
	[ -z "$exact" ] || echo "set issue.interval 1"
	echo "set engine.threads 1"
	echo "set preempt.ctas 240"
	echo "set chimera.switch time"
	echo "set chimera.bound $(cycles "$bound")"
	echo "set chimera.idempotence $idempotence"
	[ "$way" = none ] || cat <<-EOF
		policy partition=even preempt=$policy
		synthetic task time 279996 steps 1 regs 4
		launch task grid 15 block 32 stream 1 at $from every $every sms 15 deadline $(cycles "200 + $bound")
	EOF
} >"$run.scn"
counts="kernel.0.inst.warp kernel.0.wasted deadline.requests deadline.missed deadline.late deadline.void preempt.drains cta.flushed cta.saved"
{
	if [ "$kind" = fresh ]; then
		echo run
	else
		echo "goto $from"
		for name in $counts; do echo "print $name"; done
		echo "goto $((from + requests * every))"
	fi
	for name in $counts; do echo "print $name"; done
	echo quit
} >"$run.commands"
"$WARPSTEP" -n -q -b -x "$run.commands" "$run.scn" >"$run.out" 2>"$run.errors" || exit 255
grep -x '[0-9][0-9]*' "$run.out" | paste -s -d ' ' | awk -v id="$kind $kernel $way $bound" '
	NF == 9 { print id, $3, $4, $5, 0, $7, $8, $9 }
	NF == 18 { print id, $12, $13, $14, ($10 - $1) - ($11 - $2) - $15, $16 - $7, $17 - $8, $18 - $9 }' >"$run.line"
cat "$run.line"
