/*
 * chimera.c - chapter IV of "Enabling Efficient Resource Utilization on Multitasking Throughput Processors" (Park,
 * University of Michigan, 2016): Chimera, on `chimera`, with a synthetic kernel for each of the 27 of its Table 4.2
 * (kernels.csv).
 *
 * What differs from the thesis: kernels that wait, described by the table's times, sizes and idempotent parts, stand
 * for the real ones, whose blocks vary in length; a benchmark is the mean of its kernels, each by itself.
 */
#include "reproduce.h"

#include <ctype.h>

#define MHZ 1400 /* cycles of a microsecond */

static struct kernel {
	char name[16];
	double drain; /* half of the mean time of a block, in us */
	double kb;    /* of a block's context, rounded down */
	u32 blocks;   /* of an SM */
	double out;   /* a switch: what the contexts of an SM's blocks take, in us */
	bool idempotent;
	double part; /* of a block's time before it overwrites what it has read, in percent */
} kernel[32];
static u32 kernels;

static void kernel_add(void *self, char **word, u32 n)
{
	struct kernel *k = &kernel[kernels];

	(void)self;
	if (n < 7 || !strcmp(word[0], "kernel"))
		return;
	snprintf(k->name, sizeof(k->name), "%s", word[0]);
	k->drain = strtod(word[1], NULL);
	k->kb = strtod(word[2], NULL);
	k->blocks = (u32)strtod(word[3], NULL);
	k->out = strtod(word[4], NULL);
	k->idempotent = !strcmp(word[5], "yes");
	k->part = strtod(word[6], NULL);
	kernels++;
}

static const struct kernel *kernel_of(const char *name)
{
	for (u32 i = 0; i < kernels; i++)
		if (!strcmp(kernel[i].name, name))
			return &kernel[i];
	fail("no kernel %s", name);
}

/* The benchmark that a kernel is of. */
static const char *benchmark_of(const char *name)
{
	static char benchmark[16];

	snprintf(benchmark, sizeof(benchmark), "%.*s", (int)strcspn(name, "."), name);
	return benchmark;
}

/* all: kernels; partners: benchmarks but LUD. */
static bool loads(const char *set, struct names *to)
{
	bool partners = !strcmp(set, "partners");

	if (!kernels)
		table_each("tests/reproduce/preempt/kernels.csv", kernel_add, NULL);
	if (!partners && strcmp(set, "all") != 0)
		return false;
	for (u32 i = 0; i < kernels; i++)
		if (!partners)
			names_add(to, kernel[i].name);
		else if (strcmp(benchmark_of(kernel[i].name), "LUD") != 0)
			names_add(to, benchmark_of(kernel[i].name));
	return true;
}

/* --- closed forms --- */

/* The chance that fewer than 15 of 30 SMs can be had, each with chance p. */
static double misses(double p)
{
	double sum = 0, term = pow(1 - p, 30);

	if (p >= 1)
		return 0;
	for (u32 i = 0; i < 15; i++) {
		sum += term;
		term *= (30.0 - i) / (i + 1) * p / (1 - p);
	}
	return 100 * sum;
}

/*
 * The chance that a task that asks for 15 of 30 SMs does not get them within a bound, in percent, by technique. Blocks
 * of an SM are in phase, and as far through their time as chance wills, SMs independent of each other; the 15 are the
 * best. An SM can be had within the bound b: by a switch if the contexts of its blocks take no longer; by a drain if no
 * more than b of the block's time T is left, with a chance of b / T; by a flush if the block is in its idempotent part;
 * strictly if the kernel is idempotent; by chimera if one of the first three does. A flush that waits for what may not
 * be flushed (waiting, strictly-waiting) also has an SM that a drain would have.
 */
static double closed_form(const struct kernel *k, const char *way, double bound)
{
	double drained = fmin(1, bound / (2 * k->drain)), flushed = k->part / 100;

	if (!strcmp(way, "switch"))
		return k->out > bound ? 100 : 0;
	if (!strcmp(way, "drain"))
		return misses(drained);
	if (!strcmp(way, "flush"))
		return misses(flushed);
	if (!strcmp(way, "strict"))
		return k->idempotent ? 0 : 100;
	if (!strcmp(way, "strictly-waiting"))
		return k->idempotent ? 0 : misses(drained);
	if (!strcmp(way, "chimera") && k->out <= bound)
		return 0;
	return misses(fmin(1, flushed + bound / (2 * k->drain)));
}

/* --- kernels made from the table --- */

/*
 * A synthetic kernel whose blocks take twice the drain time, of which as many fit an SM as in the thesis, with contexts
 * that take as long as there. An SM's share of bandwidth is 177.4 GB/s / 30. The context has the bytes that take the
 * thesis's time, rounded up to what shared memory is given out in; where that is more than the kB of the table allow
 * (by 0.05 us at most), or less, the nearest that they do. Shared memory is what keeps a further block out; the
 * registers have the rest.
 */
