/* cmd_tbreak.c - tbreak: a stop that goes away when it has stopped once. */
#include "lang.h"
#include "complete.h"
#include "breaks.h"
#include "cmd_break.h"

/* tbreak WHAT [if CONDITION] */
static enum status cmd_tbreak_run(struct session *s, const struct args *a, struct error *e)
{
	return break_make(s, a, true, e);
}

const struct command command_tbreak = {
	.name = "tbreak",
	.alias = "tb",
	.group = "stops",
	.summary = "set a breakpoint that is deleted when it has stopped once",
	.details = "WHAT is as for `break`.",
	.examples = "tbreak kernelend\ntbreak cycle 500",
	.run = cmd_tbreak_run,
	.arg = {{.name = "WHAT",
		 .type = ARG_EXPR,
		 .complete = complete_stop,
		 .doc = "what to stop at, as for `break`"}},
};
