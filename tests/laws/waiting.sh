# Blocks that wait for others end under every policy of CTAs, on two SMs and several GPUs: there are eight that must all be there,
# whether n of dyncta is 2 of an SM or SMs are closed, with windows so short that all bounds on starvation are met.
. tests/tap
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# ends NAME COMMANDS...: turns.scn runs to its end, and its checks hold.
ends() {
	name=$1
	shift
	out=$(timeout 600 "$WARPSTEP" -n -q -b "$@" scenarios/turns.scn 2>&1 </dev/null)
	report "$name" $? "$(echo "$out" | grep -v '^$' | tail -n 1)"
}
for gpu in tiny gt200 volta; do
	for policy in cta=dyncta cta=dyncta,dyncore cta=dyncore cta=vt cta=vt,dyncta,dyncore; do
		for start in half one; do
			ends "turns on $gpu, $policy, start $start" -e "gpu $gpu" -e 'set gpu.sms 2' -e "set dyncta.start $start" \
				-e 'set dyncta.window 128' -e 'set dyncta.mem_low 8' -e 'set dyncta.mem_high 24' \
				-e 'set dyncta.max_paused 5' -e 'set dyncore.active 61440' -e "policy $policy"
		done
	done
done
# With the paper's numbers: 204,800 cycles pass before n rises.
ends "turns on tiny, dyncta and dyncore as they are" -e 'gpu tiny' -e 'set gpu.sms 2' -e 'policy cta=dyncta,dyncore'

# What each bound is for: without it there is no end.
for what in cta=dyncta cta=dyncta,dyncore; do
	"$WARPSTEP" -n -q -b --max-cycles 60000 -e 'gpu tiny' -e 'set gpu.sms 2' -e 'set dyncta.start one' -e 'set dyncta.window 128' \
		-e 'set dyncta.mem_low 0' -e 'set dyncta.mem_high 24' -e 'set dyncta.max_paused 0' -e 'set dyncore.active 61440' \
		-e "policy $what" scenarios/turns.scn >"$work/out" 2>&1 </dev/null
	status=$?
	[ $status = 5 ]
	report "turns without dyncta.max_paused, $what, does not end" $? "status $status"
done
exit $failed