struct made {
	double time; /* of a block, in us */
	u32 cycles, steps, regs, bytes, block;
};

/*
 * Into how many steps a block of so many microseconds is divided. How much of it is left is known in whole
 * instructions, here steps. Of real blocks, which have thousands, that is exact; here steps are of 2 us (5 us where
 * blocks take over 200 us), at least 10 and at most 2000 of them, and of up to twice as many (eight times if none will
 * do) that number is taken by which a whole number of steps comes nearest to the bound, 0.1 us below it or more: a
 * drain that is seen to meet the bound then does.
 */
static u32 divide(double time, double bound)
{
	u32 from = (u32)fmin(2000, fmax(10, trunc(time / (time > 200 ? 5 : 2) + 0.5))), best = from;
	double nearest = time, below;

	for (u32 n = from; bound < time && (n <= 2 * from || (nearest == time && n <= 8 * from)); n++) {
		below = bound - trunc(bound * (n + 1) / time) * time / n;
		if (below >= 0.1 && below < nearest) {
			nearest = below;
			best = n;
		}
	}
	return best;
}

/* That number by which the idempotent part comes nearest to a whole number of steps. */
static u32 divide_part(double time, double bound, double percent)
{
	u32 from = divide(time, bound), best = from;
	double nearest = 1, apart;

	for (u32 n = from; n <= 3 * from; n++) {
		apart = trunc((n * percent + 99) / 100) / n - percent / 100;
		if (apart < nearest - 0.001) {
			nearest = apart;
			best = n;
		}
	}
	return best;
}

static struct made make(const struct kernel *k, double bound, bool exact)
{
	double bytes = trunc((k->out * 177408 / 30 / k->blocks + 127) / 128) * 128;
	double room = trunc(49152.0 / k->blocks / 128) * 128, time = 2 * k->drain, warps, regs;

	bytes = fmin(fmax(bytes, k->kb * 1024), k->kb * 1024 + 1024 - 128);
	warps = bytes - room > 31 * 1024 ? 2 : 1;
	regs = fmax(4, trunc((bytes - room + 256 * warps - 1) / (256 * warps)) * 2);
	return (struct made){
		.cycles = (u32)(time * MHZ + 0.5),
		.time = (u32)(time * MHZ + 0.5) / (double)MHZ,
		.steps = exact ? divide_part(time, bound, k->part) : divide(time, bound),
		.regs = (u32)regs,
		.bytes = (u32)bytes,
		.block = 32 * (u32)warps,
	};
}

static void synthetic_add(struct text *t, const char *name, const struct kernel *k, const struct made *m, bool stagger)
{
	text_add(t, "synthetic %s time %u steps %u stagger %s regs %u context %u idempotent %.0f\n", name, m->cycles,
		 m->steps, stagger ? "on" : "off", m->regs, m->bytes, k->part);
}

/* The lines of an output that are a whole number alone; how many. */
static u32 numbers_of(const char *text, double *to, u32 most)
{
	u32 n = 0;

	for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1) {
		size_t digits = strspn(line, "0123456789");

		if (digits && line[digits] == '\n' && n < most)
			to[n++] = strtod(line, NULL);
	}
	return n;
}

static const char *run_of(const char *kind, const char *name, const char *way, double bound, struct text *commands)
{
	char *label = xasprintf("%s %s %s %g", kind, name, way, bound);
	const struct run *r = run_asked(label, commands->s);

	free(label);
	text_free(commands);
	return r ? r->printed : NULL;
}

#define MACHINE "gpu chimera\nset l1i.perfect on\nset engine.threads 1\nset chimera.switch time\n"

/* --- a kernel beside a task --- */

/* What comes of requests; requests are NAN where it is not known yet. */
struct outcome {
	double requests, missed, late; /* late: SMs */
	double insts; /* that count: not those of blocks that were flushed, nor those void because a deadline was missed
		       */
	double drains, flushes, saves;
};

/*
 * A kernel beside a task that asks for 15 of 30 SMs for 200 us, and is killed if it has not ended `bound` us later.
 *   fresh     the kernel begins anew before each request, on every SM as far through its blocks as chance wills:
 *             requests are independent
 *   periodic  a request every millisecond while the kernel goes on; way none: no task
 * strict is a flush of idempotent kernels alone. Ten requests; fresh a third of that where blocks take over 5 ms,
 * periodic ten times as many where they take over 2 ms.
 */
static struct outcome beside(const char *kind, const char *name, const char *way, double bound)
{
	static const char counts[] =
		"print kernel.0.inst.warp\nprint kernel.0.wasted\nprint deadline.requests\nprint "
		"deadline.missed\nprint deadline.late\nprint deadline.void\nprint preempt.drains\nprint cta.flushed\nprint "
		"cta.saved\n";
	const struct kernel *k = kernel_of(name);
	bool exact = bound < 1, fresh = *kind == 'f', strict = !strcmp(way, "strict"), none = !strcmp(way, "none");
	struct made m = make(k, bound, exact);
	double many = quick ? (fresh ? 2 : 1) : 10, from = m.time * 2 + 500, every = 1e6 / 1000, n[18];
	struct text t = {0};
	const char *text;

