# Variable warps against whole ones, on kernels of the library whose warps do not diverge: with one gang a cycle and one port of the L1I
# eight slices of four lanes that issue in gangs take the cycles, fetches and accesses of warps of 32, one for one: those of the constant
# cache, too, which a gang asks once.
. tests/tap
of() {
	scenario=$1
	shift
	"$WARPSTEP" -n -q -b -e 'gpu vws' -e 'set const.perfect off' -e 'set l1i.ports 1' "$@" -e restart -e run -e stats "scenarios/$scenario.scn" 2>&1 </dev/null |
		awk '$1 ~ /^(cycle|l1i.accesses|l1i.misses|l1d.accesses|l1d.misses|mem.lines|mem.sectors|const.accesses|const.hits|const.misses|const.refused|shared.cycles|inst.thread|l2.hits|dram.reads)$/ && $2 !~ /:/ && !($1 in had) { had[$1]; print $1, $2 }'
}
for scenario in matmul saxpy sgemm transpose nbody; do
	whole=$(of $scenario)
	for size in 4 8 16; do
		gangs=$(of $scenario -e "set warp.size $size" -e "set sm.subcores $((32 / size))" -e 'set vws.gangs_per_cycle 1' -e 'policy gang=bgto')
		[ -n "$whole" ] && [ "$gangs" = "$whole" ]
		report "gangs of slices of $size are whole warps: $scenario" $? "$(echo "$whole" "against" "$gangs" | tr "\n" " ")"
	done
done
exit $failed
