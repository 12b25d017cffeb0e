/*
 * streaks.c - cycles in a row, counted for many things at once: warps in a status, scheduler slots with an outcome.
 *
 * Of the cycles that have been seen, the hits and the beginnings of runs are kept, so that going back and forth over
 * them finds every run as long as it is. Deviation: in cycles seen for the first time a run is counted from where the
 * machine was put (a start, a keyframe), so one under way there counts short.
 */
#include "hits.h"

/* Whether the beginnings of runs are known at this cycle. */
static bool covered(const struct breakpoint *b, u64 cycle)
{
	return b->seen_to && cycle >= b->seen_from && cycle <= b->seen_to;
}

/* The machine has been put into a cycle: how long each run is there, as far as that is known. */
static void place(struct breakpoint *b, u32 n, u64 cycle)
{
	if (b->nstreaks != n) {
		b->streak = xrealloc(b->streak, n * sizeof(*b->streak));
		b->nstreaks = n;
	}
	memset(b->streak, 0, n * sizeof(*b->streak));
	for (u32 i = 0; covered(b, cycle) && i < b->nstarts && b->start[i].cycle <= cycle; i++)
		b->streak[b->start[i].thing] = (u32)(cycle - b->start[i].cycle + 1);
}

/* Keep the beginning of a run. */
static void keep_start(struct breakpoint *b, u64 cycle, u32 i)
{
	b->start = array_grow(b->start, b->nstarts, sizeof(*b->start));
	b->start[b->nstarts++] = (struct streak_start){.cycle = cycle, .thing = i};
}

/* One more cycle for thing i (seen: not for the first time); true when its run is as long as the stop wants. */
static bool step(struct breakpoint *b, u64 cycle, u32 i, bool in_it, bool seen)
{
	if (!in_it) {
		b->streak[i] = 0;
		return false;
	}
	if (!b->streak[i] && !seen)
		keep_start(b, cycle, i);
	b->longest = max_u32(b->longest, ++b->streak[i]);
	return b->streak[i] == b->length;
}

/* Whether the hits of this cycle are kept already; from then on they are. */
static bool seen_before(struct breakpoint *b, u64 cycle)
{
	if (covered(b, cycle))
		return true;
	if (!b->seen_to || cycle != b->seen_to + 1) {
		b->seen_from = cycle;
		b->nstarts = 0;
	}
	b->seen_to = cycle;
	return false;
}

void streaks_placed(struct session *s UNUSED, struct breakpoint *b, const struct sim *sim)
{
	u32 n = b->kind->things(sim);

	place(b, n, sim_clock(sim));
	for (u32 i = 0; i < n; i++)
		if (!b->kind->lasts(b, sim, i))
			b->streak[i] = 0;
}

bool streaks_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	u32 n = b->kind->things(sim);
	bool seen = seen_before(b, h->cycle);

	if (b->nstreaks != n)
		place(b, n, NEVER);
	for (u32 i = 0; i < n; i++) {
		struct record r = NO_RECORD;

		if (!step(b, h->cycle, i, b->kind->lasts(b, sim, i), seen) || seen)
			continue;
		b->kind->about(sim, i, &r);
		stop_hits_add(s, b, &r, h);
	}
	return seen ? hits_at(b, h->cycle) != NULL : h->met != 0;
}

void streaks_cut(struct breakpoint *b, u64 tip)
{
	if (b->seen_to > tip)
		b->longest = 0;
	b->seen_to = min_u64(b->seen_to, tip);
	while (b->nstarts && b->start[b->nstarts - 1].cycle > tip)
		b->nstarts--;
	if (b->seen_from > b->seen_to)
		b->seen_from = b->seen_to = b->nstarts = 0;
}

enum status streaks_parse(struct breakpoint *b, const char *text, const char *what, u32 column, struct error *e)
{
	char word[32];
	u64 n = 1;

	if (word_take(&text, word, sizeof(word))) {
		if (strcmp(word, "for"))
			return usage_at(e, column, "unexpected '%s' after the %s (for N, or nothing)", safe_text(word),
					what);
		if (word_number(&text, "number of cycles", UINT32_MAX, column, &n, e) || words_end(text, column, e))
			return STATUS_USAGE;
	}
	if (!n)
		return usage_at(e, column, "for 0: not a duration (at least 1)");
	b->length = (u32)n;
	return STATUS_OK;
}
