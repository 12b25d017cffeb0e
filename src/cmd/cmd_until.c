/* cmd_until.c - until, while, advance: to where an expression is true or no longer is, to a location. */
#include "complete.h"
#include "lang.h"
#include "travel.h"

static enum status cmd_until_run(struct session *s, const struct args *a, struct error *e)
{
	return travel_until(s, a, false, e);
}

const struct command command_until = {
	.name = "until",
	.alias = "u",
	.group = "time",
	.summary = "run until EXPR is true at the end of a cycle, or the focused warp reaches a location",
	.details =
		"EXPR is evaluated after every cycle; a number alone is a cycle. FILE:LINE, KERNEL:LABEL and `pc N` are\n"
		"locations, as for `break`: the run ends when the focused warp issues an instruction there, or has ended\n"
		"(`advance`: any warp). A breakpoint stops the run earlier.",
	.examples = "until 60\nuntil pc 12\nuntil inst.warp >= 1000\nuntil sm[0].warp[3].state == barrier",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_until_run,
	.arg = {{"EXPR", ARG_EXPR, .doc = "condition, cycle or location", .complete = complete_expr}},
};

static enum status cmd_until_while_run(struct session *s, const struct args *a, struct error *e)
{
	return travel_until(s, a, true, e);
}

const struct command command_while = {
	.name = "while",
	.group = "time",
	.summary = "run while EXPR is true at the end of a cycle",
	.details =
		"The run stops after the first cycle at whose end EXPR is false; if EXPR is false now, the machine does not\n"
		"move. A breakpoint stops the run earlier.",
	.examples = "while inst.warp < 1000\nwhile sm[0].warp[3].state == barrier",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_until_while_run,
	.arg = {{"EXPR", ARG_EXPR, .doc = "condition", .complete = complete_expr}},
};

static enum status cmd_until_advance_run(struct session *s, const struct args *a, struct error *e)
{
	const struct arg *place = &a->arg[0];

	if (strspn(place->text, "0123456789") == strlen(place->text))
		return usage_at(e, place->column,
				"'%s' alone is not a location (an instruction: `advance pc %s`, a source line: "
				"`advance FILE:%s`, a cycle: `until %s`)",
				place->text, place->text, place->text, place->text);
	return travel_place(s, place->text, place->column, false, e);
}

const struct command command_advance = {
	.name = "advance",
	.alias = "adv",
	.group = "time",
	.summary = "run until any warp issues an instruction at LOCATION",
	.details =
		"LOCATION is FILE:LINE, a label, a kernel or `pc N`, as for `break`. Any warp counts; the warp that reaches the\n"
		"location becomes the focused warp. `until LOCATION` waits for the focused warp only. A breakpoint stops the\n"
		"run earlier.",
	.examples = "advance pc 12\nadvance matmul.cu:17\nadvance matmul16",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_until_advance_run,
	.arg = {{"LOCATION", ARG_EXPR, .doc = "location in a program", .complete = complete_place}},
};
