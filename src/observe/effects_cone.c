/*
 * effects_cone.c - what may come in another cycle if an answer came at once (effects.h).
 *
 * Each moment has the cycles by which it may move, an interval. Along hard edges it follows from those of the causes:
 * the last of them decides, so what has time to spare absorbs a move. Where moments share a place (issue slots of a
 * scheduler, the pipeline of a sub-core, the LSU of an SM, an L2 slice, a DRAM channel), one that comes to another
 * cycle may push others from it, and leaves its own cycle to one that waits. Who goes first where several are ready
 * follows from the order policy, as far as it is gto or lrr; of others both may. Intervals only grow, in passes over
 * all moments, until none does.
 */
#include "effects_internal.h"

#include "policy.h"

#define MOST_PASSES 100
#define FAR 3000     /* cycles: no interval is wider */
#define PIPE_NEAR 2  /* cycles within which instructions of a sub-core meet in its pipeline */
#define SLICE_NEAR 1 /* the same of an L2 slice, */
#define DRAM_NEAR 24 /* and of a DRAM channel */
#define WIDE 8
#define STEPS 200 /* slots of a scheduler that are looked through for a place */

/* The moments that share a place, by cycle: sums over cycles. */
struct lane {
	u32 *taken; /* of those that were recorded; */
	u32 *leave; /* of these that may move; */
	u32 *enter; /* of those that may come there */
	bool any;
};
enum lane_kind { LANE_SLOT, LANE_LSU, LANE_SLICE, LANE_DRAM, LANE_KINDS };
struct cone {
	const struct effects_record *r;
	struct lane *lane[LANE_KINDS];
	u32 lanes[LANE_KINDS];
	u32 *at; /* of the slots of schedulers: the moment + 1, by sub-core and cycle; 0: none */
	u64 cycles;
	i32 *low, *high;
	u8 *edge;
	bool *in;
	enum { ORDER_GTO, ORDER_LRR, ORDER_OTHER } order;
	u32 contexts;
	bool grew, hard;
};

static i32 bound(i64 x)
{
	return (i32)(x < -FAR ? -FAR : x > FAR ? FAR : x);
}

static bool is_memory(const struct moment *m)
{
	return class_table[m->class].unit == UNIT_LSU;
}

/* The lane of a kind in which an issue is, and its cycle there; NULL: in none. */
static struct lane *lane_of(const struct cone *c, const struct moment *m, u32 kind, i64 *at)
{
	u64 cycle = kind == LANE_SLOT ? m->at : kind == LANE_LSU ? m->access : kind == LANE_SLICE ? m->l2 : m->dram;
	u32 n = kind == LANE_SLOT    ? m->sm * MAX_SUBCORES + m->sub
		: kind == LANE_LSU   ? m->sm
		: kind == LANE_SLICE ? m->slice
				     : m->channel;

	*at = (i64)(cycle - c->r->from);
	return cycle ? &c->lane[kind][n] : NULL;
}

/* Members of a set of cycles [from, to], which need not lie within those recorded. */
static u32 among(const struct cone *c, const u32 *sums, i64 from, i64 to)
{
	i64 last = (i64)c->cycles - 1;

	from = from < 0 ? 0 : from;
	to = to > last ? last : to;
	return from > to ? 0 : sums[to + 1] - sums[from];
}

static void lane_note(struct lane *l, const struct cone *c, i64 at, i32 low, i32 high)
{
	i64 last = (i64)c->cycles - 1, from = at + low, to = at + high;

	l->any = true;
	if (at >= 0 && at <= last)
		l->leave[at + 1]++;
	for (from = from < 0 ? 0 : from, to = to > last ? last : to; from <= to; from++)
		l->enter[from + 1]++;
}

/* Does a moment certainly come in another cycle? */
static bool is_away(const struct cone *c, u32 i)
{
	return c->in[i] && (c->low[i] > 0 || c->high[i] < 0);
}

/* Does it press upon others? What may stay as well only does if it may come far away. */
static bool presses(const struct cone *c, u32 i)
{
	return is_away(c, i) || (c->in[i] && c->high[i] - c->low[i] >= WIDE);
}

