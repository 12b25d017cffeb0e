/*
 * maestro.c - chapter V of "Enabling Efficient Resource Utilization on Multitasking Throughput Processors" (Park,
 * University of Michigan, 2016): GPU Maestro, on `maxwell`, over 15 pairs of eleven loads. Each of a pair is a stream
 * that begins again until the other is through.
 *
 * Means are geometric, over pairs. What differs from the thesis: loads of 100,000 cycles for benchmarks of a billion
 * instructions, and so epochs of 10,000 cycles for 50,000; 15 pairs, five of each class, for 28 of COM/COM, 112 of
 * COM/MEM and 91 of MEM/MEM.
 */
#include "reproduce.h"

#define SHARED "tests/reproduce/share"
#define MAESTRO "policy partition=maestro allocate=twoway; policy preempt=chimera rank=urgent"

static const struct word words[] = {
	{"pair",
	 "gpu maxwell; set preempt.ctas 1024; set chimera.switch time; set chimera.bound 16890; set multi.insts 4294967295; set maestro.epoch %s"},
	{"even", "policy partition=even preempt=chimera"},
	{"smart", "policy partition=smart preempt=chimera"},
	{"smk", "policy partition=smk preempt=chimera"},
	{"smkpw", "policy smkpw; policy preempt=chimera"},
	{"ws", "policy ws; policy preempt=chimera; set ws.profile table"},
	{"maestro", MAESTRO ",kernel-lrr"},
	{"none", MAESTRO},
	{"ipr", MAESTRO ",kernel-ipr"},
	{"fair", MAESTRO ",kernel-fair"},
	{"rr", MAESTRO " order=lrr"},
	/* a CTA that is to go is saved and gone at once, and goes on elsewhere */
	{"free",
	 "policy partition=maestro allocate=twoway; policy preempt=switch rank=urgent,kernel-lrr; set chimera.switch free"},
};
static const char *const ways[] = {"even", "smart", "smk",  "smkpw", "ws",  "maestro",
				   "none", "ipr",   "fair", "rr",    "free"};

/* --- pairs and loads --- */

static const char *pair_class; /* that is looked for */
static bool pair_single;       /* the loads of pairs rather than the pairs */

static void add_pair(void *self, char **word, u32 n)
{
	char pair[128];

	if (n < 3 || (n > 3 && !quick) || (*pair_class != 'a' && strncmp(pair_class, word[0], 3)) ||
	    (*pair_class != 'a' && strcmp(pair_class + 4, word[0] + 4)))
		return;
	snprintf(pair, sizeof(pair), "%s+%s", word[1], word[2]);
	if (!pair_single) {
		names_add(self, pair);
		return;
	}
	names_add(self, word[1]);
	names_add(self, word[2]);
}

/* all, COM-COM, COM-MEM, MEM-MEM: pairs; loads: what they are of. */
static bool loads(const char *set, struct names *to)
{
	pair_single = !strcmp(set, "loads");
	if (!pair_single && strcmp(set, "all") && (strlen(set) != 7 || set[3] != '-'))
		return false;
	pair_class = pair_single ? "all" : set;
	table_each(SHARED "/pairs.txt", add_pair, to);
	return true;
}

/* The lines of a load as they stand, less those that a stream has no use for: module, buffers and launches, with what
 * `launch` is told of each between | in options; NULL: the name of the first kernel, alone. How many launches. */
