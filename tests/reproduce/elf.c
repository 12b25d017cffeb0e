/*
 * elf.c - chapter III of "Enabling Efficient Resource Utilization on Multitasking Throughput Processors" (Park,
 * University of Michigan, 2016): ELF, NewCAR, instruction prefetch and their comparators, on `gtx480`.
 *
 * Means of gains are geometric, as the thesis's. What differs from it: kernels of ours of the same kind stand for 13 of
 * its 25 programs, and there are 14 others; instructions are PTX's, of 8 bytes, so that kernels are some tenths shorter
 * or longer than machine code.
 */
#include "reproduce.h"

#define TLP "tests/reproduce/tlp"
#define OTHER "slots.pipeline.unit+slots.pipeline.collector+slots.short+slots.barrier"

static const struct word words[] = {
	{"gto", ""},
	{"fast", "set dram.clock 1848; set icnt.clock 2800"},
	{"newcar", "set lsu.reexec newcar; set lsu.reexec_entries 32"},
	{"car", "set lsu.reexec car; set lsu.reexec_entries 32"},
	{"ahead", "set l1i.prefetch 16"},
	/* arithmetic in about half of the cycles */
	{"quick",
	 "set lat.int 8; set lat.imul 8; set lat.fp32 8; set lat.const 8; set lat.fp64 9; set lat.sfu 12; set shared.latency 12"},
	{"hits", "set l1i.perfect on"},
	{"mshrs", "set l1d.mshrs 1024; set l1d.queue 512; set l1d.merges 63; set icnt.queue 512"},
	{"elf", "policy elf"},
	{"elf++", "policy elf++"},
	{"ccws", "policy ccws"},
	{"few", "set dispatch.limit 3"},
	{"active", "policy order=two-level-active"},
	{"dyncta", "policy cta=dyncta"},
	{"high", "policy cta=dyncta; set dyncta.mem_low 256; set dyncta.mem_high 768"},
	/* an L1D of 48 kB; shared memory stays as it is */
	{"large", "set l1d.bytes 49152; set l1d.ways 6"},
};

/* all; M, C: those of a class of gtx480.txt. */
static bool loads(const char *set, struct names *to)
{
	bool all = !strcmp(set, "all");

	if (!all && strcmp(set, "M") && strcmp(set, "C"))
		return false;
	table_loads(TLP "/gtx480.txt", !all, all ? "" : set, to);
	return true;
}

/* best: the order with which a load is fastest. */
static const char *stands_for(const char *load, const char *config)
{
	static const char *const order[] = {"gto", "order=lrr", "order=oldest", "active", "order=elf", "elf"};
	u32 best = 0;

	if (strcmp(config, "best") != 0)
		return config;
	for (u32 i = 1; i < ARRAY_LEN(order); i++)
		if (cycles(load, order[i]) < cycles(load, order[best]))
			best = i;
	return order[best];
}

/* Gain of a memory of twice the bandwidth: a load is memory-intensive (M) if it is a quarter or more. */
static double fast_gain(const char *load)
{
	return 100 * (cycles(load, "gto") / cycles(load, "fast") - 1);
}

static double misclassed(const struct ours *o)
{
	struct names m = loads_of("M");
	double n = 0;

	EACH_LOAD (load, o->loads)
		n += names_have(&m, load) != (fast_gain(load) >= 25) + 0 * fast_gain(load);
	return n;
}

/* The lines of gtx480.txt, as measured. */
static void classes_write(FILE *f)
{
	EACH_LOAD (load, "all") {
		double total = value(load, "gto", "slots.total") / 100;

		fprintf(f, "%-13s %-5c %6.1f%% %6.1f%% %6.1f%% %6.1f%% %6.1f%% %6.2f\n", load,
			fast_gain(load) >= 25 ? 'M' : 'C', fast_gain(load),
			value(load, "gto", "slots.pipeline.lsu") / total, value(load, "gto", "slots.long") / total,
			value(load, "gto", "slots.fetch") / total, value(load, "gto", OTHER) / total,
			value(load, "gto", "l1d.hit_rate"));
	}
}

