/* cmd_measure.c - measure: the numbers that a sweep is about. */
#include "complete.h"
#include "stats.h"
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

/* Is there a measure of that name? */
static bool cmd_measure_has(const struct sweep *w, const char *name)
{
	for (u32 i = 0; i < w->nmeasures; i++)
		if (!strcmp(w->measure[i].name, name))
			return true;
	return false;
}

static void cmd_measure_add(struct session *s, const char *name, const char *expr)
{
	struct sweep *w = sweep_of(s);

	if (cmd_measure_has(w, name))
		return;
	w->measure = array_grow(w->measure, w->nmeasures, sizeof(*w->measure));
	w->measure[w->nmeasures++] = (struct sweep_measure){.name = xstrdup(name), .expr = expr ? xstrdup(expr) : NULL};
}

/* The words are names of statistics, one number each. */
static enum status cmd_measure_statistics(struct session *s, const struct args *a, struct error *e)
{
	for (u32 i = a->rest; i < a->ntokens; i++) {
		const struct token *t = &a->token[i];
		const char *near = stat_nearest(t->s);
		struct stat_handle h;

		if (!stat_find(t->s, &h))
			return usage_at(
				e, t->column,
				"measure: unknown statistic '%s'%s%s%s (an expression needs a name: `measure NAME = EXPR`)",
				token_shown(t->s), near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
		if (stat_table[h.row].source == FROM_HOST)
			return usage_at(e, t->column, "measure: %s differs from run to run", t->s);
	}
	for (u32 i = a->rest; i < a->ntokens; i++)
		cmd_measure_add(s, a->token[i].s, NULL);
	return STATUS_OK;
}

static enum status cmd_measure_run(struct session *s, const struct args *a, struct error *e)
{
	const struct token *name = &a->token[a->rest], *equals = name + 1;
	struct stat_handle h;
	struct expr *x;
	enum status st;

	if (a->rest == a->ntokens)
		return usage_at(e, a->token[0].column, "measure: missing statistics");
	if (a->ntokens < a->rest + 2 || strcmp(equals->s, "=") != 0)
		return cmd_measure_statistics(s, a, e);
	if (stat_find(name->s, &h) || (s->sweep && cmd_measure_has(s->sweep, name->s)))
		return usage_at(e, name->column, "measure: '%s' is taken (choose another name)", token_shown(name->s));
	if (a->ntokens == a->rest + 2)
		return usage_at(e, equals->column, "measure %s: missing expression", token_shown(name->s));
	st = expr_check(s, a->line + equals->end, equals->end + 1, NULL, &x, e);
	if (st)
		return st;
	expr_free(x);
	st = expr_compile_formula(s, a->line + equals->end, &x, e);
	if (st)
		return st;
	expr_free(x);
	cmd_measure_add(s, name->s, a->line + equals->end + strspn(a->line + equals->end, " \t"));
	return STATUS_OK;
}

const struct command command_measure = {
	.name = "measure",
	.group = "setup",
	.summary = "choose the statistics of a sweep's tables, or name an expression as one",
	.details =
		"A job records all statistics, so that any can be queried later. Without this line tables have cycle and ipc.\n"
		"An expression is evaluated when the last kernel has finished, in real numbers: 1 / 2 is 0.5.",
	.examples = "measure ipc l1d.hits dram.reads\nmeasure missrate = l1d.misses / l1d.accesses",
	.run = cmd_measure_run,
	.arg = {{"STATISTIC", ARG_REST, .doc = "names of statistics, or NAME = EXPRESSION",
		 .complete = complete_statistic}},
};
