/*
 * issue.c - stage issue: schedulers choose among ready warps; what was chosen is in perform.c.
 *
 * For every scheduler: ready slots of its pool, less those that a policy holds; of them the accepted ones (a collector unit
 * is free, or none is needed); narrowed by the rank policies; one chosen by the order policy. The sets that remain are the
 * statuses of the others. Source: MECHANISMS section 0.
 */
#include "core.h"
#include "perform.h"

#include <string.h>

/* Sets of one sub-core while its schedulers choose. */
struct choice {
	u64 free[SLOT_WORDS];	/* slots that were ready when the stage began and have not issued */
	u64 pool[SLOT_WORDS];	/* of the scheduler at work */
	u64 ready[SLOT_WORDS], accepted[SLOT_WORDS], candidates[SLOT_WORDS];
};

/* Why no collector unit is free: what all their holders wait for, if it is one thing. */
static u32 collectors_wait_for(struct sm_view *v, u32 sub_id)
{
	const struct sub *sub = &v->sub[sub_id];
	u32 n = v->m->config.sm_collectors, lsu = 0;
	if (sub->ready_collectors != (u32)((1ULL << n) - 1))
		return WARP_COLLECTOR;
	const struct collector *cu = &v->collector[sub_id * n];
	for (u32 i = 0; i < n; i++)
		lsu += class_table[view_kernel(v, cu[i].context)->inst[cu[i].pc].class].unit == UNIT_LSU;
	return lsu == n ? WARP_LSU : WARP_UNIT;
}

/* Slots of a scheduler of the sub-core. */
static void pool_of(const struct sm_view *v, u32 sched, u64 *pool)
{
	u32 n = v->m->config.sm_schedulers;
	if (n == 1 || v->m->config.sched_pool == 1) {
		memset(pool, 0xff, SLOT_WORDS * sizeof *pool);
		return;
	}
	memset(pool, 0, SLOT_WORDS * sizeof *pool);
	for (u32 i = sched; i < v->m->slots_per_sub; i += n)
		SET_ADD(pool, i);
}

/* Everything that a policy may look at. */
static struct sched_view policy_view(struct sm_view *v, u32 sub_id, u32 sched_id, const u64 *pool)
{
	return (struct sched_view){
		.m = v->m, .sm = v->sm, .sub = &v->sub[sub_id], .slot = &v->slot[sub_id * v->m->slots_per_sub],
		.warp = v->warp, .stack = v->stack,
		.sched = &v->sched[sub_id * v->m->config.sm_schedulers + sched_id], .kernel = v->sim->kernel,
		.pool = pool, .sm_id = v->id, .sub_id = sub_id, .sched_id = sched_id };
}

/* into |= from & ~without */
static void add_rest(u64 *into, const u64 *from, const u64 *without, u32 words)
{
	for (u32 i = 0; i < words; i++)
		into[i] |= from[i] & ~without[i];
}

static bool any(const u64 *set, u32 words)
{
	u64 bits = 0;
	for (u32 i = 0; i < words; i++)
		bits |= set[i];
	return bits != 0;
}

/* Let the hold policies clear bits of ready. */
static void apply_holds(struct sm_view *v, u32 sub_id, u32 sched_id, struct choice *c)
{
	u64 before[SLOT_WORDS];
	memcpy(before, c->ready, sizeof before);
	struct sched_view view = policy_view(v, sub_id, sched_id, c->pool);
	for (u64 rows = v->m->policy_hold; rows; rows &= rows - 1)
		scheme_table[__builtin_ctzll(rows)]->hold(&view, c->ready);
	for (u32 i = 0; i < v->m->words; i++)
		c->ready[i] &= before[i];
	add_rest(sub_seen(&v->sub[sub_id], WARP_HELD), before, c->ready, v->m->words);
}

