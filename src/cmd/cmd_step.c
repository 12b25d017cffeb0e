/* cmd_step.c - step: cycles forwards, or to behind a stage of the cycle. */
#include "lang.h"
#include "travel.h"

/* The position behind stage `stage` has run n times more. */
static struct position cmd_step_behind_stage(struct position now, u32 stage, u64 n)
{
	u64 cycle = now.cycle + (now.stage > stage) + n - 1;

	return stage + 1 == STAGE_COUNT ? (struct position){cycle + 1, 0} : (struct position){cycle, stage + 1};
}

static enum status cmd_step_run(struct session *s, const struct args *a, struct error *e)
{
	struct position now = session_now(s);
	u64 n = a->arg[1].present ? a->arg[1].number : 1;

	if (!n)
		return STATUS_OK;
	if (n > NEVER - 2 - now.cycle)
		return error_at(e, STATUS_FAILED, NULL, 0, a->arg[1].column,
				"%llu cycles exceed the range of the cycle counter", n);
	if (a->arg[0].present)
		return travel_to(s, cmd_step_behind_stage(now, (u32)a->arg[0].number, n), e);
	return travel_to(s, (struct position){now.cycle + n, 0}, e);
}

/* The stages of a cycle. */
static void cmd_step_stage_rows(struct text *out)
{
	for (u32 i = 0; i < STAGE_COUNT; i++)
		help_row(out, stage_table[i].name, 10, stage_table[i].doc);
}

const struct command command_step = {
	.name = "step",
	.alias = "s",
	.group = "time",
	.summary = "run N cycles (default 1)",
	.details =
		"Breakpoints on the way are not checked. With -s the machine stops inside a cycle, after STAGE has run for the\n"
		"N-th time. A step from inside a cycle first completes the cycle. The stages run from the end of the pipeline\n"
		"to its beginning:",
	.rows = cmd_step_stage_rows,
	.examples = "step\nstep 100\nstep -s issue",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_step_run,
	.arg =
		{
			{.name = "-s",
			 .type = ARG_FLAG,
			 .value_type = ARG_STAGE,
			 .optional = 1,
			 .doc = "stop after this stage"},
			{.name = "N", .type = ARG_NUMBER, .optional = 1, .doc = "number of cycles"},
		},
};
