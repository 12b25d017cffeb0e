/*
 * runs.c - cycles in a row, counted for many things at once: warps in a status, scheduler slots with an outcome.
 *
 * Deviation: a run is counted from where the machine was put (a start, a keyframe), so one that is under way there is
 * counted short. Cycles that have been seen once keep their hits, so going back and forth does not lose any.
 */
#include "hits.h"

#include <string.h>

void runs_start(struct breakpoint *b, u32 n)
{
	if (b->nruns != n) {
		b->run = xrealloc(b->run, n * sizeof(*b->run));
		b->nruns = n;
	}
	memset(b->run, 0, n * sizeof(*b->run));
}

bool runs_step(struct breakpoint *b, u32 i, bool in_it)
{
	if (!in_it) {
		b->run[i] = 0;
		return false;
	}
	return ++b->run[i] == b->length;
}

bool runs_seen(struct breakpoint *b, u64 cycle)
{
	if (cycle >= b->seen_from && cycle <= b->seen_to && b->seen_to)
		return true;
	if (!b->seen_to || cycle != b->seen_to + 1)
		b->seen_from = cycle;
	b->seen_to = cycle;
	return false;
}

enum status runs_parse(struct breakpoint *b, const char *text, const char *what, u32 column, struct error *e)
{
	char word[32];
	u64 n = 1;

	if (word_take(&text, word, sizeof(word))) {
		if (strcmp(word, "for"))
			return error_at(e, STATUS_USAGE, NULL, 0, column, "`for N` is wanted after the %s, not '%s'", what,
					safe_text(word));
		if (word_number(&text, "a number of cycles", UINT32_MAX, column, &n, e) || words_end(text, column, e))
			return STATUS_USAGE;
	}
	if (!n)
		return error_at(e, STATUS_USAGE, NULL, 0, column, "`for 0` is no time; 1 is the least");
	b->length = (u32)n;
	return STATUS_OK;
}
