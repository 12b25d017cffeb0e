/*
 * idempotence_trace.c - stores of a recorded kernel that hit a line which the kernel reads: two passes over its
 * records.
 *
 * The first pass collects the lines that are read, each with the first instruction that did; the second looks the
 * stores up. Deviation: of a line of 128 bytes, other bytes may be written than are read.
 */
#include "idempotence_internal.h"

#include "trace.h"

#define LINE_BYTES 128

/* A line that is read. */
struct line {
	u64 number; /* its address / LINE_BYTES, plus 1; 0: a free place */
	u64 pc;
};
/* Lines by hash, at most half full; a power of two of places. */
struct lines {
	struct line *line;
	u64 places, used;
};

/* The place of a line, or where it would be. */
static struct line *lines_at(const struct lines *t, u64 number)
{
	u64 i = mix64(number) & (t->places - 1);

	while (t->line[i].number && t->line[i].number != number)
		i = (i + 1) & (t->places - 1);
	return &t->line[i];
}

/* Twice as many places. */
static void lines_grow(struct lines *t)
{
	struct lines more = {xcalloc(t->places * 2, sizeof(*t->line)), t->places * 2, t->used};

	for (u64 i = 0; i < t->places; i++)
		if (t->line[i].number)
			*lines_at(&more, t->line[i].number) = t->line[i];
	free(t->line);
	*t = more;
}

/* A lane reads a line, or writes it. */
static void touch_line(struct lines *t, struct idempotence *x, u32 pc, u64 number, bool writes)
{
	struct line *at = lines_at(t, number);

	if (writes && at->number && x->trip[pc].why == TRIP_NONE) {
		x->trip[pc].why = TRIP_LINE;
		x->trip[pc].read = (u32)at->pc;
	}
	if (writes || at->number)
		return;
	*at = (struct line){number, pc};
	if (++t->used * 2 > t->places)
		lines_grow(t);
}

/* One record, in the pass over writes or in that over reads. */
static void see_record(struct lines *t, struct idempotence *x, const struct inst *in, u32 pc,
		       const struct front_result *r, bool writes)
{
	u64 bytes = inst_access_bytes(in);

	if (r->space != SPACE_GLOBAL)
		return;
	if (writes && in->op == OP_ATOM)
		x->trip[pc].why = TRIP_ATOMIC;
	if (writes != (in->op == OP_ST))
		return;
	for (u32 mask = r->mask; mask; mask &= mask - 1) {
		u64 at = r->address[__builtin_ctz(mask)];

		for (u64 n = at / LINE_BYTES; n <= (at + bytes - 1) / LINE_BYTES; n++)
			touch_line(t, x, pc, n + 1, writes);
	}
}

/* All records of a warp. */
static void see_warp(const struct launch *l, u32 cta, u32 warp, struct lines *t, struct idempotence *x, bool writes)
{
	const struct kernel *k = l->kernel;
	struct trace_place at;
	struct front_env env = {.launch = l, .cta = cta, .warp = warp};
	struct front_result r = {.ended = 0};

	if (!trace_start(k, cta, warp, ~0u, false, &at))
		return;
	env.cursor = at.cursor;
	for (u32 pc = at.pc; !r.ended; pc = r.next) {
		const struct inst *in = &k->inst[pc];

		r.space = SPACE_NONE;
		trace_issue(&env, in, &r);
		if (inst_global(in))
			see_record(t, x, in, pc, &r, writes);
		env.cursor = r.cursor;
	}
}

void idempotence_trace(const struct launch *l, struct idempotence *x)
{
	const struct trace *t = l->kernel->trace;
	struct lines lines = {xcalloc(1024, sizeof(struct line)), 1024, 0};

	for (u32 pass = 0; pass < 2; pass++)
		for (u32 cta = 0; cta < t->ctas; cta++)
			for (u32 warp = 0; warp < t->warps; warp++)
				see_warp(l, cta, warp, &lines, x, pass);
	free(lines.line);
}
