/*
 * dyncta.c - "Neither More Nor Less: Optimizing Thread-level Parallelism for GPGPUs" (Kayiran, Jog, Kandemir, Das,
 * technical report CSE-12-006, 2012), on `gt200`.
 *
 * What differs from the paper: kernels of ours of the same kind stand for 11 of its 31 applications, and there are 16
 * others; they run to their end once. N, and so what there is to choose from, is 4 for most of them, where the paper's
 * mean is 5.38.
 */
#include "reproduce.h"

#define TLP "tests/reproduce/tlp"

static const struct word words[] = {
	{"max", ""},
	{"fast", "set dram.clock 1600; set icnt.clock 1300"},
	{"data", "policy cta=dyncta; set dyncta.stalled off"}, /* C_mem counts waits for data alone */
	{"dyncta", "policy cta=dyncta; set dyncta.stalled on"},
	{"dyncore", "policy cta=dyncta,dyncore; set dyncta.stalled on"},
	{"low", "set dyncta.idle 8; set dyncta.mem_low 64; set dyncta.mem_high 192"},
	{"high", "set dyncta.idle 24; set dyncta.mem_low 192; set dyncta.mem_high 576"},
};

/* all; M, C, X: those of a class of intensity.txt. */
static bool loads(const char *set, struct names *to)
{
	bool all = !strcmp(set, "all");

	if (!all && (strlen(set) != 1 || !strchr("MCX", *set)))
		return false;
	table_loads(TLP "/intensity.txt", !all, all ? "" : set, to);
	return true;
}

/* N of the load whose lines are read: of the kernel of which most fit. */
struct most {
	const char *load;
	u32 n;
};

static void most_line(void *self, char **word, u32 n)
{
	struct most *m = self;
	u32 ctas;

	if (n > 6 && !strcmp(word[0], m->load) && sscanf(word[6], "%*c:%u", &ctas) == 1 && ctas > m->n)
		m->n = ctas;
}

static u32 most_ctas(const char *load)
{
	struct most m = {load, 0};

	table_each(TLP "/loads.txt", most_line, &m);
	return m.n;
}

/* The configuration with a limit of n CTAs; the last of a load has none. */
static const char *limited(const char *load, u32 n)
{
	static const char *const limit[] = {"",
					    "dispatch.limit=1",
					    "dispatch.limit=2",
					    "dispatch.limit=3",
					    "dispatch.limit=4",
					    "dispatch.limit=5",
					    "dispatch.limit=6",
					    "dispatch.limit=7"};

	return n < most_ctas(load) ? limit[n] : "max";
}

/* CTAs of an SM with which a load is fastest. */
static u32 best_ctas(const char *load)
{
	u32 best = 1;

	for (u32 n = 2; n <= most_ctas(load); n++)
		if (cycles(load, limited(load, n)) < cycles(load, limited(load, best)))
			best = n;
	return best;
}

static const char *stands_for(const char *load, const char *config)
{
	return strcmp(config, "opt") ? config : limited(load, best_ctas(load));
}

static double mean_n(const struct ours *o)
{
	u32 sum = 0, n = 0;

	EACH_LOAD (load, o->loads) {
		sum += most_ctas(load);
		n++;
	}
	return (double)sum / n;
}

static double mean_best(const struct ours *o)
{
	double sum = 0;
	u32 n = 0;

	EACH_LOAD (load, o->loads) {
		sum += best_ctas(load) + 0 * cycles(load, "opt"); /* NAN until the runs have been made */
		n++;
	}
	return sum / n;
}

/* By how many percent a load is faster under one than under another. */
static double faster(const char *load, const char *config, const char *over)
{
	return 100 * (cycles(load, over) / cycles(load, config) - 1);
}

/* What intensity.txt should say of a load: X if its CTAs do not fill three quarters of the slots, else M if a memory of
 * twice the bandwidth makes it faster by a quarter or more, else C. */
