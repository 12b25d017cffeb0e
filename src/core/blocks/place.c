/*
 * place.c - where the warps of a CTA go: registers and slots belong to sub-cores.
 *
 * The assignment policy names a sub-core for each warp; one without room passes the warp on to the next that has it.
 * Where CTAs may come without slots (slot cta.virtual) it does so for all of them: a CTA that gets slots is placed
 * where slots are free, as ever, and one beyond them as if all slots were, so that those without are spread over the
 * sub-cores as those with are. The contexts of a CTA then stand together, as the first and their number are all that
 * is kept of them. With warp.size below 32 nothing is assigned: a warp takes the lowest parent warp that is free, one
 * context in each sub-core. Source: Yoon et al., "Virtual Thread", ISCA 2016, sections IV.A (virtual warp ids in
 * sequence) and IV.C. Deviation: their SM has no sub-cores; here a CTA that is swapped in goes where its registers are,
 * and waits while the slots that are free are those of other sub-cores.
 */
#include "blocks/blocks.h"

/* The sub-core that the assignment policy names for a warp. */
static u32 place_assigned_sub(const struct sm_view *v, const struct newcomer *w)
{
	u32 n = v->m->config.sm_subcores;
	u32 k = n == 1 ? 0 : policy_one(v->m, POLICY_assign)->decide.assign(v->look, w);
	INVARIANT(k < n);
	return k;
}

/* What is left of an SM while a CTA is placed. */
struct room {
	u64 open[CONTEXT_WORDS]; /* contexts */
	u32 registers[MAX_SUBCORES], slots[MAX_SUBCORES];
};

/* The lowest free context of a sub-core; NONE32: none, or the allocation policy has no place for its registers. */
static u32 place_in(struct sm_view *v, const struct room *room, u32 launch, u32 need, u32 k)
{
	for (u32 c = k; c < v->m->contexts; c += v->m->config.sm_subcores)
		if (SET_HAS(room->open, c))
			return settle_registers(v, launch, c, need) ? c : NONE32;
	return NONE32;
}

/* Context for a warp in sub-core k, or in the next that has a context, registers and a slot. NONE32: none has. */
static u32 place_warp(struct sm_view *v, const struct room *room, u32 launch, u32 need, u32 k)
{
	u32 n = v->m->config.sm_subcores;
	for (u32 i = 0; i < n; i++, k = k + 1 == n ? 0 : k + 1) {
		u32 c = room->registers[k] < need || !room->slots[k] ? NONE32 : place_in(v, room, launch, need, k);
		if (c != NONE32)
			return c;
	}
	return NONE32;
}

/* What is free now. A CTA that comes in without slots must find room in the slots that a sub-core has in all, else it
 * could never be active. */
static void place_look(struct sm_view *v, bool slots, struct room *room)
{
	memcpy(room->open, v->sm->free_contexts, sizeof room->open);
	for (u32 i = 0; i < v->m->config.sm_subcores; i++) {
		room->registers[i] = v->sub[i].registers_free;
		room->slots[i] = v->m->slots_per_sub;
	}
	if (slots)
		slots_left(v, room->slots);
}

/* Do the first count[k] contexts of each sub-core k from `base` on stand open? */
static bool place_block_open(const struct sm_view *v, u32 base, const u32 *count)
{
	u32 n = v->m->config.sm_subcores;
	for (u32 k = 0; k < n; k++)
		for (u32 i = 0; i < count[k]; i++)
			if (base + i * n + k >= v->m->contexts || !SET_HAS(v->sm->free_contexts, base + i * n + k))
				return false;
	return true;
}

/* Have all sub-cores registers, and slots if they are wanted, for so many warps each? */
static bool place_subs_hold(struct sm_view *v, const u32 *count, u32 need, bool with_slots)
{
	u32 left[MAX_SUBCORES];
	if (with_slots)
		slots_left(v, left);
	for (u32 k = 0; k < v->m->config.sm_subcores; k++)
		if (v->sub[k].registers_free < count[k] * need || (with_slots && left[k] < count[k]))
			return false;
	return true;
}

