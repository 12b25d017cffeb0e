/*
 * why_coming.c - `why cta N` of one that has not come to any SM yet: how many come before it, and what is in the way of
 * the next one of its kernel, SM by SM.
 */
#include "why_parts.h"

#include "room.h"

u32 why_to_come(const struct sim *sim, u32 launch, u32 cta)
{
	const struct launch_run *run = machine_gpu_section(sim->m, SECTION_LAUNCH);
	u32 found = NONE32;

	for (u32 i = 0; i < sim->m->section[SECTION_LAUNCH].count; i++)
		if (run[i].state != LAUNCH_DONE && cta >= run[i].next_cta && cta < sim->program->launch[i].ctas &&
		    (found == NONE32 || i == launch))
			found = i;
	return found;
}

/* The SMs in which something is in the way of the next one: "SM 0 1 2: ...". */
static void say_sms(struct why *w, u32 launch, enum room which)
{
	const struct scheme *plan = policy_one(w->m, POLICY_partition);
	struct text line = {0};
	u32 n = 0, wanted;

	for (u32 i = 0; i < w->m->config.gpu_sms; i++)
		if (room_for(sim_look(w->sim, i, 0), launch, &wanted) == which) {
			text_add(&line, " %u", i);
			n++;
		}
	if (n && which == ROOM_PARTITION)
		why_number(why_say(w, 1, "partition", "%s allows no more CTAs of the kernel on %u SM%s:%s", plan->name,
				   n, n == 1 ? "" : "s", line.s),
			   "sms", n);
	else if (n)
		why_number(why_say(w, 1, "room", "the next CTA of the kernel %s (%u SM%s:%s)", room_word(which), n,
				   n == 1 ? "" : "s", line.s),
			   "sms", n);
	text_free(&line);
}

void why_coming(struct session *s, const struct sim *sim, u32 launch, u32 cta, struct text *out, json_t *result)
{
	const struct launch_run *run = (struct launch_run *)machine_gpu_section(sim->m, SECTION_LAUNCH) + launch;
	const char *name = safe_text(sim->program->launch[launch].name);
	u32 before = cta - run->next_cta + run->parked;
	struct why w;
	json_t *o;

	why_open(&w, s, sim, 0, out, result);
	o = why_say(&w, 0, "cta", "CTA %u of %s is not dispatched yet in cycle %llu; CTAs of the kernel before it: %u",
		    cta, name, w.cycle, before);
	why_numbers(o, {"cta", cta}, {"before", before});
	if (run->state != LAUNCH_RUNNING)
		why_say(&w, 1, "turn", "the kernel has not started (`info kernels`)");
	for (u32 which = ROOM_THERE; run->state == LAUNCH_RUNNING && which <= ROOM_SHARED_PIECES; which++)
		say_sms(&w, launch, (enum room)which);
	why_say(&w, 0, "see", "see: why sm 0, show partition, show kernels");
}
