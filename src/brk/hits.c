/*
 * hits.c - the hits of a stop, kept in order of cycles.
 *
 * A hit count is the number of hits up to the present position, so it falls when the machine goes back. It begins where
 * the machine was when the stop was made, enabled or given another condition: hits before that are known only as far as
 * the machine has been back there, so they stop and are not counted. Hits beyond the tip of the timeline belong to a
 * future that was cut; they are dropped before the next run.
 */
#include "hits.h"

#include "events.h"

u32 hits_until(const struct breakpoint *b, u64 cycle)
{
	return BISECT(i, b->nhits, b->hit[i].cycle <= cycle);
}

struct hit *hits_at(const struct breakpoint *b, u64 cycle)
{
	u32 n = hits_until(b, cycle);

	return n && b->hit[n - 1].cycle == cycle ? &b->hit[n - 1] : NULL;
}

void hits_keep(struct breakpoint *b, const struct hit *h)
{
	u32 at = hits_until(b, h->cycle);

	if (at && b->hit[at - 1].cycle == h->cycle) {
		if (b->hit[at - 1].recalled)
			b->hit[at - 1] = *h;
		return;
	}
	b->hit = array_grow(b->hit, b->nhits, sizeof(*b->hit));
	memmove(&b->hit[at + 1], &b->hit[at], (b->nhits - at) * sizeof(*b->hit));
	b->hit[at] = *h;
	b->nhits++;
}

void hits_cut(struct breakpoint *b, u64 tip)
{
	b->nhits = hits_until(b, tip);
	b->from = tip ? b->from : 0;
	b->asked = min_u64(b->asked, tip);
	streaks_cut(b, tip);
}

void hits_begin(const struct session *s, struct breakpoint *b)
{
	b->from = b->asked = session_now(s).cycle;
}

/* Its hits are about to be counted anew: of those to be ignored only the rest. */
static void keep_ignoring(const struct session *s, struct breakpoint *b)
{
	u64 hits = breakpoint_hits(s, b);

	b->ignore_rank = b->ignore_rank > hits ? b->ignore_rank - hits : 0;
}

void hits_forget(const struct session *s, struct breakpoint *b)
{
	keep_ignoring(s, b);
	b->nhits = 0;
	streaks_cut(b, 0);
	b->known = false;
	hits_begin(s, b);
}

void breakpoint_enable(const struct session *s, struct breakpoint *b)
{
	if (!b->enabled) {
		keep_ignoring(s, b);
		hits_begin(s, b);
	}
	b->enabled = true;
}

/* Hits that count up to a cycle. */
static u64 counted(const struct breakpoint *b, u64 cycle)
{
	return cycle > b->from ? hits_until(b, cycle) - hits_until(b, b->from) : 0;
}

u64 breakpoint_hits(const struct session *s, const struct breakpoint *b)
{
	return counted(b, session_now(s).cycle);
}

const struct hit *breakpoint_last(const struct session *s, const struct breakpoint *b)
{
	u64 now = session_now(s).cycle;

	return counted(b, now) ? &b->hit[hits_until(b, now) - 1] : NULL;
}

const struct hit *hits_first(const struct breakpoint *b)
{
	return b->hit + hits_until(b, b->from);
}

void breakpoint_counts_from(const struct session *s, struct breakpoint *b, u64 cycle)
{
	b->from = cycle;
	b->asked = max_u64(cycle, session_now(s).cycle);
}

enum status breakpoint_recall(struct session *s, struct breakpoint *b, u64 cycle, u32 met, struct error *e)
{
	struct hit h = {.cycle = cycle, .recalled = true, .met = met, .record = NO_RECORD};

	if (cycle > session_now(s).cycle)
		return error_set(e, STATUS_USAGE, "cycle %llu: not reached yet (the machine is at cycle %llu)", cycle,
				 session_now(s).cycle);
	hits_keep(b, &h);
	return STATUS_OK;
}

void breakpoint_ignore(const struct session *s, struct breakpoint *b, u64 n)
{
	u64 hits = breakpoint_hits(s, b);

	b->ignore_rank = n > UINT64_MAX - hits ? UINT64_MAX : n ? hits + n : 0;
}

bool hits_stop(const struct breakpoint *b, u64 cycle)
{
	return hits_at(b, cycle) && (counted(b, cycle) > b->ignore_rank || !b->ignore_rank);
}
