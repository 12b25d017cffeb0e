/*
 * evenly.c - sub-cores of slices that go on alike: what one does with collector units, banks and execution units all
 * do.
 *
 * As long as gangs of all slices issue and nothing else does, the sub-cores hold the same but for contexts, the ages of
 * their units and what is counted. What is to happen is then found in the first, and done in all: the state is that of
 * collect.c, sub-core by sub-core, bit for bit. It is gone by in a run in which nobody looks or changes anything
 * between cycles (ahead.c); where one slice goes its own way, collect.c takes over until no collector unit is taken.
 */
#include "core.h"

#include <string.h>

/* Do two sub-cores' collector units hold the same? */
static bool same_units(const struct sm_view *v, u32 a, u32 b)
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
static bool same_banks(const struct sm_view *v, u32 a, u32 b)
{
	u32 size = v->bank_queue;
	bool same = true;
	for (u32 i = 0; same && i < v->m->config.sm_banks; i++) {
		const struct bank *x = &v->part[a].bank[i], *y = &v->part[b].bank[i];
		same = x->count == y->count;
		for (u32 k = 0; same && k < x->count; k++) {
			struct bankq p = v->part[a].bankq[i * size + (x->head + k) % size];
			struct bankq q = v->part[b].bankq[i * size + (y->head + k) % size];
			same = !memcmp(&p, &q, sizeof p);
		}
	}
	return same;
}

/* Are the same execution units free, now and later? */
static bool same_free(const struct sm_view *v, u32 a, u32 b)
{
	u64 now = view_cycle(v);
	bool same = true;
	for (u32 i = 0; same && i < v->units; i++)
		same = max_u64(v->part[a].unit[i].free_at, now) == max_u64(v->part[b].unit[i].free_at, now);
	return same;
}

bool evenly(const struct sm_view *v)
{
	const struct config *c = &v->m->config;
	bool even = v->m->home_shift && !c->collector_writes && !c->collector_late;
	for (u32 k = 1; even && k < c->sm_subcores; k++)
		even = same_units(v, 0, k) && same_banks(v, 0, k) && same_free(v, 0, k);
	return even;
}

void evenly_take(struct sm_view *v, u32 first, const struct asking *a, bool lsu)
{
	struct sub sub = *v->sub; /* what the first comes to */
	u32 bit = sub.free_collectors & -sub.free_collectors, index = (u32)__builtin_ctz(bit), size = v->bank_queue;
	sub.busy_banks |= a->banks;
	sub.free_collectors &= ~bit;
	sub.lsu_collectors |= lsu ? bit : 0;
	sub.ready_collectors |= a->n ? 0 : bit;
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		const struct sub_view *part = &v->part[k];
		struct collector *cu = &part->collector[index];
		*cu = a->unit;
		cu->context = (u16)(first + k);
		cu->age = v->sm->issue_order + k;
		for (u32 i = 0; i < a->n; i++) {
			struct bank *bank = &part->bank[a->bank[i]];
			u32 at = bank->head + bank->count++;
			struct bankq q = a->ask[i];
			q.collector = (u8)index;
			part->bankq[a->bank[i] * size + (at >= size ? at - size : at)] = q;
		}
		part->sub->busy_banks = sub.busy_banks;
		part->sub->free_collectors = sub.free_collectors;
		part->sub->lsu_collectors = sub.lsu_collectors;
		part->sub->ready_collectors = sub.ready_collectors;
	}
	v->sm->issue_order += v->m->config.sm_subcores;
}

/* A bank of each grants its oldest read. */
static void grant(struct sm_view *v, u32 bank_id)
{
	const struct sub_view *lead = v->part;
	struct bankq q = lead->bankq[bank_id * v->bank_queue + lead->bank[bank_id].head];
	const struct collector *unit = &lead->collector[q.collector];
	u32 need = unit->need - 1u, left = lead->bank[bank_id].count - 1u, context = unit->context;
	u32 read = unit->read | 1u << q.operand;
	u32 busy = lead->sub->busy_banks & ~(left ? 0 : 1u << bank_id);
	u32 ready = lead->sub->ready_collectors | (need ? 0 : 1u << q.collector);
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		const struct sub_view *part = &v->part[k];
		struct bank *bank = &part->bank[bank_id];
		struct collector *cu = &part->collector[q.collector];
		u32 head = bank->head + 1u;
		bank->head = (u16)(head == v->bank_queue ? 0 : head);
		bank->count = (u16)left;
		bank->granted_context = (u16)(context + k);
		bank->granted_register = q.reg;
		cu->read = (u16)read;
		cu->need = (u8)need;
		part->sub->busy_banks = busy;
		part->sub->ready_collectors = ready;
	}
	v->granted |= 1u << bank_id;
}

