/*
 * kind_events.c - the kinds of stops that only choose events, by words that may follow the name:
 *
 * split, form         pieces of a warp come apart and become one gang again; the stop says which slices stand where now
 * swap                a CTA gives its warp slots away or gets some
 * partition           the policy partition lets an SM have other CTAs than before, or an SM has given up what it was
 * asked for throttle            policies let an SM have fewer or more CTAs, or fewer or more of its warps load deadline
 * an instance of a launch with a deadline ends in time or has missed it idempotence         a CTA can no longer be
 * flushed; the stop names the instruction and says why
 */
#include "events.h"
#include "hits.h"
#include "idempotence.h"

/* The bit of one of the kind's words, 0: it is none. */
static u32 word_bit(const struct break_kind *k, const char *word)
{
	const char *words = k->words;
	char one[32];

	for (u32 bit = 1; word_take(&words, one, sizeof(one)); bit <<= 1)
		if (!strcmp(one, word))
			return bit;
	return 0;
}

/* "control, memory, exit or nothing" */
static void words_said(const struct break_kind *k, struct text *out)
{
	const char *words = k->words;
	char one[32];

	while (word_take(&words, one, sizeof(one)))
		text_list(out, ", ", one);
	text_add(out, " or nothing");
}

/* One of the kind's words, or several; without one all are meant. */
static enum status choice_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
				struct error *e)
{
	struct text said = {0};
	char word[64] = "";

	b->match = 0;
	while ((!b->match || b->kind->several) && word_take(&text, word, sizeof(word))) {
		u32 bit = word_bit(b->kind, word);

		b->match |= bit;
		if (bit)
			continue;
		words_said(b->kind, &said);
		usage_at(e, column, "unexpected '%s' after `%s` (%s)", safe_text(word), b->kind->name, said.s);
		text_free(&said);
		return STATUS_USAGE;
	}
	if (!b->match)
		b->match = NONE32;
	return words_end(text, column, e);
}

/* Nothing follows. */
static enum status alone_parse(struct session *s UNUSED, struct breakpoint *b UNUSED, const char *text, u32 column,
			       struct error *e)
{
	return words_end(text, column, e);
}

/* The events of the words that were chosen. */
static event_set choice_want(const struct breakpoint *b)
{
	return (b->match & 1 ? b->kind->by_word[0] : 0) | (b->match & 2 ? b->kind->by_word[1] : 0);
}

/* The name of the launch of a record. */
static const char *launch_name(const struct session *s, const struct record *r)
{
	return r->launch < s->program.nlaunch ? safe_text(s->program.launch[r->launch].name) : "-";
}

/* Causes by the number that the event gives: their words' bits, and what is said of them. */
static const u32 cause_bit[] = {1, 4, 2};
static const char *const cause_text[] = {"control flow diverges", "some have exited",
					 "a load has returned for some before the others"};

static bool split_fits(const struct breakpoint *b, const struct sim *sim UNUSED, const struct record *r)
{
	return b->match & cause_bit[r->b];
}

static void split_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
			   struct text *out)
{
	text_add(out, "a gang of %u small warps splits, %s: ", h->record.a, cause_text[h->record.b]);
	record_who(s, &h->record, out);
	slices_now(s, h, out);
}

const struct break_kind break_kind_split = {
	.name = "split",
	.words = "control memory exit",
	.several = true,
	.usage = "split [control|memory|exit]...",
	.doc = "stop when a gang splits: control flow diverges (control), a load returns for some of its small warps first (memory, vws.split), or some exit (exit)",
	.parse = choice_parse,
	.events = EVENT_BIT(EVENT_GANGSPLIT),
	.named = true,
	.check = records_check,
	.fits = split_fits,
	.describe = split_describe,
};

static void form_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
			  struct text *out)
{
	text_add(out, "a gang of %u small warps is re-formed at ", h->record.a);
	record_instruction(s, &h->record, out);
	text_add(out, ": ");
	record_who(s, &h->record, out);
	slices_now(s, h, out);
}

const struct break_kind break_kind_form = {
	.name = "form",
	.usage = "form",
	.doc = "stop when two parts of a split warp reach the same instruction and re-form one gang (vws.reform)",
	.parse = alone_parse,
	.events = EVENT_BIT(EVENT_GANGFORM),
	.named = true,
	.check = records_check,
	.describe = form_describe,
};

static void swap_describe(const struct session *s UNUSED, const struct breakpoint *b UNUSED, const struct hit *h,
			  struct text *out)
{
	const struct record *r = &h->record;

	text_add(out,
		 r->kind == EVENT_SWAP_OUT
			 ? "CTA %u (SM %u, CTA slot %u) was swapped out with %u register writes outstanding"
			 : "CTA %u (SM %u, CTA slot %u) was swapped in; restoring its context takes %u cycles",
		 r->cta, r->sm, r->b, r->a);
}