/* Let the rank policies narrow the candidates, which stay a non-empty part of the accepted. */
static void apply_ranks(struct sm_view *v, u32 sub_id, u32 sched_id, struct choice *c)
{
	struct sched_view view = policy_view(v, sub_id, sched_id, c->pool);
	for (u64 rows = v->m->policy_rank; rows; rows &= rows - 1)
		scheme_table[__builtin_ctzll(rows)]->rank(&view, c->candidates);
	for (u32 i = 0; i < v->m->words; i++)
		INVARIANT((c->candidates[i] & ~c->accepted[i]) == 0);
	add_rest(sub_seen(&v->sub[sub_id], WARP_PAUSED), c->accepted, c->candidates, v->m->words);
}

/* What an earlier scheduler of a shared pool said of these slots is decided anew. */
static void reconsider(struct sub *sub, const u64 *ready, u32 words)
{
	for (u32 k = WARP_HELD; k <= WARP_ELIGIBLE; k++)
		for (u32 i = 0; i < words; i++)
			sub_seen(sub, k)[i] &= ~ready[i];
}

/* Sets of ready, accepted and candidate slots of one scheduler; the statuses of those left out. */
static bool gather(struct sm_view *v, u32 sub_id, u32 sched_id, struct choice *c)
{
	struct sub *sub = &v->sub[sub_id];
	const u64 *control = sub_set(sub, SET_CONTROL), *loads = sub_set(sub, SET_LOADS);
	u32 words = v->m->words;
	bool collector = sub->free_collectors != 0, load = v->sm->load_free != NONE16;
	for (u32 i = 0; i < words; i++)
		c->ready[i] = c->pool[i] & c->free[i];
	if (!any(c->ready, words))
		return false;
	reconsider(sub, c->ready, words);
	if (v->m->policy_hold)
		apply_holds(v, sub_id, sched_id, c);
	for (u32 i = 0; i < words; i++) {
		c->accepted[i] = c->ready[i] & (collector ? ~0ULL : control[i]) & (load ? ~0ULL : ~loads[i]);
		c->candidates[i] = c->accepted[i];
	}
	if (!collector)
		sub->blocked_for = (u8)collectors_wait_for(v, sub_id);
	else if (!load)
		sub->blocked_for = WARP_LSU;
	add_rest(sub_seen(sub, sub->blocked_for), c->ready, c->accepted, words);
	if (v->m->policy_rank && any(c->candidates, words))
		apply_ranks(v, sub_id, sched_id, c);
	return any(c->candidates, words);
}

/* One scheduler: choose and issue. */
static void schedule(struct sm_view *v, u32 sub_id, u32 sched_id, struct choice *c)
{
	struct sched *sched = &v->sched[sub_id * v->m->config.sm_schedulers + sched_id];
	struct sub *sub = &v->sub[sub_id];
	sched->chosen = NONE16;
	if (!gather(v, sub_id, sched_id, c))
		return;
	struct sched_view view = policy_view(v, sub_id, sched_id, c->pool);
	u32 slot = scheme_table[v->m->policy_order]->order(&view, c->candidates);
	if (slot == NONE32) {
		add_rest(sub_seen(sub, WARP_PAUSED), c->candidates, (u64[SLOT_WORDS]){ 0 }, v->m->words);
		return;
	}
	INVARIANT(slot < v->m->slots_per_sub && SET_HAS(c->candidates, slot));
	SET_DEL(c->candidates, slot);
	SET_DEL(c->free, slot);
	add_rest(sub_seen(sub, WARP_ELIGIBLE), c->candidates, (u64[SLOT_WORDS]){ 0 }, v->m->words);
	SET_ADD(sub_seen(sub, WARP_ISSUED), slot);
	sched->last = sched->chosen = (u16)slot;
	sched->issued++;
	sub->issued++;
	v->sleep->active = 1;
	perform(v, v->slot[sub_id * v->m->slots_per_sub + slot].context);
}

/* Does any slot of the pool have one of these statuses? */
static bool seen(struct sub *sub, const u64 *pool, u32 words, u32 a, u32 b, u32 c)
{
	const u64 *x = sub_seen(sub, a), *y = sub_seen(sub, b), *z = sub_seen(sub, c);
	u64 bits = 0;
	for (u32 i = 0; i < words; i++)
		bits |= (x[i] | y[i] | z[i]) & pool[i];
	return bits != 0;
}

