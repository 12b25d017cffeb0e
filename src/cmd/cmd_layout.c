/* cmd_layout.c - layout: which panes are shown, and how large. */
#include "complete.h"
#include "tui.h"
#include "session.h"

/* The layouts, the one in use marked. */
static void cmd_layout_list(struct session *s)
{
	const char *name, *text, *doc;
	json_t *out = session_result(s);
	bool now;

	for (u32 i = 0; layout_row(s, i, &name, &text, &doc, &now); i++) {
		session_print(s, "%c %-10s %s\n             %s\n", now ? '*' : ' ', name, doc, safe_text(text));
		member_text(out, name, text);
		if (out && now)
			member_text(out, "now", name);
	}
}

/* layout [NAME [= ROW...]] */
static enum status cmd_layout_run(struct session *s, const struct args *a, struct error *e)
{
	const struct token *t = &a->token[a->rest];
	u32 n = a->ntokens - a->rest;

	if (!n) {
		cmd_layout_list(s);
		return STATUS_OK;
	}
	if (n == 1) {
		e->column = t[0].column;
		return layout_choose(s, t[0].s, e);
	}
	if (strcmp(t[1].s, "="))
		return usage_at(e, t[1].column,
				"layout: missing `= ROW ...` (example: `layout mine = warps:2 console:1`)");
	return layout_define(s, t[0].s, n > 2 ? a->line + t[2].column - 1 : "", n > 2 ? t[2].column : t[1].column, e);
}

const struct command command_layout = {
	.name = "layout",
	.group = "screen",
	.summary = "choose the layout of panes on the full screen, or define one",
	.details =
		"`layout NAME` shows a layout; `auto` is `default`, or `wide` if that fits. A pane of the same name gets the\n"
		"focus, and with it the keys. `NAME = ROW ...` defines a layout: rows from the top, each\n"
		"PANE*SHARE+PANE*SHARE:WEIGHT, with panes side by side by their shares of the width. Rows share the height by\n"
		"their weights; the focused row gets more, and no row gets more than its panes fill. Output of the last command\n"
		"enlarges the console. A row with ? after it is shown only if the other rows leave room, the console also if\n"
		"the last command has printed an answer. | begins a column of rows to the right, |*SHARE with its share of the\n"
		"width; columns that are too narrow are stacked. If there is too little room, panes are dropped from the right\n"
		"of a row, then rows from the last to the first, and the console after all others. The focused pane is never\n"
		"dropped. Below 40x10 no panes are shown.",
	.examples =
		"layout\nlayout banks\nlayout mine = warps*2+banks*3:3 code:2 console:2\nlayout two = warps:2 code | subcores console",
	.flags = COMMAND_OPEN,
	.run = cmd_layout_run,
	.arg = {{"NAME [= ROW...]", ARG_REST, .doc = "layout, and its rows", .complete = complete_layout,
		 .optional = true}},
};
