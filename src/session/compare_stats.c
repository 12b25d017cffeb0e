/*
 * compare_stats.c - the statistics of both sides beside each other, the most telling difference first; the sentence
 * about where they part.
 *
 * How telling a difference is: scheduler slots and warp-cycles count by their part of all of them, shares by their
 * points, other counters by how much they grew or shrank, less where they are small beside the instructions, and what
 * says the same once more (events, counters of each kernel) comes last.
 */
#include "compare.h"

#include "policy.h"

#include <math.h>

/* Every name but config.hash, which reads all inputs each time. */
const char *const compare_globs[COMPARE_GLOBS] = {"c[!o]*", "[!c]*", "co[!n]*"};

/* The statistics of one side. */
struct list {
	struct compare_stat *item;
	u32 n;
};

/* One number: an element of an array has its place behind its name. */
static void list_add(struct list *l, const struct stat_value *x, u32 i)
{
	struct compare_stat *out;

	l->item = array_grow(l->item, l->n, sizeof(*l->item));
	out = &l->item[l->n++];
	*out = (struct compare_stat){.unit = x->unit, .doc = x->doc, .a = x->value[i]};
	out->name = x->array ? xasprintf("%s[%u]", x->name, i) : xstrdup(x->name);
	out->share = !*x->unit && strstr(x->doc, "share of") != NULL;
}

static void list_take(void *self, const struct stat_value *x)
{
	for (u32 i = 0; !x->text && i < x->count; i++)
		list_add(self, x, i);
}

/* The statistics of a side where it stands. */
static struct list list_of(struct compare_side *x)
{
	struct list l = {0};

	for (u32 i = 0; i < COMPARE_GLOBS; i++)
		stats_each(&x->session, compare_globs[i], false, list_take, &l);
	return l;
}

/* What a unit's numbers are parts of, as far as both sides have it. */
struct whole {
	double slots, warps, instructions;
};

/* Take in what differences are measured against. */
static void whole_add(struct whole *w, const struct compare_stat *x)
{
	double n = fmax(value_as_real(x->a), value_as_real(x->b));

	if (!strcmp(x->name, "slots.total"))
		w->slots = n;
	else if (!strcmp(x->name, "occupancy.warp_cycles"))
		w->warps = n;
	else if (!strcmp(x->name, "inst.warp"))
		w->instructions = n;
}

/* How telling a difference is: 0 none, more is more. */
static double weigh(const struct whole *w, const struct compare_stat *x)
{
	double a = value_as_real(x->a), b = value_as_real(x->b), most = fmax(fabs(a), fabs(b)), d = fabs(b - a);
	double grown;

	if (!(d > 0))
		return 0;
	if (!strcmp(x->name, "cycle"))
		return 1e9;
	if (x->share)
		return d;
	if (!strncmp(x->name, "slots.", 6) && strcmp(x->name, "slots.total"))
		return 2 * d / fmax(w->slots, 1);
	if (!strncmp(x->name, "warps.", 6))
		return d / fmax(w->warps, 1);
	grown = d / most;
	if (!strncmp(x->name, "events.", 7) || !strncmp(x->name, "kernel.", 7))
		return 0.001 * grown;
	if (x->a.kind == VALUE_REAL)
		return 0.3 * grown;
	return 0.3 * grown * fmin(1, 20 * most / fmax(w->instructions, 1));
}

/* The most telling first; as the tables have them where it is the same. */
static int by_weight(const void *a, const void *b)
{
	const struct compare_stat *x = a, *y = b;

	if (x->weight < y->weight || x->weight > y->weight)
		return x->weight < y->weight ? 1 : -1;
	return 0;
}

/* Put B's numbers beside A's of the same name; those that only one has go. */
static void join(struct list *a, struct list *b)
{
	u32 n = 0, at = 0;

	for (u32 i = 0; i < a->n; i++) {
		u32 k = at;

		while (k < b->n && strcmp(b->item[k].name, a->item[i].name))
			k++;
		if (k == b->n) {
			free((char *)(uintptr_t)a->item[i].name);
			continue;
		}
		a->item[i].b = b->item[k].a;
		a->item[n++] = a->item[i];
		at = k + 1;
	}
	a->n = n;
	compare_stats_free(b->item, b->n);
}

/* A stable sort of few rows: the order of the tables stays where weights are alike. */
static void sort(struct compare_stat *x, u32 n)
{
	for (u32 i = 1; i < n; i++) {
		struct compare_stat row = x[i];
		u32 k = i;

		while (k && by_weight(&x[k - 1], &row) > 0) {
			x[k] = x[k - 1];
			k--;
		}
		x[k] = row;
	}
}

struct compare_stat *compare_stats(struct compare *c, u32 *n, u32 *differ)
{
	struct list a = list_of(&c->side[COMPARE_A]), b = list_of(&c->side[COMPARE_B]);
	struct whole w = {0};

