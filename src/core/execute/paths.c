/*
 * paths.c - the parts of a warp, one of which runs: they meet in warp-synchronous instructions and take turns.
 *
 * What happens to the stack is decided by apart.c; here are its consequences for the warp's slot. A part that comes to
 * an instruction in which it must wait issues it (it takes a scheduler slot and no collector unit); its registers are
 * written when the last lane has come, whose instruction goes through the pipeline as ever, and are ready as late as
 * that one's class takes (at once, where another result is due for one of them). Another part begins as after a jump. A
 * warp of which every part waits fetches nothing and has status gang.
 */
#include "meet.h"
#include "execute/perform.h"
#include "state/slices.h"
#include "shadow.h"

#include <string.h>

#define MAX_HOME 8 /* contexts of a warp of WARP_LANES */

/* The stacks of a warp's contexts, and what is kept of their turns. */
struct parts {
	struct paths path[MAX_HOME];
	struct apart apart;
	u32 first; /* context */
};

static void paths_open_parts(struct sm_view *v, u32 context, struct parts *p)
{
	u32 n = 1u << v->m->parent_shift;
	const struct kernel *k = view_kernel(v, context);
	const struct warp *own = &v->warp[context];
	p->first = context & ~(n - 1);
	for (u32 i = 0; i < n; i++) {
		const struct warp *w = &v->warp[p->first + i];
		p->path[i] =
			(struct paths){&v->stack[(p->first + i) * SIMT_DEPTH], w->depth, w->waits, k->ninst, k->inst};
	}
	p->apart = (struct apart){
		.home = p->path, .n = n, .self = context - p->first, .spins = own->spins, .joins = own->joins};
}

static void paths_close_parts(struct sm_view *v, u32 context, const struct parts *p)
{
	struct warp *own = &v->warp[context];
	for (u32 i = 0; i < p->apart.n; i++) {
		v->warp[p->first + i].depth = p->path[i].depth;
		v->warp[p->first + i].waits = p->path[i].waits;
	}
	own->spins = (u16)p->apart.spins;
	own->joins = p->apart.joins;
	own->stuck = p->apart.stuck;
}

/* Another part has its turn. */
static void paths_tell_turn(struct sm_view *v, u32 context, enum apart_why why)
{
	const struct simt_entry *top = &v->stack[context * SIMT_DEPTH + v->warp[context].depth - 1];
	if (why && !v->warp[context].stuck)
		emit(v, EVENT_PATH, context, top->pc, 0, (u32)__builtin_popcount(top->mask), why);
}

/* The slot of a warp goes where its stack is. */
static void paths_go_there(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	u32 pc = v->stack[context * SIMT_DEPTH + w->depth - 1].pc;
	if (v->slot[w->slot].pc != pc || w->stuck)
		warp_jump(v, context, pc, v->m->config.lat_branch);
	slot_moved(v, context);
}

/* A warp has stepped over the instruction at pc. */
static void paths_tell_step(struct sm_view *v, u32 context, u32 pc)
{
	if (notice_subscribed(v, NOTICE_STEP))
		notify(v, &(struct notice){.kind = NOTICE_STEP, .context = (u16)context, .pc = pc});
}

static void paths_go_on(struct sm_view *v, u32 context, u32 pc)
{
	paths_go_there(v, context);
	paths_tell_step(v, context, pc);
}

/* Is any register of an instruction already on its way to a slot's warp? */
static bool paths_pending(const struct slot *s, const struct inst *in)
{
	u64 written[HAZARD_WORDS] = {0}, any = 0;
	inst_written(in, written);
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		any |= written[i] & (s->pending_long[i] | s->pending_short[i]);
	return any != 0;
}

/* What a part that waited gets is ready when the result of the last that came is; at once, where another result is due
 * for one of its registers. */
static void paths_owe_result(struct sm_view *v, u32 context, const struct inst *in)
{
	struct warp *w = &v->warp[context];
	bool writes = in->nwrite || in->write_pred[0] != 0xff || in->write_pred[1] != 0xff;
	if (sliced(v))
		v->slices->apart(v, context);
	if (!writes || w->slot == NONE16 || !result_room(v) || paths_pending(&v->slot[w->slot], in))
		return;
	inst_written(in, v->slot[w->slot].pending_short);
	if (v->control)
		control_writes(v, context, (u32)(in - view_kernel(v, context)->inst), ~0u);
	SET_ADD(v->owed, w->slot);
	v->owes = true;
	w->inflight++;
	v->cta[w->cta].inflight++;
	value_due(v, v->m->config.lat_shfl + 1u, context, w->generation, (u32)(in - view_kernel(v, context)->inst));
}

void __attribute__((noinline)) paths_settle(struct sm_view *v)
{
	SET_EACH (slot, v->owed, v->m->words) {
		if (sliced(v))
			v->slices->apart(v, v->slot[slot].context);
		slot_eval(v, v->slot[slot].context);
	}
	memset(v->owed, 0, sizeof v->owed);
	v->owes = false;
}

/* A context that was stuck: what its stack now says is where it is, and it may go on. */
static bool paths_wake(struct sm_view *v, const struct parts *p)
{
	u32 context = p->first + p->apart.self;
	struct warp *w = &v->warp[context];
	bool woken = w->stuck && !p->apart.stuck;

	w->depth = p->path[p->apart.self].depth;
	w->waits = p->path[p->apart.self].waits;
	w->stuck = p->apart.stuck;
	if (!woken || w->slot == NONE16)
		return false;
	v->slot[w->slot].fetching = 0;
	paths_go_there(v, context);
	return true;
}

