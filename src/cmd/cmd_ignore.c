/* cmd_ignore.c - ignore: let a stop pass some times. */
#include "lang.h"
#include "complete.h"
#include "numbers.h"

/* ignore N COUNT */
static enum status cmd_ignore_run(struct session *s, const struct args *a, struct error *e)
{
	struct breakpoint *b = numbers_one(s, &a->arg[0], e);

	if (!b)
		return STATUS_FAILED;
	breakpoint_ignore(s, b, a->arg[1].number);
	if (a->arg[1].number)
		session_print(s, "breakpoint %u ignores its next %llu hit%s\n", b->number, a->arg[1].number,
			      plural(a->arg[1].number));
	else
		session_print(s, "breakpoint %u stops at its next hit\n", b->number);
	return STATUS_OK;
}

const struct command command_ignore = {
	.name = "ignore",
	.alias = "ig",
	.group = "stops",
	.summary = "ignore the next COUNT hits of a breakpoint",
	.details =
		"The count belongs to the position: going back and forth over the same cycles ignores the same hits.",
	.examples = "ignore 2 10\nignore 2 0",
	.run = cmd_ignore_run,
	.arg = {{.name = "N", .type = ARG_WORD, .complete = complete_number, .doc = "number or name of the breakpoint"},
		{.name = "COUNT", .type = ARG_NUMBER, .doc = "number of hits to ignore"}},
};
