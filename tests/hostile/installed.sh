#!/bin/sh
# What comes with the program is the program's own: an installed one takes its presets and its default scenario from its share,
# and no program takes them from the folder where somebody stands.
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0 failed=0

# says NAME TEXT FOLDER PROGRAM WORDS...: run in that folder, its output holds the text and nothing of the stranger's.
says() {
	name=$1 text=$2 folder=$3
	shift 3
	number=$((number + 1))
	(cd "$folder" && timeout 300 "$@" </dev/null >"$work/out" 2>&1)
	if grep -q -- "$text" "$work/out" && ! grep -q stranger "$work/out"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name: $(head -c 300 "$work/out" | tr '\n' ' ')"
		failed=1
	fi
}

# A stranger's folder, with scenarios of its own below it, and one beside a folder below it.
mkdir -p "$work/strange/scenarios/gpu" "$work/strange/below"
printf 'set gpu.sms 77\necho stranger\n' >"$work/strange/scenarios/gpu/tiny.gpu"
printf 'echo stranger\n' >"$work/strange/scenarios/gpu/mine.gpu"
printf 'echo stranger\n' >"$work/strange/scenarios/default.scn"
cp -r "$work/strange/scenarios" "$work/scenarios"

# Installed: bin and share, wherever they are.
mkdir -p "$work/usr/bin" "$work/usr/share/warpstep/scenarios"
cp "$WARPSTEP" "$work/usr/bin/warpstep"
cp -r scenarios/gpu scenarios/kernels scenarios/data scenarios/default.scn "$work/usr/share/warpstep/scenarios"
printf 'echo ours\n' >>"$work/usr/share/warpstep/scenarios/gpu/tiny.gpu"
for folder in "$work/strange" "$work/strange/below" "$work/usr/bin" /; do
	where=${folder#"$work/"}
	says "installed, from $where: a preset" ours "$folder" "$work/usr/bin/warpstep" -b -e 'gpu tiny'
	says "installed, from $where: the default scenario" 'slots.issued' "$folder" "$work/usr/bin/warpstep" -b
	says "installed, from $where: no preset of theirs" "unknown preset 'mine' (presets: a100" "$folder" "$work/usr/bin/warpstep" -b -e 'gpu mine'
done
rm -r "$work/usr/share/warpstep"
mkdir "$work/usr/scenarios" "$work/usr/bin/gpu"
cp -r "$work/strange/scenarios/gpu" "$work/usr/scenarios"
says 'installed without its share: beside its folder is not looked' 'preset' "$work/strange" "$work/usr/bin/warpstep" -b -e 'gpu mine'

# A checkout, whose program is at its root and in build.
mkdir -p "$work/tree/build/san/tests" "$work/tree/scenarios"
cp -r scenarios/gpu scenarios/default.scn "$work/tree/scenarios"
printf 'echo ours\n' >>"$work/tree/scenarios/gpu/tiny.gpu"
for at in . build/san build/san/tests; do
	cp "$WARPSTEP" "$work/tree/$at/warpstep"
	says "a checkout's, in $at: a preset" ours "$work/strange" "$work/tree/$at/warpstep" -b -e 'gpu tiny'
	says "a checkout's, in $at: no preset of theirs" 'unknown preset' "$work/strange" "$work/tree/$at/warpstep" -b -e 'gpu mine'
done
says 'this one: a preset' 'gpu.sms' "$work/strange" "$WARPSTEP" -b -e 'gpu tiny' -e 'info settings gpu.sms'
cd "$root" || exit 1
exit $failed
