/*
 * issue.c - stage issue: schedulers choose among ready warps; what was chosen is in perform.c.
 *
 * For every scheduler: ready slots of its pool, less those that a policy holds; of them the accepted ones (a collector
 * unit is free, or none is needed; for a branch, a branch unit); narrowed by the rank policies; one chosen by the order
 * policy. The sets that remain are the statuses of the others. An `extra` policy may let one more warp issue beside the
 * chosen one, which the outcome of the scheduler slot does not count (issue.stolen does). Gangs (gang.c) take
 * schedulers before these choose. Source: warpstep-model(7).
 */
#include "issue/issue.h"
#include "state/slices.h"
#include "state/units.h"
#include "execute/ideal.h"
#include "execute/perform.h"
#include "issue/scheduling.h"

#include <string.h>

/* The number of words of a set is a constant in the common case (64 slots or fewer), so that the loops over words
 * vanish. Where nobody but the order has a say (m->issue_plain) and no CTA is paused, `plain` is true, and what asks
 * the others vanishes, too. */

static const u64 nothing[SLOT_WORDS];

/* Why no collector unit is free: what all their holders wait for, if it is one thing. */
static u32 issue_collectors_wait_for(const struct sub *sub, u32 n)
{
	u32 all = (u32)((1ULL << n) - 1);
	if (sub->ready_collectors != all)
		return WARP_COLLECTOR;
	return sub->lsu_collectors == all ? WARP_LSU : WARP_UNIT;
}

/* into |= from & ~without */
ALWAYS_INLINE void issue_add_rest(u64 *into, const u64 *from, const u64 *without, u32 words)
{
	for (u32 i = 0; i < words; i++)
		into[i] |= from[i] & ~without[i];
}

ALWAYS_INLINE bool issue_any(const u64 *set, u32 words)
{
	u64 bits = 0;
	for (u32 i = 0; i < words; i++)
		bits |= set[i];
	return bits != 0;
}

/* Let the hold policies clear bits of ready. */
static void issue_apply_holds(struct scheduling *c)
{
	struct machine *m = c->v->m;
	u64 before[SLOT_WORDS];
	memcpy(before, c->ready, sizeof before);
	POLICY_EACH (x, m, POLICY_hold) {
		u64 left[SLOT_WORDS];
		memcpy(left, c->ready, sizeof left);
		x->decide.hold(c->look, c->ready);
		for (u32 i = 0; i < m->words; i++)
			c->ready[i] &= left[i];
	}
	issue_add_rest(sm_seen(c->v, WARP_HELD), before, c->ready, m->words);
}

/* Those that are not paused, if there are any. */
static void issue_leave_paused(struct sm_view *v, u64 *candidates)
{
	const u64 *paused = sm_set(v, SET_PAUSED);
	u64 others = 0;
	for (u32 i = 0; i < v->m->words; i++)
		others |= candidates[i] & ~paused[i];
	for (u32 i = 0; others && i < v->m->words; i++)
		candidates[i] &= ~paused[i];
}

/* Let the paused give way and the rank policies narrow the candidates; yield: without those that yield. */
static void issue_rank(const struct scheduling *c, bool yield, u64 *candidates)
{
	const struct machine *m = c->v->m;
	if (c->v->sm->paused)
		issue_leave_paused(c->v, candidates);
	POLICY_EACH (x, m, POLICY_rank)
		if (!yield || !x->defers_to_order)
			x->decide.rank(c->look, candidates);
}

/* The candidates stay a part of the accepted; the others are paused. */
static void issue_apply_ranks(struct scheduling *c, u32 words)
{
	issue_rank(c, false, c->candidates);
	for (u32 i = 0; i < words; i++)
		INVARIANT((c->candidates[i] & ~c->accepted[i]) == 0);
	issue_add_rest(sm_seen(c->v, WARP_PAUSED), c->accepted, c->candidates, words);
}

/* What an earlier scheduler of a shared pool said of these slots is decided anew. */
ALWAYS_INLINE void issue_reconsider(struct sm_view *v, const u64 *ready, u32 words)
{
	for (u32 k = WARP_HELD; k <= WARP_ELIGIBLE; k++)
		for (u32 i = 0; i < words; i++)
			v->sm->seen[k * words + i] &= ~ready[i];
}

