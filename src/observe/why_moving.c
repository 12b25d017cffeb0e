/*
 * why_moving.c - why a warp stands still while the context of its CTA leaves the SM or comes back: until when, what
 * waits for the same port, for which request, what each preemption technique was estimated to cost, and when it comes
 * back.
 */
#include "policy_multi.h"
#include "why_parts.h"

/* The same where it goes line by line through the L2: how far it is. */
static void say_lines(struct why *w, const struct cta *cta)
{
	const struct cta_move *move = &w->moves[cta - w->ctas];
	json_t *o = why_say(w, 1, "move",
			    "the context of CTA %u (%llu bytes) is being %s line by line: %u lines to go, %u in flight",
			    cta->id, cta_context_bytes(cta),
			    cta->leaving ? "saved, because the CTA is preempted," : "restored", move->unsent,
			    move->unanswered);

	why_numbers(o, {"cta", cta->id}, {"bytes", cta_context_bytes(cta)}, {"lines", move->unsent},
		    {"underway", move->unanswered});
}

/* Which way it goes, and when that ends. */
static void say_move(struct why *w, const struct cta *cta)
{
	u64 bytes = cta_context_bytes(cta), left = cta->moves_at > w->cycle ? cta->moves_at - w->cycle : 0;
	json_t *o;

	if (cta->moves_at == NEVER) {
		say_lines(w, cta);
		return;
	}
	if (!cta->leaving)
		o = why_say(
			w, 1, "move",
			"the context of CTA %u (%llu bytes) is being restored; the CTA resumes in cycle %llu (in %llu cycles)",
			cta->id, bytes, cta->moves_at, left);
	else if (left)
		o = why_say(
			w, 1, "move",
			"CTA %u is being preempted: its context (%llu bytes) is saved by cycle %llu (in %llu cycles)",
			cta->id, bytes, cta->moves_at, left);
	else
		o = why_say(w, 1, "move",
			    "CTA %u is being preempted: its context is saved; instructions still in flight: %u",
			    cta->id, cta->inflight);
	why_numbers(o, {"cta", cta->id}, {"bytes", bytes}, {"cycle", cta->moves_at});
}

/* The other contexts that the port has to move. */
static void say_port(struct why *w, u32 place)
{
	u32 n = 0;

	for (u32 i = 0; i < w->m->residents; i++)
		n += i != place && w->ctas[i].launch != NONE16 && w->ctas[i].moves_at > w->cycle;
	if (n && w->ctas[place].moves_at == NEVER)
		why_say(w, 1, "port", "the SM transfers one context at a time; others to transfer: %u", n);
	else if (n)
		why_say(w, 1, "port",
			"the SM transfers one context at a time; others to transfer: %u, the last until cycle %llu", n,
			w->sm_state->port_at);
}

void why_moving(struct why *w)
{
	u32 place = w->warps[w->warp].cta;
	const struct cta *cta = &w->ctas[place];
	const struct ledger *row = cta->leaving ? why_row(w->sim, cta->row) : why_row_back(w, cta);

	say_move(w, cta);
	say_port(w, place);
	if (!row)
		return;
	if (!cta->leaving)
		why_say(w, 1, "left", "the CTA left SM %u in cycle %llu", row->sm, row->out);
	why_request(w, 1, row);
	if (cta->leaving)
		why_return(w, 1, cta->row);
}
