/*
 * gangs_issue.c - gangs of the table issue, where each slice has one scheduler: what gang.c does for any gangs, for all
 * slices at once.
 *
 * A slot is one scheduler's, and a scheduler issues once, so that what its sub-core has is left for the one it issues:
 * of what the schedulers could choose from (a collector unit is free, or none is needed) only entries of the table of
 * loads are shared. Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015,
 * section 4.4.
 */
#include "policy_gangs.h"
#include "gangs/gangs.h"
#include "issue/scheduling.h"

/* One cycle. Sets are of slots, of SLOT_WORDS words: where the SM has fewer the others are 0, and what is read behind a
 * set of the SM's counts for nothing, for it is masked by one of these. */
struct stand {
	struct sm_view *v;
	u64 before[SLOT_WORDS];	 /* what was ready */
	u64 whole[SLOT_WORDS];	 /* of it, gangs that are ready as a whole; then those that did not issue */
	u64 parts[SLOT_WORDS];	 /* of it, slices of others */
	u64 open[SLOT_WORDS];	 /* what schedulers could choose from */
	u64 refused[SLOT_WORDS]; /* gangs for which the table of loads had no room */
	u64 chosen[SLOT_WORDS], taken[SLOT_WORDS]; /* what issues; all slots of the schedulers that issue it */
	u32 slices, loads;	/* sub-cores that issue; entries of the table of loads that they take */
	bool plain;		/* everything that is ready is open: nothing was said of any slot */
	u16 lead[MAX_SUBCORES]; /* of gangs, the first slot; `gangs` of them */
	u8 of[MAX_SUBCORES];	/* and their slices */
	u32 gangs;
};

static bool gangs_issue_empty(const u64 *set)
{
	u64 any = 0;
	for (u32 i = 0; i < SLOT_WORDS; i++)
		any |= set[i];
	return !any;
}

/* Is nothing in the way of a ready slot? */
static bool gangs_issue_unhindered(const struct sm_view *v)
{
	bool free = v->sm->load_free != NONE16 && !v->sm->paused && !v->m->config.unit_branch_count;
	for (u32 k = 0; k < (v->even ? 1 : v->m->config.sm_subcores); k++)
		free = free && v->sub[k].free_collectors;
	return free && !(v->m->policy.in[POLICY_hold] | v->m->policy.in[POLICY_rank]);
}

/* What each scheduler could choose from. */
static void gangs_issue_find_open(struct stand *s, const u64 *ready)
{
	struct sm_view *v = s->v;
	s->plain = gangs_issue_unhindered(v);
	if (s->plain) {
		memcpy(s->open, ready, sizeof s->open);
		return;
	}
	lockstep_show(v);
	for (u32 k = 0; k < v->m->schedulers; k++) {
		struct scheduling c = {.v = v, .look = &v->look[k], .sub = v->part[k].sub, .sched = &v->sched[k]};
		for (u32 i = 0; i < v->m->words; i++)
			c.ready[i] = c.look->pool[i] & ready[i];
		if (gangs_issue_empty(c.ready))
			continue;
		scheduling_narrow(&c);
		for (u32 i = 0; i < v->m->words; i++)
			s->open[i] |= c.candidates[i];
	}
}

/* What can still issue in a gang; false: no whole gang. */
static bool gangs_issue_offered(const struct stand *s, u64 *out)
{
	struct sm_view *v = s->v;
	const u64 *paused = sm_set(v, SET_PAUSED), *loads = sm_set(v, SET_LOADS);
	if (s->slices == (1u << v->m->config.sm_subcores) - 1)
		return false;
	u64 none = s->loads && !loads_left(v, s->loads + 1) ? ~0ULL : 0, any = 0;
	memset(out, 0, SLOT_WORDS * sizeof *out);
	for (u32 i = 0; i < SLOT_WORDS; i++) {
		out[i] = s->open[i] & ~(s->taken[i] | s->refused[i] | paused[i] | (loads[i] & none));
		any |= out[i] & s->whole[i];
	}
	return any != 0;
}