void scheduling_leave_branches(const struct sm_view *v, u64 *slots)
{
	SET_EACH (i, slots, v->m->words)
		if (inst_branches(&view_kernel(v, v->slot[i].context)->inst[v->slot[i].pc]))
			SET_DEL(slots, i);
}

/* No branch unit takes a branch now: of the accepted slots those at branches wait for one. */
static void __attribute__((noinline)) issue_accept_branches(struct scheduling *c)
{
	struct sm_view *v = c->v;
	u64 before[SLOT_WORDS];
	memcpy(before, c->accepted, v->m->words * sizeof *before);
	scheduling_leave_branches(v, c->accepted);
	memcpy(c->candidates, c->accepted, v->m->words * sizeof *before);
	issue_add_rest(sm_seen(v, WARP_UNIT), before, c->accepted, v->m->words);
	v->sleep->active = 1;
}

/* collector.share, collector.allocate, lsu.sub_queue: the kinds of execution units that take no more instructions of a
 * sub-core, a bit each. */
ALWAYS_INLINE u32 issue_kinds_full(const struct sm_view *v, u32 sub)
{
	const struct sub_view *part = &v->part[sub];
	const struct config *config = &v->m->config;
	u32 full = v->kinds->full[sub];
	if (__builtin_expect(config->collector_allocate, 0))
		full |= allocate_kinds_full(v, part);
	if (config->lsu_sub_queue && (u32)__builtin_popcount(part->sub->lsu_collectors) >= config->lsu_sub_queue)
		full |= 1u << UNIT_LSU;
	return full;
}

/* Does any slot have an instruction of a kind that takes no more? */
static inline bool issue_any_full(const struct sm_view *v, u32 full, const u64 *slots)
{
	u64 any = 0;
	for (; full; full &= full - 1)
		for (u32 i = 0; i < v->m->words; i++)
			any |= slots[i] & v->kinds->ready[i * UNIT_COUNT + (u32)__builtin_ctz(full)];
	return any != 0;
}

/* Without the slots whose instructions find that their kind takes no more. */
static void issue_leave_full(const struct sm_view *v, u32 full, u64 *slots)
{
	for (; full; full &= full - 1)
		for (u32 i = 0; i < v->m->words; i++)
			slots[i] &= ~v->kinds->ready[i * UNIT_COUNT + (u32)__builtin_ctz(full)];
}

/* The same of the accepted slots; the others wait. */
static void __attribute__((noinline)) issue_accept_share(struct scheduling *c, u32 full)
{
	struct sm_view *v = c->v;
	issue_leave_full(v, full, c->accepted);
	for (u32 i = 0; i < v->m->words; i++) {
		u64 left = c->candidates[i] & ~c->accepted[i];
		u64 lsu = left & v->kinds->ready[i * UNIT_COUNT + UNIT_LSU];
		sm_seen(v, WARP_LSU)[i] |= lsu;
		sm_seen(v, WARP_UNIT)[i] |= left & ~lsu;
		c->candidates[i] = c->accepted[i];
		v->sleep->active |= left && v->m->config.collector_allocate; /* units become free by themselves */
	}
}

/* collector.allocate: nothing issues before stage Control is free. */
static void __attribute__((noinline)) issue_accept_none(struct scheduling *c)
{
	c->sub->blocked_for = WARP_COLLECTOR;
	issue_add_rest(sm_seen(c->v, WARP_COLLECTOR), c->ready, nothing, c->v->m->words);
	memset(c->accepted, 0, sizeof c->accepted);
	memset(c->candidates, 0, sizeof c->candidates);
}

/* Of ready slots, one word of their set, those whose instructions find what they need of a collector unit and an entry
 * of the table of loads. */
ALWAYS_INLINE u64 issue_served(const struct sm_view *v, u64 ready, u32 word, u32 words, bool collector, bool load)
{
	const u64 *set = v->sm->set;
	return ready & (collector ? ~0ULL : set[SET_CONTROL * words + word]) &
	       (load ? ~0ULL : ~set[SET_LOADS * words + word]);
}

/* Accepted slots: a collector unit is free or none is needed; so for entries of the table of loads. The others are
 * blocked. */