	many = fresh ? (k->drain > 2500 ? trunc((many + 2) / 3) : many) : (k->drain > 1000 ? 10 * many : many);
	text_add(&t, MACHINE);
	synthetic_add(&t, "victim", k, &m, true);
	if (fresh) {
		double waves = trunc((m.time * 1.05 + 250) / m.time) + 2;

		from = m.time * 1.05 + 30;
		every = waves * m.time + 400;
		for (u32 i = 0; i < many; i++)
			text_add(&t, "launch victim grid %.0f block %u at %.0f\n", 30 * k->blocks * waves, m.block,
				 i * nearbyint(MHZ * every));
	} else {
		text_add(&t, "launch victim grid 100000000 block %u\n", m.block);
	}
	from = nearbyint(MHZ * from);
	every = nearbyint(MHZ * every);
	/* Where nothing waits blocks of an SM must be as far to a percent, and their idempotent parts exact: then a
	 * warp issues in every cycle. */
	text_add(&t, "%sset preempt.ctas 240\nset chimera.bound %.0f\nset chimera.idempotence %s\n",
		 exact ? "set issue.interval 1\n" : "", nearbyint(MHZ * bound), strict ? "strict" : "relaxed");
	if (!none)
		text_add(&t,
			 "policy partition=even preempt=%s\nsynthetic task time 279996 steps 1 regs 4\nlaunch task "
			 "grid 15 block 32 stream 1 at %.0f every %.0f sms 15 deadline %.0f\n",
			 strict ? "flush" : way, from, every, nearbyint(MHZ * (200 + bound)));
	if (fresh)
		text_add(&t, "restart\nrun\n%s", counts);
	else
		text_add(&t, "restart\ngoto %.0f\n%sgoto %.0f\n%s", from, counts, from + many * every, counts);
	text = run_of(kind, name, way, bound, &t);
	if (!text)
		return (struct outcome){.requests = NAN, .insts = NAN};
	if (numbers_of(text, n, 18) != (fresh ? 9 : 18))
		fail("%s %s %s: unexpected numbers in the output", kind, name, way);
	if (fresh)
		return (struct outcome){n[2], n[3], n[4], 0, n[6], n[7], n[8]};
	return (struct outcome){n[11],	      n[12],	    n[13],	 (n[9] - n[0]) - (n[10] - n[1]) - n[14],
				n[15] - n[6], n[16] - n[7], n[17] - n[8]};
}

/* Of a kernel under a way and a bound (number), in percent; names: requests missed, throughput lost to the task, blocks
 * that drain, that are saved, the closed form of misses, throughput lost to a switch by the table. */
static double percent_of(const char *name, const struct ours *o)
{
	const struct kernel *k = kernel_of(name);
	bool lost = !strcmp(o->names, "lost");
	struct outcome r;
	double all;

	if (!strcmp(o->names, "closed"))
		return closed_form(k, o->config, o->number);
	if (!strcmp(o->names, "switch"))
		return 100 * fmin(1, k->out / k->drain);
	r = beside(lost ? "periodic" : "fresh", name, o->config, o->number);
	if (lost)
		return 100 * (1 - r.insts / beside("periodic", name, "none", o->number).insts);
	if (!strcmp(o->names, "missed"))
		return 100 * r.missed / r.requests;
	all = r.drains + r.flushes + r.saves + 0 * r.requests;
	return all == 0 ? 0 : 100 * (*o->names == 'd' ? r.drains : r.saves) / all;
}

/* The mean over benchmarks (over: one alone) of the means over their kernels; no loads: all of the table, never quick.
 */
static double percent(const struct ours *o)
{
	struct names in = o->loads ? loads_of(o->loads) : loads_of_whole("all");
	double total = 0, benchmarks = 0;

	for (u32 i = 0, next; i < in.n; i = next) {
		char benchmark[16];
		double sum = 0;

		snprintf(benchmark, sizeof(benchmark), "%s", benchmark_of(in.name[i]));
		next = i;
		while (next < in.n && !strcmp(benchmark, benchmark_of(in.name[next])))
			next++;
		if (o->over && strcmp(o->over, benchmark) != 0)
			continue;
		for (u32 k = i; k < next; k++)
			sum += percent_of(in.name[k], o);
		total += sum / (next - i);
		benchmarks++;
	}
	return total / benchmarks;
}

static double flush_lost(const struct ours *o)
{
	(void)o;
	return 100 * (1 - log(2));
}

/* --- the table, measured --- */

struct measured {
	double drain, out, blocks, part;
};