/* The outcome of a scheduler slot: the first that applies. */
static u32 outcome(struct sub *sub, const struct sched *sched, const u64 *pool, u32 words)
{
	if (sched->chosen != NONE16)
		return SLOT_ISSUED;
	if (seen(sub, pool, words, WARP_LSU, WARP_UNIT, WARP_COLLECTOR))
		return SLOT_PIPELINE;
	if (seen(sub, pool, words, WARP_SHORT, WARP_SHORT, WARP_SHORT))
		return SLOT_SHORT;
	if (seen(sub, pool, words, WARP_FETCH, WARP_FETCH, WARP_FETCH))
		return SLOT_FETCH;
	if (seen(sub, pool, words, WARP_LONG, WARP_LONG, WARP_LONG))
		return SLOT_LONG;
	if (seen(sub, pool, words, WARP_BARRIER, WARP_FENCE, WARP_FENCE))
		return SLOT_BARRIER;
	if (seen(sub, pool, words, WARP_HELD, WARP_PAUSED, WARP_GANG) ||
	    seen(sub, pool, words, WARP_SWAPPED, WARP_PREEMPTING, WARP_PREEMPTING))
		return SLOT_HELD;
	return SLOT_IDLE;
}

/* Statuses that do not depend on what is chosen: as the sets are when the issue stage begins. */
static void look(struct sub *sub, u32 words)
{
	static const u8 status[] = { [SET_DONE] = WARP_DONE, [SET_BARRIER] = WARP_BARRIER, [SET_FENCE] = WARP_FENCE,
				     [SET_FETCH] = WARP_FETCH, [SET_LONG] = WARP_LONG, [SET_SHORT] = WARP_SHORT };
	for (u32 s = SET_DONE; s <= SET_SHORT; s++)
		memcpy(sub_seen(sub, status[s]), sub_set(sub, s), words * sizeof(u64));
	for (u32 k = WARP_GANG; k <= WARP_ISSUED; k++)
		memset(sub_seen(sub, k), 0, words * sizeof(u64));
}

/* Between two scheduler slots (issue.interval > 1) ready warps wait as eligible. */
static void no_slot(struct sm_view *v, u32 sub_id)
{
	struct sub *sub = &v->sub[sub_id];
	memcpy(sub_seen(sub, WARP_ELIGIBLE), sub_set(sub, SET_READY), v->m->words * sizeof(u64));
	for (u32 k = 0; k < v->m->config.sm_schedulers; k++)
		v->sched[sub_id * v->m->config.sm_schedulers + k].chosen = NONE16;
}

/* The schedulers of one sub-core, in index order; ready: its ready slots when the stage began. */
static void issue_sub(struct sm_view *v, u32 sub_id, const u64 *ready)
{
	struct sub *sub = &v->sub[sub_id];
	u32 n = v->m->config.sm_schedulers, words = v->m->words;
	struct choice c;
	memcpy(c.free, ready, sizeof c.free);
	for (u32 k = 0; k < n; k++) {
		struct sched *sched = &v->sched[sub_id * n + k];
		pool_of(v, k, c.pool);
		schedule(v, sub_id, k, &c);
		sched->outcome = (u8)outcome(sub, sched, c.pool, words);
	}
}

/* Stage issue. What one warp does (release a barrier, take a load entry) shows to others from the next cycle on, or to later
 * sub-cores where it is a resource of the SM. */
void sm_issue(struct sm_view *v)
{
	u64 ready[MAX_SUBCORES][SLOT_WORDS];
	u32 subs = v->m->config.sm_subcores;
	bool slots = view_cycle(v) % v->m->config.issue_interval == 0;
	for (u32 i = 0; i < subs; i++) {
		look(&v->sub[i], v->m->words);
		memcpy(ready[i], sub_set(&v->sub[i], SET_READY), sizeof ready[i]);
	}
	for (u32 i = 0; i < subs; i++) {
		if (slots)
			issue_sub(v, i, ready[i]);
		else
			no_slot(v, i);
	}
	sm_account(v);
}
