/* cmd_watch.c - watch: stop when a value changes. */
#include "lang.h"
#include "complete.h"
#include "breaks.h"
#include "cmd_break.h"

/* watch [MODE] EXPR [if CONDITION] */
static enum status cmd_watch_run(struct session *s, const struct args *a, struct error *e)
{
	struct breakpoint *b;
	enum status st = breaks_add(s, break_kind_table[BREAK_watch], a->arg[0].text, a->arg[0].column, false, &b, e);
	json_t *result;

	if (st)
		return st;
	session_print(s, "watchpoint %u: %s\n", b->number, safe_text(b->text));
	result = session_result(s);
	member_int(result, "number", b->number);
	member_text(result, "what", safe_text(b->text));
	return STATUS_OK;
}

const struct command command_watch = {
	.name = "watch",
	.alias = "wa",
	.group = "stops",
	.summary = "set a watchpoint: stop when the value of an expression changes",
	.details =
		"`watch EXPR` stops after every cycle that changed the value. `watch rise EXPR` and `watch fall EXPR` stop when\n"
		"it increased or decreased, `watch above V EXPR` and `watch below V EXPR` when it crossed V. While the\n"
		"expression has no value (its warp has ended), it is not compared.",
	.examples = "watch c[0]\nwatch fall sm[0].warps\nwatch above 100 l1d.misses",
	.run = cmd_watch_run,
	.arg = {{.name = "EXPR",
		 .type = ARG_EXPR,
		 .complete = complete_watch,
		 .doc = "[change|rise|fall|above V|below V] EXPR [if CONDITION]"}},
};
