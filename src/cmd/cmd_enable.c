/* cmd_enable.c - enable: switch stops on. */
#include "lang.h"
#include "complete.h"
#include "numbers.h"

/* Switch one on. */
static void cmd_enable_one(struct session *s, struct breakpoint *b)
{
	breakpoint_enable(s, b);
	session_print(s, "breakpoint %u is enabled\n", b->number);
}

/* enable [N|A-B]... */
static enum status cmd_enable_run(struct session *s, const struct args *a, struct error *e)
{
	return numbers_each(s, a, cmd_enable_one, e);
}

const struct command command_enable = {
	.name = "enable",
	.alias = "en",
	.group = "stops",
	.summary = "enable breakpoints (default: all)",
	.examples = "enable 2\nenable 1-3 7\nenable",
	.run = cmd_enable_run,
	.arg = {{.name = "N",
		 .type = ARG_REST,
		 .complete = complete_number,
		 .optional = true,
		 .doc = "numbers or names, or ranges A-B"}},
};
