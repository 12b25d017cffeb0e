# The library's kernels as clang compiles them, without any CUDA toolkit (`make ptx-clang`), pass the scenarios' checks.
# more: compiles the library
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ln -s "$PWD/scenarios/data" "$dir/data"
ln -s "$PWD/tests/ptx/clang" "$dir/kernels"

n=0 bad=0
for ptx in tests/ptx/clang/*.ptx; do
	for scenario in $(grep -l "^module kernels/$(basename "$ptx")" scenarios/*.scn); do
		cp "$scenario" "$dir"
		n=$((n + 1))
		if out=$("$WARPSTEP" -n -q -b --trust "$dir/$(basename "$scenario")" 2>&1 </dev/null); then
			echo "ok $n - $scenario with $ptx"
		else
			status=$?
			echo "not ok $n - $scenario with $ptx: status $status: $(echo "$out" | grep -v '^$' | tail -n 1)"
			bad=1
		fi
	done
done
exit $bad
