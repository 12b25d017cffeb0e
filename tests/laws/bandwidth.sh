# A streaming kernel, once it is under way, gets at least 85 % of the peak bandwidth of every preset's DRAM, less its refreshes; never
# more than all. Gangs of slices stay together for it: what comes apart at its loads asks for each line several times. One SM's few warps come in
# bursts, which count over 6000 cycles, where large GPUs would be done.
# more: a stream on every preset
n=0 bad=0
for preset in scenarios/gpu/*.gpu; do
	n=$((n + 1)) name=$(basename "$preset" .gpu)
	case $name in h200) gpu="$name sms 66" ;; *) gpu=$name ;; esac # its memory wants 13 KB in flight from each SM: 320 CTAs fill half of them
	case $name in *vws* | ws*) cycles=6000 ;; *) cycles=3000 ;; esac
	share=$("$WARPSTEP" -n -q -b -j -e "gpu $gpu" -e "set gpu.launch_latency 0" -e "set vws.split control" -e restart -e 'step 4000' -e 'print dram.busy' -e "step $cycles" -e 'print dram.busy' \
		-e 'print gpu.clock' -e 'print dram.clock' -e 'print dram.channels' -e 'print dram.refi' -e 'print dram.rfc' scenarios/bandwidth.scn 2>/dev/null </dev/null |
		awk -F'"value":' -v cycles=$cycles '/"cmd":"print"/ { split($2, v, /[,}]/); x[++k] = v[1] }
			END { if (k == 7) printf "%.0f", 100 * (x[2] - x[1]) * x[3] / (cycles * x[4] * x[5] * (x[6] ? 1 - x[7] / x[6] : 1)) }')
	if [ -n "$share" ] && [ "$share" -ge 85 ] && [ "$share" -le 100 ]; then
		echo "ok $n - $name: $share %"
	else
		echo "not ok $n - $name: ${share:-no} % of the peak"
		bad=1
	fi
done
exit $bad
