/* effects.c - the cone of an answer, and what an experiment says of it (effects.h). */
#include "effects_internal.h"
#include "ops.h"

#define BEFORE 3000  /* cycles before the issue that are recorded, too: what is in flight then is known */
#define LAST_TRIAL 8 /* in trials the answer comes 2, 4, ... cycles behind the issue, up to this */
#define MORE 2000    /* cycles that others are recorded longer, so that what comes later is met */

const struct effect_row effect_table[EFFECT_EDGES] = {
#define EDGE(id, row_name, row_letter, row_hard, row_doc) \
	[EFFECT_##id] = {.name = row_name, .doc = row_doc, .letter = row_letter, .hard = row_hard},
#include "effects.def"
#undef EDGE
};

/* What people count of the moments; EFFECT_KINDS: it is not counted. */
static u32 kind_of(const struct moment *m)
{
	static const u8 kind[] = {[MOMENT_ISSUE] = EFFECT_ISSUES,
				  [MOMENT_ANSWER] = EFFECT_ANSWERS,
				  [MOMENT_END] = EFFECT_ENDS,
				  [MOMENT_RELEASE] = EFFECT_KINDS,
				  [MOMENT_START] = EFFECT_KINDS};

	return kind[m->kind];
}

/* --- the same moment of two runs --- */

/* A name of a moment that does not depend on when it happens. */
struct name {
	u64 a, b;
	u32 i;
};

static int by_name(const void *pa, const void *pb)
{
	const struct name *a = pa, *b = pb;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return (a->b > b->b) - (a->b < b->b);
}

static struct name *names_of(const struct effects_record *r, u32 *n)
{
	struct name *x = xcalloc(r->n + 1, sizeof(*x));

	*n = 0;
	for (u32 i = 0; i < r->n; i++) {
		const struct moment *m = &r->moment[i];

		if (kind_of(m) == EFFECT_KINDS)
			continue;
		x[(*n)++] = (struct name){.a = (u64)m->turn << 48 | (u64)m->launch << 32 | m->cta,
					  .b = (u64)m->kind << 56 | (u64)m->index << 32 | m->ordinal,
					  .i = i};
	}
	qsort(x, *n, sizeof(*x), by_name);
	return x;
}

/* Which moments come in another cycle of the other run, or in none; waits: of issues, does only the wait differ behind
 * the cycle in which the warp was ready? */
static bool *changes(const struct effects_record *r, const struct effects_record *other, bool *waits)
{
	bool *changed = xcalloc(r->n + 1, sizeof(*changed));
	u32 n, m, k = 0;
	struct name *a = names_of(r, &n), *b = names_of(other, &m);

	for (u32 i = 0; i < n; i++) {
		const struct moment *x = &r->moment[a[i].i], *y;

		while (k < m && by_name(&b[k], &a[i]) < 0)
			k++;
		y = k == m || by_name(&b[k], &a[i]) ? NULL : &other->moment[b[k].i];
		changed[a[i].i] = !y || y->at != x->at;
		if (waits && y)
			waits[a[i].i] |= x->kind == MOMENT_ISSUE && y->at != x->at && y->ready == x->ready;
	}
	free(a);
	free(b);
	return changed;
}

/* --- */

/* Does a moment count: it lies behind the issue, and is not the answer itself? */
static bool counts(const struct effects_record *r, u32 i)
{
	return i > r->seed && i != r->moment[r->seed].answer && kind_of(&r->moment[i]) != EFFECT_KINDS;
}

static void collect(const struct effects_record *r, const struct reach *reach, struct effects *out)
{
	for (u32 i = 0; i < r->n; i++) {
		const struct moment *m = &r->moment[i];

		if (!counts(r, i))
			continue;
		out->of[kind_of(m)]++;
		out->in[kind_of(m)] += reach->in[i];
		out->effect = array_grow(out->effect, out->n, sizeof(*out->effect));
		out->effect[out->n++] = (struct effect){.at = m->at,
							.launch = m->launch,
							.cta = m->cta,
							.pc = m->pc,
							.sm = m->sm,
							.warp = m->warp,
							.kind = (u8)kind_of(m),
							.edge = reach->edge[i],
							.in = reach->in[i],
							.hard = reach->hard[i]};
	}
}

/* A fork of some cycles before the issue is recorded; when: from then on the result comes early, `early` cycles behind
 * the issue, 0: at once. */
static enum status run(struct session *s, const struct effects *x, u64 until, u64 when, u64 early,
		       struct effects_record *r, struct error *e)
{
	struct at_once seed = {.sm = x->sm,
			       .context = x->warp,
			       .launch = x->launch,
			       .cta = x->cta,
			       .ordinal = x->ordinal,
			       .pc = x->pc,
			       .later = early != 0};
	struct sim fork;
	enum status st;
	u32 applied;

	timeline_fork(s->timeline, (struct position){x->issued > BEFORE ? x->issued - BEFORE : 0, 0}, &fork, &applied);
	st = effects_record(s, &fork, applied, until, &seed, x->issued, when, early, r, e);
	sim_close(&fork);
	return st;
}

/* Trials: forks in which the result comes 2, 4, 8 ... cycles behind the issue. What comes in another cycle in one of
 * them lies in the cone. */
static enum status try_others(struct session *s, const struct effects *x, u64 since, const struct effects_record *r,
			      struct reach *reach, bool *waits, struct error *e)
{
	u64 latency = x->answered - x->issued;
	enum status st = STATUS_OK;

	for (u64 early = 2; !st && early < latency && early <= LAST_TRIAL; early *= 2) {
		struct effects_record other = {0};
		bool *changed;

		st = run(s, x, r->until + MORE, since, early, &other, e);
		if (!st) {
			changed = changes(r, &other, waits);
			for (u32 i = 0; i < r->n; i++)
				reach->in[i] |= changed[i];
			free(changed);
		}
		effects_record_free(&other);
	}
	return st;
}

/* The experiment: the result comes at once. */
static enum status experiment(struct session *s, u64 since, const struct effects_record *r, const struct reach *reach,
			      struct effects *out, struct error *e)
{
	struct effects_record other;
	enum status st = run(s, out, r->until + MORE, since, 0, &other, e);
	bool *changed;

	if (!st) {
		changed = changes(r, &other, NULL);
		for (u32 i = 0; i < r->n; i++)
			if (counts(r, i) && changed[i]) {
				out->changed++;
				out->found += reach->in[i];
				out->hard += reach->hard[i];
			}
		out->checked = true;
		free(changed);
	}
	effects_record_free(&other);
	return st;
}

/* What lies in the cone: what moves along hard edges, and what moves in a trial; why: as far as it is known. */
static enum status find_reach(struct session *s, const struct effects *x, u64 since, const struct effects_record *r,
			      struct reach *reach, struct error *e)
{
	bool *waits = xcalloc(r->n + 1, sizeof(*waits));
	enum status st;

	effects_cone(&s->sim, r, reach);
	reach->hard = xcalloc(r->n + 1, sizeof(*reach->hard));
	memcpy(reach->hard, reach->in, r->n * sizeof(*reach->hard));
	st = try_others(s, x, since, r, reach, waits, e);
	for (u32 i = 0; i < r->n; i++)
		if (reach->in[i] && !reach->hard[i])
			reach->edge[i] = effects_why(r, reach->in, i, waits[i]);
	free(waits);
	return st;
}

/* Can the answer of what is followed be taken away? */
static enum status can_find(const struct session *s, const struct follow *f, struct error *e)
{
	const struct kernel *k = s->program.launch[f->launch].kernel;
	const struct inst *in = &k->inst[f->pc];
	const char *text = safe_text(kernel_text(k, f->pc));

	if (s->sim.m->parent_shift)
		return error_set(e, STATUS_FAILED, "effects: not available with warp.size below 32");
	if (in->op == OP_STEP)
		return error_set(e, STATUS_FAILED, "effects: not available for steps of synthetic kernels");
	if (!inst_writes(in))
		return error_set(e, STATUS_FAILED,
				 "nothing waits for an answer of %u: %s (choose an instruction that writes a register)",
				 f->pc, text);
	if (f->issued == NEVER)
		return error_set(e, STATUS_FAILED, "%u: %s does not issue within the cycles that were looked at", f->pc,
				 text);
	return STATUS_OK;
}

/* The cone from a record. */
static enum status find_from(struct session *s, const struct effects_record *r, u64 since, bool check,
			     struct effects *out, struct error *e)
{
	struct reach reach = {0};
	enum status st = find_reach(s, out, since, r, &reach, e);

	if (!st)
		collect(r, &reach, out);
	if (!st && check)
		st = experiment(s, since, r, &reach, out, e);
	effects_reach_free(&reach);
	return st;
}

enum status effects_find(struct session *s, const struct follow *f, u64 cycles, bool check, struct effects *out,
			 struct error *e)
{
	struct effects_record r = {0};
	enum status st = can_find(s, f, e);
	u32 answer;

	*out = (struct effects){.launch = f->launch,
				.cta = f->cta,
				.pc = f->pc,
				.sm = f->sm,
				.warp = f->warp,
				.ordinal = f->ordinal,
				.issued = f->issued};
	st = st ? st : run(s, out, f->issued + cycles, NEVER, 0, &r, e);
	answer = st || r.seed == NONE32 ? NONE32 : r.moment[r.seed].answer;
	if (!st && answer == NONE32)
		st = error_set(
			e, STATUS_FAILED,
			"no answer within %llu cycles behind its issue in cycle %llu (`for CYCLES` looks further)",
			cycles, f->issued);
	if (!st) {
		out->until = r.until;
		out->answered = r.moment[answer].at;
		st = find_from(s, &r, f->since, check, out, e);
	}
	effects_record_free(&r);
	if (st)
		effects_free(out);
	return st;
}

void effects_free(struct effects *x)
{
	free(x->effect);
	*x = (struct effects){0};
}

/* --- the cone that is kept --- */

static int by_warp(const void *pa, const void *pb)
{
	const struct effect *a = pa, *b = pb;

	if (a->sm != b->sm)
		return a->sm - b->sm;
	if (a->warp != b->warp)
		return a->warp - b->warp;
	return a->at != b->at ? (a->at < b->at ? -1 : 1) : 0;
}

void effects_keep(struct session *s, struct effects *x)
{
	struct cone *c = xcalloc(1, sizeof(*c));

	*c = (struct cone){.effect = x->effect,
			   .sm = x->sm,
			   .warp = x->warp,
			   .issued = x->issued,
			   .answered = x->answered,
			   .era = session_era(s)};
	for (u32 i = 0; i < x->n; i++)
		if (x->effect[i].in)
			c->effect[c->n++] = x->effect[i];
	if (c->n)
		qsort(c->effect, c->n, sizeof(*c->effect), by_warp);
	x->effect = NULL;
	x->n = 0;
	cone_free(s->cone);
	s->cone = c;
}

const struct cone *cone_now(const struct session *s)
{
	const struct cone *c = s->cone;

	return c && session_era_holds(s, c->era) ? c : NULL;
}

u32 cone_events(const struct cone *c, u32 sm, u32 warp, u64 from, u64 to, const struct effect **first)
{
	const struct effect least = {.sm = (u16)sm, .warp = (u16)warp, .at = from};
	u32 at = BISECT(i, c->n, by_warp(&c->effect[i], &least) < 0), n = 0;

	*first = &c->effect[at];
	while (at + n < c->n && c->effect[at + n].sm == sm && c->effect[at + n].warp == warp &&
	       c->effect[at + n].at <= to)
		n++;
	return n;
}

void cone_free(struct cone *c)
{
	if (c)
		free(c->effect);
	free(c);
}