static u32 stream_add(struct text *t, const char *load, u32 stream, const char *options)
{
	char *path = xasprintf(SHARED "/%s.scn", load), *text, *kernels;
	struct error e;
	size_t length;
	u32 launches = 0;

	if (file_read(path, 1u << 20, &text, &length, &e))
		fail("%s", e.message);
	for (char *line = text, *rest; line && *line && strncmp(line, "finally", 7) != 0; line = rest) {
		rest = strchr(line, '\n');
		if (rest)
			*rest++ = 0;
		kernels = strstr(line, "scenarios/kernels");
		if (!strncmp(line, "launch ", 7) && !options) {
			text_add(t, "%.*s", (int)strcspn(line + 7, " "), line + 7);
			break;
		} else if (!strncmp(line, "launch ", 7)) {
			text_add(t, "%s stream %u%s %.*s\n", line, stream, launches++ ? "" : " restart",
				 (int)strcspn(options, "|"), options);
			options += strcspn(options, "|");
			options += *options == '|';
		} else if (!options) {
			continue;
		} else if (kernels && !strncmp(line, "module", 6)) {
			text_add(t, "module %s\n", kernels);
		} else if ((!strncmp(line, "buffer", 6) && !strstr(line, " file ")) || !strncmp(line, "synthetic", 9)) {
			text_add(t, "%s\n", line);
		}
	}
	free(text);
	free(path);
	return launches;
}

/* Loads alone on so many SMs, and with so many CTAs of an SM. */
#define ALONE "gpu.sms=16"
#define ALONE_ONE "gpu.sms=1"

/* CTAs of a load that fit an SM; 0: not known yet. */
static u32 fit_of(const char *load)
{
	struct text script = {0};
	const char *text, *at;
	u32 fit = 0;

	text_add(&script, "info kernel ");
	stream_add(&script, load, 0, NULL);
	text_add(&script, "\n");
	text = run_text(load, "", script.s);
	text_free(&script);
	at = text ? strstr(text, "occupancy: ") : NULL;
	if (text && (!at || sscanf(at, "occupancy: %u", &fit) != 1 || !fit))
		fail("%s: no CTA fits", load);
	return fit;
}

/* How fast a launch of a load is with each number of CTAs of an SM, in instructions of 1000 cycles, by straight lines
 * between the numbers that are run. */
static u32 curve_of(const char *load, u32 launch, double at[33])
{
	static const u32 run[] = {1, 2, 3, 4, 6, 8, 12, 16, 20, 25, 32};
	u32 last = 0, fit = fit_of(load);
	char config[32], cycles_name[32], insts_name[32];

	snprintf(cycles_name, sizeof(cycles_name), "kernel.%u.cycles", launch);
	snprintf(insts_name, sizeof(insts_name), "kernel.%u.inst.warp", launch);
	for (u32 i = 0; i < ARRAY_LEN(run) && run[i] <= fit; i++) {
		double speed;

		snprintf(config, sizeof(config), "sm.ctas=%u", run[i]);
		speed = trunc(1000 * value(load, config, insts_name) / value(load, config, cycles_name));
		for (u32 k = last + 1; k <= run[i]; k++)
			at[k] = last ? at[last] + (speed - at[last]) * (k - last) / (run[i] - last) : speed;
		last = run[i];
	}
	return last;
}

/* What `launch` is told of each launch of a load, with | between; NULL: not known yet. */
static char *options_of(const char *load)
{
	double issued = 100 * value(load, ALONE, "slots.issued") / value(load, ALONE, "slots.total"), at[33];
	struct text t = {0}, names = {0};
	u32 launches = stream_add(&names, load, 0, "");

	for (u32 i = 0; i < launches; i++) {
		u32 n = curve_of(load, i, at);

		if (!n || !isfinite(issued + at[1] + at[n])) {
			text_free(&t);
			break;
		}
		text_add(&t, "%salone %.0f curve ", i ? "|" : "", issued < 1 ? 1 : issued);
		for (u32 k = 1; k <= n; k++)
			text_add(&t, "%s%.0f", k > 1 ? "," : "", trunc(at[k] / 10) + 1);
	}
	text_free(&names);
	return t.s;
}

/* What comes of a pair under a way of sharing: columns of maestro-pairs.csv. */
/* clang-format off */
enum { FIRST, SECOND, MEAN_SLOWDOWN, THROUGHPUT,
	SM_APART, EVEN, OTHER, /* decisions for SMs apart, equal parts, other parts of SMs */
	NEAR, /* of these last those that are one CTA from equal */
	MOVING, DRAINED, FLUSHED, SAVED, CYCLES, SHARED_NUMBERS };
