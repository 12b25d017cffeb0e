/*
 * effects_cone.c - what comes in another cycle if an answer came at once, by hard reasons alone, and why an event lies
 * in the cone (effects.h).
 *
 * Each moment has the cycles by which it may move, an interval. It follows from those of the causes: the last of them
 * decides, so what has time to spare absorbs a move. An issue then takes the next slot of its scheduler that is free or
 * that it would be given. Who goes first where several are ready follows from the order policy, as far as it is gto or
 * lrr; of others both may. Intervals only grow, in passes over all moments, until none does.
 */
#include "effects_internal.h"

#include "policy.h"

#define MOST_PASSES 100
#define FAR 3000  /* cycles: no interval is wider */
#define STEPS 200 /* slots of a scheduler that are looked through for a place */

struct cone_walk {
	const struct effects_record *r;
	u32 *at; /* the moment + 1, by sub-core and cycle; 0: none */
	u64 cycles;
	i32 *low, *high;
	u8 *edge;
	bool *in;
	enum { ORDER_GTO, ORDER_LRR, ORDER_OTHER } order;
	u32 contexts;
	bool grew;
};

static i32 bound(i64 x)
{
	return (i32)(x < -FAR ? -FAR : x > FAR ? FAR : x);
}

/* By how much may a moment move because of what it waits for? Of the causes that move and decide, the last. */
static void follow_causes(const struct cone_walk *c, u32 i, i32 *low, i32 *high, u8 *edge)
{
	const struct moment *m = &c->r->moment[i];
	i64 was = 0, first = 0, last = 0, most = -1;

	for (u32 k = 0; k < m->n; k++) {
		const struct cause *x = &c->r->cause[m->first + k];
		i64 at = (i64)c->r->moment[x->of].at + x->lag;
		i32 a = c->low[x->of], b = c->high[x->of];

		if (m->kind == MOMENT_END && x->of == c->r->moment[c->r->seed].answer)
			a = b = 0; /* it still comes */
		was = at > was ? at : was;
		first = at + a > first ? at + a : first;
		last = at + b > last ? at + b : last;
		if ((a || b) && at > most) {
			most = at;
			*edge = x->edge;
		}
	}
	*low = bound(first - was);
	*high = bound(last - was);
}

/* A moment may move so, too. */
static void grow(struct cone_walk *c, u32 i, i64 low, i64 high, u32 edge)
{
	if (!c->in[i]) {
		if (!low && !high)
			return;
		c->in[i] = c->grew = true;
		c->edge[i] = (u8)edge;
		c->low[i] = bound(low);
		c->high[i] = bound(high);
	} else if (bound(low) < c->low[i] || bound(high) > c->high[i]) {
		c->low[i] = bound(low) < c->low[i] ? bound(low) : c->low[i];
		c->high[i] = bound(high) > c->high[i] ? bound(high) : c->high[i];
		c->grew = true;
	}
}

/* The issue of a scheduler in a cycle, NULL: none. */
static const struct moment *slot_at(const struct cone_walk *c, const struct moment *m, i64 cycle)
{
	u32 i = cycle < 0 || cycle >= (i64)c->cycles
			? 0
			: c->at[(u64)(m->sm * MAX_SUBCORES + m->sub) * c->cycles + (u64)cycle];

	return i ? &c->r->moment[i - 1] : NULL;
}

/* The last issue of a scheduler before a cycle. */
static const struct moment *slot_before(const struct cone_walk *c, const struct moment *m, i64 cycle)
{
	const struct moment *x = NULL;

	for (u32 k = 0; k < 64 && !x; k++)
		x = slot_at(c, m, --cycle);
	return x;
}

/* If both are ready in a cycle, does x go before y, which issued in it? */
static bool goes_first(const struct cone_walk *c, const struct moment *x, const struct moment *y, i64 cycle)
{
	const struct moment *last = slot_before(c, y, cycle);

	if (x->warp == y->warp)
		return x->at < y->at;
	if (c->order == ORDER_OTHER || !last)
		return true;
	if (c->order == ORDER_LRR)
		return (x->warp + c->contexts - last->warp - 1) % c->contexts <
		       (y->warp + c->contexts - last->warp - 1) % c->contexts;
	if (last->warp == y->warp)
		return false;
	return last->warp == x->warp || x->age < y->age;
}