/* A part that waited in another stack goes on; where nobody there could, whoever now can has the turn. */
static void paths_release_part(struct sm_view *v, struct parts *p, const struct meet *m, const struct meet_part *part)
{
	u32 context = p->first + part->stack, self = p->apart.self;

	if (part->stack == self || !v->warp[context].stuck)
		return;
	p->apart.self = part->stack;
	p->apart.stuck = true;
	apart_released(&p->apart, m->go);
	if (paths_wake(v, p))
		paths_tell_step(v, context, (u32)(part->in - view_kernel(v, context)->inst));
	p->apart.self = self;
}

/* Parts that waited go on: their results are due, and a context that was stuck goes on as well. */
static void paths_release(struct sm_view *v, struct parts *p, const struct meet *m)
{
	for (u32 i = 0; i < m->nparts; i++) {
		paths_owe_result(v, p->first + m->part[i].stack, m->part[i].in);
		paths_release_part(v, p, m, &m->part[i]);
	}
	if (__builtin_expect(v->m->policy_gangs && !v->ganged, 0))
		v->slices->moved(v, context_parent(v->m, p->first));
}

/* Tell who has come, and who has met. */
static void paths_tell_meeting(struct sm_view *v, u32 context, u32 pc, const struct meet *m)
{
	if (m->go)
		emit(v, EVENT_RENDEZVOUS, context, pc, 0, (u32)__builtin_popcount(m->go), 0);
	if (m->lacks)
		emit(v, EVENT_RENDEZVOUS, context, pc, 0, (u32)__builtin_popcount(m->here & ~m->go),
		     (u32)__builtin_popcount(m->lacks));
}

/* Values have changed and stacks have moved: what follows from it. */
static void paths_follow_meeting(struct sm_view *v, u32 context, u32 pc, const struct inst *in, struct parts *p,
				 const struct meet *m, const struct front_result *r)
{
	struct slot *s = &v->slot[v->warp[context].slot];
	if (m->here & m->go && class_unit[in->class] != UNIT_NONE)
		perform_follow(v, context, pc, in, r);
	paths_close_parts(v, context, p);
	paths_tell_meeting(v, context, pc, m);
	paths_tell_turn(v, context, p->apart.why);
	paths_release(v, p, m);
	s->buffered--;
	s->pc++;
	paths_go_on(v, context, pc);
}

/* The parts that have waited have their results. */
static void paths_tell_landed(struct sm_view *v, const struct parts *p, const struct meet *m)
{
	for (u32 i = 0; i < m->nparts; i++) {
		u32 context = p->first + m->part[i].stack;
		listen_landed(v, context, (u32)(m->part[i].in - view_kernel(v, context)->inst), m->part[i].mask);
	}
}

bool __attribute__((noinline)) paths_meet(struct sm_view *v, u32 context, u32 pc, const struct inst *in)
{
	struct front_result r;
	struct parts p;
	struct meet m;
	u32 here = front_lanes(&v->env, in);
	r.fault = FAULT_NONE;
	r.taken = r.exited = r.mask = 0;
	r.ended = 0;
	r.span.known = 0;
	paths_open_parts(v, context, &p);
	if (!apart_meet(&p.apart, &v->env, in, pc, &m, &r))
		return false;
	perform_count(v, context, pc, in, here);
	if (__builtin_expect(v->sim->shadow, 0)) {
		u32 met = r.mask;
		r.mask = here;
		shadow_issue(v, context, pc, in, &v->env, &r);
		listen_performed(v, context, pc, in, &r, here & ~m.go);
		r.mask = met;
		paths_tell_landed(v, &p, &m);
	}
	if (r.fault)
		perform_fault(v, context, pc, &r);
	else
		paths_follow_meeting(v, context, pc, in, &p, &m, &r);
	return true;
}

bool __attribute__((noinline)) paths_defer_barrier(struct sm_view *v, u32 context)
{
	u32 pc = v->slot[v->warp[context].slot].pc;
	struct parts p;
	paths_open_parts(v, context, &p);
	if (!apart_barrier(&p.apart))
		return false;
	paths_close_parts(v, context, &p);
	if (pc != p.path[p.apart.self].stack[v->warp[context].depth - 1].pc)
		paths_tell_turn(v, context, p.apart.why);
	paths_go_on(v, context, pc);
	return true;
}

void __attribute__((noinline))
paths_moved(struct sm_view *v, u32 context, const struct inst *in, const struct front_result *r, u32 before)
{
	const struct launch *l = &v->sim->program->launch[v->warp[context].launch];
	struct parts p;
	if (!apart_launch(l, 1u << v->m->parent_shift))
		return;
	paths_open_parts(v, context, &p);
	apart_moved(&p.apart, &v->env, l, in, r, before);
	paths_close_parts(v, context, &p);
	if (v->warp[context].depth)
		paths_tell_turn(v, context, p.apart.why);
}

void __attribute__((noinline)) paths_left(struct sm_view *v, u32 context)
{
	struct parts p;
	paths_open_parts(v, context, &p);
	for (u32 k = 0; k < p.apart.n; k++) {
		struct warp *w = &v->warp[p.first + k];
		if (p.first + k == context || !w->waits)
			continue;
		p.apart.self = k;
		p.apart.stuck = w->stuck;
		if (apart_left(&p.apart, &v->env))
			paths_wake(v, &p);
	}
	if (v->m->policy_gangs && !v->ganged)
		v->slices->moved(v, context_parent(v->m, context));
}
