/*
 * account.c - every resident context has one status in every cycle, every scheduler slot one outcome.
 *
 * Counted from the sets that the issue stage left in sm.seen; the sums are asserted here, every cycle. What residents
 * hold changes seldom and is summed up where it does (sm_account_held()).
 */
#include "issue/issue.h"
#include "shadow.h"

/* Scheduler slots that an SM offers in the cycles [from, to). */
static u64 account_offers(const struct machine *m, u64 from, u64 to)
{
	u64 k = m->config.issue_interval;
	return k == 1 ? to - from : (to + k - 1) / k - (from + k - 1) / k;
}

/* Contexts with a slot in one status, as last seen. */
static inline u32 account_count_seen(const struct sm *sm, u32 words, u32 status)
{
	u32 n = 0;
	u64 any = 0;
	for (u32 i = 0; words > 1 && i < words; i++)
		any |= sm->seen[status * words + i];
	if (words > 1 && !any)
		return 0;
	for (u32 i = 0; i < words; i++)
		n += (u32)__builtin_popcountll(sm->seen[status * words + i]);
	return n;
}

/* Add `cycles` cycles of one status as last seen: how many contexts. */
static inline u32 account_add_status(struct sm *sm, u64 cycles, u32 words, u32 status)
{
	u32 n = account_count_seen(sm, words, status);
	sm->statuses[status] += n * cycles;
	return n;
}

/* The same of all; both are constants where they can be, so that little is left of the loops. Most of the time no
 * context is in one of the rare ones. */
static inline __attribute__((always_inline)) u32 account_add_seen(struct sm *sm, u64 cycles, u32 words)
{
	static const u8 usual[] = {WARP_DONE, WARP_BARRIER, WARP_FETCH,	    WARP_LONG,	   WARP_SHORT,
				   WARP_LSU,  WARP_UNIT,    WARP_COLLECTOR, WARP_ELIGIBLE, WARP_ISSUED};
	static const u8 rare[] = {WARP_PREEMPTING, WARP_SWAPPED, WARP_FENCE, WARP_GANG, WARP_HELD, WARP_PAUSED};
	_Static_assert(ARRAY_LEN(usual) + ARRAY_LEN(rare) == WARP_STATUS_COUNT, "each is in one of the two");
	u32 total = 0;
	u64 any = 0;
#pragma GCC unroll 16
	for (u32 k = 0; k < ARRAY_LEN(usual); k++)
		total += account_add_status(sm, cycles, words, usual[k]);
#pragma GCC unroll 16
	for (u32 k = 0; k < ARRAY_LEN(rare); k++)
		for (u32 i = 0; i < words; i++)
			any |= sm->seen[rare[k] * words + i];
	for (u32 k = 0; any && k < ARRAY_LEN(rare); k++)
		total += account_add_status(sm, cycles, words, rare[k]);
	return total;
}

/* Contexts without a slot, which the issue stage does not see. */
static u32 __attribute__((noinline)) account_add_aside(struct sm *sm, u64 cycles)
{
	sm->statuses[WARP_SWAPPED] += sm->swapped * cycles;
	sm->statuses[WARP_DONE] += sm->ended * cycles;
	return (u32)sm->swapped + sm->ended;
}

/* Does every CTA with a warp at a barrier or fence have one that waits for memory? */
static bool account_siblings_wait(struct sm_view *v)
{
	u64 waiting = 0, standing = 0;
	for (u32 i = 0; i < v->m->words; i++) {
		for (u64 set = sm_seen(v, WARP_LONG)[i] | sm_seen(v, WARP_LSU)[i]; set; set &= set - 1)
			waiting |= 1ULL << v->warp[v->slot[i * 64 + (u32)__builtin_ctzll(set)].context].cta;
		for (u64 set = sm_seen(v, WARP_BARRIER)[i] | sm_seen(v, WARP_FENCE)[i]; set; set &= set - 1)
			standing |= 1ULL << v->warp[v->slot[i * 64 + (u32)__builtin_ctzll(set)].context].cta;
	}
	return !(standing & ~waiting);
}

/* Cycles in which no unfinished warp could have done anything: all wait for memory, or there is none. Who waits for the
 * LSU (dyncta.stalled) is known in scheduler slots alone, which then stand for their intervals. offers: such slots. */
static void __attribute__((noinline)) account_add_inactive(struct sm_view *v, u64 cycles, u64 offers, u32 lsu)
{
	struct sm *sm = v->sm;
	u32 words = v->m->words;
	u32 stand = account_count_seen(sm, words, WARP_BARRIER) + account_count_seen(sm, words, WARP_FENCE);
	bool stalled = v->m->config.dyncta_stalled;
	if (v->bounds->off)
		sm->stat[STAT_GATED_CYCLES] += cycles;
	else if (lsu || account_count_seen(sm, words, WARP_LONG))
		sm->stat[STAT_MEMORY_CYCLES] += stand && !account_siblings_wait(v) ? 0
						: stalled ? offers * v->m->config.issue_interval
							  : cycles;
	else if (v->m->config.dyncta_idle_cycles == IDLE_EMPTY && !stand && !sm->swapped && !sm->collectors_busy &&
		 !sm->lsu_count && !sm->reexec_count)
		sm->stat[STAT_IDLE_CYCLES] += cycles;
}

