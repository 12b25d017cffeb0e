/* kind_stall.c - stop when a warp has been in a status for some cycles: `break stall collector for 8`. */
#include "hits.h"

#include <string.h>

/* REASON [for N] */
static enum status stall_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column, struct error *e)
{
	const char *names[WARP_STATUS_COUNT], *near;
	char word[64] = "";

	word_take(&text, word, sizeof(word));
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++) {
		names[i] = warp_status_table[i].name;
		if (strcmp(word, names[i]))
			continue;
		b->reason = i;
		return runs_parse(b, text, "status", column, e);
	}
	near = nearest_name(word, names, WARP_STATUS_COUNT);
	return error_at(e, STATUS_USAGE, NULL, 0, column, "a warp's status is wanted, not '%s'%s%s%s; `explain statuses` lists them",
			safe_text(word), near ? ", did you mean '" : "", near ? near : "", near ? "'" : "");
}

/* Warp i of the whole GPU is in the status. */
static bool in_status(const struct breakpoint *b, const struct sim *sim, u32 i)
{
	return sim_warp_status(sim, i / sim->m->contexts, i % sim->m->contexts) == b->reason;
}

/* How long each warp has been in the status, as far as that is known. */
static void stall_placed(struct session *s UNUSED, struct breakpoint *b, const struct sim *sim)
{
	u32 n = sim->m->config.gpu_sms * sim->m->contexts;

	runs_place(b, n, machine_gpu(sim->m)->cycle);
	for (u32 i = 0; i < n; i++)
		if (!in_status(b, sim, i))
			b->run[i] = 0;
}

/* Who it is about, as a record. */
static struct record stall_record(const struct sim *sim, u32 sm, u32 context)
{
	const struct warp *w = (struct warp *)machine_sm_section(sim->m, sm, SECTION_WARP) + context;
	const struct cta *c = machine_sm_section(sim->m, sm, SECTION_CTA);
	u32 mask, pc = sim_warp_pc(sim, sm, context, &mask);

	return (struct record){.kind = EVENT_COUNT, .sm = (u16)sm, .warp = (u16)context, .launch = (u8)min_u32(w->launch, 0xff),
			       .sub = (u8)(context % sim->m->config.sm_subcores), .pc = pc,
			       .cta = w->cta == NONE16 ? NONE32 : c[w->cta].id, .a = mask};
}

/* A hit if some warp's run has become long enough and the condition holds for it. */
static bool stall_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	u32 contexts = sim->m->contexts, n = sim->m->config.gpu_sms * contexts;
	bool seen = runs_seen(b, h->cycle), hit = false;

	if (b->nruns != n)
		runs_place(b, n, NEVER);
	for (u32 i = 0; i < n; i++) {
		if (!runs_step(b, h->cycle, i, in_status(b, sim, i), seen) || seen || hit)
			continue;
		h->record = stall_record(sim, i / contexts, i % contexts);
		hit = breakpoint_holds(s, b, &h->record);
	}
	return seen ? hits_at(b, h->cycle) != NULL : hit;
}

/* What is said. */
static void stall_describe(const struct session *s, const struct breakpoint *b, const struct hit *h, struct text *out)
{
	record_who(s, &h->record, out);
	text_add(out, " in %s for %u cycle%s", warp_status_table[b->reason].name, b->length, b->length == 1 ? "" : "s");
}

const struct break_kind break_kind_stall = {
	.name = "stall", .usage = "stall STATUS [for N]", .doc = "when a warp has been in the status for N cycles in a row",
	.parse = stall_parse, .every_cycle = true, .placed = stall_placed, .check = stall_check, .describe = stall_describe,
};
