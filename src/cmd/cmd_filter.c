/* cmd_filter.c - filter, sort: which rows of a pane are shown, and in what order. */
#include "pane.h"
#include "arguments.h"
#include "complete.h"

/* filter PANE [PATTERN] */
static enum status cmd_filter_run(struct session *s, const struct args *a, struct error *e)
{
	int id = pane_argument(&a->arg[0], e);

	if (id < 0)
		return STATUS_USAGE;
	pane_set_filter(s, (enum pane_id)id, a->arg[1].present ? a->arg[1].text : NULL);
	member_text(session_result(s), "filter", a->arg[1].present ? a->arg[1].text : NULL);
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
	.arg = {{"PANE", ARG_WORD, .doc = "name of the pane", .complete = complete_pane},
		{"PATTERN", ARG_STRING, .doc = "part of a cell, or a glob for a whole cell", .optional = true}},
};

/* sort PANE [COLUMN] */
static enum status cmd_filter_sort_run(struct session *s, const struct args *a, struct error *e)
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
		member_text(session_result(s), "sort", a->arg[1].present ? a->arg[1].text : NULL);
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
	.run = cmd_filter_sort_run,
	.arg = {{"PANE", ARG_WORD, .doc = "name of the pane", .complete = complete_pane},
		{"COLUMN", ARG_WORD, .doc = "heading of the column, with - before it for descending order",
		 .complete = complete_column, .optional = true}},
};
