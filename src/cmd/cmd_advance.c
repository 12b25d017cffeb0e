/* cmd_advance.c - advance: run until a warp issues an instruction at a location. */
#include "complete.h"
#include "lang.h"
#include "travel.h"

#include <string.h>

static enum status cmd_advance_run(struct session *s, const struct args *a, struct error *e)
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
	.run = cmd_advance_run,
	.arg = {{.name = "LOCATION", .type = ARG_EXPR, .complete = complete_place, .doc = "location in a program"}},
};
