/* cmd_reverse_next.c - reverse-next: backwards to the last event of a kind. */
#include "lang.h"
#include "travel.h"

static enum status cmd_reverse_next_run(struct session *s, const struct args *a, struct error *e)
{
	return travel_next(s, a, true, e);
}

const struct command command_reverse_next = {
	.name = "reverse-next",
	.alias = "rn",
	.group = "time",
	.summary = "run backwards to the N-th last event of KIND (default: issue of the focused warp)",
	.details =
		"Reverse of `next`: the machine shows the state after the event's cycle. A breakpoint stops the run earlier.",
	.examples = "reverse-next\nreverse-next 5\nreverse-next barrier",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_reverse_next_run,
	.arg = {{.name = "KIND", .type = ARG_EVENT, .optional = 1, .doc = "kind of event"},
		{.name = "N", .type = ARG_NUMBER, .optional = 1, .doc = "number of events (default 1)"}},
};
