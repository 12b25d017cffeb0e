/* cmd_enable.c - enable, disable, delete: breakpoints are switched on, switched off, taken away. */
#include "lang.h"
#include "complete.h"
#include "arguments.h"

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
	.arg = {{"N", ARG_REST, .doc = "numbers or names, or ranges A-B", .complete = complete_number,
		 .optional = true}},
};

/* Switch one off. */
static void cmd_enable_disable_one(struct session *s, struct breakpoint *b)
{
	b->enabled = false;
	session_print(s, "breakpoint %u is disabled\n", b->number);
}

/* disable [N|A-B]... */
static enum status cmd_enable_disable_run(struct session *s, const struct args *a, struct error *e)
{
	return numbers_each(s, a, cmd_enable_disable_one, e);
}

const struct command command_disable = {
	.name = "disable",
	.alias = "dis",
	.group = "stops",
	.summary = "disable breakpoints (default: all)",
	.examples = "disable 2\ndisable 1-3 7\ndisable",
	.run = cmd_enable_disable_run,
	.arg = {{"N", ARG_REST, .doc = "numbers or names, or ranges A-B", .complete = complete_number,
		 .optional = true}},
};

/* Take one away. */
static void cmd_enable_delete_one(struct session *s, struct breakpoint *b)
{
	session_print(s, "breakpoint %u is deleted\n", b->number);
	breaks_delete(s->breaks, b->number);
}

/* delete [N|A-B]... */
static enum status cmd_enable_delete_run(struct session *s, const struct args *a, struct error *e)
{
	return numbers_each(s, a, cmd_enable_delete_one, e);
}

const struct command command_delete = {
	.name = "delete",
	.alias = "d",
	.group = "stops",
	.summary = "delete breakpoints (default: all)",
	.examples = "delete 2\ndelete 1-3 7\ndelete",
	.run = cmd_enable_delete_run,
	.arg = {{"N", ARG_REST, .doc = "numbers or names, or ranges A-B", .complete = complete_number,
		 .optional = true}},
};
