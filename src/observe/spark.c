/*
 * spark.c - expressions followed cycle by cycle (spark.h).
 *
 * Each counter of an expression is an operand whose running value is kept; the expression is then evaluated over what
 * the operands gained per cycle. What is no counter is one operand whose values are summed up, so that its gain is
 * their mean.
 */
#include "spark.h"

#include "stats.h"

#include <ctype.h>
#include <math.h>

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$"

/* One expression. */
struct spark {
	char *text;
	struct expr *value; /* over o0, o1, ...: gains per cycle */
	struct expr *operand[SPARK_OPERANDS];
	u32 noperands;
	bool level; /* the only operand is no counter: its values are summed */
};

struct sparks {
	struct spark spark[MAX_SPARKS];
	u32 n;
	u64 version;
};

/* Free what one of them holds. */
static void spark_free(struct spark *x)
{
	free(x->text);
	expr_free(x->value);
	for (u32 i = 0; i < x->noperands; i++)
		expr_free(x->operand[i]);
	*x = (struct spark){0};
}

/* Is a name a setting: the same in every cycle? */
static bool is_setting(const char *name)
{
	for (u32 i = 0; i < SETTING_COUNT; i++)
		if (!strcmp(setting_table[i].name, name))
			return true;
	return false;
}

/* Does a statistic only ever grow, by what a cycle adds? */
static bool is_counter(struct stat_handle h)
{
	u8 source = stat_table[h.row].source;

	return source != FROM_CONFIG && source != FROM_FORMULA && source != FROM_SUBCORE_COV && source != FROM_HOST;
}

/* A text with operands in the place of counters, made while its names are read. */
struct rewriting {
	struct session *s;
	struct spark *spark;
	struct text out;
	bool fails; /* something is no counter, or there are too many */
};

static void rewrite(struct rewriting *w, const char *text);

/* One counter, with its index if it has one, as an operand. */
static void add_operand(struct rewriting *w, const char *text, size_t n)
{
	struct spark *x = w->spark;
	char *name = xstrndup(text, n);
	struct error e;

	w->fails |=
		x->noperands == SPARK_OPERANDS || expr_compile(w->s, name, &x->operand[x->noperands], &e) != STATUS_OK;
	free(name);
	if (!w->fails)
		text_add(&w->out, "o%u", x->noperands++);
}

/* One name of n bytes; returns the bytes that it takes with its index. */
static size_t rewrite_name(struct rewriting *w, const char *text, size_t n)
{
	char *name = xstrndup(text, n);
	struct stat_handle h;
	bool stat = stat_find(name, &h);

	if (stat && stat_table[h.row].formula) {
		struct text formula = {0};

		stat_formula(h, &formula);
		text_add(&w->out, "(");
		rewrite(w, formula.s);
		text_add(&w->out, ")");
		text_free(&formula);
	} else if (stat && is_counter(h)) {
		size_t index = text[n] == '[' ? strcspn(text + n, "]") : 0;

		n += index + (index && text[n + index] == ']');
		add_operand(w, text, n);
	} else {
		w->fails |= !is_setting(name);
		text_add(&w->out, "%s", name);
	}
	free(name);
	return n;
}

/* Names become operands, the rest stays. */
static void rewrite(struct rewriting *w, const char *text)
{
	while (!w->fails && *text) {
		size_t n = strspn(text, NAME_LETTERS);

		if (n && !isdigit((u8)*text) && *text != '.') {
			text += rewrite_name(w, text, n);
			continue;
		}
		n = n ? n : 1;
		text_addn(&w->out, text, n);
		text += n;
	}
}

/* An expression of counters; false if it is none. */
static bool take_counters(struct session *s, struct spark *x, const char *text)
{
	struct rewriting w = {.s = s, .spark = x};
	bool good;

	rewrite(&w, text);
	good = !w.fails && x->noperands && expr_compile_formula(s, w.out.s, &x->value, NULL) == STATUS_OK;
	text_free(&w.out);
	return good;
}

