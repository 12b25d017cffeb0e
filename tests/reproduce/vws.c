/*
 * vws.c - "A Variable Warp Size Architecture" (Rogers, Johnson, O'Connor, Keckler, ISCA 2015), on its own machine
 * (`gpu ws32` and the presets of its configurations).
 *
 * A load is divergent (D) if warps of 4 lanes make it faster by more than 2 %, convergent (C) if slower by more than
 * 2 %, else insensitive (I): as measured, and not by its kind; classes.txt has both. Means of speed are harmonic, over
 * whole warps; those of fetches in a cycle are arithmetic. Except in Figure 10 all configurations of slices look up the
 * L1I eight times in a cycle and have no caches of their own, as the paper says of Figure 7.
 *
 * What differs from the paper: kernels of ours stand for its 15 applications, small ones; instructions are PTX's.
 */
#include "reproduce.h"

#define WARPS "tests/reproduce/warps"
#define TABLE WARPS "/classes.txt"
#define SLIP "scenarios/vws/slip" /* a kernel whose warps load eight lines before they load one */

#define SLICES "; set l1i.ports 8; set l0i.bytes 0"
static const struct word words[] = {
	{"ws32", "gpu ws32"},
	{"ws16", "gpu ws4; set l0i.bytes 0; set warp.size 16; set sm.subcores 2; set l1i.ports 2"},
	{"ws8", "gpu ws4; set l0i.bytes 0; set warp.size 8; set sm.subcores 4; set l1i.ports 4"},
	{"ws4", "gpu ws4" SLICES},
	{"i-vws", "gpu i-vws" SLICES},
	{"i-vws-group", "gpu i-vws-group" SLICES},
	{"i-vws-impatient", "gpu i-vws-impatient" SLICES},
	{"e-vws", "gpu e-vws" SLICES},
	{"e-vws-impatient", "gpu e-vws-impatient" SLICES},
	{"sync", "gpu e-vws-sync" SLICES "; set vws.sync %s"},
	{"turns", "policy gang=gang-lrr order=lrr"},
	{"lpc", "policy gang=lpc order=lpc"},
	/* with so many ports of the L1I and no caches of the slices' own */
	{"ports", "gpu i-vws; set l1i.ports %s; set l0i.bytes 0"},
	/* two instructions are fetched and buffered */
	{"two", "set sm.ibuffer 2; set fetch.insts 2"},
};

/* all; D, C, I: those of a class as measured; kind-C: those whose kind is expected to be of it; whole: those in which
 * no branch parts a gang. */
static bool loads(const char *set, struct names *to)
{
	bool all = !strcmp(set, "all"), kind = !strncmp(set, "kind-", 5), whole = !strcmp(set, "whole");
	char class = kind ? set[5] : *set;

	if (!all && !kind && !whole && set[1])
		return false;
	if (whole) {
		EACH_LOAD (load, "all")
			if (value(load, "i-vws", "gang.splits.control") == 0)
				names_add(to, load);
		return true;
	}
	table_loads(TABLE, all ? 0 : kind ? 1 : 2, class == 'D' ? "d" : class == 'C' ? "c" : "i", to);
	return true;
}

/* Loads that are not of the class that classes.txt gives them. */
static double misclassed(const struct ours *o)
{
	double n = 0;

	EACH_LOAD (load, o->loads) {
		double faster = cycles(load, o->over) / cycles(load, o->config);
		struct names same = loads_of(faster > 1.02 ? "D" : faster < 0.98 ? "C" : "I");

		n += !names_have(&same, load) + 0 * faster;
	}
	return n;
}

/* Loads that are slower by more than a thousandth. */
static double slower(const struct ours *o)
{
	double n = 0;

	EACH_LOAD (load, o->loads) {
		double faster = cycles(load, o->over) / cycles(load, o->config);

		n += (faster < 0.999) + 0 * faster;
	}
	return n;
}

/* Mean of names over per. */
static double ratio(const struct ours *o)
{
	return share(o) / 100;
}

/* That mean over the mean under `over`. */
static double fold(const struct ours *o)
{
	struct ours over = *o;

	over.config = o->over;
	return share(o) / share(&over);
}

static double fold_more(const struct ours *o)
{
	return 100 * (fold(o) - 1);
}

#define MOMENTS 40

/* The cycle of each of the moments of a run under i-vws, and how many slices are in gangs of how many; false: not yet.
 */
static bool ages_of(const char *load, double cycle[MOMENTS], double slices[MOMENTS][9])
{
	double end = value(load, "i-vws", "cycle");
	struct text script = {0};
	u32 at = 0;
	const char *text;
	bool sizes = false;

	for (u32 i = 0; i < MOMENTS && end > 0; i++)
		text_add(&script, "goto %.0f\nshow gangs 100x290\n", floor(end * (2 * i + 1) / (2 * MOMENTS)));
	text = script.s ? run_text(load, "i-vws", script.s) : NULL;
	text_free(&script);
	for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1) {
		char *rest = NULL;
		double now = strncmp(line, "cycle ", 6) ? 0 : strtod(line + 6, &rest);

		if (rest && *rest == '\n' && at < MOMENTS) {
			cycle[at++] = now;
			sizes = false;
		} else if (!strncmp(line, " size gangs", 11)) {
			sizes = true;
		} else if (sizes && at) {
			u64 size = strtoul(line, &rest, 10);

			strtoul(rest, &rest, 10); /* how many gangs */
			if (size && size <= 8)
				slices[at - 1][size] = strtod(rest, NULL);
		}
	}
	return text;
}

/* Of the slices of a load at its moments (number: from this one on), those in gangs of `names` slices, in percent. */
static double age(const struct ours *o)
{
	double cycle[MOMENTS] = {0}, slices[MOMENTS][9] = {0}, part = 0, all = 0;

	EACH_LOAD (load, o->loads) {
		if (!ages_of(load, cycle, slices))
			return NAN;
		for (u32 i = (u32)o->number; i < MOMENTS; i++) {
			part += slices[i][*o->names - '0'];
			for (u32 size = 1; size <= 8; size++)
				all += slices[i][size];
		}
	}
	return 100 * part / all;
}

