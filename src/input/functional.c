/*
 * functional.c - the program without time: launches one after the other, CTAs one after the other.
 *
 * The warps of a CTA take turns of a few instructions, so that one may wait for another in shared memory. Global
 * writes are applied after each instruction. What it leaves in memory is the reference for every timed run (law 13).
 * A CTA that for long has changed nothing in global memory may wait for another: it is laid aside, and the next one
 * begins; when all have begun, or no more have room, those laid aside take turns. So locks, flags and grid-wide
 * barriers end. Deviation: `at`, `every` and `stream` of launches are not regarded.
 */
#include "meet.h"
#include "ops.h"

#define TURN 64 /* instructions of one warp before the next */
#define PATIENCE \
	(1u << 18)   /* instructions of a CTA without a change of global memory, until one has been laid aside ... */
#define IMPATIENCE 4 /* ... and from then on turns of all of its warps */
#define SLICE (1u << 24)       /* instructions of a CTA that changes memory, before it is laid aside all the same ... */
#define SHORT_SLICE (1u << 16) /* ... and once one has been */
#define ROOM (256u << 20)      /* bytes of the CTAs that have begun */
#define NO_BARRIER (-1)

struct functional_warp {
	struct simt_entry stack[SIMT_DEPTH];
	u32 depth;
	u32 waits, spins; /* lanes that wait for others; jumps back that ask for others' writes (meet.h) */
	bool joins, stuck;
	i32 barrier;	  /* number waited at, NO_BARRIER */
	u32 barrier_mask; /* lanes that wait there, and the instruction that they wait in */
	const struct inst *barrier_inst;
	u32 iteration; /* backward branches taken, for synthetic kernels */
	u32 *regs, *preds;
};

/* One of the barriers of a CTA. */
struct functional_barrier {
	u32 arrived, needed; /* warps; needed 0: all that have not ended */
	u32 threads, votes;  /* of bar.red: threads that took part, and those whose predicate was true */
};

/* What all CTAs of a run share. */
struct functional_run {
	u64 steps_left; /* ~0 = unbounded */
	struct functional_result count;
	struct functional_ear *ear; /* NULL: nobody hears what is printed */
	bool aside;		    /* a CTA of this launch has been laid aside */
	struct functional_cta *
		*cta; /* those that have begun, in the order of their turns; then those that have ended */
	u32 live, ncta;
};

/* One CTA that has begun. */
struct functional_cta {
	struct functional_run *run;
	const struct launch *launch;
	const struct program *program;
	struct store *store;
	struct functional_warp *warp;
	struct functional_barrier barrier[MAX_BARRIERS];
	u32 *values; /* registers and predicates of all warps */
	u32 value_words;
	u8 *shared, *local;
	const u8 *params;
	u32 cta, ctaid[3];
	u32 still, slice; /* instructions since global memory was changed; since its turn began */
	struct error *error;
};

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
	free(c);
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
		c->warp[w].iteration = c->warp[w].waits = c->warp[w].spins = 0;
		c->warp[w].joins = c->warp[w].stuck = false;
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

/* Apply a write; false if it is an atomic that has left memory as it was, as a lock does that is tried in vain. */
static bool queue_apply(struct store *s, const struct write_entry *w, u32 *regs)
{
	u64 before = 0, after = 0;

	if (w->atom)
		store_read(s, w->address, &before, w->bytes);
	write_finish(s, w, regs);
	if (w->atom)
		store_read(s, w->address, &after, w->bytes);
	return !w->atom || before != after;
}

/* What an instruction of warp w sees; queue and nqueue take its writes. */
static struct front_env environment(const struct functional_cta *c, u32 w, const struct front_site *site)
{
	const struct functional_warp *warp = &c->warp[w];

	return (struct front_env){
		.launch = c->launch,
		.program = c->program,
		.store = c->store,
		.regs = warp->regs,
		.preds = warp->preds,
		.shared = c->shared,
		.local = c->local + (size_t)w * WARP_LANES * c->launch->kernel->local_bytes,
		.params = c->params,
		.ctaid = {c->ctaid[0], c->ctaid[1], c->ctaid[2]},
		.cta = c->cta,
		.warp = w,
		.iteration = warp->iteration,
		.active = warp->stack[warp->depth - 1].mask,
		.site = site,
	};
}

/* The paths of a warp, and what was kept of them. */
static struct apart apart_open(const struct functional_cta *c, u32 w, struct paths *p)
{
	struct functional_warp *warp = &c->warp[w];
	const struct kernel *k = c->launch->kernel;

