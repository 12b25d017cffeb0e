/* cmd_number.c - number: what a saved session says of its stops: the number of the next one, the cycles in which one
 * was hit. */
#include "complete.h"
#include "arguments.h"

/* CYCLE, or CYCLE:MET where more than one met it. */
static enum status cmd_number_hit(struct session *s, const char *text, u64 *cycle, u32 *met, struct error *e)
{
	size_t n = strcspn(text, ":");
	char *time = xstrndup(text, n), *end = NULL;
	unsigned long many = text[n] ? strtoul(text + n + 1, &end, 10) : 1;
	enum status st = session_time(s, time, cycle, e);

	free(time);
	if (!st && (!many || many >= NONE32 || (end && (*end || end == text + n + 1))))
		st = error_set(e, STATUS_USAGE, "'%s' is not a number of events (at least 1)", safe_text(text + n + 1));
	*met = (u32)many;
	return st;
}

/* The cycles behind `hits`. */
static enum status cmd_number_hits(struct session *s, const struct args *a, struct breakpoint *b, struct error *e)
{
	for (u32 i = a->rest + 1; i < a->ntokens; i++) {
		const struct token *t = &a->token[i];
		u64 cycle;
		u32 met;
		enum status st = cmd_number_hit(s, t->s, &cycle, &met, e);

		if (!st)
			st = breakpoint_recall(s, b, cycle, met, e);
		if (st)
			e->column = t->column;
		if (st)
			return st;
	}
	return STATUS_OK;
}

/* The cycle behind `from`. */
static enum status cmd_number_from(struct session *s, const struct args *a, struct breakpoint *b, struct error *e)
{
	const struct token *t = &a->token[a->rest + 1];
	u64 cycle;
	enum status st = session_time(s, t->s, &cycle, e);

	if (st)
		e->column = t->column;
	else
		breakpoint_counts_from(s, b, cycle);
	return st;
}

/* number N [hits CYCLE ... | from CYCLE] */
static enum status cmd_number_run(struct session *s, const struct args *a, struct error *e)
{
	struct breakpoint *b;
	bool from;

	if (a->rest >= a->ntokens)
		return breaks_number(s->breaks, a->arg[0].number, e);
	from = !strcmp(a->token[a->rest].s, "from") && a->rest + 2 == a->ntokens;
	if (!from && (strcmp(a->token[a->rest].s, "hits") || a->rest + 1 == a->ntokens))
		return usage_at(e, a->token[a->rest].column,
				"number: unexpected words (usage: `number N [from CYCLE | hits CYCLE ...]`)");
	b = breaks_find(s->breaks, a->arg[0].number, e);
	if (!b)
		return STATUS_FAILED;
	return from ? cmd_number_from(s, a, b, e) : cmd_number_hits(s, a, b, e);
}

const struct command command_number = {
	.name = "number",
	.group = "stops",
	.summary = "restore the number or the hits of a breakpoint, as `save session` writes them",
	.details =
		"`number N` gives the next breakpoint the number N, which must be unused. `number N hits CYCLE ...` records\n"
		"that breakpoint N was hit in those cycles (CYCLE:3: by three events); its count of hits and of ignored hits\n"
		"continue from there. `number N from CYCLE` records that breakpoint N was set or enabled in that cycle: hits\n"
		"after it count, and those up to the current cycle have been reported.",
	.examples = "number 7\nbreak cycle 2000\nnumber 7 from 500\nnumber 7 hits 607 837",
	.run = cmd_number_run,
	.arg = {{"N", ARG_NUMBER, .doc = "number of the breakpoint"},
		{"HITS", ARG_REST, .doc = "`hits` and cycles, or `from` and a cycle", .optional = true}},
};
