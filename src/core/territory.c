/*
 * territory.c - where registers and shared memory lie: each context has a stretch of its sub-core's register file, each CTA one of the
 * SM's shared memory.
 *
 * Whether a CTA fits is a matter of numbers (place.c): the neutral allocator counts. What it admits gets the lowest stretch that is free
 * and long enough; where what is free lies in pieces, all that is resident moves together first, at no cost. So addresses are those of
 * a map that the hardware may lay as it likes, they have no consequences, and the hash leaves them out. An allocator that
 * cannot move what is resident has to look for its stretches (stretch_find) before it lets a CTA in.
 */
#include "cta.h"

/* The first unit from `at` on that is free, or that is taken; `units` if there is none. */
static u32 next(const struct map_word *map, u32 units, u32 at, bool taken)
{
	while (at < units) {
		u64 bits = (taken ? map[at / 64].taken : ~map[at / 64].taken) >> at % 64;
		if (bits)
			return min_u32(at + (u32)__builtin_ctzll(bits), units);
		at = (at / 64 + 1) * 64;
	}
	return units;
}

u32 stretch_find(const struct territory *t, u32 n)
{
	for (u32 at = next(t->map, t->units, 0, false), end; at < t->units; at = next(t->map, t->units, end, false)) {
		end = next(t->map, t->units, at, true);
		if (end - at >= n)
			return at;
	}
	return NONE32;
}

/* Units [at, at + n) are taken, or free again; before that none, or all of them were. */
static void mark(const struct territory *t, u32 at, u32 n, bool taken)
{
	INVARIANT(at + n <= t->units);
	for (u32 end = at + n; at < end;) {
		u32 bits = min_u32(64 - at % 64, end - at);
		u64 mask = (~0ULL >> (64 - bits)) << at % 64, *word = &t->map[at / 64].taken;
		INVARIANT((*word & mask) == (taken ? 0 : mask));
		*word ^= mask;
		at += bits;
	}
}

/* All that is resident moves to the beginning, in the order of its owners. */
static void move_together(const struct territory *t)
{
	u32 at = 0;
	for (u32 i = t->first; i < t->owners; i += t->step)
		if (t->stretch[i].count)
			mark(t, t->stretch[i].first / t->unit, t->stretch[i].count / t->unit, false);
	for (u32 i = t->first; i < t->owners; i += t->step) {
		u32 n = t->stretch[i].count / t->unit;
		if (!n)
			continue;
		mark(t, at, n, true);
		t->stretch[i].first = at * t->unit;
		at += n;
	}
}

void stretch_take(const struct territory *t, u32 owner, u32 amount)
{
	u32 n = amount / t->unit, at;
	INVARIANT(!t->stretch[owner].count && amount % t->unit == 0);
	if (!n)
		return;
	at = stretch_find(t, n);
	if (at == NONE32) {
		move_together(t);
		at = stretch_find(t, n);
	}
	mark(t, at, n, true);
	t->stretch[owner] = (struct stretch){ .first = at * t->unit, .count = amount };
}

void stretch_give(const struct territory *t, u32 owner)
{
	if (t->stretch[owner].count)
		mark(t, t->stretch[owner].first / t->unit, t->stretch[owner].count / t->unit, false);
	t->stretch[owner] = (struct stretch){ 0 };
}

struct territory register_file(const struct sm_view *v, u32 sub)
{
	const struct config *c = &v->m->config;
	u32 words = v->m->section[SECTION_REGISTER_MAP].count / c->sm_subcores;
	struct map_word *map = machine_sm_section(v->m, v->id, SECTION_REGISTER_MAP);
	return (struct territory){ .map = map + (u64)sub * words, .stretch = machine_sm_section(v->m, v->id, SECTION_REGISTER_STRETCH),
				   .units = c->sm_registers / c->sm_subcores / c->sm_register_unit, .unit = c->sm_register_unit,
				   .first = sub, .step = c->sm_subcores, .owners = v->m->contexts };
}

struct territory shared_memory(const struct sm_view *v)
{
	const struct config *c = &v->m->config;
	return (struct territory){ .map = machine_sm_section(v->m, v->id, SECTION_SHARED_MAP),
				   .stretch = machine_sm_section(v->m, v->id, SECTION_SHARED_STRETCH),
				   .units = c->sm_shared / c->sm_shared_unit, .unit = c->sm_shared_unit,
				   .first = 0, .step = 1, .owners = v->m->residents };
}

void territory_settle(struct sm_view *v, u32 cta_slot)
{
	const struct cta *cta = &v->cta[cta_slot];
	struct territory shared = shared_memory(v);
	SET_EACH(i, cta->contexts, CONTEXT_WORDS) {
		struct territory file = register_file(v, view_sub(v, i));
		stretch_take(&file, i, cta->registers / cta->warps);
	}
	stretch_take(&shared, cta_slot, cta->shared);
}

void territory_leave(struct sm_view *v, u32 cta_slot)
{
	struct territory shared = shared_memory(v);
	SET_EACH(i, v->cta[cta_slot].contexts, CONTEXT_WORDS) {
		struct territory file = register_file(v, view_sub(v, i));
		stretch_give(&file, i);
	}
	stretch_give(&shared, cta_slot);
}
