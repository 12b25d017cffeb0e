/*
 * functional.c - the program without time: launches one after the other, CTAs one after the other.
 *
 * The warps of a CTA take turns of a few instructions, so that one may wait for another in shared memory. Global
 * writes are applied after each instruction. What it leaves in memory is the reference for every timed run (law 13).
 * Deviation: `at`, `every` and `stream` of launches are not regarded; a grid-wide barrier can only reach max_steps.
 */
#include "front.h"
#include "simt.h"

#include <stdlib.h>
#include <string.h>

#define TURN 64		/* instructions of one warp before the next */
#define NO_BARRIER (-1)

struct functional_warp {
	struct simt_entry stack[SIMT_DEPTH];
	u32 depth;
	i32 barrier;	/* number waited at, NO_BARRIER */
	u32 barrier_mask; /* lanes that wait there, and the instruction that they wait in */
	const struct inst *barrier_inst;
	u32 iteration;	/* backward branches taken, for synthetic kernels */
	u32 *regs, *preds;
};

/* One of the barriers of a CTA. */
struct functional_barrier {
	u32 arrived, needed;	/* warps; needed 0: all that have not ended */
	u32 threads, votes;	/* of bar.red: threads that took part, and those whose predicate was true */
};

/* One CTA that runs, and what it counts into. */
struct functional_cta {
	const struct launch *launch;
	const struct program *program;
	struct store *store;
	struct functional_warp *warp;
	struct functional_barrier barrier[MAX_BARRIERS];
	u32 *values;	/* registers and predicates of all warps */
	u32 value_words;
	u8 *shared, *local, *params;
	u32 cta, ctaid[3];
	u64 steps_left;	/* ~0 = unbounded */
	struct functional_result count;
	struct error *error;
};

void launch_params(const struct launch *l, u32 iteration, u8 *out)
{
	u32 bytes = l->kernel->param_bytes, at = l->loop.iteration_param;

	if (bytes && l->param)
		memcpy(out, l->param, bytes);
	if (l->loop.present && at != ~0u && at + sizeof(iteration) <= bytes)
		memcpy(out + at, &iteration, sizeof(iteration));
}

/* An integer element of a host loop's condition, of any type but u64. */
static i64 host_loop_integer(u8 type, u64 raw)
{
	switch (type) {
	case VALUE_S8:	return (i8)raw;
	case VALUE_S16: return (i16)raw;
	case VALUE_S32: return (i32)raw;
	default:	return (i64)raw;
	}
}

/* -1, 0, 1: how the element that a host loop reads lies to its value; 2 for NaN. */
static int host_loop_compare(const struct host_loop *loop, const struct store *s)
{
	u64 raw = 0;
	double x = 0;
	float f;
	i64 v;

	store_read(s, loop->address, &raw, value_type_size[loop->type]);
	if (loop->type == VALUE_U64)
		return (raw > (u64)loop->value_int) - (raw < (u64)loop->value_int);
	if (loop->type != VALUE_F32 && loop->type != VALUE_F64) {
		v = host_loop_integer(loop->type, raw);
		return (v > loop->value_int) - (v < loop->value_int);
	}
	memcpy(&x, &raw, sizeof(x));
	memcpy(&f, &raw, sizeof(f));
	x = loop->type == VALUE_F32 ? (double)f : x;
	return x != x ? 2 : (x > loop->value_real) - (x < loop->value_real);
}

bool host_loop_again(const struct host_loop *loop, const struct store *s, u32 done)
{
	int order;

	if (!loop->present || done >= loop->max)
		return false;
	order = host_loop_compare(loop, s);
	switch (loop->compare) {
	case COMPARE_EQ: return order == 0;
	case COMPARE_NE: return order != 0;
	case COMPARE_LT: return order == -1;
	case COMPARE_LE: return order == -1 || order == 0;
	case COMPARE_GT: return order == 1;
	default: return order == 1 || order == 0;
	}
}

void host_loop_reset(const struct host_loop *loop, struct store *s)
{
	u64 left = loop->present ? loop->reset_bytes : 0, at = loop->reset_address;

	while (left) {
		u64 n = min_u64(left, STORE_PAGE);

		store_poke(s, at, store_zero_page, n);
		at += n;
		left -= n;
	}
}

/* Room for the warps of one CTA of a launch. */
static void cta_open(struct functional_cta *c)
{
	const struct launch *l = c->launch;
	const struct kernel *k = l->kernel;
	u32 regs = k->regs * WARP_LANES, words = round_up(regs + k->preds, 16);

	c->warp = xcalloc(l->warps, sizeof(*c->warp));
	c->value_words = words * l->warps;
	c->values = xcalloc(c->value_words + 1, sizeof(u32));
	c->shared = xcalloc(l->shared + 1, 1);
	c->local = xcalloc((size_t)k->local_bytes * l->warps * WARP_LANES + 1, 1);
	c->params = xcalloc(k->param_bytes + 1, 1);
	for (u32 w = 0; w < l->warps; w++) {
		c->warp[w].regs = c->values + (size_t)w * words;
		c->warp[w].preds = c->warp[w].regs + regs;
	}
}

