/* cmd_tui.c - tui: the full screen, on and off, and what lies over it. */
#include "command.h"
#include "tui.h"

#include <string.h>

static enum status turn_on(struct session *s, struct error *e)
{
	const char *why;

	if (tui_active())
		return STATUS_OK;
	if (!tui_possible(s, &why))
		return error_set(e, STATUS_FAILED, "no full screen: %s", why ? why : s->plain ? "--plain was given" :
				 "standard input and output are not a terminal, or -b or -j was given");
	return tui_start(s, e);
}

static enum status turn_off(struct session *s, struct error *e UNUSED)
{
	tui_stop(s);
	return STATUS_OK;
}

static enum status keys(struct session *s, struct error *e UNUSED)
{
	desk_keys(s, true);
	return STATUS_OK;
}

static enum status prompt(struct session *s, struct error *e UNUSED)
{
	desk_keys(s, false);
	return STATUS_OK;
}

static enum status help(struct session *s, struct error *e UNUSED)
{
	desk_help(s);
	return STATUS_OK;
}

static enum status legend(struct session *s, struct error *e UNUSED)
{
	desk_legend(s);
	return STATUS_OK;
}

static enum status refresh(struct session *s, struct error *e UNUSED)
{
	desk_repaint(s);
	return STATUS_OK;
}

static const struct {
	const char *name, *doc;
	enum status (*run)(struct session *s, struct error *e);
	bool screen;	/* only while it is on */
} word_row[] = {
	{"on", "the full screen, where the terminal can show it", turn_on, false}, {"off", "the plain prompt", turn_off, false},
	{"keys", "every key is a command (Esc does it too)", keys, true}, {"prompt", "that ends", prompt, true},
	{"help", "all keys and commands", help, true}, {"legend", "what the focused pane's letters mean", legend, true},
	{"refresh", "the screen is drawn anew", refresh, true},
};

static const char *complete(struct session *s, const char *partial, u32 index)
{
	(void)s;
	(void)partial;
	return index < ARRAY_LEN(word_row) ? word_row[index].name : NULL;
}

/* The words, for help. */
static void rows(struct text *out)
{
	for (u32 i = 0; i < ARRAY_LEN(word_row); i++)
		help_row(out, word_row[i].name, 8, word_row[i].doc);
}

static enum status run(struct session *s, const struct args *a, struct error *e)
{
	struct text all = {0};

	for (u32 i = 0; i < ARRAY_LEN(word_row); i++) {
		if (strcmp(word_row[i].name, a->arg[0].text))
			continue;
		if (word_row[i].screen && !tui_active())
			return error_set(e, STATUS_FAILED, "the full screen is not on; `tui on` turns it on");
		return word_row[i].run(s, e);
	}
	for (u32 i = 0; i < ARRAY_LEN(word_row); i++)
		text_add(&all, "%s%s", i ? ", " : "", word_row[i].name);
	error_at(e, STATUS_USAGE, NULL, 0, a->arg[0].column, "`%s` is none of %s", token_shown(a->arg[0].text), all.s);
	text_free(&all);
	return STATUS_USAGE;
}

const struct command command_tui = {
	.name = "tui", .group = "screen", .summary = "the full screen: on, off, its keys, its prompt, its help",
	.rows = rows,
	.examples = "tui off\ntui on\ntui keys",
	.run = run,
	.arg = {{.name = "WHAT", .type = ARG_WORD, .doc = "one of these", .complete = complete}},
};
