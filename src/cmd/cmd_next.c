/* cmd_next.c - next: forwards to the next event of a kind. */
#include "lang.h"
#include "travel.h"

static enum status cmd_next_run(struct session *s, const struct args *a, struct error *e)
{
	return travel_next(s, a, false, e);
}

const struct command command_next = {
	.name = "next",
	.alias = "n",
	.group = "time",
	.summary = "run to the N-th next event of KIND (default: the next issue of the focused warp)",
	.details =
		"Events of all warps count. Without KIND, issues of the focused warp count; `focus` selects it. `help events`\n"
		"lists the kinds. A breakpoint stops the run earlier.",
	.examples = "next\nnext 5\nnext l1dmiss\nnext diverge 3",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_next_run,
	.arg = {{.name = "KIND", .type = ARG_EVENT, .optional = 1, .doc = "kind of event"},
		{.name = "N", .type = ARG_NUMBER, .optional = 1, .doc = "number of events (default 1)"}},
};
