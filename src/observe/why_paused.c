/*
 * why_paused.c - why a CTA is paused: since when, which bound on the CTAs of its SM brought it there, what brings it
 * back; and `why sm N`: what bounds the CTAs of an SM, and which SMs its kernels would give up first.
 */
#include "counters.h"
#include "epochs.h"
#include "policy_dyncta.h"
#include "why_parts.h"

/* Is it dyncta that bounds the CTAs of the SM? */
static bool dyncta_bounds(const struct why *w)
{
	return policy_in(&w->m->policy, POLICY_cta_limit) >> SCHEME_dyncta & 1 && dyncta_n(w->m, w->sm);
}

/* The position in which the next window begins. */
static u64 window_end(const struct why *w)
{
	const struct dyncta_gpu *gpu = scheme_own_gpu(w->m, SCHEME_dyncta);

	return window_ends(&w->m->config, gpu->begun, w->cycle) + 1;
}

/* What the window has come to, and what its end will bring if nothing more is counted. */
static void say_window(struct why *w, u32 level)
{
	const struct dyncta *own = scheme_own(w->m, SCHEME_dyncta, w->sm);
	const struct config *c = &w->m->config;
	u64 idle = w->sm_state->stat[STAT_IDLE_CYCLES] - own->idle,
	    mem = w->sm_state->stat[STAT_MEMORY_CYCLES] - own->mem;
	u32 n = dyncta_n(w->m, w->sm);
	json_t *o = why_say(w, level, "window",
			    "CTA limit n: %u of %u. In this window, up to cycle %llu, C_idle is %llu (n rises from %u) "
			    "and C_mem is %llu (n rises below %u, falls from %u). Last window: C_idle %u, C_mem %u",
			    n, own->most, window_end(w), idle, c->dyncta_idle, mem, c->dyncta_mem_low,
			    c->dyncta_mem_high, own->c_idle, own->c_mem);

	why_numbers(o, {"n", n}, {"most", own->most}, {"c_idle", idle}, {"c_mem", mem}, {"ends", window_end(w)});
	if (own->risen)
		why_say(w, level, "risen",
			"n rose because no CTA of the SM finished for dyncta.max_paused windows; it does not fall "
			"until one finishes");
}

/* The window in which it runs whatever n is. */
static void say_bound(struct why *w, u32 place)
{
	const struct dyncta_place *x =
		(const struct dyncta_place *)(const void *)own_sm_part(w->m, SCHEME_dyncta, w->sm, 1) + place;
	u64 most = w->m->config.dyncta_max_paused, left = most - min_u64(most, x->windows);
	u64 from = window_end(w) + (left ? left - 1 : 0) * w->m->config.dyncta_window;

	if (most)
		why_number(
			why_say(w, 1, "bound",
				"the CTA has been paused for %u windows. After %llu windows (dyncta.max_paused) it runs for "
				"one, from cycle %llu on",
				x->windows, most, from),
			"cycle", from);
}

void why_paused_cta(struct why *w, u32 place)
{
	const struct bounds *b = machine_sm_section(w->m, w->sm, SECTION_BOUNDS);
	u64 since = b->paused_at[place];
	u32 paused = (u32)__builtin_popcountll(w->sm_state->paused);
	json_t *o = why_say(w, 1, "paused",
			    "CTA %u has been paused since cycle %llu, for %llu cycles. The last %u of the SM's %u CTAs "
			    "are paused: warps of the others have priority",
			    w->ctas[place].id, since, w->cycle - since, paused, w->sm_state->ctas);

	why_numbers(o, {"cta", w->ctas[place].id}, {"since", since});
	if (!dyncta_bounds(w))
		return;
	why_say(w, 1, "return",
		"the CTA resumes when n is large enough or other CTAs have finished, before a new CTA is dispatched");
	say_window(w, 1);
	say_bound(w, place);
}

/* What dyncore makes of its SMs. */
static const char *dyncore_word(const struct config *c, const struct dyncore_gpu *own)
{
	if (own->closed)
		return "closed";
	return dyncore_closes(c, own->g_act, own->powered)
		       ? "kept open, because CTAs wait and some SM has finished none for a long time"
		       : "open";
}

/* What dyncore decided from the last window, and what that is to this SM. */
static void say_activity(struct why *w)
{
	const struct config *c = &w->m->config;
	const struct dyncore_gpu *own = scheme_own_gpu(w->m, SCHEME_dyncore);
	u32 first = dyncore_first(c);

	if (!own->powered) {
		why_say(w, 1, "activity", "all SMs are on: the first dyncore window has not ended");
		return;
	}
	why_number(why_say(w, 1, "activity",
			   "in the last window %u SMs were active for %llu cycles in total (%llu keep all SMs on). SMs "
			   "from %u on are %s; this SM %s",
			   own->powered, own->g_act, dyncore_threshold(c, own->powered), first, dyncore_word(c, own),
			   w->sm < first ? "is never closed" : "belongs to these"),
		   "g_act", own->g_act);
}

/* The bounds of an SM, one by one. */
static void say_bounds(struct why *w, const struct bounds *b)
{
	const struct config *c = &w->m->config;

	if (c->dispatch_limit)
		why_number(why_say(w, 1, "limit", "the SM accepts at most %u CTAs (dispatch.limit)", c->dispatch_limit),
			   "limit", c->dispatch_limit);
	if (b->limit)
		why_number(why_say(w, 1, "policy", "policies limit the SM to %u CTAs", b->limit - 1), "limit",
			   b->limit - 1);
	why_policies(w, SLOT_KEEPS_CTAS);
	if (dyncta_bounds(w))
		say_window(w, 1);
	if (policy_in(&w->m->policy, POLICY_cta_gate) >> SCHEME_dyncore & 1)
		say_activity(w);
	why_room(w);
	why_epochs(w);
	why_quotas(w);
	if (!c->dispatch_limit && !b->limit && !b->closed && !w->m->policy.in[POLICY_partition] &&
	    !w->m->policy.in[POLICY_cta_admit])
		why_say(w, 1, "free", "only the resources of the SM%s limit its number of CTAs",
			policy_one(w->m, POLICY_allocate) ? " and their placement" : "");
}

void why_sm(struct session *s, const struct sim *sim, u32 sm, struct text *out, json_t *result)
{
	const struct bounds *b = machine_sm_section(sim->m, sm, SECTION_BOUNDS);
	struct why w;
	json_t *o;

	why_open(&w, s, sim, sm, out, result);
	w.warp = NONE32;
	o = why_say(&w, 0, "bounds", "SM %u holds %u CTA%s in cycle %llu (%u paused)%s", sm, w.sm_state->ctas,
		    w.sm_state->ctas == 1 ? "" : "s", w.cycle, (u32)__builtin_popcountll(w.sm_state->paused),
		    b->off	? "; the SM is switched off"
		    : b->closed ? "; the SM accepts no more and is switched off when they have finished"
				: "");
	why_number(o, "ctas", w.sm_state->ctas);
	say_bounds(&w, b);
	why_deadlines(&w, 1);
	why_ranking(&w);
	why_say(&w, 0, "see", "see: show ctas, info sms, info policy, %s",
		epochs_run(w.m)			    ? "info maestro, break epoch"
		: policy_one(w.m, POLICY_partition) ? "show partition, break partition"
						    : "break event throttle");
}
