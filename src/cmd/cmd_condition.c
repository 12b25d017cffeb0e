/* cmd_condition.c - condition: give a stop a condition, or take it away. */
#include "lang.h"
#include "complete.h"
#include "numbers.h"

/* condition N [EXPR] */
static enum status cmd_condition_run(struct session *s, const struct args *a, struct error *e)
{
	struct breakpoint *b = numbers_one(s, &a->arg[0], e);
	enum status st;

	if (!b)
		return STATUS_FAILED;
	st = breakpoint_condition(s, b, a->arg[1].present ? a->arg[1].text : "", a->arg[1].column, e);
	if (!st)
		session_print(
			s, b->condition ? "breakpoint %u stops only if %s\n" : "breakpoint %u is now unconditional\n",
			b->number, b->condition ? safe_text(b->condition_text) : "");
	return st;
}

const struct command command_condition = {
	.name = "condition",
	.alias = "cond",
	.group = "stops",
	.summary = "set or remove the condition of a breakpoint",
	.details = "Without EXPR the condition is removed. The count of hits starts again.",
	.examples = "condition 2 warp == 5 && lanes < 32\ncondition 2",
	.run = cmd_condition_run,
	.arg = {{.name = "N", .type = ARG_WORD, .complete = complete_number, .doc = "number or name of the breakpoint"},
		{.name = "EXPR",
		 .type = ARG_EXPR,
		 .complete = complete_expr,
		 .optional = true,
		 .doc = "condition under which the breakpoint stops"}},
};
