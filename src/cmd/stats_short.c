/*
 * stats_short.c - stats without a name: what matters at a glance. Of a sum that has parts the largest parts are shown,
 * each with its share, and the others as one line; what is 0 is left out, but for the first lines. `stats all` prints
 * the rest.
 */
#include "arguments.h"
#include "session.h"
#include "stats.h"

#define PARTS_SHOWN 5	/* largest parts of a sum */
#define KERNELS_SHOWN 4 /* launches with the most cycles */
#define PARTS_MOST 64

/* The lines, in their order: a statistic, or a sum and the family of its parts. */
static const struct {
	const char *name, *parts;
	bool always; /* also if it is 0 */
} line[] = {
	/* clang-format off */
	{"cycle", NULL, true},
	{"config.hash", NULL, true},
	{"inst.warp", NULL, true},
	{"inst.thread", NULL, true},
	{"ipc", NULL, true},
	{"lanes.issue", NULL, false},
	{"slots.total", "slots.", false},
	{"occupancy.warps", NULL, false},
	{"occupancy.ctas", NULL, false},
	{"occupancy.warp_cycles", "warps.", false},
	{"rf.conflict_cycles", NULL, false},
	{"shared.accesses", NULL, false},
	{"shared.cycles", NULL, false},
	{"branch.issued", NULL, false},
	{"branch.diverged", NULL, false},
	{"mem.instructions", NULL, false},
	{"mem.lines", NULL, false},
	{"mem.sectors", NULL, false},
	{"mem.latency", NULL, false},
	{"l1d.accesses", NULL, false},
	{"l1d.hit_rate", NULL, false},
	{"l1d.refused", "l1d.refused.", false},
	{"l2.accesses", NULL, false},
	{"l2.hit_rate", NULL, false},
	{"l2.atomics", NULL, false},
	{"dram.reads", NULL, false},
	{"dram.writes", NULL, false},
	{"dram.share", NULL, false},
	{"copies.issued", NULL, false},
	{"issue.stolen", NULL, false},
	{"gang.issues", NULL, false},
	{"vt.swaps", NULL, false},
	{"cta.finished", NULL, false},
	{"preempt.decisions", NULL, false},
	{"cta.flushed", NULL, false},
	{"cta.saved", NULL, false},
	{"cta.killed", NULL, false},
	{"deadline.requests", NULL, false},
	{"deadline.missed", NULL, false},
	{"subcore.issued", NULL, false},
	{"subcore.cov", NULL, false},
	{"events.race", NULL, false},
	{"events.uninitialized", NULL, false},
	/* clang-format on */
};

/* One part of a sum, or one launch with its cycles. */
struct part {
	char name[64];
	const char *unit;
	double value;
};

/* What the walks over the statistics collect. */
struct shown {
	struct session *s;
	u32 n;		   /* statistics shown */
	bool always;	   /* the one that is looked up is shown even if it is 0 */
	const char *parts; /* what the names of the parts begin with */
	struct part part[PARTS_MOST];
	u32 nparts, kernels; /* kernels: launches counted */
};

static bool stats_short_is_zero(const struct stat_value *v)
{
	for (u32 i = 0; i < v->count && !v->text; i++)
		if (value_as_real(v->value[i]) != 0)
			return false;
	return !v->text;
}

static void stats_short_line(void *self, const struct stat_value *v)
{
	struct shown *w = self;

	if (!w->always && stats_short_is_zero(v))
		return;
	stats_print(w->s, v);
	w->n++;
}

static void stats_short_count(void *self, const struct stat_value *v)
{
	u32 *n = self;

	(void)v;
	++*n;
}

/* A part of the sum. A statistic with one more dot is a part of a part, and the sum of slots has a name among them. */
static void stats_short_part(void *self, const struct stat_value *v)
{
	struct shown *w = self;
	double value = value_as_real(v->value[0]);
	struct part *p = &w->part[w->nparts];

	if (strchr(v->name + strlen(w->parts), '.') || !strcmp(v->name, "slots.total") || value == 0)
		return;
	w->nparts++;
	INVARIANT(w->nparts <= PARTS_MOST);
	snprintf(p->name, sizeof(p->name), "%s", v->name);
	p->unit = v->unit;
	p->value = value;
}