/* Every bank with reads queued grants one, as often as there are passes; what still waits is in conflict. */
static void grant_all(struct sm_view *v)
{
	u32 subs = v->m->config.sm_subcores, granted = 0, waits = 0;
	for (u32 pass = 0; pass < v->m->config.collector_passes; pass++)
		for (u32 banks = v->sub->busy_banks; banks; banks &= banks - 1, granted += subs)
			grant(v, (u32)__builtin_ctz(banks));
	for (u32 banks = v->sub->busy_banks; banks; banks &= banks - 1, waits += subs)
		for (u32 k = 0; k < subs; k++)
			v->part[k].bank[__builtin_ctz(banks)].conflicts++;
	v->sm->stat[STAT_RF_READS] += granted;
	v->sm->events[EVENT_GRANT] += granted;
	v->sm->stat[STAT_RF_CONFLICT] += waits;
	v->sm->events[EVENT_CONFLICT] += waits;
	v->sm->granted = v->sleep->active = 1;
}

/* A collector unit of each is free. */
static void release(struct sm_view *v, u32 index)
{
	static const struct collector unused = {.context = NONE16, .memory_op = NONE16};
	u32 bit = 1u << index, subs = v->m->config.sm_subcores;
	for (u32 k = 0; k < subs; k++) {
		struct sub *sub = v->part[k].sub;
		v->part[k].collector[index] = unused;
		sub->ready_collectors &= ~bit;
		sub->lsu_collectors &= ~bit;
		sub->free_collectors |= bit;
	}
	v->sm->collectors_busy -= subs;
}

/* One collector unit of each hands its instruction to an execution unit, if that accepts. */
static void dispatch(struct sm_view *v, u32 index, u32 first)
{
	const struct collector *cu = &v->part->collector[index];
	u32 kind = class_unit[cu->class], subs = v->m->config.sm_subcores;
	if (cu->memory_op != NONE16) {
		collect_constants(v, cu->memory_op);
		return;
	}
	const struct unit *free = collect_unit(v, v->part, kind);
	if (!free)
		return;
	u64 again = collect_unit_again(v, kind), at = (u64)(free - v->part->unit);
	for (u32 k = 0; k < subs; k++) {
		v->part[k].unit[at].free_at = again;
		v->part[k].unit[at].issued++;
	}
	struct result r = {.kind = RESULT_VALUE,
			   .context = (u16)(cu->context + first),
			   .generation = cu->generation,
			   .pc = cu->pc};
	result_due_slices(v, collect_latency(v, cu->class), &r, (1u << subs) - 1, subs);
	v->sm->events[EVENT_DISPATCH] += subs;
	release(v, index);
	v->sleep->active = 1;
}

/* Is there room for the results of all, and are those of one slice found by the others? */
static bool fits(const struct sm_view *v, u32 set)
{
	return __builtin_popcount(set) <= RESULTS_AT_ONCE &&
	       v->sm->results_used + v->m->contexts + MAX_SUBCORES * RESULTS_AT_ONCE <
		       v->m->section[SECTION_RESULT].count;
}

void evenly_collect(struct sm_view *v, u32 first)
{
	u32 subs = v->m->config.sm_subcores, set;
	if (v->sub->busy_banks)
		grant_all(v);
	set = v->sub->ready_collectors & ~v->sub->lsu_collectors;
	if (!fits(v, set)) {
		v->even = false;
		for (u32 i = 0; i < subs; i++)
			collect_dispatch(v, &v->part[(first + i) & (subs - 1)]);
		for (u32 k = 0; k < subs; k++)
			v->sleep->active |= (v->sub[k].ready_collectors & ~v->sub[k].lsu_collectors) != 0;
		return;
	}
	for (u32 i; set; set &= ~(1u << i)) {
		i = collect_oldest(v->part->collector, set);
		dispatch(v, i, first);
	}
	v->sleep->active |= (v->sub->ready_collectors & ~v->sub->lsu_collectors) != 0;
}
