/* cmd_disable.c - disable: switch stops off. */
#include "lang.h"
#include "complete.h"
#include "numbers.h"

/* Switch one off. */
static void cmd_disable_one(struct session *s, struct breakpoint *b)
{
	b->enabled = false;
	session_print(s, "breakpoint %u is disabled\n", b->number);
}

/* disable [N|A-B]... */
static enum status cmd_disable_run(struct session *s, const struct args *a, struct error *e)
{
	return numbers_each(s, a, cmd_disable_one, e);
}

const struct command command_disable = {
	.name = "disable",
	.alias = "dis",
	.group = "stops",
	.summary = "disable breakpoints (default: all)",
	.examples = "disable 2\ndisable 1-3 7\ndisable",
	.run = cmd_disable_run,
	.arg = {{.name = "N",
		 .type = ARG_REST,
		 .complete = complete_number,
		 .optional = true,
		 .doc = "numbers or names, or ranges A-B"}},
};