/* Count what the statuses come to in which no warp issued, `total` of them in each of some cycles. */
static inline __attribute__((always_inline)) void account_add_unissued(struct sm_view *v, u64 cycles, u64 offers,
								       u32 words, u32 total)
{
	struct sm *sm = v->sm;
	u32 others = total - account_count_seen(sm, words, WARP_DONE) - account_count_seen(sm, words, WARP_LONG) -
		     account_count_seen(sm, words, WARP_BARRIER) - account_count_seen(sm, words, WARP_FENCE);
	u32 lsu = others ? account_count_seen(sm, words, WARP_LSU) : 0;
	if (others == lsu && (!others || v->m->config.dyncta_stalled))
		account_add_inactive(v, cycles, offers, lsu);
	if (v->m->config.dyncta_idle_cycles == IDLE_TEXT && !v->bounds->off &&
	    (!others || others == account_count_seen(sm, words, WARP_FETCH) +
					  account_count_seen(sm, words, WARP_SHORT) +
					  account_count_seen(sm, words, WARP_GANG) +
					  account_count_seen(sm, words, WARP_PREEMPTING)))
		sm->stat[STAT_IDLE_CYCLES] += offers * v->m->config.issue_interval;
}

void sm_account_held(struct sm_view *v)
{
	struct sm *sm = v->sm;
	u64 cycles = unsummed(v);
	if (!cycles)
		return;
	v->sleep->summed = v->sleep->counted;
	sm->stat[STAT_L1D_MSHR_CYCLES] += sm->mshrs_used * cycles;
	if (!sm->ctas)
		return;
	sm->stat[STAT_RESIDENT_WARPS] += sm->warps * cycles;
	sm->stat[STAT_RESIDENT_CTAS] += sm->ctas * cycles;
	sm->stat[STAT_BUSY_CYCLES] += cycles;
	sm->stat[STAT_ACTIVE_CTAS] += active_ctas(sm) * cycles;
	sm->stat[STAT_REGISTER_CYCLES] += v->stock->registers * cycles;
	sm->stat[STAT_SHARED_CYCLES_HELD] += (v->m->config.sm_shared - sm->shared_free + sm->region) * cycles;
}

/* Count statuses, `total` of them in each of some cycles. offers: scheduler slots in these. */
static inline __attribute__((always_inline)) void account_add_residents(struct sm_view *v, u64 cycles, u64 offers,
									u32 words, u32 total)
{
	struct sm *sm = v->sm;
	u64 issued = 0;
	for (u32 i = 0; i < words; i++)
		issued |= sm->seen[WARP_ISSUED * words + i];
	if (issued)
		sm->stat[STAT_ACTIVE_CYCLES] += v->m->config.issue_interval * cycles;
	else
		account_add_unissued(v, cycles, offers, words, total);
	if (__builtin_expect(sm->inactive != 0, 0))
		total += account_add_aside(sm, cycles);
	INVARIANT(total == sm->warps);
	if (__builtin_expect(v->sim->shadow, 0))
		shadow_account(v, cycles);
	if (notice_subscribed(v, NOTICE_CYCLES))
		notify(v, &(struct notice){.kind = NOTICE_CYCLES, .count = cycles});
}

/* Count this cycle, after the issue stage. */
UNGUARDED void sm_account(struct sm_view *v)
{
	u64 now = view_cycle(v), n = account_offers(v->m, now, now + 1);
	if (v->m->words == 1)
		account_add_residents(v, 1, n, 1, account_add_seen(v->sm, 1, 1));
	else if (v->m->words == SLOT_WORDS)
		account_add_residents(v, 1, n, SLOT_WORDS, account_add_seen(v->sm, 1, SLOT_WORDS));
	else
		account_add_residents(v, 1, n, v->m->words, account_add_seen(v->sm, 1, v->m->words));
	if (n) {
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
	u64 n = account_offers(v->m, from, upto);
	if (v->sleep->refused) {
		l1d_refused_again(v, upto - from);
		pipeline_again(v, n);
	}
	if (v->sleep->refused || v->m->policy.in[POLICY_hold])
		kernels_ready_asleep(v, n);
	if (v->m->words == 1)
		account_add_residents(v, upto - from, n, 1, account_add_seen(v->sm, upto - from, 1));
	else
		account_add_residents(v, upto - from, n, v->m->words,
				      account_add_seen(v->sm, upto - from, v->m->words));
	for (u32 i = 0; i < v->m->schedulers; i++)
		v->sm->outcomes[v->sched[i].outcome] += n;
	v->sleep->counted = upto;
}