static void cta_close(struct functional_cta *c)
{
	free(c->warp);
	free(c->values);
	free(c->shared);
	free(c->local);
	free(c->params);
}

/* Begin CTA number cta. */
static void cta_start(struct functional_cta *c, u32 cta)
{
	const struct launch *l = c->launch;

	c->cta = cta;
	c->ctaid[0] = cta % l->grid[0];
	c->ctaid[1] = cta / l->grid[0] % l->grid[1];
	c->ctaid[2] = cta / (l->grid[0] * l->grid[1]);
	memset(c->values, 0, (size_t)c->value_words * sizeof(u32));
	memset(c->shared, 0, l->shared);
	memset(c->local, 0, (size_t)l->kernel->local_bytes * l->warps * WARP_LANES);
	memset(c->barrier, 0, sizeof(c->barrier));
	for (u32 w = 0; w < l->warps; w++) {
		c->warp[w].barrier = NO_BARRIER;
		c->warp[w].iteration = 0;
		c->warp[w].depth = simt_start(c->warp[w].stack, l->kernel->ninst, l->warp_mask[w]);
	}
}

/* The error of a fault. */
static enum status cta_fault(const struct functional_cta *c, u32 w, const struct inst *in, u8 fault, u8 lane,
			     u64 address)
{
	struct text t = {0};

	fault_describe(&t, c->program, c->launch, c->cta, w, in, fault, lane, address);
	error_set(c->error, STATUS_CHECK, "%s", t.s);
	text_free(&t);
	return STATUS_CHECK;
}

/* Perform in for warp w. */
static void warp_issue(struct functional_cta *c, u32 w, const struct inst *in, struct front_result *r)
{
	struct functional_warp *warp = &c->warp[w];
	struct write_entry queue[WARP_LANES];
	u32 nqueue = 0;
	const struct front_place place = { .clock = &c->count.warp_instructions, .sms = 1, .mhz = 1000 };
	struct front_env env = {
		.launch = c->launch, .program = c->program, .store = c->store,
		.regs = warp->regs, .preds = warp->preds, .shared = c->shared,
		.local = c->local + (size_t)w * WARP_LANES * c->launch->kernel->local_bytes,
		.queue = queue, .nqueue = &nqueue, .params = c->params,
		.ctaid = { c->ctaid[0], c->ctaid[1], c->ctaid[2] }, .cta = c->cta, .warp = w,
		.iteration = warp->iteration, .active = warp->stack[warp->depth - 1].mask,
		.place = &place,
	};

	front_issue(&env, in, r);
	for (u32 i = 0; i < nqueue && !r->fault; i++)
		write_finish(c->store, &queue[i], warp->regs);
}

/* Let the warps that wait at barrier n go. */
static void barrier_release(struct functional_cta *c, u32 n)
{
	struct functional_barrier *b = &c->barrier[n];

	for (u32 w = 0; w < c->launch->warps; w++) {
		struct functional_warp *warp = &c->warp[w];

		if (warp->barrier != (i32)n)
			continue;
		warp->barrier = NO_BARRIER;
		if (warp->barrier_inst->op == OP_BAR_RED)
			barrier_deliver(warp->barrier_inst, warp->regs, warp->preds, warp->barrier_mask, b->threads, b->votes);
	}
	*b = (struct functional_barrier){ 0 };
}

/* Release the barriers that are complete: a warp has arrived, or ended. */
static void barriers_check(struct functional_cta *c)
{
	u32 live = 0;

	for (u32 w = 0; w < c->launch->warps; w++)
		live += c->warp[w].depth != 0;
	for (u32 n = 0; n < MAX_BARRIERS; n++)
		if (c->barrier[n].arrived && c->barrier[n].arrived == (c->barrier[n].needed ? c->barrier[n].needed : live))
			barrier_release(c, n);
}

/* Warp w arrives at a barrier: lanes r->mask, as r says. */
static enum status warp_barrier(struct functional_cta *c, u32 w, const struct inst *in, const struct front_result *r)
{
	struct functional_warp *warp = &c->warp[w];
	struct functional_barrier *b = &c->barrier[r->barrier];
	const struct kernel *k = c->launch->kernel;
	u32 missing = simt_missing(warp->stack, warp->depth, k->inst, k->ninst, r->mask);

	if (missing && !r->threads)
		return cta_fault(c, w, in, FAULT_DIVERGED_BARRIER, (u8)__builtin_ctz(missing), 0);
	if (!b->arrived++)
		b->needed = r->threads / WARP_LANES;
	b->threads += in->op == OP_BAR_RED ? (u32)__builtin_popcount(r->mask) : 0;
	b->votes += (u32)__builtin_popcount(r->votes);
	if (in->op != OP_BAR_ARRIVE) {
		warp->barrier = r->barrier;
		warp->barrier_mask = r->mask;
		warp->barrier_inst = in;
	}
	return STATUS_OK;
}

