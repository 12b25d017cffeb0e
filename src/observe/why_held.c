/*
 * why_held.c - why policies hold a warp back: ccws its load, by its score, the sum of those before it and the cutoff,
 * and when it may load again; swl, by how many are older; mascar, by which warp is the owner.
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
		o = why_say(w, 2, "score", "warp %u: score %llu, may load", place[i].context, place[i].score);
		why_numbers(o, {"warp", place[i].context}, {"score", place[i].score});
	}
	if (above > 4)
		why_say(w, 2, "scores", "%u more warps have lost cache lines", above - 4);
	why_number(why_say(w, 2, "base", "%u warps have the base score, %u", n - above, w->m->config.ccws_base),
		   "warps", n - above);
}

/* When it may load again. */
static void say_return(struct why *w)
{
	u64 back = ccws_returns(w->m, w->sm, w->warp, w->cycle);

	if (back == NEVER)
		why_say(w, 1, "forecast",
			"if no warp loses a line or exits before, the warp may not load by cycle %llu", w->next.until);
	else
		why_number(why_say(w, 1, "forecast",
				   "if no warp loses a line or exits before, the warp may load again in cycle %llu",
				   back),
			   "cycle", back);
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
	o = why_say(w, 1, "ccws",
		    "the warp has score %llu; the scores of the %u warps ranked before it add up to %llu. The "
		    "cutoff is %llu: %u of %u warps may load",
		    place[at].score, at, place[at].before, own->cutoff, own->members - own->held, own->members);
	why_numbers(o, {"score", place[at].score}, {"before", place[at].before}, {"cutoff", own->cutoff});
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
	o = why_say(w, 1, "swl", "unfinished older warps of the SM: %u; swl.limit allows %u to issue%s", older, limit,
		    swl_lifted(v) ? "; the limit is lifted now" : "");
	why_numbers(o, {"older", older}, {"limit", limit});
}

/* If policy mascar runs and another warp is the owner: which, and what memory is full of. */
static void why_mascar(struct why *w)
{
	u32 owner = mascar_owner(w->m, w->sm);

	if (!(policy_in(&w->m->policy, POLICY_hold) >> SCHEME_mascar & 1) || owner == NONE32 || owner == w->warp)
		return;
	why_number(why_say(w, 1, "mascar",
			   "warp %u is the owner, which has priority for memory. Instructions in the re-execution "
			   "queue: %u; MSHRs in use: %u of %u",
			   owner, w->sm_state->reexec_count, w->sm_state->mshrs_used, w->m->config.l1d_mshrs),
		   "owner", owner);
}

void why_holds(struct why *w)
{
	why_mascar(w);
	why_ccws(w);
	why_swl(w);
}