const struct break_kind break_kind_swap = {
	.name = "swap",
	.words = "out in",
	.usage = "swap [out|in]",
	.doc = "stop when a CTA is swapped out (out) or in (in)",
	.parse = choice_parse,
	.want = choice_want,
	.by_word = {EVENT_BIT(EVENT_SWAP_OUT), EVENT_BIT(EVENT_SWAP_IN)},
	.check = records_check,
	.describe = swap_describe,
};

static void partition_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
			       struct text *out)
{
	const struct record *r = &h->record;

	if (r->kind == EVENT_PARTITION)
		text_add(out, "SM %u: the target is now %u CTAs of kernel %u (%s), was %u", r->sm, r->a, r->launch,
			 launch_name(s, r), r->b);
	else
		text_add(
			out,
			"SM %u: CTAs of kernel %u (%s) are down to the target, %u cycles after preemption request %u began",
			r->sm, r->launch, launch_name(s, r), r->a, r->b);
}

const struct break_kind break_kind_partition = {
	.name = "partition",
	.words = "changed reached",
	.usage = "partition [changed|reached]",
	.doc = "stop when the number of CTAs of a kernel that an SM should hold changes (changed), or when the CTAs above that number have left the SM (reached)",
	.parse = choice_parse,
	.want = choice_want,
	.by_word = {EVENT_BIT(EVENT_PARTITION), EVENT_BIT(EVENT_REACHED)},
	.named = true,
	.check = records_check,
	.describe = partition_describe,
};

static bool throttle_fits(const struct breakpoint *b, const struct sim *sim UNUSED, const struct record *r)
{
	return b->match & (r->a < r->b ? 1 : 2);
}

static void throttle_describe(const struct session *s UNUSED, const struct breakpoint *b UNUSED, const struct hit *h,
			      struct text *out)
{
	const struct record *r = &h->record;

	if (r->kind == EVENT_THROTTLE)
		text_add(out, "policies now limit SM %u to %u CTA%s (was %u)", r->sm, r->a, plural(r->a), r->b);
	else
		text_add(out, "warps that may load: now %u on SM %u (was %u)", r->a, r->sm, r->b);
}

const struct break_kind break_kind_throttle = {
	.name = "throttle",
	.words = "less more",
	.usage = "throttle [less|more]",
	.doc = "stop when policies lower (less) or raise (more) the CTA limit of an SM, or the number of its warps that may load",
	.parse = choice_parse,
	.events = EVENT_BIT(EVENT_THROTTLE) | EVENT_BIT(EVENT_LOAD_LIMIT),
	.named = true,
	.check = records_check,
	.fits = throttle_fits,
	.describe = throttle_describe,
};

static bool deadline_fits(const struct breakpoint *b, const struct sim *sim UNUSED, const struct record *r)
{
	return b->match & (r->a ? 1 : 2);
}

static void deadline_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
			      struct text *out)
{
	const struct record *r = &h->record;

	text_add(out, "kernel %u (%s) ", r->launch, launch_name(s, r));
	text_add(out,
		 r->a ? "missed its deadline and is killed with %u CTAs unfinished"
		      : "finished %u cycles before its deadline",
		 r->b);
}

const struct break_kind break_kind_deadline = {
	.name = "deadline",
	.words = "missed met",
	.usage = "deadline [missed|met]",
	.doc = "stop when an instance of a launch misses its deadline (missed) or finishes in time (met)",
	.parse = choice_parse,
	.events = EVENT_BIT(EVENT_DEADLINE),
	.named = true,
	.check = records_check,
	.fits = deadline_fits,
	.describe = deadline_describe,
};

static void idempotence_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
				 struct text *out)
{
	const struct record *r = &h->record;
	const struct idempotence *x = r->launch < s->program.nlaunch ? s->sim.trips[r->launch] : NULL;
	struct text why = {0};

	record_who(s, r, out);
	text_add(out, " ends the idempotence of its CTA: ");
	record_instruction(s, r, out);
	if (x && r->pc < x->ninst) {
		idempotence_reason(x, &s->program, r->pc, &why);
		text_add(out, ": %s", safe_text(why.s));
	}
	text_free(&why);
}

const struct break_kind break_kind_idempotence = {
	.name = "idempotence",
	.usage = "idempotence",
	.doc = "stop at an idempotence violation: a CTA executes an instruction that prevents its restart, so it can no longer be flushed (recorded if preempt.ctas is not 0)",
	.parse = alone_parse,
	.events = EVENT_BIT(EVENT_TRIP),
	.check = records_check,
	.describe = idempotence_describe,
};
