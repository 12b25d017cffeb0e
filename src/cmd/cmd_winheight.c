/* cmd_winheight.c - winheight: rows more or fewer for the focused pane. */
#include "lang.h"
#include "tui.h"

#include <stdlib.h>

static enum status cmd_winheight_run(struct session *s, const struct args *a, struct error *e)
{
	const char *text = a->arg[0].text;
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < -1000 || n > 1000 || (n && *text != '+' && *text != '-'))
		return error_at(e, STATUS_USAGE, NULL, 0, a->arg[0].column, "+N, -N or 0 is wanted, not `%s`",
				token_shown(text));
	return desk_grow(s, (int)n, e);
}

const struct command command_winheight = {
	.name = "winheight",
	.alias = "wh",
	.group = "screen",
	.summary = "give the focused pane's row N lines more or fewer",
	.details = "The row below gives them, or the one above the last. 0 brings back what the layout says.",
	.examples = "winheight +3\nwinheight -1\nwinheight 0",
	.flags = COMMAND_OPEN,
	.run = cmd_winheight_run,
	.arg = {{.name = "+N | -N | 0", .type = ARG_WORD, .doc = "lines"}},
};
