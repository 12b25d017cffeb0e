/*
 * why_cta.c - `why cta N`: what the warps of a resident CTA do and when it leaves; where CTAs change places, whether it
 * may give its warp slots away, or have some, and when it will; since when it is paused; for which request it makes
 * room.
 */
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

/* The tracking counter of an active CTA, and who keeps it from being a candidate. */
static void say_counter(struct why *w, const struct sched_view *v, u32 place)
{
	const struct cta *cta = &w->ctas[place];
	bool miss = w->m->config.vt_stall == 0;
	u32 live = cta->warps - cta->done, shown = 0;
	json_t *o = why_say(w, 1, "counter", "%u of its %u live warps are stalled on memory (vt.stall %s)",
			    cta_stalled_warps(v, place, miss), live, miss ? "miss" : "any");

	why_number(o, "stalled", cta_stalled_warps(v, place, miss));
	why_number(o, "live", live);
	if (cta_stalled(v, place, miss)) {
		why_say(w, 1, "candidate", "the others wait for them: it may give its slots away");
		return;
	}
	why_say(w, 1, "stirs", "it keeps its slots; these warps do not wait for memory:");
	SET_EACH (i, cta->contexts, CONTEXT_WORDS)
		if (stirs(v, i, miss) && shown++ < 6)
			why_other(w, 2, i);
	if (shown > 6)
		why_say(w, 2, "more", "and %u more", shown - 6);
}

/* Who could have its slots. */
static void say_takers(struct why *w, const struct sched_view *v, u32 place)
{
	u32 ready = (u32)__builtin_popcountll(w->sm_state->ready);
	json_t *o = why_say(w, 1, "takers", "%u CTAs are inactive, %u of them ready, %u of these fit into its slots",
			    (u32)__builtin_popcountll(w->sm_state->inactive), ready, cta_takers(v, place));

	why_number(o, "ready", ready);
	if (!reexec_room(v, place))
		why_say(w, 1, "reexec",
			"the re-execution queue of inactive CTAs has no room for what it has asked for");
}

/* An active CTA of an SM whose CTAs do not change places: what its warps do, and when it leaves. */
static void say_warps(struct why *w, const struct cta *cta)
{
	json_t *o = why_say(w, 1, "warps", "%u of its %u warps have ended; the others:", cta->done, cta->warps);
	u64 leaves;

	why_number(o, "done", cta->done);
	why_live(w, 2, cta);
	if (cta->row) /* it makes room, and when it leaves is said there */
		return;
	leaves = forecast_stay(w->sim, w->sm, (u32)(cta - w->ctas));
	if (leaves == NEVER)
		why_say(w, 1, "forecast", "if nothing changes it is still here in cycle %llu",
			(unsigned long long)w->cycle + FORECAST_CYCLES);
	else
		why_number(why_say(w, 1, "forecast", "if nothing changes it leaves the SM in cycle %llu, in %llu",
				   (unsigned long long)leaves, (unsigned long long)(leaves - w->cycle)),
			   "cycle", leaves);
}

/* An active CTA. */
static void say_active(struct why *w, u32 place)
{
	const struct sched_view *v = sim_look(w->sim, w->sm, 0);
	const struct cta *cta = &w->ctas[place];
	u64 out;

	if (w->sm_state->restoring >> place & 1) {
		why_number(why_say(w, 1, "restore", "%u cycles of the port of shared memory restore its context",
				   cta->restore),
			   "cycles", cta->restore);
		return;
	}
	if (cta->done == cta->warps) {
		why_say(w, 1, "done",
			"its warps have all ended; it keeps its slots until %u instructions and writes in flight are complete",
			cta->inflight);
		return;
	}
	if (!policy_one(w->m, POLICY_cta_swap)) {
		say_warps(w, cta);
		return;
	}
	say_counter(w, v, place);
	say_takers(w, v, place);
	out = forecast_place(w->sim, w->sm, EVENT_SWAP_OUT, place);
	if (out == NEVER)
		why_say(w, 1, "forecast", "if nothing changes it keeps them up to cycle %llu, or to its end",
			(unsigned long long)w->cycle + FORECAST_CYCLES);
	else
		why_number(why_say(w, 1, "forecast", "if nothing changes it gives them away in cycle %llu, in %llu",
				   (unsigned long long)out, (unsigned long long)(out - w->cycle)),
			   "cycle", out);
}

/* It is to make room, or has come back. */
static void say_way(struct why *w, const struct cta *cta)
{
	const struct ledger *row = cta->row ? why_row(w, cta->row) : why_row_back(w, cta);
	const char *how =
		row && row->way == WAY_SWITCH ? "its context leaves the SM" : "it leaves when the next cycle begins";

	if (!row)
		return;
	if (row->state == LEDGER_BACK)
		why_say(w, 1, "back", "it came back in cycle %llu, having left SM %u in cycle %llu",
			(unsigned long long)row->back, row->sm, (unsigned long long)row->out);
	else
		why_say(w, 1, "way", "it makes room: %s",
			row->way == WAY_DRAIN ? "it drains, its warps go before all others" : how);
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
	o = why_say(&w, 0, "cta", "CTA %u (SM %u, place %u, %u warps) is %s in cycle %llu", cta->id, sm, place,
		    cta->warps,
		    inactive			      ? "inactive"
		    : w.sm_state->paused >> place & 1 ? "paused"
						      : "active",
		    (unsigned long long)w.cycle);
	why_number(o, "cta", cta->id);
	why_number(o, "place", place);
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
