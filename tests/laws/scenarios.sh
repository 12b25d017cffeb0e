# Every scenario of the library and every one made from clang's PTX runs to its end and passes its own checks; lessons of what goes
# wrong end as they say.
# long: states.sh runs those that are not large, and looks at their checks, too
n=0 bad=0
for scenario in scenarios/*.scn scenarios/*/*.scn tests/ptx/*.scn; do
	n=$((n + 1)) want=0
	case $scenario in
	scenarios/faults/overflow.scn | scenarios/faults/barrier.scn) want=3 ;;
	scenarios/faults/lock.scn | scenarios/labs/12-deadlock.scn) want=4 ;;
	esac
	out=$("$WARPSTEP" -n -q -b "$scenario" 2>&1 </dev/null)
	status=$?
	if [ $status = $want ]; then
		echo "ok $n - $scenario"
	else
		echo "not ok $n - $scenario: status $status: $(echo "$out" | grep -v '^$' | tail -n 1)"
		bad=1
	fi
done
exit $bad
