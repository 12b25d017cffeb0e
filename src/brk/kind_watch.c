/* kind_watch.c - stop when a value changes, rises, falls or crosses a threshold: `watch EXPR`. */
#include "events.h"
#include "hits.h"
#include "machine.h"

static const char *const mode_name[] = {"change", "rise", "fall", "above", "below"};

/* The word that says how to watch, and a threshold where it takes one. */
static enum status mode_parse(struct breakpoint *b, const char **text, u32 column, struct error *e)
{
	const char *rest = *text;
	char word[64], *end;

	word_take(&rest, word, sizeof(word));
	for (u32 i = 0; i < ARRAY_LEN(mode_name); i++) {
		if (strcmp(word, mode_name[i]))
			continue;
		b->mode = (u8)i;
		*text = rest;
		if (i < WATCH_ABOVE)
			return STATUS_OK;
		word_take(text, word, sizeof(word));
		b->threshold = strtod(word, &end);
		if (*end || end == word)
			return usage_at(e, column, "%s: must be followed by a number, not '%s'", mode_name[i],
					safe_text(word));
		return STATUS_OK;
	}
	return STATUS_OK;
}

/* [change|rise|fall|above V|below V] EXPR */
static enum status watch_parse(struct session *s, struct breakpoint *b, const char *text, u32 column, struct error *e)
{
	const char *start = text;

	if (mode_parse(b, &text, column, e))
		return STATUS_USAGE;
	if (!*text)
		return usage_at(e, column, "missing expression (watch [change|rise|fall|above V|below V] EXPR)");
	column += (u32)(text - start);
	return breakpoint_value(s, text, column, &b->expr, e);
}

/* The value with which the next cycle's is compared. */
static void watch_placed(struct session *s, struct breakpoint *b, const struct sim *sim UNUSED)
{
	b->known = !expr_eval(s, b->expr, NULL, &b->last, NULL);
}

/* Whether a step from `before` to `after` is what is watched for. */
static bool watch_hits(const struct breakpoint *b, double before, double after)
{
	switch ((enum watch_mode)b->mode) {
	case WATCH_RISE: return after > before;
	case WATCH_FALL: return after < before;
	case WATCH_ABOVE: return before <= b->threshold && after > b->threshold;
	case WATCH_BELOW: return before >= b->threshold && after < b->threshold;
	default: return after != before;
	}
}

/* A hit if the value stepped so. Where it has no value it is not compared. */
static bool watch_check(struct session *s, struct breakpoint *b, const struct sim *sim UNUSED, struct hit *h)
{
	struct value before = b->last;
	bool known = b->known, hit;

	b->known = !expr_eval(s, b->expr, NULL, &b->last, NULL);
	if (!known || !b->known)
		return false;
	h->before = before;
	h->after = b->last;
	if (before.kind == VALUE_INT && b->last.kind == VALUE_INT && b->mode == WATCH_CHANGE)
		hit = before.i != b->last.i;
	else
		hit = watch_hits(b, value_as_real(before), value_as_real(b->last));
	return hit && breakpoint_holds(s, b, NULL);
}

/* The entry of an SM's writes, applied one by one to a fork, after which the value was another for the last time. */
static void find_write(struct session *view, const struct breakpoint *b, u32 sm, struct value *last, struct hit *h)
{
	struct sim *sim = &view->sim;
	const struct sm *state = machine_sm_section(sim->m, sm, SECTION_SM);
	const struct write_entry *w = machine_sm_section(sim->m, sm, SECTION_WRITES);
	const struct warp *warp = machine_sm_section(sim->m, sm, SECTION_WARP);
	const struct cta *cta = machine_sm_section(sim->m, sm, SECTION_CTA);
	u32 home = (1u << sim->m->parent_shift) - 1; /* of a warp in slices it was that of the lane */
	struct value now;

	for (u32 i = 0; i < state->nwrites; i++) {
		u32 context = (w[i].context & ~home) + (home ? w[i].lane / sim->m->config.warp_size : 0u);

		write_apply(&sim->store, &w[i]);
		if (expr_eval(view, b->expr, NULL, &now, NULL) || value_as_real(now) == value_as_real(*last))
			continue;
		*last = now;
		h->lane = w[i].lane;
		h->record = (struct record){.kind = w[i].atom ? EVENT_ATOMIC : EVENT_STORE,
					    .sm = (u16)sm,
					    .warp = (u16)context,
					    .sub = (u8)(context % sim->m->config.sm_subcores),
					    .launch = (u8)min_u32(warp[context].launch, 0xff),
					    .cta = warp[context].cta == NONE16 ? NONE32 : cta[warp[context].cta].id,
					    .pc = w[i].pc,
					    .address = w[i].address};
	}
}

/* Who wrote what is watched: the writes of the cycle act at its end, and are looked at just before. */
static void watch_culprit(struct session *s, const struct breakpoint *b, struct hit *h)
{
	struct session view = *s;
	struct value last = h->before;
	u32 applied;

	if (!h->cycle)
		return;
	timeline_fork(s->timeline, (struct position){h->cycle - 1, STAGE_SEAL}, &view.sim, &applied);
	for (u32 i = 0; i < view.sim.m->config.gpu_sms; i++)
		find_write(&view, b, i, &last, h);
	sim_close(&view.sim);
}

/* "; lane 3 of warp 5 (SM 0, sub-core 1, CTA 2) wrote it at 20 st.global.f32 [d2], r0 (scale.cu:7)" */
static void say_writer(const struct session *s, const struct hit *h, struct text *out)
{
	if (h->record.kind == NO_EVENT)
		return;
	text_add(out, ", by lane %u of ", h->lane);
	record_who(s, &h->record, out);
	text_add(out, " at ");
	record_instruction(s, &h->record, out);
	record_line(s, &h->record, out);
}

/* A value, by its word if it has one: barrier. */
static void say_value(const struct breakpoint *b, struct value v, struct text *out)
{
	char room[32];
	const char *word = expr_word(b->expr, v, room);

	if (word)
		text_add(out, "%s", word);
	else
		value_format(v, 0, out);
}

/* What is said: the two values, and who wrote the second. */
static void watch_describe(const struct session *s, const struct breakpoint *b, const struct hit *h, struct text *out)
{
	text_add_safe(out, expr_text(b->expr), strlen(expr_text(b->expr)));
	text_add(out, ": ");
	say_value(b, h->before, out);
	text_add(out, " -> ");
	say_value(b, h->after, out);
	say_writer(s, h, out);
}

const struct break_kind break_kind_watch = {
	.name = "watch",
	.usage = "watch [change|rise|fall|above V|below V] EXPR",
	.doc = "stop when a value changes, rises, falls or crosses V",
	.parse = watch_parse,
	.every_cycle = true,
	.placed = watch_placed,
	.check = watch_check,
	.culprit = watch_culprit,
	.describe = watch_describe,
};
