/* cmd_number.c - number: what a saved session says of its stops: the number of the next one, the cycles in which one
 * was hit. */
#include "complete.h"
#include "numbers.h"

#include <stdlib.h>
#include <string.h>

/* The cycles behind `hits`. */
static enum status cmd_number_hits(struct session *s, const struct args *a, struct breakpoint *b, struct error *e)
{
	for (u32 i = a->rest + 1; i < a->ntokens; i++) {
		const struct token *t = &a->token[i];
		u64 cycle;
		enum status st = session_time(s, t->s, &cycle, e);

		if (!st)
			st = breakpoint_recall(s, b, cycle, e);
		if (st)
			e->column = t->column;
		if (st)
			return st;
	}
	return STATUS_OK;
}

/* number N [hits CYCLE ...] */
static enum status cmd_number_run(struct session *s, const struct args *a, struct error *e)
{
	struct breakpoint *b;

	if (a->rest >= a->ntokens)
		return breaks_number(s->breaks, a->arg[0].number, e);
	if (strcmp(a->token[a->rest].s, "hits") || a->rest + 1 == a->ntokens)
		return error_at(e, STATUS_USAGE, NULL, 0, a->token[a->rest].column,
				"`number N` or `number N hits CYCLE ...` is wanted");
	b = breaks_find(s->breaks, a->arg[0].number, e);
	return b ? cmd_number_hits(s, a, b, e) : STATUS_FAILED;
}

const struct command command_number = {
	.name = "number",
	.group = "stops",
	.summary = "the number of the next stop, or the hits of one, as `save session` writes them",
	.details =
		"`number N` gives the next stop the number N, which no stop has had. `number N hits CYCLE ...` says that stop N was hit\n"
		"in those cycles: its count and what it ignores go on from there.",
	.examples = "number 7\nnumber 7 hits 607 837",
	.run = cmd_number_run,
	.arg = {{.name = "N", .type = ARG_NUMBER, .doc = "number of a stop"},
		{.name = "HITS", .type = ARG_REST, .optional = true, .doc = "`hits` and the cycles"}},
};
