/* cmd_when.c - when: the intervals of cycles in which an expression holds, over the whole run or a part of it. */
#include "columns.h"
#include "complete.h"
#include "arguments.h"
#include "interrupt.h"
#include "when.h"

#include <signal.h>

#define SHOWN 24 /* stretches that are printed */

/* The first of the words `from` and `to` that end the line, from token i on. */
static u32 cmd_when_window(const struct args *a, u32 i)
{
	while (i < a->ntokens && (a->token[i].quoted || (strcmp(a->token[i].s, "from") && strcmp(a->token[i].s, "to"))))
		i++;
	return i;
}

/* Is it [sm S] warp N in STATUS...? Then the index of `in`, else 0. */
static u32 cmd_when_in(const struct args *a, u32 n)
{
	u32 i = !strcmp(a->token[1].s, "sm") ? 3 : 1;

	return i + 2 < n && !strcmp(a->token[i].s, "warp") && !strcmp(a->token[i + 2].s, "in") ? i + 2 : 0;
}

/* A status by its name. */
static enum status cmd_when_status(const struct token *t, struct error *e)
{
	const char *name[WARP_STATUS_COUNT], *near;

	for (u32 i = 0; i < WARP_STATUS_COUNT; i++) {
		name[i] = warp_status_table[i].name;
		if (!strcmp(name[i], t->s))
			return STATUS_OK;
	}
	near = nearest_name(t->s, name, WARP_STATUS_COUNT);
	return usage_at(e, t->column, "unknown warp state '%s' (%s%s%s`explain states` lists them)", token_shown(t->s),
			near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
}

/* sm[S].warp[N].state == long || ... */
static enum status cmd_when_sugar(const struct args *a, u32 in, u32 n, struct text *out, struct error *e)
{
	if (in + 1 == n)
		return usage_at(e, a->token[in].end + 1, "missing warp state after 'in' (`explain states` lists them)");
	for (u32 i = in + 1; i < n; i++) {
		if (cmd_when_status(&a->token[i], e))
			return STATUS_USAGE;
		text_add(out, "%s", i > in + 1 ? " || " : "");
		if (in == 5)
			text_add(out, "sm[%s].", a->token[2].s);
		text_add(out, "warp[%s].state == %s", a->token[in - 1].s, a->token[i].s);
	}
	return STATUS_OK;
}

/* The expression of the line, of which n tokens are left: compiled. */
static enum status cmd_when_compile(struct session *s, const struct args *a, u32 n, struct expr **x, struct error *e)
{
	struct text text = {0};
	u32 column = a->token[1].column, in = cmd_when_in(a, n);
	enum status st = STATUS_OK;

	if (in)
		st = cmd_when_sugar(a, in, n, &text, e);
	else
		text_addn(&text, a->line + column - 1, a->token[n - 1].end - (column - 1));
	if (!st)
		st = expr_check(s, text.s, in ? a->token[in - 1].column : column, NULL, x, e);
	text_free(&text);
	return st;
}

/* The stretches, those behind the last that is shown as a number. */
static void cmd_when_list(struct session *s, const struct when *w)
{
	u32 n = s->json ? w->nkept : min_u32(w->nkept, SHOWN);
	struct columns c;

	if (!n && !s->json)
		return;
	columns_open(&c, s, "from to cycles");
	for (u32 i = 0; i < n; i++) {
		columns_row(&c, w->kept[i].from, w->kept[i].to, w->kept[i].to - w->kept[i].from + 1);
	}
	columns_close(&c, "stretches", "");
	if (w->n > n && !s->json)
		session_print(s, "... and %s more (`when ... from %llu` lists the next)\n", thousands((i64)(w->n - n)),
			      w->kept[n - 1].to + 1);
}

/* "first 41, last 1100 to 1103, longest 300 to 509 (210)" */
static void cmd_when_ends(struct session *s, const struct when *w)
{
	session_print(s, "first in cycle %llu, last in %llu, longest from %llu to %llu (%s)\n", w->first.from,
		      w->last.to, w->longest.from, w->longest.to,
		      thousands((i64)(w->longest.to - w->longest.from + 1)));
}

/* A stretch as JSON, null if there is none. */
static json_t *cmd_when_stretch(const struct when *w, struct when_stretch x)
{
	return w->n ? json_pack("{s:I, s:I}", "from", (json_int_t)x.from, "to", (json_int_t)x.to) : json_null();
}

static void cmd_when_json(struct session *s, const struct when *w, const char *text)
{
	json_t *r = session_result(s);

	if (!r)
		return;
	member_text(r, "expression", text);
	member_int(r, "from", w->from);
	member_int(r, "to", w->to);
	member_int(r, "count", w->n);
	member_int(r, "cycles", w->cycles);
	member_int(r, "without_value", w->without);
	json_object_set_new(r, "first", cmd_when_stretch(w, w->first));
	json_object_set_new(r, "last", cmd_when_stretch(w, w->last));
	json_object_set_new(r, "longest", cmd_when_stretch(w, w->longest));
}

/* What was found. */
static void cmd_when_print(struct session *s, const struct when *w, const char *text)
{
	u64 all = w->to - w->from + 1;

	session_print(s, "%s: in %s of %s cycles (%.1f %%), %llu to %llu; %s interval%s\n", safe_text(text),
		      thousands((i64)w->cycles), thousands((i64)all), 100 * (double)w->cycles / (double)all, w->from,
		      w->to, thousands((i64)w->n), plural(w->n));
	if (w->n)
		cmd_when_ends(s, w);
	if (w->without)
		session_print(s, "%s cycles without a value: %s\n", thousands((i64)w->without), w->why.message);
	cmd_when_list(s, w);
	cmd_when_json(s, w, text);
}

/* Look, and say what was found. */
static enum status cmd_when_answer(struct session *s, const struct expr *x, u64 from, u64 to, struct error *e)
{
	struct sigaction old;
	struct when w;
	enum status st;

