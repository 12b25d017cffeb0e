/*
 * why_rank.c - which SMs a kernel would give up first: what it would cost to be rid of its CTAs there, and the order
 * that follows. Source: algorithm 3 of Park, "Chimera", University of Michigan, 2016, chapter IV.
 */
#include "policy_multi.h"
#include "why_parts.h"

#define SHOWN 5

/* SMs in order of preference. */
struct ranking {
	u32 n, sm[MOST_gpu_sms];
	struct way_cost cost[MOST_gpu_sms]; /* by SM */
};

static struct ctas_view look(const struct why *w, u32 sm)
{
	return (struct ctas_view){w->m, machine_sm_section(w->m, sm, SECTION_CTA),
				  machine_sm_section(w->m, sm, SECTION_WARP), sm, w->cycle};
}

/* The SMs that hold CTAs of a launch, the first to be given up first. */
static void rank(const struct why *w, u32 launch, struct ranking *r)
{
	struct kernel_mean mean = kernel_mean(w->m, launch, w->cycle);
	u32 menu = preempt_menu(w->m);

	r->n = 0;
	for (u32 i = 0; i < w->m->config.gpu_sms; i++) {
		struct ctas_view v = look(w, i);
		u32 at = r->n;

		if (!ctas_of_launch(&v, launch))
			continue;
		r->cost[i] = sm_cost(&v, &mean, launch, menu);
		for (; at && sm_cheaper(&r->cost[i], &r->cost[r->sm[at - 1]], w->m->config.chimera_bound, menu); at--)
			r->sm[at] = r->sm[at - 1];
		r->sm[at] = i;
		r->n++;
	}
}

/* One SM of the ranking. */
static void say_sm(struct why *w, const struct ranking *r, u32 at)
{
	const struct way_cost *c = &r->cost[r->sm[at]];
	const char *late = c->latency <= w->m->config.chimera_bound ? "" : ", above the bound";
	json_t *o;

	if (c->latency == NEVER)
		o = why_say(w, 2, "rank", "%u. SM %u: latency unknown", at + 1, r->sm[at]);
	else if (c->overhead == NEVER)
		o = why_say(w, 2, "rank", "%u. SM %u: overhead unknown, latency %llu cycles%s", at + 1, r->sm[at],
			    (unsigned long long)c->latency, late);
	else
		o = why_say(w, 2, "rank", "%u. SM %u: overhead %llu instructions, latency %llu cycles%s", at + 1,
			    r->sm[at], (unsigned long long)c->overhead, (unsigned long long)c->latency, late);
	why_numbers(o, {"rank", at + 1}, {"sm", r->sm[at]});
	if (c->overhead != NEVER)
		why_number(o, "overhead", c->overhead);
	if (c->latency != NEVER)
		why_number(o, "latency", c->latency);
}

/* The first SMs that a launch would give, and this one. */
static void say_ranking(struct why *w, u32 launch)
{
	struct ranking *r = xmalloc(sizeof(*r));
	u32 at = 0;

	rank(w, launch, r);
	while (at < r->n && r->sm[at] != w->sm)
		at++;
	why_say(w, 1, "ranking",
		"kernel %u (%s) occupies %u SMs. Order of preemption: first SMs that meet chimera.bound (%u cycles), the "
		"cheapest before others; this SM ranks %u:",
		launch, safe_text(w->sim->program->launch[launch].name), r->n, w->m->config.chimera_bound, at + 1);
	for (u32 i = 0; i < r->n && i < SHOWN; i++)
		say_sm(w, r, i);
	if (at >= SHOWN)
		say_sm(w, r, at);
	free(r);
}

void why_ranking(struct why *w)
{
	const struct need *need = machine_gpu_section(w->m, SECTION_NEED);
	const struct agenda *agenda = machine_gpu_section(w->m, SECTION_AGENDA);
	struct ctas_view v = look(w, w->sm);

	if (!policy_one(w->m, POLICY_partition) || w->m->config.gpu_sms == 1)
		return;
	for (u32 i = 0; w->sm_state->needs && i < LEDGER_ROWS; i++)
		if (need[i].number && need[i].state == NEED_OPEN && need[i].sm == w->sm)
			why_say(w, 1, "request",
				"request %llu has been open since cycle %llu: kernel %u has to give up %u CTAs",
				(unsigned long long)need[i].number, (unsigned long long)need[i].asked, need[i].launch,
				need[i].ctas);
	for (u32 l = 0; agenda->running > 1 && l < w->sim->program->nlaunch; l++)
		if (ctas_of_launch(&v, l))
			say_ranking(w, l);
}
