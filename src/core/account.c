/*
 * account.c - every resident context has one status in every cycle, every scheduler slot one outcome.
 *
 * Counted from the sets that the issue stage left in sm.seen; the sums are asserted here, every cycle.
 */
#include "core.h"
#include "shadow.h"

/* Scheduler slots that an SM offers in the cycles [from, to). */
static u64 offers(const struct machine *m, u64 from, u64 to)
{
	u64 k = m->config.issue_interval;
	return k == 1 ? to - from : (to + k - 1) / k - (from + k - 1) / k;
}

/* Add `cycles` cycles of the statuses as last seen; both are constants where they can be, so that little is left of a
 * loop. */
static inline __attribute__((always_inline)) u32 add_seen(struct sm *sm, u64 cycles, u32 words)
{
	u32 total = 0;
#pragma GCC unroll 17
	for (u32 k = 0; k < WARP_STATUS_COUNT; k++) {
		u32 n = 0;
		for (u32 i = 0; i < words; i++)
			n += (u32)__builtin_popcountll(sm->seen[k * words + i]);
		sm->statuses[k] += n * cycles;
		total += n;
	}
	return total;
}

/* Contexts without a slot, which the issue stage does not see. */
static u32 __attribute__((noinline)) add_aside(struct sm *sm, u64 cycles)
{
	sm->statuses[WARP_SWAPPED] += sm->swapped * cycles;
	sm->statuses[WARP_DONE] += sm->ended * cycles;
	return (u32)sm->swapped + sm->ended;
}

/* Count statuses, `total` of them in each of some cycles. */
static inline void add_residents(struct sm_view *v, u64 cycles, u32 total)
{
	struct sm *sm = v->sm;
	if (__builtin_expect(sm->inactive != 0, 0))
		total += add_aside(sm, cycles);
	INVARIANT(total == sm->warps);
	sm->stat[STAT_RESIDENT_WARPS] += total * cycles;
	sm->stat[STAT_RESIDENT_CTAS] += sm->ctas * cycles;
	sm->stat[STAT_BUSY_CYCLES] += sm->ctas ? cycles : 0;
	if (__builtin_expect(v->sim->shadow, 0))
		shadow_account(v, cycles);
	if (heard(v, NOTICE_CYCLES))
		notify(v, &(struct notice){.kind = NOTICE_CYCLES, .count = cycles});
}

/* Count this cycle, after the issue stage. */
void sm_account(struct sm_view *v)
{
	u64 now = view_cycle(v);
	add_residents(v, 1, v->m->words == 1 ? add_seen(v->sm, 1, 1) : add_seen(v->sm, 1, v->m->words));
	if (offers(v->m, now, now + 1)) {
		u64 *outcomes = v->sm->outcomes;
		for (const struct sched *s = v->sched, *end = s + v->m->schedulers; s < end; s++)
			outcomes[s->outcome]++;
	}
	v->sleep->counted = now + 1;
}

/* Count the cycles that an SM slept through, up to (not including) `upto`: nothing changed in them. */
void sm_account_sleep(struct sm_view *v, u64 upto)
{
	u64 from = v->sleep->counted;
	if (from >= upto)
		return;
	u64 n = offers(v->m, from, upto);
	if (v->sleep->refused) {
		l1d_refused_again(v, upto - from);
		pipeline_again(v, n);
	}
	if (v->sleep->refused || v->m->policy.in[POLICY_hold])
		kernels_ready_asleep(v, n);
	add_residents(v, upto - from, add_seen(v->sm, upto - from, v->m->words));
	for (u32 i = 0; i < v->m->schedulers; i++)
		v->sm->outcomes[v->sched[i].outcome] += n;
	v->sleep->counted = upto;
}
