/* kind_lost.c - stop when a scheduler has had one outcome for some cycles: `break lost long for 20`. */
#include "hits.h"
#include "machine.h"

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
	return usage_at(e, column, "'%s' is not an issue-slot outcome%s%s%s (`explain outcomes` lists them)",
			safe_text(word), near ? ", did you mean '" : "", near ? near : "", near ? "'" : "");
}

/* Scheduler i of the whole GPU had the outcome. */
static bool lost_lasts(const struct breakpoint *b, const struct sim *sim, u32 i)
{
	const struct sched *sched = machine_sm_section(sim->m, i / sim->m->schedulers, SECTION_SCHED);

	return sched[i % sim->m->schedulers].outcome == b->reason;
}

static u32 lost_things(const struct sim *sim)
{
	return sim->m->config.gpu_sms * sim->m->schedulers;
}

/* Its SM and sub-core; a: its number there. */
static void lost_about(const struct sim *sim, u32 i, struct record *r)
{
	u32 each = sim->m->schedulers, of = sim->m->config.sm_schedulers;

	r->sm = (u16)(i / each);
	r->sub = (u8)(i % each / of);
	r->a = i % each % of;
}

/* What is said. */
static void lost_describe(const struct session *s UNUSED, const struct breakpoint *b, const struct hit *h,
			  struct text *out)
{
	text_add(out, "scheduler %u of SM %u, sub-core %u: %s for %u cycle%s", h->record.a, h->record.sm, h->record.sub,
		 slot_outcome_table[b->reason].name, b->length, plural(b->length));
}

const struct break_kind break_kind_lost = {
	.name = "lost",
	.words = "for",
	.usage = "lost OUTCOME [for N]",
	.doc = "stop when an issue slot of a scheduler has had the same outcome for N cycles in a row",
	.parse = lost_parse,
	.every_cycle = true,
	.placed = streaks_placed,
	.check = streaks_check,
	.things = lost_things,
	.lasts = lost_lasts,
	.about = lost_about,
	.describe = lost_describe,
};
