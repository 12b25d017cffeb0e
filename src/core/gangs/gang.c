/*
 * gang.c - warps that issue together: before the schedulers of an SM choose, the scheme in slot gang names sets of
 * ready slots, one after the other, each with at most one slot of a scheduler.
 *
 * It is offered what the schedulers could choose from: ready, accepted, not held, not paused, best-ranked. A gang takes
 * the schedulers of its members, which choose no more in this cycle and are not asked for an extra; what is left over
 * is theirs who remain. It issues whole or not at all: where a sub-core has not as many collector units free as it
 * needs, or the SM not as many entries of the table of loads, it is refused, and its members are not offered again. All
 * members of all gangs act in the order of their schedulers. The slot stands for the gang scheduler of Rogers et al.,
 * "A Variable Warp Size Architecture", ISCA 2015; which slots belong together is the scheme's business.
 */
#include "gangs/gangs.h"
#include "issue/scheduling.h"

#define MAX_SCHEDULERS (MAX_SUBCORES * 4)

/* What gangs have, and what is still to be had in this cycle. */
struct seats {
	u16 chosen[MAX_SCHEDULERS]; /* slot that a gang has of a scheduler */
	u32 taken;		    /* schedulers that gangs have, a bit set */
	u32 collectors[MAX_SUBCORES];
	u32 branches[MAX_SUBCORES]; /* branch units that take one now; without any, more than gangs can want */
	u32 loads;		    /* entries of the table of loads that gangs take */
};
struct offers {
	struct sm_view *v;
	struct scheduling scheduler[MAX_SCHEDULERS];
	struct seats seats;
	u64 gone[SLOT_WORDS];	  /* members of gangs that have schedulers or were refused */
	u16 lead[MAX_SCHEDULERS]; /* of gangs of the table that issue, the first slot; `gangs` of them */
	u32 gangs;
};

/* How many units of a kind of a sub-core take an instruction now. */
static u32 gang_free_units(const struct sm_view *v, u32 sub, u32 kind)
{
	u32 n = 0;
	for (u32 i = v->m->warp_units[kind]; i < v->m->warp_units[kind + 1]; i++)
		n += v->part[sub].unit[i].free_at <= view_cycle(v);
	return n;
}

/* What each scheduler could choose from. */
static void gang_open_offers(struct offers *o, const u64 *ready)
{
	struct sm_view *v = o->v;
	for (u32 k = 0; k < v->m->schedulers; k++) {
		struct scheduling *c = &o->scheduler[k];
		*c = (struct scheduling){
			.v = v, .look = &v->look[k], .sub = v->part[v->look[k].sub_id].sub, .sched = &v->sched[k]};
		for (u32 i = 0; i < v->m->words; i++)
			c->ready[i] = c->look->pool[i] & ready[i];
		if (set_first(c->ready, v->m->words) != NONE32)
			scheduling_narrow(c);
	}
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		o->seats.collectors[k] = (u32)__builtin_popcount(v->sub[k].free_collectors);
		o->seats.branches[k] =
			v->m->config.unit_branch_count ? gang_free_units(v, k, UNIT_BRANCH) : MAX_SCHEDULERS;
	}
}

/* Of what a scheduler could choose from, what can still issue in a gang. */
static void gang_offered_by(const struct offers *o, u32 k, u64 *out)
{
	const struct sm_view *v = o->v;
	u64 none = o->seats.taken >> k & 1 ? 0 : ~0ULL;
	bool load = loads_left(v, o->seats.loads + 1);
	for (u32 i = 0; i < v->m->words; i++) {
		u64 control = v->sm->set[SET_CONTROL * v->m->words + i],
		    loads = v->sm->set[SET_LOADS * v->m->words + i], paused = v->sm->set[SET_PAUSED * v->m->words + i];
		out[i] = o->scheduler[k].candidates[i] & none & ~paused & ~o->gone[i];
		out[i] &= o->seats.collectors[v->look[k].sub_id] ? ~0ULL : control;
		out[i] &= load ? ~0ULL : ~loads;
	}
	if (!o->seats.branches[v->look[k].sub_id])
		scheduling_leave_branches(v, out);
}

