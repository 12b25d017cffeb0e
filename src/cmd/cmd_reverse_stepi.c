/* cmd_reverse_stepi.c - reverse-stepi: instructions of the focused warp backwards. */
#include "lang.h"
#include "travel.h"

static enum status cmd_reverse_stepi_run(struct session *s, const struct args *a, struct error *e)
{
	u64 n = a->arg[0].present ? a->arg[0].number : 1;

	return n ? travel_stepi(s, n, true, e) : STATUS_OK;
}

const struct command command_reverse_stepi = {
	.name = "reverse-stepi",
	.alias = "rsi",
	.group = "time",
	.summary = "run backwards to the N-th last issue of the focused warp (default 1)",
	.details =
		"Reverse of `stepi`: the machine shows the state after the issue's cycle. A breakpoint stops the run earlier.",
	.examples = "reverse-stepi\nreverse-stepi 20",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_reverse_stepi_run,
	.arg = {{.name = "N", .type = ARG_NUMBER, .optional = 1, .doc = "number of instructions"}},
};
