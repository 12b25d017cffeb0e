#!/bin/sh
# Texts and sizes that once made a loop, or a line, without an end: each command ends by itself, or at its limit.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0 failed=0

# ends NAME STATUS WORDS...: the program, given WORDS, ends with that status in time, and does not fill the disk.
ends() {
	name=$1 want=$2
	shift 2
	(
		cd "$work" && ulimit -f 400000
		timeout 300 "$WARPSTEP" -n "$@" </dev/null >out 2>&1
	)
	got=$?
	number=$((number + 1))
	if [ $got = "$want" ]; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name: status $got, not $want; $(wc -c <"$work/out") bytes: $(tail -c 200 "$work/out" | tr '\n' ' ')"
		failed=1
	fi
}

cat >"$work/stage.scn" <<'END'
gpu tiny
synthetic k iterations 4 body 8 mix int 60 fp32 40
launch k grid 4 block 64
END
cat >"$work/asks.scn" <<'END'
source stage.scn
part "a"
note "A note that is longer than any line of a screen of one column."
ask number "how many?" cycle
hint "look at the cycle"
after lesson check
after run
wrong 3 "it is {cycle}}, not {answer}"
wrong if answer < cycle "more than {answer}"
wrong if answer > cycle "less than {answer}"
reveal "a { brace } that is {cycle} } open on the other side"
END
sed -i 's/{ brace }/{ipc}/' "$work/asks.scn"
cat >"$work/tree.scn" <<'END'
define tree
tree $arg0
tree $arg0
end
tree x
END
for size in 1x1 2x2 3x3 4x1 5x5 10000x1 1x10000; do
	ends "why of both sides at $size" 0 -b --size $size stage.scn -e 'compare order=lrr' -e run -e 'compare why'
	ends "a lesson at $size" 0 -b --size $size asks.scn -e 'lesson walk' -e 'show notes' -e 'screen dump'
	ends "help at $size" 0 -b --size $size stage.scn -e 'help print' -e 'explain ipc' -e 'info kernel' -e 'show warps'
done
ends 'a question whose answer asks' 0 -b asks.scn -e 'lesson check'
ends 'a lesson whose stage is undone' 1 -b --keep-going -e 'source asks.scn' -e lesson -e 'answer 3' -e 'undo' -e undo -e undo \
	-e 'lesson check' -e 'lesson again'
ends 'a command that calls itself twice, at its own pace' 2 -b --keep-going tree.scn
ends 'a command that calls itself twice' 2 -b --keep-going --max-seconds 1 tree.scn
exit $failed
