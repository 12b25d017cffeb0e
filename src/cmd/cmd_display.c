/* cmd_display.c - display, undisplay: expressions that are shown at every stop. */
#include "lang.h"
#include "complete.h"
#include "breaks.h"

/* The format letter after the verb's slash, 0 none. */
static enum status cmd_display_take_format(const struct args *a, char *format, struct error *e)
{
	const char *slash = strchr(a->token[0].s, '/');

	*format = slash ? slash[1] : 0;
	if (!slash || (*format && strchr("xduotfc", *format) && !slash[2]))
		return STATUS_OK;
	return usage_at(e, a->token[0].column,
			"display: unknown format (one letter of x d u o t f c; example: `display/x pc`)");
}

/* display[/FMT] [EXPR] */
static enum status cmd_display_run(struct session *s, const struct args *a, struct error *e)
{
	struct text line = {0};
	struct display *d;
	json_t *list;
	char format;
	enum status st = cmd_display_take_format(a, &format, e);

	if (st)
		return st;
	if (!a->arg[0].present) {
		displays_show(s);
		list = s->json ? displays_json(s) : NULL;
		json_object_set_new(session_result(s), "display", list);
		return STATUS_OK;
	}
	st = display_add(s, format, a->arg[0].text, a->arg[0].column, &d, e);
	if (st)
		return st;
	display_text(s, d, &line);
	session_print(s, "%s\n", line.s);
	member_int(session_result(s), "number", d->number);
	text_free(&line);
	return STATUS_OK;
}

const struct command command_display = {
	.name = "display",
	.alias = "disp",
	.group = "inspect",
	.summary = "show an expression now and at every stop",
	.details =
		"Without EXPR, all displayed expressions are shown. A format letter may follow the command, as for `print`.",
	.examples = "display ipc\ndisplay/x warp[5].mask\ndisplay",
	.run = cmd_display_run,
	.arg = {{"EXPR", ARG_EXPR, .doc = "expression", .complete = complete_expr, .optional = true}},
};

/* undisplay [N] */
static enum status cmd_display_undisplay_run(struct session *s, const struct args *a, struct error *e)
{
	struct breaks *b = s->breaks;

	if (!a->arg[0].present) {
		while (b->ndisplays)
			display_delete(b, b->display[0].number);
		return STATUS_OK;
	}
	if (display_delete(b, a->arg[0].number))
		return STATUS_OK;
	return failed_at(e, a->arg[0].column, "no display %llu (`info display` lists them)", a->arg[0].number);
}

const struct command command_undisplay = {
	.name = "undisplay",
	.alias = "undisp",
	.group = "inspect",
	.summary = "stop displaying an expression (default: all)",
	.examples = "undisplay 1\nundisplay",
	.flags = COMMAND_OPEN,
	.run = cmd_display_undisplay_run,
	.arg = {{"N", ARG_NUMBER, .doc = "number of the display", .optional = true}},
};