	*p = (struct paths){warp->stack, warp->depth, warp->waits, k->ninst, k->inst};
	return (struct apart){.home = p, .n = 1, .spins = warp->spins, .joins = warp->joins};
}

/* Keep it. */
static void apart_close(struct functional_cta *c, u32 w, const struct apart *a)
{
	struct functional_warp *warp = &c->warp[w];

	warp->depth = a->home->depth;
	warp->waits = a->home->waits;
	warp->spins = a->spins;
	warp->joins = a->joins;
	warp->stuck = a->stuck;
}

/* An instruction as it is performed: of which CTA. */
struct issuing {
	struct front_env env;
	const struct functional_cta *cta;
};

/* front_env.print: who hears it is told. */
static void print_heard(const struct front_env *env, const struct inst *in, u32 mask)
{
	const struct issuing *i = (const void *)((const u8 *)env - offsetof(struct issuing, env));
	struct functional_ear *ear = i->cta->run->ear;

	ear->print(ear, env, in, mask);
}

/* Perform in, at pc, for warp w. True: it was a meeting of lanes, and the warp is behind it. */
static bool warp_issue(struct functional_cta *c, u32 w, const struct inst *in, u32 pc, struct front_result *r)
{
	struct functional_warp *warp = &c->warp[w];
	struct write_entry queue[WARP_LANES];
	u32 nqueue = 0;
	const struct front_site site = {.clock = &c->run->count.warp_instructions, .sms = 1, .mhz = 1000};
	struct issuing i = {environment(c, w, &site), c};
	struct front_env *env = &i.env;

	if (in->meet && apart_asks(in, warp->depth, 1)) {
		struct paths p;
		struct apart a = apart_open(c, w, &p);
		struct meet m;

		if (apart_meet(&a, env, in, pc, &m, r)) {
			apart_close(c, w, &a);
			r->mask = r->fault ? 0 : m.here;
			return true;
		}
	}
	env->queue = queue;
	env->nqueue = &nqueue;
	env->print = c->run->ear ? print_heard : NULL;
	front_issue(env, in, r);
	for (u32 k = 0; k < nqueue && !r->fault; k++)
		if (queue_apply(c->store, &queue[k], warp->regs))
			c->still = 0;
	return false;
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
			barrier_deliver(warp->barrier_inst, warp->regs, warp->preds, warp->barrier_mask, b->threads,
					b->votes);
	}
	*b = (struct functional_barrier){0};
}

/* Release the barriers that are complete: a warp has arrived, or ended. */
static void barriers_check(struct functional_cta *c)
{
	u32 live = 0;

	for (u32 w = 0; w < c->launch->warps; w++)
		live += c->warp[w].depth != 0;
	for (u32 n = 0; n < MAX_BARRIERS; n++)
		if (c->barrier[n].arrived &&
		    c->barrier[n].arrived == (c->barrier[n].needed ? c->barrier[n].needed : live))
			barrier_release(c, n);
}

/* Warp w stands at a barrier that lanes of it have not reached: may those go first? */
static bool others_first(struct functional_cta *c, u32 w)
{
	struct paths p;
	struct apart a = apart_open(c, w, &p);
	bool others = apart_barrier(&a);

	apart_close(c, w, &a);
	return others;
}

