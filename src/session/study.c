/*
 * study.c - each limit lifted alone, then those pairs of which one may hide the other (experiments.h).
 */
#include "interrupt.h"
#include "experiments.h"
#include "ops.h"

#define COUNTS 0.03   /* part of the cycles that a limit must save to be named */
#define HIDES 0.05    /* and a pair beyond what both save apart */
#define LEADS 0.8     /* part of what a pair saves that one of it must save alone to be named first; or is near */
#define BEHIND_PART 3 /* what is behind saves at least so much: a third */
#define PATIENCE 4    /* times the base's cycles after which a lifted machine is given up */

static i64 saved_of(const struct study *t, const struct finding *f)
{
	return f->x.state == EXPERIMENT_DONE ? (i64)t->base.cycles - (i64)f->x.cycles : 0;
}

double study_share(const struct study *t, const struct finding *f)
{
	return t->base.cycles ? 100.0 * (double)f->saved / (double)t->base.cycles : 0;
}

/* An experiment with one limit lifted, or two; false: nothing changes. */
static bool prepare(const struct session *s, const struct study *t, struct finding *f)
{
	u8 row[2] = {f->a, f->b};
	bool some = false, changed;

	experiment_base(s, &f->x);
	f->x.most_cycles = t->base.ended * PATIENCE + 1000;
	for (u32 i = 0; i < 2 && row[i] != STUDY_NONE; i++) {
		enum status st = limit_lift(limit_table[row[i]].sets, &f->x.config, &changed, &f->x.why);

		INVARIANT(!st);
		some |= changed;
	}
	return some;
}

