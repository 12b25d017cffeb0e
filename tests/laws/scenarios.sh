# Every scenario of the library and every one made from clang's PTX runs to its end and passes its own checks.
n=0 bad=0
for scenario in scenarios/*.scn scenarios/*/*.scn tests/ptx/*.scn; do
	n=$((n + 1))
	if out=$("$WARPSTEP" -n -q -b "$scenario" 2>&1 </dev/null); then
		echo "ok $n - $scenario"
	else
		status=$?
		echo "not ok $n - $scenario: status $status: $(echo "$out" | grep -v '^$' | tail -n 1)"
		bad=1
	fi
done
exit $bad