/* A kernel alone for four waves, and asked for 15 SMs by a switch: half of the mean time of a block, the time from the
 * request until the task that asks has its first SM, blocks of an SM, and what of a block's instructions comes before
 * the first that trips. */
static struct measured measure(const char *name)
{
	const struct kernel *k = kernel_of(name);
	struct made m = make(k, 15, false);
	struct text both = {0}, t = {0}, asked = {0};
	double from = nearbyint(1.6 * 2 * k->drain * MHZ), insts = 0, first = 0, blocks = 0, n[2], started;
	const char *text, *switched;
	bool trips = false;

	text_add(&both, MACHINE "set preempt.ctas 240\n");
	synthetic_add(&both, "victim", k, &m, false);
	text_add(&both, "launch victim grid 960 block %u\n", m.block);
	text_add(&t, "%srestart\nrun\nprint kernel.0.ended.cycles\nprint kernel.0.ended\ninfo kernel victim\n", both.s);
	text_add(&asked,
		 "%spolicy partition=even preempt=switch\nsynthetic task time 1000 steps 1 regs 4\nlaunch task grid 15 "
		 "block 32 stream 1 at %.0f every 1s sms 15\nrestart\ngoto %.0f\nprint launch[1].started_at\n",
		 both.s, from, from + 60000);
	text_free(&both);
	text = run_of("alone", name, "-", 0, &t);
	switched = run_of("asked", name, "switch", 0, &asked);
	if (!text || !switched)
		return (struct measured){NAN, NAN, NAN, NAN};
	if (numbers_of(text, n, 2) != 2 || numbers_of(switched, &started, 1) != 1)
		fail("%s: unexpected numbers in the output", name);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		const char *declared = strstr(line, "declared:"), *word = line + strspn(line, " ");
		double x;

		if (!strncmp(line, "occupancy", 9) && sscanf(line, "occupancy: %lf", &x) == 1)
			blocks = x;
		if (!strncmp(line, "victim", 6) && sscanf(line, "victim: %lf instruction", &x) == 1)
			insts = x;
		trips |= !strncmp(line, "not idempotent", 14);
		if (isdigit(*word) && declared && declared < line + strcspn(line, "\n"))
			first = strtod(word, NULL);
	}
	return (struct measured){n[0] / n[1] / 2 / MHZ, (started - from) / MHZ, blocks,
				 trips ? 100 * first / (insts - 1) : 100};
}

/* Over the kernels; names: drain, out: the mean (number 0), the least (-1) or the most (1) of it; apart: the most that
 * a switch is above the thesis's; blocks: kernels of which another number of blocks fits an SM. */
static double table(const struct ours *o)
{
	double sum = 0, n = 0, least = 0, most = 0, other = 0;

	EACH_LOAD (name, o->loads) {
		struct measured m = measure(name);
		double x = *o->names == 'd' ? m.drain : *o->names == 'o' ? m.out : m.out - kernel_of(name)->out;

		other += (m.blocks != kernel_of(name)->blocks) + 0 * m.blocks;
		least = !(n > 0) || x < least ? x : least;
		most = !(n > 0) || x > most ? x : most;
		sum += x;
		n++;
	}
	return isnan(sum) ? NAN : *o->names == 'b' ? other : o->number < 0 ? least : o->number > 0 ? most : sum / n;
}

/* The same of the thesis's own numbers: the mean of drains, the least of them, how many kernels are idempotent. */
static double own(const struct ours *o)
{
	double sum = 0, least = 1e9, n = 0;
	struct names all = loads_of_whole("all");

	for (u32 i = 0; i < all.n; i++) {
		sum += kernel[i].drain;
		least = fmin(least, kernel[i].drain);
		n += kernel[i].idempotent;
	}
	return *o->names == 'i' ? n : o->number < 0 ? least : sum / all.n;
}

/* --- pairs --- */

/*
 * LUD, of side x 16 cells a side in blocks of 16, beside another benchmark, each a stream of synthetic kernels that
 * begins again until the other has ended once. The other's kernels follow each other, each with as many blocks as take
 * `us` on all SMs, or one wave: the thesis does not say how many they are. False: not known yet.
 */
