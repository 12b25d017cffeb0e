/*
 * vt.c - "Virtual Thread: Maximizing Thread-Level Parallelism beyond GPU Scheduling Limit" (Yoon, Kim, Lee, Ro,
 * Annavaram, ISCA 2016), on `fermi`.
 *
 * What differs from the paper: 15 of its 18 scheduling-limited applications are here, as kernels of ours of the same
 * kind (pathfinder takes too many registers to be one); they run to their end once, on inputs that take some 100,000
 * cycles; the paper's run for up to a billion instructions.
 */
#include "reproduce.h"

#define TLP "tests/reproduce/tlp"
#define TABLE TLP "/loads.txt"

static const struct word words[] = {
	{"base", ""},
	{"car", "set lsu.reexec car; set lsu.reexec_entries 60"},
	{"mascar", "set lsu.reexec car; set lsu.reexec_entries 60; policy hold=mascar"},
	{"unlimited", "set sm.unlimited on"},
	{"vt", "policy vt"},
	{"fast", "set dram.clock 1848"},
	{"gpu", "gpu %s"},
	/* arithmetic in about half of the cycles */
	{"quick",
	 "set lat.int 8; set lat.imul 8; set lat.fp32 8; set lat.const 8; set lat.fp64 9; set lat.sfu 12; set shared.latency 12"},
};

/* A load is of Type S if one of its kernels is; of those only the loads that stand for one of the paper. S and C are
 * the types on fermi, kepler-S is the type on kepler. */
static void add_load(void *self, char **word, u32 n)
{
	if (n > 2 && strcmp(word[2], "-") != 0)
		names_add(self, word[0]);
}

static bool loads(const char *set, struct names *to)
{
	struct names all = {0}, s = {0}, named = {0};

	if (strcmp(set, "all") && strcmp(set, "S") && strcmp(set, "C") && strcmp(set, "kepler-S"))
		return false;
	table_loads(TABLE, 0, "", &all);
	table_loads(TABLE, strcmp(set, "kepler-S") ? 4 : 5, "S", &s);
	table_each(TABLE, add_load, &named);
	for (u32 i = 0; i < all.n; i++)
		if (*set == 'a' || (*set == 'C' ? !names_have(&s, all.name[i])
						: names_have(&s, all.name[i]) && names_have(&named, all.name[i])))
			names_add(to, all.name[i]);
	return true;
}

/* What a kernel takes of an SM. */
struct limit {
	char kernel[64], type;
	double threads, registers, shared; /* in percent */
	double ctas, capacity;		   /* that are resident, that capacity allows */
};

/* The script that asks for the kernels of a load, which `self` grows. */
struct ask {
	const char *load;
	struct text script;
};

static void ask_kernel(void *self, char **word, u32 n)
{
	struct ask *a = self;

	if (n > 1 && !strcmp(word[0], a->load))
		text_add(&a->script, "info kernel %s\n", word[1]);
}

/* The kernels of a load on a machine; how many, 0 if that is not known yet. */
static u32 limits_of(const char *gpu, const char *load, struct limit l[8])
{
	struct ask a = {load, {0}};
	double size[4] = {0}, registers = 0, shared = 0;
	const char *text;
	char config[32];
	u32 n = 0, sizes = 0;

	snprintf(config, sizeof(config), "gpu:%s", gpu);
	text_add(&a.script, "print sm.registers\nprint sm.shared\nprint sm.threads\nprint sm.register_unit\n");
	table_each(TABLE, ask_kernel, &a);
	text = run_text(load, config, a.script.s);
	for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1) {
		double ctas, threads, warps, granted;
		char name[64], *end;

		if (strtod(line, &end) > 0 && *end == '\n' && sizes < 4)
			size[sizes++] = strtod(line, NULL);
		else if (sscanf(line, "%63[^:]: %*d instructions, %lf registers and %*d predicates per thread, %lf",
				name, &registers, &shared) == 3)
			snprintf(l[n].kernel, sizeof(l[n].kernel), "%s", name);
		if (sscanf(line, "occupancy: %lf CTAs of %lf threads", &ctas, &threads) == 2) {
			warps = ctas * ceil(threads / 32);
			granted = ceil(registers * 32 / size[3]) * size[3];
			l[n].threads = 3200 * warps / size[2];
			l[n].registers = 100 * warps * granted / size[0];
			l[n].shared = 100 * ctas * shared / size[1];
			l[n].ctas = l[n].capacity = ctas;
		}
		if (!strncmp(line, "Type ", 5)) {
			const char *allow = strstr(line, "capacity would allow ");

			l[n].type = line[5];
			if (allow && allow < line + strcspn(line, "\n"))
				l[n].capacity = strtod(allow + strlen("capacity would allow "), NULL);
			n++;
		}
	}
	text_free(&a.script);
	return n;
}