static const char *const shared_name[] = {"slowdown-first", "slowdown-second", "antt", "stp", "apart", "even", "other", "near", "moving", "drained", "flushed", "saved", "cycles"};
/* clang-format on */
struct shared {
	double x[SHARED_NUMBERS];
};

/* All of it is NAN where it is not known yet. */
static struct shared shared_of(const char *pair, const char *way)
{
	struct shared s = {{0}};
	struct text script = {0};
	static const char *const stat[] = {"preempt.drains", "cta.flushed", "cta.saved", "cycle"};
	char name[2][64], config[128], *options[2];
	double printed[5] = {0};
	u32 launches[2], fit[2], n = 0, kernel, ctas;
	const struct run *r = NULL;
	const char *text;

	if (sscanf(pair, "%63[^+]+%63s", name[0], name[1]) != 2)
		fail("%s is no pair", pair);
	for (u32 i = 0; i < 2; i++) {
		options[i] = options_of(name[i]);
		fit[i] = fit_of(name[i]);
		launches[i] = options[i] ? stream_add(&script, name[i], i, options[i]) : 0;
	}
	text_add(&script,
		 "restart\ndprintf event epoch, \"decided %%d %%d\", kernel, ctas\ndprintf event epochstart, \"moved "
		 "%%d\", cycles\nrun\nprint launch[%u].through\nprint launch[%u].through\nprint "
		 "gpu.maestro.epochs_apart\nprint gpu.maestro.epochs_even\nprint gpu.maestro.epochs_other\n",
		 launches[0] - 1, launches[0] + launches[1] - 1);
	snprintf(config, sizeof(config), "pair:%u %s", quick ? 1000 : 10000, way);
	if (options[0] && options[1])
		r = run_script(NULL, config, script.s);
	text = r ? r->printed : NULL;
	for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1) {
		char *end;
		double x = strtod(line, &end);

		if (sscanf(line, "decided %u %u", &kernel, &ctas) == 2) {
			u32 even = fit[kernel >= launches[0]] / 2;

			s.x[NEAR] += ctas == even + 1 || (ctas && ctas + 1 == even);
		} else if (!strncmp(line, "moved ", 6)) {
			s.x[MOVING] += strtod(line + 6, NULL);
		} else if (end != line && *end == '\n' && n < 5) {
			printed[n++] = x;
		}
	}
	for (u32 i = 0; text && i < 2; i++) {
		s.x[FIRST + i] = printed[i] / value(name[i], ALONE, "cycle");
		s.x[MEAN_SLOWDOWN] += s.x[FIRST + i] / 2;
		s.x[THROUGHPUT] += 1 / s.x[FIRST + i];
	}
	for (u32 i = 2; i < 5; i++)
		s.x[SM_APART + i - 2] = printed[i];
	for (u32 i = DRAINED; r && i <= CYCLES; i++)
		s.x[i] = stat_of(r, stat[i - DRAINED]);
	for (u32 i = 0; !text && i < SHARED_NUMBERS; i++)
		s.x[i] = NAN;
	for (u32 i = 0; i < 2; i++)
		free(options[i]);
	text_free(&script);
	return s;
}

/* --- figures --- */

/* A number of a pair by its name, NAMES+NAMES a sum; way best: the best of all ways. */
static double number_of_pair(const char *pair, const char *way, const char *names)
{
	bool all = !strcmp(way, "best"), known = true;
	double best = NAN, sum = 0;
	struct shared s;

	for (u32 i = 0; all && i < ARRAY_LEN(ways); i++) {
		double x = number_of_pair(pair, ways[i], names);

		known &= isfinite(x);
		best = !i || (*names == 's' ? x > best : x < best) ? x : best;
	}
	if (all)
		return known ? best : NAN;
	s = shared_of(pair, way);
	for (u32 i = 0; i < SHARED_NUMBERS; i++)
		if (strstr(names, shared_name[i]))
			sum += s.x[i];
	return sum;
}