static bool pair(const char *partner, const char *way, u32 side, double us, double *antt, double *stp)
{
	struct text t = {0}, launches = {0};
	const char *text, *line;
	u32 first = 1;

	text_add(&t, MACHINE);
	for (u32 i = 0; i < kernels; i++) {
		struct made m = make(&kernel[i], 30, false);
		const char *number = strchr(kernel[i].name, '.') + 1;
		bool lud = !strcmp(benchmark_of(kernel[i].name), "LUD");
		char name[16];

		if (!lud && strcmp(benchmark_of(kernel[i].name), partner) != 0)
			continue;
		snprintf(name, sizeof(name), "%s_%s", lud ? "lud" : "other", number);
		synthetic_add(&t, name, &kernel[i], &m, false);
		if (lud)
			continue;
		text_add(&launches, "launch %s grid %.0f block %u%s\n", name,
			 30 * kernel[i].blocks * fmax(1, trunc(us / m.time + 0.5)), m.block, first ? " restart" : "");
		first = 0;
	}
	text_add(&t, "%s", launches.s);
	text_free(&launches);
	for (u32 i = side - 1; i; i--)
		text_add(
			&t,
			"launch lud_0 grid 1 block 32 stream 1%s\nlaunch lud_1 grid %u block 32 stream 1\nlaunch lud_2 "
			"grid %u,%u block 32 stream 1\n",
			i == side - 1 ? " restart" : "", i, i, i);
	text_add(&t,
		 "launch lud_0 grid 1 block 32 stream 1\nset preempt.ctas 480\nset chimera.bound 42000\npolicy "
		 "partition=%s%s\nrestart\nrun\nalone streams\n",
		 strcmp(way, "fcfs") ? "smart preempt=" : "", way);
	text = run_of("pair", partner, way, us, &t);
	line = text ? strstr(text, "\nANTT ") : NULL;
	if (text && (!line || sscanf(line, "\nANTT %lf STP %lf", antt, stp) != 2))
		fail("LUD beside %s: no ANTT", partner);
	return text;
}

/* By how many times ANTT is less than that of fcfs (names: antt), by how much STP is more, the mean over partners;
 * number: the side of LUD's matrix, or where it is above 100 the time of the other's kernels in us. */
static double pairs(const struct ours *o)
{
	bool sided = o->number > 0 && o->number < 100;
	u32 side = (sided ? (u32)o->number : 32) / (quick ? 4 : 1);
	double us = (o->number > 100 ? o->number : 2000) / (quick ? 40 : 1), sum = 0, n = 0;

	EACH_LOAD (partner, o->loads) {
		double antt[2], stp[2];
		bool one = pair(partner, "fcfs", side, us, &antt[0], &stp[0]);
		bool known = pair(partner, o->config, side, us, &antt[1], &stp[1]) && one;

		sum += !known ? NAN : *o->names == 'a' ? antt[0] / antt[1] : 100 * (stp[1] / stp[0] - 1);
		n++;
	}
	return sum / n;
}

/* --- files --- */

static const char *const ways[] = {"switch", "drain", "flush", "chimera"};

static void kernels_write(FILE *f)
{
	fprintf(f, "kernel,drain_us,drain_measured,switch_us,switch_measured,blocks,blocks_measured,idempotent_pct,"
		   "idempotent_measured\n");
	EACH_LOAD (name, "all") {
		const struct kernel *k = kernel_of(name);
		struct measured m = measure(name);

		fprintf(f, "%s,%.1f,%.2f,%.1f,%.2f,%u,%.0f,%.0f,%.1f\n", name, k->drain, m.drain, k->out, m.out,
			k->blocks, m.blocks, k->part, m.part);
	}
}

/* By kernel and way, at 15 us: missed requests and SMs late, throughput lost. */
static void ways_write(FILE *f)
{
	fprintf(f, "kernel,way,closed,simulated,requests,late,lost,drained,flushed,saved\n");
	EACH_LOAD (name, "all") {
		for (u32 i = 0; i < ARRAY_LEN(ways); i++) {
			struct outcome fresh = beside("fresh", name, ways[i], 15);
			struct outcome r = beside("periodic", name, ways[i], 15);
			struct ours lost = {.config = ways[i], .names = "lost", .number = 15};

			fprintf(f, "%s,%s,%.2f,%.2f,%.0f,%.0f,%.2f,%.0f,%.0f,%.0f\n", name, ways[i],
				closed_form(kernel_of(name), *ways[i] == 'f' ? "waiting" : ways[i], 15),
				100 * fresh.missed / fresh.requests, fresh.requests, fresh.late,
				percent_of(name, &lost), r.drains, r.flushes, r.saves);
		}
	}
}

/* The same by benchmark. */
static void benchmarks_write(FILE *f)
{
	static const char *const what[] = {"missed", "lost"};
	struct names all = loads_of("all"), benchmarks = {0};

	fprintf(f, "benchmark,switch,drain,flush,chimera,lost-switch,lost-drain,lost-flush,lost-chimera\n");
	for (u32 i = 0; i < all.n; i++)
		names_add(&benchmarks, benchmark_of(all.name[i]));
	for (u32 i = 0; i < benchmarks.n; i++) {
		fprintf(f, "%s", benchmarks.name[i]);
		for (u32 w = 0; w < 2 * ARRAY_LEN(ways); w++)
			fprintf(f, ",%.2f",
				percent(&(struct ours){.loads = "all",
						       .config = ways[w % ARRAY_LEN(ways)],
						       .over = benchmarks.name[i],
						       .names = what[w / ARRAY_LEN(ways)],
						       .number = 15}));
		fprintf(f, "\n");
	}
}

