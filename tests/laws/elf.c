/*
 * elf.c - the law of the priority table: without merging it has the naive priority of every warp's next instruction in
 * every cycle, though it is calculated anew at few of them; alone, where the policy comes while warps run, and where
 * CTAs change places under Virtual Thread and are paused by DYNCTA. With it, laws 1, 4 and 12 under policy elf with few
 * program points, and (if not thorough, or) under elf++: with a re-execution queue and prefetching of instructions.
 */
#include "cycle/stages.h"
#include "laws.h"
#include "policy_elf.h"

#define ALL_POINTS 65536

/* Points found apart from the machine's, and what is wrong, if anything. */
struct check {
	const struct scene *c;
	struct points **points; /* by launch */
	struct text *why;
	bool good;
	u64 looked;
};

/* One warp: what the table says, and what its next instruction says. */
static bool table_right(struct check *x, const struct sim *s, u32 sm, u32 context)
{
	const struct sm_view *v = &s->view[sm];
	const struct warp *w = &v->warp[context];
	u32 has, wants;

	if (w->cta == NONE16 || w->slot == NONE16 || !w->depth)
		return true;
	has = ((const struct elf_slot *)(const void *)own_sm_part(s->m, SCHEME_elf, sm, 1))[w->slot].priority;
	wants = points_priority(x->points[w->launch], v->slot[w->slot].pc);
	x->looked++;
	if (has == wants && elf_priority(v->look, w->slot) == wants)
		return true;
	text_add(x->why, "cycle %llu, SM %u, warp %u at %u: priority %u, not %u",
		 (unsigned long long)machine_gpu(s->m)->cycle, sm, context, v->slot[w->slot].pc, has, wants);
	return false;
}

static void look(void *self, struct sim *s)
{
	struct check *x = self;

	for (u32 sm = 0; sm < s->m->config.gpu_sms && x->good; sm++)
		for (u32 i = 0; i < s->m->contexts && x->good; i++)
			x->good = table_right(x, s, sm, i);
}

/* A run under elf with all points, looked at in every cycle; late: elf comes when a part of it is over. */
static bool table_holds(const struct scene *c, bool late, struct text *why)
{
	struct policy_choice plain;
	const struct program *p = &c->session.program;
	struct check x = {.c = c, .why = why, .good = true};
	struct config config = c->config;
	struct sim s;

	config.elf_points = ALL_POINTS;
	if (!lab_open(&s, c, &config, why))
		return false;
	x.points = xcalloc(p->nlaunch, sizeof(*x.points));
	for (u32 i = 0; i < p->nlaunch; i++)
		x.points[i] = points_under(p->launch[i].kernel, &config);
	policy_default(&plain);
	if (late) {
		sim_set_policy(&s, &plain);
		lab_advance(&s, c->limit / 3);
		sim_set_policy(&s, &c->session.policy);
	}
	lab_watch(&s, c->limit, look, &x);
	if (x.good && !x.looked && machine_gpu(s.m)->retired && !late) {
		text_add(why, "no priority was looked at");
		x.good = false;
	}
	sim_close(&s);
	for (u32 i = 0; i < p->nlaunch; i++)
		points_free(x.points[i]);
	free(x.points);
	return x.good;
}

/* Everything else, with so few points that many are merged. */
static bool others_hold(struct scene *c, struct text *why)
{
	c->config.elf_points = 2;
	c->known = false;
	return law_walk(c, why) && law_sleep(c, why) && law_ahead(c, why) && law_threads(c, why) && law_order(c, why) &&
	       law_conservation(c, why);
}

/* The same with what elf++ switches on beside it. */
static bool more_holds(const struct scene *c, struct text *why)
{
	struct scene more = *c;

	more.config.lsu_reexec = REEXEC_NEWCAR;
	more.config.lsu_reexec_entries = 6;
	more.config.l1i_prefetch = 16;
	if (others_hold(&more, why))
		return true;
	text_add(why, " (elf++)");
	return false;
}

bool law_elf(struct scene *c, struct text *why)
{
	struct scene elf = *c, crowd;

	elf.limit = c->limit / 16;
	policy_put(&elf.session.policy, POLICY_order, SCHEME_elf);
	policy_put(&elf.session.policy, POLICY_fetch, SCHEME_elf);
	if (!table_holds(&elf, false, why) || !table_holds(&elf, true, why) ||
	    (lab_turn(c, 0, 2) && !others_hold(&elf, why)) || (lab_turn(c, 1, 2) && !more_holds(&elf, why)))
		return false;
	crowd = elf;
	if (!law_crowd(c, &crowd.config))
		return true;
	policy_put(&crowd.session.policy, POLICY_cta_virtual, SCHEME_vt);
	policy_put(&crowd.session.policy, POLICY_cta_swap, SCHEME_vt);
	policy_put(&crowd.session.policy, POLICY_cta_limit, SCHEME_dyncta);
	policy_put(&crowd.session.policy, POLICY_cta_pause, SCHEME_dyncta);
	crowd.config.dyncta_window = 128;
	if (table_holds(&crowd, false, why) && others_hold(&crowd, why))
		return true;
	text_add(why, " (beside vt and dyncta)");
	return false;
}
