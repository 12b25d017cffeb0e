/*
 * kind_livelock.c - stop where the program goes round for ever, or a policy keeps warps from ending that: `break
 * livelock [every N]`.
 *
 * Looked for in every Nth cycle, in a fork that runs on for at most N / 2 cycles and is given up as soon as a value
 * changes: so the stop comes up to N cycles after the livelock has set in, and one whose rounds take too long is
 * missed. `info deadlock` looks longer, and says since when. What goes round for ever does so ever after: the first
 * cycle that is known is the one hit.
 */
#include "events.h"
#include "hits.h"

#include "livelock.h"

#define EVERY 16384
#define LEAST_EVERY 256

/* [every N] */
static enum status livelock_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
				  struct error *e)
{
	char word[64] = "";
	enum status st;

	b->cycle = EVERY;
	if (!word_take(&text, word, sizeof(word)))
		return STATUS_OK;
	if (strcmp(word, "every"))
		return usage_at(e, column, "unexpected '%s' after `livelock` (every N, or nothing)", safe_text(word));
	st = word_number(&text, "value of `every`", NEVER / 2, column, &b->cycle, e);
	if (!st && b->cycle < LEAST_EVERY)
		return usage_at(e, column, "every %llu: too few cycles to find a livelock (at least %u)", b->cycle,
				LEAST_EVERY);
	return st ? st : words_end(text, column, e);
}

/* The next cycle that N divides. */
static u64 livelock_next(const struct breakpoint *b, u64 now)
{
	return (now / b->cycle + 1) * b->cycle;
}

/* A hit if there is a proof. */
static bool livelock_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	enum livelock_verdict verdict;

	if (h->cycle % b->cycle || (b->nhits && b->hit[0].cycle < h->cycle) || !breakpoint_holds(s, b, NULL))
		return false;
	h->record = NO_RECORD;
	h->record.a = livelock_proven(sim, min_u64(b->cycle / 2, LIVELOCK_MOST), &verdict);
	h->record.b = verdict == LIVELOCK_POLICY;
	if (h->record.a)
		b->nhits = 0; /* later ones are the same livelock */
	return h->record.a != 0;
}

/* What is said. */
static void livelock_describe(const struct session *s UNUSED, const struct breakpoint *b UNUSED, const struct hit *h,
			      struct text *out)
{
	if (h->record.b) {
		text_add(out, "livelock by policy: %u warp%s could issue but never do%s (`info deadlock` shows why)",
			 h->record.a, plural(h->record.a), h->record.a == 1 ? "es" : "");
		return;
	}
	text_add(out, "livelock: %u warp%s loop%s forever (`info deadlock` shows where)", h->record.a,
		 plural(h->record.a), h->record.a == 1 ? "es" : "");
}

const struct break_kind break_kind_livelock = {
	.name = "livelock",
	.words = "every",
	.usage = "livelock [every N]",
	.doc = "stop at a livelock: warps loop and no value that they read can change, or a policy never issues the warps that could change one (searched every N cycles, 16384 by default)",
	.parse = livelock_parse,
	.next_cycle = livelock_next,
	.check = livelock_check,
	.describe = livelock_describe,
};
