/*
 * kind_stall.c - stop when a warp has been in a status for some cycles, or goes from one to another: `break stall
 * collector for 8`, `break stall long -> short`.
 */
#include "hits.h"
#include "machine.h"

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
		return usage_at(e, column, "missing warp state (`explain states` lists them)");
	near = nearest_name(word, names, WARP_STATUS_COUNT);
	return usage_at(e, column, "'%s' is not a warp state%s%s%s (`explain states` lists them)", safe_text(word),
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
static bool stall_lasts(const struct breakpoint *b, const struct sim *sim, u32 i)
{
	return sim_warp_status(sim, i / sim->m->contexts, i % sim->m->contexts) == b->reason;
}

/* Warps of the whole GPU. */
static u32 stall_things(const struct sim *sim)
{
	return sim->m->config.gpu_sms * sim->m->contexts;
}

/* Who it is about. */
static void stall_about(const struct sim *sim, u32 i, struct record *r)
{
	u32 sm = i / sim->m->contexts, context = i % sim->m->contexts;
	const struct warp *w = (struct warp *)machine_sm_section(sim->m, sm, SECTION_WARP) + context;
	const struct cta *c = machine_sm_section(sim->m, sm, SECTION_CTA);

	r->sm = (u16)sm;
	r->warp = (u16)context;
	r->launch = (u8)min_u32(w->launch, 0xff);
	r->sub = (u8)(context % sim->m->config.sm_subcores);
	r->cta = w->cta == NONE16 ? NONE32 : c[w->cta].id;
	r->pc = sim_warp_pc(sim, sm, context, &r->a);
}

/* Note which warps are in the status: what the next cycle is compared with. */
static void transition_note(struct breakpoint *b, const struct sim *sim)
{
	u32 n = stall_things(sim);

	if (b->nstreaks != n) {
		b->streak = xrealloc(b->streak, n * sizeof(*b->streak));
		b->nstreaks = n;
	}
	for (u32 i = 0; i < n; i++)
		b->streak[i] = stall_lasts(b, sim, i);
	b->known = true;
}

/* How long each warp has been in the status, as far as that is known. */
static void stall_placed(struct session *s, struct breakpoint *b, const struct sim *sim)
{
	if (b->next_reason != WARP_STATUS_COUNT)
		transition_note(b, sim);
	else
		streaks_placed(s, b, sim);
}

/* A hit if some warp was in the one status in the cycle before and is in the other now; run[i]: it was. */
static bool transition_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	u32 contexts = sim->m->contexts, n = stall_things(sim);

	for (u32 i = 0; i < n; i++) {
		bool was = b->known && b->nstreaks == n && b->streak[i];
		struct record r = NO_RECORD;

		if (!was || sim_warp_status(sim, i / contexts, i % contexts) != b->next_reason)
			continue;
		stall_about(sim, i, &r);
		stop_hits_add(s, b, &r, h);
	}
	transition_note(b, sim);
	return h->met != 0;
}

/* A hit if some warp's run has become long enough and the condition holds for it. */
static bool stall_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	return b->next_reason != WARP_STATUS_COUNT ? transition_check(s, b, sim, h) : streaks_check(s, b, sim, h);
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
			 plural(b->length));
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
	.things = stall_things,
	.lasts = stall_lasts,
	.about = stall_about,
	.describe = stall_describe,
};
