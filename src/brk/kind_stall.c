/*
 * kind_stall.c - stop when a warp has been in a status for some cycles, or goes from one to another: `break stall
 * collector for 8`, `break stall long -> short`.
 */
#include "hits.h"
#include "machine.h"

#include <string.h>

/* The status that the next word names. */
static enum status status_take(const char **text, u32 *status, u32 column, struct error *e)
{
	const char *names[WARP_STATUS_COUNT], *near;
	char word[64] = "";

	word_take(text, word, sizeof(word));
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++) {
		names[i] = warp_status_table[i].name;
		*status = i;
		if (!strcmp(word, names[i]))
			return STATUS_OK;
	}
	if (!word[0])
		return error_at(e, STATUS_USAGE, NULL, 0, column, "missing warp state (`explain states` lists them)");
	near = nearest_name(word, names, WARP_STATUS_COUNT);
	return error_at(e, STATUS_USAGE, NULL, 0, column,
			"'%s' is not a warp state%s%s%s (`explain states` lists them)", safe_text(word),
			near ? ", did you mean '" : "", near ? near : "", near ? "'" : "");
}

/* STATUS -> STATUS; arrow: where it stands in text. */
static enum status transition_parse(struct breakpoint *b, const char *text, const char *arrow, u32 column,
				    struct error *e)
{
	char from[64];
	const char *left = from, *right = arrow + 2;

	snprintf(from, sizeof(from), "%.*s", (int)(arrow - text), text);
	b->length = 1;
	if (status_take(&left, &b->reason, column, e) || words_end(left, column, e) ||
	    status_take(&right, &b->next_reason, column + (u32)(arrow - text) + 2, e))
		return STATUS_USAGE;
	return words_end(right, column, e);
}

/* STATUS [for N], or STATUS -> STATUS */
static enum status stall_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
			       struct error *e)
{
	const char *arrow = strstr(text, "->");

	b->next_reason = WARP_STATUS_COUNT;
	if (arrow)
		return transition_parse(b, text, arrow, column, e);
	if (status_take(&text, &b->reason, column, e))
		return STATUS_USAGE;
	return streaks_parse(b, text, "status", column, e);
}

/* Warp i of the whole GPU is in the status. */
static bool in_status(const struct breakpoint *b, const struct sim *sim, u32 i)
{
	return sim_warp_status(sim, i / sim->m->contexts, i % sim->m->contexts) == b->reason;
}

/* Note which warps are in the status: what the next cycle is compared with. */
static void transition_note(struct breakpoint *b, const struct sim *sim)
{
	u32 n = sim->m->config.gpu_sms * sim->m->contexts;

	if (b->nstreaks != n) {
		b->streak = xrealloc(b->streak, n * sizeof(*b->streak));
		b->nstreaks = n;
	}
	for (u32 i = 0; i < n; i++)
		b->streak[i] = in_status(b, sim, i);
	b->known = true;
}

/* How long each warp has been in the status, as far as that is known. */
static void stall_placed(struct session *s UNUSED, struct breakpoint *b, const struct sim *sim)
{
	u32 n = sim->m->config.gpu_sms * sim->m->contexts;

	if (b->next_reason != WARP_STATUS_COUNT) {
		transition_note(b, sim);
		return;
	}
	streaks_place(b, n, machine_gpu(sim->m)->cycle);
	for (u32 i = 0; i < n; i++)
		if (!in_status(b, sim, i))
			b->streak[i] = 0;
}

/* Who it is about, as a record. */
static struct record stall_record(const struct sim *sim, u32 sm, u32 context)
{
	const struct warp *w = (struct warp *)machine_sm_section(sim->m, sm, SECTION_WARP) + context;
	const struct cta *c = machine_sm_section(sim->m, sm, SECTION_CTA);
	u32 mask, pc = sim_warp_pc(sim, sm, context, &mask);

	return (struct record){.kind = EVENT_COUNT,
			       .sm = (u16)sm,
			       .warp = (u16)context,
			       .launch = (u8)min_u32(w->launch, 0xff),
			       .sub = (u8)(context % sim->m->config.sm_subcores),
			       .pc = pc,
			       .cta = w->cta == NONE16 ? NONE32 : c[w->cta].id,
			       .a = mask};
}

/* Warp i, counted over all SMs, meets it. */
static void stall_met(struct session *s, const struct breakpoint *b, const struct sim *sim, u32 i, struct hit *h)
{
	struct record r = stall_record(sim, i / sim->m->contexts, i % sim->m->contexts);

	met_add(s, b, &r, h);
}

/* A hit if some warp was in the one status in the cycle before and is in the other now; run[i]: it was. */
static bool transition_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	u32 contexts = sim->m->contexts, n = sim->m->config.gpu_sms * contexts;

	for (u32 i = 0; i < n; i++) {
		bool was = b->known && b->nstreaks == n && b->streak[i];

		if (!was || sim_warp_status(sim, i / contexts, i % contexts) != b->next_reason)
			continue;
		stall_met(s, b, sim, i, h);
	}
	transition_note(b, sim);
	return h->met != 0;
}

/* A hit if some warp's run has become long enough and the condition holds for it. */
static bool stall_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	u32 contexts = sim->m->contexts, n = sim->m->config.gpu_sms * contexts;
	bool seen, hit = false;

	if (b->next_reason != WARP_STATUS_COUNT)
		return transition_check(s, b, sim, h);
	seen = streaks_seen(b, h->cycle);

	if (b->nstreaks != n)
		streaks_place(b, n, NEVER);
	for (u32 i = 0; i < n; i++) {
		if (streaks_step(b, h->cycle, i, in_status(b, sim, i), seen) && !seen)
			stall_met(s, b, sim, i, h);
	}
	hit = h->met != 0;
	return seen ? hits_at(b, h->cycle) != NULL : hit;
}

/* What is said. */
static void stall_describe(const struct session *s, const struct breakpoint *b, const struct hit *h, struct text *out)
{
	record_who(s, &h->record, out);
	if (b->next_reason != WARP_STATUS_COUNT)
		text_add(out, " went from state %s to %s", warp_status_table[b->reason].name,
			 warp_status_table[b->next_reason].name);
	else
		text_add(out, " in state %s for %u cycle%s", warp_status_table[b->reason].name, b->length,
			 b->length == 1 ? "" : "s");
}

const struct break_kind break_kind_stall = {
	.name = "stall",
	.words = "for ->",
	.usage = "stall STATE [for N | -> STATE]",
	.doc = "stop when a warp has been in a state for N cycles in a row, or goes from one state to another",
	.parse = stall_parse,
	.every_cycle = true,
	.placed = stall_placed,
	.check = stall_check,
	.describe = stall_describe,
};