/* Where moments that may move were, and where they may come. */
static void note_places(struct cone *c)
{
	for (u32 k = 0; k < LANE_KINDS; k++)
		for (u32 n = 0; n < c->lanes[k]; n++) {
			memset(c->lane[k][n].leave, 0, (c->cycles + 1) * sizeof(u32));
			memset(c->lane[k][n].enter, 0, (c->cycles + 1) * sizeof(u32));
		}
	for (u32 i = 0; i < c->r->n; i++) {
		const struct moment *m = &c->r->moment[i];

		for (u32 k = 0; k < LANE_KINDS && m->kind == MOMENT_ISSUE && presses(c, i); k++) {
			i64 at;
			struct lane *l = lane_of(c, m, k, &at);

			if (l)
				lane_note(l, c, at, c->low[i], c->high[i]);
		}
	}
	for (u32 k = 0; k < LANE_KINDS; k++)
		for (u32 n = 0; n < c->lanes[k]; n++)
			for (u64 t = 0; c->lane[k][n].any && t < c->cycles; t++) {
				c->lane[k][n].leave[t + 1] += c->lane[k][n].leave[t];
				c->lane[k][n].enter[t + 1] += c->lane[k][n].enter[t];
			}
}

/* By how much may a moment move because of what it waits for? Of the causes that move and decide, the last. */
static void follow_causes(const struct cone *c, u32 i, i32 *low, i32 *high, u8 *edge)
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
static void grow(struct cone *c, u32 i, i64 low, i64 high, u32 edge)
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
static const struct moment *slot_at(const struct cone *c, const struct moment *m, i64 cycle)
{
	u32 i = cycle < 0 || cycle >= (i64)c->cycles
			? 0
			: c->at[(u64)(m->sm * MAX_SUBCORES + m->sub) * c->cycles + (u64)cycle];

	return i ? &c->r->moment[i - 1] : NULL;
}

/* The last issue of a scheduler before a cycle. */
static const struct moment *slot_before(const struct cone *c, const struct moment *m, i64 cycle)
{
	const struct moment *x = NULL;

	for (u32 k = 0; k < 64 && !x; k++)
		x = slot_at(c, m, --cycle);
	return x;
}

/* If both are ready in a cycle, does x go before y, which issued in it? */
static bool goes_first(const struct cone *c, const struct moment *x, const struct moment *y, i64 cycle)
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

/* The cycle in which an issue finds a slot, if it is ready in a cycle; leaves: slots that may be left count as free. */
static i64 find_slot(const struct cone *c, const struct moment *m, i64 from, bool leaves)
{
	const struct lane *l = &c->lane[LANE_SLOT][m->sm * MAX_SUBCORES + m->sub];

	for (u32 k = 0; k < STEPS; k++, from++) {
		const struct moment *y = slot_at(c, m, from);

		if (!y || y == m || goes_first(c, m, y, from) || (leaves && l->any && among(c, l->leave, from, from)))
			return from;
	}
	return from;
}

/* Was a slot left by another that this one waited for, and is it the next to take it? */
static i64 slot_left(const struct cone *c, const struct lane *l, const struct moment *m)
{
	i64 at = (i64)(m->at - c->r->from), ready = (i64)(m->ready - c->r->from);

	for (i64 t = ready; t < at; t++) {
		bool next = among(c, l->leave, t, t) != 0;

		for (i64 k = t + 1; k < at && next; k++) {
			const struct moment *y = slot_at(c, m, k);

			next = !y || (i64)(y->ready - c->r->from) > t;
		}
		if (next)
			return t;
	}
	return at;
}

/* The access before a cycle: who is served next where several wait depends on it. */
static i64 before_lsu(const struct cone *c, const struct lane *l, i64 cycle)
{
	while (cycle > 0 && !among(c, l->taken, cycle, cycle))
		cycle--;
	return cycle;
}

