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
	.summary = "run to the next event of KIND, or to the focused warp's next issue; to the N-th",
	.details =
		"Any warp's event of KIND counts; `focus` chooses the warp whose issues count when no KIND is given.\n"
		"`help events` lists the kinds. Breakpoints stop it earlier.",
	.examples = "next\nnext 5\nnext l1dmiss\nnext diverge 3",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_next_run,
	.arg = {{.name = "KIND", .type = ARG_EVENT, .optional = 1, .doc = "kind of event"},
		{.name = "N", .type = ARG_NUMBER, .optional = 1, .doc = "how often (1)"}},
};
