/*
 * why_cta.c - `why cta N`: what the warps of a resident CTA do and when it leaves; where CTAs change places, whether it
 * may give its warp slots away, or have some, and when it will; since when it is paused; for which request it makes
 * room.
 */
#include "events.h"
#include "why_parts.h"

#include "policy_swap.h"

/* A warp that keeps an active CTA from going: it does not wait for memory, nor for its siblings. */
static bool stirs(const struct sched_view *v, u32 context, bool miss)
{
	const struct warp *x = &v->warp[context];
	u32 set = x->slot == NONE16 ? SET_DONE : v->slot[x->slot].set;

	if (set == SET_LONG)
		return miss && !slot_missed(v, x->slot);
	return set != SET_DONE && set != SET_BARRIER && set != SET_FENCE && set != SET_GANG;
}

/* The tracking counter of an active CTA, and the warps that keep it from being a candidate. */
static void say_counter(struct why *w, const struct sched_view *v, u32 place)
{
	const struct cta *cta = &w->ctas[place];
	bool miss = w->m->config.vt_stall == 0;
	u32 live = cta->warps - cta->done, shown = 0;
	json_t *o = why_say(w, 1, "counter", "%u of %u unfinished warps are stalled on memory (vt.stall %s)",
			    cta_stalled_warps(v, place, miss), live, miss ? "miss" : "any");

	why_numbers(o, {"stalled", cta_stalled_warps(v, place, miss)}, {"live", live});
	if (cta_stalled(v, place, miss)) {
		why_say(w, 1, "candidate", "the other warps wait for these, so the CTA may be swapped out");
		return;
	}
	why_say(w, 1, "running", "the CTA stays active: these warps do not wait for memory:");
	SET_EACH (i, cta->contexts, CONTEXT_WORDS)
		if (stirs(v, i, miss) && shown++ < 6)
			why_other(w, 2, i);
	if (shown > 6)
		why_say(w, 2, "more", "and %u more", shown - 6);
}

/* Which CTAs could be swapped in for it. */
static void say_takers(struct why *w, const struct sched_view *v, u32 place)
{
	u32 ready = (u32)__builtin_popcountll(w->sm_state->ready);
	json_t *o = why_say(w, 1, "takers",
			    "inactive CTAs: %u; ready to be swapped in: %u; ready and fitting into its warp slots: %u",
			    (u32)__builtin_popcountll(w->sm_state->inactive), ready, cta_takers(v, place));

	why_number(o, "ready", ready);
	if (!reexec_room(v, place))
		why_say(w, 1, "reexec",
			"the re-execution queue of inactive CTAs has no room for the CTA's outstanding accesses");
}

/* An active CTA of an SM without CTA swapping: what its warps do, and when it leaves. */
static void say_warps(struct why *w, const struct cta *cta)
{
	json_t *o = why_say(w, 1, "warps", "finished warps: %u of %u; unfinished:", cta->done, cta->warps);
	u64 leaves;

	why_number(o, "done", cta->done);
	why_live(w, 2, cta);
	if (cta->row) /* it is being preempted, and say_way() says when it leaves */
		return;
	leaves = forecast_cta(w->sim, w->sm, NONE32, (u32)(cta - w->ctas));
	why_forecast(w, 1, leaves, w->cycle + FORECAST_CYCLES, "the CTA", "leaves the SM", "does not leave the SM");
}

/* An active CTA. */
static void say_active(struct why *w, u32 place)
{
	const struct sched_view *v = sim_look(w->sim, w->sm, 0);
	const struct cta *cta = &w->ctas[place];
	u64 out;

	if (w->sm_state->restoring >> place & 1) {
		why_number(why_say(w, 1, "restore",
				   "the context is being restored; remaining cycles of the shared-memory port: %u",
				   cta->restore),
			   "cycles", cta->restore);
		return;
	}
	if (cta->done == cta->warps) {
		why_say(w, 1, "done",
			"all warps have finished; the CTA keeps its warp slots until %u instructions and writes in "
			"flight are complete",
			cta->inflight);
		return;
	}
	if (!policy_one(w->m, POLICY_cta_swap)) {
		say_warps(w, cta);
		return;
	}
	say_counter(w, v, place);
	say_takers(w, v, place);
	out = forecast_cta(w->sim, w->sm, EVENT_SWAP_OUT, place);
	why_forecast(w, 1, out, w->cycle + FORECAST_CYCLES, "the CTA", "is swapped out", "is not swapped out");
}

/* It is being preempted, or has come back. */
static void say_way(struct why *w, const struct cta *cta)
{
	const struct ledger *row = cta->row ? why_row(w->sim, cta->row) : why_row_back(w, cta);
	const char *how = row && row->way == WAY_SWITCH ? "its context is being saved"
							: "it leaves the SM when the next cycle begins";

	if (!row)
		return;
	if (row->state == LEDGER_BACK)
		why_say(w, 1, "back", "the CTA returned in cycle %llu, after it left SM %u in cycle %llu", row->back,
			row->sm, row->out);
	else
		why_say(w, 1, "way", "the CTA is being preempted: %s",
			row->way == WAY_DRAIN ? "it drains, and its warps have priority over all others" : how);
	why_request(w, 1, row);
	if (row->state != LEDGER_BACK)
		why_return(w, 1, cta->row);
}

void why_cta(struct session *s, const struct sim *sim, u32 sm, u32 place, struct text *out, json_t *result)
{
	struct why w;
	const struct cta *cta;
	bool inactive;
	json_t *o;

	why_open(&w, s, sim, sm, out, result);
	cta = &w.ctas[place];
	inactive = w.sm_state->inactive >> place & 1;
	o = why_say(&w, 0, "cta", "CTA %u (SM %u, CTA slot %u, %u warps) is %s in cycle %llu", cta->id, sm, place,
		    cta->warps,
		    inactive			      ? "inactive"
		    : w.sm_state->paused >> place & 1 ? "paused"
						      : "active",
		    w.cycle);
	why_numbers(o, {"cta", cta->id}, {"place", place});
	say_way(&w, cta);
	if (policy_one(w.m, POLICY_partition)) {
		why_room_of(&w, cta->launch);
		why_epochs(&w);
	}
	if (inactive)
		why_inactive(&w, 1, place);
	else
		say_active(&w, place);
	if (w.sm_state->paused >> place & 1)
		why_paused_cta(&w, place);
	why_say(&w, 0, "see", "see: info ctas, show ctas%s",
		policy_one(w.m, POLICY_cta_swap) ? ", break swap, explain vt.swaps" : "");
}
