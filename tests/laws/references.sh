# The inputs and expected outputs that the scenarios read are what the CPU reference computes.
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$BUILD/tests/reference" "$made" || exit 1

n=0 bad=0
for name in $(ls "$made" scenarios/data | grep '\.' | grep -v : | sort -u); do
	kept=scenarios/data/$name
	[ -e "$kept" ] || kept=tests/ptx/$name
	n=$((n + 1))
	if cmp -s "$made/$name" "$kept"; then
		echo "ok $n - $kept"
	else
		echo "not ok $n - $kept differs from the reference"
		bad=1
	fi
done
exit $bad