static void ages_write(FILE *f)
{
	fprintf(f, "load,cycle,8,7,6,5,4,3,2,1\n");
	EACH_LOAD (load, "match raytrace conv2d") {
		double cycle[MOMENTS] = {0}, slices[MOMENTS][9] = {0};

		ages_of(load, cycle, slices);
		for (u32 i = 0; i < MOMENTS && cycle[i] > 0; i++) {
			fprintf(f, "%s,%.0f", load, cycle[i]);
			for (u32 size = 8; size; size--)
				fprintf(f, ",%.0f", slices[i][size]);
			fprintf(f, "\n");
		}
	}
}

#define SPEED(name, config) \
	name "|" config "|cycle;threads-" name "|" config "|inst.thread;issuing-" name "|" config \
	     "|dyncta.n_act;hits-" name "|" config "|l1d.hits;misses-" name "|" config "|l1d.misses;merges-" name \
	     "|" config "|l1d.merges;fetches-" name "|" config "|fetch.ops;"
#define BOTH(name, config) name "|" config "|cycle;fetches-" name "|" config "|fetch.ops;"
#define PLAIN_SPEED(name) SPEED(name, name)
#define PLAIN_BOTH(name) BOTH(name, name)

/* clang-format off */
static const struct file files[] = {
	{"gangs", "vws-speed.csv", NULL, "all", PLAIN_SPEED("ws32") PLAIN_SPEED("ws16") PLAIN_SPEED("ws8") PLAIN_SPEED("ws4") PLAIN_SPEED("i-vws") PLAIN_SPEED("e-vws") PLAIN_SPEED("e-vws-impatient")},
	{"supply", "vws-supply.csv", NULL, "all", PLAIN_BOTH("i-vws") BOTH("ports-1", "ports:1") BOTH("ports-1-l0", "ports:1 l0i.bytes=256") BOTH("ports-2", "ports:2") BOTH("ports-2-l0-64", "ports:2 l0i.bytes=64") BOTH("ports-2-l0", "ports:2 l0i.bytes=256") BOTH("ports-2-l0-512", "ports:2 l0i.bytes=512") BOTH("ports-2-l0-1024", "ports:2 l0i.bytes=1024") BOTH("ports-4", "ports:4")},
	{"choice", "vws-choice.csv", NULL, "all", PLAIN_BOTH("ws32") PLAIN_BOTH("i-vws") BOTH("greedy", "i-vws gang=gang-gto") BOTH("turns", "i-vws turns") BOTH("lpc", "i-vws lpc") BOTH("lgto", "i-vws gang=lgto") BOTH("lgto-4", "i-vws gang=lgto vws.gangs_per_cycle=4") BOTH("gangs-1", "i-vws vws.gangs_per_cycle=1") BOTH("gangs-4", "i-vws vws.gangs_per_cycle=4")},
	{"reform", "vws-reform.csv", NULL, "all", PLAIN_BOTH("ws32") PLAIN_BOTH("i-vws") PLAIN_BOTH("e-vws") BOTH("e-lrr", "e-vws turns") BOTH("sync-20", "sync:20") BOTH("sync-100", "sync:100") BOTH("sync-1000", "sync:1000")},
	{"apart", "vws-apart.csv", NULL, "all", PLAIN_BOTH("ws32") PLAIN_BOTH("i-vws") PLAIN_BOTH("i-vws-group") BOTH("i-vws-group-4", "i-vws-group vws.gangs_per_cycle=4") PLAIN_BOTH("i-vws-impatient")},
	{"ages", "vws-ages.csv", ages_write, "match raytrace conv2d"},
};

#define OVER_WHOLE(loads, config) GAIN_H(loads, config, "ws32")
#define OVER_GANGS(loads, config) GAIN_H(loads, config, "i-vws")
#define FETCHES(loads, config, over) OF(fold_more, loads, config, over, "fetch.ops", "cycle")
#define FETCHED(loads, config, over) OF(fold, loads, config, over, "fetch.ops", "cycle")
#define LANES(loads, config) OF(ratio, loads, config, NULL, "inst.thread", "dyncta.n_act")
#define OF_SLIP(config) OF(more, SLIP, "ws32 l1i.ports=8 l0i.bytes=0", config, "kernel.1.cycles")