/* Warp w arrives at a barrier: lanes r->mask, as r says; *again: it does not yet, others of it go first. */
static enum status warp_barrier(struct functional_cta *c, u32 w, const struct inst *in, const struct front_result *r,
				bool *again)
{
	struct functional_warp *warp = &c->warp[w];
	struct functional_barrier *b = &c->barrier[r->barrier];
	const struct kernel *k = c->launch->kernel;
	u32 missing = simt_missing(warp->stack, warp->depth, k->inst, k->ninst, r->mask);

	*again = missing && !r->threads && c->launch->apart && others_first(c, w);
	if (*again)
		return STATUS_OK;
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

volatile sig_atomic_t functional_interrupt;

/* Warp w is behind an instruction, which stood at pc. */
static void warp_advance(struct functional_cta *c, u32 w, const struct inst *in, u32 pc, const struct front_result *r)
{
	struct functional_warp *warp = &c->warp[w];
	u32 before = warp->depth;

	warp->iteration += r->taken && in->target <= pc;
	warp->depth = simt_advance(warp->stack, warp->depth, in, pc, r->taken, r->exited, c->launch->most_first);
	if (c->launch->apart && (warp->waits || warp->spins || (in->flow & FLOW_ASKS && warp->depth > 1))) {
		struct paths p;
		struct apart a = apart_open(c, w, &p);
		const struct front_env env = {.launch = c->launch, .regs = warp->regs, .preds = warp->preds};

		apart_moved(&a, &env, c->launch, in, r, before);
		apart_close(c, w, &a);
	}
	if (op_is_barrier(in->op) || !warp->depth)
		barriers_check(c);
}

/* May the run go on: is it within its limit, and has nobody stopped it? */
static enum status run_on(struct functional_cta *c)
{
	const char *name = safe_text(c->launch->kernel->name);

	if (c->run->steps_left != UINT64_MAX && !c->run->steps_left--)
		return error_set(c->error, STATUS_LIMIT,
				 "the limit of warp instructions was reached in kernel %s, CTA %u", name, c->cta);
	if (functional_interrupt)
		return error_set(c->error, STATUS_LIMIT, "stopped in kernel %s, CTA %u", name, c->cta);
	return STATUS_OK;
}

/* One instruction of warp w. */
static enum status warp_step(struct functional_cta *c, u32 w)
{
	struct functional_warp *warp = &c->warp[w];
	const struct kernel *k = c->launch->kernel;
	u32 pc = warp->stack[warp->depth - 1].pc;
	const struct inst *in = &k->inst[pc];
	struct front_result r = {.fault = FAULT_NONE};
	enum status st = run_on(c);
	bool moved, again = false;

	INVARIANT(pc < k->ninst);
	if (st != STATUS_OK)
		return st;
	c->still++;
	moved = warp_issue(c, w, in, pc, &r);
	if (r.fault)
		return cta_fault(c, w, in, r.fault, r.fault_lane, r.fault_address);
	c->slice++;
	c->run->count.warp_instructions++;
	c->run->count.thread_instructions += (u32)__builtin_popcount(r.mask);
	if (op_is_barrier(in->op) && r.mask && warp_barrier(c, w, in, &r, &again))
		return STATUS_CHECK;
	if (!moved && !again)
		warp_advance(c, w, in, pc, &r);
	return STATUS_OK;
}

/* The error of a warp of which every path waits for lanes that wait, too. */
static enum status cta_stuck(const struct functional_cta *c, u32 w)
{
	const struct functional_warp *warp = &c->warp[w];
	const struct paths p = {.stack = c->warp[w].stack, .depth = warp->depth};
	struct text t = {0};

	text_add(
		&t,
		"deadlock in kernel %s, CTA %u: lanes of warp %u wait for each other at instructions that do not match",
		safe_text(c->launch->kernel->name), c->cta, w);
	for (u32 i = 0; i < warp->depth; i++) {
		if (!(warp->stack[i].mask & warp->waits) || !paths_is_path(&p, i))
			continue;
		text_add(&t, "; lanes ");
		lanes_text(warp->stack[i].mask & warp->waits, &t);
		text_add(&t, " at pc %u", warp->stack[i].pc);
	}
	error_set(c->error, STATUS_DEADLOCK, "%s", t.s);
	text_free(&t);
	return STATUS_DEADLOCK;
}

/* An error if every warp that has not ended waits at a barrier, or one for itself. */
static enum status cta_deadlock(struct functional_cta *c)
{
	const char *name = safe_text(c->launch->kernel->name);
	i32 first = NO_BARRIER, other = NO_BARRIER;

	for (u32 w = 0; w < c->launch->warps; w++) {
		i32 at = c->warp[w].barrier;

		if (!c->warp[w].depth)
			continue;
		if (c->warp[w].stuck)
			return cta_stuck(c, w);
		if (at == NO_BARRIER)
			return STATUS_OK;
		first = first == NO_BARRIER ? at : first;
		other = at != first ? at : other;
	}
	if (first == NO_BARRIER)
		return STATUS_OK;
	if (other != NO_BARRIER)
		return error_set(
			c->error, STATUS_DEADLOCK,
			"deadlock in kernel %s, CTA %u: its warps wait at barriers %d and %d, but all must reach the same barrier",
			name, c->cta, first, other);
	return error_set(c->error, STATUS_DEADLOCK,
			 "deadlock in kernel %s, CTA %u: barrier %d needs %u warps, but only %u have arrived", name,
			 c->cta, first, c->barrier[first].needed, c->barrier[first].arrived);
}

static bool can_step(const struct functional_warp *w)
{
	return w->depth && w->barrier == NO_BARRIER && !w->stuck;
}

/* A turn of warp w; *busy is set if it has not ended. */
static enum status warp_turn(struct functional_cta *c, u32 w, bool *busy)
{
	enum status st = STATUS_OK;

	for (u32 n = 0; n < TURN && can_step(&c->warp[w]) && st == STATUS_OK; n++)
		st = warp_step(c, w);
	*busy |= c->warp[w].depth != 0;
	return st;
}

/* May the CTA be waiting for another one, or has it run for long enough? */
static bool cta_stalls(const struct functional_cta *c)
{
	bool aside = c->run->aside;

	return c->still >= (aside ? IMPATIENCE * TURN * c->launch->warps : PATIENCE) ||
	       c->slice >= (aside ? SHORT_SLICE : SLICE);
}

/* Run one CTA until it ends or stalls; *busy tells which. */
static enum status cta_run(struct functional_cta *c, bool *busy)
{
	enum status st = STATUS_OK;

	c->still = c->slice = 0;
	do {
		*busy = false;
		for (u32 w = 0; w < c->launch->warps && st == STATUS_OK; w++)
			st = warp_turn(c, w, busy);
		if (st == STATUS_OK)
			st = cta_deadlock(c);
	} while (*busy && st == STATUS_OK && !cta_stalls(c));
	return st;
}

/* How many CTAs of a launch may have begun: at least two, whatever they take. */
static u32 launch_room(const struct launch *l)
{
	u64 bytes = (u64)l->warps * kernel_context_bytes(l->kernel) + l->shared + 1;

	return (u32)min_u64(max_u64(ROOM / bytes, 2), 1u << 16);
}

/* Begin CTA number cta behind those that have begun. */
static void begin(struct functional_run *r, const struct functional_cta *like, u32 cta)
{
	struct functional_cta *c;

	if (r->live == r->ncta) {
		r->cta = xrealloc(r->cta, (r->ncta + 1) * sizeof(*r->cta));
		r->cta[r->ncta++] = c = xmalloc(sizeof(*c));
		*c = *like;
		cta_open(c);
	}
	cta_start(r->cta[r->live++], cta);
}

/* Take the CTA at `at` out of the turns: it has ended. */
static void retire(struct functional_run *r, u32 at)
{
	struct functional_cta *c = r->cta[at];

	memmove(&r->cta[at], &r->cta[at + 1], (--r->live - at) * sizeof(struct functional_cta *));
	r->cta[r->live] = c;
}

/* All CTAs of a launch: new ones first, then those that were laid aside in turn. */
static enum status grid_run(struct functional_run *r, const struct functional_cta *like)
{
	u32 next = 0, at = 0, ctas = like->launch->ctas, room = launch_room(like->launch);
	enum status st = STATUS_OK;
	bool busy = false;

	r->aside = false;
	while (st == STATUS_OK && (next < ctas || r->live)) {
		if (next < ctas && r->live < room) {
			at = r->live;
			begin(r, like, next++);
		}
		at = at < r->live ? at : 0;
		st = cta_run(r->cta[at], &busy);
		r->aside |= busy;
		if (busy)
			at++;
		else
			retire(r, at);
	}
	return st;
}

/* All iterations of one launch. */
static enum status iterations_run(struct functional_run *r, const struct functional_cta *like)
{
	const struct launch *l = like->launch;
	u8 *params = xcalloc(l->kernel->param_bytes + 1, 1);
	struct functional_cta with = *like;
	enum status st = STATUS_OK;
	u32 iteration = 0;

	with.params = params;
	do {
		host_loop_reset(&l->loop, like->store);
		if (r->ear)
			r->ear->iteration = iteration;
		launch_params(l, iteration++, params);
		st = grid_run(r, &with);
	} while (st == STATUS_OK && host_loop_again(&l->loop, like->store, iteration));
	for (u32 i = 0; i < r->ncta; i++)
		cta_close(r->cta[i]);
	free(r->cta);
	free(params);
	r->cta = NULL;
	r->ncta = r->live = 0;
	return st;
}

enum status functional_run_heard(const struct program *p, struct store *s, u64 max_steps, struct functional_ear *ear,
				 struct functional_result *out, struct error *e)
{
	struct functional_run r = {.steps_left = max_steps ? max_steps : UINT64_MAX, .ear = ear};
	struct functional_cta like = {.run = &r, .program = p, .store = s, .error = e};
	enum status st = STATUS_OK;

	for (u32 i = 0; i < p->nlaunch; i++)
		if (p->launch[i].kernel->front == FRONT_TRACE)
			return error_set(e, STATUS_FAILED,
					 "%s is a trace: traces have no values, so they cannot run without timing",
					 safe_text(p->launch[i].name));
	for (u32 i = 0; i < p->nlaunch && st == STATUS_OK; i++) {
		like.launch = &p->launch[i];
		st = iterations_run(&r, &like);
	}
	if (out)
		*out = r.count;
	return st;
}
