/*
 * preempted.c - CTAs that have left their SM before their end wait for another, in the order in which they came.
 *
 * One that was flushed is a number: it begins again. One that was saved keeps what its warps are (SIMT stacks, places,
 * barriers) in the machine and their values in the store, whose chunks are handed over and not copied. What was under
 * way for it is not kept: values change at issue, so only time was, and it goes on with nothing pending. A nap
 * (nanosleep) or a fence ends with it.
 */
#include "blocks/blocks.h"
#include "shadow.h"

static struct parked *preempted_places(const struct sim *s)
{
	return machine_gpu_section(s->m, SECTION_PARKED);
}

/* Warps that a place has room for. */
static u32 preempted_room_of(const struct sim *s)
{
	return s->m->section[SECTION_PARKED_WARP].count / s->m->section[SECTION_PARKED].count;
}

/* The CTA of a place, its warps, and their stacks. */
static struct cta *preempted_saved_cta(const struct sim *s, u32 at)
{
	return (struct cta *)machine_gpu_section(s->m, SECTION_PARKED_CTA) + at;
}
static struct warp *preempted_saved_warps(const struct sim *s, u32 at)
{
	return (struct warp *)machine_gpu_section(s->m, SECTION_PARKED_WARP) + at * preempted_room_of(s);
}
static struct simt_entry *preempted_saved_stack(const struct sim *s, u32 at, u32 index)
{
	return (struct simt_entry *)machine_gpu_section(s->m, SECTION_PARKED_STACK) +
	       (at * preempted_room_of(s) + index) * SIMT_DEPTH;
}

/* Where the values of a warp (of the first part of a parent warp), and the shared memory of a CTA, are kept. */
static struct chunk **preempted_saved_values(struct sim *s, u32 at, u32 index)
{
	return &s->store.context[s->m->config.gpu_sms * machine_parents(s->m) + at * preempted_room_of(s) +
				 (index >> s->m->parent_shift)];
}
static struct chunk **preempted_saved_shared(struct sim *s, u32 at)
{
	return &s->store.cta[s->m->config.gpu_sms * s->m->residents + at];
}

bool preempted_room(const struct sim *s, u32 taken)
{
	const struct gpu *g = machine_gpu(s->m);
	return g->parked + g->departing + taken < s->m->config.preempt_ctas;
}

/* Put the CTA of a place behind those of its launch. */
static void preempted_enqueue(struct sim *s, u32 at)
{
	struct launch_run *run = &launch_runs(s->m)[preempted_places(s)[at].launch];
	if (run->parked++)
		preempted_places(s)[run->last_parked - 1].next = (u16)(at + 1);
	else
		run->first_parked = (u16)(at + 1);
	run->last_parked = (u16)(at + 1);
	machine_gpu(s->m)->parked++;
}

/* Hand values over, unless they have gone with another part of their parent warp. */
static void preempted_hand_over(struct sim *s, struct chunk **to, struct chunk **from)
{
	if (*from)
		store_move(&s->store, to, from);
}

/* What a warp is, without what is under way for it. */
static void preempted_save_warp(struct sm_view *v, u32 context, u32 at)
{
	const struct warp *w = &v->warp[context];
	u32 slices = 1u << v->m->parent_shift, place = w->index * slices + (context & (slices - 1));
	preempted_saved_warps(v->sim, at)[place] = (struct warp){.cta = NONE16,
								 .slot = NONE16,
								 .index = w->index,
								 .launch = w->launch,
								 .depth = w->depth,
								 .iteration = w->iteration,
								 .issued = w->issued,
								 .at_barrier = w->at_barrier,
								 .barrier_pc = w->barrier_pc,
								 .barrier_mask = w->barrier_mask,
								 .released = w->released,
								 .cursor = w->cursor,
								 .waits = w->waits,
								 .spins = w->spins,
								 .joins = w->joins,
								 .stuck = w->stuck};
	memcpy(preempted_saved_stack(v->sim, at, place), &v->stack[context * SIMT_DEPTH], w->depth * sizeof *v->stack);
	preempted_hand_over(v->sim, preempted_saved_values(v->sim, at, place),
			    &v->sim->store.context[machine_values(v->m, v->id, context)]);
}

void preempted_cta(struct sm_view *v, u32 slot, bool saved)
{
	struct sim *s = v->sim;
	const struct cta *cta = &v->cta[slot];
	u32 at = 0;
	while (preempted_places(s)[at].launch != NONE16)
		at++;
	INVARIANT(at < s->m->config.preempt_ctas);
	preempted_places(s)[at] = (struct parked){.launch = cta->launch,
						  .id = cta->id,
						  .since = view_cycle(v),
						  .sm = v->id,
						  .saved = saved,
						  .row = cta->row};
	preempted_enqueue(s, at);
	if (!saved)
		return;
	*preempted_saved_cta(s, at) = *cta;
	preempted_saved_cta(s, at)->inflight = preempted_saved_cta(s, at)->leaving = 0;
	preempted_saved_cta(s, at)->earlier = (u32)cta_age(cta, view_cycle(v));
	preempted_saved_cta(s, at)->moves_at = 0;
	memset(preempted_saved_cta(s, at)->contexts, 0, sizeof cta->contexts);
	SET_EACH (i, cta->contexts, CONTEXT_WORDS)
		preempted_save_warp(v, i, at);
	u32 number = v->id * v->m->residents + slot;
	store_move(&s->store, preempted_saved_shared(s, at), &s->store.cta[number]);
	if (s->shadow)
		shadow_move_cta(s, v->m->config.gpu_sms * v->m->residents + at, number, 0);
}