/* The geometric mean over pairs, less 1, in percent; names: antt or stp. */
static double beyond(const struct ours *o)
{
	double logs = 0, n = 0;

	EACH_LOAD (pair, o->loads) {
		logs += log(number_of_pair(pair, o->config, o->names));
		n++;
	}
	return 100 * (exp(logs / n) - 1);
}

/* The same of one way over that of another. */
static double beyond_over(const struct ours *o)
{
	struct ours over = *o;

	over.config = o->over;
	return 100 * ((100 + beyond(o)) / (100 + beyond(&over)) - 1);
}

static double beyond_less(const struct ours *o)
{
	return -beyond_over(o);
}

/* The classes of pairs, by how many of both compute. */
static const char *const class_name[] = {"MEM-MEM", "COM-MEM", "COM-COM"};

/* The same with classes weighted as the thesis has pairs of them. */
static double weighted(const struct ours *o)
{
	static const double weight[] = {91, 112, 28};
	double logs = 0, n = 0;

	for (u32 i = 0; i < ARRAY_LEN(weight); i++) {
		struct ours part = *o;

		part.loads = class_name[i];
		if (!loads_of(part.loads).n)
			continue;
		logs += weight[i] * log(1 + beyond(&part) / 100);
		n += weight[i];
	}
	return 100 * (exp(logs / n) - 1);
}

/* The mean over pairs of names, over per (where that is not 0). */
static double mean_over(const struct ours *o)
{
	double sum = 0, n = 0;

	EACH_LOAD (pair, o->loads) {
		double per = o->per ? number_of_pair(pair, o->config, o->per) : 1;

		if (per == 0)
			continue;
		sum += number_of_pair(pair, o->config, o->names) / per;
		n++;
	}
	return sum / n;
}

static double percent_over(const struct ours *o)
{
	return 100 * mean_over(o);
}

/* The sum of names over the sum of per, in percent. */
static double sums_over(const struct ours *o)
{
	double sum = 0, per = 0;

	EACH_LOAD (pair, o->loads) {
		sum += number_of_pair(pair, o->config, o->names);
		per += number_of_pair(pair, o->config, o->per);
	}
	return per == 0 ? 0 : 100 * sum / per;
}

/* How many times as fast 16 SMs are as one: COM if more than 12 times. */
static double faster(const char *load)
{
	return value(load, ALONE_ONE, "cycle") / value(load, ALONE, "cycle");
}

/* Pairs of other classes than pairs.txt gives them. */
static double misclassed(const struct ours *o)
{
	double n = 0;

	EACH_LOAD (pair, o->loads) {
		char *first = xasprintf("%.*s", (int)strcspn(pair, "+"), pair);
		double a = faster(first), b = faster(strchr(pair, '+') + 1);
		struct names same = loads_of(class_name[(a > 12) + (b > 12)]);

		n += !names_have(&same, pair) + 0 * (a + b);
		free(first);
	}
	return n;
}

/* What of DRAM's bandwidth those loads use alone that wait for memory. */
static double alone_dram(const struct ours *o)
{
	double sum = 0, n = 0;

	EACH_LOAD (load, o->loads) {
		double f = faster(load);

		if (f > 12)
			continue;
		sum += value(load, ALONE, "dram.share") + 0 * f;
		n++;
	}
	return 100 * sum / n;
}

/* --- files --- */

static void loads_write(FILE *f)
{
	fprintf(f, "load,cycles-1,cycles-16,faster,class,issued,fit,options\n");
	EACH_LOAD (load, "loads") {
		char *options = options_of(load);

		fprintf(f, "%s,%.0f,%.0f,%.2f,%s,%.1f,%u,\"%s\"\n", load, value(load, ALONE_ONE, "cycle"),
			value(load, ALONE, "cycle"), faster(load), faster(load) > 12 ? "COM" : "MEM",
			100 * value(load, ALONE, "slots.issued") / value(load, ALONE, "slots.total"), fit_of(load),
			options ? options : "");
		free(options);
	}
}

