/*
 * territory.c - where registers and shared memory lie: each context has a stretch of its sub-core's register file, each
 * CTA one of the SM's shared memory.
 *
 * Without an allocation policy whether a CTA fits is a matter of numbers (place.c). What comes gets the lowest stretch
 * that is free and long enough; where what is free lies in pieces, all that is resident moves together first, at no
 * cost. So addresses are those of a map that the hardware may lay as it likes, they have no consequences, and the hash
 * leaves them out. A policy is asked for every warp and for the CTA while it is placed; what has come does not move
 * then, and at seal it is looked whether all of it is where it was laid.
 */
#include "blocks/blocks.h"

/* Units [at, at + n) are taken, or free again; before that none, or all of them were. */
static void territory_mark(const struct territory *t, u32 at, u32 n, bool taken)
{
	INVARIANT(at + n <= t->ground.units);
	for (u32 end = at + n; at < end;) {
		u32 bits = min_u32(64 - at % 64, end - at);
		u64 mask = (~0ULL >> (64 - bits)) << at % 64, *word = &t->map[at / 64].taken;
		INVARIANT((*word & mask) == (taken ? 0 : mask));
		*word ^= mask;
		at += bits;
	}
}

/* All that is resident moves to the beginning, in the order of its owners. */
static void territory_move_together(const struct territory *t)
{
	u32 at = 0;
	for (u32 i = t->first; i < t->owners; i += t->step)
		if (t->stretch[i].count)
			territory_mark(t, t->stretch[i].first / t->ground.unit, t->stretch[i].count / t->ground.unit,
				       false);
	for (u32 i = t->first; i < t->owners; i += t->step) {
		u32 n = t->stretch[i].count / t->ground.unit;
		if (!n)
			continue;
		territory_mark(t, at, n, true);
		t->stretch[i].first = at * t->ground.unit;
		at += n;
	}
}

void stretch_take(const struct territory *t, u32 owner, u32 amount)
{
	u32 n = amount / t->ground.unit, at;
	INVARIANT(!t->stretch[owner].count && amount % t->ground.unit == 0);
	if (!n)
		return;
	at = ground_lowest(&t->ground, n);
	if (at == NONE32) {
		territory_move_together(t);
		at = ground_lowest(&t->ground, n);
	}
	territory_mark(t, at, n, true);
	t->stretch[owner] = (struct stretch){.first = at * t->ground.unit, .count = amount};
}

void stretch_give(const struct territory *t, u32 owner)
{
	if (t->stretch[owner].count)
		territory_mark(t, t->stretch[owner].first / t->ground.unit, t->stretch[owner].count / t->ground.unit,
			       false);
	t->stretch[owner] = (struct stretch){0};
}

struct territory register_file(const struct sm_view *v, u32 sub)
{
	const struct config *c = &v->m->config;
	u32 words = v->m->section[SECTION_REGISTER_MAP].count / c->sm_subcores;
	struct map_word *map =
		(struct map_word *)machine_sm_section(v->m, v->id, SECTION_REGISTER_MAP) + (u64)sub * words;
	return (struct territory){.ground = {.map = map,
					     .units = c->sm_registers / c->sm_subcores / config_register_unit(c),
					     .unit = config_register_unit(c),
					     .sub = sub},
				  .map = map,
				  .stretch = machine_sm_section(v->m, v->id, SECTION_REGISTER_STRETCH),
				  .first = sub,
				  .step = c->sm_subcores,
				  .owners = v->m->contexts};
}

/* Shared memory below the region of contexts, `region` bytes at its high end. */
static struct territory territory_shared_below(const struct sm_view *v, u32 region)
{
	const struct config *c = &v->m->config;
	struct map_word *map = machine_sm_section(v->m, v->id, SECTION_SHARED_MAP);
	return (struct territory){.ground = {.map = map,
					     .units = (c->sm_shared - region) / c->sm_shared_unit,
					     .unit = c->sm_shared_unit,
					     .sub = NONE32},
				  .map = map,
				  .stretch = machine_sm_section(v->m, v->id, SECTION_SHARED_STRETCH),
				  .first = 0,
				  .step = 1,
				  .owners = v->m->residents};
}

struct territory shared_memory(const struct sm_view *v)
{
	return territory_shared_below(v, v->sm->region);
}

bool territory_confine(struct sm_view *v, u32 region)
{
	struct territory all = territory_shared_below(v, 0), below = territory_shared_below(v, region);
	if (ground_next(&all.ground, below.ground.units, true) < all.ground.units) {
		if (policy_one(v->m, POLICY_allocate))
			return false;
		territory_move_together(&all);
	}
	v->sm->region = region;
	return true;
}