ALWAYS_INLINE void issue_accept(struct scheduling *c, u32 words)
{
	struct sm_view *v = c->v;
	struct sub *sub = c->sub;
	bool collector = sub->free_collectors != 0, load = v->sm->load_free != NONE16;
	for (u32 i = 0; i < words; i++)
		c->accepted[i] = c->candidates[i] = c->ready[i];
	if (__builtin_expect(sub->control, 0)) {
		issue_accept_none(c);
		return;
	}
	if (collector && load)
		return;
	for (u32 i = 0; i < words; i++)
		c->accepted[i] = c->candidates[i] = issue_served(v, c->ready[i], i, words, collector, load);
	sub->blocked_for = (u8)(collector ? WARP_LSU : issue_collectors_wait_for(sub, v->m->config.sm_collectors));
	issue_add_rest(&v->sm->seen[sub->blocked_for * words], c->ready, c->accepted, words);
}

/* Candidates of one scheduler out of its ready slots; the statuses of those left out. False: none. */
ALWAYS_INLINE bool issue_narrow(struct scheduling *c, u32 words, bool plain)
{
	struct machine *m = c->v->m;
	if (!plain && m->config.sched_pool == 1)
		issue_reconsider(c->v, c->ready, words);
	if (!plain && m->policy.in[POLICY_hold])
		issue_apply_holds(c);
	issue_accept(c, words);
	if (plain)
		return issue_any(c->candidates, words);
	if (m->config.unit_branch_count && !unit_free(c->v, &c->v->part[c->look->sub_id], UNIT_BRANCH))
		issue_accept_branches(c);
	u32 full = config_notes_kinds(&m->config) ? issue_kinds_full(c->v, c->look->sub_id) : 0;
	if (full && issue_any_full(c->v, full, c->accepted))
		issue_accept_share(c, full);
	if ((m->policy.in[POLICY_rank] | c->v->sm->paused) && issue_any(c->candidates, words))
		issue_apply_ranks(c, words);
	return issue_any(c->candidates, words);
}

bool scheduling_narrow(struct scheduling *c)
{
	return issue_narrow(c, c->v->m->words, false);
}

void scheduling_forget(struct sm_view *v, const u64 *ready)
{
	issue_reconsider(v, ready, v->m->words);
}

/* The same out of all that are ready, which counts for their launches. */
ALWAYS_INLINE bool issue_gather(struct scheduling *c, const u64 *ready, u32 words, bool plain)
{
	for (u32 i = 0; i < words; i++)
		c->ready[i] = c->look->pool[i] & ready[i];
	if (!issue_any(c->ready, words))
		return false;
	if (c->v->seats == 1)
		c->v->kernel->ready++;
	else
		kernels_ready(c->v, c->ready, 1);
	return issue_narrow(c, words, plain);
}

/* What may issue beside the chosen one: what still wants a collector unit and finds all it needs. Stores and atomics do
 * not: the queue of writes has room for one instruction of each scheduler. */
static void issue_extra_candidates(const struct scheduling *c, const u64 *ready, u64 *out)
{
	struct sm_view *v = c->v;
	bool load = v->sm->load_free != NONE16;
	for (u32 i = 0; i < v->m->words; i++)
		out[i] = issue_served(v, c->candidates[i] & ready[i] & ~sm_set(v, SET_CONTROL)[i], i, v->m->words, true,
				      load);
	SET_EACH (i, out, v->m->words) {
		const struct inst *in = &view_kernel(v, v->slot[i].context)->inst[v->slot[i].pc];
		if (in->class == CLASS_STORE || in->class == CLASS_ATOMIC)
			SET_DEL(out, i);
	}
	if (__builtin_expect(config_notes_kinds(&v->m->config), 0))
		issue_leave_full(v, issue_kinds_full(v, c->look->sub_id), out);
}

/* After a scheduler has issued: more warps of the sub-core, as long as the extra policy names some and collector units
 * are free. */
static void issue_extra(struct scheduling *c, u64 *ready)
{
	struct sm_view *v = c->v;
	struct sub *sub = c->sub;
	const struct scheme *extra = policy_one(v->m, POLICY_extra);
	for (u32 n = 0; n < v->m->config.steal_limit && sub->free_collectors && !sub->control; n++) {
		u64 candidates[SLOT_WORDS] = {0};
		issue_extra_candidates(c, ready, candidates);
		u32 slot = issue_any(candidates, v->m->words) ? extra->decide.extra(c->look, candidates) : NONE32;
		if (slot == NONE32)
			return;
		INVARIANT(SET_HAS(candidates, slot));
		SET_DEL(ready, slot);
		SET_DEL(sm_seen(v, WARP_ELIGIBLE), slot);
		SET_ADD(sm_seen(v, WARP_ISSUED), slot);
		c->sched->issued++;
		sub->issued++;
		v->sm->stat[STAT_STOLEN]++;
		perform(v, v->slot[slot].context);
	}
}

