/*
 * streaks.c - cycles in a row, counted for many things at once: warps in a status, scheduler slots with an outcome.
 *
 * Of the cycles that have been seen, the hits and the beginnings of runs are kept, so that going back and forth over
 * them finds every run as long as it is. Where the machine is put into a cycle that has not been seen, a copy repeats
 * as many cycles before it as a hit takes: a run is as long as it is, wherever the stop was set or the machine comes
 * from.
 */
#include "hits.h"
#include "machine.h"

/* Whether the beginnings of runs are known at this cycle. */
static bool covered(const struct breakpoint *b, u64 cycle)
{
	return b->seen_to && cycle >= b->seen_from && cycle <= b->seen_to;
}

/* No run is under way. */
static void clear(struct breakpoint *b, u32 n)
{
	if (b->nstreaks != n) {
		b->streak = xrealloc(b->streak, n * sizeof(*b->streak));
		b->nstreaks = n;
	}
	memset(b->streak, 0, n * sizeof(*b->streak));
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

/* The runs that are under way in a cycle, by what came before it; a longer one has been a hit already. */
static void look_back(const struct session *s, struct breakpoint *b, u64 cycle)
{
	u64 at = cycle > b->length ? cycle - b->length : 0;
	struct sim fork;
	u32 applied, n;

	b->seen_from = b->seen_to = b->nstarts = 0;
	if (!cycle)
		return;
	timeline_fork(s->timeline, (struct position){at, 0}, &fork, &applied);
	n = b->kind->things(&fork);
	while (sim_clock(&fork) == at) {
		for (u32 i = 0; i < n && at; i++)
			step(b, at, i, b->kind->lasts(b, &fork, i), false);
		b->seen_from = b->seen_to = at;
		if (at++ == cycle)
			break;
		timeline_follow(s->timeline, &fork, &applied, (struct position){at, 0});
	}
	sim_close(&fork);
}

void streaks_placed(struct session *s, struct breakpoint *b, const struct sim *sim)
{
	u64 cycle = sim_clock(sim);
	u32 n = b->kind->things(sim);

	clear(b, n);
	/* inside a cycle the machine no longer tells what was at its beginning */
	if (!covered(b, cycle) || machine_gpu(sim->m)->stage) {
		look_back(s, b, cycle);
		return;
	}
	for (u32 i = 0; i < b->nstarts && b->start[i].cycle <= cycle; i++)
		b->streak[b->start[i].thing] = (u32)(cycle - b->start[i].cycle + 1);
	for (u32 i = 0; i < n; i++)
		if (!b->kind->lasts(b, sim, i))
			b->streak[i] = 0;
}

bool streaks_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	u32 n = b->kind->things(sim);
	bool seen = seen_before(b, h->cycle);

	if (b->nstreaks != n)
		clear(b, n);
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
