/*
 * why_slot.c - why a scheduler chose what it chose: its pool, which warps were ready, accepted, ranked, chosen; the
 * rule of the outcome.
 *
 * The ranks are the policy's own: it is asked again and again, each time without the warps that it has named already,
 * on the machine as it was just before the cycle's issue stage (a fork of the timeline). Deviation: where schedulers
 * share a pool, what an earlier scheduler issued in the same cycle shows in the set of candidates, not in the rest of
 * that state.
 */
#include "why_parts.h"

#include "policy.h"

#define MAX_SLOTS (SLOT_WORDS * 64)

/* One scheduler in one cycle. */
struct ranking {
	struct why *w;
	u32 sub, sched;
	u64 pool[SLOT_WORDS], ready[SLOT_WORDS], candidates[SLOT_WORDS];
	u32 chosen;		    /* slot, NONE32: none */
	bool taken;		    /* chosen by the policy of gangs, which goes by its table */
	u32 rank[MAX_SLOTS], nrank; /* candidates, best first */
};

/* The status of a slot in the cycle. */
static u32 slot_status(const struct why *w, u32 slot)
{
	u32 context = w->slots[slot].context;

	return context == NONE16 ? WARP_STATUS_COUNT : sim_warp_status(w->sim, w->sm, context);
}

/* Does the policy of gangs decide about a slot, not the scheduler? */
static bool ganged(const struct ranking *c, u32 slot)
{
	u32 context = c->w->slots[slot].context;

	return slot == c->chosen ? c->taken : why_ganged(c->w, context);
}

/* Slots of the scheduler, and what they did. */
static void gather(struct ranking *c)
{
	const struct machine *m = c->w->m;
	u32 n = m->config.sm_schedulers, first = c->sub * m->slots_per_sub;
	const struct sched *sched =
		(struct sched *)machine_sm_section(c->w->m, c->w->sm, SECTION_SCHED) + c->sub * n + c->sched;

	c->chosen = sched->chosen == NONE16 ? NONE32 : sched->chosen;
	c->taken = c->chosen != NONE32 && why_issued_in_gang(c->w, c->w->slots[c->chosen].context);
	for (u32 i = first; i < first + m->slots_per_sub; i++) {
		u32 status = slot_status(c->w, i);
		bool other = status == WARP_ISSUED && i != c->chosen;

		if (m->config.sched_pool != 1 && (i - first) % n != c->sched)
			continue;
		SET_ADD(c->pool, i);
		if (status < WARP_HELD || status >= WARP_STATUS_COUNT || other)
			continue;
		SET_ADD(c->ready, i);
		if (c->w->m->policy_gangs && ganged(c, i))
			continue;
		if (status == WARP_ELIGIBLE || status == WARP_ISSUED ||
		    (status == WARP_PAUSED && !m->policy.in[POLICY_rank] &&
		     !SET_HAS(&c->w->sm_state->set[SET_PAUSED * m->words], i)))
			SET_ADD(c->candidates, i);
	}
}

/* What the policy sees before the issue stage. */
static const struct sched_view *view_before(const struct ranking *c)
{
	return sim_look(&c->w->before, c->w->sm, c->sub * c->w->m->config.sm_schedulers + c->sched);
}

/* Let the policy order the candidates. */
static void rank(struct ranking *c)
{
	const struct scheme *order = policy_one(c->w->m, POLICY_order);
	const struct sched_view *view = view_before(c);
	u64 left[SLOT_WORDS];

	memcpy(left, c->candidates, sizeof(left));
	while (set_first(left, c->w->m->words) != NONE32) {
		u32 slot = order->decide.order(view, left);

		if (slot == NONE32 || !SET_HAS(left, slot))
			return;
		c->rank[c->nrank++] = slot;
		SET_DEL(left, slot);
	}
}

/* Look at one scheduler of the cycle that w shows. */
static void ranking_open(struct ranking *c, struct why *w, u32 sub, u32 sched)
{
	*c = (struct ranking){.w = w, .sub = sub, .sched = sched};
	gather(c);
	if (w->before.m)
		rank(c);
}

/* One candidate with its rank. */
static void say_candidate(struct ranking *c, u32 level, u32 place)
{
	struct why *w = c->w;
	u32 slot = c->rank[place], warp = w->slots[slot].context;
	struct text score = {0};
	json_t *o, *scores = w->chain ? json_object() : NULL;

	why_score(policy_one(c->w->m, POLICY_order), view_before(c), slot, &score, scores);
	o = why_say(w, level, "candidate", "%u. warp %u%s%s", place + 1, warp, score.s ? score.s : "",
		    slot == c->chosen ? "  <- issued" : "");
	why_numbers(o, {"rank", place + 1}, {"warp", warp});
	if (o) {
		json_object_set_new(o, "scores", scores);
		json_object_set_new(o, "chosen", json_boolean(slot == c->chosen));
	}
	text_free(&score);
}

