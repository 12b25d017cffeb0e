/*
 * why_moving.c - why a warp stands still while the context of its CTA leaves the SM or comes back: until when, what
 * waits for the same port, and what the ways to be rid of the CTA would cost now.
 */
#include "policy_multi.h"
#include "why_parts.h"

/* The same where it goes line by line through the L2: how far it is. */
static void say_lines(struct why *w, const struct cta *cta)
{
	const struct cta_move *move = &w->moves[cta - w->ctas];
	json_t *o = why_say(w, 1, "move",
			    "the context of CTA %u, %llu bytes, %s, line by line: %u are still to go, %u on their way",
			    cta->id, (unsigned long long)cta_context_bytes(cta),
			    cta->leaving ? "leaves the SM, for it makes room" : "comes to the SM", move->unsent,
			    move->unanswered);

	why_number(o, "cta", cta->id);
	why_number(o, "bytes", cta_context_bytes(cta));
	why_number(o, "lines", move->unsent);
	why_number(o, "underway", move->unanswered);
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
			"the context of CTA %u, %llu bytes, is on its way to the SM: it goes on in cycle %llu, in %llu",
			cta->id, (unsigned long long)bytes, (unsigned long long)cta->moves_at,
			(unsigned long long)left);
	else if (left)
		o = why_say(w, 1, "move",
			    "CTA %u makes room: its context, %llu bytes, will have left the SM in cycle %llu, in %llu",
			    cta->id, (unsigned long long)bytes, (unsigned long long)cta->moves_at,
			    (unsigned long long)left);
	else
		o = why_say(w, 1, "move",
			    "CTA %u makes room: its context has left the SM, it waits for %u instructions in flight",
			    cta->id, cta->inflight);
	why_number(o, "cta", cta->id);
	why_number(o, "bytes", bytes);
	why_number(o, "cycle", cta->moves_at);
}

/* The other contexts that the port has to move. */
static void say_port(struct why *w, u32 place)
{
	u32 n = 0;

	for (u32 i = 0; i < w->m->residents; i++)
		n += i != place && w->ctas[i].launch != NONE16 && w->ctas[i].moves_at > w->cycle;
	if (n && w->ctas[place].moves_at == NEVER)
		why_say(w, 1, "port", "the SM moves one context after the other: %u more", n);
	else if (n)
		why_say(w, 1, "port", "the SM moves one context after the other: %u more, the last until cycle %llu", n,
			(unsigned long long)w->sm_state->port_at);
}

/* What each way would cost. */
static void say_ways(struct why *w, u32 place)
{
	static const char *const word[] = {
		[VERDICT_DRAIN] = "drain", [VERDICT_FLUSH] = "flush", [VERDICT_SAVE] = "switch"};
	struct ctas_view v = {w->m, w->ctas, w->warps, w->sm, w->cycle};
	u32 launch = w->ctas[place].launch;
	struct kernel_mean mean = kernel_mean(w->m, launch);

	for (u32 way = VERDICT_DRAIN; way <= VERDICT_SAVE; way++) {
		struct way_cost c = way_cost(&v, &mean, ctas_of_launch(&v, launch), place, way);
		json_t *o;

		if (c.latency == NEVER) {
			why_say(w, 2, word[way], "%s: %s", word[way],
				way == VERDICT_DRAIN ? "not known before a CTA of the kernel has ended"
						     : "not possible");
			continue;
		}
		o = why_say(w, 2, word[way], "%s: gone in %llu cycles, %llu instructions lost", word[way],
			    (unsigned long long)c.latency, (unsigned long long)c.overhead);
		why_number(o, "latency", c.latency);
		why_number(o, "overhead", c.overhead);
	}
}

void why_moving(struct why *w)
{
	u32 place = w->warps[w->warp].cta;

	say_move(w, &w->ctas[place]);
	say_port(w, place);
	if (w->ctas[place].leaving)
		say_ways(w, place);
}
