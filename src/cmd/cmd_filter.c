/* cmd_filter.c - filter: only the rows of a pane that match. */
#include "pane.h"
#include "command.h"
#include "cmd_show.h"

#include <string.h>

/* filter PANE [PATTERN] */
static enum status cmd_filter_run(struct session *s, const struct args *a, struct error *e)
{
	int id = pane_argument(&a->arg[0], e);

	if (id < 0)
		return STATUS_USAGE;
	pane_set_filter(s, (enum pane_id)id, a->arg[1].present ? a->arg[1].text : NULL);
	json_object_set_new(session_result(s), "filter", a->arg[1].present ? json_string(a->arg[1].text) : json_null());
	return STATUS_OK;
}

const struct command command_filter = {
	.name = "filter",
	.group = "inspect",
	.summary = "show only the matching rows of a pane",
	.details =
		"A row matches if one of its cells contains PATTERN, ignoring case. A number, or a pattern with * or ?, must\n"
		"match a whole cell. In panes with warp states, a single letter is the letter of a state. The sum in the pane's\n"
		"title still covers all rows. Without PATTERN the filter is removed.",
	.examples = "filter warps long\nfilter warps L\nfilter stats l1d.*\nfilter events issue\nfilter warps",
	.flags = COMMAND_OPEN,
	.run = cmd_filter_run,
	.arg = {{.name = "PANE", .type = ARG_WORD, .doc = "name of the pane", .complete = complete_pane},
		{.name = "PATTERN",
		 .type = ARG_STRING,
		 .optional = true,
		 .doc = "part of a cell, or a glob for a whole cell"}},
};