/* The candidates in the policy's order. */
static void say_ranks(struct ranking *c, u32 level)
{
	const struct scheme *order = policy_one(c->w->m, POLICY_order), *gang = policy_one(c->w->m, POLICY_gang);
	u32 n = c->nrank;

	if (gang && c->chosen != NONE32 && (c->taken || (n && c->chosen != c->rank[0])))
		why_say(c->w, level, "gang",
			"before %s selected a warp, gang policy %s took the scheduler for warp %u%s", order->name,
			gang->name, c->w->slots[c->chosen].context, c->taken ? ", whose gang issued" : "");
	if (!n)
		return;
	why_say(c->w, level, "policy", "%s (%s) ranks %u candidate%s:", order->name, order->doc, n, n == 1 ? "" : "s");
	for (u32 i = 0; i < n && i < 8; i++)
		say_candidate(c, level + 1, i);
	if (n > 8)
		why_say(c->w, level + 1, "more", "and %u more", n - 8);
	if (n > 1)
		why_orders(c->w, level, view_before(c), c->candidates, c->rank[0]);
}

u32 why_scheduler(const struct why *w, u32 slot)
{
	u32 n = w->m->config.sm_schedulers;
	const struct sched *sched = (struct sched *)machine_sm_section(w->m, w->sm, SECTION_SCHED) + w->sub * n;

	if (w->m->config.sched_pool != 1)
		return slot % w->m->slots_per_sub % n;
	for (u32 i = 0; i < n; i++)
		if (sched[i].chosen == slot)
			return i;
	return n - 1;
}

/* Is there a scheduler slot in the cycle? */
static bool offered(const struct why *w)
{
	return w->cycle && (w->cycle - 1) % w->m->config.issue_interval == 0;
}

/* When the scheduler issues next, and from which warp; NEVER. */
static u64 next_issue(const struct ranking *c, u32 *warp)
{
	u64 contexts[CONTEXT_WORDS] = {0};

	SET_EACH (i, c->pool, c->w->m->words)
		if (c->w->slots[i].context != NONE16)
			SET_ADD(contexts, c->w->slots[i].context);
	return forecast_first(c->w->sim, c->w->sm, contexts, warp);
}

/* The order took none of the warps that were ready: which of the scheduler's warps it issues from next. */
static void say_awaited(struct ranking *c)
{
	u32 warp = NONE32;
	u64 cycle = next_issue(c, &warp);
	json_t *o;

	if (cycle == NEVER) {
		why_say(c->w, 1, "chosen", "scheduler %u.%u issued nothing and does not issue by cycle %llu", c->sub,
			c->sched, c->w->cycle + FORECAST_CYCLES);
		return;
	}
	o = why_say(c->w, 1, "chosen",
		    "scheduler %u.%u issued nothing instead; its next issue is in cycle %llu, from:", c->sub, c->sched,
		    cycle);
	why_numbers(o, {"cycle", cycle}, {"warp", warp});
	why_other(c->w, 2, warp);
}

void why_chosen(struct why *w)
{
	u32 slot = w->warps[w->warp].slot;
	struct ranking c;

	if (!offered(w)) {
		why_say(w, 1, "interval",
			"the warp is ready, but a scheduler issues only once every %u cycles (issue.interval)",
			w->m->config.issue_interval);
		return;
	}
	if (why_gang_chosen(w))
		return;
	ranking_open(&c, w, w->sub, why_scheduler(w, slot));
	if (c.chosen != NONE32 && c.chosen != slot)
		why_number(why_say(w, 1, "chosen", "scheduler %u.%u issued from warp %u instead", c.sub, c.sched,
				   w->slots[c.chosen].context),
			   "warp", w->slots[c.chosen].context);
	if (c.chosen == NONE32)
		say_awaited(&c);
	say_ranks(&c, 1);
}

/* How many warps of the pool are in each status. */
static void say_pool(struct ranking *c)
{
	u32 count[WARP_STATUS_COUNT] = {0}, warps = 0, slots = 0;
	struct text line = {0};
	json_t *o, *counts = c->w->chain ? json_object() : NULL;

	SET_EACH (i, c->pool, c->w->m->words) {
		u32 status = slot_status(c->w, i);

		slots++;
		if (status >= WARP_STATUS_COUNT)
			continue;
		count[status]++;
		warps++;
	}
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++) {
		if (!count[i])
			continue;
		text_add(&line, "%s%s %u", line.len ? ", " : ": ", warp_status_table[i].name, count[i]);
		why_number(counts, warp_status_table[i].name, count[i]);
	}
	o = why_say(c->w, 1, "pool", "scheduler pool: warp slots %u, warps %u%s", slots, warps, line.s ? line.s : "");
	if (o)
		json_object_set_new(o, "statuses", counts);
	text_free(&line);
}

/* Ready warps that were no candidates, beside one that was, and the status that says why. */
static void say_refused(struct ranking *c)
{
	u32 n = 0;

	SET_EACH (i, c->ready, c->w->m->words)
		if (!SET_HAS(c->candidates, i) && c->nrank && n++ < 4)
			why_other(c->w, 2, c->w->slots[i].context);
}

