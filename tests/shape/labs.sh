# A lab works with clang alone: a copy of the source of each of its versions, and of the given kernel, is compiled by the lab's own command,
# and its try comes to what the lab says of the version. A source with an error says where it is, and counts as no try.
# each: scenarios/labs/02-pad.scn scenarios/labs/11-race.scn scenarios/labs/12-deadlock.scn
# each long: scenarios/labs/*.scn
. tests/tap
command -v clang >/dev/null || exit 77

lab=$1
[ -e "$lab" ] || { echo "usage: $0 SCENARIO"; exit 1; }
name=$(basename "$lab" .scn) work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
given=${name#*-}

# try FILE: what an answer with this source is told, the first line of the verdict.
try() {
	echo "answer $work/$1" | "$WARPSTEP" -n --plain --trust "$lab" 2>&1 | sed -n 's/^\(Right\) (try 1).*/\1/p; s/^Try 1, [^:]*: //p; /error:/p; /^stdin/p'
}

while read -r key file; do
	cp "scenarios/labs/kernels/$file.cu" "$work/my_$file.cu"
	case $key in right) want=Right ;; short) want='results right, but ' ;; wrong) want='wrong results: ' ;; esac
	said=$(try "my_$file.cu")
	case $said in "$want"* | "the run does not come to its end: "*) [ "$key" != right ] || [ "$said" = Right ] ;; *) false ;; esac
	report "$name: $file.cu is $key when it is compiled" $? "$said"
done <<END
$(sed -n 's|^version \([a-z]*\) kernels/\([a-z_]*\)\.ptx.*|\1 \2|p' "$lab")
END
cp "scenarios/labs/kernels/$given.cu" "$work"
case $(try "$given.cu") in Right*) false ;; "results right, but"* | "the run does not come to its end"*) ;; *) false ;; esac
report "$name: the given kernel is not right when it is compiled" $?
echo "int mistake = ;" >"$work/bad.cu"
try bad.cu | grep -q "$work/bad.cu:1:15: error: "
report "$name: an error of the compiler is shown with its line and column" $?
exit $failed
