# Every scenario of the library computes the same on every preset: its own checks hold. A block that does not fit is refused with the
# reason. Each scenario that is no lesson on one preset, so that all presets take their turn; with WARPSTEP_LONG all scenarios on all of
# them.
set -- scenarios/gpu/*.gpu
presets=$# n=0 bad=0
for scenario in scenarios/*.scn ${WARPSTEP_LONG:+scenarios/*/*.scn}; do
	case $scenario in scenarios/faults/*) continue ;; esac # what goes wrong need not go wrong alike
	i=0 one=$((n % presets))
	for preset; do
		if [ -n "$WARPSTEP_LONG" ] || [ $i = $one ]; then
			echo "$(basename "$preset" .gpu) $scenario"
		fi
		i=$((i + 1))
	done
	n=$((n + 1))
done >"$LOG/presets"
cat >"$LOG/preset.sh" <<'X'
name=$1 scenario=$2
out=$("$WARPSTEP" -n -q -b -e "gpu $name" -e 'set gpu.sms 2' -e restart "$scenario" 2>&1 </dev/null)
status=$?
case $status:$out in
0:*) echo "ok - $scenario on $name" ;;
*"does not fit"*) echo "ok - $scenario on $name: does not fit" ;;
*) echo "not ok - $scenario on $name: status $status: $(echo "$out" | grep -v '^$' | tail -n 1)" ;;
esac
X
xargs -P "$(nproc)" -n 2 sh "$LOG/preset.sh" <"$LOG/presets" >"$LOG/presets.out"
cat "$LOG/presets.out"
! grep -q '^not ok' "$LOG/presets.out" && [ "$(grep -c '^ok' "$LOG/presets.out")" -gt 0 ]