/* Contexts for the warps of a CTA; returns how many found one. */
static u32 place_warps(struct sm_view *v, const struct newcomer *first, bool with_slots, u16 *context, u32 *deflected)
{
	const struct launch *l = &v->sim->program->launch[first->launch];
	struct room room;
	u32 need = warp_registers(v->m, l);
	*deflected = 0;
	place_look(v, with_slots, &room);
	for (u32 i = 0; i < l->warps; i++) {
		struct newcomer w = {
			.launch = first->launch, .cta = first->cta, .index = i, .number = v->sm->assigned + i};
		u32 sub = place_assigned_sub(v, &w), c = place_warp(v, &room, first->launch, need, sub);
		if (c == NONE32)
			return i;
		*deflected += view_sub(v, c) != sub;
		SET_DEL(room.open, c);
		room.registers[view_sub(v, c)] -= need;
		room.slots[view_sub(v, c)]--;
		context[i] = (u16)c;
	}
	return l->warps;
}

/* Warps that have found contexts take others of their sub-cores, which stand together: in every sub-core one after the
 * other, from one row on. False: none are free, and they have no contexts. */
static bool place_stand_together(struct sm_view *v, u32 launch, u16 *context, u32 warps)
{
	u32 need = warp_registers(v->m, &v->sim->program->launch[launch]);
	u32 count[MAX_SUBCORES] = {0}, used[MAX_SUBCORES] = {0}, n = v->m->config.sm_subcores, base = 0;
	for (u32 i = 0; i < warps; i++)
		count[view_sub(v, context[i])]++;
	unsettle(v, context, warps);
	while (base < v->m->contexts && !place_block_open(v, base, count))
		base += n;
	for (u32 i = 0; base < v->m->contexts && i < warps; i++) {
		u32 k = view_sub(v, context[i]);
		context[i] = (u16)(base + used[k]++ * n + k);
		bool laid = settle_registers(v, launch, context[i], need); /* as before: what is laid has no names */
		INVARIANT(laid);
	}
	return base < v->m->contexts;
}

/* The lowest parent warp from context `at` on that is free. */
static u32 place_open_home(const struct sm_view *v, u32 at)
{
	while (at < v->m->contexts && !SET_HAS(v->sm->free_contexts, at))
		at += 1u << v->m->parent_shift;
	return at;
}

/* Contexts for the slices of all warps of a CTA, a parent warp for each warp; together: side by side. Returns how many
 * found one. */
static u32 place_homes(struct sm_view *v, const struct newcomer *first, bool with_slots, bool together, u16 *context)
{
	const struct launch *l = &v->sim->program->launch[first->launch];
	u32 n = 1u << v->m->parent_shift, need = warp_registers(v->m, l), count[MAX_SUBCORES] = {0}, at = 0;
	for (u32 k = 0; k < n; k++)
		count[k] = l->warps;
	if (l->warps > v->m->slots_per_sub || !place_subs_hold(v, count, need, with_slots))
		return 0;
	while (together && at < v->m->contexts && !place_block_open(v, at, count))
		at += n;
	for (u32 i = 0; i < l->warps * n; i++) {
		u32 k = i & (n - 1);
		at = k ? at : place_open_home(v, at);
		if (at >= v->m->contexts || !settle_registers(v, first->launch, at + k, need))
			return i;
		context[i] = (u16)(at + k);
		at += k + 1 == n ? n : 0;
	}
	return l->warps * n;
}

/* Contexts for the warps of a CTA, each a slice where warps are cut; returns how many found one. */
static u32 place_all(struct sm_view *v, const struct newcomer *first, bool with_slots, u16 *context, u32 *deflected)
{
	const struct scheme *x = policy_one(v->m, POLICY_cta_virtual);
	bool together = x && x->decide.cta_virtual(v->look, first->launch);
	if (v->m->parent_shift)
		return place_homes(v, first, with_slots, together, context);
	u32 n = place_warps(v, first, with_slots, context, deflected);
	bool all = n == launch_contexts(v->m, &v->sim->program->launch[first->launch]);
	return !together || !all || place_stand_together(v, first->launch, context, n) ? n : 0;
}

bool place_cta(struct sm_view *v, const struct newcomer *first, bool with_slots, u16 *context, u32 *deflected)
{
	const struct launch *l = &v->sim->program->launch[first->launch];
	u32 cta = (u32)__builtin_ctzll(v->sm->free_ctas), n;
	*deflected = 0;
	n = place_all(v, first, with_slots, context, deflected);
	bool fits = n == launch_contexts(v->m, l) && settle_shared(v, first->launch, cta, cta_shared(v->m, l));
	if (!fits)
		unsettle(v, context, n);
	return fits;
}
