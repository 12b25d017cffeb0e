/*
 * room.c - what is in the way of one more CTA of a launch in an SM: what policies want, numbers, or pieces that are too
 * small.
 */
#include "room.h"

struct ground room_ground(const struct sched_view *v, u32 sub)
{
	const struct machine *m = v->m;
	const struct config *c = &m->config;
	const u8 *block = (const u8 *)m + m->sm_base + v->sm_id * m->sm_stride;
	if (sub == NONE32)
		return (struct ground){.map = (const void *)(block + m->section[SECTION_SHARED_MAP].offset),
				       .units = (c->sm_shared - v->sm->region) / c->sm_shared_unit,
				       .unit = c->sm_shared_unit,
				       .sub = sub};
	const struct map_word *map = (const void *)(block + m->section[SECTION_REGISTER_MAP].offset);
	return (struct ground){.map = map + m->section[SECTION_REGISTER_MAP].count / c->sm_subcores * sub,
			       .units = c->sm_registers / c->sm_subcores / config_register_unit(c),
			       .unit = config_register_unit(c),
			       .sub = sub};
}

struct room_pieces room_pieces(const struct ground *g)
{
	struct room_pieces p = {0};
	for (u32 at = ground_next(g, 0, false), end; at < g->units; at = ground_next(g, end, false)) {
		end = ground_next(g, at, true);
		p.free += end - at;
		p.largest = max_u32(p.largest, end - at);
		p.pieces++;
	}
	return p;
}

/* May CTAs of a launch come beyond the warp slots? */
static bool beyond(const struct sched_view *v, u32 launch)
{
	const struct scheme *x = policy_one(v->m, POLICY_cta_virtual);
	return x && x->decide.cta_virtual(v, launch);
}

/* Places that are left for CTAs of a launch. */
static u32 places(const struct sched_view *v, u32 launch)
{
	bool more = beyond(v, launch);
	u32 most = more ? config_residents(&v->m->config) : config_active(&v->m->config);
	return most - min_u32(most, more ? v->sm->ctas : active_ctas(v->sm));
}

/* Does dispatch.limit, or a policy, let no CTA of a launch come? */
static bool limited(const struct sched_view *v, u32 launch)
{
	const u8 *block = (const u8 *)v->m + v->m->sm_base + v->sm_id * v->m->sm_stride;
	const struct bounds *b = (const void *)(block + v->m->section[SECTION_BOUNDS].offset);
	u32 most = v->m->config.dispatch_limit;
	bool no = b->closed || (most && v->sm->ctas >= most) || (b->limit && v->sm->ctas >= b->limit - 1);
	POLICY_EACH (x, v->m, POLICY_cta_admit)
		no |= !x->decide.cta_admit(v, launch);
	return no;
}

/* Warps of a launch that find slots and registers by numbers. */
static u32 warps_fit(const struct sched_view *v, u32 launch)
{
	u32 per_sub = v->m->slots_per_sub, need = warp_registers(v->m, &v->launch[launch]), n = 0;
	bool more = beyond(v, launch);
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		u32 slots = 0;
		for (u32 i = k * per_sub; i < (k + 1) * per_sub; i++)
			slots += more || v->slot[i].context == NONE16;
		n += need ? min_u32(slots, v->sub[k - v->sub_id].registers_free / need) : slots;
	}
	return n;
}

/* Shared memory that is free, less the region of contexts. */
static u32 shared_left(const struct sched_view *v)
{
	return v->sm->shared_free - min_u32(v->sm->shared_free, v->sm->region);
}

u32 room_count(const struct sched_view *v, u32 launch)
{
	u32 need = cta_shared(v->m, &v->launch[launch]);
	u32 n = min_u32(warps_fit(v, launch) / max_u32(launch_contexts(v->m, &v->launch[launch]), 1),
			places(v, launch));
	return need ? min_u32(n, shared_left(v) / need) : n;
}

/* Is there a place for a stretch of a launch in a ground, as the allocation policy lays it? */
static bool has_place(const struct sched_view *v, u32 sub, u32 launch, u32 need)
{
	const struct scheme *allocator = policy_one(v->m, POLICY_allocate);
	struct ground g = room_ground(v, sub);
	return !allocator || !need || allocator->decide.allocate(v, &g, launch, need / g.unit) != NONE32;
}

enum room room_for(const struct sched_view *v, u32 launch, u32 *wanted)
{
	const struct scheme *plan = policy_one(v->m, POLICY_partition);
	bool registers = false;
	*wanted = plan ? plan->decide.partition(v, launch) : NONE32;
	if (kernel_on(v->m, v->sm_id, launch)->resident >= *wanted)
		return ROOM_PARTITION;
	if (limited(v, launch))
		return ROOM_LIMIT;
	if (!places(v, launch))
		return ROOM_CTAS;
	if (warps_fit(v, launch) < launch_contexts(v->m, &v->launch[launch]))
		return ROOM_WARPS;
	if (shared_left(v) < cta_shared(v->m, &v->launch[launch]))
		return ROOM_SHARED;
	for (u32 k = 0; k < v->m->config.sm_subcores; k++)
		registers |= has_place(v, k, launch, warp_registers(v->m, &v->launch[launch]));
	if (!registers)
		return ROOM_REGISTER_PIECES;
	if (!has_place(v, NONE32, launch, cta_shared(v->m, &v->launch[launch])))
		return ROOM_SHARED_PIECES;
	return v->m->config.dispatch_interval ? ROOM_TURN : ROOM_THERE;
}

const char *room_word(enum room room)
{
	static const char *const word[] = {
		[ROOM_THERE] = "fits and may be dispatched in the next cycle",
		[ROOM_TURN] = "fits and is dispatched at the SM's turn (dispatch.interval)",
		[ROOM_PARTITION] = "is not assigned to the SM",
		[ROOM_LIMIT] = "is barred: dispatch.limit or a policy allows no more CTAs now",
		[ROOM_CTAS] = "does not fit: the SM holds its maximum number of CTAs",
		[ROOM_WARPS] = "does not fit: too few warp slots or registers are free",
		[ROOM_REGISTER_PIECES] = "does not fit: enough registers are free, but not where they may be allocated",
		[ROOM_SHARED] = "does not fit: too little shared memory is free",
		[ROOM_SHARED_PIECES] = "does not fit: enough shared memory is free, but not where it may be allocated",
	};
	return word[room];
}