static void pairs_write(FILE *f)
{
	fprintf(f, "class,first,second,way");
	for (u32 i = 0; i < SHARED_NUMBERS; i++)
		fprintf(f, ",%s", shared_name[i]);
	for (u32 c = 0; c < ARRAY_LEN(class_name); c++) {
		EACH_LOAD (pair, class_name[c]) {
			for (u32 w = 0; w < ARRAY_LEN(ways); w++) {
				struct shared s = shared_of(pair, ways[w]);

				fprintf(f, "\n%s,%.*s,%s,%s", class_name[c], (int)strcspn(pair, "+"), pair,
					strchr(pair, '+') + 1, ways[w]);
				for (u32 i = 0; i < SHARED_NUMBERS; i++)
					fprintf(f, i < SM_APART ? ",%.4f" : ",%.0f", s.x[i]);
			}
		}
	}
	fprintf(f, "\n");
}

static const struct file files[] = {
	{"classes", "maestro-loads.csv", loads_write},
	{"maestro", "maestro-pairs.csv", pairs_write},
};

/* clang-format off */

/* Reasons of several rows. */
static const char why_even[] = "With half of the SMs a load that computes takes twice as long. A third of these pairs are two of that class, an eighth of the thesis's: with the classes weighted as the thesis has them ANTT is {maestro-even-weighted-antt} more and STP {maestro-even-weighted-stp}. The loads that wait for memory use {classes-dram} of DRAM's bandwidth alone and have little to win from each other.";
static const char why_smk[] = "There is less to win than in the thesis: the best of eleven ways for each pair would have STP {maestro-best-stp} more, ANTT {maestro-best-antt}. Which is better by class is as in the thesis: SMK where a load computes, SMs apart where both wait for memory.";
static const char why_maestro[] = "The best of eleven ways for each pair would have STP {maestro-best-stp} more, ANTT {maestro-best-antt}: there are no 45 % to be had of these loads. For what else Maestro loses see Warped-Slicer's line.";
static const char why_smart[] = "It shares as halves of the SMs do. It is behind these because a kernel needs fewer SMs near the end of each round and gives one after the other away. Their CTAs are flushed and restart elsewhere. Where they drain instead ANTT is {maestro-drain-antt} more, STP {maestro-drain-stp}.";
static const char why_smkpw[] = "Quotas are strict: a scheduler stands still while the kernel that has some left waits for its data. With smk.lend ANTT is {maestro-lend-antt} more, STP {maestro-lend-stp}.";
static const char why_ws[] = "Warped-Slicer has the speed of each load with each number of CTAs on all SMs. Maestro measures an SM that tries one CTA more. That shows the change there, but the queue for DRAM is shared: of hotspot and blackscholes 5 and 3 CTAs look hardly better than 4 and 4, or worse, while the other SMs have these. And while SMs apart seem best nothing further than one CTA away is tried: similarity, for which 3 of 8 are best, stays at 4 to 6. Without its two pairs ANTT is {maestro-ws-rest-antt} more with Warped-Slicer and {maestro-rest-antt} with Maestro.";
static const char why_smk_class[] = "The thesis draws bars; it says that SMK is better than SMs apart for COM/COM and COM/MEM, and worse for MEM/MEM.";
static const char why_maestro_class[] = "The thesis draws bars; it says that Maestro wins little over SMK for COM/COM and more for the others. Here COM/COM pays for turns, as the lines of ranks say, MEM/MEM for SMs that are asked one by one, see Warped-Slicer's line.";
static const char why_ranks[] = "They are as much less than the thesis's as Maestro's. What turns cost: hotspot's double precision then fills the collector units. Under Warped-Slicer's partition coulomb beside it takes {ranks-ws-lrr} as long as alone with turns and {ranks-ws} without, with 32 units {ranks-ws-lrr-32} and {ranks-ws-32}.";
static const char why_decided[] = "There are 15 pairs. mriq with sad and lbm with similarity decide for SMs apart in most epochs. Without these {decisions-apart-rest} are for SMs apart.";
static const char why_decided_class[] = "The thesis draws bars; it says that SMs apart are decided for in MEM/MEM most often, and equal parts in COM/COM. With kernels in turn hotspot's double precision delays the kernel beside it, and fewer CTAs of it are better.";