/* What follows where a scheduler has issued the instruction of a context at pc. */
static void __attribute__((noinline)) issue_beside(struct scheduling *c, u64 *ready, u32 context, u32 pc)
{
	if (c->v->m->config.ideal_divergence)
		ideal_go_on(c->v, context, pc);
	if (c->v->m->policy.in[POLICY_extra])
		issue_extra(c, ready);
}

/* A slot is chosen, and leaves `ready`; the other candidates wait. */
ALWAYS_INLINE void issue_take(struct scheduling *c, u64 *ready, u32 slot, u32 words)
{
	struct sm_view *v = c->v;
	SET_DEL(c->candidates, slot);
	SET_DEL(ready, slot);
	issue_add_rest(&v->sm->seen[WARP_ELIGIBLE * words], c->candidates, nothing, words);
	SET_ADD(&v->sm->seen[WARP_ISSUED * words], slot);
	c->sched->last = c->sched->chosen = (u16)slot;
	c->sched->issued++;
	c->sub->issued++;
	v->sleep->active = 1;
}

void scheduling_take(struct scheduling *c, u64 *ready, u32 slot)
{
	issue_take(c, ready, slot, c->v->m->words);
}

/* The order takes none of those that ranks have left: it may choose among what is left without those that yield, so
 * that they do not keep each other waiting for ever. */
static u32 __attribute__((noinline)) issue_choose_anyway(struct scheduling *c)
{
	struct sm_view *v = c->v;
	u64 left[SLOT_WORDS];
	memcpy(left, c->accepted, sizeof left);
	issue_rank(c, true, left);
	if (!memcmp(left, c->candidates, v->m->words * sizeof *left))
		return NONE32;
	u32 slot = scheme_table[v->m->policy.in[POLICY_order] - 1]->decide.order(c->look, left);
	for (u32 i = 0; slot != NONE32 && i < v->m->words; i++) {
		sm_seen(v, WARP_PAUSED)[i] &= ~left[i];
		c->candidates[i] = left[i];
	}
	return slot;
}

/* One scheduler chooses among the slots of `ready` and issues; the slot that issued leaves `ready`. */
ALWAYS_INLINE void issue_schedule(struct scheduling *c, u64 *ready, u32 words, bool plain)
{
	struct sm_view *v = c->v;
	struct sched *sched = c->sched;
	sched->chosen = NONE16;
	if (!issue_gather(c, ready, words, plain))
		return;
	u32 slot = scheme_table[v->m->policy.in[POLICY_order] - 1]->decide.order(c->look, c->candidates);
	if (!plain && slot == NONE32 && v->m->policy_defers)
		slot = issue_choose_anyway(c);
	if (slot == NONE32) {
		issue_add_rest(&v->sm->seen[WARP_PAUSED * words], c->candidates, nothing, words);
		return;
	}
	INVARIANT(slot < words * 64 && SET_HAS(c->candidates, slot));
	issue_take(c, ready, slot, words);
	u32 context = v->slot[slot].context, pc = v->slot[slot].pc;
	perform(v, context);
	if (!plain && __builtin_expect(v->m->policy_beside != 0, 0))
		issue_beside(c, ready, context, pc);
}

/* Does any slot of the pool have one of three statuses? */
ALWAYS_INLINE bool issue_seen(const struct scheduling *c, u32 words, u32 x, u32 y, u32 z)
{
	const u64 *set = c->v->sm->seen;
	u64 bits = 0;
	for (u32 i = 0; i < words; i++)
		bits |= (set[x * words + i] | set[y * words + i] | set[z * words + i]) & c->look->pool[i];
	return bits != 0;
}

/* Which counter has the slots of a pool that were lost to the pipeline: what some warp of it waited for, the LSU first.
 */
ALWAYS_INLINE enum sm_counter issue_pipeline_cause(const struct scheduling *c, u32 words)
{
	if (issue_seen(c, words, WARP_LSU, WARP_LSU, WARP_LSU))
		return STAT_PIPELINE_LSU;
	return issue_seen(c, words, WARP_UNIT, WARP_UNIT, WARP_UNIT) ? STAT_PIPELINE_UNIT : STAT_PIPELINE_COLLECTOR;
}

