/* lines.c - counts per instruction and per source line, collected and put in order (lines.h). */
#include "lines.h"
#include "source.h"
#include "events.h"
#include "stats.h"

u64 line_stalls(const struct line_count *c)
{
	u64 sum = 0;

	for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
		sum += k == WARP_ISSUED || k == WARP_DONE ? 0 : c->statuses[k];
	return sum;
}

/* The rows of one kernel, appended. */
static void collect(struct session *s, u32 launch, struct line_row *row, u32 *n)
{
	const struct kernel *k = s->program.launch[launch].kernel;

	for (u32 pc = 0; pc < k->ninst; pc++) {
		struct line_row *r = &row[(*n)++];
		struct source_frame at;

		*r = (struct line_row){.kernel = k, .launch = launch, .pc = pc, .instructions = 1};
		if (source_user(k, pc, &at)) {
			r->file = at.file;
			r->line = at.line;
		}
		shadow_line(&s->sim, launch, pc, &r->count);
	}
}

struct line_row *lines_collect(struct session *s, const struct kernel *only, u32 *n)
{
	struct line_row *row = xmalloc((s->sim.nlines + 1) * sizeof(*row));
	const struct program *p = &s->program;

	*n = 0;
	stats_sync(s);
	for (u32 i = 0; i < p->nlaunch; i++) {
		u32 same = 0;

		while (p->launch[same].kernel != p->launch[i].kernel)
			same++;
		if (same == i && (!only || only == p->launch[i].kernel))
			collect(s, i, row, n);
	}
	return row;
}

void lines_add(struct line_row *to, const struct line_row *from)
{
	u64 *a = (u64 *)(void *)&to->count, degree = max_u64(to->count.degree, from->count.degree);
	const u64 *b = (const u64 *)(const void *)&from->count;

	for (u32 i = 0; i < sizeof(to->count) / sizeof(*a); i++)
		a[i] += b[i];
	to->count.degree = degree;
	to->kernel = to->kernel ? to->kernel : from->kernel;
	to->instructions += from->instructions;
	to->pc = min_u32(to->pc, from->pc);
}

/* By kernel as launched, file, line, place in the code. */
static int by_line(const void *a, const void *b)
{
	const struct line_row *x = a, *y = b;

	return ORDER_BY({x->launch, y->launch}, {x->file, y->file}, {x->line, y->line}, {x->pc, y->pc});
}

u32 lines_merge(struct line_row *row, u32 n)
{
	u32 out = 0;

	qsort(row, n, sizeof(*row), by_line);
	for (u32 i = 0; i < n; i++) {
		struct line_row *last = out ? &row[out - 1] : NULL;

		if (!row[i].line)
			continue;
		if (last && last->launch == row[i].launch && last->file == row[i].file && last->line == row[i].line)
			lines_add(last, &row[i]);
		else
			row[out++] = row[i];
	}
	return out;
}

/* How bad a row is in an order. */
static u64 weight(const struct line_row *r, enum lines_order order)
{
	const struct line_count *c = &r->count;

	switch (order) {
	case LINES_BY_STALLS: return line_stalls(c);
	case LINES_BY_BANKS: return c->shared_cycles - c->shared_best;
	case LINES_BY_SECTORS: return c->sectors - c->sectors_best;
	default: return 0;
	}
}

/* The heaviest first; the same in code order. */
static int compare(const void *a, const void *b, void *order)
{
	const struct line_row *x = a, *y = b;
	enum lines_order by = *(enum lines_order *)order;

	return ORDER_BY({weight(y, by), weight(x, by)}, {x->launch, y->launch}, {x->pc, y->pc});
}

void lines_sort(struct line_row *row, u32 n, enum lines_order order)
{
	qsort_r(row, n, sizeof(*row), compare, &order);
}

const char *line_place(const struct kernel *k, u32 pc, char *out, size_t size)
{
	const struct inst *in = pc < k->ninst ? &k->inst[pc] : NULL;
	struct source_frame at;
	bool known = in && source_user(k, pc, &at);
	const char *file = known ? source_name(k->module, at.file) : NULL;

	out[0] = '\0';
	if (file)
		snprintf(out, size, "%s:%u", safe_text(file), at.line);
	else if (known && at.line) /* of a trace */
		snprintf(out, size, "%u", at.line);
	else if (in && in->ptx_line)
		snprintf(out, size, "ptx %u", in->ptx_line);
	return out;
}
