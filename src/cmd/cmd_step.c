/* cmd_step.c - step, reverse-step: cycles forwards and backwards, or to behind a stage of the cycle. */
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
		return failed_at(e, a->arg[1].column, "%llu cycles exceed the range of the cycle counter", n);
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
	.arg = {{"-s", ARG_FLAG, .doc = "stop after this stage", .optional = true, .value_type = ARG_STAGE},
		{"N", ARG_NUMBER, .doc = "number of cycles", .optional = true}},
};

/* The position behind the n-th last time that `stage` ran, before now; cycle 0 if there is none. */
static struct position cmd_step_reverse_step_behind_last(struct position now, u32 stage, u64 n)
{
	u32 at = (stage + 1) % STAGE_COUNT;
	u64 cycle = now.cycle, back = n - (now.stage > at);

	return back > cycle ? (struct position){0, 0} : (struct position){cycle - back, at};
}

static enum status cmd_step_reverse_step_run(struct session *s, const struct args *a, struct error *e)
{
	struct position now = session_now(s);
	u64 n = a->arg[1].present ? a->arg[1].number : 1;

	if (!n)
		return STATUS_OK;
	if (a->arg[0].present)
		return travel_to(s, cmd_step_reverse_step_behind_last(now, (u32)a->arg[0].number, n), e);
	n -= now.stage > 0;
	return travel_to(s, (struct position){now.cycle > n ? now.cycle - n : 0, 0}, e);
}

const struct command command_reverse_step = {
	.name = "reverse-step",
	.alias = "rs",
	.group = "time",
	.summary = "run N cycles backwards (default 1)",
	.details =
		"Reverse of `step`: registers, memories and counters are restored. Breakpoints are not checked. From inside a\n"
		"cycle, the first step goes to the beginning of the cycle.",
	.examples = "reverse-step\nreverse-step 50\nreverse-step -s issue",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_step_reverse_step_run,
	.arg = {{"-s", ARG_FLAG, .doc = "stop after this stage", .optional = true, .value_type = ARG_STAGE},
		{"N", ARG_NUMBER, .doc = "number of cycles", .optional = true}},
};
