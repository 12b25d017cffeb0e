/* cmd_stepi.c - stepi: instructions of the focused warp. */
#include "lang.h"
#include "travel.h"

static enum status cmd_stepi_run(struct session *s, const struct args *a, struct error *e)
{
	u64 n = a->arg[0].present ? a->arg[0].number : 1;
	enum status st = travel_focus_runs(s, true, e);

	return st || !n ? st : travel_stepi(s, n, false, e);
}

const struct command command_stepi = {
	.name = "stepi",
	.alias = "si",
	.group = "time",
	.summary = "run until the focused warp has issued N instructions (1), or has ended",
	.details =
		"`step` counts cycles, `next` waits for the next issue in the focused warp's place, whoever has it then; `stepi` stays with the "
		"warp and stops at its end; where nobody is yet it waits for who comes. Breakpoints stop it earlier.",
	.examples = "stepi\nstepi 20",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_stepi_run,
	.arg = {{.name = "N", .type = ARG_NUMBER, .optional = 1, .doc = "instructions"}},
};