#define ANTT(pairs, way) OF(beyond, pairs, way, NULL, "antt")
#define STP(pairs, way) OF(beyond, pairs, way, NULL, "stp")
#define DECIDED(pairs, what) OF(percent_over, pairs, "maestro", NULL, what, "apart+even+other")
#define CLASSED(n, set, class) \
	{"maestro-class-even-" n, "Fig. 5.10", GAIN_PERCENT, NULL, STP(set, "even"), "STP more than alone, half of the SMs each, " class, why_smk_class}, \
	{"maestro-class-smk-" n, "Fig. 5.10", GAIN_PERCENT, NULL, STP(set, "smk"), "STP more than alone, SMK, " class, why_smk_class}, \
	{"maestro-class-maestro-" n, "Fig. 5.10", GAIN_PERCENT, NULL, STP(set, "maestro"), "STP more than alone, Maestro, " class, why_maestro_class}
#define DECIDED_CLASSED(n, set, class) \
	{"decisions-class-apart-" n, "Fig. 5.12", PART_PERCENT, NULL, DECIDED(set, "apart"), "of the decisions, for SMs apart, " class, why_decided_class}, \
	{"decisions-class-even-" n, "Fig. 5.12", PART_PERCENT, NULL, DECIDED(set, "even"), "of the decisions, for equal parts of SMs, " class, why_decided_class}
#define REST "all -lbm+similarity -similarity+blackscholes"

