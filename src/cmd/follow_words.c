/* follow_words.c - the words by which follow and effects name an instruction: warp N, load, line ADDRESS, sm S, at
 * CYCLE. */
#include "arguments.h"
#include "follow.h"
#include "machine.h"

#include <errno.h>

/* A number of the line, below a bound. */
static enum status follow_words_number(struct session *s, const struct token *t, const char *what, u64 below, u64 *out,
				       struct error *e)
{
	char *end;

	errno = 0;
	*out = strtoull(t->s, &end, 0);
	if (*end || end == t->s || t->s[0] == '-' || t->s[0] == '+') {
		struct value v;
		struct expr *x;
		enum status st = expr_check(s, t->s, t->column, NULL, &x, e);

		if (st)
			return usage_at(e, t->column, "'%s' is not a number (%s)", token_shown(t->s), what);
		st = expr_eval(s, x, NULL, &v, e);
		expr_free(x);
		if (st)
			return st;
		if (v.kind == VALUE_REAL || v.i < 0)
			return usage_at(e, t->column, "'%s' is not a number (%s)", token_shown(t->s), what);
		*out = (u64)v.i;
	} else if (errno) {
		return usage_at(e, t->column, "%s: too large (must be below 2^64)", token_shown(t->s));
	}
	if (*out >= below)
		return failed_at(e, t->column, "%s %llu does not exist (0 to %llu)", what, *out, below - 1);
	return STATUS_OK;
}

/* A word that a value follows. */
static enum status follow_words_value(struct session *s, const struct token *word, const struct token *t,
				      struct follow_wish *w, struct error *e)
{
	const struct machine *m = s->sim.m;
	u64 n = 0;
	enum status st;

	switch (word->s[0]) {
	case 'w':
		st = follow_words_number(s, t, "warp", m->contexts, &n, e);
		w->warp_given = true;
		w->warp = (u32)n;
		return st;
	case 's':
		st = follow_words_number(s, t, "SM", m->config.gpu_sms, &n, e);
		w->sm_given = true;
		w->sm = (u32)n;
		return st;
	case 'l': w->line = true; return follow_words_number(s, t, "address", NEVER, &w->address, e);
	default: w->at = true; return cycle_take(s, t, &w->cycle, e);
	}
}

enum status follow_words(struct session *s, const char *verb, const struct token *word, u32 n, struct follow_wish *w,
			 struct error *e)
{
	bool follow = !strcmp(verb, "follow");
	enum status st = STATUS_OK;

	if (!focus_exists(s))
		s->focus = (struct focus){0};
	*w = (struct follow_wish){.sm = s->focus.sm, .warp = s->focus.warp, .cycle = timeline_now(s->timeline).cycle};
	for (u32 i = 1; i < n && !st; i++) {
		const struct token *t = &word[i];

		if (follow && !strcmp(t->s, "off") && n == 2) {
			w->off = true;
		} else if (!strcmp(t->s, "load")) {
			w->load = true;
		} else if (strcmp(t->s, "warp") && strcmp(t->s, "line") && strcmp(t->s, "sm") && strcmp(t->s, "at")) {
			return usage_at(e, t->column, "unexpected '%s' (warp N, load, line ADDRESS, sm S, at CYCLE%s)",
					token_shown(t->s), follow ? " or off" : ", for CYCLES or check");
		} else if (i + 1 == n) {
			return usage_at(e, t->end + 1, "missing %s after '%s'",
					t->s[0] == 'w'	 ? "number of a warp"
					: t->s[0] == 's' ? "number of an SM"
					: t->s[0] == 'l' ? "address"
							 : "cycle",
					t->s);
		} else {
			st = follow_words_value(s, t, &word[++i], w, e);
		}
	}
	if (!st && w->line && (w->load || w->warp_given))
		return usage_at(e, word[1].column, "%s: `line` stands without `warp` and `load`", verb);
	if (!st && n > 1 && !w->off && !w->line && !w->load && !w->warp_given)
		return usage_at(e, word[1].column, "%s: what? (warp N, load or line ADDRESS)", verb);
	return st;
}

enum status follow_wished(struct session *s, const struct follow_wish *w, struct error *e)
{
	if (w->line)
		return follow_line(s, w->sm, w->address, w->cycle, e);
	if (w->load)
		return follow_load(s, w->sm, w->warp, w->cycle, e);
	return follow_warp(s, w->sm, w->warp, w->cycle, e);
}
