/* cmd_next.c - next, reverse-next: to the next event of a kind, to the one before. */
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
		"lists the kinds. `hop` is the next hop of the instruction that `follow` follows. A breakpoint stops the run\n"
		"earlier.",
	.examples = "next\nnext hop\nnext 5\nnext l1dmiss\nnext diverge 3",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_next_run,
	.arg = {{"KIND", ARG_EVENT, .doc = "kind of event, or hop", .optional = true},
		{"N", ARG_NUMBER, .doc = "number of events (default 1)", .optional = true}},
};

static enum status cmd_next_reverse_next_run(struct session *s, const struct args *a, struct error *e)
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
	.examples = "reverse-next hop\nreverse-next\nreverse-next 5\nreverse-next barrier",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_next_reverse_next_run,
	.arg = {{"KIND", ARG_EVENT, .doc = "kind of event, or hop", .optional = true},
		{"N", ARG_NUMBER, .doc = "number of events (default 1)", .optional = true}},
};
