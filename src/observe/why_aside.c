/*
 * why_aside.c - what waits in the re-execution queue (lsu.reexec): its place, what of its warp stands before it, whose
 * turn it is.
 */
#include "why_parts.h"

/* One of the two queues. */
struct row {
	const struct ring_slot *entry;
	u32 count, at; /* at: where the next try is made */
	const char *name;
};

static void rows(const struct why *w, struct row *row)
{
	row[0] = (struct row){machine_sm_section(w->m, w->sm, SECTION_REEXEC), w->sm_state->reexec_count,
			      w->sm_state->reexec_at, "re-execution queue (lsu.reexec)"};
	row[1] = (struct row){machine_sm_section(w->m, w->sm, SECTION_REEXEC_INACTIVE), w->sm_state->reexec_inactive,
			      w->sm_state->reexec_inactive_at,
			      "re-execution queue of inactive CTAs, which is served after the other"};
}

/* The number of a memory operation in the queues, counted from 1 in each; 0: it is in neither. */
static u32 number_of(const struct row *row, u32 memop)
{
	for (u32 k = 0; k < 2; k++)
		for (u32 i = 0; i < row[k].count; i++)
			if (row[k].entry[i].memop == memop)
				return i + 1;
	return 0;
}

bool why_barred(struct why *w, u32 level, u32 memop)
{
	const struct memop *op = machine_sm_section(w->m, w->sm, SECTION_MEMOP);
	u32 before = sim_reexec_barrier(w->sim, w->sm, memop), n;
	struct row row[2];
	json_t *o;

	if (before == NONE32)
		return false;
	rows(w, row);
	n = number_of(row, before);
	if (why_current(w, op[before].context, op[before].generation))
		o = why_say(w, level, "behind", "blocked by entry %u of the same warp: %s", n,
			    why_text(w, op[before].context, op[before].pc));
	else
		o = why_say(w, level, "behind", "blocked by entry %u of the same warp", n);
	why_numbers(o, {"number", n}, {"pc", op[before].pc});
	return true;
}

/* An entry: where it is, how much of it is done, what it waits for. */
static void say_entry(struct why *w, u32 level, const struct row *row, u32 i)
{
	const struct memop *op = machine_sm_section(w->m, w->sm, SECTION_MEMOP), *x = &op[row->entry[i].memop];
	json_t *o = why_say(w, level, "reexec",
			    "the access is entry %u of %u in the %s; %u of its %u line accesses are done", i + 1,
			    row->count, row->name, x->done, x->count);

	why_number(o, "number", i + 1);
	if (!why_barred(w, level + 1, row->entry[i].memop))
		why_say(w, level + 1, "turn",
			"no earlier entry of its warp blocks it; entry %u is retried next, when the LSU leaves the L1D free",
			row->at < row->count ? row->at + 1 : 1);
}

void why_aside_load(struct why *w, u32 level, u32 load)
{
	const struct memop *op = machine_sm_section(w->m, w->sm, SECTION_MEMOP);
	struct row row[2];

	rows(w, row);
	for (u32 k = 0; k < 2; k++)
		for (u32 i = 0; i < row[k].count; i++)
			if (op[row[k].entry[i].memop].load == load)
				say_entry(w, level, &row[k], i);
}

void why_aside_writes(struct why *w, u32 level)
{
	const struct memop *op = machine_sm_section(w->m, w->sm, SECTION_MEMOP);
	struct row row[2];

	rows(w, row);
	for (u32 k = 0; k < 2; k++)
		for (u32 i = 0; i < row[k].count; i++) {
			const struct memop *x = &op[row[k].entry[i].memop];

			if (x->context != w->warp || x->load != NONE16 || !why_current(w, x->context, x->generation))
				continue;
			why_say(w, level, "aside", "%s has not left the SM", why_text(w, x->context, x->pc));
			say_entry(w, level + 1, &row[k], i);
		}
}
