/* cmd_break.c - break: stop at a cycle, a location, an event, a condition, a stall. */
#include "breaks.h"
#include "complete.h"
#include "lang.h"
#include "scene.h"
#include "cmd_break.h"

#include <ctype.h>

void break_ready(struct session *s)
{
	struct error unsaid;

	if (!s->live && s->source && !s->source->from->root && s->scene->nlaunch)
		session_make(s, &unsaid);
}

/* A bare number is a cycle, where gdb's is a source line: true for the first breakpoint of a session that is typed so.
 */
static bool cmd_break_hints(const struct session *s, const struct args *a, const struct breakpoint *b)
{
	u32 cycles = 0;

	for (u32 i = 0; i < s->breaks->n; i++)
		cycles += s->breaks->list[i]->kind == b->kind;
	return !a->file && cycles == 1 && b->kind == break_kind_table[BREAK_cycle] && isdigit((u8)a->arg[0].text[0]);
}

enum status break_make(struct session *s, const struct args *a, bool temporary, struct error *e)
{
	struct breakpoint *b;
	struct text what = {0};
	enum status st;
	json_t *result;

	break_ready(s);
	st = breaks_add(s, NULL, a->arg[0].text, a->arg[0].column, temporary, &b, e);
	if (st)
		return st;
	breakpoint_text(b, &what);
	session_print(s, "breakpoint %u: %s%s\n", b->number, what.s,
		      cmd_break_hints(s, a, b)	     ? " (a cycle; for a source line: `break FILE:LINE`)"
		      : !s->live && b->kind->resolve ? " (resolved when the machine first runs)"
						     : "");
	result = session_result(s);
	if (result) {
		json_object_set_new(result, "number", json_integer(b->number));
		json_object_set_new(result, "what", json_string(what.s));
	}
	text_free(&what);
	return STATUS_OK;
}

/* break WHAT [if CONDITION] */
static enum status cmd_break_run(struct session *s, const struct args *a, struct error *e)
{
	return break_make(s, a, false, e);
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
	.summary = "Set a breakpoint at a cycle, an instruction, an event, a condition, a stall and more",
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
	.arg = {{.name = "WHAT",
		 .type = ARG_EXPR,
		 .complete = complete_stop,
		 .doc = "what to stop at, then `if CONDITION`"}},
};