static bool is_barrier(const struct inst *in)
{
	return in->op == OP_BAR_SYNC || in->op == OP_BAR_ARRIVE || in->op == OP_BAR_RED;
}

volatile sig_atomic_t functional_interrupt;

/* One instruction of warp w. */
static enum status warp_step(struct functional_cta *c, u32 w)
{
	struct functional_warp *warp = &c->warp[w];
	const struct kernel *k = c->launch->kernel;
	u32 pc = warp->stack[warp->depth - 1].pc;
	const struct inst *in = &k->inst[pc];
	struct front_result r = { .fault = FAULT_NONE };

	INVARIANT(pc < k->ninst);
	if (c->steps_left != UINT64_MAX && !c->steps_left--)
		return error_set(c->error, STATUS_LIMIT, "the limit of warp instructions was reached in kernel %s, CTA %u",
				 safe_text(k->name), c->cta);
	if (functional_interrupt)
		return error_set(c->error, STATUS_LIMIT, "stopped in kernel %s, CTA %u", safe_text(k->name), c->cta);
	warp_issue(c, w, in, &r);
	if (r.fault)
		return cta_fault(c, w, in, r.fault, r.fault_lane, r.fault_address);
	c->count.warp_instructions++;
	c->count.thread_instructions += (u32)__builtin_popcount(r.mask);
	if (is_barrier(in) && r.mask && warp_barrier(c, w, in, &r))
		return STATUS_CHECK;
	warp->iteration += r.taken && in->target <= pc;
	warp->depth = simt_advance(warp->stack, warp->depth, in, pc, r.taken, r.exited);
	if (is_barrier(in) || !warp->depth)
		barriers_check(c);
	return STATUS_OK;
}

/* An error if every warp that has not ended waits at a barrier. */
static enum status cta_deadlock(struct functional_cta *c)
{
	const char *name = safe_text(c->launch->kernel->name);
	i32 first = NO_BARRIER, other = NO_BARRIER;

	for (u32 w = 0; w < c->launch->warps; w++) {
		i32 at = c->warp[w].barrier;

		if (!c->warp[w].depth)
			continue;
		if (at == NO_BARRIER)
			return STATUS_OK;
		first = first == NO_BARRIER ? at : first;
		other = at != first ? at : other;
	}
	if (first == NO_BARRIER)
		return STATUS_OK;
	if (other != NO_BARRIER)
		return error_set(c->error, STATUS_DEADLOCK, "deadlock in kernel %s, CTA %u: its warps wait at barriers %d and "
				 "%d; all must reach the same one", name, c->cta, first, other);
	return error_set(c->error, STATUS_DEADLOCK, "deadlock in kernel %s, CTA %u: barrier %d waits for %u warps, %u have "
			 "arrived", name, c->cta, first, c->barrier[first].needed, c->barrier[first].arrived);
}

/* A turn of warp w; *busy is set if it has not ended. */
static enum status warp_turn(struct functional_cta *c, u32 w, bool *busy)
{
	enum status st = STATUS_OK;

	for (u32 n = 0; n < TURN && c->warp[w].depth && c->warp[w].barrier == NO_BARRIER && st == STATUS_OK; n++)
		st = warp_step(c, w);
	*busy |= c->warp[w].depth != 0;
	return st;
}

/* Run one CTA to its end. */
static enum status cta_run(struct functional_cta *c, u32 cta)
{
	enum status st = STATUS_OK;
	bool busy = true;

	cta_start(c, cta);
	while (busy && st == STATUS_OK) {
		busy = false;
		for (u32 w = 0; w < c->launch->warps && st == STATUS_OK; w++)
			st = warp_turn(c, w, &busy);
		if (st == STATUS_OK)
			st = cta_deadlock(c);
	}
	return st;
}

/* All iterations of one launch. */
static enum status launch_run(struct functional_cta *c)
{
	enum status st = STATUS_OK;
	u32 iteration = 0;

	cta_open(c);
	do {
		host_loop_reset(&c->launch->loop, c->store);
		launch_params(c->launch, iteration++, c->params);
		for (u32 i = 0; i < c->launch->ctas && st == STATUS_OK; i++)
			st = cta_run(c, i);
	} while (st == STATUS_OK && host_loop_again(&c->launch->loop, c->store, iteration));
	cta_close(c);
	return st;
}

enum status functional_run(const struct program *p, struct store *s, u64 max_steps, struct functional_result *out,
			   struct error *e)
{
	struct functional_cta c = {
		.program = p, .store = s, .steps_left = max_steps ? max_steps : UINT64_MAX, .error = e
	};
	enum status st = STATUS_OK;

	for (u32 i = 0; i < p->nlaunch; i++)
		if (p->launch[i].kernel->front == FRONT_TRACE)
			return error_set(e, STATUS_FAILED, "%s is a trace: it has no values, so nothing can be run without timing",
					 safe_text(p->launch[i].name));
	for (u32 i = 0; i < p->nlaunch && st == STATUS_OK; i++) {
		c.launch = &p->launch[i];
		st = launch_run(&c);
	}
	if (out)
		*out = c.count;
	return st;
}
