# Where Virtual Thread can change nothing it changes nothing: a scenario in which no CTA comes beyond the warp slots runs cycle for cycle
# as without it, on every preset. Each third scenario of the library on one preset, so that all presets take their turn, for some cycles; with
# WARPSTEP_LONG on all of them, to the end.
# more: a third of the library twice
set -- scenarios/gpu/*.gpu
presets=$# n=5
for scenario in scenarios/*.scn scenarios/*/*.scn; do
	case $scenario in scenarios/faults/*) continue ;; esac # what races need not race alike
	i=0
	for preset; do
		if [ -n "$WARPSTEP_LONG" ] || [ $((n % 3)):$i = 0:$((n / 3 % presets)) ]; then
			echo "$(basename "$preset" .gpu) $scenario"
		fi
		i=$((i + 1))
	done
	n=$((n + 1))
done >"$LOG/beyond"
cat >"$LOG/beyond.sh" <<'X'
name=$1 scenario=$2
to='goto 3000'
[ -z "$WARPSTEP_LONG" ] || to=run

# What a run with one more command comes to: its state, and what it has counted.
comes_to() {
	"$WARPSTEP" -n -q -b -e "gpu $name" -e 'set gpu.sms 2' -e "$1" -e restart -e "$to" -e hash -e "stats all" "$scenario" 2>&1 </dev/null |
		grep -v '^policy vt has no effect\|^host\.\|^config\.hash'
}
with=$(comes_to 'policy cta=vt')
case $with in
*"does not fit"*) echo "ok - $scenario on $name: does not fit"; exit ;;
esac
if ! echo "$with" | grep -q '^warps.swapped  *0 '; then
	echo "ok - $scenario on $name: CTAs come beyond"
elif without=$(comes_to 'set vt.virtual 64'); [ "$with" = "$without" ]; then
	echo "ok - $scenario on $name: the same"
else
	echo "$without" >"$LOG/beyond.without.$$"
	echo "not ok - $scenario on $name: $(echo "$with" | diff - "$LOG/beyond.without.$$" | sed -n '2p;4p' | tr '\n' ' ')"
fi
X
xargs -P "$(nproc)" -n 2 sh "$LOG/beyond.sh" <"$LOG/beyond" >"$LOG/beyond.out"
cat "$LOG/beyond.out"
! grep -q '^not ok' "$LOG/beyond.out" && [ "$(grep -c ': the same$' "$LOG/beyond.out")" -gt $([ -n "$WARPSTEP_LONG" ] && echo 100 || echo 30) ]
