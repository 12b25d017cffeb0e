/*
 * why_held.c - why policies hold a warp back: ccws its load, by its score, the sum of those before it and the cutoff,
 * and when it may load again; swl, by how many are older; mascar, by whose turn it is.
 */
#include "policy_ccws.h"
#include "policy_mascar.h"
#include "policy_swl.h"
#include "why_parts.h"

/* Those that stand before a place, and what they have. */
static void say_before(struct why *w, const struct ccws_place *place, u32 n)
{
	u32 above = 0;
	json_t *o;

	while (above < n && place[above].score > w->m->config.ccws_base)
		above++;
	for (u32 i = 0; i < above && i < 4; i++) {
		o = why_say(w, 2, "score", "warp %u: score %llu, it may load", place[i].context,
			    (unsigned long long)place[i].score);
		why_number(o, "warp", place[i].context);
		why_number(o, "score", place[i].score);
	}
	if (above > 4)
		why_say(w, 2, "scores", "%u more have lost lines", above - 4);
	why_number(why_say(w, 2, "base", "%u have the base, %u", n - above, w->m->config.ccws_base), "warps",
		   n - above);
}

/* When it may load again. */
static void say_return(struct why *w)
{
	u64 back = ccws_returns(w->m, w->sm, w->warp, w->cycle);
	json_t *o = why_say(w, 1, "forecast", "it may load again in %s, if no warp loses a line before and none ends",
			    why_cycle(w, back));

	if (back != NEVER)
		why_number(o, "cycle", back);
}

/* If policy ccws holds its load: by what score, and how long. */
static void why_ccws(struct why *w)
{
	const struct ccws *own = ccws_of(w->m, w->sm);
	struct ccws_place place[CONTEXT_WORDS * 64];
	u32 n = ccws_standing(w->m, w->sm, w->cycle, place), at = 0;
	json_t *o;

	if (!ccws_runs(w->m) || !ccws_holds(w->m, w->sm, w->warp))
		return;
	while (at < n && place[at].context != w->warp)
		at++;
	if (at == n)
		return;
	o = why_say(
		w, 1, "ccws",
		"its score is %llu, the sum of those of the %u warps before it %llu: the cutoff is %llu, and %u of %u "
		"may load",
		(unsigned long long)place[at].score, at, (unsigned long long)place[at].before,
		(unsigned long long)own->cutoff, own->members - own->held, own->members);
	why_number(o, "score", place[at].score);
	why_number(o, "before", place[at].before);
	why_number(o, "cutoff", own->cutoff);
	say_before(w, place, at);
	say_return(w);
}

/* If policy swl holds it: how many are older. */
static void why_swl(struct why *w)
{
	const struct sched_view *v = sim_look(w->sim, w->sm, 0);
	u32 limit = w->m->config.swl_limit, slot = w->warps[w->warp].slot, older;
	json_t *o;

	if (!limit || !(policy_in(&w->m->policy, POLICY_hold) >> SCHEME_swl & 1) || slot == NONE16)
		return;
	older = swl_older(v, slot);
	if (older < limit)
		return;
	o = why_say(w, 1, "swl", "%u warps of its SM are older and have not ended; swl.limit lets %u issue%s", older,
		    limit, swl_lifted(v) ? ", and is lifted now" : "");
	why_number(o, "older", older);
	why_number(o, "limit", limit);
}

/* If policy mascar runs and it is the turn of another: whose, and what memory is full of. */
static void why_mascar(struct why *w)
{
	u32 owner = mascar_owner(w->m, w->sm);

	if (!(policy_in(&w->m->policy, POLICY_hold) >> SCHEME_mascar & 1) || owner == NONE32 || owner == w->warp)
		return;
	why_number(why_say(w, 1, "mascar",
			   "it is the turn of warp %u: %u instructions wait in the re-execution queue, %u of %u MSHRs "
			   "are in use",
			   owner, w->sm_state->reexec_count, w->sm_state->mshrs_used, w->m->config.l1d_mshrs),
		   "owner", owner);
}

void why_holds(struct why *w)
{
	why_mascar(w);
	why_ccws(w);
	why_swl(w);
}