/* The cycle in which an issue finds a slot, if it is ready in a cycle. */
static i64 find_slot(const struct cone_walk *c, const struct moment *m, i64 from)
{
	for (u32 k = 0; k < STEPS; k++, from++) {
		const struct moment *y = slot_at(c, m, from);

		if (!y || y == m || goes_first(c, m, y, from))
			return from;
	}
	return from;
}

static void move(struct cone_walk *c, u32 i)
{
	const struct moment *m = &c->r->moment[i];
	i64 at = (i64)(m->at - c->r->from), ready = (i64)(m->ready - c->r->from), a, b;
	i32 low, high;
	u8 edge = EFFECT_ORDER;

	follow_causes(c, i, &low, &high, &edge);
	if (m->kind != MOMENT_ISSUE || (!low && !high)) {
		grow(c, i, low, high, edge);
		return;
	}
	a = m->piped ? ready + low : find_slot(c, m, ready + low);
	b = m->piped ? at + high : find_slot(c, m, ready + high);
	grow(c, i, (a < b ? a : b) - at, (a < b ? b : a) - at, edge);
}

void effects_cone(const struct sim *sim, const struct effects_record *r, struct reach *out)
{
	const char *order = policy_one(sim->m, POLICY_order)->name;
	struct cone_walk c = {.r = r,
			      .cycles = r->until - r->from + 1,
			      .low = xcalloc(r->n + 1, sizeof(i32)),
			      .high = xcalloc(r->n + 1, sizeof(i32)),
			      .edge = xcalloc(r->n + 1, 1),
			      .in = xcalloc(r->n + 1, sizeof(bool)),
			      .contexts = sim->m->contexts,
			      .order = !strcmp(order, "gto")   ? ORDER_GTO
				       : !strcmp(order, "lrr") ? ORDER_LRR
							       : ORDER_OTHER};
	u32 answer = r->moment[r->seed].answer;

	c.at = xcalloc(sim_config(sim)->gpu_sms * MAX_SUBCORES * c.cycles, sizeof(*c.at));
	for (u32 i = 0; i < r->n; i++) {
		const struct moment *m = &r->moment[i];

		if (m->kind == MOMENT_ISSUE)
			c.at[(u64)(m->sm * MAX_SUBCORES + m->sub) * c.cycles + (m->at - r->from)] = i + 1;
	}
	if (answer != NONE32)
		c.low[answer] = c.high[answer] = bound((i64)r->moment[r->seed].at - (i64)r->moment[answer].at);
	c.grew = answer != NONE32;
	for (u32 pass = 0; c.grew && pass < MOST_PASSES; pass++) {
		c.grew = false;
		for (u32 i = r->seed + 1; i < r->n; i++)
			if (i != answer)
				move(&c, i);
	}
	free(c.at);
	free(c.low);
	free(c.high);
	*out = (struct reach){.edge = c.edge, .in = c.in};
}

/* The edge of the last of its causes that lie in the cone; EFFECT_OTHER: none does. */
static u8 why_cause(const struct effects_record *r, const bool *in, const struct moment *m)
{
	i64 last = -1;
	u8 edge = EFFECT_OTHER;

	for (u32 k = 0; k < m->n; k++) {
		const struct cause *x = &r->cause[m->first + k];
		i64 at = (i64)r->moment[x->of].at + x->lag;

		if (at > last && (in[x->of] || x->of == r->moment[r->seed].answer)) {
			last = at;
			edge = x->edge;
		}
	}
	return edge;
}

u8 effects_why(const struct effects_record *r, const bool *in, u32 i, bool waits)
{
	const struct moment *m = &r->moment[i];
	u8 edge = waits ? EFFECT_OTHER : why_cause(r, in, m);

	if (edge != EFFECT_OTHER)
		return edge;
	if (m->kind == MOMENT_ISSUE)
		return m->piped ? EFFECT_PIPE : waits ? EFFECT_SLOT : EFFECT_OTHER;
	if (m->kind != MOMENT_ANSWER)
		return EFFECT_OTHER;
	return m->missed ? EFFECT_MEMORY : class_table[m->class].unit == UNIT_LSU ? EFFECT_LSU : EFFECT_PIPE;
}

void effects_reach_free(struct reach *x)
{
	free(x->edge);
	free(x->in);
	free(x->hard);
}
