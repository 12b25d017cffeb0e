# Lanes that part and need each other (tests/ptx/warpsync): the results are those of a thread of the host for every lane
# (tests/reference/lanes.c), from each compiler, optimised or not, without timing, under other orders, and after having gone back.
. tests/tap
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ln -s "$PWD/tests/ptx/warpsync" "$PWD"/tests/ptx/*.want "$dir"

# The scenario with the kernels of one compiler; reductions want sm_80.
scenario() {
	sed "s/o3_80/$1/" tests/ptx/warpsync.scn >"$dir/$1.scn"
	case $1 in *_7?) sed -i '/redux/d' "$dir/$1.scn" ;; esac
}
# A run passes: one compiler's kernels, then options.
passes() {
	name=$1
	shift
	"$WARPSTEP" -n -q -b --trust "$@" "$dir/$name.scn" >"$dir/out" 2>&1 </dev/null
	report "$name $*" $? "$(grep -v '^$' "$dir/out" | tail -n 1)"
}

for ptx in tests/ptx/warpsync/*.ptx; do
	name=$(basename "$ptx" .ptx)
	scenario "$name"
	passes "$name"
	passes "$name" -e 'run --functional' -e "check out file $dir/warpsync.want"
done
for policy in order=lrr order=two-level order=oldest vt; do
	passes o3_80 -e "policy $policy"
done
passes o3_80 -e 'set engine.sleep off' -e 'set engine.ahead off'
passes o3_75 -e 'set warp.patience 1'
passes o3_75 -e 'set warp.patience 1000' -e 'gpu volta'
passes o0_90 -e 'goto 20000' -e 'goto 300' -e 'reverse-step 100' -e run

# An instruction with which lanes wait takes no collector unit, and nothing of it is left when the kernel has ended.
"$WARPSTEP" -n -q -b --trust -e run -e "export kanata $dir/out.kanata from 1 to 2000" -e quit scenarios/warpsync.scn >"$dir/out" 2>&1 </dev/null
awk -F '\t' '$1 == "L" && $3 == 0 && $4 ~ /shfl/ { id[$2] } $1 == "S" && $4 == "Co" && $2 in id { collected++ }
	$1 == "R" && $4 == 1 && $2 in id { flushed++ } END { exit length(id) != 4 || collected != 2 || flushed }' "$dir/out.kanata"
report "export kanata: four shuffles, two of them collected, none left" $?
exit $failed
