/*
 * apart.c - a warp whose lanes go their own ways: what becomes of its paths when one meets others, stands at a barrier
 * or goes round.
 *
 * One path runs at a time. Another has its turn when the one that runs waits for lanes that are elsewhere, when it
 * stands at a barrier that others must reach first, or when it has jumped back launch.patience times over reads that
 * others may answer: so a lane that waits for another of its warp ends, as CUDA promises from sm_70 on. Turns go by
 * what waits: paths and lanes at joins alternately.
 */
#include "meet.h"

static struct paths *own(const struct apart *a)
{
	return &a->home[a->self];
}

static const struct simt_entry *top_of(const struct paths *p)
{
	return &p->stack[p->depth - 1];
}

/* A path that can go on gets to the top, or nobody can. */
static void choose(struct apart *a, u32 wanted)
{
	a->stuck = !paths_choose(own(a), wanted) && own(a)->waits;
}

/* Old GPUs have no other paths to wait for. */
static bool together(const struct front_env *env, const struct inst *in, const struct paths *p, struct front_result *r)
{
	u32 absent = meet_absent(env, in, simt_live(p->stack, p->depth));

	if (absent && env->launch->kernel->front == FRONT_PTX) {
		r->fault = FAULT_ABSENT;
		r->fault_lane = (u8)__builtin_ctz(front_lanes(env, in));
		r->fault_address = absent;
	}
	return r->fault != FAULT_NONE;
}

bool apart_meet(struct apart *a, struct front_env *env, const struct inst *in, u32 pc, struct meet *m,
		struct front_result *r)
{
	struct paths *p = own(a);

	if (!apart_launch(env->launch, a->n))
		return together(env, in, p, r);
	meet_look(env, a->home, a->n, in, m);
	if (m->go == m->here)
		return false;
	meet_exchange(env, in, m, r);
	if (r->fault)
		return true;
	meet_advance(a->home, a->self, pc, m);
	a->spins = 0;
	if (m->nparts && m->go & m->here)
		paths_merge(p);
	a->why = m->lacks ? APART_MEETING : APART_SAME;
	choose(a, m->lacks ? m->lacks : ~0u);
	return true;
}

bool apart_barrier(struct apart *a)
{
	struct paths *p = own(a);
	u32 mask = top_of(p)->mask;

	paths_merge(p);
	a->why = APART_BARRIER;
	if (top_of(p)->mask != mask || paths_defer(p))
		return true;
	/* The others wait for lanes of other small warps, and come when these have come. */
	a->stuck = a->n > 1 && paths_wait(p);
	return a->stuck;
}

/* Has the path that runs jumped back for long enough? */
static bool spun(struct apart *a, u32 patience)
{
	if (!patience || !paths_may_turn(own(a))) {
		a->spins = 0;
		return false;
	}
	return ++a->spins >= patience;
}

void apart_moved(struct apart *a, const struct front_env *env, const struct launch *l, const struct inst *in,
		 const struct front_result *r, u32 before)
{
	struct paths *p = own(a);

	a->why = APART_SAME;
	if (r->exited && p->waits)
		p->waits &= ~meet_complete(env, a->home, a->n, a->self);
	if (!p->depth)
		return;
	if (in->flow & FLOW_ASKS && r->taken && top_of(p)->pc == in->target) {
		if (spun(a, l->patience)) {
			paths_merge(p);
			paths_turn(p, a->joins);
			a->spins = 0;
			a->joins = !a->joins;
			a->why = APART_SPUN;
		}
	} else if (p->depth < before || r->exited) {
		a->spins = 0;
	}
	if (p->depth && p->waits & top_of(p)->mask)
		choose(a, ~0u);
}

void apart_released(struct apart *a, u32 go)
{
	choose(a, go);
}

bool apart_left(struct apart *a, const struct front_env *env)
{
	u32 go = meet_complete(env, a->home, a->n, a->self);

	own(a)->waits &= ~go;
	if (go && a->stuck)
		choose(a, go);
	return go != 0;
}