/* The slices of the gang of the table whose first slot is given; INVARIANT: its slots are `gang`. */
static u32 gangs_issue_slices_of(const struct stand *s, u32 first, const u64 *gang)
{
	const struct sm_view *v = s->v;
	u32 k = 0, position = first % v->m->slots_per_sub;
	u64 slots[SLOT_WORDS], other = 0;
	while (k + 1 < GANG_ENTRIES && !SET_HAS(&v->gang_map->slots[k * SLOT_WORDS], first))
		k++;
	gang_slots_at(v->m, v->gang_map, k, position, slots);
	for (u32 i = 0; i < SLOT_WORDS; i++)
		other |= slots[i] ^ gang[i];
	INVARIANT(!other);
	return v->gang[context_parent(v->m, v->slot[first].context) * GANG_ENTRIES + k].mask;
}

/* A gang of n slices, the first of which has a slot, is to issue. */
static void gangs_issue_count_gang(struct sm_view *v, u32 slot, u32 n)
{
	v->sm->stat[STAT_GANG_ISSUES]++;
	v->sm->stat[STAT_GANG_SLOTS] += n;
	v->sm->stat[gang_size_counter[n]]++;
	emit(v, EVENT_GANG, v->slot[slot].context, v->slot[slot].pc, 0, n, 0);
}

/* A gang has all its schedulers, or is refused. */
static void gangs_issue_seat(struct stand *s, const u64 *gang)
{
	struct sm_view *v = s->v;
	u32 first = set_first(gang, v->m->words), slices = gangs_issue_slices_of(s, first, gang),
	    n = slices_count(slices);
	bool load = SET_HAS(sm_set(v, SET_LOADS), first);
	if (load && !loads_left(v, s->loads + n)) {
		for (u32 i = 0; i < SLOT_WORDS; i++)
			s->refused[i] |= gang[i];
		return;
	}
	INVARIANT(!(s->slices & slices));
	s->of[s->gangs] = (u8)slices;
	s->slices |= slices;
	s->loads += load ? n : 0;
	for (u32 i = 0; i < SLOT_WORDS; i++)
		s->chosen[i] |= gang[i];
	if (s->slices == (1u << v->m->config.sm_subcores) - 1)
		memset(s->taken, 0xff, sizeof s->taken);
	for (; s->slices != (1u << v->m->config.sm_subcores) - 1 && slices; slices &= slices - 1)
		for (u32 i = 0; i < SLOT_WORDS; i++)
			s->taken[i] |= v->pools->sub[__builtin_ctz(slices)][i];
	s->lead[s->gangs++] = (u16)first;
	gangs_issue_count_gang(v, first, n);
}

/* Gangs, until the scheme names none any more. */
static void gangs_issue_choose(struct stand *s)
{
	const struct sm_view *v = s->v;
	const struct scheme *x = policy_one(v->m, POLICY_gang);
	u64 open[SLOT_WORDS];
	while (s->gangs < v->m->config.vws_gangs && gangs_issue_offered(s, open)) {
		u64 gang[SLOT_WORDS] = {0};
		if (!x->decide.gang(v->look, open, gang))
			return;
		u64 beside = 0;
		for (u32 i = 0; i < SLOT_WORDS; i++)
			beside |= gang[i] & ~open[i];
		INVARIANT(!gangs_issue_empty(gang) && !beside);
		gangs_issue_seat(s, gang);
	}
}

/* What is said of slots where everything that is ready is open; `words` is a constant in the common case. */
static inline __attribute__((always_inline)) void gangs_issue_tell_words(const struct stand *s, u32 words)
{
	u64 *seen = s->v->sm->seen;
	for (u32 i = 0; i < words; i++) {
		seen[WARP_ELIGIBLE * words + i] |= (s->open[i] & s->taken[i] & ~s->chosen[i]) | s->whole[i];
		seen[WARP_ISSUED * words + i] |= s->chosen[i];
		seen[WARP_GANG * words + i] |= s->parts[i];
	}
}

static void gangs_issue_tell_plainly(const struct stand *s)
{
	if (s->v->m->words == SLOT_WORDS)
		gangs_issue_tell_words(s, SLOT_WORDS);
	else
		gangs_issue_tell_words(s, s->v->m->words);
}