/* Larger ones first; of equal ones the table's order does not matter, but must be one. */
static int stats_short_compare(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* One part of a sum, or the others, as a line. */
static void stats_short_share(const struct shown *w, const char *name, double value, double sum)
{
	double percent = 100 * value / sum;

	session_print(w->s, "  %-26s %.0f %s (", name, value, w->part[0].unit);
	session_print(w->s, percent < 0.5 ? "<1 %%)\n" : "%.0f %%)\n", percent);
}

/* The parts of a sum: the largest, each with its share, then the others. One other has its own line. */
static void stats_short_parts(struct shown *w, const char *family)
{
	char glob[64], rest[64];
	double sum = 0, others = 0;
	u32 shown;

	w->parts = family;
	w->nparts = 0;
	snprintf(glob, sizeof(glob), "%s*", family);
	stats_each(w->s, glob, false, stats_short_part, w);
	qsort(w->part, w->nparts, sizeof(w->part[0]), stats_short_compare);
	shown = w->nparts <= PARTS_SHOWN + 1 ? w->nparts : PARTS_SHOWN;
	for (u32 i = 0; i < w->nparts; i++) {
		sum += w->part[i].value;
		others += i < shown ? 0 : w->part[i].value;
	}
	for (u32 i = 0; i < shown; i++)
		stats_short_share(w, w->part[i].name, w->part[i].value, sum);
	w->n += shown;
	if (shown == w->nparts)
		return;
	snprintf(rest, sizeof(rest), "%s* (%u others)", family, w->nparts - shown);
	stats_short_share(w, rest, others, sum);
}

/* The cycles of a launch: among the parts, where the least of a full list makes room for a longer one. */
static void stats_short_kernel(void *self, const struct stat_value *v)
{
	struct shown *w = self;
	struct part *p = &w->part[w->nparts];
	double cycles = value_as_real(v->value[0]);
	const char *number = v->name + strlen("kernel.");

	if (strcmp(number + strspn(number, "0123456789"), ".cycles") != 0) /* kernel.0.ended.cycles */
		return;
	w->kernels++;
	if (w->nparts == PARTS_MOST) {
		p = w->part;
		for (u32 i = 1; i < PARTS_MOST; i++)
			p = w->part[i].value < p->value ? &w->part[i] : p;
		if (p->value >= cycles)
			return;
	} else {
		w->nparts++;
	}
	snprintf(p->name, sizeof(p->name), "%.*s", (int)(strlen(v->name) - strlen(".cycles")), v->name);
	p->value = cycles;
}

/* Name, cycles and IPC of the launches with the most cycles. One kernel alone has issued what the run has. */
static void stats_short_kernels(struct shown *w)
{
	static const char *const of[] = {"name", "cycles", "inst.warp", "ipc"};
	char name[80];
	u32 n;

	w->nparts = w->kernels = 0;
	stats_each(w->s, "kernel.*.cycles", false, stats_short_kernel, w);
	qsort(w->part, w->nparts, sizeof(w->part[0]), stats_short_compare);
	n = min_u32(w->nparts, KERNELS_SHOWN);
	for (u32 i = 0; i < n; i++)
		for (u32 f = 0; f < (w->kernels == 1 ? 2 : ARRAY_LEN(of)); f++) {
			snprintf(name, sizeof(name), "%s.%s", w->part[i].name, of[f]);
			stats_each(w->s, name, false, stats_short_line, w);
		}
	if (w->kernels > n)
		session_print(w->s, "(%u other%s took fewer cycles: `stats kernel.*.cycles`)\n", w->kernels - n,
			      w->kernels == n + 1 ? " kernel" : " kernels");
}

void stats_short(struct session *s)
{
	struct shown *w = xcalloc(1, sizeof(*w));
	u32 all = 0;

	w->s = s;
	stats_each(s, NULL, true, stats_short_count, &all);
	for (u32 i = 0; i < ARRAY_LEN(line); i++) {
		u32 before = w->n;
		struct stat_handle h;

		INVARIANT(stat_find(line[i].name, &h));
		w->always = line[i].always;
		stats_each(s, line[i].name, false, stats_short_line, w);
		if (line[i].parts && w->n > before)
			stats_short_parts(w, line[i].parts);
	}
	w->always = false;
	stats_short_kernels(w);
	w->always = true;
	stats_each(s, "host.rate", true, stats_short_line, w);
	session_print(s, "(%u of %u statistics; see also: stats all, stats l1d.*, limits)\n", w->n, all);
	free(w);
}
