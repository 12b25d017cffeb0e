/* cmd_reverse_step.c - reverse-step: cycles backwards. */
#include "lang.h"
#include "travel.h"

/* The position behind the n-th last time that `stage` ran, before now; cycle 0 if there is none. */
static struct position cmd_reverse_step_behind_last(struct position now, u32 stage, u64 n)
{
	u32 at = (stage + 1) % STAGE_COUNT;
	u64 cycle = now.cycle, back = n - (now.stage > at);

	return back > cycle ? (struct position){0, 0} : (struct position){cycle - back, at};
}

static enum status cmd_reverse_step_run(struct session *s, const struct args *a, struct error *e)
{
	struct position now = session_now(s);
	u64 n = a->arg[1].present ? a->arg[1].number : 1;

	if (!n)
		return STATUS_OK;
	if (a->arg[0].present)
		return travel_to(s, cmd_reverse_step_behind_last(now, (u32)a->arg[0].number, n), e);
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
	.run = cmd_reverse_step_run,
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
