/* cmd_condition.c - condition, ignore: whether a breakpoint stops at a hit. */
#include "lang.h"
#include "complete.h"
#include "arguments.h"

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
	.arg = {{"N", ARG_WORD, .doc = "number or name of the breakpoint", .complete = complete_number},
		{"EXPR", ARG_EXPR, .doc = "condition under which the breakpoint stops", .complete = complete_expr,
		 .optional = true}},
};

/* ignore N COUNT */
static enum status cmd_condition_ignore_run(struct session *s, const struct args *a, struct error *e)
{
	struct breakpoint *b = numbers_one(s, &a->arg[0], e);

	if (!b)
		return STATUS_FAILED;
	breakpoint_ignore(s, b, a->arg[1].number);
	if (a->arg[1].number)
		session_print(s, "breakpoint %u ignores its next %llu hit%s\n", b->number, a->arg[1].number,
			      plural(a->arg[1].number));
	else
		session_print(s, "breakpoint %u stops at its next hit\n", b->number);
	return STATUS_OK;
}

const struct command command_ignore = {
	.name = "ignore",
	.alias = "ig",
	.group = "stops",
	.summary = "ignore the next COUNT hits of a breakpoint",
	.details =
		"The count belongs to the position: going back and forth over the same cycles ignores the same hits.",
	.examples = "ignore 2 10\nignore 2 0",
	.run = cmd_condition_ignore_run,
	.arg = {{"N", ARG_WORD, .doc = "number or name of the breakpoint", .complete = complete_number},
		{"COUNT", ARG_NUMBER, .doc = "number of hits to ignore"}},
};