void pipeline_again(struct sm_view *v, u64 n)
{
	struct scheduling c;
	c.v = v;
	c.look = v->look;
	for (u32 i = 0; i < v->m->schedulers; i++, c.look++)
		if (v->sched[i].outcome == SLOT_PIPELINE)
			v->sm->stat[issue_pipeline_cause(&c, v->m->words)] += n;
}

/* The outcome of a scheduler slot in which nothing issued: the first that applies. */
ALWAYS_INLINE u32 issue_outcome(const struct scheduling *c, u32 words)
{
	if (issue_seen(c, words, WARP_LSU, WARP_UNIT, WARP_COLLECTOR)) {
		c->v->sm->stat[issue_pipeline_cause(c, words)]++;
		return SLOT_PIPELINE;
	}
	if (issue_seen(c, words, WARP_SHORT, WARP_SHORT, WARP_SHORT))
		return SLOT_SHORT;
	if (issue_seen(c, words, WARP_FETCH, WARP_FETCH, WARP_FETCH))
		return SLOT_FETCH;
	if (issue_seen(c, words, WARP_LONG, WARP_LONG, WARP_LONG))
		return SLOT_LONG;
	if (issue_seen(c, words, WARP_BARRIER, WARP_FENCE, WARP_FENCE))
		return SLOT_BARRIER;
	if (issue_seen(c, words, WARP_HELD, WARP_PAUSED, WARP_GANG) ||
	    (c->v->m->policy_gangs && issue_seen(c, words, WARP_ELIGIBLE, WARP_ELIGIBLE, WARP_ELIGIBLE)) ||
	    issue_seen(c, words, WARP_PREEMPTING, WARP_PREEMPTING, WARP_PREEMPTING) || c->sub->swapped)
		return SLOT_HELD;
	return SLOT_IDLE;
}

/* Warps whose parts wait for each other are in gangs; those of halted CTAs are preempting, whatever they wait for;
 * held, if their CTA's context is being restored. */
static void __attribute__((noinline)) issue_look_halted(struct sm *sm, u32 words)
{
	for (u32 i = 0; i < words; i++) {
		sm->seen[WARP_GANG * words + i] = sm->set[SET_GANG * words + i];
		u64 halted = sm->set[SET_HALTED * words + i] & ~sm->set[SET_DONE * words + i];
		sm->seen[WARP_PREEMPTING * words + i] = halted;
		for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
			sm->seen[k * words + i] &= k == WARP_PREEMPTING ? ~0ULL : ~halted;
		u64 restoring = sm->set[SET_RESTORING * words + i] & halted;
		sm->seen[WARP_PREEMPTING * words + i] &= ~restoring;
		sm->seen[WARP_HELD * words + i] |= restoring;
	}
}

/* Statuses that do not depend on what is chosen: as the sets are when the issue stage begins. */
ALWAYS_INLINE void issue_see_waiting(struct sm *sm, u32 words)
{
	static const u8 status[] = {[SET_DONE] = WARP_DONE,   [SET_BARRIER] = WARP_BARRIER, [SET_FENCE] = WARP_FENCE,
				    [SET_FETCH] = WARP_FETCH, [SET_LONG] = WARP_LONG,	    [SET_SHORT] = WARP_SHORT};
	for (u32 k = WARP_GANG * words; k < (WARP_ISSUED + 1) * words; k++)
		sm->seen[k] = 0;
	for (u32 i = 0; i < words; i++)
		sm->seen[WARP_PREEMPTING * words + i] = 0;
#pragma GCC unroll 8
	for (u32 s = SET_DONE; s <= SET_SHORT; s++)
		for (u32 i = 0; i < words; i++)
			sm->seen[status[s] * words + i] = sm->set[s * words + i];
	u64 others = sm->halted | sm->restoring;
	for (u32 i = 0; i < words; i++)
		others |= sm->set[SET_GANG * words + i];
	if (__builtin_expect(others != 0, 0))
		issue_look_halted(sm, words);
}

/* --- what will be chosen --- */

/* Can the schedulers' choices be told before they choose: does each go by its order and its own candidates alone, and
 * does none take the last entry of the table of loads from another? */
static bool issue_foreseen(const struct sm_view *v)
{
	const u32 told = 1u << NOTICE_CHOOSE | 1u << NOTICE_ISSUE;
	u16 at = v->sm->load_free;
	for (u32 k = 1; k < v->m->schedulers && at != NONE16; k++)
		at = v->load[at].next;
	return v->m->issue_plain && !v->sm->paused && !(v->m->policy_subscribed & told) &&
	       !policy_one(v->m, POLICY_order)->reads_other_slots && (at != NONE16 || v->sm->load_free == NONE16);
}

