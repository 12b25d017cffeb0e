/*
 * bounds.c - what policies allow an SM at present: how many CTAs it takes, and whether it is switched off while it has
 * none.
 *
 * Policies are asked again after notices of the GPU, when a launch begins, and when a CTA has come; what they said is
 * kept, so that a change can be told, limits summed up (dyncta.n), cycles without power counted. An SM that is closed
 * takes no CTAs; it is switched off from the cycle on in which its last CTA has left.
 */
#include "blocks/blocks.h"

/* The launch that an SM is asked about: that of its first resident, else the first that dispatches; NONE32: none. */
static u32 bounds_launch_of(const struct sm_view *v)
{
	u64 places = cta_places(v);
	const struct agenda *agenda = launch_agenda(v->m);
	if (places)
		return v->cta[__builtin_ctzll(places)].launch;
	return agenda->running ? launch_turns(v->m)[0].running : NONE32;
}

/* CTAs that policies let an SM have, and 1 more; 0: none says. It stays where nothing runs. */
static u32 bounds_limit_of(const struct sm_view *v)
{
	u32 launch = bounds_launch_of(v), limit = NONE32;
	if (launch == NONE32)
		return v->bounds->limit;
	POLICY_EACH (x, v->m, POLICY_cta_limit)
		limit = min_u32(limit, x->decide.cta_limit(v->look, launch));
	return limit == NONE32 ? 0 : limit + 1;
}

/* Does some policy close an SM? */
static bool bounds_is_closed(const struct sm_view *v)
{
	POLICY_EACH (x, v->m, POLICY_cta_gate)
		if (x->decide.cta_gate(v->look))
			return true;
	return false;
}

void bounds_switch(struct sm_view *v, bool tell)
{
	struct bounds *b = v->bounds;
	u8 off = b->closed && !v->sm->ctas;
	if (off == b->off)
		return;
	b->off = off;
	if (tell)
		emit(v, off ? EVENT_GATE : EVENT_UNGATE, NONE16, NONE32, 0, 0, 0);
}

void bounds_ask(struct sm_view *v, bool tell)
{
	struct bounds *b = v->bounds;
	u32 before = b->limit;
	if (!(v->m->policy.in[POLICY_cta_limit] | v->m->policy.in[POLICY_cta_gate]) && !before && !b->closed)
		return;
	b->limit = v->m->policy.in[POLICY_cta_limit] ? bounds_limit_of(v) : 0;
	if (tell && before && b->limit && before != b->limit && v->sm->ctas)
		emit(v, EVENT_THROTTLE, NONE16, NONE32, 0, b->limit - 1, before - 1);
	b->closed = bounds_is_closed(v);
	bounds_switch(v, tell);
}

void bounds_count(struct sim *s, u64 upto)
{
	struct agenda *agenda = launch_agenda(s->m);
	u64 cycles = upto - min_u64(upto, agenda->counted);
	agenda->counted = max_u64(upto, agenda->counted);
	if (!cycles || !s->m->policy.in[POLICY_cta_limit] || !ctas_wait(s))
		return;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		const struct sm_view *v = &s->view[i];
		if (!v->bounds->limit)
			continue;
		v->sm->stat[STAT_LIMIT_SUM] += (v->bounds->limit - 1) * cycles;
		v->sm->stat[STAT_LIMIT_CYCLES] += cycles;
	}
}