	join(&a, &b);
	*differ = 0;
	for (u32 i = 0; i < a.n; i++)
		whole_add(&w, &a.item[i]);
	for (u32 i = 0; i < a.n; i++) {
		a.item[i].weight = weigh(&w, &a.item[i]);
		*differ += a.item[i].weight > 0;
	}
	sort(a.item, a.n);
	*n = a.n;
	return a.item;
}

void compare_stats_free(struct compare_stat *x, u32 n)
{
	for (u32 i = 0; i < n; i++)
		free((char *)(uintptr_t)x[i].name);
	free(x);
}

void compare_value_text(const struct compare_stat *x, struct value v, char out[40])
{
	char digits[32];

	if (x->share)
		snprintf(out, 40, "%.1f%%", 100 * value_as_real(v));
	else if (v.kind == VALUE_INT)
		snprintf(out, 40, "%s", grouped(v.i, digits));
	else
		snprintf(out, 40, "%.4g", v.r);
}

void compare_difference_text(const struct compare_stat *x, char out[40])
{
	double d = value_as_real(x->b) - value_as_real(x->a);
	char digits[32];

	if (x->share)
		snprintf(out, 40, "%+.1f points", 100 * d);
	else if (!(d > 0 || d < 0))
		snprintf(out, 40, "0");
	else if (x->a.kind == VALUE_INT)
		snprintf(out, 40, "%s%s", d > 0 ? "+" : "", grouped(x->b.i - x->a.i, digits));
	else
		snprintf(out, 40, "%+.4g", d);
}

void compare_ratio_text(const struct compare_stat *x, char out[32])
{
	double a = value_as_real(x->a), b = value_as_real(x->b);

	if (x->share)
		*out = '\0';
	else if (a > 0 || a < 0)
		snprintf(out, 32, "%.2fx", b / a);
	else
		snprintf(out, 32, "%s", b > 0 || b < 0 ? "new" : "");
}

/* --- the sentence --- */

/* What a policy of slot order is called in a sentence: its doc up to the colon. */
static void order_words(const struct compare *c, u32 side, struct text *out)
{
	const struct scheme *x = policy_one(c->side[side].session.sim.m, POLICY_order);

	text_add(out, " (%.*s)", (int)strcspn(x->doc, ":"), x->doc);
}

/* What one side did where they part. */
static void side_words(const struct compare *c, u32 side, bool orders, struct text *out)
{
	const struct compare_issue *x = &c->parting.side[side];

	if (x->warp != NONE32) {
		text_add(out, "warp %u", x->warp);
		if (orders)
			order_words(c, side, out);
		return;
	}
	text_add(out, "nothing");
	if (x->outcome < SLOT_OUTCOME_COUNT)
		text_add(out, " (%s)", slot_outcome_table[x->outcome].name);
	else if (c->ended[side] == STOP_FINISHED && c->end[side] < c->parting.cycle)
		text_add(out, " (finished)");
}

/* Do different schemes choose? */
static bool orders_differ(const struct compare *c)
{
	const struct machine *a = c->side[0].session.sim.m, *b = c->side[1].session.sim.m;

	return policy_one(a, POLICY_order) != policy_one(b, POLICY_order);
}

/* Did both issue the same one: of two versions of a kernel its text tells. */
static bool same_instruction(const struct compare_parting *p)
{
	const char *a = p->side[0].text.s, *b = p->side[1].text.s;

	return p->side[0].pc == p->side[1].pc && (!a || !b || !strcmp(a, b));
}

void compare_sentence(const struct compare *c, struct text *out)
{
	const struct compare_parting *p = &c->parting;
	bool orders = orders_differ(c);

	if (!p->found) {
		text_add(out,
			 "no difference up to cycle %llu: every scheduler issues the same instruction in every cycle",
			 c->looked);
		return;
	}
	text_add(out, "first difference in cycle %llu: sub-core %u of SM %u issues ", p->cycle, p->sub, p->sm);
	side_words(c, COMPARE_A, orders, out);
	text_add(out, " in A, ");
	side_words(c, COMPARE_B, orders, out);
	text_add(out, " in B");
	if (p->side[0].warp != NONE32 && p->side[0].warp == p->side[1].warp)
		text_add(out, same_instruction(p) ? " (the same instruction, but for other lanes or another CTA)"
						  : " (another instruction)");
	for (u32 i = 0; i < 2; i++)
		if (p->side[i].text.s)
			text_add(out, "\n  %c: warp %u at %s%s%s%s", 'A' + (int)i, p->side[i].warp, p->side[i].text.s,
				 *p->side[i].place ? " (" : "", p->side[i].place, *p->side[i].place ? ")" : "");
}
