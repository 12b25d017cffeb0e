# Scenario commands for one of the kernels of kernels.csv, on the machine of the thesis: a synthetic kernel whose blocks take twice the drain
# time, of which as many fit an SM as in the thesis, with contexts that take as long as there.
#
# An SM's share of bandwidth is 177.4 GB/s / 30. The context has the bytes that take the thesis's time, rounded up to what shared memory is given
# out in; where that is more than the kB of the table allow (by 0.05 us at most), or less, the nearest that they do. Shared memory is what
# keeps a further block out; the registers have the rest.
#
# How much of a block is left is known in whole instructions, here steps. Of real blocks, which have thousands, that is exact; here steps are of
# 2 us (5 us where blocks take over 200 us), at least 10 and at most 4000 of them, and of up to twice as many (eight times if none will do) that number is taken by which a
# whole number of steps comes nearest to the bound, 0.1 us below it or more: a drain that is seen to meet the bound then does. exact: that number
# by which the idempotent part comes nearest to a whole number of steps.
#
# usage: awk -f kernel.awk -v kernel=BS.0 [-v grid=N] [-v bound=MICROSECONDS] [-v exact=1] kernels.csv
function least(a, b) { return a < b ? a : b }
function most(a, b) { return a > b ? a : b }
function up(n, unit) { return int((n + unit - 1) / unit) * unit }

# Into how many steps a block of so many microseconds is divided.
function divide(time,   n, from, best, below, nearest)
{
	best = from = least(2000, most(10, int(time / (time > 200 ? 5 : 2) + 0.5)))
	if (bound >= time)
		return best
	nearest = time
	for (n = from; n <= 2 * from || (nearest == time && n <= 8 * from); n++) {
		below = bound - int(bound * (n + 1) / time) * time / n
		if (below >= 0.1 && below < nearest) {
			nearest = below
			best = n
		}
	}
	return best
}

BEGIN { FS = ","; bound = bound ? bound : 15 }
# The same for the idempotent part, in percent.
function divide_part(time, percent,   n, from, best, apart, nearest)
{
	from = divide(time)
	nearest = 1
	for (n = from; n <= 3 * from; n++) {
		apart = up(n * percent, 100) / 100 / n - percent / 100
		if (apart < nearest - 0.001) {
			nearest = apart
			best = n
		}
	}
	return best
}

$1 == kernel {
	found = 1
	blocks = $4
	bytes = up($5 * 177408 / 30 / blocks, 128)
	bytes = least(most(bytes, $3 * 1024), $3 * 1024 + 1024 - 128)
	room = int(49152 / blocks / 128) * 128
	warps = bytes - room > 31 * 1024 ? 2 : 1
	regs = most(4, up(bytes - room, 256 * warps) / 128 / warps)
	cycles = int(2 * $2 * 1400 + 0.5)
	steps = exact ? divide_part(2 * $2, $7) : divide(2 * $2)
	printf "gpu chimera\n"
	printf "synthetic victim time %d steps %d stagger on regs %d context %d idempotent %d\n", cycles, steps, regs, bytes, $7
	printf "launch victim grid %d block %d\n", grid ? grid : 30 * blocks * 8, 32 * warps
}
END {
	if (!found) {
		print "kernel.awk: no kernel " kernel >"/dev/stderr"
		exit 1
	}
}