/* What schedulers say of slots where one issues: of its own; of those that other schedulers look at again, nothing. */
static void gangs_issue_tell(struct stand *s, const u64 *ready)
{
	struct sm_view *v = s->v;
	if (s->plain) {
		gangs_issue_tell_plainly(s);
		return;
	}
	u64 stopped[SLOT_WORDS], mates[SLOT_WORDS], again[SLOT_WORDS];
	gangs_stopped(v, s->whole, stopped, mates);
	for (u32 i = 0; i < SLOT_WORDS; i++)
		again[i] = ready[i] & ~(s->taken[i] | stopped[i]);
	scheduling_forget(v, again);
	for (u32 i = 0; i < SLOT_WORDS; i++) {
		sm_seen(v, WARP_ELIGIBLE)[i] |= s->open[i] & s->taken[i] & ~s->chosen[i];
		sm_seen(v, WARP_ISSUED)[i] |= s->chosen[i];
	}
	gangs_tell(v, s->whole, stopped, mates, s->parts);
}

/* A scheduler has a slot of a gang. */
static inline void gangs_issue_take_slot(struct sched *sched, struct sub *sub, u32 slot)
{
	sched->last = sched->chosen = (u16)slot;
	sched->issued++;
	sub->issued++;
}

/* Launches have slots ready of the schedulers of gangs. */
static void gangs_issue_count_ready(const struct stand *s)
{
	struct sm_view *v = s->v;
	if (v->seats == 1) {
		v->kernel->ready += slices_count(s->slices);
		return;
	}
	for (u32 left = s->slices; left; left &= left - 1) {
		u64 own[SLOT_WORDS] = {0};
		for (u32 i = 0; i < v->m->words; i++)
			own[i] = s->before[i] & v->look[__builtin_ctz(left)].pool[i];
		kernels_ready(v, own, 1);
	}
}

/* The schedulers of gangs issue, and count for launches. */
static void gangs_issue_take(struct stand *s)
{
	struct sm_view *v = s->v;
	struct sched *sched = v->sched;
	struct sub *sub = v->sub;
	u32 per = v->m->slots_per_sub;
	v->sleep->active |= s->gangs != 0;
	for (u32 g = 0; g < s->gangs; g++) {
		u32 slot = s->lead[g] % per;
		for (u32 left = s->of[g], k = 0; left; left >>= 1, k++, slot += per)
			if (left & 1)
				gangs_issue_take_slot(&sched[k], &sub[k], slot);
	}
	gangs_issue_count_ready(s);
}

/* Schedulers that no gang has count for launches that have none but members of gangs ready there, too. */
static void gangs_issue_count_others(const struct stand *s, const u64 *ready)
{
	struct sm_view *v = s->v;
	u64 gone[SLOT_WORDS] = {0};
	if (s->slices == (1u << v->m->config.sm_subcores) - 1)
		return;
	for (u32 i = 0; i < SLOT_WORDS; i++)
		gone[i] = s->before[i] & ~(ready[i] | s->taken[i]);
	for (u32 k = 0; k < v->m->schedulers && !gangs_issue_empty(gone); k++) {
		u64 all[SLOT_WORDS], left[SLOT_WORDS];
		if (s->slices >> k & 1)
			continue;
		for (u32 i = 0; i < v->m->words; i++) {
			all[i] = s->before[i] & v->look[k].pool[i];
			left[i] = ready[i] & v->look[k].pool[i];
		}
		kernels_ready_beside(v, all, left);
	}
}

void gangs_act(struct sm_view *v, const u16 *lead, u32 n, u32 loads)
{
	for (u32 i = 0; i < n; i++) {
		const struct gang *g = gang_of(v, v->slot[lead[i]].context);
		if (SET_HAS(sm_set(v, SET_LOADS), lead[i]))
			loads -= slices_count(g->mask);
		v->promised = loads;
		gang_perform(v, (u32)(g - v->gang));
	}
	INVARIANT(!loads);
}

u32 gangs_issue_sliced(struct sm_view *v, u64 *ready)
{
	if (gangs_issue_empty(ready))
		return 0;
	struct stand s = {.v = v};
	memcpy(s.before, ready, sizeof s.before);
	gangs_look(v, ready, s.whole, s.parts);
	gangs_issue_find_open(&s, ready);
	gangs_issue_choose(&s);
	for (u32 i = 0; i < SLOT_WORDS; i++)
		s.whole[i] &= ~s.chosen[i];
	gangs_issue_tell(&s, ready);
	gangs_issue_take(&s);
	for (u32 i = 0; i < SLOT_WORDS; i++)
		ready[i] &= ~(s.chosen[i] | s.whole[i]);
	gangs_issue_count_others(&s, ready);
	gangs_act(v, s.lead, s.gangs, s.loads);
	return s.slices;
}