static char class_of(const char *load)
{
	if (value(load, "max", "occupancy.ctas") < 0.75 * most_ctas(load))
		return 'X';
	return faster(load, "fast", "max") >= 25 ? 'M' : 'C';
}

static double misclassed(const struct ours *o)
{
	double n = 0;

	EACH_LOAD (load, o->loads) {
		char class[2] = {class_of(load), 0};
		struct names like = loads_of(class);

		n += !names_have(&like, load) + 0 * cycles(load, "max");
	}
	return n;
}

/* Power of the SMs, of those that have a CTA 1, have none 0.5, are switched off `off`. */
static double power(const char *load, const char *config, double off)
{
	double all = 30 * value(load, config, "cycle"), gated = value(load, config, "dyncore.gated_cycles"),
	       busy = value(load, config, "occupancy.busy_cycles");

	return (busy + (all - busy - gated) / 2 + gated * off) / all;
}

static double power_more(const struct ours *o)
{
	double sum = 0;
	u32 n = 0;

	EACH_LOAD (load, o->loads) {
		sum += power(load, o->config, o->number) / power(load, o->over, o->number);
		n++;
	}
	return 100 * (sum / n - 1);
}

static double efficiency_more(const struct ours *o)
{
	double sum = 0;
	u32 n = 0;

	EACH_LOAD (load, o->loads) {
		sum += cycles(load, o->over) / cycles(load, o->config) * power(load, o->over, o->number) /
		       power(load, o->config, o->number);
		n++;
	}
	return 100 * (sum / n - 1);
}

/* Of the time, the part in which the SMs that may be switched off (8) are. */
static double gated(const struct ours *o)
{
	double sum = 0;
	u32 n = 0;

	EACH_LOAD (load, o->loads) {
		sum += value(load, o->config, "dyncore.gated_cycles") / value(load, o->config, "cycle") / 8;
		n++;
	}
	return 100 * sum / n;
}

static void sweep_write(FILE *f)
{
	fprintf(f, "load,ctas,cycles,config,ract,latency,util,l1d_hit_rate\n");
	EACH_LOAD (load, "all") {
		for (u32 n = 1; n <= most_ctas(load); n++) {
			const char *c = limited(load, n);

			fprintf(f, "%s,%u,%.0f,%s,%.6g,%.6g,%.6g,%.6g\n", load, n, value(load, c, "cycle"), c,
				value(load, c, "dyncta.ract"), value(load, c, "mem.latency"), value(load, c, "sm.util"),
				value(load, c, "l1d.hit_rate"));
		}
	}
}

/* The lines of intensity.txt, as measured. */
static void classes_write(FILE *f)
{
	EACH_LOAD (load, "all")
		fprintf(f, "%-13s %-5c %u %4u %7.1f%% %7.1f%% %6.2f %6.2f %7.0f %7.1f%%\n", load, class_of(load),
			most_ctas(load), best_ctas(load), faster(load, "opt", "max"),
			faster(load, "dispatch.limit=1", "max"), value(load, "max", "dyncta.ract"),
			value(load, "max", "dyncta.c_mem") / value(load, "max", "cycle") / 30,
			value(load, "max", "mem.latency"), faster(load, "fast", "max"));
}

static void off_write(FILE *f)
{
	static const char *const off[] = {"4", "8", "12", "16"};

	fprintf(f, "off,gain,power,efficiency\n");
	for (u32 i = 0; i < ARRAY_LEN(off); i++) {
		char *config = xasprintf("dyncore dyncore.cores=%s", off[i]);
		const struct ours o = {.loads = "all", .config = config, .over = "max"};

		fprintf(f, "%s,%.3f,%.3f,%.3f\n", off[i], gain(&o), power_more(&o), efficiency_more(&o));
		free(config);
	}
}

