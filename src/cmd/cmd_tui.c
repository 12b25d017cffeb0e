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

static const struct { const char *name; enum status (*run)(struct session *s, struct error *e); bool screen; } word_row[] = {
	{"on", turn_on, false}, {"off", turn_off, false}, {"keys", keys, true}, {"prompt", prompt, true}, {"help", help, true},
	{"legend", legend, true}, {"refresh", refresh, true},
};

static const char *complete(struct session *s, const char *partial, u32 index)
{
	(void)s;
	(void)partial;
	return index < ARRAY_LEN(word_row) ? word_row[index].name : NULL;
}

static enum status run(struct session *s, const struct args *a, struct error *e)
{
	for (u32 i = 0; i < ARRAY_LEN(word_row); i++) {
		if (strcmp(word_row[i].name, a->arg[0].text))
			continue;
		if (word_row[i].screen && !tui_active())
			return error_set(e, STATUS_FAILED, "the full screen is not on; `tui on` turns it on");
		return word_row[i].run(s, e);
	}
	return error_at(e, STATUS_USAGE, NULL, 0, a->arg[0].column,
			"`%s` is none of on, off, keys, prompt, help, legend, refresh", token_shown(a->arg[0].text));
}

const struct command command_tui = {
	.name = "tui", .group = "screen", .summary = "the full screen: on, off, keys, prompt, help, legend, refresh",
	.details = "`tui keys` makes every key a command (Esc does it too), `tui prompt` ends that. `tui help` lists all keys and\n"
		   "commands, `tui legend` says what the focused pane's letters mean, `tui refresh` draws the screen anew.",
	.examples = "tui off\ntui on\ntui keys",
	.run = run,
	.arg = {{.name = "WHAT", .type = ARG_WORD, .doc = "on, off, keys, prompt, help, legend or refresh", .complete = complete}},
};
