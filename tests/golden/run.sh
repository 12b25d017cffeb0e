#!/bin/sh
# Transcripts: NAME.cmd holds commands, its first line "#! OPTIONS" options and a scenario (below scenarios/); NAME.txt is
# what they print, errors included. WARPSTEP_GOLDENS=write writes the .txt files anew.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0 failed=0
for script in tests/golden/*.cmd; do
	name=$(basename "$script" .cmd)
	options=$(sed -n '1s/^#! //p' "$script")
	eval "timeout 60 \"$WARPSTEP\" $options" <"$script" >"$work/out" 2>&1
	echo "status $?" >>"$work/out"
	number=$((number + 1))
	if [ "$WARPSTEP_GOLDENS" = write ]; then
		cp "$work/out" "tests/golden/$name.txt"
	elif cmp -s "$work/out" "tests/golden/$name.txt"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name: $(diff "$work/out" "tests/golden/$name.txt" | head -n 3 | tr '\n' ' ')"
		failed=1
	fi
done
exit $failed