/* n of the first SM at the end of each window. */
static void modulation_write(FILE *f)
{
	static const struct {
		const char *name, *load;
	} of[] = {{"similarity", "similarity"}, {"fdtd2d", "fdtd2d"}, {"phases", "scenarios/tlp/dyncta-phases"}};
	const char *script =
		quick ? "repeat i 1..4\nstep 2048\nprint gpu.cycle\nprint sm[0].dyncta.most - sm[0].dyncta.less\nend\n"
		      : "repeat i 1..400\nstep 2048\nprint gpu.cycle\nprint sm[0].dyncta.most - sm[0].dyncta.less\nend\n";

	fprintf(f, "kernel,window,n\n");
	for (u32 k = 0; k < ARRAY_LEN(of); k++) {
		double last = -1, cycle = 0;

		for (u32 i = 0; i < (quick ? 4 : 400) && cycle > last; i++) {
			last = i ? cycle : -1;
			cycle = run_number(of[k].load, "dyncta", script, 2 * i);
			if (cycle > last)
				fprintf(f, "%s,%u,%.0f\n", of[k].name, i + 1,
					run_number(of[k].load, "dyncta", script, 2 * i + 1));
		}
	}
}

static const struct file files[] = {
	{"static", "dyncta-sweep.csv", sweep_write, "all"},
	{"static", "dyncta-classes.txt", classes_write, "all"},
	{"dyncta", "dyncta-off.csv", off_write, "all"},
	{"dyncta", "dyncta-n.csv", modulation_write, "all"},
	{"dyncta", "dyncta-loads.csv", NULL, "all",
	 "max|max|cycle;opt|opt|cycle;dyncta|dyncta|cycle;data|data|cycle;dyncore|dyncore|cycle;two-level|order=two-level|cycle;n|dyncta|dyncta.n;latency|max|mem.latency;latency-dyncta|dyncta|mem.latency;util|max|sm.util;util-dyncta|dyncta|sm.util"},
};

/* clang-format off */

/* Reasons of several rows. */
static const char why_drawn[] = "The paper draws it application by application, without a mean.";
static const char why_opt[] = "Ours are 10 memory-intensive loads of 27, the paper's 18 of 31. Over the memory-intensive ones alone the best limit gains {static-opt-m}.";
static const char why_some[] = "The paper draws it for some applications.";
static const char why_text[] = "The report defines idle cycles twice: as those in which all warps have finished (the preset), and by a sentence that also fits cycles in which all warps wait. With the second meaning, waiting for memory increases both counters, and fewer CTAs are taken away.";
static const char why_data[] = "The LSU stalls before all warps wait for data, on loads that find no MSHR or no entry in the queue to the L2: in {static-lsu-similarity} of the slots of similarity, {static-lsu-spmv} of spmv's. Such an SM looks like one that computes, and its n increases to N.";
static const char why_gain[] = "Ours are 10 memory-intensive loads of 27, the paper's 18 of 31. n stays at N for the others, and what the best limit gains over all loads is less, too: {static-opt}. Of spmv, for which one CTA is best, n is {dyncta-n-spmv}. nw, whose CTAs are too few to hide latency, changes by {dyncta-nw}, gaussian by {dyncta-gaussian}.";
static const char why_misses[] = "Most of these loads read lines that no other thread reads. In similarity, which has the most lines that are read again, {dyncta-hits-similarity} of the lookups hit without a limit and {dyncta-hits-one} with one CTA.";
static const char why_power[] = "17 of the 27 loads are not memory-intensive. An SM is off only when its CTAs have ended, which takes long in loads as short as these: the 8 SMs are off for {dyncta-gated-similarity} of the time in similarity and {dyncta-gated-vecadd} in vecadd. The RACT of blackscholes is close to the threshold of 2/3, so its SMs are switched off and on again, and they are off for {dyncta-gated-blackscholes}.";
static const char why_window[] = "Loads of some 100,000 cycles have 50 decisions. Throttling more slowly, or beginning lower, changes them by a percent or two.";
static const char why_mshrs[] = "For spmv one CTA is best. Its n is {dyncta-n-spmv} with 64 MSHRs, {dyncta-n-spmv-32} with 32 and {dyncta-n-spmv-16} with 16, as its loads wait for MSHRs, which gains {dyncta-spmv-32} and {dyncta-spmv-16}. The other nine loads gain {dyncta-rest-32} and {dyncta-rest-16}; similarity loses {-dyncta-similarity-16} with 16.";
static const char why_off[] = "Figure 14a is a drawing without numbers. The paper says that with each SM more performance falls, and power and efficiency gain.";