/* Reasons of several rows. */
static const char why_fig1[] = "Figures 1b, 2 and 4 are drawings without numbers. Ours move as the paper says: more lanes are at work where warps diverge and fewer where they converge, accesses and misses are more in both.";
static const char why_drift[] = "Small warps coalesce less when they drift apart, and in these kernels hardly anything makes them drift: latencies are alike, barriers align them, and eight ports fetch for all in one cycle. With 6 ports of the L1I they are not all fetched for at once. The loads of convergent kind then access {sizes-kind-accesses} as many lines and lose {-sizes-kind-6}, where they lose {-sizes-kind} with eight.";
static const char why_slip[] = "The kernel is made for it: one load of eight lines separates small warps for good, which costs more than the paper's mean. Gangs lose nothing, gangs that split at loads do, and those that are then re-formed lose little.";
static const char why_match[] = "match is faster by {sizes-match}, the others by {sizes-d-rest}: that the mean is close to the paper's is chance.";
static const char why_diverge[] = "These loads diverge, too, so that 32-thread warps fetch more than an eighth. In stencil5 and conv2d alone, which hardly diverge, small warps fetch {sizes-fetch-few} as often.";
static const char why_border[] = "These loads are convergent by what small warps lose, and yet their gangs split: at the border of a picture (stencil5 in every second warp, conv2d where its tile has a rim), in bfs at each node. A small warp that stays separate accesses its lines by itself. It fetches only in cycles in which no gang fetches for it (section 4.1: gangs have priority, and override the decisions of small warps). stencil5 of 512 points in a row changes by {gangs-c-wide}.";
static const char why_one_fetch[] = "Section 4.1 has one scheduler that fetches for gangs, beside one for each small warp. If it looks up the L1I once in a cycle (vws.gang_fetches 1), two gangs can issue in a cycle but not continuously, and figure 13's second gang gains nothing. The sections contradict each other. Ours lets gangs without a small warp in common fetch in one cycle, one instruction each: whole gangs still do so one by one, and halves in pairs.";
static const char why_buffer[] = "The paper's SM has one decoded instruction per warp (section 2; 4Kbits for 32 small warps, Table 2) and fetches one (6.1). With two there are half as many lookups of the L1I. Two ports without caches then change speed by {supply-2-buffer} and with caches by {supply-2-l0-buffer}, where the paper has a significant loss and 5 %.";
static const char why_meet[] = "The paper says a small decrease. Gangs that are re-formed save fetches, not time; lrr re-forms no more gangs here and loses the order of the large ones.";
static const char why_drawn[] = "The paper draws it without a number.";
static const char why_crumble[] = "match fetches more than the other loads together, because its gangs split often and many are re-formed. Without it I-VWS has {gangs-fetch-rest} against warps of 4, and E-VWS {gangs-fetch-e-rest} against I-VWS. The paper's 57 % lie between the two sets.";
static const char why_sine[] = "mriq's gangs part in the library's sine, where some lanes take the slow way, and it fetches {gangs-fetch-mriq} as often as whole warps; radixsort's part in its scan, in the first warp of each block. The others fetch {gangs-fetch-others} as often.";
static const char why_fig10[] = "Figure 10 is a drawing without numbers.";
static const char why_loops[] = "The loops of these kernels are short, 13 instructions in collatz, and 256 bytes are 32 of ours, so that nearly all fetches are answered there; raytrace alone, whose loops are longer, loses {-supply-raytrace}. With 64 bytes {-supply-2-64} are lost, which is more than the paper's, and without caches {-supply-2}: a significant loss, says the paper.";
static const char why_mriq[] = "It is mriq alone, which is 2 kB of code and loses {-supply-mriq}: with caches of 1 kB all loads together have {supply-i-1024}.";
static const char why_fig11[] = "Figure 11 is a drawing without numbers. As the paper says LPC is the worst in each class, and LGTO loses with divergent loads, with 4 gangs a cycle as with two.";
static const char why_alone[] = "btree and match issue {choice-alone} of their instructions alone. The other two loads have {choice-1-rest}, nearly what the paper says.";
static const char why_wait[] = "Figures 14 and 15 are drawings without numbers. As the paper says, waiting costs time and saves hardly any fetches. A gang cannot predict whether others arrive where it waits, and at the ends of loops and behind returns they do not.";
static const char why_inner[] = "In conv2d and mriq small warps wait at the end of a loop for those that are in other loops and wait there. The paper's text does not give the cycles of its waits; with 100 convergent loads have {reform-c-100} and insensitive ones {reform-i-100}.";
static const char why_collatz[] = "Small warps leave the loop for good, each in its round, and the rest of the program is shorter than a round, so that none catches up. Small gangs stall for thousands of cycles while gangs of 8 of other warps issue, as BGTO says, but then all of their warp stalls; with lrr none waits long. Only waiting re-forms gangs, {reform-collatz-1000} times after {reform-collatz-splits} splits, and gains nothing.";
static const char why_fig16[] = "Figure 16 is a drawing without numbers: a small gain on some divergent loads, a loss on convergent ones. Here no divergent load waits for lines that arrive at different times.";
static const char why_nbody[] = "In nbody a load of 16 bytes a lane is four lines, two small warps for each, and splits the gang into four gangs of two for good. Two gangs of a cycle are then half of the small warps. With four gangs a cycle nbody has {apart-group-nbody-4}.";
static const char why_parted[] = "The share of loads that wait for parts of their lines decides: once loads have parted their gangs matmul, stencil5, conv2d, saxpy, nbody, blackscholes and bfs fetch {apart-fetch-seven} as often with GroupMem and {apart-fetch-seven-impatient} with ImpatientMem. The divergent ones had parted before.";
static const char why_fig18[] = "Figure 18 shows two applications. match and raytrace behave as Lighting, whose gangs split until most small warps are single, conv2d as GamePhysics, whose gangs split in two.";

/* Loads whose gangs loads part. */
#define PARTED "matmul stencil5 conv2d saxpy nbody blackscholes bfs"
#define AGE(load, size, from) {age, load, "i-vws", NULL, size, .number = from}

