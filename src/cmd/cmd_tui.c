/* cmd_tui.c - tui: the full screen, on and off, and what lies over it. */
#include "arguments.h"
#include "lang.h"
#include "tui.h"

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

static void cmd_tui_keys(struct session *s)
{
	desk_keys(s, true);
}

static void cmd_tui_prompt(struct session *s)
{
	desk_keys(s, false);
}

enum status quit_asked(struct session *s, const char *again, struct error *e)
{
	struct text what = {0};

	if (desk_sure(s) || !unsaved_any(s, &what)) {
		s->quit = true;
		return STATUS_OK;
	}
	error_set(e, STATUS_FAILED, "%s again exits and loses %s (`save session FILE` keeps them)", again, what.s);
	text_free(&what);
	return STATUS_FAILED;
}

static enum status cmd_tui_quit(struct session *s, struct error *e)
{
	return quit_asked(s, "q", e);
}

static const struct {
	const char *name, *doc;
	bool screen; /* only while it is on */
	void (*go)(struct session *s);
	enum status (*run)(struct session *s, struct error *e); /* where it can fail */
} word_row[] = {
	{"on", "switch the full screen on, if the terminal supports it", false, .run = cmd_tui_turn_on},
	{"off", "return to the plain prompt", false, .go = tui_stop},
	{"keys", "enter single-key mode, in which every key is a command (also: Esc)", true, .go = cmd_tui_keys},
	{"prompt", "leave single-key mode", true, .go = cmd_tui_prompt},
	{"help", "show all keys and commands", true, .go = desk_help},
	{"legend", "explain the letters of the focused pane", true, .go = desk_legend},
	{"refresh", "redraw the screen", true, .go = desk_repaint},
	{"quit", "exit; with unsaved breakpoints, checkpoints or inputs, only when repeated", true,
	 .run = cmd_tui_quit}};

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
		if (word_row[i].run)
			return word_row[i].run(s, e);
		word_row[i].go(s);
		return STATUS_OK;
	}
	for (u32 i = 0; i < ARRAY_LEN(word_row); i++)
		text_list(&all, ", ", word_row[i].name);
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
