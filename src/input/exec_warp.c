/*
 * exec_warp.c - instructions between the lanes of a warp: shfl, vote, match, redux, activemask; and barriers' operands.
 *
 * Every lane reads the lanes that exchange with it and stand in its own member mask: those that execute with it or,
 * where lanes wait for each other (meet.h), stand elsewhere in an instruction of the same kind. A shfl whose source
 * lane does not gives the lane's own value, which PTX leaves open. Source: PTX ISA 8.x, sections 9.7.9 (shfl.sync)
 * and 9.7.13 (vote, match, redux, activemask, bar).
 */
#include "exec_internal.h"
#include "uses.h"

/* What every instruction here works on. */
struct warp_work {
	const u32 *a, *b, *c; /* the sources before the member mask */
	const u32 *member;
	u32 mask;	       /* lanes that execute */
	u32 value[WARP_LANES]; /* results */
	u32 flag;	       /* the predicate that goes with them */
};

u32 shfl_lane(u32 op, u32 l, u32 b, u32 c, bool *within)
{
	u32 segment = c >> 8 & 31, first = l & segment, last = first | (c & 31 & ~segment);
	i32 j;

	switch (op) {
	case OP_SHFL_UP: j = (i32)l - (i32)(b & 31); break;
	case OP_SHFL_DOWN: j = (i32)(l + (b & 31)); break;
	case OP_SHFL_BFLY: j = (i32)(l ^ (b & 31)); break;
	default: j = (i32)(first | (b & 31 & ~segment)); break;
	}
	*within = op == OP_SHFL_UP ? j >= (i32)last : j <= (i32)last;
	return *within ? (u32)j : l;
}

static void warp_shfl(const struct inst *in, struct warp_work *w)
{
	LANES_EACH (l, w->mask) {
		bool within;
		u32 j = shfl_lane(in->op, l, w->b[l], w->c[l], &within);

		w->value[l] = w->a[(w->mask & w->member[l]) >> j & 1 ? j : l];
		w->flag |= (u32)within << l;
	}
}

/* Votes over one predicate: a is its lane mask. */
static void warp_vote(const struct inst *in, struct warp_work *w)
{
	LANES_EACH (l, w->mask) {
		u32 all = w->mask & w->member[l], yes = *w->a & all;
		bool flag = in->op == OP_VOTE_ALL ? yes == all : in->op == OP_VOTE_ANY ? yes != 0 : !yes || yes == all;

		w->value[l] = yes;
		w->flag |= (u32)flag << l;
	}
}

static bool is_pair(const struct inst *in)
{
	return in->op == OP_MATCH_ANY_64 || in->op == OP_MATCH_ALL_64;
}

/* Lanes in `among` whose value is lane l's. */
static u32 match_lanes(const struct warp_work *w, bool pair, u32 l, u32 among)
{
	u32 same = 0;

	LANES_EACH (k, among)
		if (w->a[k] == w->a[l] && (!pair || w->a[WARP_LANES + k] == w->a[WARP_LANES + l]))
			same |= 1u << k;
	return same;
}

static void warp_match(const struct inst *in, struct warp_work *w)
{
	bool all = in->op == OP_MATCH_ALL_32 || in->op == OP_MATCH_ALL_64;

	LANES_EACH (l, w->mask) {
		u32 among = w->mask & w->member[l], same = match_lanes(w, is_pair(in), l, among);

		w->value[l] = !all || same == among ? same : 0;
		w->flag |= (u32)(same == among) << l;
	}
}

/* One step of a reduction. */
static u32 redux_step(u16 op, u32 x, u32 y)
{
	switch (op) {
	case OP_REDUX_ADD: return x + y;
	case OP_REDUX_MIN_S: return (i32)x < (i32)y ? x : y;
	case OP_REDUX_MIN_U: return x < y ? x : y;
	case OP_REDUX_MAX_S: return (i32)x > (i32)y ? x : y;
	case OP_REDUX_MAX_U: return x > y ? x : y;
	case OP_REDUX_AND: return x & y;
	case OP_REDUX_OR: return x | y;
	default: return x ^ y;
	}
}

static void warp_redux(const struct inst *in, struct warp_work *w)
{
	LANES_EACH (l, w->mask) {
		u32 among = w->mask & w->member[l], first = among ? (u32)__builtin_ctz(among) : l;
		u32 v = w->a[first];

		LANES_EACH (k, among & (among - 1))
			v = redux_step(in->op, v, w->a[k]);
		w->value[l] = v;
	}
}

/* The results reach the destinations of the lanes that execute. */
static void warp_write(const struct front_env *env, const struct inst *in, const struct warp_work *w)
{
	exec_register_write(env, in->dst[0], w->value, 1, w->mask);
	exec_predicate_write(env, in->dst[0], w->flag, w->mask);
	if (in->ndst > 1)
		exec_predicate_write(env, in->dst[1], w->flag, w->mask);
}

/* Room for the sources of an instruction. */
struct warp_sources {
	struct lane_operand a, b, c, member;
};

