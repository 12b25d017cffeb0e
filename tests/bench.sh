#!/bin/sh
# How fast warpstep simulates: warp instructions and cycles per second of host time, for each scenario given
# (default: the library), best of three, and the machine that it ran on.
[ $# -gt 0 ] || set -- scenarios/*.scn
echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors, $(uname -sr)"
printf '%-32s %14s %14s %14s\n' scenario cycles warp-inst inst/second
for scenario; do
	best=
	for run in 1 2 3; do
		row=$(./warpstep -n -b -j -e run -e 'stats cycle' -e 'stats inst.warp' -e 'stats host.rate' "$scenario" 2>/dev/null |
			sed -n 's/.*"\(cycle\|inst\.warp\|host\.rate\)": *\([0-9.e+]*\).*/\1 \2/p' |
			awk '{ v[$1] = $2 } END { printf "%.0f %.0f %.0f\n", v["cycle"], v["inst.warp"], v["host.rate"] }')
		best=$(printf '%s\n%s\n' "$best" "$row" | sort -k 3,3n | tail -n 1)
	done
	printf '%-32s %14s %14s %14s\n' "$scenario" $best
done
