/*
 * why_elf.c - where a warp stands under policy elf: how far its next load is, which one that is, and which warps of its
 * scheduler are nearer to theirs.
 */
#include "why_parts.h"

#include "policy_elf.h"

#define MAX_SHOWN 4
#define MAX_WAYS 64 /* branches on the way to a load */

/* The load that program points lead to from an instruction, NONE32: none. *branch: the first branch on the way, NONE32:
 * none. */
static u32 next_load(const struct kernel *k, const struct points *p, u32 pc, u32 *branch)
{
	*branch = NONE32;
	for (u32 ways = 0; ways < MAX_WAYS; ways++) {
		u32 i = points_next(p, pc), at;

		if (i == p->n)
			return NONE32;
		at = p->point[i].pc;
		while (p->point[i].kind == POINT_LOAD && k->inst[pc].class != CLASS_LOAD)
			pc++;
		if (p->point[i].kind == POINT_LOAD)
			return pc;
		*branch = *branch == NONE32 ? at : *branch;
		pc = p->way[at] ? k->inst[at].target : at + 1;
	}
	return NONE32;
}

/* What the warp's own priority says. */
static void say_load(struct why *w, u32 priority)
{
	const struct warp *x = &w->warps[w->warp];
	const struct points *p = w->sim->points[x->launch];
	u32 branch, load = next_load(why_kernel(w, w->warp), p, w->slots[x->slot].pc, &branch);
	char way[48] = "";
	json_t *o;

	if (branch != NONE32)
		snprintf(way, sizeof(way), ", through the branch at %u", branch);
	if (load == NONE32)
		o = why_say(w, 1, "toload", "no load follows: the warp has priority %u, the lowest", priority);
	else
		o = why_say(w, 1, "toload", "%u instruction%s to the next load, %s%s", priority,
			    priority == 1 ? "" : "s", why_text(w, w->warp, load), way);
	why_numbers(o, {"priority", priority}, {"load", load});
}

/* The warps of its scheduler that are nearer to a load. */
static void say_nearer(struct why *w, const struct sched_view *v, u32 priority)
{
	struct text line = {0};
	u32 n = 0;
	json_t *o;

	SET_EACH (i, v->pool, w->m->words) {
		u32 context = w->slots[i].context, status, other;

		if (context == NONE16 || !w->warps[context].depth)
			continue;
		other = elf_priority(v, i);
		status = sim_warp_status(w->sim, w->sm, context);
		if (other < priority && n++ < MAX_SHOWN)
			text_add(&line, "%swarp %u (%u, %s)", line.len ? ", " : "", context, other,
				 status < WARP_STATUS_COUNT ? warp_status_table[status].name : "not resident");
	}
	if (n > MAX_SHOWN)
		text_add(&line, " and %u more", n - MAX_SHOWN);
	o = why_say(w, 1, "nearer", "%s%s",
		    n ? "warps with priority, because their next load is closer: "
		      : "no warp of the scheduler is closer to its next load",
		    n ? line.s : "");
	why_number(o, "warps", n);
	text_free(&line);
}

void why_elf(struct why *w)
{
	const struct warp *x = &w->warps[w->warp];
	const struct sched_view *v;
	u32 n = w->m->config.sm_schedulers, sched, priority;

	if (!elf_decides(w->m) || x->slot == NONE16 || !x->depth)
		return;
	sched = w->m->config.sched_pool ? 0 : x->slot % w->m->slots_per_sub % n;
	v = sim_look(w->sim, w->sm, w->sub * n + sched);
	priority = elf_priority(v, x->slot);
	say_load(w, priority);
	say_nearer(w, v, priority);
}
