# The loads of the study of threads per SM are what loads.txt says: the type and limit of each kernel on the papers' machines; and they,
# as those of the other studies, compute what they should, at their full size. WARPSTEP_LONG lets the machine run them, otherwise only their values are computed: those of every fourth
# load in a quick run, of all with it.
# more: the loads of a study at their full size
. tests/tap
dir=tests/reproduce/tlp

# kernels of SCENARIO, each once
kernels() {
	sed -n 's/^ *launch \([a-z0-9_]*\) .*/\1/p' "$1" | awk '!($1 in had) { had[$1]; print }'
}

# limits SCENARIO: a line for each kernel: type, CTAs of an SM, CTAs that capacity allows, on each machine
limits() {
	for gpu in fermi kepler gt200; do
		printf 'gpu %s\nrestart\n' $gpu
		kernels "$1" | sed 's/^/info kernel /'
	done >"$LOG/loads.cmd"
	echo quit >>"$LOG/loads.cmd"
	"$WARPSTEP" -n -q -j -b --trust -x "$LOG/loads.cmd" "$1" 2>/dev/null |
		sed -n 's/.*"type":"\([SC]\)",.*"capacity":\([0-9]*\),.*"occupancy":\([0-9]*\),.*/\1:\3:\2/p' |
		pr -3 -t -s' ' -l "$(kernels "$1" | wc -l)"
}

# table SCENARIO: the same as loads.txt has it
table() {
	awk -v load="$(basename "$1" .scn)" '$1 == load { print $5, $6, $7 }' $dir/loads.txt
}

# turn: the next load's; a quick run computes every fourth
loads=0
turn() { loads=$((loads + 1)); [ -n "$WARPSTEP_LONG" ] || [ $((loads % 4)) = 1 ]; }

# values SCENARIO: its checks after a run without timing
values() {
	{
		echo "run --functional"
		sed -n 's/^  check /check /p' "$1"
		echo quit
	} >"$LOG/loads.cmd"
	"$WARPSTEP" -n -q -b --trust -x "$LOG/loads.cmd" "$1"
}

for scenario in $dir/*.scn; do
	holds "$scenario checks something" grep -q '^  check ' "$scenario"
	! turn || holds "$scenario computes what it should" values "$scenario"
	[ -z "$WARPSTEP_LONG" ] || holds "$scenario runs to its end" "$WARPSTEP" -n -q -b --trust "$scenario"
	got=$(limits "$scenario") want=$(table "$scenario")
	[ -n "$want" ] && [ "$got" = "$want" ]
	report "$scenario: $(echo $want)" $? "$(echo $got)"
done

# the loads of the studies of warp sizes and of pairs
for scenario in tests/reproduce/warps/*.scn tests/reproduce/share/*.scn; do
	case $scenario in *dense.scn | *sparse.scn) continue ;; esac
	holds "$scenario checks something" grep -q '^  check \|^  expect ' "$scenario"
	! turn || holds "$scenario computes what it should" values "$scenario"
done

# how many are of Type S on fermi and stand for one of the paper's, and how many of Type C
set -- $(awk '$1 ~ /^#/ { next } { all[$1] = all[$1] $5; if ($3 != "-") named[$1] }
	END { for (l in all) if (all[l] !~ /S/) c++; else s += l in named; print s + 0, c + 0 }' $dir/loads.txt)
[ "$1" -ge 14 ] && [ "$2" -ge 5 ]
report "enough loads of either type" $? "$1 of Type S, $2 of Type C"

# how many are memory-intensive on gtx480, and how many are not; all of them are told
set -- $(awk '!/^#/ { n[$2]++ } END { print n["M"] + 0, n["C"] + 0 }' $dir/gtx480.txt) $(ls $dir/*.scn | wc -l)
[ "$1" -ge 12 ] && [ "$2" -ge 6 ] && [ $(($1 + $2)) -eq "$3" ]
report "enough loads of either intensity on gtx480" $? "$1 of Type M, $2 of Type C, $3 in all"
exit $failed
