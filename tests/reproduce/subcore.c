/*
 * subcore.c - "Mitigating GPU Core Partitioning Performance Effects" (Barnes, Shen, Rogers, HPCA 2023).
 *
 * What differs from the paper: five kernels of the library on one SM (geometric means) stand for its applications on 80
 * SMs, `one-in-four` and `one-in-four-random` for the TPC-H queries (one kernel, where the paper times whole queries),
 * and Figure 3 was measured on hardware.
 */
#include "reproduce.h"

#define LESSON "scenarios/subcore/"
#define MIX LESSON "operand-mix"
#define DRAWN LESSON "one-in-four-random"
#define TIME "kernel.0.cycles"
#define KERNELS "sgemm mriq lavamd conv2d cutcp"

static const struct word words[] = {
	{"base", ""},
	{"full", "gpu monolithic; set gpu.sms 1"},
	{"kepler", "gpu kepler; set gpu.sms 1"},
	{"ratio", "symbol ratio = %s"},
	{"work", "symbol work = %s"},
	{"seed", "policy assign=shuffle; set shuffle.seed %s"},
	{"latency", "set lat.int %s; set lat.imul %s; set lat.fp32 %s"},
};

static bool loads(const char *set, struct names *to)
{
	if (strcmp(set, "all") != 0)
		return false;
	EACH_LOAD (load, KERNELS)
		names_add(to, load);
	return true;
}

/* Cycles of a scenario; with seeds, their mean over so many of shuffle. */
static double time_of(const char *load, const char *config, double seeds)
{
	double sum = 0;

	for (int seed = 1; seed <= seeds; seed++) {
		char *with = xasprintf("%s seed:%d", config, seed);

		sum += value(load, with, TIME);
		free(with);
	}
	return seeds > 0 ? sum / seeds : value(load, config, TIME);
}

/* Time of the microbenchmark over that of its eight warps alone (fma-baseline) under `over`. */
static double over_baseline(const struct ours *o)
{
	return time_of(o->loads, o->config, o->number) / value(LESSON "fma-baseline", o->over, TIME);
}

/* Seeds of shuffle where the mean need not be known well: quick ones are few. */
static double seeds(void)
{
	return quick ? 4 : 20;
}

/* Time under a configuration (number: of seeds) over that under another. */
static double time_over(const struct ours *o)
{
	return time_of(o->loads, o->config, o->number > 0 ? seeds() : 0) / value(o->loads, o->over, TIME);
}

/* Gain of one kernel of a scenario, that of `names`. */
static double gain_of(const struct ours *o)
{
	return 100 * (value(o->loads, o->over, o->names) / value(o->loads, o->config, o->names) - 1);
}

/* The part of a query's time that a kernel would take, if its gain under srr gave the query the gain `number`. */
static double part_of_query(const struct ours *o)
{
	return 100 * (1 - 1 / (1 + o->number / 100)) / (1 - 1 / (1 + gain_of(o) / 100));
}

static const char *const ratio[] = {"1.5", "2", "3", "5", "10", "20", "50", "100"};

static void ratio_write(FILE *f)
{
	fprintf(f, "ratio,rr,srr,shuffle,shuffle_least,shuffle_most,rr_over_srr,shuffle_over_srr,bound\n");
	for (u32 i = 0; i < ARRAY_LEN(ratio); i++) {
		const char *load = LESSON "fma-imbalance";
		double r = strtod(ratio[i], NULL), rr, srr, shuffle, least = INFINITY, most = 0;
		char by[32], with[64];

		snprintf(by, sizeof(by), "ratio:%s", ratio[i]);
		snprintf(with, sizeof(with), "assign=srr ratio:%s", ratio[i]);
		rr = value(load, by, TIME);
		srr = value(load, with, TIME);
		shuffle = time_of(load, by, seeds());
		for (int seed = 1; seed <= seeds(); seed++) {
			snprintf(with, sizeof(with), "ratio:%s seed:%d", ratio[i], seed);
			least = fmin(least, value(load, with, TIME));
			most = fmax(most, value(load, with, TIME));
		}
		fprintf(f, "%s,%.0f,%.0f,%.2f,%.0f,%.0f,%.3f,%.3f,%.3f\n", ratio[i], rr, srr, shuffle, least, most,
			rr / srr, shuffle / srr, 4 * r / (r + 3));
	}
}

