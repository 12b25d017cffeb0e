# Variable warps against whole ones, on kernels of the library whose warps do not diverge: with one gang a cycle and one port of the L1I
# eight slices of four lanes that issue in gangs take the cycles, fetches and accesses of warps of 32, one for one: those of the constant
# cache, too, which a gang asks once.
. tests/tap
of() {
	scenario=$1
	shift
	"$WARPSTEP" -n -q -b -e 'gpu vws' -e 'set const.perfect off' -e 'set l1i.ports 1' "$@" -e restart -e run -e "stats all" "scenarios/$scenario.scn" 2>&1 </dev/null |
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

# The front end of the paper's presets has the paper's numbers (sections 2 and 6.1, Table 2), and gives I-VWS and E-VWS the cycles and fetches of
# WS32 where nothing diverges, though two gangs may issue in a cycle: with two ports of the L1I and with eight.
setting() { "$WARPSTEP" -n -q -b -e "gpu $1" -e "explain $2" 2>&1 </dev/null | awk '$1 == "now" { print $2 }'; }
for name in ws32 ws4 i-vws e-vws; do
	case $name in ws32) ports=1 ;; ws4) ports=8 ;; *) ports=2 ;; esac
	[ "$(setting $name sm.ibuffer) $(setting $name fetch.insts) $(setting $name fetch.width) $(setting $name l1i.bytes) $(setting $name l1i.ports)" = "1 1 1 65536 $ports" ]
	report "$name has the paper's front end" $?
done
preset() {
	scenario=$1
	shift
	"$WARPSTEP" -n -q -b "$@" -e restart -e run -e "stats all" "scenarios/$scenario.scn" 2>&1 </dev/null |
		awk '$1 ~ /^(cycle|l1i.accesses|l1d.accesses|inst.thread|dram.reads)$/ && $2 !~ /:/ && !($1 in had) { had[$1]; print $1, $2 }'
}
for scenario in matmul saxpy transpose nbody; do
	whole=$(preset $scenario -e 'gpu ws32')
	for name in i-vws e-vws; do
		for ports in 2 8; do
			gangs=$(preset $scenario -e "gpu $name" -e "set l1i.ports $ports")
			[ -n "$whole" ] && [ "$gangs" = "$whole" ]
			report "$name with $ports ports is ws32: $scenario" $? "$(echo "$whole" "against" "$gangs" | tr "\n" " ")"
		done
	done
done
# A volatile load of a gang goes past the L1D as that of a whole warp does, with one slot for the gang or without.
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cp tests/ptx/livelocks.ptx "$work"
printf 'gpu i-vws\nset gpu.sms 1\nmodule livelocks.ptx\nbuffer f u32[4] zero\nlaunch flag grid 1 block 64 args f\n' > "$work/flag.scn"
for ahead in on off; do
	lines=$(printf 'set engine.ahead %s\nstep 3000\nprint l1d.accesses\nprint l1d.bypasses > 0\n' $ahead |
		"$WARPSTEP" -n -q "$work/flag.scn" 2>&1 | tail -n 2 | tr '\n' ' ')
	[ "$lines" = "0 1 " ]
	report "volatile loads of gangs go past the L1D: engine.ahead $ahead" $? "$lines"
done
exit $failed
