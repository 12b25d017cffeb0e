# `make goldens` (tests/goldens.sh) in a small tree: while a law or a unit test fails it makes no golden file, else it shows what changes; the
# tree has them when they are kept, and only if all is as it was when they were shown.
. tests/tap
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tests/laws" "$work/tests/golden" "$work/tests/shape" "$work/scenarios" "$work/build/release/tests" || exit 1
cp tests/run.sh tests/goldens.sh tests/tap "$work/tests" && cd "$work" || exit 1
unset WARPSTEP WARPSTEP_LONG WARPSTEP_GOLDENS LOG BUILD

# plant FILE LINE...: a program of these lines
plant() {
	file=$1
	shift
	printf '%s\n' '#!/bin/sh' "$@" >"$file" && chmod +x "$file"
}
plant warpstep 'echo new' 'echo same'
plant build/release/tests/reference 'for name in histogram dot warpsync redux; do echo 1 >"$1/$name.want"; done'
plant build/release/tests/test_rule 'echo "ok 1 - a rule"'
plant tests/laws/good.sh 'exit 0'
plant tests/laws/states.sh '[ "$WARPSTEP_GOLDENS" ] || exit 1' 'printf "names\nrow | hash=2 n=1\n" >tests/laws/states.txt'
plant tests/shape/reproduce.sh 'exit 0'
plant tests/golden/golden.sh '[ "$WARPSTEP_GOLDENS" ] && "$WARPSTEP" >tests/golden/golden.txt' "[ ! -e $work/edit ] || echo more >>$work/tests/tap" 'exit 0'
old='printf "old\nsame\n" >tests/golden/golden.txt; printf "names\nrow | hash=1 n=1\n" >tests/laws/states.txt'
mkdir tests/ptx && for name in histogram dot warpsync redux; do echo 1 >"tests/ptx/$name.want"; done
eval "$old"

# tree: what is in it
tree() { find tests scenarios -type f | sort | xargs sha256sum; }
before=$(tree)
# goldens WORD...: its output is in $said
goldens() { said=$(sh tests/goldens.sh "$@" 2>&1 </dev/null); }
# same NAME: nothing is written
same() {
	[ "$(tree)" = "$before" ]
	report "$1: the tree is as it was" $?
}
# says NAME TEXT
says() {
	case $said in *"$2"*) true ;; *) false ;; esac
	report "$1" $? "$said"
}

plant tests/laws/bad.sh 'echo "not ok 1 - what is taken is given back"' 'exit 1'
before=$(tree)
goldens show
[ $? = 1 ]
report "a law that fails: goldens refuses" $? "$said"
says "... and names it" "FAIL tests/laws/bad.sh: what is taken is given back"
same "..."
goldens keep yes
[ $? = 1 ]
report "... and there is nothing to keep" $? "$said"
same "..."
rm tests/laws/bad.sh
plant build/release/tests/test_rule 'echo "not ok 1 - a rule"' 'exit 1'
before=$(tree)
goldens show
[ $? = 1 ]
report "a rule's test that fails: goldens refuses" $? "$said"
says "... and names it" "test_rule: a rule"
same "..."
plant build/release/tests/test_rule 'echo "ok 1 - a rule"'

goldens show
report "all hold: goldens shows" $? "$said"
says "... which file changes" "tests/golden/golden.txt: 2 lines"
says "... which line" "    -old"
says "... into which" "    +new"
says "... and which state" "row: hash 1->2"
[ "$(echo "$said" | grep -c same)" = 0 ]
report "... and no line that stays" $? "$said"
same "..."
echo "# another" >>warpstep
goldens keep yes
[ $? = 1 ]
report "another program than was shown: nothing is kept" $? "$said"
same "..."
goldens show
goldens keep golden.txt
[ "$(cat tests/golden/golden.txt)" = "$(printf 'new\nsame')" ] && grep -q hash=1 tests/laws/states.txt
report "one of them is kept" $? "$said"
touch edit
goldens show
goldens keep yes
grep -q hash=2 tests/laws/states.txt
report "all are kept" $? "$said"
grep -qx more tests/tap
report "... and what somebody edited meanwhile stays" $?
rm edit
goldens show
says "then nothing changes" "no golden file changes"
cd - >/dev/null || exit 1
[ "$(grep WARPSTEP_GOLDENS=write Makefile | grep -vc tests/golden/pictures)" = 0 ] && grep -q "sh tests/goldens.sh .*show" Makefile
report "make goldens writes by no other way (the line that writes is of pictures)" $?
exit $failed
