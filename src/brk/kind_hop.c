/* kind_hop.c - stop when the instruction that is followed begins a hop: `break hop`, `break hop L2`. Its way is known
 * before a run begins (follow.h), so the cycles are. */
#include "follow.h"
#include "hits.h"

/* [HOP] */
static enum status hop_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
			     struct error *e)
{
	char word[64] = "";

	b->reason = HOP_COUNT;
	if (!word_take(&text, word, sizeof(word)))
		return STATUS_OK;
	b->reason = hop_find(word, column, e);
	return b->reason == HOP_COUNT ? STATUS_USAGE : words_end(text, column, e);
}

/* Do the cycles differ from those that were known? Those beyond the tip have been forgotten, and no hit is there. */
static bool hop_differs(const struct breakpoint *b, const struct streak_start *start, u32 n)
{
	bool differs = n < b->nstarts;

	for (u32 i = 0; i < b->nstarts && !differs; i++)
		differs = start[i].cycle != b->start[i].cycle || start[i].thing != b->start[i].thing;
	return differs;
}

/* The cycles in which such hops begin now, none as long as nothing is followed; if another instruction is followed,
 * hits of the one before count no more. */
static enum status hop_resolve(struct session *s, struct breakpoint *b, struct error *e UNUSED)
{
	const struct follow *f = follow_now(s);
	struct streak_start *start = NULL;
	u32 n = 0;

	for (u32 i = 0; f && i < f->n; i++) {
		if (b->reason != HOP_COUNT && f->hop[i].kind != b->reason)
			continue;
		start = array_grow(start, n, sizeof(*start));
		start[n++] = (struct streak_start){f->hop[i].from, i};
	}
	if (b->nstarts && hop_differs(b, start, n))
		hits_forget(s, b);
	free(b->start);
	b->start = start;
	b->nstarts = n;
	return STATUS_OK;
}

static u64 hop_next(const struct breakpoint *b, u64 now)
{
	for (u32 i = 0; i < b->nstarts; i++)
		if (b->start[i].cycle > now)
			return b->start[i].cycle;
	return NEVER;
}

static bool hop_check(struct session *s, struct breakpoint *b, const struct sim *sim UNUSED, struct hit *h)
{
	for (u32 i = 0; i < b->nstarts; i++) {
		if (b->start[i].cycle != h->cycle || !s->follow || b->start[i].thing >= s->follow->n)
			continue;
		h->record = NO_RECORD;
		h->record.sm = s->follow->hop[b->start[i].thing].sm;
		h->record.warp = s->follow->hop[b->start[i].thing].warp;
		return breakpoint_holds(s, b, &h->record);
	}
	return false;
}

static const char *hop_unmet(const struct session *s)
{
	return s->follow ? NULL : "nothing is followed (`follow` chooses an instruction)";
}

/* What is said. */
static void hop_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
			 struct text *out)
{
	const struct follow *f = s->follow;
	u32 at = f ? follow_at(f, h->cycle) : NONE32;

	if (at == NONE32) {
		text_add(out, "a hop of the instruction that was followed");
		return;
	}
	text_add(out, "hop %s of ", hop_table[f->hop[at].kind].name);
	follow_who(s, f, out);
	text_add(out, ": ");
	follow_text(s, f, at, out);
}

const struct break_kind break_kind_hop = {
	.name = "hop",
	.words =
		"fetch decode buffer wait issue barrier step operands unit execute queue lsu reexec shared l1d constants port crossbar l2 dramqueue dram l2mshr answer return mshr write ack away",
	.usage = "hop [HOP]",
	.doc = "stop when the instruction that `follow` follows begins a hop: any, or one of that kind (`help follow` lists them)",
	.parse = hop_parse,
	.resolve = hop_resolve,
	.next_cycle = hop_next,
	.check = hop_check,
	.unmet = hop_unmet,
	.describe = hop_describe,
};
