/* cmd_finally.c - finally: what is run when the last kernel has finished. */
#include "lang.h"

static enum status cmd_finally_run(struct session *s, const struct args *a, struct error *e)
{
	struct lang *l = s->lang;

	if (l->finally.line)
		return usage_at(e, a->token[0].column, "finally: the scenario already has a `finally` block (line %u)",
				l->finally.first_line ? l->finally.first_line - 1 : 0);
	kept_fill(&l->finally, s, a);
	return STATUS_OK;
}

const struct command command_finally = {
	.name = "finally",
	.group = "setup",
	.summary = "store the lines up to `end` and run them when the last kernel has finished",
	.details = "The block runs once per machine. Usually it holds `expect` and `check`.",
	.examples = "finally\n  expect slots.issued > 0\n  check c formula a[i] + b[i]\nend",
	.flags = COMMAND_SETUP | COMMAND_STAYS | COMMAND_BLOCK | COMMAND_RUNS,
	.run = cmd_finally_run,
};