static void pairs_write(FILE *f)
{
	fprintf(f, "partner,way,antt-less,stp-more\n");
	EACH_LOAD (partner, "partners")
		for (u32 w = 0; w < ARRAY_LEN(ways); w++)
			fprintf(f, "%s,%s,%.3f,%.2f\n", partner, ways[w],
				pairs(&(struct ours){.loads = partner, .config = ways[w], .names = "antt"}),
				pairs(&(struct ours){.loads = partner, .config = ways[w], .names = "stp"}));
}

static const struct file files[] = {
	{"table", "chimera-kernels.csv", kernels_write},
	{"chimera", "chimera-ways.csv", ways_write},
	{"chimera", "chimera-benchmarks.csv", benchmarks_write},
	{"pairs", "chimera-pairs.csv", pairs_write},
};

/* clang-format off */

/* Reasons of several rows. */
static const char why_speaks[] = "The thesis says so in the text of Figure 4.1. The mean of its own Table 4.2 is {table-own-drain} and the least {table-own-least}, which the kernels made from it take.";
static const char why_few[] = "So few are missed ({chimera-closed-chimera-5} and {chimera-closed-chimera-10} by the closed forms of 5 and 10 us) that ten requests of each kernel need not meet one. The thesis's are drains that took longer than they were estimated to, and blocks here take what they are estimated to.";
static const char why_same_sms[] = "Where blocks take over 2 ms, as in LC and MUM, each request takes the SMs whose blocks have run least, which are those of the last request. Half of the SMs then complete nothing but the task. Without these two benchmarks flush loses {chimera-lost-flush-rest} and chimera {chimera-lost-rest} at 15 us. The thesis runs a billion instructions of each benchmark, of which a block of 20 ms is a good part.";
static const char why_drains[] = "A drain costs nothing where the blocks of an SM are in phase, and so it is taken wherever it meets the bound: in kernels whose blocks take no longer than that, all do. In the thesis blocks end apart, and a flush is often the cheaper.";
static const char why_saves[] = "The thesis draws it. As there, it falls to nothing as the bound does.";
static const char why_antt[] = "Under fcfs LUD waits until the other's kernel has ended. The factor is proportional to the length of these kernels, which the thesis does not give: beside BP it is {pairs-antt-bp} under chimera with kernels of 2 ms, {pairs-antt-short} with 1 ms. LC and MUM have blocks of up to 20 ms. Without them the means are switch {pairs-antt-rest-switch}, drain {pairs-antt-rest-drain}, flush {pairs-antt-rest-flush}, chimera {pairs-antt-rest-chimera}.";
static const char why_stp[] = "Kernels that wait use no caches and no DRAM, so that two side by side slow each other by what room costs alone. The thesis does not give the size of LUD's matrix, which decides how many SMs LUD can use: with 256 x 256 chimera has {pairs-stp-small} beside BP instead of {pairs-stp-bp}. Beside BS, FWT, KM, LC and ST, whose blocks are long and may mostly be flushed, chimera has {pairs-stp-long-chimera} and flush {pairs-stp-long-flush}, beside the others {pairs-stp-rest-chimera} and {pairs-stp-rest-flush}. Chimera weighs lost work alone as long as the bound of 30 us is met. LUD, 94 kernels of some 50 us, thus waits for drains, and beside CP and MUM for switches of 10 and 19 us.";

#define PERCENT(what, loads, way, bound) {percent, loads, way, NULL, what, NULL, bound}
#define MISSED(way, bound) PERCENT("missed", "all", way, bound)
#define CLOSED(way, bound) PERCENT("closed", NULL, way, bound)
#define LOST(loads, way, bound) PERCENT("lost", loads, way, bound)
#define PART(what, bound) PERCENT(what, "all", "chimera", bound)
#define PAIRS(what, loads, way, number) {pairs, loads, way, NULL, what, NULL, number}
#define TABLE(what, which) {table, "all", NULL, NULL, what, NULL, which}
#define OWN(what, which) {own, NULL, NULL, NULL, what, NULL, which}
#define REST "all -LC.0 -LC.1 -LC.2 -MUM.0 -MUM.1"
#define LONG "BS FWT KM LC ST"

