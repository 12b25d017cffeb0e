/*
 * export_csv.c - a row for each cycle.
 *
 * A counter's value is what the cycle added, so that a column's sum is the statistic; a formula's is computed from what
 * the cycle added (ipc of that cycle alone); anything else (subcore.cov) is as it stood after the cycle. Texts are left
 * out.
 */
#include "export.h"
#include "stats.h"

#include <ctype.h>

/* A counter whose growth is kept: a column's own, or an operand of a formula. */
struct counter {
	struct stat_handle stat;
	u32 element;
	struct value now;
	i64 grown;
};

struct column {
	char *name;
	struct expr *formula; /* over the counters' growth, d0, d1, ...; NULL: the counter itself */
	u32 counter;
};

struct table {
	struct exporter *x;
	struct counter *counter;
	struct column *column;
	u32 ncounters, ncolumns;
};

/* The counter of a statistic, new if need be. */
static u32 counter_of(struct table *t, struct stat_handle h, u32 element)
{
	struct counter c = {.stat = h, .element = element};

	for (u32 i = 0; i < t->ncounters; i++)
		if (t->counter[i].stat.row == h.row && t->counter[i].stat.launch == h.launch &&
		    t->counter[i].element == element)
			return i;
	stat_read(&t->x->then, h, element, &c.now);
	t->counter = xrealloc(t->counter, (t->ncounters + 1) * sizeof(c));
	t->counter[t->ncounters] = c;
	return t->ncounters++;
}

/* A formula with each of its statistics replaced by that counter's growth. */
static struct expr *grown_formula(struct table *t, const char *formula)
{
	struct text out = {0};
	struct expr *x = NULL;
	struct stat_handle h;
	char word[64];

	while (*formula) {
		size_t n = strspn(formula, "abcdefghijklmnopqrstuvwxyz0123456789_.");

		if (!n || n >= sizeof(word)) {
			text_addn(&out, formula++, 1);
			continue;
		}
		snprintf(word, sizeof(word), "%.*s", (int)n, formula);
		if (isalpha((u8)word[0]) && stat_find(word, &h))
			text_add(&out, "d%u", counter_of(t, h, 0));
		else
			text_add(&out, "%s", word);
		formula += n;
	}
	INVARIANT(!expr_compile_formula(&t->x->then, out.s, &x, NULL));
	text_free(&out);
	return x;
}

/* A column, unless there is one of that name. */
static void add_column(struct table *t, const char *name, struct stat_handle h, u32 element)
{
	struct text formula = {0};

	for (u32 i = 0; i < t->ncolumns; i++)
		if (!strcmp(t->column[i].name, name))
			return;
	if (stat_table[h.row].formula)
		stat_formula(h, &formula);
	t->column = xrealloc(t->column, (t->ncolumns + 1) * sizeof(*t->column));
	t->column[t->ncolumns++] = (struct column){.name = xstrdup(name),
						   .formula = formula.len ? grown_formula(t, formula.s) : NULL,
						   .counter = formula.len ? 0 : counter_of(t, h, element)};
	text_free(&formula);
}

/* A statistic that a glob has found; `cycle` is the first column already. */
static void take(void *self, const struct stat_value *v)
{
	struct table *t = self;
	struct stat_handle h;
	char name[96];

	if (v->text || !stat_find(v->name, &h) || stat_table[h.row].source == FROM_CYCLE)
		return;
	if (!v->array)
		add_column(t, v->name, h, 0);
	for (u32 i = 0; v->array && i < v->count; i++) {
		snprintf(name, sizeof(name), "%s[%u]", v->name, i);
		add_column(t, name, h, i);
	}
}

/* The columns of one glob. */
static enum status add_glob(struct table *t, const char *word, u32 at, struct error *e)
{
	u32 before = t->ncolumns;
	const char *near = stat_nearest(word);
	struct stat_handle h;
	char glob[160];

	/* as for `stats`: l1d means l1d.* */
	snprintf(glob, sizeof(glob), strpbrk(word, "*?[") || stat_find(word, &h) ? "%s" : "%s.*", word);
	stats_each(&t->x->then, glob, false, take, t);
	if (t->ncolumns > before || (stat_find(word, &h) && stat_table[h.row].source != FROM_CONFIG))
		return STATUS_OK;
	return error_at(e, STATUS_USAGE, NULL, 0, at, "no numeric statistic matches '%s'%s%s%s", safe_text(word),
			near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

static enum status begin(struct exporter *x, struct error *e)
{
	const struct export_request *q = x->request;
	struct table *t = x->state = xcalloc(1, sizeof(*t));
	enum status st = STATUS_OK;

	t->x = x;
	for (u32 i = 0; i < q->ncolumns && !st; i++)
		st = add_glob(t, q->column[i].s, q->column[i].column, e);
	if (!q->ncolumns) {
		add_glob(t, "slots.*", 0, e);
		add_glob(t, "ipc", 0, e);
	}
	export_put(x, "cycle");
	for (u32 i = 0; i < t->ncolumns; i++)
		export_put(x, ",%s", t->column[i].name);
	export_put(x, "\n");
	return st;
}

/* Scope of a formula: dN is the growth of counter N. */
static bool grown(void *self, const char *name, struct value *out)
{
	const struct table *t = self;

	if (name[0] != 'd' || !isdigit((u8)name[1]))
		return false;
	*out = value_int(t->counter[strtoul(name + 1, NULL, 10)].grown);
	return true;
}

/* The value of a column in this cycle. */
static struct value column_value(struct table *t, const struct column *c)
{
	struct expr_scope scope = {.lookup = grown, .self = t};
	const struct counter *n = &t->counter[c->counter];
	struct value v = value_int(0);

	if (c->formula)
		expr_eval(&t->x->then, c->formula, &scope, &v, NULL);
	else
		v = n->now.kind == VALUE_REAL ? n->now : value_int(n->grown);
	return v;
}

static void cycle(struct exporter *x)
{
	struct table *t = x->state;

	for (u32 i = 0; i < t->ncounters; i++) {
		struct counter *c = &t->counter[i];
		struct value before = c->now;

		stat_read(&x->then, c->stat, c->element, &c->now);
		c->grown = c->now.kind == VALUE_INT ? c->now.i - before.i : 0;
	}
	export_put(x, "%llu", x->cycle);
	for (u32 i = 0; i < t->ncolumns; i++) {
		struct value v = column_value(t, &t->column[i]);

		if (v.kind == VALUE_INT)
			export_put(x, ",%lld", v.i);
		else
			export_put(x, ",%.9g", v.r);
	}
	export_put(x, "\n");
}

static void end(struct exporter *x)
{
	struct table *t = x->state;

	for (u32 i = 0; i < t->ncolumns; i++) {
		free(t->column[i].name);
		expr_free(t->column[i].formula);
	}
	free(t->column);
	free(t->counter);
}

const struct export_format export_csv = {.begin = begin, .cycle = cycle, .end = end};
