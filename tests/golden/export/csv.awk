# A row for each cycle; the sum of a column is the statistic.
FNR == 1 { file++ }
file == 1 { want[$1] = $2; next }
FNR == 1 { columns = split($0, name, ","); next }
{
	if (split($0, value, ",") != columns || value[1] != from + ++rows) { print "row " FNR; bad = 1; exit 1 }
	for (i = 2; i <= columns; i++) sum[name[i]] += value[i]
}
END {
	if (bad || rows != to - from) exit 1
	for (i in want) {
		if (i == "cycle" || i ~ /^subcore/) continue
		if (!(i in sum) && i !~ /^(ipc|host)/) { print "no column " i; exit 1 }
		if (i in sum && sum[i] != want[i] && i !~ /^(ipc|mem.latency|occupancy|.*hit_rate|dram.share)/) { print i, sum[i], want[i]; exit 1 }
	}
	if (sum["ipc"] - want["inst.warp"] > .1 || want["inst.warp"] - sum["ipc"] > .1) { print "ipc", sum["ipc"]; exit 1 }
}