#define OFF(n, left) \
	{"dyncta-off-m-" n, \
	 "Fig. 7a", \
	 GAIN_PERCENT, \
	 NULL, \
	 GAIN("M", "gpu.sms=" left, "max"), \
	 "gain of " n " SMs fewer, Type M", \
	 why_drawn}, \
		{"dyncta-off-c-" n, \
		 "Fig. 7a", \
		 GAIN_PERCENT, \
		 NULL, \
		 GAIN("C", "gpu.sms=" left, "max"), \
		 "gain of " n " SMs fewer, Type C", \
		 why_drawn}, \
		{"dyncta-off-dyncta-m-" n, \
		 "Fig. 7b", \
		 GAIN_PERCENT, \
		 NULL, \
		 GAIN("M", "dyncta gpu.sms=" left, "dyncta"), \
		 "gain of " n " SMs fewer under dyncta, Type M", \
		 why_drawn}, \
	{ \
		"dyncta-off-dyncta-c-" n, "Fig. 7b", GAIN_PERCENT, NULL, GAIN("C", "dyncta gpu.sms=" left, "dyncta"), \
			"gain of " n " SMs fewer under dyncta, Type C", why_drawn \
	}
#define CORES(n) \
	{"dyncta-core-" n "-gain", \
	 "Fig. 14a", \
	 GAIN_PERCENT, \
	 NULL, \
	 GAIN("all", "dyncore dyncore.cores=" n, "max"), \
	 "gain of dyncore with " n " SMs", \
	 why_off}, \
		{"dyncta-core-" n "-power", \
		 "Fig. 14a", \
		 GAIN_PERCENT, \
		 NULL, \
		 OF(power_more, "all", "dyncore dyncore.cores=" n, "max"), \
		 "power with " n " SMs", \
		 why_off}, \
	{ \
		"dyncta-core-" n "-efficiency", "Fig. 14a", GAIN_PERCENT, NULL, \
			OF(efficiency_more, "all", "dyncore dyncore.cores=" n, "max"), \
			"energy efficiency more with " n " SMs", why_off \
	}
#define MSHRS(n, paper) \
	{"dyncta-mshrs-" n, \
	 "Sec. 5.3", \
	 GAIN_PERCENT, \
	 paper, \
	 GAIN("M", "dyncta l1d.mshrs=" n, "dyncta"), \
	 "gain of " n " MSHRs for 64, Type M", \
	 why_mshrs}, \
		{"dyncta-n-spmv-" n,	      "Sec. 5.3", PLAIN, NULL, MEAN("spmv", "dyncta l1d.mshrs=" n, "dyncta.n"), \
		 "n of spmv with " n " MSHRs"}, \
		{"dyncta-spmv-" n, \
		 "Sec. 5.3", \
		 GAIN_PERCENT, \
		 NULL, \
		 GAIN("spmv", "dyncta l1d.mshrs=" n, "dyncta"), \
		 "gain of " n " MSHRs for 64, spmv"}, \
	{ \
		"dyncta-rest-" n, "Sec. 5.3", GAIN_PERCENT, NULL, GAIN("M -spmv", "dyncta l1d.mshrs=" n, "dyncta"), \
			"gain of " n " MSHRs for 64, Type M without spmv" \
	}