	interrupt_catch(&old);
	st = when_find(s, x, from, to, &w, e);
	interrupt_release(&old);
	if (interrupt_wanted())
		st = interrupt_status(s, e);
	else if (!st && w.without == w.to - w.from + 1)
		st = error_set(e, STATUS_FAILED, "no value in any cycle from %llu to %llu: %s", w.from, w.to,
			       w.why.message);
	else if (!st)
		cmd_when_print(s, &w, expr_text(x));
	when_free(&w);
	return st;
}

/* when EXPR [from CYCLE] [to CYCLE] */
static enum status cmd_when_run(struct session *s, const struct args *a, struct error *e)
{
	u32 n = cmd_when_window(a, 1);
	u64 tip = timeline_tip(s->timeline).cycle, from = 1, to = tip;
	struct expr *x = NULL;
	enum status st = cycles_take(s, a->token + n, a->ntokens - n, &from, &to, e);

	if (!st && n == 1)
		st = usage_at(e, a->token[1].column, "missing expression before '%s'", a->token[1].s);
	if (!st && from > to)
		st = n == a->ntokens ? error_set(e, STATUS_FAILED,
						 "when: no cycle has been simulated yet (`run` or `step` first)")
				     : usage_at(e, a->token[n].column,
						"no cycles from %llu to %llu (simulated: 1 to %llu)", from, to, tip);
	if (!st)
		st = cmd_when_compile(s, a, n, &x, e);
	if (!st)
		st = cmd_when_answer(s, x, from, to, e);
	expr_free(x);
	return st;
}

const struct command command_when = {
	.name = "when",
	.group = "inspect",
	.summary = "list the intervals of cycles in which an expression is true",
	.details =
		"EXPR is as for `print`, or `warp N in STATE...` (`sm S warp N in ...`), true while the warp is in one of these\n"
		"states. A copy of the simulator repeats the run, up to the latest simulated cycle, and evaluates EXPR in every\n"
		"cycle. The output is the number of cycles in which EXPR is not 0, the first, the last and the longest\n"
		"interval, and a list (with -j of all intervals). `from CYCLE` and `to CYCLE` select a part of the run; TO may\n"
		"lie in the future. The machine does not move. In a cycle in which EXPR has no value (a register of a warp that\n"
		"is not resident) it counts as false.",
	.examples =
		"when warp 5 in long\nwhen warp 0 in barrier fence from 500 to 1000\nwhen sm[0].sub[0].eligible == 0\n"
		"when c[0] != 0\nwhen ipc > 1.5 to 700",
	.flags = COMMAND_NEEDS_MACHINE,
	.run = cmd_when_run,
	.arg = {{"EXPR", ARG_EXPR, .doc = "expression, or `warp N in STATE...`; then `from CYCLE`, `to CYCLE`",
		 .complete = complete_expr}},
};
