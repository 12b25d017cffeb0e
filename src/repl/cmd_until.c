/* cmd_until.c - until: run until an expression is true. */
#include "repl.h"

/* The expression, and what went wrong with it on the way. */
struct until {
	struct session *s;
	struct expr *x;
	enum status status;
	struct error error;
};

/* True, or not to be computed: stop. */
static bool hit(void *self, const struct sim *sim)
{
	struct until *u = self;
	struct value v;

	(void)sim;
	u->status = expr_eval(u->s, u->x, NULL, &v, &u->error);
	return u->status || (v.kind == VALUE_REAL ? v.r != 0 : v.i != 0);
}

static enum status run(struct session *s, const struct args *a, struct error *e)
{
	struct until u = {.s = s};
	struct goal g = {.hit = hit, .self = &u, .every_cycle = true, .what = a->arg[0].text};
	enum status st = expr_check(s, a->arg[0].text, a->arg[0].column, NULL, &u.x, e);

	if (st)
		return st;
	st = move_run(s, &g, false, e);
	expr_free(u.x);
	if (!st && u.status) {
		*e = u.error;
		e->column = e->column ? e->column + a->arg[0].column - 1 : a->arg[0].column;
		return u.status;
	}
	return st;
}

const struct command command_until = {
	.name = "until", .alias = "u", .group = "time",
	.summary = "run until EXPR is true at the end of a cycle",
	.details = "The expression is evaluated after every cycle. Breakpoints stop it earlier.",
	.examples = "until inst.warp >= 1000\nuntil sm[0].warp[3].status == barrier",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = run,
	.arg = {{.name = "EXPR", .type = ARG_EXPR, .doc = "condition"}},
};
