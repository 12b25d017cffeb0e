/* cmd_stepi.c - stepi, reverse-stepi: instructions of the focused warp, forwards and backwards. */
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
	.summary = "run until the focused warp has issued N instructions (default 1), or has ended",
	.details =
		"`step` counts cycles, and `next` waits for the next issue under the focused warp number, by whichever warp has\n"
		"the number then. `stepi` follows one warp and stops at its end. If no resident warp has the number, `stepi`\n"
		"waits for the next warp that gets the number. A breakpoint stops the run earlier.",
	.examples = "stepi\nstepi 20",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_stepi_run,
	.arg = {{"N", ARG_NUMBER, .doc = "number of instructions", .optional = true}},
};

static enum status cmd_stepi_reverse_stepi_run(struct session *s, const struct args *a, struct error *e)
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
	.run = cmd_stepi_reverse_stepi_run,
	.arg = {{"N", ARG_NUMBER, .doc = "number of instructions", .optional = true}},
};
