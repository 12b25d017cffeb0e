/* cmd_reverse_next.c - reverse-next: backwards to the last event of a kind. */
#include "lang.h"
#include "travel.h"

static enum status cmd_reverse_next_run(struct session *s, const struct args *a, struct error *e)
{
	struct next_goal n;
	struct goal g;

	travel_next_goal(s, a, &n, &g);
	return travel_reverse(s, &g, e);
}

const struct command command_reverse_next = {
	.name = "reverse-next",
	.alias = "rn",
	.group = "time",
	.summary = "go back to the last event of KIND, or to the focused warp's last issue",
	.details =
		"The mirror of `next`: the machine shows the state after that event's cycle. Breakpoints stop it earlier.",
	.examples = "reverse-next\nreverse-next barrier",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_reverse_next_run,
	.arg = {{.name = "KIND", .type = ARG_EVENT, .optional = 1, .doc = "kind of event"}},
};
