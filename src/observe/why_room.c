/*
 * why_room.c - how many CTAs of a kernel are to be in an SM, and why no more of them come.
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
			    "%u %s must be contiguous (policy %s): %u are free in %u piece%s, the largest of %u", need,
			    what, policy_one(v->m, POLICY_allocate)->name, p.free * g.unit, p.pieces,
			    p.pieces == 1 ? "" : "s", p.largest * g.unit);
	why_numbers(o, {"launch", launch}, {"need", need}, {"largest", p.largest * g.unit});
}

/* What is in the way of the next CTA of a launch, in words, and how much is missing. */
static void say_way(struct why *w, const struct sched_view *v, u32 launch, enum room room)
{
	const struct launch *l = &v->launch[launch];

	if (room == ROOM_SHARED)
		why_say(w, 2, "shared", "a CTA needs %u bytes of shared memory; %u are free", cta_shared(v->m, l),
			v->sm->shared_free);
	if (room == ROOM_SHARED_PIECES)
		say_pieces(w, v, launch, NONE32, cta_shared(v->m, l));
	if (room == ROOM_REGISTER_PIECES)
		say_pieces(w, v, launch, 0, warp_registers(v->m, l));
}

/* "maestro assigns 7 CTAs of kernel 0 (dense) to the SM" */
static void add_wanted(const struct why *w, const struct sched_view *v, u32 launch, u32 wanted, struct text *out)
{
	const char *name = safe_text(v->launch[launch].kernel->name), *plan = policy_one(w->m, POLICY_partition)->name;

	if (wanted == NONE32)
		text_add(out, "%s allows as many CTAs of kernel %u (%s) as fit", plan, launch, name);
	else
		text_add(out, "%s assigns %u CTA%s of kernel %u (%s) to the SM", plan, wanted, wanted == 1 ? "" : "s",
			 launch, name);
}

/* How a line ends: what is in the way of one more. */
static void add_next(u32 has, u32 wanted, bool waits, enum room room, struct text *out)
{
	if (wanted != NONE32 && has > wanted)
		text_add(out, ", %u too many", has - wanted);
	else if (!waits)
		text_add(out, ", and none is left to dispatch");
	else if (room != ROOM_PARTITION)
		text_add(out, "; the next CTA %s", room_word(room));
}

/* What slot partition wants of a launch, what is there, and what is in the way of one more. */
static void say_wanted(struct why *w, const struct sched_view *v, u32 launch)
{
	bool waits = launch_waits(&v->run[launch], &v->launch[launch]);
	u32 wanted, has = kernel_on(v->m, w->sm, launch)->resident;
	enum room room = room_for(v, launch, &wanted);
	struct text line = {0};
	json_t *o;

	add_wanted(w, v, launch, wanted, &line);
	text_add(&line, ": %u %s resident", has, has == 1 ? "is" : "are");
	add_next(has, wanted, waits, room, &line);
	o = why_say(w, 1, "partition", "%s", line.s);
	text_free(&line);
	why_numbers(o, {"kernel", launch}, {"resident", has});
	if (wanted != NONE32)
		why_number(o, "wanted", wanted);
	if (waits)
		say_way(w, v, launch, room);
}

/* What is in the way of a launch that has CTAs to come, where no policy divides SMs. */
static void say_room(struct why *w, const struct sched_view *v, u32 launch)
{
	u32 wanted, has = kernel_on(v->m, w->sm, launch)->resident;
	enum room room = room_for(v, launch, &wanted);
	json_t *o = why_say(w, 1, "room", "kernel %u (%s): %u CTA%s %s resident; the next CTA %s", launch,
			    safe_text(v->launch[launch].kernel->name), has, has == 1 ? "" : "s",
			    has == 1 ? "is" : "are", room_word(room));

	why_numbers(o, {"launch", launch}, {"has", has});
	say_way(w, v, launch, room);
}

void why_room_of(struct why *w, u32 launch)
{
	const struct sched_view *v = sim_look(w->sim, w->sm, 0);

	if (v->run[launch].state != LAUNCH_RUNNING)
		return;
	if (policy_one(w->m, POLICY_partition))
		say_wanted(w, v, launch);
	else if (launch_waits(&v->run[launch], &v->launch[launch]))
		say_room(w, v, launch);
}

void why_room(struct why *w)
{
	for (u32 i = 0; i < w->m->section[SECTION_LAUNCH].count; i++)
		why_room_of(w, i);
}
