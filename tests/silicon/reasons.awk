# reasons.awk - which limit closes the gap of each kernel that is more than 10 % off: awk -f reasons.awk TABLE RUNS. TABLE: of kernels.awk.
# RUNS: of `gpu -l`, scenario, launch, kernel, cycles, limit, degree (lifted; half: its numbers twice as good; twice: twice as bad). A line for
# each kernel: scenario, kernel, silicon, ours, percent, then up to three changes of different limits, the one first that comes nearest to the
# silicon: limit, degree, percent then. They come within 10 %; if none does, there is one, the nearest, if it closes a quarter of the gap.
BEGIN { FS = OFS = "\t"; NEAR = 10; MOST = 3 }
function size(x) { return x < 0 ? -x : x }
FNR == 1 { file++ }
file == 1 && NF == 8 && FNR > 1 && size($6 / $5 - 1) * 100 > NEAR {
	order[++rows] = $1 OFS $2
	silicon[$1, $2] = $5
	ours[$1, $2] = $6
	launches[$1, $2] = $3
	shown[$1, $2] = $7
}
file == 2 && ($1, $3) in ours {
	key = $5 OFS $6
	if (!(key in known)) { known[key]; way[++ways] = key }
	cycles[$1, $3, key] += $4
	runs[$1, $3, key] += $4 > 0
}
END {
	print "scenario", "kernel", "silicon", "ours", "percent", "limit", "degree", "then", "limit", "degree", "then", "limit", "degree", "then"
	for (r = 1; r <= rows; r++) {
		split(order[r], k, OFS)
		gap = size(ours[k[1], k[2]] / silicon[k[1], k[2]] - 1)
		line = order[r] OFS silicon[k[1], k[2]] OFS ours[k[1], k[2]] OFS shown[k[1], k[2]]
		delete told
		for (n = 0; n < MOST; n++) {
			best = ""
			for (w = 1; w <= ways; w++) {
				split(way[w], part, OFS)
				if (part[1] in told || runs[k[1], k[2], way[w]] < launches[k[1], k[2]]) continue
				off = cycles[k[1], k[2], way[w]] / silicon[k[1], k[2]] - 1
				if (best == "" || size(off) < size(least)) { best = way[w]; least = off }
			}
			if (best == "" || (size(least) * 100 > NEAR && (n || size(least) > gap * 3 / 4))) break
			split(best, part, OFS)
			told[part[1]]
			line = line OFS best OFS sprintf("%+.0f %%", least * 100)
			if (size(least) * 100 > NEAR) break
		}
		print line
	}
}
