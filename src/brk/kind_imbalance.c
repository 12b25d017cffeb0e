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

/* How long each SM has been so, as far as that is known. */
static void imbalance_placed(struct session *s UNUSED, struct breakpoint *b, const struct sim *sim)
{
	u32 n = sim->m->config.gpu_sms;

	streaks_place(b, n, machine_gpu(sim->m)->cycle);
	for (u32 i = 0; i < n; i++)
		if (crowded_sub(sim, i) == NONE32)
			b->streak[i] = 0;
}

/* A hit if some SM's run has become long enough; the condition sees the SM and the sub-core with too much. */
static bool imbalance_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	u32 n = sim->m->config.gpu_sms;
	bool seen = streaks_seen(b, h->cycle);

	if (b->nstreaks != n)
		streaks_place(b, n, NEVER);
	for (u32 i = 0; i < n; i++) {
		u32 sub = crowded_sub(sim, i);
		struct record r = {.kind = EVENT_COUNT,
				   .sm = (u16)i,
				   .warp = NONE16,
				   .launch = 0xff,
				   .sub = (u8)sub,
				   .cta = NONE32,
				   .pc = NONE32};

		if (streaks_step(b, h->cycle, i, sub != NONE32, seen) && !seen)
			met_add(s, b, &r, h);
	}
	return seen ? hits_at(b, h->cycle) != NULL : h->met != 0;
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
	.placed = imbalance_placed,
	.check = imbalance_check,
	.describe = imbalance_describe,
};