/* Most saved first; else as the table has them. */
static int by_saving(const void *pa, const void *pb)
{
	const struct finding *a = pa, *b = pb;

	if (a->saved != b->saved)
		return a->saved > b->saved ? -1 : 1;
	return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

/* Run the findings [from, n); the experiments stand in a row of their own meanwhile. */
static enum status run(struct session *s, struct study *t, u32 from, void (*tell)(struct session *s, u32 done, u32 n),
		       struct error *e)
{
	u32 n = t->n - from;
	struct experiment *x = xcalloc(n + 1, sizeof(*x));
	enum status st;

	for (u32 i = 0; i < n; i++)
		x[i] = t->found[from + i].x;
	st = n ? experiments_run(s, &t->of, x, n, tell, e) : STATUS_OK;
	for (u32 i = 0; i < n; i++) {
		struct finding *f = &t->found[from + i];

		f->x = x[i];
		f->saved = saved_of(t, f);
		t->stopped |= x[i].state == EXPERIMENT_WAITS;
	}
	free(x);
	qsort(t->found + from, n, sizeof(*t->found), by_saving);
	return st;
}

/* What lifting one limit alone saves, 0 of one that is not there. */
static i64 saving(const struct study *t, u8 row)
{
	for (u32 i = 0; i < t->nsingle; i++)
		if (t->found[i].a == row)
			return t->found[i].saved;
	return 0;
}

static bool was_lifted(const struct study *t, u8 row)
{
	for (u32 i = 0; i < t->nsingle; i++)
		if (t->found[i].a == row)
			return t->found[i].x.state == EXPERIMENT_DONE;
	return false;
}

/* Add a pair, if both of it are there and it is not yet. */
static void add_pair(const struct session *s, struct study *t, u8 a, u8 b)
{
	struct finding *f = &t->found[t->n];

	if (!was_lifted(t, a) || !was_lifted(t, b))
		return;
	for (u32 i = t->nsingle; i < t->n; i++)
		if ((t->found[i].a == a && t->found[i].b == b) || (t->found[i].a == b && t->found[i].b == a))
			return;
	*f = (struct finding){.a = a, .b = b};
	t->n += prepare(s, t, f);
}

/* Which pairs hide each other: both saves much more than each and than their sum. */
static void judge_pairs(struct study *t)
{
	for (u32 i = t->nsingle; i < t->n; i++) {
		struct finding *f = &t->found[i];
		i64 a = saving(t, f->a), b = saving(t, f->b), sum = (a > 0 ? a : 0) + (b > 0 ? b : 0);

		f->hides = (double)(f->saved - sum) > HIDES * (double)t->base.cycles;
	}
}

/* Can a row hold a kernel back? */
static bool concerns(const struct kernel *k, enum limit_only only)
{
	bool any = only == LIMIT_FOR_ALL || (only == LIMIT_FOR_LOCAL && k->local_bytes);

	for (u32 pc = 0; pc < k->ninst && !any; pc++)
		any = (only == LIMIT_FOR_TEXTURES && op_is_fetch(k->inst[pc].op)) ||
		      (only == LIMIT_FOR_LOCAL && k->inst[pc].space == SPACE_LOCAL);
	return any;
}

/* The kernel that is timed; one of all, of a stretch. */
static bool concerns_any(const struct session *s, const struct experiment_of *of, enum limit_only only)
{
	for (u32 i = 0; i < s->program.nlaunch; i++)
		if ((of->launch == NONE32 || of->launch == i) && concerns(s->program.launch[i].kernel, only))
			return true;
	return false;
}

/* Each limit that there is alone. */
static void add_singles(const struct session *s, struct study *t)
{
	for (u32 i = 0; i < LIMIT_ROWS; i++) {
		struct finding *f = &t->found[t->n];

		if (!concerns_any(s, &t->of, limit_only[i]))
			continue;
		*f = (struct finding){.a = (u8)i, .b = STUDY_NONE};
		t->n += prepare(s, t, f);
	}
}

/* The pairs of limits.def, and the two that save most. */
static void add_pairs(const struct session *s, struct study *t)
{
	for (u32 i = 0; i < limit_npairs; i++)
		add_pair(s, t, limit_pairs[i].a, limit_pairs[i].b);
	if (t->nsingle > 1)
		add_pair(s, t, t->found[0].a, t->found[1].a);
}

enum status study_limits(struct session *s, const struct experiment_of *of, struct study *t,
			 void (*tell)(struct session *s, u32 done, u32 n), struct error *e)
{
	enum status st;

	*t = (struct study){.of = *of};
	t->found = xcalloc(LIMIT_ROWS + limit_npairs + 2, sizeof(*t->found));
	experiment_base(s, &t->base);
	t->base.most_cycles = s->max_cycles;
	st = experiments_run(s, of, &t->base, 1, tell, e);
	if (st)
		return st;
	if (t->base.state == EXPERIMENT_WAITS)
		return interrupt_status(s, e);
	if (t->base.state != EXPERIMENT_DONE)
		return error_set(e, t->base.state == EXPERIMENT_SLOW ? STATUS_LIMIT : STATUS_FAILED,
				 "the unmodified run did not finish (%s)", experiment_state_name[t->base.state]);
	if (!t->base.cycles)
		return error_set(e, STATUS_FAILED, "no instruction is issued there");
	add_singles(s, t);
	t->nsingle = t->n;
	st = run(s, t, 0, tell, e);
	if (!st && !t->stopped) {
		add_pairs(s, t);
		st = run(s, t, t->nsingle, tell, e);
		judge_pairs(t);
	}
	if (!st && !t->stopped)
		st = study_losses(s, t, tell, e);
	return st;
}

void study_free(struct study *t)
{
	free(t->found);
	*t = (struct study){0};
}

/* Is a limit waited for behind another? STUDY_NONE is behind every one, and every one behind it. */
static bool is_behind(u8 row, u8 of)
{
	for (u32 k = 0; k < limit_nbehind; k++)
		if (limit_behind[k].a == of && limit_behind[k].b == row)
			return true;
	return row == STUDY_NONE || of == STUDY_NONE;
}

/* Are both of a finding behind both of another? */
static bool all_behind(const struct finding *g, const struct finding *f)
{
	return is_behind(g->a, f->a) && is_behind(g->b, f->a) && is_behind(g->a, f->b) && is_behind(g->b, f->b);
}

/* What is waited for behind a finding, alone or two that hide each other, and saves a good part of what it does, the
 * most of each kind first; NULL: nothing. */
static const struct finding *behind(const struct study *t, const struct finding *f)
{
	for (u32 i = 0; i < t->n; i++) {
		const struct finding *g = &t->found[i];

		if ((i < t->nsingle || g->hides) && all_behind(g, f) && g->saved * BEHIND_PART >= f->saved)
			return g;
	}
	return NULL;
}

const struct finding *study_first(const struct study *t)
{
	INVARIANT(t->found);
	const struct finding *first = t->nsingle ? &t->found[0] : NULL;

	for (u32 i = t->nsingle; i < t->n; i++)
		if (t->found[i].hides && (!first || t->found[i].saved > first->saved))
			first = &t->found[i];
	return first && study_share(t, first) >= 100 * COUNTS ? first : NULL;
}

/* A single limit's finding, NULL: it was not lifted. */
static const struct finding *single(const struct study *t, u8 row)
{
	for (u32 i = 0; i < t->nsingle; i++)
		if (t->found[i].a == row)
			return &t->found[i];
	return NULL;
}

bool study_near(const struct study *t, const struct finding *f, const struct finding *first)
{
	return (f < t->found + t->nsingle || f->hides) && (double)f->saved >= LEADS * (double)first->saved;
}

const struct finding *study_lead(const struct study *t, const struct finding *f)
{
	const struct finding *a = single(t, f->a), *b = f->b != STUDY_NONE ? single(t, f->b) : NULL;

	if (b && a && b->saved > a->saved)
		a = b;
	return a && (double)a->saved >= LEADS * (double)f->saved ? a : NULL;
}

const struct finding *study_behind(const struct study *t, const struct finding *first)
{
	const struct finding *lead = study_lead(t, first), *last = NULL, *next = lead ? lead : first;

	while ((next = behind(t, next)))
		last = next;
	return last && study_share(t, last) >= 100 * COUNTS ? last : NULL;
}

/* What a finding is of: "DRAM bandwidth: without it, 41 %". */
static void add_saving(const struct study *t, const struct finding *f, struct text *out)
{
	const struct limit *a = &limit_table[f->a], *b = f->b != STUDY_NONE ? &limit_table[f->b] : NULL;

	if (b)
		text_add(out, "%s and %s, which hide each other: without both, %.0f %%", a->noun, b->noun,
			 study_share(t, f));
	else
		text_add(out, "%s: without %s, %.0f %%", a->noun, a->many ? "them" : "it", study_share(t, f));
}

/* The finding that counts, with what it is of first; a pair of which one says most as that one, then both. */
static void add_first(const struct study *t, const struct finding *f, struct text *out)
{
	const struct finding *lead = study_lead(t, f);
	bool pair = f->b != STUDY_NONE && lead;

	text_add(out, "bound by ");
	add_saving(t, pair ? lead : f, out);
	text_add(out, " fewer cycles");
	if (pair)
		text_add(out, "; without %s too, %.0f %%", limit_table[lead->a == f->a ? f->b : f->a].noun,
			 study_share(t, f));
}

void study_name(const struct study *t, struct text *out)
{
	const struct finding *f = study_first(t), *lead = f ? study_lead(t, f) : NULL;

	if (!f)
		text_add(out, "none");
	else if (lead)
		text_add(out, "%s", limit_table[lead->a].name);
	else
		text_add(out, "%s + %s", limit_table[f->a].name, limit_table[f->b].name);
}

void study_sentence(const struct study *t, struct text *out)
{
	const struct finding *f = study_first(t), *cause = f ? study_behind(t, f) : NULL;

	text_add(out, "%s", t->stopped ? "so far: " : "");
	if (f)
		add_first(t, f, out);
	else if (t->stopped)
		text_add(out, "no limit is known whose removal saves 3 %% of the cycles");
	else
		text_add(out, "no single limit dominates: removing any one limit saves less than 3 %% of the cycles");
	if (cause) {
		const struct finding *lead = study_lead(t, f);

		text_add(out, "; behind %s, ", !lead || limit_table[lead->a].many ? "them" : "it");
		add_saving(t, cause, out);
	}
}
