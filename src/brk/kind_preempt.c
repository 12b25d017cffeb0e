/* kind_preempt.c - stop where a CTA makes room, or has done so late: `break preempt`, `break preempt switch`, `break
 * preempt drain late`. The stop says for whom, by which way, at what price. */
#include "events.h"
#include "hits.h"

#include "policy_multi.h"

#define LATE 0x80000000u

static const char *const way_name[] = {
	[WAY_DRAIN] = "drain", [WAY_FLUSH] = "flush", [WAY_SWITCH] = "switch", [WAY_KILL] = "kill"};

/* One word: a way, or late. */
static bool preempt_word(struct breakpoint *b, const char *word)
{
	if (!strcmp(word, "late"))
		b->match |= LATE;
	for (u32 way = WAY_DRAIN; way <= WAY_KILL; way++)
		if (!strcmp(word, way_name[way])) {
			b->match |= 1u << way;
			return true;
		}
	return b->match & LATE;
}

/* [switch|drain|flush|kill]... [late] */
static enum status preempt_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
				 struct error *e)
{
	char word[64] = "";

	b->match = 0;
	while (word_take(&text, word, sizeof(word)))
		if (b->match & LATE || !preempt_word(b, word))
			return usage_at(
				e, column,
				"unexpected '%s' after `preempt` (switch, drain, flush, kill, then late, or nothing)",
				safe_text(word));
	if (!(b->match & ~LATE))
		b->match |= 1u << WAY_DRAIN | 1u << WAY_FLUSH | 1u << WAY_SWITCH | 1u << WAY_KILL;
	return STATUS_OK;
}

/* Where CTAs begin to make room; late: where they are gone. */
static event_set preempt_want(const struct breakpoint *b)
{
	event_set gone = EVENT_BIT(EVENT_FLUSHED) | EVENT_BIT(EVENT_SAVED) | EVENT_BIT(EVENT_KILLED);

	return gone | (b->match & LATE ? EVENT_BIT(EVENT_CTA_END) : EVENT_BIT(EVENT_DRAIN) | EVENT_BIT(EVENT_PREEMPT));
}

/* The newest row of the ledger about the CTA of a record, NULL: none is left. */
static const struct ledger *row_of(const struct sim *sim, const struct record *r)
{
	const struct ledger *row = machine_gpu_section(sim->m, SECTION_LEDGER), *found = NULL;

	for (u32 i = 0; i < LEDGER_ROWS; i++)
		if (row[i].number && row[i].sm == r->sm && row[i].cta == r->cta &&
		    min_u32(row[i].launch, 0xff) == r->launch && (!found || row[i].number > found->number))
			found = &row[i];
	return found;
}

/* Does a CTA begin to make room with this record, or (late) is it gone with it? One whose context takes its time to
 * leave has begun before it is saved. */
static bool begins(const struct ledger *row, const struct record *r, bool late, u64 cycle)
{
	if (late)
		return row->out == cycle && row->late;
	if (r->kind == EVENT_DRAIN || r->kind == EVENT_PREEMPT)
		return row->state == LEDGER_ASKED;
	return row->out == cycle && !row->bytes;
}

/* A hit if a CTA is concerned for which the condition holds; a: its row, b: how many more there are in this cycle. */
static bool preempt_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	u64 cycle = machine_gpu(sim->m)->cycle;
	u32 n = 0;

	for (u32 i = 0; i < sim->bus.count; i++) {
		const struct record *r = &sim->bus.record[i];
		const struct ledger *row = preempt_want(b) >> r->kind & 1 ? row_of(sim, r) : NULL;

		if (!row || !(b->match >> row->way & 1) || !begins(row, r, b->match & LATE, cycle) ||
		    !breakpoint_holds(s, b, r) || n++)
			continue;
		h->record = *r;
		h->record.a = (u32)row->number;
	}
	if (n)
		h->record.b = n - 1;
	return n > 0;
}

/* The name of a launch. */
static const char *name_of(const struct session *s, u32 launch)
{
	return launch < s->program.nlaunch ? safe_text(s->program.launch[launch].name) : "-";
}

/* For whom, and since when it has been asked. */
static void add_request(const struct session *s, const struct ledger *row, struct text *out)
{
	const struct need *need =
		(struct need *)machine_gpu_section(s->sim.m, SECTION_NEED) + row->request % LEDGER_ROWS;

	if (!row->request || need->number != row->request)
		return;
	if (need->gainer)
		text_add(out, " for %s", name_of(s, need->gainer - 1u));
	text_add(out, " (request %llu, begun in cycle %llu)", need->number, need->asked);
}

/* What it does, and what it was to cost. */
static void add_way(const struct ledger *row, struct text *out)
{
	if (row->way == WAY_SWITCH && row->state == LEDGER_ASKED)
		text_add(out, ": its context is saved to memory");
	else if (row->way == WAY_FLUSH || row->way == WAY_KILL)
		text_add(out, ": the work of %llu instructions is discarded", row->lost);
	if (row->way == WAY_KILL)
		return;
	if (row->latency[row->way - 1] == NEVER)
		text_add(out, "; its cost was not known");
	else if (row->overhead[row->way - 1] == NEVER)
		text_add(out, "; predicted latency %llu cycles, overhead unknown", row->latency[row->way - 1]);
	else
		text_add(out, "; predicted cost %llu cycles and %llu instructions", row->latency[row->way - 1],
			 row->overhead[row->way - 1]);
}

/* "CTA 3 of long (SM 0) makes room by switch for urgent (request 1, begun in cycle 20001): ..."; where its row has gone
 * from the ring, only that. */
static void preempt_describe(const struct session *s, const struct breakpoint *b, const struct hit *h, struct text *out)
{
	const struct record *r = &h->record;
	const struct ledger *row = (struct ledger *)machine_gpu_section(s->sim.m, SECTION_LEDGER) + r->a % LEDGER_ROWS;

	text_add(out, "CTA %u of %s (SM %u) ", r->cta, name_of(s, r->launch), r->sm);
	if (row->number == r->a) {
		text_add(out, b->match & LATE ? "was preempted by %s" : "is preempted by %s", way_name[row->way]);
		add_request(s, row, out);
		if (b->match & LATE)
			text_add(out, " %llu cycles after the request (chimera.bound is %u)", row->out - row->asked,
				 s->sim.m->config.chimera_bound);
		add_way(row, out);
	} else {
		text_add(out, "is preempted");
	}
	if (r->b)
		text_add(out, "; %u more in this cycle", r->b);
}

const struct break_kind break_kind_preempt = {
	.name = "preempt",
	.words = "switch drain flush kill late",
	.usage = "preempt [switch|drain|flush|kill]... [late]",
	.doc = "stop when a CTA is preempted by one of these techniques (late: when a CTA leaves its SM more than chimera.bound cycles after the request)",
	.parse = preempt_parse,
	.want = preempt_want,
	.check = preempt_check,
	.describe = preempt_describe,
};