/* An issue. */
static void move_issue(struct cone *c, u32 i)
{
	const struct moment *m = &c->r->moment[i];
	const struct lane *l = &c->lane[LANE_SLOT][m->sm * MAX_SUBCORES + m->sub];
	i64 at = (i64)(m->at - c->r->from), ready = (i64)(m->ready - c->r->from), a, b;
	i32 low, high;
	u8 edge = EFFECT_ORDER;

	follow_causes(c, i, &low, &high, &edge);
	if (low || high) {
		a = m->piped ? ready + low : find_slot(c, m, ready + low, true);
		b = m->piped ? at + high : find_slot(c, m, ready + high, false);
		grow(c, i, (a < b ? a : b) - at, (a < b ? b : a) - at, edge);
	}
	if (m->piped) {
		const struct lane *u = &c->lane[LANE_LSU][m->sm];
		u32 n = l->any ? among(c, l->leave, ready - 2, at) + among(c, l->enter, ready - 2, at) : 0;

		if (u->any)
			n += among(c, u->leave, before_lsu(c, u, ready - 4), at + 2) +
			     among(c, u->enter, before_lsu(c, u, ready - 4), at + 2);
		n = min_u32(n, 4);
		if (n)
			grow(c, i, low - (i64)n, high + (i64)n, EFFECT_PIPE);
	} else if (l->any && ready < at && among(c, l->leave, ready, at - 1)) {
		a = slot_left(c, l, m);
		if (a < at)
			grow(c, i, a - at, 0, EFFECT_SLOT);
	}
}

/* Those that a moved issue pushes from their slots. */
static void push_others(struct cone *c, u32 i)
{
	const struct moment *m = &c->r->moment[i];
	i64 at = (i64)(m->at - c->r->from);

	for (i64 t = at + c->low[i]; t <= at + c->high[i]; t++) {
		const struct moment *y = slot_at(c, m, t);
		i64 was, to;

		if (!y || y == m || y->warp == m->warp || !goes_first(c, m, y, t))
			continue;
		if (is_away(c, (u32)(y - c->r->moment)))
			continue;
		was = (i64)(y->at - c->r->from);
		to = find_slot(c, y, was + 1, true);
		grow(c, (u32)(y - c->r->moment), c->low[i] == c->high[i] ? to - was : 0, to - was, EFFECT_SLOT);
	}
}

/* An answer: what it waits for, and what others do to its way. */
static void move_answer(struct cone *c, u32 i)
{
	static const u8 near[] = {[LANE_SLOT] = PIPE_NEAR, [LANE_SLICE] = SLICE_NEAR, [LANE_DRAM] = DRAM_NEAR};
	static const u8 why[] = {[LANE_SLOT] = EFFECT_PIPE,
				 [LANE_LSU] = EFFECT_LSU,
				 [LANE_SLICE] = EFFECT_MEMORY,
				 [LANE_DRAM] = EFFECT_MEMORY};
	const struct moment *m = &c->r->moment[i], *issue = &c->r->moment[c->r->cause[m->first].of];
	i32 low, high;
	u8 edge = EFFECT_LATENCY;

	follow_causes(c, i, &low, &high, &edge);
	grow(c, i, low, high, edge);
	for (u32 k = 0; k < LANE_KINDS; k++) {
		i64 at, d = k == LANE_LSU ? issue->lines : near[k];
		const struct lane *l = lane_of(c, issue, k, &at);
		u32 n;

		if (!l || !l->any || (k == LANE_SLOT && is_memory(m)))
			continue;
		n = among(c, l->leave, at - d, at + d) + among(c, l->enter, at - d, at + d);
		if (presses(c, c->r->cause[m->first].of))
			n = n > 2 ? n - 2 : 0; /* itself */
		if (!n)
			continue;
		n = min_u32(n, k == LANE_DRAM ? 40 : k == LANE_SLOT ? 1 : 4);
		grow(c, i, low - (i64)n, high + (i64)n, why[k]);
	}
}

static void move(struct cone *c, u32 i)
{
	i32 low, high;
	u8 edge = EFFECT_ORDER;

	switch (c->r->moment[i].kind) {
	case MOMENT_ISSUE:
		move_issue(c, i);
		if (!c->hard && presses(c, i))
			push_others(c, i);
		break;
	case MOMENT_ANSWER: move_answer(c, i); break;
	default:
		follow_causes(c, i, &low, &high, &edge);
		grow(c, i, low, high, edge);
		break;
	}
}

