/* cmd_pane.c - pane: focus, scroll and zoom the panes of the full screen. */
#include "complete.h"
#include "pane.h"
#include "tui.h"

/* +N, -N, +page, -page */
static enum status cmd_pane_scroll(struct session *s, const struct arg *a, struct error *e)
{
	int sign = a->text[0] == '-' ? -1 : 1;
	char *end;
	long n = strtol(a->text + 1, &end, 10);

	if (!strcmp(a->text + 1, "page"))
		n = 1000000;
	else if (end == a->text + 1 || *end || n < 0 || n > 100000)
		return usage_at(e, a->column, "'%s' is not a distance (+N, -N, +page, -page)", token_shown(a->text));
	desk_scroll(s, sign * (int)n);
	return STATUS_OK;
}

/* +N, -N: move the cursor; nothing: it follows the focused warp again. */
static enum status cmd_pane_cursor(struct session *s, const struct arg *a, struct error *e)
{
	char *end = NULL;
	long n = a->present ? strtol(a->text, &end, 10) : 0;

	if (end && (end == a->text || *end || !n || n > 1000000 || n < -1000000))
		return usage_at(e, a->column, "'%s' is not a distance (+N, -N)", token_shown(a->text));
	return desk_move_cursor(s, (int)n, e);
}

static enum status cmd_pane_run(struct session *s, const struct args *a, struct error *e)
{
	const char *text = a->arg[0].present ? a->arg[0].text : "";
	enum status st = STATUS_OK;

	if (*text == '+' || *text == '-')
		return cmd_pane_scroll(s, &a->arg[0], e);
	if (!strcmp(text, "zoom"))
		desk_zoom(s);
	else if (!strcmp(text, "cursor"))
		st = cmd_pane_cursor(s, &a->arg[1], e);
	else if (*text)
		st = desk_focus(s, text, e);
	if (st) {
		e->column = e->column ? e->column : a->arg[0].column;
		return st;
	}
	session_print(s, "%s\n", desk_focused(s));
	return STATUS_OK;
}

const struct command command_pane = {
	.name = "pane",
	.group = "screen",
	.summary = "focus, scroll or zoom a pane of the full screen, or move its cursor",
	.details =
		"NAME focuses a pane of the layout; `next` and `previous` go through the panes. +N, -N, +page and -page scroll\n"
		"the focused pane. `zoom` shows the focused pane alone, and again shows all. `cursor +N` and `cursor -N` move\n"
		"the cursor of the pane: in code and source, keys set breakpoints at it and run to it; in registers, keys write\n"
		"and watch its row; in breakpoints, keys enable and disable its row; in datapath, keys explain its box, show its\n"
		"table and set breakpoints. `cursor` alone makes it follow the focused warp again. Without arguments the name of\n"
		"the focused pane is printed.",
	.examples = "pane code\npane next\npane +10\npane cursor +1\npane zoom",
	.flags = COMMAND_OPEN,
	.run = cmd_pane_run,
	.arg = {{"WHAT", ARG_WORD, .doc = "pane, next, previous, zoom, cursor, +N, -N", .complete = complete_pane_word,
		 .optional = true},
		{"ROWS", ARG_WORD, .doc = "of cursor: +N, -N", .optional = true}},
};
