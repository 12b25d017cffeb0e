/* cmd_winheight.c - winheight: rows more or fewer for the focused pane. */
#include "lang.h"
#include "tui.h"

static enum status cmd_winheight_run(struct session *s, const struct args *a, struct error *e)
{
	const char *text = a->arg[0].text;
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < -1000 || n > 1000 || (n && *text != '+' && *text != '-'))
		return usage_at(e, a->arg[0].column, "'%s' is not a change of height (+N, -N or 0)", token_shown(text));
	return desk_grow(s, (int)n, e);
}

const struct command command_winheight = {
	.name = "winheight",
	.alias = "wh",
	.group = "screen",
	.summary = "make the focused pane's row N lines higher or lower",
	.details =
		"The row below gives the lines, or for the last row the one above. 0 restores the height of the layout.",
	.examples = "winheight +3\nwinheight -1\nwinheight 0",
	.flags = COMMAND_OPEN,
	.run = cmd_winheight_run,
	.arg = {{"+N | -N | 0", ARG_WORD, .doc = "number of lines"}},
};