struct parked *preempted_first(struct sim *s, u32 launch)
{
	u32 first = launch_runs(s->m)[launch].first_parked;
	return first ? &preempted_places(s)[first - 1] : NULL;
}

/* A warp goes on in a context that has just been given to it and has no slot yet. */
static void preempted_resume_warp(struct sm_view *v, u32 context, u32 at, u32 index)
{
	const struct warp *from = &preempted_saved_warps(v->sim, at)[index];
	struct simt_entry *stack = &v->stack[context * SIMT_DEPTH];
	struct warp *w = &v->warp[context];
	w->depth = from->depth;
	w->iteration = from->iteration;
	w->issued = from->issued;
	w->at_barrier = from->at_barrier;
	w->barrier_pc = from->barrier_pc;
	w->barrier_mask = from->barrier_mask;
	if (from->released)
		barrier_leave_at(v, context, from->released);
	w->cursor = from->cursor;
	w->waits = from->waits;
	w->spins = from->spins;
	w->joins = from->joins;
	w->stuck = from->stuck;
	memcpy(stack, preempted_saved_stack(v->sim, at, index), w->depth * sizeof *stack);
	preempted_hand_over(v->sim, &v->sim->store.context[machine_values(v->m, v->id, context)],
			    preempted_saved_values(v->sim, at, index));
}

void preempted_resume(struct sm_view *v, u32 slot, const struct parked *p, const u16 *context)
{
	struct sim *s = v->sim;
	struct cta *cta = &v->cta[slot];
	u32 at = (u32)(p - preempted_places(s)), number = v->id * v->m->residents + slot;
	const struct cta *from = preempted_saved_cta(s, at);
	cta->done = from->done;
	cta->arrived = from->arrived;
	cta->barriers = from->barriers;
	cta->tripped = from->tripped;
	cta->row = from->row;
	cta->earlier = from->earlier;
	memcpy(cta->bar_arrived, from->bar_arrived, sizeof cta->bar_arrived);
	memcpy(cta->bar_needed, from->bar_needed, sizeof cta->bar_needed);
	memcpy(cta->bar_threads, from->bar_threads, sizeof cta->bar_threads);
	memcpy(cta->bar_votes, from->bar_votes, sizeof cta->bar_votes);
	for (u32 i = 0; i < cta->warps; i++)
		preempted_resume_warp(v, context[i], at, i);
	store_move(&s->store, &s->store.cta[number], preempted_saved_shared(s, at));
	if (s->shadow)
		shadow_move_cta(s, number, v->m->config.gpu_sms * v->m->residents + at, cta->started);
}

u64 preempted_issued(const struct sim *s, const struct parked *p)
{
	const struct warp *w = preempted_saved_warps(s, (u32)(p - preempted_places(s)));
	u64 sum = 0;
	for (u32 i = 0; p->saved && i < launch_contexts(s->m, &s->program->launch[p->launch]); i++)
		sum += w[i].issued;
	return sum;
}

/* What was kept of a saved CTA goes. */
static void preempted_clear(struct sim *s, u32 at)
{
	const struct warp *w = preempted_saved_warps(s, at);
	for (u32 i = 0; i < launch_contexts(s->m, &s->program->launch[preempted_places(s)[at].launch]); i++) {
		memset(preempted_saved_stack(s, at, i), 0, w[i].depth * sizeof(struct simt_entry));
		store_reset(&s->store, preempted_saved_values(s, at, i), 0);
	}
	memset(preempted_saved_warps(s, at), 0, preempted_room_of(s) * sizeof *w);
	memset(preempted_saved_cta(s, at), 0, sizeof(struct cta));
	store_reset(&s->store, preempted_saved_shared(s, at), 0);
}

void preempted_forget(struct sim *s, struct parked *p)
{
	struct launch_run *run = &launch_runs(s->m)[p->launch];
	u16 at = (u16)(p - preempted_places(s) + 1), before = 0, *link = &run->first_parked;
	while (*link != at) {
		before = *link;
		link = &preempted_places(s)[before - 1].next;
	}
	*link = p->next;
	if (run->last_parked == at)
		run->last_parked = before;
	run->parked--;
	machine_gpu(s->m)->parked--;
	if (p->saved)
		preempted_clear(s, at - 1u);
	*p = (struct parked){.launch = NONE16};
}