/* A kernel a line: speedups over the baseline under each configuration; the last line has the geometric means. */
static void kernels_write(FILE *f)
{
	static const char *const config[] = {"base",
					     "order=rba",
					     "order=rba rba.delay=20",
					     "extra=steal",
					     "sm.collectors=4",
					     "sm.collectors=8",
					     "sm.collectors=16",
					     "sm.banks=32",
					     "sm.banks=4",
					     "sm.banks=4 order=rba",
					     "full",
					     "full order=rba",
					     "assign=shuffle order=rba"};
	static const char head[] =
		"kernel,baseline,rba,rba-delay-20,steal,collectors-4,collectors-8,collectors-16,banks-32,banks-4,banks-4-rba,full,full-rba,shuffle-rba\n";

	fputs(head, f);
	EACH_LOAD (load, "all") {
		fprintf(f, "%s", load);
		for (u32 i = 0; i < ARRAY_LEN(config); i++)
			fprintf(f, ",%.3f", cycles(load, "base") / cycles(load, config[i]));
		fprintf(f, "\n");
	}
	fprintf(f, "mean");
	for (u32 i = 0; i < ARRAY_LEN(config); i++) {
		const struct ours o = GAIN_G("all", config[i], "base");

		fprintf(f, ",%.3f", 1 + gain(&o) / 100);
	}
	fprintf(f, "\n");
}

/* A line of subcore-rows.csv: times, speedups and variation of a scenario under the three assignments. */
static void rows_line(FILE *f, const char *load, const char *by, const char *r, const char *work)
{
	static const char *const assign[] = {"rr", "srr", "shuffle"};
	double time[3], cov[3];

	for (u32 i = 0; i < 3; i++) {
		char *config = xasprintf("%s assign=%s", by, assign[i]);

		time[i] = value(load, config, TIME);
		cov[i] = value(load, config, "subcore.cov");
		free(config);
	}
	fprintf(f, "%s,%s,%s,%.0f,%.0f,%.0f,%.4f,%.4f,%.4f,%.4f,%.4f\n", load + strlen(LESSON), r, work, time[0],
		time[1], time[2], time[0] / time[1], time[0] / time[2], cov[0], cov[1], cov[2]);
}

static void rows_write(FILE *f)
{
	static const char *const r[] = {"1.5", "2", "3", "4.4", "10", "30", "100"};
	static const char *const work[] = {"1", "2", "3", "4", "6", "8", "12", "16", "32"};
	char by[64];

	fprintf(f, "scenario,ratio,work,rr,srr,shuffle,srr_speedup,shuffle_speedup,cov_rr,cov_srr,cov_shuffle\n");
	for (u32 i = 0; i < (quick ? 4 : ARRAY_LEN(r)); i++) {
		snprintf(by, sizeof(by), "ratio:%s", r[i]);
		rows_line(f, LESSON "one-in-four", by, r[i], "12");
	}
	for (u32 i = 0; i < ARRAY_LEN(work); i++) {
		if (quick && strcmp(work[i], "3") != 0)
			continue;
		snprintf(by, sizeof(by), "work:%s", work[i]);
		rows_line(f, DRAWN, by, "4.4", work[i]);
	}
}

static const struct file files[] = {
	{"ratio", "subcore-ratio.csv", ratio_write},
	{"kernels", "subcore-kernels.csv", kernels_write, "all"},
	{"rows", "subcore-rows.csv", rows_write},
};

/* clang-format off */

