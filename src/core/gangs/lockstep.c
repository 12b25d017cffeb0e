/*
 * lockstep.c - sub-cores of slices that go on alike: what one does with collector units, banks and execution units all
 * do.
 *
 * As long as gangs of all slices issue and nothing else does, the sub-cores hold the same but for contexts, the ages of
 * their units and what is counted. What is to happen is then found in the first, and done in all: the state is that of
 * collect.c, sub-core by sub-core, bit for bit. It is gone by in a run in which nobody looks or changes anything
 * between cycles (run_ahead.c); where one slice goes its own way, collect.c takes over until no collector unit is
 * taken.
 */
#include "gangs/gangs.h"
#include "state/units.h"

#define EVEN_AGAIN 256 /* cycles after its end in which it is not tried whether they go on alike again */

/* Do two sub-cores' collector units hold the same? */
static bool lockstep_same_units(const struct sm_view *v, u32 a, u32 b)
{
	const struct sub *s = &v->sub[a], *t = &v->sub[b];
	bool same = s->free_collectors == t->free_collectors && s->ready_collectors == t->ready_collectors &&
		    s->lsu_collectors == t->lsu_collectors && s->busy_banks == t->busy_banks;
	for (u32 i = 0; same && i < v->m->config.sm_collectors; i++) {
		struct collector x = v->part[a].collector[i], y = v->part[b].collector[i];
		if (x.context == NONE16 && y.context == NONE16)
			continue;
		same = x.context != NONE16 && y.context == x.context + b - a && y.age == x.age + b - a;
		y.context = x.context;
		y.age = x.age;
		same = same && !memcmp(&x, &y, sizeof x);
	}
	return same;
}

/* Are the same reads queued at their banks? */
static bool lockstep_same_banks(const struct sm_view *v, u32 a, u32 b)
{
	u32 size = v->bank_queue;
	bool same = true;
	for (u32 i = 0; same && i < v->m->config.sm_banks; i++) {
		const struct bank *x = &v->part[a].bank[i], *y = &v->part[b].bank[i];
		u32 at = x->granted_context == NONE16 ? NONE16 : x->granted_context + b - a;
		same = x->count == y->count && y->granted_context == at;
		for (u32 k = 0; same && k < x->count; k++) {
			struct bankq p = v->part[a].bankq[i * size + (x->head + k) % size];
			struct bankq q = v->part[b].bankq[i * size + (y->head + k) % size];
			same = !memcmp(&p, &q, sizeof p);
		}
	}
	return same;
}

/* Are the same execution units free, now and later? Branches take units of their own (the last) at issue, in each
 * sub-core by itself. */
static bool lockstep_same_free(const struct sm_view *v, u32 a, u32 b)
{
	u64 now = view_cycle(v);
	bool same = true;
	for (u32 i = 0; same && i < v->m->warp_units[UNIT_BRANCH]; i++)
		same = max_u64(v->part[a].unit[i].free_at, now) == max_u64(v->part[b].unit[i].free_at, now);
	return same;
}

/* Do all sub-cores go on alike? */
static bool lockstep_is_even(const struct sm_view *v)
{
	const struct config *c = &v->m->config;
	bool even = v->m->policy_gangs && c->sm_schedulers == 1 && c->sm_banks <= MAX_BANKS && !c->collector_writes &&
		    !c->collector_late && !c->collector_reuse;
	for (u32 k = 1; even && k < c->sm_subcores; k++)
		even = lockstep_same_units(v, 0, k) && lockstep_same_banks(v, 0, k) && lockstep_same_free(v, 0, k);
	return even;
}

void lockstep_begin(struct sm_view *v)
{
	if (!v->steady || view_cycle(v) < v->even_again)
		return;
	v->even = lockstep_is_even(v);
	v->even_again = view_cycle(v) + EVEN_AGAIN;
	memset(v->since, 0, sizeof v->since);
	for (u32 i = 0; v->even && i < v->m->config.sm_banks; i++)
		v->since[i].had = v->part->bank[i].count;
	v->granted = ~0u;
}

void lockstep_show(struct sm_view *v)
{
	for (u32 k = 1; v->even && k < v->m->config.sm_subcores; k++) {
		v->sub[k].free_collectors = v->sub->free_collectors;
		v->sub[k].ready_collectors = v->sub->ready_collectors;
		v->sub[k].lsu_collectors = v->sub->lsu_collectors;
		v->sub[k].busy_banks = v->sub->busy_banks;
	}
}

void lockstep_show_unit(struct sm_view *v, u32 index)
{
	const struct collector *lead = &v->part->collector[index];
	for (u32 k = 1; k < v->m->config.sm_subcores; k++) {
		struct collector *cu = &v->part[k].collector[index];
		*cu = *lead;
		if (lead->context == NONE16)
			continue;
		cu->context = (u16)(lead->context + k);
		cu->age = lead->age + k;
	}
}

