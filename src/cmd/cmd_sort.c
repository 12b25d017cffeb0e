/* cmd_sort.c - sort: the order of a pane's rows. */
#include "complete.h"
#include "pane.h"
#include "cmd_show.h"

/* sort PANE [COLUMN] */
static enum status cmd_sort_run(struct session *s, const struct args *a, struct error *e)
{
	int id = pane_argument(&a->arg[0], e);
	enum status st = id < 0 ? STATUS_USAGE : STATUS_OK;

	if (!st && !pane_table[id]->without_machine)
		st = session_make(s, e);
	if (!st)
		st = pane_set_sort(s, (enum pane_id)id, a->arg[1].present ? a->arg[1].text : NULL, e);
	if (st == STATUS_USAGE && id >= 0)
		e->column = a->arg[1].column;
	if (!st && session_result(s))
		json_object_set_new(session_result(s), "sort",
				    a->arg[1].present ? json_string(a->arg[1].text) : json_null());
	return st;
}

const struct command command_sort = {
	.name = "sort",
	.group = "inspect",
	.summary = "sort the rows of a pane",
	.details =
		"The rows are sorted by the column with that heading, in ascending order, or in descending order with - before\n"
		"the heading. Without COLUMN the pane's own order is restored.",
	.examples = "sort warps -wait\nsort ctas since\nsort warps",
	.flags = COMMAND_OPEN,
	.run = cmd_sort_run,
	.arg = {{.name = "PANE", .type = ARG_WORD, .doc = "name of the pane", .complete = complete_pane},
		{.name = "COLUMN",
		 .type = ARG_WORD,
		 .optional = true,
		 .complete = complete_column,
		 .doc = "heading of the column, with - before it for descending order"}},
};
