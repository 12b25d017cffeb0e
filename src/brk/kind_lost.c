/* kind_lost.c - stop when a scheduler has had one outcome for some cycles: `break lost long for 20`. */
#include "hits.h"
#include "machine.h"

#include <string.h>

/* OUTCOME [for N] */
static enum status lost_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
			      struct error *e)
{
	const char *names[SLOT_OUTCOME_COUNT], *near;
	char word[64] = "";

	word_take(&text, word, sizeof(word));
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++) {
		names[i] = slot_outcome_table[i].name;
		if (strcmp(word, names[i]))
			continue;
		b->reason = i;
		return streaks_parse(b, text, "outcome", column, e);
	}
	near = nearest_name(word, names, SLOT_OUTCOME_COUNT);
	return error_at(e, STATUS_USAGE, NULL, 0, column,
			"'%s' is not an issue-slot outcome%s%s%s (`explain outcomes` lists them)", safe_text(word),
			near ? ", did you mean '" : "", near ? near : "", near ? "'" : "");
}

/* Scheduler i of the whole GPU had the outcome. */
static bool had_outcome(const struct breakpoint *b, const struct sim *sim, u32 i)
{
	const struct sched *sched = machine_sm_section(sim->m, i / sim->m->schedulers, SECTION_SCHED);

	return sched[i % sim->m->schedulers].outcome == b->reason;
}

/* How long each scheduler has had the outcome, as far as that is known. */
static void lost_placed(struct session *s UNUSED, struct breakpoint *b, const struct sim *sim)
{
	u32 n = sim->m->config.gpu_sms * sim->m->schedulers;

	streaks_place(b, n, machine_gpu(sim->m)->cycle);
	for (u32 i = 0; i < n; i++)
		if (!had_outcome(b, sim, i))
			b->streak[i] = 0;
}

/* A hit if some scheduler's run has become long enough; the condition sees its SM and sub-core. */
static bool lost_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	u32 each = sim->m->schedulers, n = sim->m->config.gpu_sms * each;
	bool seen = streaks_seen(b, h->cycle);

	if (b->nstreaks != n)
		streaks_place(b, n, NEVER);
	for (u32 i = 0; i < n; i++) {
		struct record r = {.kind = EVENT_COUNT,
				   .sm = (u16)(i / each),
				   .warp = NONE16,
				   .launch = 0xff,
				   .sub = (u8)(i % each / sim->m->config.sm_schedulers),
				   .cta = NONE32,
				   .pc = NONE32,
				   .a = i % each % sim->m->config.sm_schedulers};

		if (streaks_step(b, h->cycle, i, had_outcome(b, sim, i), seen) && !seen)
			met_add(s, b, &r, h);
	}
	return seen ? hits_at(b, h->cycle) != NULL : h->met != 0;
}

/* What is said. */
static void lost_describe(const struct session *s UNUSED, const struct breakpoint *b, const struct hit *h,
			  struct text *out)
{
	text_add(out, "scheduler %u of SM %u, sub-core %u: %s for %u cycle%s", h->record.a, h->record.sm, h->record.sub,
		 slot_outcome_table[b->reason].name, b->length, b->length == 1 ? "" : "s");
}

const struct break_kind break_kind_lost = {
	.name = "lost",
	.words = "for",
	.usage = "lost OUTCOME [for N]",
	.doc = "stop when an issue slot of a scheduler has had the same outcome for N cycles in a row",
	.parse = lost_parse,
	.every_cycle = true,
	.placed = lost_placed,
	.check = lost_check,
	.describe = lost_describe,
};