/* The sources of an instruction. */
static void warp_read(const struct front_env *env, const struct inst *in, struct warp_work *w,
		      struct warp_sources *room)
{
	w->a = exec_source(env, in, 0, is_pair(in) ? 'd' : 'w', &room->a);
	w->member = exec_source(env, in, in->nsrc - 1u, 'w', &room->member);
	if (op_is_shfl(in->op)) {
		w->b = exec_source(env, in, 1, 'w', &room->b);
		w->c = exec_source(env, in, 2, 'w', &room->c);
	}
}

/* The results, from the sources. */
static void warp_compute(const struct inst *in, struct warp_work *w)
{
	if (op_is_shfl(in->op))
		warp_shfl(in, w);
	else if (in->op <= OP_VOTE_BALLOT)
		warp_vote(in, w);
	else if (in->op <= OP_MATCH_ALL_64)
		warp_match(in, w);
	else
		warp_redux(in, w);
}

void warp_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	struct warp_work w = {.mask = r->mask};
	struct warp_sources room;

	if (in->op == OP_ACTIVEMASK) {
		LANES_EACH (l, r->mask)
			w.value[l] = r->mask;
	} else {
		warp_read(env, in, &w, &room);
		warp_compute(in, &w);
	}
	warp_write(env, in, &w);
}

/* Lanes of one path bring their sources. */
static void bring(const struct front_env *env, const struct inst *in, u32 mask, struct warp_sources *all)
{
	struct warp_sources room;
	struct warp_work w;

	warp_read(env, in, &w, &room);
	if (in->op >= OP_VOTE_ALL && in->op <= OP_VOTE_BALLOT)
		all->a.word[0] |= *w.a & mask;
	LANES_EACH (l, mask) {
		if (in->op < OP_VOTE_ALL || in->op > OP_VOTE_BALLOT)
			all->a.word[l] = w.a[l];
		if (is_pair(in))
			all->a.word[WARP_LANES + l] = w.a[WARP_LANES + l];
		if (op_is_shfl(in->op)) {
			all->b.word[l] = w.b[l];
			all->c.word[l] = w.c[l];
		}
		all->member.word[l] = w.member[l];
	}
}

void warp_meet(const struct front_env *env, const struct inst *in, const struct meet *m)
{
	struct warp_sources all = {.a = {{0}}};
	struct warp_work w = {.a = all.a.word, .b = all.b.word, .c = all.c.word, .member = all.member.word};

	w.mask = m->go;
	bring(env, in, m->here & m->go, &all);
	for (u32 i = 0; i < m->nparts; i++)
		bring(env, m->part[i].in, m->part[i].mask, &all);
	warp_compute(in, &w);
	w.mask = m->here & m->go;
	warp_write(env, in, &w);
	for (u32 i = 0; i < m->nparts; i++) {
		w.mask = m->part[i].mask;
		warp_write(env, m->part[i].in, &w);
	}
}

/* Refuse a barrier's operand. */
static void barrier_fault(struct front_result *r, enum fault_kind fault, u32 value)
{
	r->fault = (u8)fault;
	r->fault_lane = (u8)__builtin_ctz(r->mask);
	r->fault_address = value;
}

void front_check_barrier(const struct launch *l, u32 number, struct front_result *r)
{
	if (!r->mask)
		return;
	if (number >= MAX_BARRIERS)
		barrier_fault(r, FAULT_BARRIER_NUMBER, number);
	else if (r->threads % WARP_LANES || r->threads > l->warps * WARP_LANES)
		barrier_fault(r, FAULT_BARRIER_COUNT, r->threads);
}

void barrier_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	u32 first, number = in->barrier;
	struct lane_operand room;

	r->threads = r->votes = 0;
	r->barrier = in->barrier;
	if (!r->mask || !in->nsrc)
		return;
	first = (u32)__builtin_ctz(r->mask);
	if (in->src[0].kind != OPERAND_NONE)
		number = exec_source(env, in, 0, 'w', &room)[first];
	r->barrier = (u8)number;
	if (in->nsrc > 1 && in->src[1].kind != OPERAND_NONE) {
		r->threads = exec_source(env, in, 1, 'w', &room)[first];
		if (!r->threads)
			barrier_fault(r, FAULT_BARRIER_COUNT, 0);
	}
	if (in->op == OP_BAR_RED)
		r->votes = *exec_source(env, in, 2, 'p', &room) & r->mask;
	front_check_barrier(env->launch, number, r);
}

void barrier_deliver(const struct inst *in, u32 *regs, u32 *preds, u32 mask, u32 threads, u32 votes)
{
	const struct front_env env = {.regs = regs, .preds = preds};
	bool flag = in->aux == BAR_RED_AND ? votes == threads : votes != 0;
	u32 value[WARP_LANES];

	if (in->dst[0].kind != OPERAND_REG) {
		exec_predicate_write(&env, in->dst[0], flag ? ~0u : 0, mask);
		return;
	}
	for (u32 l = 0; l < WARP_LANES; l++)
		value[l] = votes;
	exec_register_write(&env, in->dst[0], value, 1, mask);
}
