# Closed forms for a task that asks for 15 of 30 SMs, from kernels.csv: the chance that it does not get them within a bound, by kernel and by
# technique.
#
# Blocks of an SM are in phase, and as far through their time as chance wills, SMs independent of each other; the 15 are the best. An SM can be
# had within the bound b: by a switch if the contexts of its blocks take no longer; by a drain if no more than b of the block's time T is
# left, with a chance of b / T; by a flush if the block is in its idempotent part; strictly if the kernel is idempotent; by chimera if one of
# the first three does. A flush that waits for what may not be flushed (waiting, strictly-waiting) also has an SM that a drain would have.
#
# usage: awk -f closed.awk [-v bounds="5 10 15 20"] kernels.csv: lines kernel,bound,technique,percent missed; then for each benchmark, the
# mean of its kernels, and for `mean`, that of the benchmarks.
function least(a, b) { return a < b ? a : b }

# The chance that fewer than 15 of 30 SMs can be had, each with chance p.
function misses(p,   i, sum, term)
{
	if (p >= 1)
		return 0
	term = (1 - p) ^ 30
	for (i = 0; i < 15; i++) {
		sum += term
		term *= (30 - i) / (i + 1) * p / (1 - p)
	}
	return sum
}

function put(bound, way, percent)
{
	printf "%s,%s,%s,%.4f\n", $1, bound, way, percent
	benchmark = $1
	sub(/\..*/, "", benchmark)
	total[bound, way, benchmark] += percent
	count[bound, way, benchmark]++
	if (!(benchmark in number))
		order[number[benchmark] = ++benchmarks] = benchmark
}

BEGIN { FS = ","; bounds = bounds == "" ? "5 10 15 20" : bounds; n = split(bounds, bound, " ") }
/^#/ || $1 == "kernel" { next }
{
	time = 2 * $2
	part = $7 / 100
	for (i = 1; i <= n; i++) {
		b = bound[i]
		put(b, "switch", 100 * ($5 > b))
		put(b, "drain", 100 * misses(least(1, b / time)))
		put(b, "flush", 100 * misses(part))
		put(b, "strict", 100 * ($6 != "yes"))
		put(b, "waiting", 100 * misses(least(1, part + b / time)))
		put(b, "strictly-waiting", $6 == "yes" ? 0 : 100 * misses(least(1, b / time)))
		put(b, "chimera", 100 * ($5 <= b ? 0 : misses(least(1, part + b / time))))
	}
}
END {
	ways = split("switch drain flush strict waiting strictly-waiting chimera", way, " ")
	for (i = 1; i <= n; i++)
		for (w = 1; w <= ways; w++) {
			sum = 0
			for (k = 1; k <= benchmarks; k++) {
				at = bound[i] SUBSEP way[w] SUBSEP order[k]
				printf "%s,%s,%s,%.4f\n", order[k], bound[i], way[w], total[at] / count[at]
				sum += total[at] / count[at]
			}
			printf "mean,%s,%s,%.4f\n", bound[i], way[w], sum / benchmarks
		}
}
