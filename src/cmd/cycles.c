/* cycles.c - cycles that a command's words name (cycles.h). */
#include "cycles.h"

#include "expr.h"

#include <ctype.h>
#include <string.h>

enum status cycle_take(struct session *s, const struct token *t, u64 *cycle, struct error *e)
{
	struct expr *x;
	struct value v;
	enum status st;

	if (isdigit((u8)t->s[0]) && !session_time(s, t->s, cycle, NULL))
		return STATUS_OK;
	st = expr_check(s, t->s, t->column, NULL, &x, e);
	if (st)
		return st;
	st = expr_eval(s, x, NULL, &v, e);
	expr_free(x);
	if (!st && (v.kind == VALUE_REAL || v.i < 0))
		st = usage_at(e, t->column, "a cycle must be an integer from 0, not '%s'", safe_text(t->s));
	*cycle = (u64)v.i;
	return st;
}

enum status cycles_take(struct session *s, const struct token *t, u32 n, u64 *from, u64 *to, struct error *e)
{
	for (u32 i = 0; i < n; i += 2) {
		bool is_from = !strcmp(t[i].s, "from");

		if (!is_from && strcmp(t[i].s, "to"))
			return usage_at(e, t[i].column, "unexpected '%s' (from CYCLE, to CYCLE)", safe_text(t[i].s));
		if (i + 1 == n)
			return usage_at(e, t[i].end + 1, "missing cycle after '%s'", t[i].s);
		if (cycle_take(s, &t[i + 1], is_from ? from : to, e))
			return e->status;
	}
	return STATUS_OK;
}