/* Mean over the loads of the means of their kernels (number: 1: the most of all) on the machine `config`; names: what
 * of a kernel. */
static double limit(const struct ours *o)
{
	double total = 0, top = 0;
	u32 loads = 0;

	EACH_LOAD (load, o->loads) {
		struct limit l[8] = {0};
		u32 n = limits_of(o->config, load, l);
		double sum = n ? 0 : NAN;

		for (u32 i = 0; i < n; i++) {
			double x = !strcmp(o->names, "registers") ? l[i].registers
				   : !strcmp(o->names, "shared")  ? l[i].shared
								  : 100 * (l[i].capacity / l[i].ctas - 1);

			sum += x;
			top = x > top ? x : top;
		}
		total += sum / n;
		loads++;
	}
	return o->number > 0 && total > 0 ? top : total / loads;
}

static double limit_unused(const struct ours *o)
{
	return 100 - limit(o);
}

/* Of the loads of Type C on fermi, those of Type S on kepler. */
static double turned(const struct ours *o)
{
	struct names s = loads_of("kepler-S"), c = loads_of(o->loads);
	u32 n = 0;

	for (u32 i = 0; i < c.n; i++)
		n += names_have(&s, c.name[i]);
	return 100.0 * n / c.n;
}

static void limits_write(FILE *f)
{
	static const char *const gpu[] = {"fermi", "kepler"};

	fprintf(f, "gpu,load,kernel,threads,registers,shared,type,ctas,capacity\n");
	for (u32 g = 0; g < ARRAY_LEN(gpu); g++) {
		EACH_LOAD (load, "S C") {
			struct limit l[8] = {0};
			u32 n = limits_of(gpu[g], load, l);

			for (u32 i = 0; i < n; i++)
				fprintf(f, "%s,%s,%s,%.1f,%.1f,%.1f,%c,%.0f,%.0f\n", gpu[g], load, l[i].kernel,
					l[i].threads, l[i].registers, l[i].shared, l[i].type, l[i].ctas, l[i].capacity);
		}
	}
}

#define SLOTS(under) \
	under "-issued|" under "|slots.issued;" under "-pipeline|" under "|slots.pipeline;" under "-long|" under \
	      "|slots.long;" under "-short|" under "|slots.short;" under "-fetch|" under "|slots.fetch;" under \
	      "-barrier|" under "|slots.barrier;" under "-held|" under "|slots.held;" under "-idle|" under \
	      "|slots.idle;" under "-total|" under "|slots.total;"
#define MEMORY(under) \
	under "-l1d.accesses|" under "|l1d.accesses;" under "-l1d.misses|" under "|l1d.misses;" under \
	      "-l1d.mshr_share|" under "|l1d.mshr_share;" under "-dram.share|" under "|dram.share;" under \
	      "-mem.latency|" under "|mem.latency;" under "-occupancy.registers|" under "|occupancy.registers;" under \
	      "-occupancy.shared|" under "|occupancy.shared;"

static const struct file files[] = {
	{"limits", "vt-limits.csv", limits_write, "S C"},
	{"vt", "vt-stalls.csv", NULL, "S", SLOTS("base") SLOTS("vt")},
	{"vt", "vt-memory.csv", NULL, "S", MEMORY("base") MEMORY("vt")},
	{"vt", "vt-cycles.csv", NULL, "S",
	 "base|base|cycle;car|car|cycle;mascar|mascar|cycle;max|unlimited mascar|cycle;more|unlimited car|cycle;gto|order=gto|cycle;two-level|order=two-level|cycle;vt-plain|cta=vt|cycle;vt|vt|cycle;vt-any|vt vt.stall=any|cycle;vt-gto|vt order=gto|cycle;vt-two-level|vt order=two-level|cycle;vt-free|vt vt.bandwidth=0|cycle;vt-256|vt vt.bandwidth=256|cycle;vt-1024|vt vt.bandwidth=1024|cycle;vt-x2|vt vt.context=2|cycle;vt-x4|vt vt.context=4|cycle;fast|fast|cycle;vt-fast|vt fast|cycle"},
};