/* Reasons of several rows. */
static const char why_shuffle[] = "The paper gives no number for this kernel. With random assignment from a table of 4 entries, the fullest of four sub-cores gets 4.25 of the eight computing warps on average, 2.13 times its share. With 16 entries it gets 3.54, 1.77 times its share.";
static const char why_full_fma[] = "The paper gives no number. Under gto, four warps read the same two registers again and again. These lie in few of the eight banks ((register + warp) mod 8). Reads wait for one bank, and the eight shared collector units fill up. With lrr, all warps issue and use all banks ({fma-full-lrr}). 32 collector units hold enough instructions ({fma-full-units}).";
static const char why_ratio[] = "Figure 8 has no numbers. For a ratio r the work of the fullest sub-core bounds the loss of round robin by 4 r / (r + 3): 1.33, 3.08, 3.88. Five more ratios are in subcore-ratio.csv.";
static const char why_ratio_shuffle[] = "Figure 8 has no numbers. As in the paper, shuffle loses more against skewed round robin as the lengths drift apart. Random assignment loses at most a factor of 2.13 on average.";
static const char why_mean[] = "The paper's number is a mean over 112 applications. 44 of these are TPC-H queries, which gain from balance between sub-cores. Our five kernels are balanced, and even without bank conflicts they gain only {kernels-most}.";
static const char why_rba[] = "A register file without bank conflicts would gain {kernels-most} in these kernels, and rba gains {kernels-rba}. In a kernel that is limited by the register file alone, rba gains {mix-chance-rba} to {mix-phases-rba}.";
static const char why_banks[] = "With 4 banks per sub-core conflicts are rare in these kernels: 32 banks gain {kernels-banks-most} over 4.";
static const char why_banks_mix[] = "32 banks gain {mix-chance-banks-most} over 4 with random operands and {mix-phases-banks-most} with operands in phases, and rba gains a part of that. The paper does not say how much 32 banks gain in its applications.";
static const char why_delay[] = "A score that is 20 cycles old says little about the queues at the banks. In the library's kernels rba then loses a part of its gain of {kernels-rba}. In kernels limited by the register file alone the order is worse than gto, and closer to lrr, which changes the speed by {mix-chance-lrr} and {mix-phases-lrr}. The paper's applications wait for other things.";
static const char why_steal[] = "With two collector units per sub-core, one is sometimes free when the scheduler has no instruction whose operands are near: mriq, conv2d and cutcp gain {kernels-steal-some}, sgemm and lavamd {kernels-steal-rest}. With 4 units stealing gains {kernels-steal-4}.";
static const char why_steal_mix[] = "This kernel waits for operands alone. A warp that issues early meets the bank accesses of another phase, so the gain of bank stealing in phases depends on the latency of arithmetic. It is {mix-phases-steal} with 1 cycle (the preset's), {mix-phases-steal-2} with 2, {mix-phases-steal-3} with 3 and {mix-phases-steal-4} with 4.";
static const char why_16[] = "conv2d gains {kernels-conv2d-8} with 8 units but {kernels-conv2d-16} with 16. Its loads of shared memory wait in the collector units in the order in which they issued, so with many units the scheduling policy matters less: with 2 units lrr loses {-kernels-conv2d-lrr} against gto in conv2d, with 16 units {-kernels-conv2d-lrr-16}.";
static const char why_most_mix[] = "The paper gives no number. This is the most that kernels limited by the register file can gain.";
static const char why_rba_mix[] = "One kernel has operands without any pattern, the other one with the strongest possible pattern. Applications lie between the two, and so does the paper's mean.";
static const char why_full_mix[] = "The pool of eight collector units is too small, which the paper mentions, too: with 16 units the gain is {mix-chance-full-16}, with 32 it is {mix-chance-full-32}.";
static const char why_only_mix[] = "The register file is the only limit of these kernels. The paper's number is a mean over applications that wait for other things, too.";
static const char why_rows[] = "Issue slots are the only limit of this kernel, but the paper times whole queries. If such kernels took {rows-part-4.4} of a query's time, the query would gain the paper's 17.5 %.";
static const char why_rows_100[] = "Issue slots are the only limit of this kernel, but the paper times whole queries. If such kernels took {rows-part-100} of a query's time, the query would gain the paper's 33.1 %.";
static const char why_drawn[] = "The gain depends on the work per row. It grows from {rows-drawn-srr-1} with 1 round of work to {rows-drawn-srr-32} with 32 (subcore-rows.csv), because issue slots, not loads, then determine the time of a long warp. With 3 rounds it is {rows-drawn-srr-3}, with 4 {rows-drawn-srr-4}.";
static const char why_cov[] = "The long warps are equally long and every fourth warp is one, so skewed round robin distributes them perfectly. If lengths are random, the variation is {rows-drawn-cov-srr}.";