/* Statuses by which an outcome is given, in order of its rule. */
static const u32 outcome_cause[SLOT_OUTCOME_COUNT] = {
	[SLOT_PIPELINE] = 1u << WARP_LSU | 1u << WARP_UNIT | 1u << WARP_COLLECTOR,
	[SLOT_SHORT] = 1u << WARP_SHORT,
	[SLOT_FETCH] = 1u << WARP_FETCH,
	[SLOT_LONG] = 1u << WARP_LONG,
	[SLOT_BARRIER] = 1u << WARP_BARRIER | 1u << WARP_FENCE,
	[SLOT_HELD] =
		1u << WARP_HELD | 1u << WARP_PAUSED | 1u << WARP_GANG | 1u << WARP_SWAPPED | 1u << WARP_PREEMPTING,
};

/* Which part of slots.pipeline counts a slot whose pool has warps in these statuses. */
static void say_cause(const struct ranking *c, u32 statuses)
{
	const char *part = statuses >> WARP_LSU & 1 ? "lsu" : statuses >> WARP_UNIT & 1 ? "unit" : "collector";
	json_t *o = why_say(
		c->w, 2, "cause",
		"counted in slots.pipeline.%s: the first of lsu, unit, collector that is the state of any warp", part);

	why_word(o, "cause", part);
}

/* The outcome, the rule that gives it, the warps that it is for. */
static void say_outcome(struct ranking *c, u32 outcome)
{
	const struct sub *sub = (struct sub *)machine_sm_section(c->w->m, c->w->sm, SECTION_SUB) + c->sub;
	u32 shown = 0, n = 0, statuses = 0;

	why_say(c->w, 1, "outcome", "outcome %s: %s", slot_outcome_table[outcome].name,
		slot_outcome_table[outcome].doc);
	why_say(c->w, 1, "rule",
		"rule: issued, else the first of pipeline, short, fetch, long, barrier, held that applies to "
		"any warp, else idle");
	if (outcome == SLOT_ISSUED || outcome == SLOT_IDLE)
		return;
	SET_EACH (i, c->pool, c->w->m->words) {
		u32 status = slot_status(c->w, i);

		if (status >= WARP_STATUS_COUNT || !(outcome_cause[outcome] >> status & 1))
			continue;
		n++;
		statuses |= 1u << status;
		if (shown < 4 && ++shown)
			why_other(c->w, 2, c->w->slots[i].context);
	}
	if (n > shown)
		why_say(c->w, 2, "more", "and %u more", n - shown);
	if (outcome == SLOT_PIPELINE)
		say_cause(c, statuses);
	if (outcome == SLOT_HELD && sub->swapped)
		why_number(why_say(c->w, 2, "swapped",
				   "warps of the sub-core without a warp slot, because their CTAs are inactive: %u",
				   sub->swapped),
			   "warps", sub->swapped);
}

/* The first warp of the pool to issue, if nothing changes. */
static void say_next(struct ranking *c)
{
	u32 warp = NONE32;
	u64 cycle = next_issue(c, &warp);

	if (cycle == NEVER)
		return;
	why_number(why_say(c->w, 1, "forecast",
			   "if nothing changes, the scheduler issues next from warp %u, in cycle %llu", warp, cycle),
		   "cycle", cycle);
}

void why_slot(struct session *s, const struct sim *sim, u32 sm, u32 sub, u32 sched, struct text *out, json_t *result)
{
	const struct sched *x = (struct sched *)machine_sm_section(sim->m, sm, SECTION_SCHED) +
				sub * sim->m->config.sm_schedulers + sched;
	struct ranking c;
	struct why w;

	why_open(&w, s, sim, sm, out, result);
	w.sub = sub;
	w.warp = NONE32;
	if (!offered(&w)) {
		why_say(&w, 0, "interval", "scheduler %u.%u (SM %u) has no issue slot in cycle %llu: %s", sub, sched,
			sm, w.cycle,
			w.cycle ? "a scheduler issues only once every issue.interval cycles"
				: "no cycle has been simulated");
		return;
	}
	why_past(&w, 1);
	ranking_open(&c, &w, sub, sched);
	why_say(&w, 0, "scheduler", "scheduler %u.%u (SM %u) in cycle %llu: %s%s", sub, sched, sm, w.cycle,
		slot_outcome_table[x->outcome].name, x->outcome == SLOT_ISSUED ? "" : ", the issue slot was lost");
	say_pool(&c);
	say_ranks(&c, 1);
	why_ranks(&w, sub * sim->m->config.sm_schedulers + sched);
	if (set_first(c.ready, w.m->words) == NONE32)
		why_say(&w, 1, "ready", "no warp of the scheduler was ready");
	say_refused(&c);
	say_outcome(&c, x->outcome);
	say_next(&c);
	why_say(&w, 0, "see", "see: explain %s, info policy, break %s%s", slot_outcome_table[x->outcome].name,
		x->outcome == SLOT_ISSUED ? "issue" : "lost ",
		x->outcome == SLOT_ISSUED ? "" : slot_outcome_table[x->outcome].name);
	why_close(&w);
}