/* clang-format off */

/* Reasons of several rows. */
static const char why_registers[] = "The paper's kernels came from a compiler of 2012. Ours take 12 to 28 registers a thread, as many as today's compiler or warpstep's allocation gives, and fft takes 38.";
static const char why_slots[] = "Arithmetic takes 16 cycles on this machine, a number that no source gives. With about 8, {vt-quick-short} of the slots are stalled on short latency and {vt-quick-pipeline} on pipelines, and vt gains {vt-quick-gain}.";
static const char why_gain[] = "These loads use {vt-dram-base} of DRAM's bandwidth before there are more threads, the paper's applications 21.7 %. With DRAM of twice the bandwidth, of which they use {vt-dram-fast}, vt gains more in some loads, in fdtd2d {vt-fast-fdtd2d} rather than {vt-gain-fdtd2d}. More threads can gain what max gains, {vt-max}, and vt gains {vt-gain}.";
static const char why_none[] = "The paper gives no number.";
static const char why_swaps[] = "Swaps at other moments change the order of the CTAs a little.";
static const char why_once[] = "Our loads run once over inputs that no cache has seen, and most loads are streams.";

#define PART(loads, config, names) SHARE(loads, config, names, "slots.total")
#define LIMIT(loads, gpu, what) OF(limit, loads, gpu, NULL, what)