/* The same of all of them; false: nothing. */
static bool gang_offered(const struct offers *o, u64 *out)
{
	memset(out, 0, SLOT_WORDS * sizeof *out);
	for (u32 k = 0; k < o->v->m->schedulers; k++) {
		u64 part[SLOT_WORDS];
		gang_offered_by(o, k, part);
		for (u32 i = 0; i < o->v->m->words; i++)
			out[i] |= part[i];
	}
	return set_first(out, o->v->m->words) != NONE32;
}

/* A member has a scheduler and what it needs; false: that is not there. */
static bool gang_seat_member(struct offers *o, u32 slot)
{
	struct sm_view *v = o->v;
	u64 part[SLOT_WORDS];
	u32 k = 0;
	while (k < v->m->schedulers && !(SET_HAS(o->scheduler[k].candidates, slot) && !(o->seats.taken >> k & 1)))
		k++;
	INVARIANT(k < v->m->schedulers); /* else two of one scheduler */
	gang_offered_by(o, k, part);
	if (!SET_HAS(part, slot))
		return false;
	o->seats.taken |= 1u << k;
	o->seats.chosen[k] = (u16)slot;
	o->seats.collectors[v->look[k].sub_id] -= !SET_HAS(sm_set(v, SET_CONTROL), slot);
	o->seats.branches[v->look[k].sub_id] -=
		inst_branches(&view_kernel(v, v->slot[slot].context)->inst[v->slot[slot].pc]);
	o->seats.loads += SET_HAS(sm_set(v, SET_LOADS), slot);
	return true;
}

/* A gang has all its schedulers, or none and is refused. */
static void gang_seat(struct offers *o, const u64 *gang)
{
	struct sm_view *v = o->v;
	struct seats before = o->seats;
	u32 n = 0, first = set_first(gang, v->m->words);
	bool whole = true;
	SET_EACH (slot, gang, v->m->words)
		if (whole) {
			whole = gang_seat_member(o, slot);
			n++;
		}
	for (u32 i = 0; i < v->m->words; i++)
		o->gone[i] |= gang[i];
	if (!whole) {
		o->seats = before;
		v->sm->stat[STAT_GANG_REFUSED] += !v->m->policy_gangs;
		return;
	}
	o->lead[o->gangs++] = (u16)first;
	v->sm->stat[STAT_GANG_ISSUES]++;
	v->sm->stat[STAT_GANG_SLOTS] += n;
	if (v->m->policy_gangs)
		v->sm->stat[gang_size_counter[n]]++;
	emit(v, EVENT_GANG, v->slot[first].context, v->slot[first].pc, 0, n, 0);
}

/* Gangs, until the scheme names none any more. */
static void gang_choose(struct offers *o)
{
	const struct scheme *x = policy_one(o->v->m, POLICY_gang);
	u64 open[SLOT_WORDS], gang[SLOT_WORDS];
	u32 most = o->v->m->policy_gangs ? o->v->m->config.vws_gangs : MAX_SCHEDULERS;
	while (o->gangs < most) {
		memset(gang, 0, sizeof gang);
		if (!gang_offered(o, open) || !x->decide.gang(o->v->look, open, gang))
			return;
		for (u32 i = 0; i < o->v->m->words; i++)
			INVARIANT(!(gang[i] & ~open[i]));
		INVARIANT(set_first(gang, o->v->m->words) != NONE32);
		gang_seat(o, gang);
	}
}

/* Who issues, does: gangs of the table one after the other, else all in the order of their schedulers. */
static void gang_perform_all(struct offers *o)
{
	struct sm_view *v = o->v;
	if (v->m->policy_gangs) {
		gangs_act(v, o->lead, o->gangs, o->seats.loads);
		return;
	}
	for (u32 k = 0; k < v->m->schedulers; k++)
		if (o->seats.taken >> k & 1)
			perform(v, v->slot[o->seats.chosen[k]].context);
}

