/* cmd_advance.c - advance: run until a warp issues an instruction of a place. */
#include "complete.h"
#include "lang.h"
#include "travel.h"

#include <string.h>

static enum status cmd_advance_run(struct session *s, const struct args *a, struct error *e)
{
	const struct arg *place = &a->arg[0];

	if (strspn(place->text, "0123456789") == strlen(place->text))
		return error_at(e, STATUS_USAGE, NULL, 0, place->column,
				"an instruction is `pc %s`, a line FILE:%s; to a cycle goes `until %s`", place->text,
				place->text, place->text);
	return travel_place(s, place->text, place->column, false, e);
}

const struct command command_advance = {
	.name = "advance",
	.alias = "adv",
	.group = "time",
	.summary = "run until a warp issues an instruction of PLACE",
	.details =
		"PLACE is FILE:LINE, a label, a kernel or `pc N`, as for `break`. Any warp counts, and the one that gets there is then the "
		"focused one; `until PLACE` waits for the warp that has the focus. Breakpoints stop it earlier.",
	.examples = "advance pc 12\nadvance matmul.cu:17\nadvance matmul16",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_advance_run,
	.arg = {{.name = "PLACE", .type = ARG_EXPR, .complete = complete_place, .doc = "a place in a program"}},
};