#define UNBALANCED LESSON "fma-unbalanced"
#define RATIO(r) \
	{"ratio-rr-" r, \
	 "Fig. 8", \
	 TIMES, \
	 NULL, \
	 OF(time_over, LESSON "fma-imbalance", "ratio:" r, "assign=srr ratio:" r), \
	 "time of round robin / skewed, ratio " r, \
	 why_ratio}, \
	{ \
		"ratio-shuffle-" r, "Fig. 8", TIMES, NULL, \
			OF(time_over, LESSON "fma-imbalance", "ratio:" r, "assign=srr ratio:" r, .number = 1), \
			"time of shuffle (mean over seeds) / skewed, ratio " r, why_ratio_shuffle \
	}
#define CHANCE(config, over) OF(gain_of, MIX, config, over, "kernel.0.cycles")
#define PHASES(config, over) OF(gain_of, MIX, config, over, "kernel.1.cycles")
#define BOTH(key, figure, paper, config, over, claim, why, why_phases) \
	{"mix-chance-" key, figure, GAIN_PERCENT, paper, CHANCE(config, over), claim ": random operands", why}, \
	{ \
		"mix-phases-" key, figure, GAIN_PERCENT, paper, PHASES(config, over), claim ": operands in phases", \
			why_phases \
	}
#define STEAL(latency) \
	{ \
		"mix-phases-steal-" latency, "Fig. 10", GAIN_PERCENT, NULL, \
			PHASES("extra=steal latency:" latency, "latency:" latency), \
			"gain of bank stealing, arithmetic of latency " latency ": operands in phases" \
	}
#define ONE_IN_FOUR(assign, r) \
	OF(gain_of, LESSON "one-in-four", "ratio:" r " assign=" assign, "ratio:" r " assign=rr", TIME)
#define DRAWN_GAIN(assign, rounds) \
	OF(gain_of, DRAWN, "work:" rounds " assign=" assign, "work:" rounds " assign=rr", TIME)
#define COV(load, by, assign) MEAN(load, by " assign=" assign, "subcore.cov")