static void open_lanes(struct cone *c, const struct config *config)
{
	c->lanes[LANE_SLOT] = config->gpu_sms * MAX_SUBCORES;
	c->lanes[LANE_LSU] = config->gpu_sms;
	c->lanes[LANE_SLICE] = config->l2_slices + 1;
	c->lanes[LANE_DRAM] = config->dram_channels + 1;
	c->at = xcalloc(c->lanes[LANE_SLOT] * c->cycles, sizeof(*c->at));
	for (u32 k = 0; k < LANE_KINDS; k++) {
		c->lane[k] = xcalloc(c->lanes[k], sizeof(*c->lane[k]));
		for (u32 n = 0; n < c->lanes[k]; n++) {
			c->lane[k][n].leave = xcalloc(c->cycles + 1, sizeof(u32));
			c->lane[k][n].enter = xcalloc(c->cycles + 1, sizeof(u32));
		}
	}
	for (u32 n = 0; n < c->lanes[LANE_LSU]; n++)
		c->lane[LANE_LSU][n].taken = xcalloc(c->cycles + 1, sizeof(u32));
	for (u32 i = 0; i < c->r->n; i++) {
		const struct moment *m = &c->r->moment[i];

		if (m->kind == MOMENT_ISSUE && m->access && m->access <= c->r->until)
			c->lane[LANE_LSU][m->sm].taken[m->access - c->r->from + 1]++;
		if (m->kind == MOMENT_ISSUE)
			c->at[(u64)(m->sm * MAX_SUBCORES + m->sub) * c->cycles + (m->at - c->r->from)] = i + 1;
	}
	for (u32 n = 0; n < c->lanes[LANE_LSU]; n++)
		for (u64 t = 0; t < c->cycles; t++)
			c->lane[LANE_LSU][n].taken[t + 1] += c->lane[LANE_LSU][n].taken[t];
}

static void close_lanes(struct cone *c)
{
	for (u32 k = 0; k < LANE_KINDS; k++) {
		for (u32 n = 0; n < c->lanes[k]; n++) {
			free(c->lane[k][n].taken);
			free(c->lane[k][n].leave);
			free(c->lane[k][n].enter);
		}
		free(c->lane[k]);
	}
	free(c->at);
}

void effects_cone(const struct sim *sim, const struct effects_record *r, bool hard, struct reach *out)
{
	const char *order = policy_one(sim->m, POLICY_order)->name;
	struct cone c = {.r = r,
			 .cycles = r->until - r->from + 1,
			 .low = xcalloc(r->n + 1, sizeof(i32)),
			 .high = xcalloc(r->n + 1, sizeof(i32)),
			 .edge = xcalloc(r->n + 1, 1),
			 .in = xcalloc(r->n + 1, sizeof(bool)),
			 .contexts = sim->m->contexts,
			 .hard = hard,
			 .order = !strcmp(order, "gto")	  ? ORDER_GTO
				  : !strcmp(order, "lrr") ? ORDER_LRR
							  : ORDER_OTHER};
	u32 answer = r->moment[r->seed].answer;

	open_lanes(&c, sim_config(sim));
	if (answer != NONE32)
		c.low[answer] = c.high[answer] = bound((i64)r->moment[r->seed].at - (i64)r->moment[answer].at);
	c.grew = answer != NONE32;
	for (u32 pass = 0; c.grew && pass < MOST_PASSES; pass++) {
		c.grew = false;
		if (!hard)
			note_places(&c);
		for (u32 i = r->seed + 1; i < r->n; i++)
			if (i != answer)
				move(&c, i);
	}
	close_lanes(&c);
	free(c.low);
	free(c.high);
	*out = (struct reach){.edge = c.edge, .in = c.in};
}

void effects_reach_free(struct reach *x)
{
	free(x->edge);
	free(x->in);
	free(x->hard);
}
