/* cmd_break.c - break, tbreak, watch: stop at a cycle, a location, an event, a condition, a stall, a change of a value.
 */
#include "complete.h"
#include "lang.h"
#include "scene.h"
#include "arguments.h"

void break_ready(struct session *s)
{
	struct error unsaid;

	if (!s->live && s->source && !s->source->from->root && s->scene->nlaunch)
		session_make(s, &unsaid);
}

/* What is added to the reply: that a bare number is a cycle, for gdb's is a source line. Said to a user, of the first
 * breakpoint in a cycle; or that a location is looked up later. */
static void cmd_break_remark(const struct session *s, const char *text, const struct breakpoint *b, struct text *out)
{
	int digits = (int)strspn(text, "0123456789");
	u32 cycles = 0;

	for (u32 i = 0; i < s->breaks->n; i++)
		cycles += s->breaks->list[i]->kind == break_kind_table[BREAK_cycle];
	if (digits && (!text[digits] || text[digits] == ' ') && cycles == 1 && s->source && !s->source->from->root)
		text_add(out, " (a cycle; for a source line: `break FILE:%.*s`)", digits, text);
	else if (!s->live && b->kind->resolve)
		text_add(out, " (resolved when the machine first runs)");
}

/* The command `break` or `tbreak`: make a stop and say it. */
static enum status cmd_break_make(struct session *s, const struct args *a, bool temporary, struct error *e)
{
	struct breakpoint *b;
	struct text what = {0}, remark = {0};
	enum status st;
	json_t *result;

	break_ready(s);
	st = breaks_add(s, NULL, a->arg[0].text, a->arg[0].column, temporary, &b, e);
	if (st)
		return st;
	breakpoint_text(b, &what);
	cmd_break_remark(s, a->arg[0].text, b, &remark);
	session_print(s, "breakpoint %u: %s%s\n", b->number, what.s, remark.s ? remark.s : "");
	result = session_result(s);
	member_int(result, "number", b->number);
	member_text(result, "what", what.s);
	text_free(&what);
	text_free(&remark);
	return STATUS_OK;
}

/* break WHAT [if CONDITION] */
static enum status cmd_break_run(struct session *s, const struct args *a, struct error *e)
{
	return cmd_break_make(s, a, false, e);
}

/* The kinds of stops; those of `watch` have a command of their own. */
static void cmd_break_kind_rows(struct text *out)
{
	for (u32 i = 0; i < BREAK_KIND_COUNT; i++)
		if (i != BREAK_watch)
			help_row(out, break_kind_table[i]->usage, 40, break_kind_table[i]->doc);
}

const struct command command_break = {
	.name = "break",
	.alias = "b",
	.group = "stops",
	.summary = "set a breakpoint at a cycle, an instruction, an event, a condition, a stall and more",
	.details =
		"`break cycle 17` stops in a cycle; a bare number, `break 17`, means the same. An instruction is `break pc 17`,\n"
		"a source line `break FILE:17`. `if CONDITION` may follow every kind except `if`. The condition can use the\n"
		"names of the event: sm, sub, warp, cta, kernel, pc and the event's own two numbers. `as NAME` before `if`\n"
		"gives the breakpoint a name, by which other commands refer to it. `lost pipeline` is an issue slot lost while\n"
		"a warp was ready. The warp that hits a breakpoint becomes the focused warp. Breakpoints work in both\n"
		"directions of time. A breakpoint on an event of a check (check.*) switches the check on. WHAT is one of:",
	.rows = cmd_break_kind_rows,
	.examples =
		"break cycle 1000\nbreak matmul.cu:12 if warp == 5\nbreak conflict bank 1 depth 5\n"
		"break stall collector for 8 as hot if kernel == 0\nbreak stall long -> short\nbreak if l1d.misses > 100",
	.run = cmd_break_run,
	.arg = {{"WHAT", ARG_EXPR, .doc = "what to stop at, then `if CONDITION`", .complete = complete_stop}},
};

/* tbreak WHAT [if CONDITION] */
static enum status cmd_break_tbreak_run(struct session *s, const struct args *a, struct error *e)
{
	return cmd_break_make(s, a, true, e);
}

const struct command command_tbreak = {
	.name = "tbreak",
	.alias = "tb",
	.group = "stops",
	.summary = "set a breakpoint that is deleted when it has stopped once",
	.details = "WHAT is as for `break`.",
	.examples = "tbreak kernelend\ntbreak cycle 500",
	.run = cmd_break_tbreak_run,
	.arg = {{"WHAT", ARG_EXPR, .doc = "what to stop at, as for `break`", .complete = complete_stop}},
};

/* watch [MODE] EXPR [if CONDITION] */
static enum status cmd_break_watch_run(struct session *s, const struct args *a, struct error *e)
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
	.run = cmd_break_watch_run,
	.arg = {{"EXPR", ARG_EXPR, .doc = "[change|rise|fall|above V|below V] EXPR [if CONDITION]",
		 .complete = complete_watch}},
};