#define BOUND(n, bound_paper, lost_paper) \
	{"chimera-bound-" #n, "Fig. 4.7a", PART_PERCENT, bound_paper, MISSED("chimera", n), "deadlines missed by chimera, " #n " us", why_few, .whole = n != 15}, \
	{"chimera-lost-" #n, "Fig. 4.7b", PART_PERCENT, lost_paper, LOST("all", "chimera", n), "throughput lost with chimera, " #n " us", why_same_sms, .whole = n != 15}, \
	{"chimera-drains-" #n, "Fig. 4.7c", PART_PERCENT, "19", PART("drains", n), "of the blocks, drained by chimera, " #n " us", why_drains, .whole = n != 15}, \
	{"chimera-saves-" #n, "Fig. 4.7c", PART_PERCENT, NULL, PART("saves", n), "of the blocks, switched by chimera, " #n " us", why_saves, .whole = n != 15}, \
	{"chimera-closed-switch-" #n, "closed", PART_PERCENT, NULL, CLOSED("switch", n), "missed by switch, " #n " us, closed form"}, \
	{"chimera-closed-drain-" #n, "closed", PART_PERCENT, NULL, CLOSED("drain", n), "missed by drain, " #n " us, closed form"}, \
	{"chimera-closed-chimera-" #n, "closed", PART_PERCENT, NULL, CLOSED("chimera", n), "missed by chimera, " #n " us, closed form"}
#define SIMULATED(n) \
	{"chimera-switch-" #n, "closed", PART_PERCENT, NULL, MISSED("switch", n), "missed by switch, " #n " us, simulation", .whole = true}, \
	{"chimera-drain-" #n, "closed", PART_PERCENT, NULL, MISSED("drain", n), "missed by drain, " #n " us, simulation", .whole = true}
#define PAIRED(way, antt, stp) \
	{"pairs-antt-" way, "Fig. 4.9", TIMES, antt, PAIRS("antt", "partners", way, 0), "ANTT of fcfs over that of " way ", LUD beside others", why_antt}, \
	{"pairs-antt-rest-" way, "Fig. 4.9", TIMES, NULL, PAIRS("antt", "partners -LC -MUM", way, 0), "ANTT of fcfs over that of " way ", without LC and MUM"}, \
	{"pairs-stp-" way, "Fig. 4.10", GAIN_PERCENT, stp, PAIRS("stp", "partners", way, 0), "STP more with " way, why_stp}

static const struct row rows[] = {
	{"table-idempotent", "Tab. 4.2", COUNT, "12", OWN("idempotent", 0), "idempotent kernels of 27", "The thesis says 12 in its text and has {table-idempotent} in its Table 4.2."},
	{"table-drain", "Fig. 4.1", MICROSECONDS, "830.4", TABLE("drain", 0), "mean time to drain an SM, measured", why_speaks},
	{"table-drain-least", "Fig. 4.1", MICROSECONDS, "0.8", TABLE("drain", -1), "least time to drain an SM", why_speaks},
	{"table-drain-most", "Fig. 4.1", MICROSECONDS, "10212.8", TABLE("drain", 1), "most time to drain an SM"},
	{"table-own-drain", "Tab. 4.2", MICROSECONDS, NULL, OWN("drain", 0), "mean time to drain an SM, of the thesis's table"},
	{"table-own-least", "Tab. 4.2", MICROSECONDS, NULL, OWN("drain", -1), "least time to drain an SM, of the thesis's table"},
	{"table-switch", "Fig. 4.1", MICROSECONDS, "14.5", TABLE("out", 0), "mean time to switch an SM, measured"},
	{"table-switch-apart", "Tab. 4.2", MICROSECONDS, "<0.4", TABLE("apart", 1), "switching time, the most above the thesis's"},
	{"table-blocks", "Tab. 4.2", COUNT, "0", TABLE("blocks", 0), "kernels of which another number of blocks fits an SM"},
	{"table-switch-lost", "Fig. 4.2", PART_PERCENT, "47.7", PERCENT("switch", NULL, NULL, 0), "throughput lost by a switch: twice its time over a block's"},
	{"table-flush-lost", "Fig. 4.2", PART_PERCENT, "30.7", OF(flush_lost, NULL), "throughput lost by a flush: 1 - ln 2"},
	BOUND(5, "2.00", "16.5"),
	SIMULATED(5),
	BOUND(10, "1.08", "12.2"),
	SIMULATED(10),
	BOUND(15, "0.24", "10.0"),
	{"chimera-switch-15", "Fig. 4.5", PART_PERCENT, "56.0", MISSED("switch", 15), "deadlines missed by switch, 15 us", "The closed form: {chimera-closed-switch-15} of the thesis's own switching times are above 15 us."},
	{"chimera-drain-15", "Fig. 4.5", PART_PERCENT, "61.3", MISSED("drain", 15), "deadlines missed by drain, 15 us"},
	{"chimera-strict-15", "Fig. 4.8", PART_PERCENT, "50.0", MISSED("strict", 15), "deadlines missed by flush of idempotent kernels, others drain", "Half of the benchmarks are idempotent: with what drains in 15 us the closed form is {chimera-closed-strict-15}, without it {chimera-closed-strict}."},
	BOUND(20, "0.00", "9.0"),
	SIMULATED(20),
	{"chimera-flush-15", "Fig. 4.5", PART_PERCENT, "7.3", MISSED("flush", 15), "deadlines missed by flush, which waits where it may not, 15 us", "A block that may not be flushed runs to its end instead. Where the idempotent part is short the whole block is short, 4 to 7 us, so that its SM is free in time. The line of 0.2 us counts SMs that are free at once, as the thesis seems to have done."},
	{"chimera-flush-0.2", "Fig. 4.5", PART_PERCENT, "7.3", MISSED("flush", 0.2), "deadlines missed by flush, 0.2 us: at once or not", "The closed form of a flush without waiting is {chimera-closed-flush}, of one that also has what drains in 0.2 us {chimera-closed-flush-0.2}; ten requests of each kernel say it to a point or two."},
	{"chimera-closed-flush", "closed", PART_PERCENT, NULL, CLOSED("flush", 15), "missed by flush without waiting, closed form"},
	{"chimera-closed-flush-0.2", "closed", PART_PERCENT, NULL, CLOSED("waiting", 0.2), "missed by flush that may wait, 0.2 us, closed form"},
	{"chimera-closed-flush-15", "closed", PART_PERCENT, NULL, CLOSED("waiting", 15), "missed by flush that may wait, 15 us, closed form"},
	{"chimera-closed-strict", "closed", PART_PERCENT, NULL, CLOSED("strict", 15), "missed by flush, strict, without waiting, closed form"},
	{"chimera-closed-strict-15", "closed", PART_PERCENT, NULL, CLOSED("strictly-waiting", 15), "missed by flush, strict, that may wait, 15 us, closed form"},
	{"chimera-lost-switch", "Fig. 4.6", PART_PERCENT, "12.2", LOST("all", "switch", 15), "throughput lost with switch", why_same_sms},
	{"chimera-lost-drain", "Fig. 4.6", PART_PERCENT, "8.9", LOST("all", "drain", 15), "throughput lost with drain", why_same_sms},
	{"chimera-lost-flush", "Fig. 4.6", PART_PERCENT, "19.3", LOST("all", "flush", 15), "throughput lost with flush", why_same_sms},
	{"chimera-lost-flush-rest", "Fig. 4.6", PART_PERCENT, NULL, LOST(REST, "flush", 15), "throughput lost with flush, without LC and MUM"},
	{"chimera-lost-rest", "Fig. 4.6", PART_PERCENT, NULL, LOST(REST, "chimera", 15), "throughput lost with chimera, 15 us, without LC and MUM"},
	PAIRED("switch", "20.9", "16.5"),
	PAIRED("drain", "19.3", "36.6"),
	PAIRED("flush", "23.6", "31.4"),
	PAIRED("chimera", "25.4", "41.7"),
	{"pairs-antt-bp", "Fig. 4.9", TIMES, NULL, PAIRS("antt", "BP", "chimera", 0), "ANTT of fcfs over that of chimera, LUD beside BP"},
	{"pairs-antt-short", "Fig. 4.9", TIMES, NULL, PAIRS("antt", "BP", "chimera", 1000), "ANTT of fcfs over that of chimera, LUD beside BP with kernels of 1 ms", .whole = true},
	{"pairs-stp-bp", "Fig. 4.10", GAIN_PERCENT, NULL, PAIRS("stp", "BP", "chimera", 0), "STP more with chimera, LUD beside BP"},
	{"pairs-stp-small", "Fig. 4.10", GAIN_PERCENT, NULL, PAIRS("stp", "BP", "chimera", 16), "STP more with chimera, LUD of 256 x 256 beside BP", .whole = true},
	{"pairs-stp-long-flush", "Fig. 4.10", GAIN_PERCENT, NULL, PAIRS("stp", LONG, "flush", 0), "STP more with flush, LUD beside BS, FWT, KM, LC, ST"},
	{"pairs-stp-long-chimera", "Fig. 4.10", GAIN_PERCENT, NULL, PAIRS("stp", LONG, "chimera", 0), "STP more with chimera, LUD beside BS, FWT, KM, LC, ST"},
	{"pairs-stp-rest-flush", "Fig. 4.10", GAIN_PERCENT, NULL, PAIRS("stp", "partners -BS -FWT -KM -LC -ST", "flush", 0), "STP more with flush, LUD beside the other eight"},
	{"pairs-stp-rest-chimera", "Fig. 4.10", GAIN_PERCENT, NULL, PAIRS("stp", "partners -BS -FWT -KM -LC -ST", "chimera", 0), "STP more with chimera, LUD beside the other eight"},
};
/* clang-format on */

const struct paper paper_chimera = {
	.name = "chimera",
	.mechanism = "Chimera",
	.title = "Park, University of Michigan, 2016, chapter IV",
	.groups = "table chimera pairs",
	.loads = loads,
	.row = rows,
	.rows = ARRAY_LEN(rows),
	.file = files,
	.files = ARRAY_LEN(files),
	.quick = {.loads = "BT.0 FWT.1 BS.0 KM.1 BP"},
};