enum status spark_add(struct session *s, struct sparks **slot, const char *text, u32 column, struct error *e)
{
	struct sparks *l = *slot ? *slot : (*slot = xcalloc(1, sizeof(*l)));
	struct spark x = {0};
	struct expr *whole;
	struct stat_handle h;
	enum status st = expr_check(s, text, column, NULL, &whole, e);

	if (st)
		return st;
	if (l->n == MAX_SPARKS)
		st = error_at(e, STATUS_FAILED, NULL, 0, column,
			      "too many sparklines: %u is the maximum (`spark -d N` removes one)", MAX_SPARKS);
	else if (stat_find(text, &h) &&
		 (stat_table[h.row].source == FROM_CONFIG || stat_table[h.row].source == FROM_HOST))
		st = error_at(e, STATUS_USAGE, NULL, 0, column, "'%s' has no value per cycle", safe_text(text));
	if (st) {
		expr_free(whole);
		return st;
	}
	if (take_counters(s, &x, text)) {
		expr_free(whole);
	} else {
		spark_free(&x);
		x = (struct spark){.operand = {whole}, .noperands = 1, .level = true};
	}
	x.text = xstrdup(text);
	l->spark[l->n++] = x;
	l->version++;
	return STATUS_OK;
}

void spark_drop(struct sparks *l, u32 i)
{
	spark_free(&l->spark[i]);
	memmove(&l->spark[i], &l->spark[i + 1], (--l->n - i) * sizeof(*l->spark));
	l->version++;
}

void sparks_free(struct sparks *l)
{
	for (u32 i = 0; l && i < l->n; i++)
		spark_free(&l->spark[i]);
	free(l);
}

u32 sparks_count(const struct sparks *l)
{
	return l ? l->n : 0;
}
const char *spark_text(const struct sparks *l, u32 i)
{
	return l->spark[i].text;
}
u64 sparks_version(const struct sparks *l)
{
	return l ? l->version : 0;
}

u32 sparks_width(const struct sparks *l)
{
	u32 width = 0;

	for (u32 i = 0; l && i < l->n; i++)
		width += l->spark[i].noperands;
	return width;
}

/* An operand as a number; 0 where it has none in this cycle. */
static double operand_now(struct session *s, const struct expr *x)
{
	struct value v = {0};
	struct error e;

	return expr_eval(s, x, NULL, &v, &e) || !isfinite(value_as_real(v)) ? 0 : value_as_real(v);
}

void sparks_sample(const struct sparks *l, struct session *s, const double *before, double *out)
{
	u32 at = 0;

	for (u32 i = 0; l && i < l->n; i++)
		for (u32 k = 0; k < l->spark[i].noperands; k++, at++)
			out[at] =
				operand_now(s, l->spark[i].operand[k]) + (l->spark[i].level && before ? before[at] : 0);
}

/* Gains per cycle, for the names o0, o1, ... */
struct gains {
	const double *before, *after;
	u64 cycles;
	u32 n;
};

/* The gain that a name stands for. */
static bool gain(void *self, const char *name, struct value *out)
{
	const struct gains *g = self;
	u32 k;

	if (name[0] != 'o' || !isdigit((u8)name[1]) || (k = (u32)atoi(name + 1)) >= g->n)
		return false;
	*out = value_real((g->after[k] - g->before[k]) / (double)g->cycles);
	return true;
}

double spark_value(const struct sparks *l, u32 i, struct session *s, const double *before, const double *after,
		   u64 cycles)
{
	struct gains g = {.cycles = cycles, .n = l->spark[i].noperands};
	struct value v = {0};
	struct error e;
	u32 at = 0;

	for (u32 k = 0; k < i; k++)
		at += l->spark[k].noperands;
	g.before = before + at;
	g.after = after + at;
	if (!cycles || (l->spark[i].value &&
			expr_eval(s, l->spark[i].value, &(struct expr_scope){.lookup = gain, .self = &g}, &v, &e)))
		return 0;
	if (!l->spark[i].value)
		gain(&g, "o0", &v);
	return isfinite(value_as_real(v)) ? value_as_real(v) : 0;
}