static const struct row rows[] = {
	{"fma-balanced", "Fig. 3", TIMES, "1.0", OF(over_baseline, LESSON "fma-balanced", "base", "base"), "time of balanced / baseline"},
	{"fma-rr", "Fig. 3", TIMES, "3.9", OF(over_baseline, UNBALANCED, "base", "base"), "time of unbalanced / baseline: round robin"},
	{"fma-kepler", "Fig. 3", TIMES, "1.0", OF(over_baseline, UNBALANCED, "kepler", "kepler"), "time of unbalanced / baseline: no sub-cores (kepler)"},
	{"fma-srr", "Sec. IV", TIMES, "1.0", OF(over_baseline, UNBALANCED, "assign=srr", "base"), "time of unbalanced / baseline: skewed round robin"},
	{"fma-shuffle", "Sec. IV", TIMES, NULL, OF(over_baseline, UNBALANCED, "base", "base", .number = 20), "time of unbalanced / baseline: shuffle (mean of 20 seeds)", why_shuffle},
	{"fma-shuffle-16", "Sec. IV", TIMES, NULL, OF(over_baseline, UNBALANCED, "shuffle.entries=16", "base", .number = 20), "time of unbalanced / baseline: shuffle with a table of 16 entries", why_shuffle},
	{"fma-full", "Sec. VI", TIMES, NULL, OF(over_baseline, LESSON "fma-baseline", "full", "base"), "time of baseline: fully connected SM / partitioned", why_full_fma},
	{"fma-full-lrr", "Sec. VI", TIMES, NULL, OF(over_baseline, LESSON "fma-baseline", "full order=lrr", "base"), "time of baseline: fully connected SM with lrr / partitioned", why_full_fma},
	{"fma-full-units", "Sec. VI", TIMES, NULL, OF(over_baseline, LESSON "fma-baseline", "full sm.collectors=32", "base"), "time of baseline: fully connected SM with 32 collector units / partitioned", why_full_fma},
	RATIO("1.5"),
	RATIO("10"),
	RATIO("100"),
	{"kernels-shuffle-rba", "Fig. 9", GAIN_PERCENT, "10.6", GAIN_G("all", "assign=shuffle order=rba", "base"), "gain of shuffle with rba", why_mean},
	{"kernels-full", "Fig. 9", GAIN_PERCENT, "13.2", GAIN_G("all", "full", "base"), "gain of the fully connected SM", why_mean},
	{"kernels-most", "Fig. 10", GAIN_PERCENT, NULL, GAIN_G("all", "sm.banks=32", "base"), "gain of 32 banks: hardly any conflicts", "This is the most that any scheduling policy can gain from bank conflicts. These kernels wait for their units, shared memory and data first. An instruction of PTX names 1.2 to 3 registers; in machine code most name three."},
	{"kernels-rba", "Fig. 10", GAIN_PERCENT, "11.1", GAIN_G("all", "order=rba", "base"), "gain of rba", why_rba},
	{"kernels-steal", "Fig. 10", GAIN_PERCENT, "<1", GAIN_G("all", "extra=steal", "base"), "gain of bank stealing", why_steal},
	{"kernels-steal-some", "Fig. 10", GAIN_PERCENT, NULL, GAIN_G("mriq conv2d cutcp", "extra=steal", "base"), "gain of bank stealing, mriq, conv2d and cutcp"},
	{"kernels-steal-rest", "Fig. 10", GAIN_PERCENT, NULL, GAIN_G("sgemm lavamd", "extra=steal", "base"), "gain of bank stealing, sgemm and lavamd"},
	{"kernels-steal-4", "Fig. 10", GAIN_PERCENT, NULL, GAIN_G("all", "sm.collectors=4 extra=steal", "sm.collectors=4"), "gain of bank stealing over 4 collector units"},
	{"kernels-full-best", "Fig. 11", GAIN_PERCENT, "6.1", GAIN_G("all", "full", "base"), "gain of the fully connected SM where rba does better"},
	{"kernels-full-rba", "Fig. 11", GAIN_PERCENT, "19.6", GAIN_G("all", "full order=rba", "base"), "gain of the fully connected SM with rba there", why_rba},
	{"kernels-collectors-4", "Fig. 12", GAIN_PERCENT, "4.1", GAIN_G("all", "sm.collectors=4", "base"), "gain of 4 collector units per sub-core"},
	{"kernels-collectors-8", "Fig. 12", GAIN_PERCENT, "7.1", GAIN_G("all", "sm.collectors=8", "base"), "gain of 8 collector units per sub-core"},
	{"kernels-collectors-16", "Fig. 12", GAIN_PERCENT, "9.6", GAIN_G("all", "sm.collectors=16", "base"), "gain of 16 collector units per sub-core", why_16},
	{"kernels-conv2d-8", "Fig. 12", GAIN_PERCENT, NULL, GAIN_G("conv2d", "sm.collectors=8", "base"), "gain of 8 collector units per sub-core, conv2d"},
	{"kernels-conv2d-16", "Fig. 12", GAIN_PERCENT, NULL, GAIN_G("conv2d", "sm.collectors=16", "base"), "gain of 16 collector units per sub-core, conv2d"},
	{"kernels-conv2d-lrr", "Fig. 12", GAIN_PERCENT, NULL, GAIN_G("conv2d", "order=lrr", "base"), "gain of lrr over gto, conv2d"},
	{"kernels-conv2d-lrr-16", "Fig. 12", GAIN_PERCENT, NULL, GAIN_G("conv2d", "sm.collectors=16 order=lrr", "sm.collectors=16"), "gain of lrr over gto with 16 collector units, conv2d"},
	{"kernels-delay", "Sec. VI", GAIN_PERCENT, "<0.1", GAIN_G("all", "order=rba rba.delay=20", "order=rba"), "change when rba's scores are 20 cycles old", why_delay},
	{"kernels-lrr", "Sec. VI", GAIN_PERCENT, NULL, GAIN_G("all", "order=lrr", "order=rba"), "gain of lrr over rba"},
	{"kernels-banks", "Sec. VI", GAIN_PERCENT, "15.4", GAIN_G("all", "sm.banks=4 order=rba", "sm.banks=4"), "gain of rba over 4 banks per sub-core (19.3% with 2)", why_banks},
	{"kernels-banks-most", "Sec. VI", GAIN_PERCENT, NULL, GAIN_G("all", "sm.banks=32", "sm.banks=4"), "gain of 32 banks over 4"},
	BOTH("most", "Fig. 10", NULL, "sm.banks=32", "base", "gain of 32 banks", why_most_mix, why_most_mix),
	BOTH("rba", "Fig. 10", "11.1", "order=rba", "base", "gain of rba", why_rba_mix, why_rba_mix),
	BOTH("steal", "Fig. 10", "<1", "extra=steal", "base", "gain of bank stealing", why_steal_mix, why_steal_mix),
	STEAL("2"),
	STEAL("3"),
	STEAL("4"),
	BOTH("full", "Fig. 11", "6.1", "full", "base", "gain of the fully connected SM", why_full_mix, why_only_mix),
	{"mix-chance-full-16", "Fig. 11", GAIN_PERCENT, NULL, CHANCE("full sm.collectors=16", "base"), "gain of the fully connected SM with 16 collector units: random operands"},
	{"mix-chance-full-32", "Fig. 11", GAIN_PERCENT, NULL, CHANCE("full sm.collectors=32", "base"), "gain of the fully connected SM with 32 collector units: random operands"},
	BOTH("full-rba", "Fig. 11", "19.6", "full order=rba", "base", "gain of the fully connected SM with rba", why_only_mix, why_only_mix),
	BOTH("collectors-4", "Fig. 12", "4.1", "sm.collectors=4", "base", "gain of 4 collector units", why_only_mix, why_only_mix),
	BOTH("collectors-8", "Fig. 12", "7.1", "sm.collectors=8", "base", "gain of 8 collector units", why_only_mix, why_only_mix),
	BOTH("collectors-16", "Fig. 12", "9.6", "sm.collectors=16", "base", "gain of 16 collector units", why_only_mix, why_only_mix),
	BOTH("delay", "Sec. VI", "<0.1", "order=rba rba.delay=20", "order=rba", "change with scores 20 cycles old", why_delay, why_delay),
	BOTH("lrr", "Sec. VI", NULL, "order=lrr", "order=rba", "gain of lrr over rba", NULL, NULL),
	BOTH("banks", "Sec. VI", "15.4", "sm.banks=4 order=rba", "sm.banks=4", "gain of rba over 4 banks", why_banks_mix, why_banks_mix),
	BOTH("banks-most", "Sec. VI", NULL, "sm.banks=32", "sm.banks=4", "gain of 32 banks over 4", NULL, NULL),
	{"rows-srr-4.4", "Fig. 16", GAIN_PERCENT, "17.5", ONE_IN_FOUR("srr", "4.4"), "gain of skewed round robin, ratio 4.4 (uncompressed TPC-H)", why_rows},
	{"rows-shuffle-4.4", "Fig. 16", GAIN_PERCENT, "13.9", ONE_IN_FOUR("shuffle", "4.4"), "gain of shuffle, ratio 4.4 (uncompressed TPC-H)", why_rows},
	{"rows-srr-100", "Fig. 15", GAIN_PERCENT, "33.1", ONE_IN_FOUR("srr", "100"), "gain of skewed round robin, ratio 100 (compressed TPC-H)", why_rows_100, .whole = true},
	{"rows-shuffle-100", "Fig. 15", GAIN_PERCENT, "27.4", ONE_IN_FOUR("shuffle", "100"), "gain of shuffle, ratio 100 (compressed TPC-H)", why_rows_100, .whole = true},
	{"rows-part-4.4", "Fig. 16", PART_PERCENT, NULL, OF(part_of_query, LESSON "one-in-four", "ratio:4.4 assign=srr", "ratio:4.4 assign=rr", TIME, .number = 17.5), "of a query's time, if kernels like this one gave it its gain, ratio 4.4"},
	{"rows-part-100", "Fig. 15", PART_PERCENT, NULL, OF(part_of_query, LESSON "one-in-four", "ratio:100 assign=srr", "ratio:100 assign=rr", TIME, .number = 33.1), "of a query's time, if kernels like this one gave it its gain, ratio 100", .whole = true},
	{"rows-cov-rr", "Fig. 17", PLAIN, "0.80", COV(LESSON "one-in-four", "ratio:4.4", "rr"), "variation of issue, ratio 4.4: round robin"},
	{"rows-cov-srr", "Fig. 17", PLAIN, "0.11", COV(LESSON "one-in-four", "ratio:4.4", "srr"), "variation of issue, ratio 4.4: skewed round robin", why_cov},
	{"rows-drawn-srr-1", "Fig. 16", GAIN_PERCENT, NULL, DRAWN_GAIN("srr", "1"), "random lengths, 1 round a row: gain of skewed round robin", .whole = true},
	{"rows-drawn-srr-3", "Fig. 16", GAIN_PERCENT, "17.5", DRAWN_GAIN("srr", "3"), "random lengths, 3 rounds a row: gain of skewed round robin", why_drawn},
	{"rows-drawn-shuffle-3", "Fig. 16", GAIN_PERCENT, "13.9", DRAWN_GAIN("shuffle", "3"), "random lengths, 3 rounds a row: gain of shuffle", why_drawn, .whole = true},
	{"rows-drawn-srr-4", "Fig. 16", GAIN_PERCENT, "17.5", DRAWN_GAIN("srr", "4"), "random lengths, 4 rounds a row: gain of skewed round robin", why_drawn, .whole = true},
	{"rows-drawn-srr-12", "Fig. 16", GAIN_PERCENT, "17.5", DRAWN_GAIN("srr", "12"), "random lengths, 12 rounds a row: gain of skewed round robin", why_drawn, .whole = true},
	{"rows-drawn-shuffle-12", "Fig. 16", GAIN_PERCENT, "13.9", DRAWN_GAIN("shuffle", "12"), "random lengths, 12 rounds a row: gain of shuffle", why_drawn, .whole = true},
	{"rows-drawn-srr-32", "Fig. 16", GAIN_PERCENT, NULL, DRAWN_GAIN("srr", "32"), "random lengths, 32 rounds a row: gain of skewed round robin", .whole = true},
	{"rows-drawn-cov-rr", "Fig. 17", PLAIN, "0.80", COV(DRAWN, "work:12", "rr"), "variation of issue, random lengths: round robin", .whole = true},
	{"rows-drawn-cov-srr", "Fig. 17", PLAIN, "0.11", COV(DRAWN, "work:12", "srr"), "variation of issue, random lengths: skewed round robin", why_cov, .whole = true},
};
/* clang-format on */

const struct paper paper_subcore = {
	.name = "subcore",
	.mechanism = "RBA; SRR and Shuffle",
	.title = "Barnes, Shen, Rogers, HPCA 2023",
	.groups = "fma ratio kernels mix rows",
	.folder = "tests/reproduce",
	.loads = loads,
	.quick = {.loads = "conv2d sgemm", .cycles = 5000},
	PAPER_TABLES(words, rows, files),
};