/* A scheduler that no gang has counts for launches that have none but members of gangs ready in it, too. before: what
 * was ready; ready: what it may still choose. */
static void gang_count_ready(struct sm_view *v, u32 k, const u64 *before, const u64 *ready)
{
	u64 all[SLOT_WORDS], left[SLOT_WORDS];
	for (u32 i = 0; i < v->m->words; i++) {
		all[i] = before[i] & v->look[k].pool[i];
		left[i] = ready[i] & v->look[k].pool[i];
	}
	kernels_ready_beside(v, all, left);
}

/* Slots leave others. */
static void gang_leave(u64 *set, const u64 *others)
{
	for (u32 i = 0; i < SLOT_WORDS; i++)
		set[i] &= ~others[i];
}

/* Schedulers that gangs have take their slots; what was said of what the others may choose from is forgotten. before:
 * what was ready; stopped: slots of which it stands. */
static void gang_take_all(struct offers *o, const u64 *before, u64 *ready, const u64 *stopped)
{
	struct sm_view *v = o->v;
	for (u32 k = 0; k < v->m->schedulers; k++) {
		struct scheduling *c = &o->scheduler[k];
		if (!(o->seats.taken >> k & 1)) {
			gang_leave(c->ready, stopped);
			scheduling_forget(v, c->ready);
			continue;
		}
		for (u32 i = 0; i < v->m->words; i++)
			c->ready[i] = before[i] & c->look->pool[i];
		kernels_ready(v, c->ready, 1);
		scheduling_take(c, ready, o->seats.chosen[k]);
	}
	for (u32 i = 0; i < v->m->words; i++) /* of a shared pool: another scheduler's */
		sm_seen(v, WARP_ELIGIBLE)[i] &= ~sm_seen(v, WARP_ISSUED)[i];
}

/* Gangs of slots that need not be of the table, or of slices with several schedulers each. */
static u32 gang_issue_any(struct sm_view *v, u64 *ready)
{
	struct offers o = {.v = v};
	u64 before[SLOT_WORDS], stopped[SLOT_WORDS] = {0}, mates[SLOT_WORDS];
	u64 whole[SLOT_WORDS] = {0}, parts[SLOT_WORDS] = {0};
	memcpy(before, ready, sizeof before);
	if (v->m->policy_gangs)
		gangs_look(v, ready, whole, parts);
	gang_open_offers(&o, ready);
	gang_choose(&o);
	for (u32 k = 0; k < v->m->schedulers; k++)
		if (o.seats.taken >> k & 1)
			SET_DEL(whole, o.seats.chosen[k]);
	if (v->m->policy_gangs)
		gangs_stopped(v, whole, stopped, mates);
	gang_take_all(&o, before, ready, stopped);
	if (v->m->policy_gangs)
		gangs_tell(v, whole, stopped, mates, parts);
	gang_leave(ready, whole);
	for (u32 k = 0; v->m->policy_gangs && k < v->m->schedulers; k++)
		if (!(o.seats.taken >> k & 1))
			gang_count_ready(v, k, before, ready);
	gang_perform_all(&o);
	return o.seats.taken;
}

u32 gangs_issue(struct sm_view *v, u64 *ready)
{
	u32 taken = 0;
	if (v->m->policy_gangs && v->m->config.vws_split)
		gangs_split(v);
	if (v->m->policy_gangs && v->m->config.sm_schedulers == 1)
		taken = gangs_issue_sliced(v, ready);
	else if (v->m->policy_gangs || !policy_one(v->m, POLICY_gang)->uses_gangs)
		taken = gang_issue_any(v, ready);
	if (set_first(ready, v->m->words) != NONE32)
		lockstep_end(v);
	return taken;
}