static const struct file files[] = {
	{"stalls", "elf-classes.txt", classes_write, "all"},
	{"stalls", "elf-stalls.csv", NULL, "all",
	 "lsu|gto|slots.pipeline.lsu;long|gto|slots.long;fetch|gto|slots.fetch;other|gto|" OTHER
	 ";slots|gto|slots.total"},
	{"elf", "elf-cycles.csv", NULL, "all",
	 "gto|gto|cycle;newcar|newcar|cycle;ahead|ahead|cycle;elf|elf|cycle;elf++|elf++|cycle;two-level|active|cycle;ccws|ccws|cycle;dyncta|dyncta|cycle;recalcs|elf|elf.recalcs;instructions|elf|inst.warp"},
	{"large", "elf-large.csv", NULL, "all",
	 "gto|large|cycle;two-level|large active|cycle;ccws|large ccws|cycle;dyncta|large dyncta|cycle;elf++|large elf++|cycle"},
};

/* The sum of three gains, and what all together gain beyond it. */
static double sum_of_three(const struct ours *o)
{
	(void)o;
	return row_number("elf-newcar") + row_number("elf-ahead") + row_number("elf-elf");
}

static double synergy(const struct ours *o)
{
	return row_number("elf-all") - sum_of_three(o);
}

/* clang-format off */

/* Reasons of several rows. */
static const char why_none[] = "The thesis gives no number.";
static const char why_lsu[] = "15 of these 27 loads are compute-intensive. Over the 12 memory-intensive ones alone it is {stalls-lsu-m}.";
static const char why_long[] = "Arithmetic takes 16 cycles on this machine, a number that no source gives. With 8, other stalls are {stalls-quick} and memory dependency {stalls-quick-long}; over the memory-intensive loads alone they are {stalls-quick-m} and {stalls-quick-long-m}.";
static const char why_elf[] = "No order has much to gain in these loads: the best of five for each gains {elf-best} over gto. There are enough stalls: with 3 CTAs of an SM memory dependency is {elf-few-long} of the slots and elf gains {elf-few}, with memory of twice the bandwidth it gains {elf-fast}, with unlimited MSHRs {elf-unlimited}. If tiles are loaded and processed in turn it gains: {elf-tiles} over matmul, hotspot and histogram. If lines are evicted it loses: {-elf-lines} over similarity and stencil5. Its fetch alone gains {elf-fetch}.";
static const char why_all[] = "It is less than the thesis's as elf's gain is. Prefetch and newcar gain {elf-ahead} and {elf-newcar}.";
static const char why_active[] = "A pool of six warps does not hide the 16 cycles of arithmetic on this machine (no source gives that number). With a pool of 16 the change is {elf-active-16}, and {large-active-16} with the large L1D.";
static const char why_dyncta[] = "Its thresholds, 128 and 384 of 2048 cycles, are those of a machine that issues every fourth cycle. Here all warps wait for memory in more cycles, and n falls to one or two in loads for which all CTAs are best: gaussian loses {-elf-dyncta-gaussian}, conv3x3 {-elf-dyncta-conv3x3}. With thresholds twice as high the change is {elf-dyncta-high}, and {large-high} with the large L1D.";
static const char why_ccws[] = "Some loads gain and some lose: similarity gains {elf-ccws-similarity}, bfs and match lose {-elf-ccws-rest}. In bfs the hit rate of the L1D increases from {elf-hits-bfs} to {elf-hits-bfs-ccws}. But its loads of random lines then wait for each other, in {elf-long-bfs-ccws} of the slots rather than {elf-long-bfs}.";
static const char why_points[] = "The reason is that of elf++'s gain. No kernel of ours has more than 32 program points: with 16 elf++ gains {points-16}, with 32 {points-32} and with 256 {points-256}. The thesis's FDTD has 60 and its heart wall 94.";
static const char why_threshold[] = "The reason is that of elf++'s gain. A threshold of 16 gains {threshold-gain} over no prefetch, in the thesis 4.9 % (1.119 over 1.067).";

#define GAIN_OF(config) GAIN_G("all", config, "gto")
#define PART(loads, config, names) SHARE(loads, config, names, "slots.total")
#define LARGE(config) GAIN_G("all", "large " config, "large")
#define THRESHOLD(n, paper) \
	{ \
		"threshold-" n, "Fig. 3.8b", GAIN_PERCENT, paper, GAIN_OF("elf++ l1i.prefetch=" n), \
			"gain of elf++, threshold " n, why_threshold \
	}