static const struct row rows[] = {
	{"sizes-classes", "Sec. 5", COUNT, NULL, OF(misclassed, "all", "ws4", "ws32"), "loads that are not of the class written down for them", "Every load is of the class that classes.txt gives it if this is 0. bfs is of a divergent kind and convergent as measured: its warps of 4 make {sizes-bfs-accesses} as many accesses of the L1D, which has one port. With four ports it loses {-sizes-bfs-4} rather than {-sizes-bfs}. matmul, transpose and radixsort are of a convergent kind and insensitive as measured: nothing separates the small warps of their warps, as the lines of 6 ports show.", .whole = true},
	{"sizes-bfs", "Fig. 1b", GAIN_PERCENT, NULL, OVER_WHOLE("bfs", "ws4"), "speed with warps of 4, bfs"},
	{"sizes-bfs-4", "Fig. 1b", GAIN_PERCENT, NULL, GAIN_H("bfs", "ws4 l1d.ports=4", "ws32 l1d.ports=4"), "speed with warps of 4 and four ports of the L1D, bfs"},
	{"sizes-bfs-accesses", "Fig. 4", TIMES, NULL, OF(times, "bfs", "ws4", "ws32", "l1d.accesses"), "accesses of the L1D with warps of 4, bfs"},
	{"sizes-d", "Fig. 1b", GAIN_PERCENT, "39", OVER_WHOLE("D", "ws4"), "speed with warps of 4, divergent loads", why_match},
	{"sizes-d-rest", "Fig. 1b", GAIN_PERCENT, NULL, OVER_WHOLE("D -match", "ws4"), "speed with warps of 4, divergent loads without match", why_match},
	{"sizes-match", "Fig. 1b", GAIN_PERCENT, NULL, OVER_WHOLE("match", "ws4"), "speed with warps of 4, match"},
	{"sizes-c", "Fig. 1b", GAIN_PERCENT, "-27", OVER_WHOLE("C", "ws4"), "speed with warps of 4, convergent loads", why_drift},
	{"sizes-i", "Fig. 1b", GAIN_PERCENT, "0", OVER_WHOLE("I", "ws4"), "speed with warps of 4, insensitive loads"},
	{"sizes-slip", "Sec. 3.1", GAIN_PERCENT, NULL, OF_SLIP("ws4"), "speed with warps of 4, kernel of scenarios/vws/slip", why_slip},
	{"sizes-kind", "Sec. 3.1", GAIN_PERCENT, NULL, OVER_WHOLE("kind-C", "ws4"), "speed with warps of 4, loads of convergent kind", why_drift},
	{"sizes-kind-6", "Sec. 3.1", GAIN_PERCENT, NULL, OVER_WHOLE("kind-C", "ws4 l1i.ports=6"), "speed with warps of 4 and 6 ports, loads of convergent kind", why_drift},
	{"sizes-kind-accesses", "Sec. 3.1", TIMES, NULL, OF(times, "kind-C", "ws4 l1i.ports=6", "ws32", "l1d.accesses"), "accesses of the L1D so", why_drift},
	{"sizes-d-8", "Fig. 1b", GAIN_PERCENT, NULL, OVER_WHOLE("D", "ws8"), "speed with warps of 8, divergent loads", why_fig1},
	{"sizes-c-8", "Fig. 1b", GAIN_PERCENT, NULL, OVER_WHOLE("C", "ws8"), "speed with warps of 8, convergent loads", why_fig1},
	{"sizes-d-16", "Fig. 1b", GAIN_PERCENT, NULL, OVER_WHOLE("D", "ws16"), "speed with warps of 16, divergent loads", why_fig1},
	{"sizes-c-16", "Fig. 1b", GAIN_PERCENT, NULL, OVER_WHOLE("C", "ws16"), "speed with warps of 16, convergent loads", why_fig1},
	{"sizes-lanes-d", "Fig. 2", PLAIN, NULL, LANES("D", "ws32"), "lanes at work, whole warps, divergent loads", why_fig1},
	{"sizes-lanes-d-4", "Fig. 2", PLAIN, NULL, LANES("D", "ws4"), "lanes at work, warps of 4, divergent loads", why_fig1},
	{"sizes-lanes-c", "Fig. 2", PLAIN, NULL, LANES("C", "ws32"), "lanes at work, whole warps, convergent loads", why_fig1},
	{"sizes-lanes-c-4", "Fig. 2", PLAIN, NULL, LANES("C", "ws4"), "lanes at work, warps of 4, convergent loads", why_fig1},
	{"sizes-accesses-d", "Fig. 4", TIMES, NULL, OF(times, "D", "ws4", "ws32", "l1d.accesses"), "accesses of the L1D with warps of 4, divergent loads", why_fig1},
	{"sizes-accesses-c", "Fig. 4", TIMES, NULL, OF(times, "C", "ws4", "ws32", "l1d.accesses"), "accesses of the L1D with warps of 4, convergent loads", why_fig1},
	{"sizes-misses-c", "Fig. 4", TIMES, NULL, OF(times, "C", "ws4", "ws32", "l1d.misses+l1d.merges"), "misses and merges with warps of 4, convergent loads", why_fig1},
	{"sizes-accesses-i", "Fig. 4", TIMES, "1", OF(times, "I", "ws4", "ws32", "l1d.accesses"), "accesses of the L1D with warps of 4, insensitive loads", "mriq has {sizes-accesses-mriq} as many, because its small warps diverge in the sine, and radixsort {sizes-accesses-radixsort}, few in number (128 lines). Neither waits for them."},
	{"sizes-accesses-rest", "Fig. 4", TIMES, "1", OF(times, "I -mriq -radixsort", "ws4", "ws32", "l1d.accesses"), "the same without mriq and radixsort"},
	{"sizes-accesses-mriq", "Fig. 4", TIMES, NULL, OF(times, "mriq", "ws4", "ws32", "l1d.accesses"), "accesses of the L1D with warps of 4, mriq"},
	{"sizes-accesses-radixsort", "Fig. 4", TIMES, NULL, OF(times, "radixsort", "ws4", "ws32", "l1d.accesses"), "accesses of the L1D with warps of 4, radixsort"},
	{"sizes-fetch-c", "Fig. 5", TIMES, "8", FETCHED("C", "ws4", "ws32"), "fetches in a cycle with warps of 4, convergent loads", why_diverge},
	{"sizes-fetch-i", "Fig. 5", TIMES, "8", FETCHED("I", "ws4", "ws32"), "fetches in a cycle with warps of 4, insensitive loads"},
	{"sizes-fetch-d", "Fig. 5", TIMES, NULL, FETCHED("D", "ws4", "ws32"), "fetches in a cycle with warps of 4, divergent loads", why_diverge},
	{"sizes-fetch-few", "Fig. 5", TIMES, NULL, FETCHED("stencil5 conv2d", "ws4", "ws32"), "fetches in a cycle with warps of 4, stencil5 and conv2d"},
	{"gangs-d", "Fig. 7", GAIN_PERCENT, "35", OVER_WHOLE("D", "i-vws"), "speed of I-VWS, divergent loads", why_match},
	{"gangs-d-rest", "Fig. 7", GAIN_PERCENT, NULL, OVER_WHOLE("D -match", "i-vws"), "speed of I-VWS, divergent loads without match", why_match},
	{"gangs-d-ws4", "Fig. 7", GAIN_PERCENT, "-3", GAIN_H("D", "i-vws", "ws4"), "speed of I-VWS over warps of 4, divergent loads"},
	{"gangs-c", "Fig. 7", GAIN_PERCENT, "0", OVER_WHOLE("C", "i-vws"), "speed of I-VWS, convergent loads", why_border},
	{"gangs-c-whole", "Fig. 7", GAIN_PERCENT, "0", OVER_WHOLE("whole", "i-vws"), "speed of I-VWS, loads in which no branch parts a gang"},
	{"gangs-one-d", "Sec. 4.1", GAIN_PERCENT, "35", OVER_WHOLE("D", "i-vws vws.gang_fetches=1"), "... if gangs look up the L1I once in a cycle, divergent loads", why_one_fetch},
	{"gangs-two-whole", "Sec. 4.1", GAIN_PERCENT, "0", OVER_WHOLE("whole", "i-vws fetch.width=2"), "... if each small warp fetches twice in a cycle, loads in which no branch parts a gang", "Two whole gangs are then fetched for in a cycle of which one can issue, so that buffers fill faster than those of whole warps: the paper has equal performance."},
	{"gangs-buffer-d", "Sec. 2", GAIN_PERCENT, "35", GAIN_H("D", "i-vws two", "ws32 two"), "... if two instructions are fetched and buffered, divergent loads", why_buffer},
	{"gangs-c-wide", "Sec. 6.1", GAIN_PERCENT, NULL, OVER_WHOLE("stencil5-wide", "i-vws"), "speed of I-VWS, stencil5 of 512 points in a row rather than 128", why_border},
	{"gangs-kind-6", "Sec. 6.1", GAIN_PERCENT, NULL, GAIN_H("kind-C", "i-vws l1i.ports=6", "ws4 l1i.ports=6"), "speed of I-VWS over warps of 4, 6 ports, loads of convergent kind", "It is what gangs are for: the small warps that drift apart there do not as gangs."},
	{"gangs-i", "Fig. 7", GAIN_PERCENT, "0", OVER_WHOLE("I", "i-vws"), "speed of I-VWS, insensitive loads"},
	{"gangs-e-d", "Fig. 7", GAIN_PERCENT, NULL, OVER_GANGS("D", "e-vws"), "speed of E-VWS over I-VWS, divergent loads", why_meet},
	{"gangs-e-c", "Fig. 7", GAIN_PERCENT, "0", OVER_GANGS("C", "e-vws"), "speed of E-VWS over I-VWS, convergent loads"},
	{"gangs-impatient-d", "Fig. 7", GAIN_PERCENT, "2", OVER_GANGS("D", "e-vws-impatient"), "speed of E-VWS-ImpatientMem over I-VWS, divergent loads", "raytrace has {gangs-impatient-raytrace}; match, whose gangs are re-formed for a moment, has {gangs-impatient-match}."},
	{"gangs-impatient-raytrace", "Fig. 7", GAIN_PERCENT, NULL, OVER_GANGS("raytrace", "e-vws-impatient"), "speed of E-VWS-ImpatientMem over I-VWS, raytrace"},
	{"gangs-impatient-match", "Fig. 7", GAIN_PERCENT, NULL, OVER_GANGS("match", "e-vws-impatient"), "speed of E-VWS-ImpatientMem over I-VWS, match"},
	{"gangs-impatient-c", "Fig. 7", GAIN_PERCENT, "-22", OVER_WHOLE("C", "e-vws-impatient"), "speed of E-VWS-ImpatientMem, convergent loads", "In the kernel of scenarios/vws/slip loads that part gangs cost {-gangs-slip-impatient} if they are not re-formed, and {-apart-impatient-c} in these loads. With re-forming the small warps are one gang again soon after, before they have accessed much alone."},
	{"gangs-slip", "Sec. 6.1", GAIN_PERCENT, NULL, OF_SLIP("i-vws"), "speed of I-VWS, kernel of scenarios/vws/slip", why_slip},
	{"gangs-slip-impatient", "Sec. 6.1", GAIN_PERCENT, NULL, OF_SLIP("i-vws-impatient"), "speed of I-VWS-ImpatientMem, kernel of scenarios/vws/slip", why_slip},
	{"gangs-slip-e", "Sec. 6.1", GAIN_PERCENT, NULL, OF_SLIP("e-vws-impatient"), "speed of E-VWS-ImpatientMem, kernel of scenarios/vws/slip", why_slip},
	{"gangs-impatient-i", "Fig. 7", GAIN_PERCENT, NULL, OVER_WHOLE("I", "e-vws-impatient"), "speed of E-VWS-ImpatientMem, insensitive loads", why_drawn},
	{"gangs-fetch-d", "Fig. 9", GAIN_PERCENT, "-57", FETCHES("D", "i-vws", "ws4"), "fetches of I-VWS over warps of 4, divergent loads", why_crumble},
	{"gangs-fetch-e-d", "Fig. 9", GAIN_PERCENT, "-55", FETCHES("D", "e-vws", "i-vws"), "fetches of E-VWS over I-VWS, divergent loads", why_crumble},
	{"gangs-fetch-rest", "Fig. 9", GAIN_PERCENT, NULL, FETCHES("D -match", "i-vws", "ws4"), "fetches of I-VWS over warps of 4, divergent loads without match", why_crumble},
	{"gangs-fetch-e-rest", "Fig. 9", GAIN_PERCENT, NULL, FETCHES("D -match", "e-vws", "i-vws"), "fetches of E-VWS over I-VWS, divergent loads without match", why_crumble},
	{"gangs-fetch-impatient-d", "Fig. 9", GAIN_PERCENT, NULL, FETCHES("D", "e-vws-impatient", "i-vws"), "fetches of E-VWS-ImpatientMem over I-VWS, divergent loads", "As the paper says it is more than E-VWS ({gangs-fetch-e-d}) and not more than I-VWS."},
	{"gangs-fetch-c", "Fig. 9", GAIN_PERCENT, "0", FETCHES("C", "i-vws", "ws32"), "fetches of I-VWS over whole warps, convergent loads", why_border},
	{"gangs-fetch-i", "Fig. 9", GAIN_PERCENT, "0", FETCHES("I", "i-vws", "ws32"), "fetches of I-VWS over whole warps, insensitive loads", why_sine},
	{"gangs-fetch-mriq", "Fig. 9", TIMES, NULL, FETCHED("mriq", "i-vws", "ws32"), "fetches of I-VWS over whole warps, mriq"},
	{"gangs-fetch-others", "Fig. 9", TIMES, NULL, FETCHED("I -mriq -radixsort", "i-vws", "ws32"), "fetches of I-VWS over whole warps, insensitive loads without mriq and radixsort"},
	{"gangs-fetch-whole", "Fig. 9", GAIN_PERCENT, "0", FETCHES("whole", "i-vws", "ws32"), "fetches of I-VWS over whole warps, loads in which no branch parts a gang"},
	{"gangs-fetch-e-c", "Fig. 9", GAIN_PERCENT, "0", FETCHES("C", "e-vws", "ws32"), "fetches of E-VWS over whole warps, convergent loads", why_border},
	{"gangs-fetch-e-i", "Fig. 9", GAIN_PERCENT, "0", FETCHES("I", "e-vws", "ws32"), "fetches of E-VWS over whole warps, insensitive loads", why_sine},
	{"gangs-fetch-impatient-c", "Fig. 9", GAIN_PERCENT, NULL, FETCHES("C", "e-vws-impatient", "ws32"), "fetches of E-VWS-ImpatientMem over whole warps, convergent loads", "A significant increase, says the paper."},
	{"supply-1", "Fig. 10", GAIN_PERCENT, NULL, OVER_GANGS("D", "ports:1"), "speed of I-VWS over that with 8 ports, 1 port, divergent loads", why_fig10},
	{"supply-2", "Fig. 10", GAIN_PERCENT, NULL, OVER_GANGS("D", "ports:2"), "... 2 ports, divergent loads", why_fig10},
	{"supply-4", "Fig. 10", GAIN_PERCENT, NULL, OVER_GANGS("D", "ports:4"), "... 4 ports, divergent loads", why_fig10},
	{"supply-1-l0", "Fig. 10", GAIN_PERCENT, NULL, OVER_GANGS("D", "ports:1 l0i.bytes=256"), "... 1 port and caches of 256 bytes, divergent loads", why_fig10},
	{"supply-2-l0", "Fig. 10", GAIN_PERCENT, "-5", OVER_GANGS("D", "ports:2 l0i.bytes=256"), "... 2 ports and caches of 256 bytes, divergent loads", why_loops},
	{"supply-raytrace", "Fig. 10", GAIN_PERCENT, NULL, OVER_GANGS("raytrace", "ports:2 l0i.bytes=256"), "... 2 ports and caches of 256 bytes, raytrace"},
	{"supply-2-buffer", "Sec. 2", GAIN_PERCENT, NULL, GAIN_H("D", "ports:2 two", "i-vws two"), "... 2 ports, if two instructions are fetched and buffered, divergent loads", why_buffer},
	{"supply-2-l0-buffer", "Sec. 2", GAIN_PERCENT, "-5", GAIN_H("D", "ports:2 l0i.bytes=256 two", "i-vws two"), "... 2 ports and caches of 256 bytes so, divergent loads", why_buffer},
	{"supply-2-64", "Fig. 10", GAIN_PERCENT, NULL, OVER_GANGS("D", "ports:2 l0i.bytes=64"), "... 2 ports and caches of 64 bytes, divergent loads", why_loops},
	{"supply-2-512", "Fig. 10", GAIN_PERCENT, NULL, OVER_GANGS("D", "ports:2 l0i.bytes=512"), "... 2 ports and caches of 512 bytes, divergent loads", why_fig10},
	{"supply-2-1024", "Fig. 10", GAIN_PERCENT, NULL, OVER_GANGS("D", "ports:2 l0i.bytes=1024"), "... 2 ports and caches of 1 kB, divergent loads", why_fig10},
	{"supply-c", "Fig. 10", GAIN_PERCENT, "0", OVER_GANGS("C", "ports:2 l0i.bytes=256"), "... 2 ports and caches of 256 bytes, convergent loads"},
	{"supply-i", "Fig. 10", GAIN_PERCENT, "0", OVER_GANGS("I", "ports:2 l0i.bytes=256"), "... 2 ports and caches of 256 bytes, insensitive loads", why_mriq},
	{"supply-mriq", "Fig. 10", GAIN_PERCENT, NULL, OVER_GANGS("mriq", "ports:2 l0i.bytes=256"), "... 2 ports and caches of 256 bytes, mriq"},
	{"supply-i-1024", "Fig. 10", GAIN_PERCENT, NULL, OVER_GANGS("I", "ports:2 l0i.bytes=1024"), "... 2 ports and caches of 1 kB, insensitive loads", why_mriq},
	{"choice-lpc", "Fig. 11", COUNT, "15", OF(slower, "all", "i-vws lpc", "i-vws"), "loads that are slower with I-VWS-LPC than with I-VWS, of 15", "nbody, radixsort and mriq are faster, by {choice-lpc-three}, and with I-VWS-LRR by {choice-turns-three}. In nbody and radixsort warps wait for each other at barriers, and the last warp has the lowest priority."},
	{"choice-lpc-three", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("nbody radixsort mriq", "i-vws lpc"), "speed of I-VWS-LPC over I-VWS, nbody, radixsort and mriq"},
	{"choice-turns-three", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("nbody radixsort mriq", "i-vws turns"), "speed of I-VWS-LRR over I-VWS, nbody, radixsort and mriq"},
	{"choice-d-greedy", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("D", "i-vws gang=gang-gto"), "speed of I-VWS-GTO over I-VWS, divergent loads", why_fig11},
	{"choice-c-greedy", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("C", "i-vws gang=gang-gto"), "speed of I-VWS-GTO over I-VWS, convergent loads", why_fig11},
	{"choice-i-greedy", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("I", "i-vws gang=gang-gto"), "speed of I-VWS-GTO over I-VWS, insensitive loads", why_fig11},
	{"choice-fetch-greedy", "Fig. 12", GAIN_PERCENT, "0", FETCHES("D", "i-vws gang=gang-gto", "i-vws"), "fetches of I-VWS-GTO over I-VWS, divergent loads"},
	{"choice-d-turns", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("D", "i-vws turns"), "speed of I-VWS-LRR over I-VWS, divergent loads", why_fig11},
	{"choice-c-turns", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("C", "i-vws turns"), "speed of I-VWS-LRR over I-VWS, convergent loads", why_fig11},
	{"choice-i-turns", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("I", "i-vws turns"), "speed of I-VWS-LRR over I-VWS, insensitive loads", why_fig11},
	{"choice-fetch-turns", "Fig. 12", GAIN_PERCENT, "0", FETCHES("D", "i-vws turns", "i-vws"), "fetches of I-VWS-LRR over I-VWS, divergent loads"},
	{"choice-d-lpc", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("D", "i-vws lpc"), "speed of I-VWS-LPC over I-VWS, divergent loads", why_fig11},
	{"choice-c-lpc", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("C", "i-vws lpc"), "speed of I-VWS-LPC over I-VWS, convergent loads", why_fig11},
	{"choice-i-lpc", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("I", "i-vws lpc"), "speed of I-VWS-LPC over I-VWS, insensitive loads", why_fig11},
	{"choice-fetch-lpc", "Fig. 12", GAIN_PERCENT, "0", FETCHES("D", "i-vws lpc", "i-vws"), "fetches of I-VWS-LPC over I-VWS, divergent loads", "It is slower by {-choice-d-lpc}, so that fetches in a cycle are fewer."},
	{"choice-d-lgto", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("D", "i-vws gang=lgto"), "speed of I-VWS-LGTO over I-VWS, divergent loads", why_fig11},
	{"choice-c-lgto", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("C", "i-vws gang=lgto"), "speed of I-VWS-LGTO over I-VWS, convergent loads", why_fig11},
	{"choice-i-lgto", "Fig. 11", GAIN_PERCENT, NULL, OVER_GANGS("I", "i-vws gang=lgto"), "speed of I-VWS-LGTO over I-VWS, insensitive loads", why_fig11},
	{"choice-fetch-lgto", "Fig. 12", GAIN_PERCENT, "0", FETCHES("D", "i-vws gang=lgto", "i-vws"), "fetches of I-VWS-LGTO over I-VWS, divergent loads"},
	{"choice-lgto-4", "Sec. 6.3", GAIN_PERCENT, NULL, OVER_GANGS("D", "i-vws gang=lgto vws.gangs_per_cycle=4"), "speed of I-VWS-LGTO with 4 gangs a cycle over I-VWS, divergent loads", why_fig11},
	{"choice-1", "Fig. 13", GAIN_PERCENT, "-10", OVER_GANGS("D", "i-vws vws.gangs_per_cycle=1"), "speed with 1 gang a cycle over 2, divergent loads", why_alone},
	{"choice-1-rest", "Fig. 13", GAIN_PERCENT, NULL, OVER_GANGS("D -match -btree", "i-vws vws.gangs_per_cycle=1"), "speed with 1 gang a cycle over 2, raytrace and collatz", why_alone},
	{"choice-alone", "Fig. 13", PART_PERCENT, NULL, SHARE("btree match", "i-vws", "gang.singles", "inst.warp"), "instructions that single small warps issue, btree and match"},
	{"choice-1-fetch", "Fig. 13", GAIN_PERCENT, "-10", GAIN_H("D", "i-vws vws.gang_fetches=1 vws.gangs_per_cycle=1", "i-vws vws.gang_fetches=1"), "speed with 1 gang a cycle over 2, one lookup for gangs, divergent loads", why_one_fetch},
	{"choice-4", "Fig. 13", GAIN_PERCENT, "0", OVER_GANGS("D", "i-vws vws.gangs_per_cycle=4"), "speed with 4 gangs a cycle over 2, divergent loads"},
	{"choice-1-c", "Fig. 13", GAIN_PERCENT, NULL, OVER_GANGS("C", "i-vws vws.gangs_per_cycle=1"), "speed with 1 gang a cycle over 2, convergent loads", "The paper says nothing of these."},
	{"reform-d-20", "Fig. 14", GAIN_PERCENT, NULL, GAIN_H("D", "sync:20", "e-vws"), "speed of E-VWS-Sync20 over E-VWS, divergent loads", why_wait},
	{"reform-c-20", "Fig. 14", GAIN_PERCENT, "0", GAIN_H("C", "sync:20", "e-vws"), "speed of E-VWS-Sync20 over E-VWS, convergent loads"},
	{"reform-i-20", "Fig. 14", GAIN_PERCENT, "0", GAIN_H("I", "sync:20", "e-vws"), "speed of E-VWS-Sync20 over E-VWS, insensitive loads"},
	{"reform-fetch-20", "Fig. 15", GAIN_PERCENT, NULL, FETCHES("D", "sync:20", "e-vws"), "fetches of E-VWS-Sync20 over E-VWS, divergent loads", why_wait},
	{"reform-d-100", "Fig. 14", GAIN_PERCENT, NULL, GAIN_H("D", "sync:100", "e-vws"), "speed of E-VWS-Sync100 over E-VWS, divergent loads", why_wait},
	{"reform-c-100", "Fig. 14", GAIN_PERCENT, "0", GAIN_H("C", "sync:100", "e-vws"), "speed of E-VWS-Sync100 over E-VWS, convergent loads"},
	{"reform-i-100", "Fig. 14", GAIN_PERCENT, "0", GAIN_H("I", "sync:100", "e-vws"), "speed of E-VWS-Sync100 over E-VWS, insensitive loads"},
	{"reform-fetch-100", "Fig. 15", GAIN_PERCENT, NULL, FETCHES("D", "sync:100", "e-vws"), "fetches of E-VWS-Sync100 over E-VWS, divergent loads", why_wait},
	{"reform-d-1000", "Fig. 14", GAIN_PERCENT, NULL, GAIN_H("D", "sync:1000", "e-vws"), "speed of E-VWS-Sync1000 over E-VWS, divergent loads", why_wait},
	{"reform-c-1000", "Fig. 14", GAIN_PERCENT, "0", GAIN_H("C", "sync:1000", "e-vws"), "speed of E-VWS-Sync1000 over E-VWS, convergent loads", why_inner},
	{"reform-i-1000", "Fig. 14", GAIN_PERCENT, "0", GAIN_H("I", "sync:1000", "e-vws"), "speed of E-VWS-Sync1000 over E-VWS, insensitive loads", why_inner},
	{"reform-fetch-1000", "Fig. 15", GAIN_PERCENT, NULL, FETCHES("D", "sync:1000", "e-vws"), "fetches of E-VWS-Sync1000 over E-VWS, divergent loads", why_wait},
	{"reform-i-rest", "Fig. 14", GAIN_PERCENT, "0", GAIN_H("I -mriq", "sync:1000", "e-vws"), "speed of E-VWS-Sync1000 over E-VWS, insensitive loads without mriq"},
	{"reform-collatz", "Sec. 6.4", COUNT, NULL, MEAN("collatz", "e-vws", "gang.merges"), "merges of E-VWS in collatz", why_collatz},
	{"reform-collatz-splits", "Sec. 6.4", COUNT, NULL, MEAN("collatz", "sync:1000", "gang.splits.control+gang.splits.exit"), "splits of E-VWS-Sync1000 in collatz"},
	{"reform-collatz-lrr", "Sec. 6.4", COUNT, NULL, MEAN("collatz", "e-vws turns", "gang.merges"), "merges by turns in collatz", why_collatz},
	{"reform-collatz-1000", "Sec. 6.4", COUNT, NULL, MEAN("collatz", "sync:1000", "gang.merges"), "merges of E-VWS-Sync1000 in collatz", why_collatz},
	{"reform-lrr", "Sec. 6.4", GAIN_PERCENT, NULL, GAIN_H("D", "e-vws turns", "e-vws"), "speed of E-VWS by turns over E-VWS, divergent loads", why_meet},
	{"reform-lrr-fetch", "Sec. 6.4", GAIN_PERCENT, NULL, FETCHES("D", "e-vws turns", "e-vws"), "fetches of E-VWS by turns over E-VWS, divergent loads", why_meet},
	{"apart-group-d", "Fig. 16", GAIN_PERCENT, NULL, OVER_GANGS("D", "i-vws-group"), "speed of I-VWS-GroupMem over I-VWS, divergent loads", why_fig16},
	{"apart-group-c", "Fig. 16", GAIN_PERCENT, NULL, OVER_GANGS("C", "i-vws-group"), "speed of I-VWS-GroupMem over I-VWS, convergent loads", why_fig16},
	{"apart-group-i", "Fig. 16", GAIN_PERCENT, NULL, OVER_GANGS("I", "i-vws-group"), "speed of I-VWS-GroupMem over I-VWS, insensitive loads", why_nbody},
	{"apart-group-i-4", "Fig. 16", GAIN_PERCENT, NULL, OVER_GANGS("I", "i-vws-group vws.gangs_per_cycle=4"), "... and 4 gangs a cycle, insensitive loads", why_nbody},
	{"apart-group-nbody", "Fig. 16", GAIN_PERCENT, NULL, OVER_GANGS("nbody", "i-vws-group"), "speed of I-VWS-GroupMem over I-VWS, nbody", why_nbody},
	{"apart-group-nbody-4", "Fig. 16", GAIN_PERCENT, NULL, OVER_GANGS("nbody", "i-vws-group vws.gangs_per_cycle=4"), "... and 4 gangs a cycle, nbody", why_nbody},
	{"apart-impatient-d", "Fig. 16", GAIN_PERCENT, NULL, OVER_GANGS("D", "i-vws-impatient"), "speed of I-VWS-ImpatientMem over I-VWS, divergent loads", why_fig16},
	{"apart-impatient-c", "Fig. 16", GAIN_PERCENT, NULL, OVER_GANGS("C", "i-vws-impatient"), "speed of I-VWS-ImpatientMem over I-VWS, convergent loads", why_fig16},
	{"apart-impatient-i", "Fig. 16", GAIN_PERCENT, NULL, OVER_GANGS("I", "i-vws-impatient"), "speed of I-VWS-ImpatientMem over I-VWS, insensitive loads", why_drawn},
	{"apart-fetch-group", "Fig. 17", GAIN_PERCENT, "41", FETCHES("all", "i-vws-group", "i-vws"), "fetches of I-VWS-GroupMem over I-VWS, all loads", why_parted},
	{"apart-fetch-impatient", "Fig. 17", GAIN_PERCENT, "69", FETCHES("all", "i-vws-impatient", "i-vws"), "fetches of I-VWS-ImpatientMem over I-VWS, all loads", why_parted},
	{"apart-fetch-seven", "Fig. 17", TIMES, NULL, FETCHED(PARTED, "i-vws-group", "i-vws"), "fetches of I-VWS-GroupMem over I-VWS, seven loads that part"},
	{"apart-fetch-seven-impatient", "Fig. 17", TIMES, NULL, FETCHED(PARTED, "i-vws-impatient", "i-vws"), "fetches of I-VWS-ImpatientMem over I-VWS, seven loads that part"},
	{"apart-fetch-group-d", "Fig. 17", GAIN_PERCENT, NULL, FETCHES("D", "i-vws-group", "i-vws"), "fetches of I-VWS-GroupMem over I-VWS, divergent loads", why_parted},
	{"apart-fetch-impatient-d", "Fig. 17", GAIN_PERCENT, NULL, FETCHES("D", "i-vws-impatient", "i-vws"), "fetches of I-VWS-ImpatientMem over I-VWS, divergent loads", why_parted},
	{"ages-8-match", "Fig. 18", PART_PERCENT, NULL, AGE("match", "8", 0), "small warps in gangs of 8, match under I-VWS", why_fig18},
	{"ages-4-match", "Fig. 18", PART_PERCENT, NULL, AGE("match", "4", 0), "small warps in gangs of 4, match", why_fig18},
	{"ages-1-match", "Fig. 18", PART_PERCENT, NULL, AGE("match", "1", 0), "single small warps, match", why_fig18},
	{"ages-late-match", "Fig. 18", PART_PERCENT, NULL, AGE("match", "1", 30), "single small warps in the last quarter, match", why_fig18},
	{"ages-8-raytrace", "Fig. 18", PART_PERCENT, NULL, AGE("raytrace", "8", 0), "small warps in gangs of 8, raytrace under I-VWS", why_fig18},
	{"ages-4-raytrace", "Fig. 18", PART_PERCENT, NULL, AGE("raytrace", "4", 0), "small warps in gangs of 4, raytrace", why_fig18},
	{"ages-1-raytrace", "Fig. 18", PART_PERCENT, NULL, AGE("raytrace", "1", 0), "single small warps, raytrace", why_fig18},
	{"ages-late-raytrace", "Fig. 18", PART_PERCENT, NULL, AGE("raytrace", "1", 30), "single small warps in the last quarter, raytrace", why_fig18},
	{"ages-8-conv2d", "Fig. 18", PART_PERCENT, NULL, AGE("conv2d", "8", 0), "small warps in gangs of 8, conv2d under I-VWS", why_fig18},
	{"ages-4-conv2d", "Fig. 18", PART_PERCENT, NULL, AGE("conv2d", "4", 0), "small warps in gangs of 4, conv2d", why_fig18},
	{"ages-1-conv2d", "Fig. 18", PART_PERCENT, NULL, AGE("conv2d", "1", 0), "single small warps, conv2d", why_fig18},
	{"ages-late-conv2d", "Fig. 18", PART_PERCENT, NULL, AGE("conv2d", "1", 30), "single small warps in the last quarter, conv2d", why_fig18},
};
/* clang-format on */

const struct paper paper_vws = {
	.name = "vws",
	.mechanism = "Variable Warp Sizing",
	.title = "Rogers, Johnson, O'Connor, Keckler, ISCA 2015",
	.groups = "sizes gangs supply choice reform apart ages",
	.folder = WARPS,
	.loads = loads,
	.quick = {.loads = "match conv2d nbody stencil5-wide", .cycles = 8000},
	PAPER_TABLES(words, rows, files),
};
