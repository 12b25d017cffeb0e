# kernels.awk - launches of ours beside a GPU's: awk -f kernels.awk HALVES OURS MEASURED. A line for each kernel of a scenario, all of its
# launches together: scenario, kernel, launches, CTAs, silicon (cycles from the first CTA's start to the last one's end, from cold caches), ours, percent,
# aside (yes: nothing is tuned to it); then the mean and the ninetieth percentile of the errors, of all and of both halves.
BEGIN {
	FS = OFS = "\t"
	MARKS = 48 # cycles that an empty kernel takes longer with marks (tests/gpu/marked.h) than in the simulator, on an H100
	print "scenario", "kernel", "launches", "ctas", "silicon", "ours", "percent", "aside"
}
FILENAME ~ /halves$/ { aside[$1] = $2; next }
FILENAME ~ /ours$/ { ours[$1, $2] = $4; next }
/^#/ {
	if (match($0, /[0-9]+ MHz/))
		mhz = substr($0, RSTART, RLENGTH) + 0
	next
}
$2 !~ /^[0-9]+$/ || !(($1, $2) in ours) { next }
{
	key = $1 OFS $3
	if (!(key in launches))
		order[++rows] = key
	scenario[key] = $1
	launches[key]++
	ctas[key] += $4
	silicon[key] += $12 * mhz / 1000 - MARKS * $9
	mine[key] += ours[$1, $2]
}

function sorted(list, n,    i, j, t) {
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
			t = list[j]
			list[j] = list[j - 1]
			list[j - 1] = t
		}
}

# half: 0, 1, or 2 for all
function mean(half, name,    r, n, sum, list) {
	for (r = 1; r <= rows; r++)
		if (half == 2 || aside[scenario[order[r]]] == half) {
			list[++n] = error[order[r]]
			sum += error[order[r]]
		}
	sorted(list, n)
	printf "%s%d kernels: mean error %.0f %%, median %.0f %%, ninetieth percentile %.0f %%\n", name, n, n ? sum / n : 0,
		n ? list[int((n + 1) / 2)] : 0, n ? list[int(n * 0.9 + 0.5)] : 0
}

END {
	for (r = 1; r <= rows; r++) {
		key = order[r]
		percent = 100 * (mine[key] / silicon[key] - 1)
		error[key] = percent < 0 ? -percent : percent
		print key, launches[key], ctas[key], sprintf("%.0f", silicon[key]), mine[key], sprintf("%+.0f %%", percent), aside[scenario[key]] ? "yes" : ""
	}
	mean(2, "")
	mean(0, "to be tuned to: ")
	mean(1, "set aside: ")
}