/* Will a scheduler choose one of some slots? */
static bool issue_will_choose(struct sm_view *v, const struct sched_view *look, const u64 *slots)
{
	bool collector = v->part[look->sub_id].sub->free_collectors != 0, load = v->sm->load_free != NONE16;
	u64 candidates[SLOT_WORDS] = {0}, any = 0;
	for (u32 i = 0; i < v->m->words; i++) {
		candidates[i] = issue_served(v, look->pool[i] & sm_ready(v, i), i, v->m->words, collector, load);
		any |= candidates[i] & slots[i];
	}
	u32 slot = any ? policy_one(v->m, POLICY_order)->decide.order(look, candidates) : NONE32;
	return slot != NONE32 && SET_HAS(slots, slot);
}

bool issue_may_choose(struct sm_view *v, const u64 *slots)
{
	if (!v->m->large || !issue_foreseen(v))
		return true;
	for (u32 k = 0; k < v->m->schedulers; k++)
		if (issue_will_choose(v, &v->look[k], slots))
			return true;
	return false;
}

/* --- the stage --- */

/* Between two scheduler slots (issue.interval > 1) ready warps wait as eligible. */
static void issue_no_slot(struct sm_view *v)
{
	for (u32 i = 0; i < v->m->words; i++)
		sm_seen(v, WARP_ELIGIBLE)[i] = sm_ready(v, i);
	for (u32 k = 0; k < v->m->schedulers; k++)
		v->sched[k].chosen = NONE16;
}

/* All schedulers of the SM, sub-core by sub-core, in index order. */
ALWAYS_INLINE void issue_all(struct sm_view *v, u32 words, bool plain)
{
	u64 ready[SLOT_WORDS];
	u32 taken = 0;
	struct scheduling c;
	c.v = v;
	c.look = v->look;
	c.sched = v->sched;
	for (u32 i = 0; i < words; i++)
		ready[i] = v->sm->set[SET_READY * words + i] & ~v->sm->set[SET_HALTED * words + i];
	if (!plain && __builtin_expect(v->m->policy.in[POLICY_gang] != 0, 0)) {
		for (u32 i = words; i < SLOT_WORDS; i++)
			ready[i] = 0;
		taken = v->slices->issue(v, ready);
		if (taken == (u32)((1ULL << v->m->schedulers) - 1)) {
			for (u32 k = 0; k < v->m->schedulers; k++)
				v->sched[k].outcome = SLOT_ISSUED;
			return;
		}
	}
	for (const struct sched_view *end = v->look + v->m->schedulers; c.look < end;
	     c.look++, c.sched++, taken >>= 1) {
		c.sub = v->part[c.look->sub_id].sub;
		if (!(taken & 1))
			issue_schedule(&c, ready, words, plain);
		c.sched->outcome = (u8)(c.sched->chosen != NONE16 ? SLOT_ISSUED : issue_outcome(&c, words));
	}
}

/* Stage issue. What one warp does (release a barrier, say) shows to others from the next cycle on, except where it is a
 * resource: collector units and entries of the table of loads that an earlier scheduler took are gone. */
void sm_issue(struct sm_view *v)
{
	if (notice_subscribed(v, NOTICE_CHOOSE))
		notify(v, &(struct notice){.kind = NOTICE_CHOOSE, .context = NONE16, .pc = NONE32});
	if (v->m->words == 1)
		issue_see_waiting(v->sm, 1);
	else if (v->m->words == SLOT_WORDS)
		issue_see_waiting(v->sm, SLOT_WORDS);
	else
		issue_see_waiting(v->sm, v->m->words);
	if (v->m->config.issue_interval > 1 && view_cycle(v) % v->m->config.issue_interval)
		issue_no_slot(v);
	else if (v->m->words == 1)
		v->m->issue_plain && !v->sm->paused ? issue_all(v, 1, true) : issue_all(v, 1, false);
	else if (v->m->words == SLOT_WORDS)
		issue_all(v, SLOT_WORDS, false);
	else
		issue_all(v, v->m->words, false);
	sm_account(v);
	if (__builtin_expect(v->owes, 0))
		paths_settle(v);
}
