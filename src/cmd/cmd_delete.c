/* cmd_delete.c - delete: take stops away. */
#include "lang.h"
#include "complete.h"
#include "numbers.h"

/* Take one away. */
static void cmd_delete_one(struct session *s, struct breakpoint *b)
{
	session_print(s, "breakpoint %u is deleted\n", b->number);
	breaks_delete(s->breaks, b->number);
}

/* delete [N|A-B]... */
static enum status cmd_delete_run(struct session *s, const struct args *a, struct error *e)
{
	return numbers_each(s, a, cmd_delete_one, e);
}

const struct command command_delete = {
	.name = "delete",
	.alias = "d",
	.group = "stops",
	.summary = "delete breakpoints (default: all)",
	.examples = "delete 2\ndelete 1-3 7\ndelete",
	.run = cmd_delete_run,
	.arg = {{.name = "N",
		 .type = ARG_REST,
		 .complete = complete_number,
		 .optional = true,
		 .doc = "numbers or names, or ranges A-B"}},
};
