/*
 * why_orders.c - what every other order policy would choose in the same cycle, of the same candidates.
 *
 * An order is a function of the machine, so it is simply asked, on the machine as it was just before the issue stage.
 * That is a statement about this one cycle: under another policy from the beginning the machine would not have come to
 * this state. Deviation: an order that remembers earlier cycles has noted nothing while another decided; that is said
 * beside its choice.
 */
#include "why_parts.h"

#include "policy.h"

void why_score(const struct scheme *order, const struct sched_view *v, u32 slot, struct text *out, json_t *o)
{
	struct score score[2];
	u32 n = order->score ? order->score(v, slot, score) : 0;

	for (u32 i = 0; i < n; i++) {
		text_add(out, "%s%s %llu", i ? ", " : ": ", score[i].word, score[i].value);
		why_number(o, score[i].word, score[i].value);
	}
}

/* Said of an order whose choice depends on what it noted in cycles in which another decided; "" of the others. */
static const char *blindness(const struct scheme *order, const struct sched_view *v)
{
	return order->depends_on_state && order->depends_on_state(&v->m->config)
		       ? " (without its history of earlier cycles)"
		       : "";
}

/* One order that chooses another slot than `mine`; NONE32: none. */
static void say_order(struct why *w, u32 level, const struct scheme *order, const struct sched_view *v, u32 slot,
		      u32 mine)
{
	struct text line = {0};
	json_t *o;

	if (slot == NONE32) {
		text_add(&line, "%s: no warp", order->name);
	} else {
		text_add(&line, "%s: warp %u", order->name, w->slots[slot].context);
		why_score(order, v, slot, &line, NULL);
	}
	text_add(&line, " (warp %u", w->slots[mine].context);
	why_score(order, v, mine, &line, NULL);
	text_add(&line, ")%s%s", blindness(order, v),
		 slot != NONE32 && w->slots[slot].context == w->warp ? "  <- this warp" : "");
	o = why_say(w, level, "order", "%s", line.s);
	why_word(o, "order", order->name);
	if (slot != NONE32)
		why_number(o, "warp", w->slots[slot].context);
	text_free(&line);
}

/* Is the order of a row that of one before it, or of the one that decides? */
static bool repeated(const struct why *w, u32 row)
{
	const struct scheme *order = scheme_table[row];

	for (u32 i = 0; i < row; i++)
		if (scheme_table[i]->decide.order == order->decide.order)
			return true;
	return order->decide.order == policy_one(w->m, POLICY_order)->decide.order;
}

void why_orders(struct why *w, u32 level, const struct sched_view *v, const u64 *candidates, u32 mine)
{
	struct text same = {0};
	bool said = false;

	sim_points(&w->before);
	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		const struct scheme *order = scheme_table[i];
		u32 slot;

		if (!order->decide.order || repeated(w, i))
			continue;
		slot = order->decide.order(v, candidates);
		if (slot == mine) {
			text_add(&same, "%s%s%s", same.len ? ", " : "", order->name, blindness(order, v));
			continue;
		}
		if (!said)
			why_say(w, level, "orders",
				"other warp scheduling policies would select another warp in this cycle:");
		said = true;
		say_order(w, level + 1, order, v, slot, mine);
	}
	if (!said)
		why_say(w, level, "orders",
			"every other warp scheduling policy would select the same warp in this cycle");
	else if (same.len)
		why_say(w, level + 1, "same", "same choice: %s", same.s);
	text_free(&same);
}