static const struct row rows[] = {
	{"classes-apart", "Tab. 5.3", COUNT, NULL, OF(misclassed, "all"), "pairs of other classes than pairs.txt gives them", "Every pair is of the class that pairs.txt gives it if this is 0.", .whole = true},
	{"classes-dram", "Tab. 5.3", PART_PERCENT, NULL, OF(alone_dram, "loads"), "use of DRAM's bandwidth alone, loads that wait for memory"},
	{"maestro-even-antt", "Fig. 5.10", GAIN_PERCENT, "72.2", ANTT("all", "even"), "ANTT more than alone, half of the SMs each", why_even},
	{"maestro-smk-antt", "Fig. 5.10", GAIN_PERCENT, "99.1", ANTT("all", "smk"), "ANTT more than alone, half of each SM each (SMK)", why_smk},
	{"maestro-maestro-antt", "Fig. 5.10", GAIN_PERCENT, "57.6", ANTT("all", "maestro"), "ANTT more than alone, Maestro", why_maestro},
	{"maestro-smart-antt", "Fig. 5.14", GAIN_PERCENT, "72.2", ANTT("all", "smart"), "ANTT more than alone, SMs by need (spatial)", why_smart},
	{"maestro-drain-antt", "Fig. 5.14", GAIN_PERCENT, NULL, ANTT("all", "smart preempt=drain"), "ANTT more than alone, SMs by need (spatial), CTAs drain"},
	{"maestro-smkpw-antt", "Fig. 5.14", GAIN_PERCENT, "90.3", ANTT("all", "smkpw"), "ANTT more than alone, SMK-(P+W)", why_smkpw},
	{"maestro-lend-antt", "Fig. 5.14", GAIN_PERCENT, NULL, ANTT("all", "smkpw smk.lend=on"), "ANTT more than alone, SMK-(P+W) that lends slots"},
	{"maestro-ws-antt", "Fig. 5.14", GAIN_PERCENT, "78.4", ANTT("all", "ws"), "ANTT more than alone, Warped-Slicer", why_ws},
	{"maestro-ws-rest-antt", "Fig. 5.14", GAIN_PERCENT, NULL, ANTT(REST, "ws"), "ANTT more than alone, Warped-Slicer, pairs without similarity"},
	{"maestro-rest-antt", "Fig. 5.14", GAIN_PERCENT, NULL, ANTT(REST, "maestro"), "ANTT more than alone, Maestro, pairs without similarity"},
	{"maestro-best-antt", "Fig. 5.14", GAIN_PERCENT, NULL, ANTT("all", "best"), "ANTT more than alone, the best of eleven ways for each pair"},
	{"maestro-even-weighted-antt", "Fig. 5.10", GAIN_PERCENT, NULL, OF(weighted, "all", "even", NULL, "antt"), "ANTT more than alone, half of the SMs each, classes weighted"},
	{"maestro-even-stp", "Fig. 5.10", GAIN_PERCENT, "20.7", STP("all", "even"), "STP more than alone, half of the SMs each", why_even},
	{"maestro-smk-stp", "Fig. 5.10", GAIN_PERCENT, "27.3", STP("all", "smk"), "STP more than alone, half of each SM each (SMK)", why_smk},
	{"maestro-maestro-stp", "Fig. 5.10", GAIN_PERCENT, "45.0", STP("all", "maestro"), "STP more than alone, Maestro", why_maestro},
	{"maestro-smart-stp", "Fig. 5.14", GAIN_PERCENT, "20.7", STP("all", "smart"), "STP more than alone, SMs by need (spatial)", why_smart},
	{"maestro-drain-stp", "Fig. 5.14", GAIN_PERCENT, NULL, STP("all", "smart preempt=drain"), "STP more than alone, SMs by need (spatial), CTAs drain"},
	{"maestro-smkpw-stp", "Fig. 5.14", GAIN_PERCENT, "26.2", STP("all", "smkpw"), "STP more than alone, SMK-(P+W)", why_smkpw},
	{"maestro-lend-stp", "Fig. 5.14", GAIN_PERCENT, NULL, STP("all", "smkpw smk.lend=on"), "STP more than alone, SMK-(P+W) that lends slots"},
	{"maestro-ws-stp", "Fig. 5.14", GAIN_PERCENT, "30.3", STP("all", "ws"), "STP more than alone, Warped-Slicer", why_smk},
	{"maestro-best-stp", "Fig. 5.14", GAIN_PERCENT, NULL, STP("all", "best"), "STP more than alone, the best of eleven ways for each pair"},
	{"maestro-even-weighted-stp", "Fig. 5.10", GAIN_PERCENT, NULL, OF(weighted, "all", "even", NULL, "stp"), "STP more than alone, half of the SMs each, classes weighted"},
	CLASSED("1", "COM-COM", "COM/COM"),
	CLASSED("2", "COM-MEM", "COM/MEM"),
	CLASSED("3", "MEM-MEM", "MEM/MEM"),
	{"ranks-none-antt", "Fig. 5.11", GAIN_PERCENT, "73.4", ANTT("all", "none"), "ANTT more than alone, no rank of kernels", why_ranks},
	{"ranks-lrr-antt", "Fig. 5.11", GAIN_PERCENT, "57.6", ANTT("all", "maestro"), "ANTT more than alone, kernels in turn (LRR)", why_maestro},
	{"ranks-ipr-antt", "Fig. 5.11", GAIN_PERCENT, "59.6", ANTT("all", "ipr"), "ANTT more than alone, kernels by issued per ready (IPR)", why_ranks},
	{"ranks-fair-antt", "Fig. 5.11", GAIN_PERCENT, "58.9", ANTT("all", "fair"), "ANTT more than alone, kernels by quota (Fair)", why_ranks},
	{"ranks-none-stp", "Fig. 5.11", GAIN_PERCENT, "39.0", STP("all", "none"), "STP more than alone, no rank of kernels", why_ranks},
	{"ranks-lrr-stp", "Fig. 5.11", GAIN_PERCENT, "45.0", STP("all", "maestro"), "STP more than alone, kernels in turn (LRR)", why_maestro},
	{"ranks-ipr-stp", "Fig. 5.11", GAIN_PERCENT, "44.4", STP("all", "ipr"), "STP more than alone, kernels by issued per ready (IPR)", why_ranks},
	{"ranks-fair-stp", "Fig. 5.11", GAIN_PERCENT, "40.8", STP("all", "fair"), "STP more than alone, kernels by quota (Fair)", why_ranks},
	{"ranks-ws", "Fig. 5.11", TIMES, NULL, OF(mean_over, "coulomb+hotspot", "ws", NULL, "slowdown-first"), "slowdown of coulomb beside hotspot, Warped-Slicer"},
	{"ranks-ws-lrr", "Fig. 5.11", TIMES, NULL, OF(mean_over, "coulomb+hotspot", "ws rank=urgent,kernel-lrr", NULL, "slowdown-first"), "slowdown of coulomb beside hotspot, Warped-Slicer, kernels in turn"},
	{"ranks-ws-32", "Fig. 5.11", TIMES, NULL, OF(mean_over, "coulomb+hotspot", "ws sm.collectors=32", NULL, "slowdown-first"), "slowdown of coulomb beside hotspot, Warped-Slicer, 32 collector units"},
	{"ranks-ws-lrr-32", "Fig. 5.11", TIMES, NULL, OF(mean_over, "coulomb+hotspot", "ws rank=urgent,kernel-lrr sm.collectors=32", NULL, "slowdown-first"), "slowdown of coulomb beside hotspot, Warped-Slicer, kernels in turn, 32 units"},
	{"ranks-rr", "Sec. 5.3.5", GAIN_PERCENT, "2.5", OF(beyond_over, "all", "rr", "none", "stp"), "STP more with warps in turn than with GTO, no rank", "Alone these loads have {ranks-rr-alone} with warps in turn."},
	{"ranks-rr-alone", "Sec. 5.3.5", GAIN_PERCENT, NULL, GAIN_G("loads", ALONE " order=lrr", ALONE), "speed of loads alone with warps in turn over GTO"},
	{"decisions-apart", "Fig. 5.12", PART_PERCENT, "13.0", DECIDED("all", "apart"), "of the decisions, for SMs apart", why_decided},
	{"decisions-apart-rest", "Fig. 5.12", PART_PERCENT, NULL, DECIDED("all -mriq+sad -lbm+similarity", "apart"), "of the decisions, for SMs apart, without two pairs"},
	{"decisions-even", "Fig. 5.12", PART_PERCENT, "32.2", DECIDED("all", "even"), "of the decisions, for equal parts of SMs", why_decided},
	{"decisions-other", "Fig. 5.12", PART_PERCENT, "54.8", DECIDED("all", "other"), "of the decisions, for other parts of SMs", why_decided},
	{"decisions-near", "Sec. 5.5.3", PART_PERCENT, "29.4", OF(sums_over, "all", "maestro", NULL, "near", "other"), "of these, one CTA more or less than equal", "Of nine of these eleven loads 8 CTAs or fewer fit an SM, so that one CTA is at least an eighth of it. Where sharing is best it is near the half."},
	DECIDED_CLASSED("1", "COM-COM", "COM/COM"),
	DECIDED_CLASSED("2", "COM-MEM", "COM/MEM"),
	DECIDED_CLASSED("3", "MEM-MEM", "MEM/MEM"),
	{"epochs-cost", "Fig. 5.12", GAIN_PERCENT, "0.8", OF(beyond_less, "all", "maestro", "free", "stp"), "STP less than if moves were free", "The two begin alike and soon decide differently, which moves each pair by some percent to either side."},
	{"epochs-moving", "Fig. 5.12", PART_PERCENT, NULL, OF(percent_over, "all", "maestro", NULL, "moving", "cycles"), "of the time, CTAs move between SMs", "The thesis draws bars without numbers. Each epoch of 10,000 cycles starts when all leaving CTAs have left; those that may not be flushed drain."},
};
/* clang-format on */

const struct paper paper_maestro = {
	.name = "maestro",
	.mechanism = "GPU Maestro",
	.title = "Park, University of Michigan, 2016, chapter V",
	.groups = "classes maestro ranks decisions epochs",
	.folder = SHARED,
	.each = "pair",
	.loads = loads,
	.quick = {.loads = "dense+sparse dense sparse"},
	PAPER_TABLES(words, rows, files),
};