/* Do some units meet the extent of what other launches hold of a ground? */
static bool territory_within_other(const struct sm_view *v, const struct territory *t, u32 launch, u32 from, u32 to)
{
	u32 first = NONE32, end = 0;
	for (u32 i = t->first; i < t->owners; i += t->step) {
		bool mine = t->ground.sub == NONE32 ? v->cta[i].launch == launch
						    : SET_HAS(v->sm->free_contexts, i) || v->warp[i].launch == launch;
		if (mine || !t->stretch[i].count)
			continue;
		first = min_u32(first, t->stretch[i].first / t->ground.unit);
		end = max_u32(end, (t->stretch[i].first + t->stretch[i].count) / t->ground.unit);
	}
	return from < end && first < to;
}

/* Put an owner where the allocation policy wants it; false: nowhere. */
static bool territory_ask(struct sm_view *v, const struct territory *t, u32 launch, u32 owner, u32 amount)
{
	const struct scheme *allocator = policy_one(v->m, POLICY_allocate);
	u32 n = amount / t->ground.unit;
	if (!allocator || !n)
		return true;
	u32 at = allocator->decide.allocate(v->look, &t->ground, launch, n);
	if (at == NONE32)
		return false;
	INVARIANT(!allocator->outermost || !territory_within_other(v, t, launch, at, at + n));
	territory_mark(t, at, n, true);
	t->stretch[owner] = (struct stretch){.first = at * t->ground.unit, .count = amount};
	v->laid = true;
	return true;
}

bool settle_registers(struct sm_view *v, u32 launch, u32 context, u32 registers)
{
	struct territory file = register_file(v, view_sub(v, context));
	return territory_ask(v, &file, launch, context, registers);
}

bool settle_shared(struct sm_view *v, u32 launch, u32 cta_slot, u32 shared)
{
	struct territory memory = shared_memory(v);
	return territory_ask(v, &memory, launch, cta_slot, shared);
}

void unsettle(struct sm_view *v, const u16 *context, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		struct territory file = register_file(v, view_sub(v, context[i]));
		stretch_give(&file, context[i]);
	}
}

void territory_settle(struct sm_view *v, u32 cta_slot)
{
	const struct cta *cta = &v->cta[cta_slot];
	struct territory shared = shared_memory(v);
	if (policy_one(v->m, POLICY_allocate))
		return;
	SET_EACH (i, cta->contexts, CONTEXT_WORDS) {
		struct territory file = register_file(v, view_sub(v, i));
		stretch_take(&file, i, cta->registers / cta->warps);
	}
	stretch_take(&shared, cta_slot, cta->shared);
}

void territory_leave(struct sm_view *v, u32 cta_slot)
{
	struct territory shared = shared_memory(v);
	SET_EACH (i, v->cta[cta_slot].contexts, CONTEXT_WORDS) {
		struct territory file = register_file(v, view_sub(v, i));
		stretch_give(&file, i);
	}
	stretch_give(&shared, cta_slot);
	v->laid = true;
}

/* What an owner holds: a context's part of its CTA's registers, a CTA's shared memory. */
static u32 territory_held(const struct sm_view *v, const struct territory *t, u32 owner)
{
	const struct cta *cta;
	if (t->ground.sub == NONE32)
		return v->cta[owner].launch == NONE16 ? 0 : v->cta[owner].shared;
	cta = v->warp[owner].cta == NONE16 ? NULL : &v->cta[v->warp[owner].cta];
	return cta ? cta->registers / cta->warps : 0;
}

/* Each owner has a stretch as long as what it holds, no two meet, and the map knows of no other: taken away one by one
 * they leave nothing. */
static void territory_check_ground(const struct sm_view *v, const struct territory *t)
{
	for (u32 i = t->first; i < t->owners; i += t->step) {
		INVARIANT(t->stretch[i].count == territory_held(v, t, i));
		if (t->stretch[i].count)
			territory_mark(t, t->stretch[i].first / t->ground.unit, t->stretch[i].count / t->ground.unit,
				       false);
	}
	INVARIANT(ground_next(&t->ground, 0, true) == t->ground.units);
	for (u32 i = t->first; i < t->owners; i += t->step)
		if (t->stretch[i].count)
			territory_mark(t, t->stretch[i].first / t->ground.unit, t->stretch[i].count / t->ground.unit,
				       true);
}

void territory_check(struct sm_view *v)
{
	struct territory shared = shared_memory(v);
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		struct territory file = register_file(v, k);
		territory_check_ground(v, &file);
	}
	territory_check_ground(v, &shared);
	v->laid = false;
}
