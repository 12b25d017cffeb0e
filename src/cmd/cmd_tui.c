/* cmd_tui.c - tui: the full screen, on and off, and what lies over it. */
#include "lang.h"
#include "tui.h"

#include <string.h>

static enum status cmd_tui_turn_on(struct session *s, struct error *e)
{
	const char *why;

	if (tui_active())
		return STATUS_OK;
	if (!tui_possible(s, &why))
		return error_set(e, STATUS_FAILED, "tui: the full screen is not available (%s)",
				 why	    ? why
				 : s->plain ? "--plain was given"
					    : "standard input and output are not a terminal, or -b or -j was given");
	return tui_start(s, e);
}

static enum status cmd_tui_turn_off(struct session *s, struct error *e UNUSED)
{
	tui_stop(s);
	return STATUS_OK;
}

static enum status cmd_tui_keys(struct session *s, struct error *e UNUSED)
{
	desk_keys(s, true);
	return STATUS_OK;
}

static enum status cmd_tui_prompt(struct session *s, struct error *e UNUSED)
{
	desk_keys(s, false);
	return STATUS_OK;
}

static enum status cmd_tui_help(struct session *s, struct error *e UNUSED)
{
	desk_help(s);
	return STATUS_OK;
}

static enum status cmd_tui_legend(struct session *s, struct error *e UNUSED)
{
	desk_legend(s);
	return STATUS_OK;
}

static enum status cmd_tui_refresh(struct session *s, struct error *e UNUSED)
{
	desk_repaint(s);
	return STATUS_OK;
}

static enum status cmd_tui_quit(struct session *s, struct error *e)
{
	struct text what = {0};

	if (desk_sure(s) || !unsaved_any(s, &what)) {
		s->quit = true;
		return STATUS_OK;
	}
	error_set(e, STATUS_FAILED, "q again exits and loses %s (`save session FILE` keeps them)", what.s);
	text_free(&what);
	return STATUS_FAILED;
}

static const struct {
	const char *name, *doc;
	enum status (*run)(struct session *s, struct error *e);
	bool screen; /* only while it is on */
} word_row[] = {
	{"on", "switch the full screen on, if the terminal supports it", cmd_tui_turn_on, false},
	{"off", "return to the plain prompt", cmd_tui_turn_off, false},
	{"keys", "enter single-key mode, in which every key is a command (also: Esc)", cmd_tui_keys, true},
	{"prompt", "leave single-key mode", cmd_tui_prompt, true},
	{"help", "show all keys and commands", cmd_tui_help, true},
	{"legend", "explain the letters of the focused pane", cmd_tui_legend, true},
	{"refresh", "redraw the screen", cmd_tui_refresh, true},
	{"quit", "exit; with unsaved breakpoints, checkpoints or inputs, only when repeated", cmd_tui_quit, true}};

static const char *cmd_tui_complete(struct session *s UNUSED, const char *partial UNUSED, u32 index)
{
	return index < ARRAY_LEN(word_row) ? word_row[index].name : NULL;
}

/* The words, for help. */
static void cmd_tui_rows(struct text *out)
{
	for (u32 i = 0; i < ARRAY_LEN(word_row); i++)
		help_row(out, word_row[i].name, 8, word_row[i].doc);
}

static enum status cmd_tui_run(struct session *s, const struct args *a, struct error *e)
{
	struct text all = {0};

	for (u32 i = 0; i < ARRAY_LEN(word_row); i++) {
		if (strcmp(word_row[i].name, a->arg[0].text))
			continue;
		if (word_row[i].screen && !tui_active())
			return error_set(e, STATUS_FAILED, "tui %s: the full screen is off (`tui on` switches it on)",
					 word_row[i].name);
		return word_row[i].run(s, e);
	}
	for (u32 i = 0; i < ARRAY_LEN(word_row); i++)
		text_add(&all, "%s%s", i ? ", " : "", word_row[i].name);
	usage_at(e, a->arg[0].column, "unexpected '%s' (one of %s)", token_shown(a->arg[0].text), all.s);
	text_free(&all);
	return STATUS_USAGE;
}

const struct command command_tui = {
	.name = "tui",
	.group = "screen",
	.summary = "switch the full screen on or off, or control what it shows",
	.rows = cmd_tui_rows,
	.examples = "tui off\ntui on\ntui keys",
	.flags = COMMAND_OPEN,
	.run = cmd_tui_run,
	.arg = {{"WHAT", ARG_WORD, .doc = "one of these words", .complete = cmd_tui_complete}},
};