#define GATED(load) \
	{ \
		"dyncta-gated-" load, "Fig. 12", PART_PERCENT, NULL, OF(gated, load, "dyncore"), \
			"of the time, 8 SMs are off, " load \
	}
#define MISSES(config) SHARE("all", config, "l1d.misses+l1d.merges", "l1d.misses+l1d.merges+l1d.hits")
#define HITS(load, config) SHARE(load, config, "l1d.hits", "l1d.misses+l1d.merges+l1d.hits")

static const struct row rows[] = {
	{"static-opt", "Fig. 1", GAIN_PERCENT, "39", GAIN("all", "opt", "max"), "gain of the best limit", why_opt},
	{"static-opt-g", "Fig. 1", GAIN_PERCENT, "25", GAIN_G("all", "opt", "max"), "gain of the best limit, geometric mean", why_opt},
	{"static-opt-most", "Fig. 1", TIMES, "4.9", OF(gain_most, "all", "opt", "max"), "speedup of the best limit, at most", "It is similarity's. A document's features are one line of the L1, each is read by 16 loads in turn. The lines of 512 threads fit the L1, those of 1024 do not."},
	{"static-opt-m", "Fig. 1", GAIN_PERCENT, NULL, GAIN("M", "opt", "max"), "gain of the best limit, Type M", why_drawn},
	{"static-opt-c", "Fig. 1", GAIN_PERCENT, NULL, GAIN("C", "opt", "max"), "gain of the best limit, Type C", why_drawn},
	{"static-one", "Fig. 1", GAIN_PERCENT, NULL, GAIN("all", "dispatch.limit=1", "max"), "gain of one CTA", why_drawn},
	{"static-ract", "Fig. 3", PART_PERCENT, "51", MEAN_PERCENT("all", "max", "dyncta.ract"), "RACT", "16 of the 27 loads are compute-intensive, of the paper's 31 ten."},
	{"static-ract-least", "Fig. 3", PART_PERCENT, "10", OF(least_percent, "all", "max", NULL, "dyncta.ract"), "RACT, the least", "It is that of spmv, each load of which reads random lines; similarity's is low, too. Their loads wait for a free MSHR or an entry in the queue to the L2: {static-lsu-spmv} and {static-lsu-similarity} of the slots are stalled on that."},
	{"static-lsu-spmv", "Fig. 3", PART_PERCENT, NULL, SHARE("spmv", "max", "slots.pipeline.lsu", "slots.total"), "slots stalled on the LSU, spmv"},
	{"static-lsu-similarity", "Fig. 3", PART_PERCENT, NULL, SHARE("similarity", "max", "slots.pipeline.lsu", "slots.total"), "slots stalled on the LSU, similarity"},
	{"static-latency", "Fig. 4", GAIN_PERCENT, NULL, OF(more, "all", "max", "dispatch.limit=1", "mem.latency"), "latency of a read, N CTAs over one", why_some},
	{"static-util", "Fig. 4", GAIN_PERCENT, NULL, OF(more, "all", "max", "dispatch.limit=1", "sm.util"), "use of the SMs, N CTAs over one", why_some},
	{"static-n", "Fig. 9", PLAIN, "5.38", OF(mean_n, "all"), "N", "Of 17 of the 27 loads 4 CTAs fit, and most CTAs have 256 threads."},
	{"static-n-opt", "Fig. 9", PLAIN, "2.93", OF(mean_best, "all"), "the best limit", "Compute-intensive loads gain little from fewer CTAs than fit ({static-opt-c}), and there are more such loads than in the paper."},
	{"static-fast-m", "Table 2", GAIN_PERCENT, NULL, GAIN("M", "fast", "max"), "gain of twice the bandwidth, Type M", why_drawn},
	{"static-fast-c", "Table 2", GAIN_PERCENT, NULL, GAIN("C", "fast", "max"), "gain of twice the bandwidth, Type C", why_drawn},
	{"static-classes", "Table 2", COUNT, NULL, OF(misclassed, "all"), "loads that are not of the class written down for them", "Every load is of the class that intensity.txt gives it if this is 0.", .whole = true},
	{"dyncta-n", "Fig. 9", PLAIN, "2.69", MEAN("all", "dyncta", "dyncta.n"), "mean of n under dyncta", why_gain},
	{"dyncta-n-spmv", "Fig. 9", PLAIN, NULL, MEAN("spmv", "dyncta", "dyncta.n"), "mean of n under dyncta, spmv"},
	{"dyncta-gain", "Fig. 10", GAIN_PERCENT, "28", GAIN("all", "dyncta", "max"), "gain of dyncta", why_gain},
	{"dyncta-gain-g", "Fig. 10", GAIN_PERCENT, "18", GAIN_G("all", "dyncta", "max"), "gain of dyncta, geometric mean", why_gain},
	{"dyncta-most", "Fig. 10", TIMES, "3.6", OF(gain_most, "all", "dyncta", "max"), "speedup of dyncta, at most", why_gain},
	{"dyncta-nw", "Fig. 10", GAIN_PERCENT, NULL, GAIN("nw", "dyncta", "max"), "gain of dyncta, nw"},
	{"dyncta-gaussian", "Fig. 10", GAIN_PERCENT, NULL, GAIN("gaussian", "dyncta", "max"), "gain of dyncta, gaussian"},
	{"dyncta-m", "Fig. 10", GAIN_PERCENT, NULL, GAIN("M", "dyncta", "max"), "gain of dyncta, Type M", why_drawn},
	{"dyncta-c", "Fig. 10", GAIN_PERCENT, NULL, GAIN("C", "dyncta", "max"), "gain of dyncta, Type C", why_drawn},
	{"dyncta-data", "Fig. 10", GAIN_PERCENT, "28", GAIN("all", "data", "max"), "gain of dyncta that counts waits for data alone", why_data},
	{"dyncta-text-n", "Fig. 9", PLAIN, "2.69", MEAN("all", "dyncta dyncta.idle_cycles=text", "dyncta.n"), "mean of n if cycles of waiting are idle, too", why_text},
	{"dyncta-text", "Fig. 10", GAIN_PERCENT, "28", GAIN("all", "dyncta dyncta.idle_cycles=text", "max"), "gain of dyncta if cycles of waiting are idle, too", why_text},
	{"dyncta-two-level", "Fig. 10", GAIN_PERCENT, "12.5", GAIN("all", "dyncta", "order=two-level"), "gain of dyncta over two-level", "The reason is that of dyncta's gain. Two-level itself gains {dyncta-two-level-max} over the baseline here."},
	{"dyncta-two-level-max", "Fig. 10", GAIN_PERCENT, NULL, GAIN("all", "order=two-level", "max"), "gain of two-level over the baseline"},
	{"dyncta-latency", "Fig. 11", GAIN_PERCENT, "-18", OF(more, "all", "dyncta", "max", "mem.latency"), "latency of a read under dyncta", why_gain},
	{"dyncta-misses-max", "Sec. 5.1", PART_PERCENT, "71", MISSES("max"), "misses of the L1, no limit", why_misses},
	{"dyncta-misses", "Sec. 5.1", PART_PERCENT, "64", MISSES("dyncta"), "misses of the L1, dyncta", why_misses},
	{"dyncta-hits-similarity", "Sec. 5.1", PART_PERCENT, NULL, HITS("similarity", "max"), "hits of the L1, no limit, similarity"},
	{"dyncta-hits-one", "Sec. 5.1", PART_PERCENT, NULL, HITS("similarity", "dispatch.limit=1"), "hits of the L1, one CTA, similarity"},
	{"dyncta-power", "Fig. 12", GAIN_PERCENT, "2", OF(power_more, "all", "dyncta", "max"), "power more with dyncta", why_power},
	{"dyncta-efficiency", "Fig. 13", GAIN_PERCENT, "26", OF(efficiency_more, "all", "dyncta", "max"), "energy efficiency more with dyncta", why_gain},
	OFF("4", "26"),
	OFF("8", "22"),
	OFF("12", "18"),
	OFF("16", "14"),
	{"dyncta-core-gain", "Fig. 14a", GAIN_PERCENT, "21", GAIN("all", "dyncore", "max"), "gain of dyncore", why_gain},
	{"dyncta-core-gain-g", "Fig. 14a", GAIN_PERCENT, "12", GAIN_G("all", "dyncore", "max"), "gain of dyncore, geometric mean", why_gain},
	{"dyncta-core-data", "Fig. 14a", GAIN_PERCENT, "21", GAIN("all", "data cta=dyncta,dyncore", "max"), "gain of dyncore if dyncta counts waits for data alone", why_data},
	{"dyncta-core-power", "Fig. 12", GAIN_PERCENT, "-17", OF(power_more, "all", "dyncore", "max"), "power with dyncore", why_power},
	{"dyncta-core-efficiency", "Fig. 13", GAIN_PERCENT, "52", OF(efficiency_more, "all", "dyncore", "max"), "energy efficiency more with dyncore", why_gain},
	GATED("similarity"),
	GATED("vecadd"),
	GATED("blackscholes"),
	CORES("4"),
	CORES("12"),
	CORES("16"),
	{"dyncta-core-power-ungated", "Fig. 12", GAIN_PERCENT, "-8", OF(power_more, "all", "dyncore", "max", .number = 0.5), "power with dyncore, no gating", why_power},
	{"dyncta-core-efficiency-ungated", "Fig. 13", GAIN_PERCENT, "33", OF(efficiency_more, "all", "dyncore", "max", .number = 0.5), "energy efficiency more with dyncore, no gating", why_gain},
	{"dyncta-window", "Sec. 5.3", GAIN_PERCENT, "-0.1", GAIN("M", "dyncta dyncta.window=4096", "dyncta"), "gain of windows of 4096 cycles, Type M", why_window},
	{"dyncta-low", "Sec. 5.3", GAIN_PERCENT, "-0.7", GAIN("M", "dyncta low", "dyncta"), "gain of thresholds half as high, Type M", why_window},
	{"dyncta-high", "Sec. 5.3", GAIN_PERCENT, "-1.6", GAIN("M", "dyncta high", "dyncta"), "gain of thresholds half as high again, Type M", why_window},
	MSHRS("32", "-0.3"),
	MSHRS("16", "-0.6"),
	{"dyncta-similarity-16", "Sec. 5.3", GAIN_PERCENT, NULL, GAIN("similarity", "dyncta l1d.mshrs=16", "dyncta"), "gain of 16 MSHRs for 64, similarity"},
	{"dyncta-from-one", "Sec. 4.1", GAIN_PERCENT, "0", GAIN("M", "dyncta dyncta.start=one", "dyncta"), "gain of beginning with one CTA, Type M", why_window},
	{"dyncta-from-all", "Sec. 4.1", GAIN_PERCENT, NULL, GAIN("M", "dyncta dyncta.start=all", "dyncta"), "gain of beginning with N CTAs, Type M", why_drawn},
};
/* clang-format on */

const struct paper paper_dyncta = {
	.name = "dyncta",
	.mechanism = "DYNCTA and DYNCORE",
	.title = "Kayiran, Jog, Kandemir, Das, CSE-12-006, 2012",
	.groups = "static dyncta",
	.folder = TLP,
	.base = "gpu gt200",
	.loads = loads,
	.stands_for = stands_for,
	.quick = {.loads = "fdtd2d matmul", .cycles = 6144},
	PAPER_TABLES(words, rows, files),
};
