/* until.c - run until an expression is true, or while it is. */
#include "travel.h"

#include "expr.h"

/* The expression, what it shall no longer be, and what went wrong with it on the way. */
struct until {
	struct session *s;
	struct expr *x;
	bool holds, cycle; /* cycle: it is one, which comes in any case */
	enum status status;
	struct error error;
};

/* As wanted, or not to be computed: stop. */
static bool hit(void *self, const struct sim *sim UNUSED)
{
	struct until *u = self;
	struct value v;

	u->status = expr_eval(u->s, u->x, NULL, &v, &u->error);
	return u->status || value_true(v) != u->holds;
}

/* Run to the goal, if there is somewhere to run to: `while` stays where its expression does not hold. */
static enum status run_to(struct session *s, struct until *u, const char *text, struct error *e)
{
	struct text what = {0};
	struct goal g = {.hit = hit, .self = u, .every_cycle = true, .dated = u->cycle};
	enum status st = STATUS_OK;

	text_add(&what, u->holds ? "%s does not hold" : "%s", safe_text(text));
	g.what = what.s;
	if (u->holds && hit(u, NULL) && !u->status)
		session_stopped(s, STOP_TARGET, what.s);
	else if (!u->status)
		st = travel_run(s, &g, false, e);
	text_free(&what);
	return st;
}

/* Is a text a whole number? Then it is a cycle that is meant. */
static bool whole(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

enum status travel_until(struct session *s, const struct args *a, bool holds, struct error *e)
{
	struct until u = {.s = s, .holds = holds, .cycle = !holds && whole(a->arg[0].text)};
	char *text;
	enum status st;

	if (!holds && travel_is_place(a->arg[0].text))
		return travel_place(s, a->arg[0].text, a->arg[0].column, true, e);
	if (u.cycle && strtoull(a->arg[0].text, NULL, 10) <= session_now(s).cycle)
		return failed_at(e, a->arg[0].column, "cycle %s is not in the future (`goto %s` goes back to it)",
				 a->arg[0].text, a->arg[0].text);
	text = xasprintf(u.cycle ? "cycle >= %s" : "%s", a->arg[0].text);
	st = expr_check(s, text, a->arg[0].column, NULL, &u.x, e);

	if (!st)
		st = run_to(s, &u, text, e);
	free(text);
	if (!u.x)
		return st;
	expr_free(u.x);
	if (!st && u.status) {
		*e = u.error;
		e->column = e->column ? e->column + a->arg[0].column - 1 : a->arg[0].column;
		return u.status;
	}
	return st;
}
