/* kind_epoch.c - stop where an epoch of the policy maestro ends and has decided, or one begins: `break epoch`, `break
 * epoch moved shared`, `break epoch begun`. The stop says what was decided, and what of. */
#include "epochs.h"
#include "events.h"
#include "hits.h"

#define KEPT 1
#define MOVED 2
#define SPATIAL 4
#define SHARED 8
#define BEGUN 16
static const char *const epoch_word[] = {"kept", "moved", "spatial", "shared", "begun"};

/* The bit of a word, 0: it is none. */
static u32 epoch_bit(const char *word)
{
	for (u32 i = 0; i < ARRAY_LEN(epoch_word); i++)
		if (!strcmp(word, epoch_word[i]))
			return 1u << i;
	return 0;
}

/* [begun | [kept|moved] [spatial|shared]] */
static enum status epoch_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
			       struct error *e)
{
	char word[64] = "";

	b->match = 0;
	while (word_take(&text, word, sizeof(word))) {
		u32 bit = epoch_bit(word), pair = bit < SPATIAL ? KEPT | MOVED : SPATIAL | SHARED;

		if (!bit || b->match & (BEGUN | pair) || (b->match && bit == BEGUN))
			return usage_at(
				e, column,
				"unexpected '%s' after `epoch` (begun, or kept or moved with spatial or shared, or nothing)",
				safe_text(word));
		b->match |= bit;
	}
	return STATUS_OK;
}

static event_set epoch_want(const struct breakpoint *b)
{
	return b->match & BEGUN ? EVENT_BIT(EVENT_EPOCH_START) : EVENT_BIT(EVENT_EPOCH);
}

/* Is what a record tells one of those wanted? a, b: CTAs of the trial kernel now and before, 0: SMs apart. */
static bool epoch_fits(const struct breakpoint *b, const struct sim *sim UNUSED, const struct record *r)
{
	u32 is = (r->a == r->b ? KEPT : MOVED) | (r->a ? SHARED : SPATIAL);

	return b->match & BEGUN || !(b->match & ~is);
}

/* What is said. */
static void epoch_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
			   struct text *out)
{
	const struct record *r = &h->record;

	if (r->kind == EVENT_EPOCH_START) {
		text_add(out,
			 r->b ? "epoch %u begins %u cycles after the repartitioning began"
			      : "epoch %u begins at once: no CTA has to move",
			 r->a, r->b);
		return;
	}
	text_add(out, "epoch %u ends", maestro_state(s->sim.m).own->epochs);
	if (!epochs_run(s->sim.m))
		return;
	text_add(out, ": ");
	epochs_decision(&s->sim, r->launch, r->a, r->b, out);
	text_add(out, " (");
	epochs_options(s->sim.m, out);
	text_add(out, ")");
}

const struct break_kind break_kind_epoch = {
	.name = "epoch",
	.words = "kept moved spatial shared begun",
	.usage = "epoch [begun | [kept|moved] [spatial|shared]]",
	.doc = "stop when an epoch of the policy maestro begins (begun) or ends: partition kept or changed (moved), SMs divided (spatial) or shared",
	.parse = epoch_parse,
	.want = epoch_want,
	.named = true,
	.check = records_check,
	.fits = epoch_fits,
	.describe = epoch_describe,
};
