# Table 4.2 measured here: each kernel of kernels.csv alone for four waves, and asked for 15 SMs by a switch.
# prints a CSV: kernel, drain_us and measured (half of the mean time of a block), switch_us and measured (from the request until the task that asks
# has its first SM), blocks of an SM and measured, idempotent part in percent and measured (of a block's instructions, before the first that trips)
here=tests/reproduce/preempt
mkdir -p "$OUT/runs/preempt"

# One kernel: its line.
if [ -n "$1" ]; then
	run=$OUT/runs/preempt/measure.$1
	time=$(awk -F, -v kernel="$1" '$1 == kernel { print 2 * $2 * 1400 }' $here/kernels.csv)
	from=$(awk "BEGIN { printf \"%.0f\", 1.6 * $time }")
	{
		awk -f $here/kernel.awk -v kernel="$1" $here/kernels.csv | sed 's/stagger on/stagger off/; s/^\(launch.* grid\) [0-9]*/\1 960/'
		printf '%s\n' "set l1i.perfect on" "set engine.threads 1" "set preempt.ctas 240" "set chimera.switch time"
	} >"$run.scn"
	{
		cat "$run.scn"
		printf '%s\n' "policy partition=even preempt=switch" "synthetic task time 1000 steps 1 regs 4" \
			"launch task grid 15 block 32 stream 1 at $from every 1s sms 15"
	} >"$run.switch.scn"
	set -- "$1" $("$WARPSTEP" -n -q -b -e run -e 'print kernel.0.ended.cycles' -e 'print kernel.0.ended' -e 'info kernel victim' -e quit "$run.scn" 2>"$run.errors" |
		awk '/^[0-9]+$/ { print } /^occupancy: / { print $2 } /instructions?, .* registers/ { n = $2 } /step r0/ && !at { at = $1 }
			/^not idempotent/ { trips = 1 } /^ *[0-9]+ +(step|exit).*declared:/ { first = $1 } END { print trips ? 100 * first / (n - 1) : 100 }') \
		$("$WARPSTEP" -n -q -b -e "goto $((from + 60000))" -e 'print launch[1].started_at' -e quit "$run.switch.scn" 2>>"$run.errors" | grep -x '[0-9]*')
	[ $# -eq 6 ] || exit 255
	awk -F, -v kernel="$1" -v cycles="$2" -v ended="$3" -v blocks="$4" -v part="$5" -v started="$6" -v from="$from" '$1 == kernel {
		printf "%s,%s,%.2f,%s,%.2f,%s,%d,%s,%.1f\n", kernel, $2, cycles / ended / 2800, $5, (started - from) / 1400, $4, blocks, $7, part }' $here/kernels.csv
	exit
fi
echo "kernel,drain_us,drain_measured,switch_us,switch_measured,blocks,blocks_measured,idempotent_pct,idempotent_measured"
awk -F, '!/^#/ && $1 != "kernel" { print $1 }' $here/kernels.csv | xargs -P "$(nproc)" -L 1 sh $here/measure.sh | sort