static const struct row rows[] = {
	{"limits-fermi-s-registers", "Fig. 2", PART_PERCENT, "50.2", LIMIT("S", "fermi", "registers"), "registers taken, Type S, fermi", why_registers},
	{"limits-fermi-s-shared", "Fig. 2", PART_PERCENT, "15.4", LIMIT("S", "fermi", "shared"), "shared memory taken, Type S, fermi", "CTAs of ours hold less shared memory for as many threads, except those of fft."},
	{"limits-fermi-c-registers", "Fig. 2", PART_PERCENT, "91.9", LIMIT("C", "fermi", "registers"), "registers taken, Type C, fermi", why_registers},
	{"limits-fermi-c-shared", "Fig. 2", PART_PERCENT, "22.8", LIMIT("C", "fermi", "shared"), "shared memory taken, Type C, fermi", "Seven kernels stand for 17 applications. blackscholes, lbm and mriq use no shared memory; the paper's LavaMD is limited by it."},
	{"limits-kepler-registers", "Fig. 2", PART_PERCENT, "48.2", OF(limit_unused, "kepler-S", "kepler", NULL, "registers"), "registers unused, Type S, kepler", why_registers},
	{"limits-kepler-shared", "Fig. 2", PART_PERCENT, "81.6", OF(limit_unused, "kepler-S", "kepler", NULL, "shared"), "shared memory unused, Type S, kepler", "Tiles of ours are larger: the Fourier transform holds its 512 numbers in shared memory, the separable filter 96 x 4 and 48 x 16."},
	{"limits-turned", "Fig. 2", PART_PERCENT, "52.9", OF(turned, "C"), "of the loads of Type C on fermi, Type S on kepler", "These are three of seven. Of hotspot 8 CTAs fit the registers and 8 the slots, which counts as Type C."},
	{"limits-more-fermi", "Fig. 3", GAIN_PERCENT, "38.2", LIMIT("S", "fermi", "more"), "CTAs more that fit, Type S, fermi", "73 of the blocks of gaussian fit, which are half a warp, and 21 of nw's. Without these two the mean is {limits-more-fermi-rest}."},
	{"limits-more-fermi-rest", "Fig. 3", GAIN_PERCENT, NULL, LIMIT("S -gaussian -nw", "fermi", "more"), "CTAs more that fit, Type S without gaussian and nw, fermi"},
	{"limits-more-kepler", "Fig. 3", GAIN_PERCENT, "97.7", LIMIT("kepler-S", "kepler", "more"), "CTAs more that fit, Type S, kepler", "Half of these kernels have 12 or 16 registers, so that twice as many CTAs fit, the others 18 to 24, of which a quarter more do. gaussian, at {limits-most}, makes up for some of that."},
	{"limits-most", "Fig. 3", GAIN_PERCENT, "300", OF(limit, "kepler-S", "kepler", NULL, "more", .number = 1), "CTAs more that fit, at most, kepler", "128 of the blocks of gaussian fit, which are half a warp, where there are 16 slots. Without gaussian the most is {limits-most-rest}."},
	{"limits-most-rest", "Fig. 3", GAIN_PERCENT, NULL, OF(limit, "kepler-S -gaussian", "kepler", NULL, "more", .number = 1), "CTAs more that fit, at most, without gaussian, kepler"},
	{"vt-slots-issued", "Fig. 4", PART_PERCENT, "40.9", PART("S", "base", "slots.issued"), "slots of the baseline: an instruction issued", why_slots},
	{"vt-slots-pipeline", "Fig. 4", PART_PERCENT, "24.8", PART("S", "base", "slots.pipeline"), "slots of the baseline: stalled on pipelines", why_slots},
	{"vt-slots-long", "Fig. 4", PART_PERCENT, "13.6", PART("S", "base", "slots.long"), "slots of the baseline: stalled on memory", why_slots},
	{"vt-slots-short", "Fig. 4", PART_PERCENT, "10.7", PART("S", "base", "slots.short"), "slots of the baseline: stalled on short latency", why_slots},
	{"vt-slots-rest", "Fig. 4", PART_PERCENT, "10.0", PART("S", "base", "slots.fetch+slots.barrier+slots.held+slots.idle"), "slots of the baseline: stalled otherwise", why_slots},
	{"vt-slots-vt", "Fig. 4", PART_PERCENT, "51.6", PART("S", "vt", "slots.issued"), "slots with vt: an instruction issued", why_gain},
	{"vt-quick-short", "Fig. 4", PART_PERCENT, NULL, PART("S", "quick", "slots.short"), "slots of the baseline: stalled on short latency, arithmetic in 8 cycles"},
	{"vt-quick-pipeline", "Fig. 4", PART_PERCENT, NULL, PART("S", "quick", "slots.pipeline"), "slots of the baseline: stalled on pipelines, arithmetic in 8 cycles"},
	{"vt-quick-gain", "Fig. 8", GAIN_PERCENT, NULL, GAIN("S", "vt quick", "quick"), "gain of vt, arithmetic in 8 cycles"},
	{"vt-gain", "Fig. 8", GAIN_PERCENT, "23.9", GAIN("S", "vt", "base"), "gain of vt", why_gain},
	{"vt-mascar", "Fig. 8", GAIN_PERCENT, "9.3", GAIN("S", "mascar", "base"), "gain of mascar", "Most of it is re-execution (car), {vt-car}. As for vt, there is less to gain than in the paper's applications: max gains {vt-max}."},
	{"vt-max", "Fig. 8", GAIN_PERCENT, "26.9", GAIN("S", "unlimited mascar", "base"), "gain of as many warp slots as fit, and mascar (max)", why_gain},
	{"vt-more", "Fig. 8", GAIN_PERCENT, NULL, GAIN("S", "unlimited car", "base"), "gain of as many warp slots as fit, and car", why_none},
	{"vt-car", "Fig. 8", GAIN_PERCENT, NULL, GAIN("S", "car", "base"), "gain of a re-execution queue of 60 entries (car)", why_none},
	{"vt-plain", "Fig. 8", GAIN_PERCENT, NULL, GAIN("S", "cta=vt", "base"), "gain of vt without re-execution", why_none},
	{"vt-any", "Fig. 8", GAIN_PERCENT, NULL, GAIN("S", "vt vt.stall=any", "base"), "gain of vt if hits count as long, too", why_none},
	{"vt-fast", "Fig. 8", GAIN_PERCENT, NULL, GAIN("S", "vt fast", "fast"), "gain of vt with DRAM of twice the bandwidth", why_none},
	{"vt-fast-fdtd2d", "Fig. 8", GAIN_PERCENT, NULL, GAIN("fdtd2d", "vt fast", "fast"), "gain of vt with DRAM of twice the bandwidth, fdtd2d"},
	{"vt-gain-fdtd2d", "Fig. 8", GAIN_PERCENT, NULL, GAIN("fdtd2d", "vt", "base"), "gain of vt, fdtd2d"},
	{"vt-c", "Fig. 8", GAIN_PERCENT, "0", GAIN("C", "cta=vt", "base"), "gain of vt, Type C"},
	{"vt-gto", "Fig. 9", GAIN_PERCENT, "22.2", GAIN("S", "vt order=gto", "order=gto"), "gain of vt over gto", why_gain},
	{"vt-two-level", "Fig. 9", GAIN_PERCENT, "23.9", GAIN("S", "vt order=two-level", "order=two-level"), "gain of vt over two-level", "Two-level order alone loses {-vt-two-level-alone} against the baseline, and {-vt-two-level-close} in haar and histogram, whose barriers are close. vt does not mend that."},
	{"vt-two-level-alone", "Fig. 9", GAIN_PERCENT, NULL, GAIN("S", "order=two-level", "base"), "gain of two-level over the baseline"},
	{"vt-two-level-close", "Fig. 9", GAIN_PERCENT, NULL, GAIN("haar histogram", "order=two-level", "base"), "gain of two-level over the baseline, haar and histogram"},
	{"vt-free", "Fig. 10", GAIN_PERCENT, "0.4", GAIN("S", "vt vt.bandwidth=0", "vt"), "gain of swaps that cost nothing", why_swaps},
	{"vt-256", "Fig. 10", GAIN_PERCENT, "0", GAIN("S", "vt vt.bandwidth=256", "vt"), "gain of 256 bits per cycle", why_swaps},
	{"vt-1024", "Fig. 10", GAIN_PERCENT, NULL, GAIN("S", "vt vt.bandwidth=1024", "vt"), "gain of 1024 bits per cycle", why_none},
	{"vt-x2", "Fig. 11", GAIN_PERCENT, "-0.2", GAIN("S", "vt vt.context=2", "vt"), "gain of contexts of twice the size", why_swaps},
	{"vt-x4", "Fig. 11", GAIN_PERCENT, "-1.1", GAIN("S", "vt vt.context=4", "vt"), "gain of contexts of four times the size", why_swaps},
	{"vt-registers-base", "Fig. 12", PART_PERCENT, "50.2", MEAN_PERCENT("S", "base", "occupancy.registers"), "registers taken, baseline", "Kernels of Type S take {limits-fermi-s-registers} of the registers, for the reason above, and now and then an SM has fewer CTAs than fit."},
	{"vt-registers", "Fig. 12", PART_PERCENT, "93.8", MEAN_PERCENT("S", "vt", "occupancy.registers"), "registers taken, vt", "nw has 160 blocks at most, 11 for each SM; gaussian has 64 residents; fft runs out of shared memory. The others take {vt-registers-rest}."},
	{"vt-registers-rest", "Fig. 12", PART_PERCENT, NULL, MEAN_PERCENT("S -nw -gaussian -fft", "vt", "occupancy.registers"), "registers taken, vt, without nw, gaussian and fft"},
	{"vt-shared-base", "Fig. 12", PART_PERCENT, "15.4", MEAN_PERCENT("S", "base", "occupancy.shared"), "shared memory taken, baseline", "CTAs of ours hold less shared memory for as many threads, except those of fft."},
	{"vt-shared", "Fig. 12", PART_PERCENT, "38.5", MEAN_PERCENT("S", "vt", "occupancy.shared"), "shared memory taken, vt", "CTAs of ours hold less shared memory for as many threads, except those of fft."},
	{"vt-mshrs-base", "Fig. 13", PART_PERCENT, "17.5", MEAN_PERCENT("S", "base", "l1d.mshr_share"), "MSHRs in use, baseline", why_once},
	{"vt-mshrs", "Fig. 13", PART_PERCENT, "27.1", MEAN_PERCENT("S", "vt", "l1d.mshr_share"), "MSHRs in use, vt", why_once},
	{"vt-dram-base", "Fig. 13", PART_PERCENT, "21.7", MEAN_PERCENT("S", "base", "dram.share"), "use of DRAM's bandwidth, baseline", why_once},
	{"vt-dram", "Fig. 13", PART_PERCENT, "27.4", MEAN_PERCENT("S", "vt", "dram.share"), "use of DRAM's bandwidth, vt", why_once},
	{"vt-dram-fast", "Fig. 13", PART_PERCENT, NULL, MEAN_PERCENT("S", "fast", "dram.share"), "use of DRAM's bandwidth, baseline with DRAM of twice the bandwidth"},
	{"vt-misses", "Sec. V-D", PART_PERCENT, "<1.7", OF(share_more, "S", "vt", "base", "l1d.misses", "l1d.accesses"), "misses of the L1 more with vt"},
};
/* clang-format on */

const struct paper paper_vt = {
	.name = "vt",
	.mechanism = "Virtual Thread",
	.title = "Yoon, Kim, Lee, Ro, Annavaram, ISCA 2016",
	.groups = "limits vt",
	.folder = TLP,
	.loads = loads,
	.quick = {.loads = "fdtd2d haar matmul", .cycles = 6000},
	PAPER_TABLES(words, rows, files),
};