/* A bank of a sub-core holds what the first's does; the places of its queue lie as far behind as before. */
static void lockstep_spread_bank(struct sm_view *v, const struct sub_view *part, u32 k, u32 bank_id)
{
	const struct bank *lead = &v->part->bank[bank_id];
	struct bank *bank = &part->bank[bank_id];
	u32 size = v->bank_queue, at = bank_id * size;
	u32 asked = min_u32(v->since[bank_id].granted + lead->count - v->since[bank_id].had, size);
	bank->head = (u16)((bank->head + v->since[bank_id].granted) % size);
	bank->count = lead->count;
	bank->conflicts += v->since[bank_id].conflicts;
	bank->granted_context = (u16)(lead->granted_context == NONE16 ? NONE16 : lead->granted_context + k);
	if (v->since[bank_id].granted)
		bank->granted_register = lead->granted_register;
	for (u32 i = 1; i <= asked; i++)
		part->bankq[at + (bank->head + bank->count + size - i) % size] =
			v->part->bankq[at + (lead->head + lead->count + size - i) % size];
}

void lockstep_end(struct sm_view *v)
{
	if (!v->even)
		return;
	lockstep_show(v);
	v->even = false;
	for (u32 i = 0; i < v->m->config.sm_collectors; i++)
		lockstep_show_unit(v, i);
	for (u32 k = 1; k < v->m->config.sm_subcores; k++)
		for (u32 i = 0; i < v->m->config.sm_banks; i++)
			lockstep_spread_bank(v, &v->part[k], k, i);
	v->granted = ~0u;
	v->even_again = view_cycle(v) + EVEN_AGAIN;
	INVARIANT(lockstep_is_even(v));
}

void lockstep_take(struct sm_view *v, u32 first, u32 pc, const struct inst *in, u32 memop)
{
	u32 others = v->m->config.sm_subcores - 1;
	perform_collect(v, first, pc, in, memop);
	v->sm->issue_order += others;
	v->sm->collectors_busy += others;
}

/* Banks of each grant reads; what still waits is in conflict. */
static void lockstep_grant_all(struct sm_view *v)
{
	u32 others = v->m->config.sm_subcores - 1, granted = 0, waits = 0;
	for (u32 pass = 0; pass < v->m->config.collector_passes; pass++) {
		v->granted |= v->sub->busy_banks;
		for (u32 banks = v->sub->busy_banks; banks; banks &= banks - 1)
			v->since[__builtin_ctz(banks)].granted++;
		granted += collect_arbitrate(v, v->part, pass);
	}
	collect_reads(v, v->part, granted);
	for (u32 banks = v->sub->busy_banks; banks; banks &= banks - 1, waits += others)
		v->since[__builtin_ctz(banks)].conflicts++;
	granted *= others;
	v->sm->stat[STAT_RF_READS] += granted;
	v->sm->events[EVENT_GRANT] += granted;
	v->sm->stat[STAT_RF_CONFLICT] += waits;
	v->sm->events[EVENT_CONFLICT] += waits;
}

void lockstep_release(struct sm_view *v, u32 index)
{
	collect_release(v, v->part, index);
	v->sm->collectors_busy -= v->m->config.sm_subcores - 1;
}

/* One collector unit of each hands its instruction to an execution unit, if that accepts. */
static void lockstep_dispatch(struct sm_view *v, u32 index, u32 first)
{
	const struct collector *cu = &v->part->collector[index];
	u32 kind = machine_class_kind(v->m, cu->class), subs = v->m->config.sm_subcores;
	if (cu->memory_op != NONE16) {
		lockstep_show_unit(v, index);
		gangs_constants(v, cu->memory_op);
		return;
	}
	const struct unit *free = unit_free(v, v->part, kind);
	if (!free)
		return;
	u64 again = unit_again(v, cu), at = (u64)(free - v->part->unit);
	for (u32 k = 0; k < subs; k++) {
		v->part[k].unit[at].free_at = again;
		v->part[k].unit[at].issued++;
	}
	struct result r = {.kind = RESULT_VALUE,
			   .context = (u16)(cu->context + first),
			   .generation = cu->generation,
			   .pc = cu->pc};
	result_due_slices(v, unit_latency(v, cu), &r, (1u << subs) - 1, subs);
	v->sm->events[EVENT_DISPATCH] += subs;
	lockstep_release(v, index);
	v->sleep->active = 1;
}

/* Is there room for the results of all, and are those of one slice found by the others? */
static bool lockstep_fits(const struct sm_view *v, u32 set)
{
	return __builtin_popcount(set) <= RESULTS_AT_ONCE &&
	       v->sm->results_used + v->m->contexts + MAX_SUBCORES * RESULTS_AT_ONCE <
		       v->m->section[SECTION_RESULT].count;
}

void lockstep_collect(struct sm_view *v, u32 first)
{
	u32 subs = v->m->config.sm_subcores, set;
	if (v->sub->busy_banks)
		lockstep_grant_all(v);
	set = v->sub->ready_collectors & ~v->sub->lsu_collectors;
	if (!lockstep_fits(v, set)) {
		lockstep_end(v);
		for (u32 i = 0; i < subs; i++)
			collect_dispatch(v, &v->part[(first + i) & (subs - 1)]);
		for (u32 k = 0; k < subs; k++)
			v->sleep->active |= (v->sub[k].ready_collectors & ~v->sub[k].lsu_collectors) != 0;
		return;
	}
	for (u32 i; set; set &= ~(1u << i)) {
		i = collect_oldest(v->part->collector, set);
		lockstep_dispatch(v, i, first);
	}
	v->sleep->active |= (v->sub->ready_collectors & ~v->sub->lsu_collectors) != 0;
}
