# Lines "ROUND SIDE <tab> NAME <tab> VALUE" of tests/bench.sh: medians, and the ratios of the rounds.

function median(list, n,    a, i, j, x, m) {
	m = split(list, a, " ")
	for (i = 2; i <= m; i++)
		for (j = i; j > 1 && a[j - 1] + 0 > a[j] + 0; j--) {
			x = a[j]
			a[j] = a[j - 1]
			a[j - 1] = x
		}
	least = a[1] + 0
	most = a[m] + 0
	return m % 2 ? a[(m + 1) / 2] + 0 : (a[m / 2] + a[m / 2 + 1]) / 2
}

{
	split($1, at, " ")
	if (!($2 in known)) {
		known[$2] = 1
		name[++count] = $2
	}
	value[$2, at[1], at[2]] = $3
	all[$2, at[2]] = all[$2, at[2]] " " $3
	rounds = at[1] > rounds ? at[1] : rounds
}

END {
	printf "%-50s %12s %12s %7s  %s\n", "", "before", "now", "ratio", "lowest..highest of " rounds
	for (k = 1; k <= count; k++) {
		n = name[k]
		ratios = ""
		for (i = 1; i <= rounds; i++)
			if (value[n, i, "base"] > 0 && (n, i, "here") in value)
				ratios = ratios " " value[n, i, "here"] / value[n, i, "base"]
		before = median(all[n, "base"])
		now = median(all[n, "here"])
		if (ratios == "") {
			printf "%-50s %12.6g %12.6g %7s\n", n, before, now, "-"
			continue
		}
		ratio = median(ratios)
		printf "%-50s %12.6g %12.6g %6.3fx  %.3f..%.3f\n", n, before, now, ratio, least, most
	}
}