static const struct row rows[] = {
	{"stalls-lsu", "Fig. 3.2", PART_PERCENT, "27.2", PART("all", "gto", "slots.pipeline.lsu"), "slots stalled on memory conflict", why_lsu},
	{"stalls-long", "Fig. 3.2", PART_PERCENT, "17.5", PART("all", "gto", "slots.long"), "slots stalled on memory dependency", why_long},
	{"stalls-fetch", "Fig. 3.2", PART_PERCENT, "6.0", PART("all", "gto", "slots.fetch"), "slots stalled on fetch"},
	{"stalls-other", "Fig. 3.2", PART_PERCENT, "8.4", PART("all", "gto", OTHER), "slots in other stalls", why_long},
	{"stalls-quick", "Fig. 3.2", PART_PERCENT, NULL, PART("all", "quick", OTHER), "slots in other stalls, arithmetic in 8 cycles"},
	{"stalls-quick-m", "Fig. 3.2", PART_PERCENT, NULL, PART("M", "quick", OTHER), "slots in other stalls, arithmetic in 8 cycles, memory-intensive loads"},
	{"stalls-quick-long", "Fig. 3.2", PART_PERCENT, NULL, PART("all", "quick", "slots.long"), "slots stalled on memory dependency, arithmetic in 8 cycles"},
	{"stalls-quick-long-m", "Fig. 3.2", PART_PERCENT, NULL, PART("M", "quick", "slots.long"), "slots stalled on memory dependency, arithmetic in 8 cycles, memory-intensive loads"},
	{"stalls-long-m", "Fig. 3.2", PART_PERCENT, NULL, PART("M", "gto", "slots.long"), "slots stalled on memory dependency, memory-intensive loads"},
	{"stalls-lsu-m", "Fig. 3.2", PART_PERCENT, NULL, PART("M", "gto", "slots.pipeline.lsu"), "slots stalled on memory conflict, memory-intensive loads"},
	{"stalls-lsu-c", "Fig. 3.2", PART_PERCENT, NULL, PART("C", "gto", "slots.pipeline.lsu"), "slots stalled on memory conflict, the others"},
	{"stalls-classes", "Table 3.2", COUNT, NULL, OF(misclassed, "all"), "loads that are not of the class written down for them", "Every load is of the class that gtx480.txt gives it if this is 0.", .whole = true},
	{"elf-newcar", "Fig. 3.6", GAIN_PERCENT, "2.5", GAIN_OF("newcar"), "gain of newcar"},
	{"elf-ahead", "Fig. 3.6", GAIN_PERCENT, "4.9", GAIN_OF("ahead"), "gain of instruction prefetch"},
	{"elf-elf", "Fig. 3.6", GAIN_PERCENT, "4.1", GAIN_OF("elf"), "gain of elf", why_elf},
	{"elf-all", "Fig. 3.6", GAIN_PERCENT, "11.9", GAIN_OF("elf++"), "gain of elf++", why_all},
	{"elf-sum", "Fig. 3.6", GAIN_PERCENT, "11.5", OF(sum_of_three, "all"), "sum of the three", why_all},
	{"elf-synergy", "Fig. 3.6", GAIN_PERCENT, "0.4", OF(synergy, "all"), "synergy of the three", "elf has little to add to the other two."},
	{"elf-all-m", "Fig. 3.6", GAIN_PERCENT, NULL, GAIN_G("M", "elf++", "gto"), "gain of elf++, memory-intensive loads"},
	{"elf-all-c", "Fig. 3.6", GAIN_PERCENT, NULL, GAIN_G("C", "elf++", "gto"), "gain of elf++, the others"},
	{"elf-elf-m", "Fig. 3.6", GAIN_PERCENT, NULL, GAIN_G("M", "elf", "gto"), "gain of elf, memory-intensive loads"},
	{"elf-elf-c", "Fig. 3.6", GAIN_PERCENT, NULL, GAIN_G("C", "elf", "gto"), "gain of elf, the others"},
	{"elf-order", "Sec. 3.3", GAIN_PERCENT, NULL, GAIN_OF("order=elf"), "gain of elf's order without its fetch"},
	{"elf-best", "Sec. 3.3", GAIN_PERCENT, NULL, GAIN_OF("best"), "gain of the best of gto, lrr, oldest, two-level and elf for each load"},
	{"elf-fetch", "Sec. 3.3", GAIN_PERCENT, NULL, GAIN_OF("fetch=elf"), "gain of elf's fetch without its order"},
	{"elf-fast", "Sec. 3.3", GAIN_PERCENT, NULL, GAIN_G("all", "elf fast", "fast"), "gain of elf with memory of twice the bandwidth"},
	{"elf-unlimited", "Sec. 3.3", GAIN_PERCENT, NULL, GAIN_G("all", "elf mshrs", "mshrs"), "gain of elf with unlimited MSHRs"},
	{"elf-tiles", "Sec. 3.3", GAIN_PERCENT, NULL, GAIN_G("matmul hotspot histogram", "elf", "gto"), "gain of elf, matmul, hotspot and histogram"},
	{"elf-lines", "Sec. 3.3", GAIN_PERCENT, NULL, GAIN_G("similarity stencil5", "elf", "gto"), "gain of elf, similarity and stencil5"},
	{"elf-long", "Fig. 3.2", PART_PERCENT, NULL, PART("all", "elf", "slots.long"), "slots stalled on memory dependency under elf"},
	{"elf-few-long", "Fig. 3.2", PART_PERCENT, NULL, PART("all", "few", "slots.long"), "slots stalled on memory dependency, 3 CTAs of an SM"},
	{"elf-few", "Fig. 3.6", GAIN_PERCENT, NULL, GAIN_G("all", "few elf", "few"), "gain of elf, 3 CTAs of an SM"},
	{"elf-hits", "Fig. 3.6", GAIN_PERCENT, NULL, GAIN_OF("hits"), "gain of an L1I that always hits", "The code of lbm and fft is twice the L1I and one and a half times. They would gain {elf-hits-lbm} and {elf-hits-fft}; prefetch gains {elf-ahead-lbm} and {elf-ahead-fft}."},
	{"elf-hits-lbm", "Fig. 3.6", GAIN_PERCENT, NULL, GAIN_G("lbm", "hits", "gto"), "gain of an L1I that always hits, lbm"},
	{"elf-hits-fft", "Fig. 3.6", GAIN_PERCENT, NULL, GAIN_G("fft", "hits", "gto"), "gain of an L1I that always hits, fft"},
	{"elf-ahead-lbm", "Fig. 3.6", GAIN_PERCENT, NULL, GAIN_G("lbm", "ahead", "gto"), "gain of instruction prefetch, lbm"},
	{"elf-ahead-fft", "Fig. 3.6", GAIN_PERCENT, NULL, GAIN_G("fft", "ahead", "gto"), "gain of instruction prefetch, fft"},
	{"elf-mshrs", "Fig. 3.6", GAIN_PERCENT, NULL, GAIN_OF("mshrs"), "gain of an L1D with unlimited MSHRs", "It is what more room for misses alone would gain, and so about the most for newcar. matmul gains more with newcar, because its accesses of shared memory no longer wait behind loads that are rejected."},
	{"elf-car", "Fig. 3.6", GAIN_PERCENT, NULL, GAIN_OF("car"), "gain of the original car, 32 entries", "It holds one instruction of each warp."},
	{"elf-recalcs", "Fig. 3.7", PART_PERCENT, "91.4", MEAN_PERCENT("all", "elf", "elf.reduction"), "calculations of priorities less than naive"},
	{"elf-two-level", "Fig. 3.9", GAIN_PERCENT, "-3.2", GAIN_OF("active"), "gain of two-level (active)", why_active},
	{"elf-active-16", "Fig. 3.9", GAIN_PERCENT, NULL, GAIN_OF("active sched.active=16"), "gain of two-level (active) with a pool of 16"},
	{"elf-ccws", "Fig. 3.9", GAIN_PERCENT, "0.1", GAIN_OF("ccws"), "gain of ccws", why_ccws},
	{"elf-ccws-similarity", "Fig. 3.9", GAIN_PERCENT, NULL, GAIN_G("similarity", "ccws", "gto"), "gain of ccws, similarity"},
	{"elf-ccws-rest", "Fig. 3.9", GAIN_PERCENT, NULL, GAIN_G("bfs match", "ccws", "gto"), "gain of ccws, bfs and match"},
	{"elf-hits-bfs", "Fig. 3.9", PART_PERCENT, NULL, MEAN_PERCENT("bfs", "gto", "l1d.hit_rate"), "hits of the L1D, bfs"},
	{"elf-hits-bfs-ccws", "Fig. 3.9", PART_PERCENT, NULL, MEAN_PERCENT("bfs", "ccws", "l1d.hit_rate"), "hits of the L1D under ccws, bfs"},
	{"elf-long-bfs", "Fig. 3.9", PART_PERCENT, NULL, PART("bfs", "gto", "slots.long"), "slots stalled on memory dependency, bfs"},
	{"elf-long-bfs-ccws", "Fig. 3.9", PART_PERCENT, NULL, PART("bfs", "ccws", "slots.long"), "slots stalled on memory dependency under ccws, bfs"},
	{"elf-dyncta", "Fig. 3.9", GAIN_PERCENT, "-2.3", GAIN_OF("dyncta"), "gain of dyncta", why_dyncta},
	{"elf-dyncta-gaussian", "Fig. 3.9", GAIN_PERCENT, NULL, GAIN_G("gaussian", "dyncta", "gto"), "gain of dyncta, gaussian"},
	{"elf-dyncta-conv3x3", "Fig. 3.9", GAIN_PERCENT, NULL, GAIN_G("conv3x3", "dyncta", "gto"), "gain of dyncta, conv3x3"},
	{"elf-dyncta-high", "Fig. 3.9", GAIN_PERCENT, NULL, GAIN_OF("high"), "gain of dyncta with thresholds twice as high"},
	{"elf-lrr", "Sec. 3.4.3", GAIN_PERCENT, NULL, GAIN_OF("order=lrr"), "gain of lrr", why_none},
	{"points-16", "Fig. 3.8a", GAIN_PERCENT, "11.9", GAIN_OF("elf++ elf.points=16"), "gain of elf++, 16 program points", why_points},
	{"points-32", "Fig. 3.8a", GAIN_PERCENT, "11.9", GAIN_OF("elf++"), "gain of elf++, 32 program points", why_points},
	{"points-backward", "Sec. 3.3.1", GAIN_PERCENT, "11.9", GAIN_OF("elf++ elf.branches=backward"), "gain of elf++, backward branches alone", "The reason is that of elf++'s gain. With forward branches as points, too, it gains {points-32}."},
	{"points-48", "Fig. 3.8a", GAIN_PERCENT, "11.9", GAIN_OF("elf++ elf.points=48"), "gain of elf++, 48 program points", why_points},
	{"points-256", "Fig. 3.8a", GAIN_PERCENT, "12.1", GAIN_OF("elf++ elf.points=256"), "gain of elf++, as many program points as there are", why_points},
	{"threshold-0", "Fig. 3.8b", GAIN_PERCENT, "6.7", GAIN_OF("elf++ l1i.prefetch=0"), "gain of elf++ without prefetch", why_threshold},
	THRESHOLD("4", "10.8"),
	THRESHOLD("8", "11.2"),
	THRESHOLD("12", "11.4"),
	THRESHOLD("16", "11.9"),
	THRESHOLD("20", "11.9"),
	THRESHOLD("24", "11.9"),
	{"threshold-gain", "Fig. 3.8b", GAIN_PERCENT, NULL, GAIN_G("all", "elf++", "elf++ l1i.prefetch=0"), "gain of elf++ over elf++ without prefetch"},
	{"large-active", "Fig. 3.10", GAIN_PERCENT, "-3.6", LARGE("active"), "gain of two-level (active), L1D of 48 kB", why_active},
	{"large-active-16", "Fig. 3.10", GAIN_PERCENT, NULL, LARGE("active sched.active=16"), "gain of two-level (active) with a pool of 16, L1D of 48 kB"},
	{"large-ccws", "Fig. 3.10", GAIN_PERCENT, "-1.4", LARGE("ccws"), "gain of ccws, L1D of 48 kB", why_ccws},
	{"large-dyncta", "Fig. 3.10", GAIN_PERCENT, "-2.6", LARGE("dyncta"), "gain of dyncta, L1D of 48 kB", why_dyncta},
	{"large-high", "Fig. 3.10", GAIN_PERCENT, NULL, LARGE("high"), "gain of dyncta with thresholds twice as high, L1D of 48 kB"},
	{"large-elf++", "Fig. 3.10", GAIN_PERCENT, "9.5", LARGE("elf++"), "gain of elf++, L1D of 48 kB", "The reason is that of elf++'s gain with the small L1D, {elf-all}."},
	{"large-gto", "Fig. 3.10", GAIN_PERCENT, NULL, GAIN_OF("large"), "gain of an L1D of 48 kB alone", "similarity, whose lines then fit, gains {large-similarity}."},
	{"large-similarity", "Fig. 3.10", GAIN_PERCENT, NULL, GAIN_G("similarity", "large", "gto"), "gain of an L1D of 48 kB alone, similarity"},
};
/* clang-format on */

const struct paper paper_elf = {
	.name = "elf",
	.mechanism = "ELF and ELF++",
	.title = "Park, University of Michigan, 2016, chapter III",
	.groups = "stalls elf points threshold large",
	.folder = TLP,
	.base = "gpu gtx480",
	.loads = loads,
	.stands_for = stands_for,
	.quick = {.loads = "lbm matmul", .cycles = 5000},
	PAPER_TABLES(words, rows, files),
};
