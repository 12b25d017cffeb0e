/*
 * kind_imbalance.c - stop where one sub-core of an SM has nothing to issue while another has more than it can: `break
 * imbalance`.
 *
 * Idle: no warp of the sub-core is ready. Too much: more warps are eligible, those that issue counted, than it has
 * schedulers: two where it has one.
 */
#include "hits.h"
#include "policy.h"

/* Warps of a sub-core that were in a status in the last cycle. */
static u32 warps_in(const struct sim *sim, const struct sm *sm, u32 sub, u32 status)
{
	const struct machine *m = sim->m;
	u32 n = 0;

	for (u32 i = sub * m->slots_per_sub; i < (sub + 1) * m->slots_per_sub; i++)
		n += SET_HAS(&sm->seen[status * m->words], i);
	return n;
}

/* The sub-core with too much in an SM in which another idles, NONE32 if there is none. */
static u32 crowded_sub(const struct sim *sim, u32 id)
{
	const struct sm *sm = machine_sm_section(sim->m, id, SECTION_SM);
	u32 idle = 0, crowded = NONE32;

	for (u32 i = 0; i < sim->m->config.sm_subcores; i++) {
		u32 open = warps_in(sim, sm, i, WARP_ISSUED) + warps_in(sim, sm, i, WARP_ELIGIBLE), ready = open;

		for (u32 k = WARP_HELD; k <= WARP_PAUSED; k++)
			ready += warps_in(sim, sm, i, k);
		idle += !ready;
		if (open > sim->m->config.sm_schedulers && crowded == NONE32)
			crowded = i;
	}
	return idle ? crowded : NONE32;
}

/* [for N] */
static enum status imbalance_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
				   struct error *e)
{
	return streaks_parse(b, text, "name", column, e);
}

static u32 imbalance_things(const struct sim *sim)
{
	return sim->m->config.gpu_sms;
}

static bool imbalance_lasts(const struct breakpoint *b UNUSED, const struct sim *sim, u32 sm)
{
	return crowded_sub(sim, sm) != NONE32;
}

/* The SM and the sub-core with too much. */
static void imbalance_about(const struct sim *sim, u32 sm, struct record *r)
{
	r->sm = (u16)sm;
	r->sub = (u8)crowded_sub(sim, sm);
}

/* What is said. */
static void imbalance_describe(const struct session *s UNUSED, const struct breakpoint *b, const struct hit *h,
			       struct text *out)
{
	text_add(
		out,
		"SM %u: sub-core %u has more eligible warps than schedulers while another sub-core has no ready warp, for %u cycle%s",
		h->record.sm, h->record.sub, b->length, plural(b->length));
}

const struct break_kind break_kind_imbalance = {
	.name = "imbalance",
	.words = "for",
	.usage = "imbalance [for N]",
	.doc = "stop when, for N cycles in a row, one sub-core of an SM has no ready warp and another has more eligible warps than schedulers",
	.parse = imbalance_parse,
	.every_cycle = true,
	.placed = streaks_placed,
	.check = streaks_check,
	.things = imbalance_things,
	.lasts = imbalance_lasts,
	.about = imbalance_about,
	.describe = imbalance_describe,
};
