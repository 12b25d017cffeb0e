/*
 * why_room.c - why no CTA of a kernel that still has some comes to an SM.
 */
#include "why_parts.h"

#include "room.h"

/* "512 are free in 3 pieces, the largest 256" */
static void say_pieces(struct why *w, const struct sched_view *v, u32 launch, u32 sub, u32 need)
{
	struct ground g = room_ground(v, sub);
	struct room_pieces p = room_pieces(&g);
	const char *what = sub == NONE32 ? "bytes of shared memory" : "registers of a sub-core";
	json_t *o = why_say(w, 2, "pieces",
			    "%u %s must lie in one piece (policy %s): %u are free, in %u piece%s, the largest of %u",
			    need, what, policy_one(v->m, POLICY_allocate)->name, p.free * g.unit, p.pieces,
			    p.pieces == 1 ? "" : "s", p.largest * g.unit);
	why_number(o, "launch", launch);
	why_number(o, "need", need);
	why_number(o, "largest", p.largest * g.unit);
}

/* What is in the way of a launch. */
static void say_room(struct why *w, const struct sched_view *v, u32 launch)
{
	static const char *const word[] = {
		[ROOM_THERE] = "has room: one may come in the next cycle",
		[ROOM_PARTITION] = "is to have no more CTAs here",
		[ROOM_LIMIT] = "may not come: the SM is to take no more CTAs now",
		[ROOM_CTAS] = "finds no place: the SM holds as many CTAs as it can",
		[ROOM_WARPS] = "finds not enough warp slots and registers",
		[ROOM_REGISTER_PIECES] = "finds enough registers, but not where they may lie",
		[ROOM_SHARED] = "finds not enough shared memory",
		[ROOM_SHARED_PIECES] = "finds enough shared memory, but not where it may lie",
	};
	const struct launch *l = &v->launch[launch];
	u32 wanted, has = kernel_on(v->m, w->sm, launch)->resident;
	enum room room = room_for(v, launch, &wanted);
	json_t *o = why_say(w, 1, "room", "kernel %u (%s), which has %u CTA%s here and more to come, %s", launch,
			    safe_text(l->kernel->name), has, has == 1 ? "" : "s", word[room]);
	why_number(o, "launch", launch);
	why_number(o, "has", has);
	if (room == ROOM_SHARED)
		why_say(w, 2, "shared", "a CTA of it takes %u bytes, %u are free", cta_shared(v->m, l),
			v->sm->shared_free);
	if (room == ROOM_SHARED_PIECES)
		say_pieces(w, v, launch, NONE32, cta_shared(v->m, l));
	if (room == ROOM_REGISTER_PIECES)
		say_pieces(w, v, launch, 0, warp_registers(v->m, l));
}

void why_room(struct why *w)
{
	const struct sched_view *v = sim_look(w->sim, w->sm, 0);
	for (u32 i = 0; i < w->m->section[SECTION_LAUNCH].count; i++)
		if (v->run[i].state == LAUNCH_RUNNING && launch_waits(&v->run[i], &v->launch[i]))
			say_room(w, v, i);
}
