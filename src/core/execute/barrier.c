/*
 * barrier.c - the CTA's sixteen barriers: warps arrive; when all that one waits for are there, those that wait go on.
 *
 * Without a number of threads a barrier waits for every warp that has not ended, and each must arrive as a whole. With
 * a number it counts warps, as the hardware does: a part of a warp counts for all of it (with warp.size below 32, of a
 * slice; the last that has threads stands for those of its warp that have none). bar.arrive counts and goes on;
 * bar.red gives its value to all who wait, at the release. Source: PTX ISA 8.x, section 9.7.13.1.
 *
 * The SM has one barrier unit, which takes an arrival every barrier.interval cycles; with the one that completes a
 * barrier its next phase may begin, and barrier.latency cycles later those that wait go on. The end of a warp completes
 * one through the unit, too. On an A100 n warps of a CTA that do nothing but bar.sync take 21 + 2n cycles for each
 * (23, 29, 53, 85 for 1, 4, 16, 32 warps: github.com/burtscher/SyncPerformance, Burtchell and Burtscher 2024).
 */
#include "execute/perform.h"
#include "shadow.h"

/* Give a warp that leaves a bar.red its value. */
static void barrier_deliver_lanes(struct sm_view *v, u32 context, const struct inst *in, u32 threads, u32 votes)
{
	const struct warp *w = &v->warp[context];
	const struct kernel *k = view_kernel(v, context);
	u8 *values = store_context(&v->sim->store, machine_values(v->m, v->id, context));
	barrier_deliver(in, (u32 *)(void *)values, (u32 *)(void *)(values + (size_t)k->regs * WARP_LANES * 4),
			w->barrier_mask, threads, votes);
	if (__builtin_expect(v->sim->shadow, 0))
		listen_landed(v, context, w->barrier_pc, w->barrier_mask);
}

/* The barrier unit takes an arrival: in which cycle? */
static u64 barrier_take(struct sm_view *v)
{
	u64 taken = max_u64(view_cycle(v), v->sm->barrier_free);
	if (v->m->config.barrier_interval)
		v->sm->barrier_free = taken + v->m->config.barrier_interval;
	v->sm->stat[STAT_BARRIER_UNIT] += taken - view_cycle(v);
	return taken;
}

/* A warp leaves its barrier. */
static void barrier_leave(struct sm_view *v, u32 context)
{
	struct warp *w = &v->warp[context];
	w->at_barrier = 0;
	w->released = 0;
	v->cta[w->cta].arrived--;
	slot_eval(v, context);
}

void barrier_leave_at(struct sm_view *v, u32 context, u64 cycle)
{
	v->warp[context].released = cycle;
	SET_ADD(v->sm->released, context);
	v->sm->release_at = v->sm->release_at ? min_u64(v->sm->release_at, cycle) : cycle;
}

/* The first date of those that wait in complete barriers. */
static void barrier_settle(struct sm_view *v)
{
	u64 next = NEVER;
	SET_EACH (i, v->sm->released, CONTEXT_WORDS)
		next = min_u64(next, v->warp[i].released);
	v->sm->release_at = next == NEVER ? 0 : next;
}

void barrier_due(struct sm_view *v)
{
	SET_EACH (i, v->sm->released, CONTEXT_WORDS) {
		if (v->warp[i].released > view_cycle(v))
			continue;
		SET_DEL(v->sm->released, i);
		barrier_leave(v, i);
		v->sleep->active = 1;
	}
	barrier_settle(v);
}

void barrier_forget(struct sm_view *v, u32 context)
{
	if (!SET_HAS(v->sm->released, context))
		return;
	SET_DEL(v->sm->released, context);
	v->warp[context].released = 0;
	barrier_settle(v);
}

/* The warps of a complete barrier may go from the cycle after `last` on. */
static void barrier_release(struct sm_view *v, struct cta *cta, u32 n, u64 last)
{
	emit_cta_record(v, EVENT_RELEASE, (u32)(cta - v->cta), cta->bar_arrived[n], n);
	if (__builtin_expect(v->sim->shadow, 0))
		shadow_release(v, (u32)(cta - v->cta), n);
	SET_EACH (i, cta->contexts, CONTEXT_WORDS) {
		struct warp *w = &v->warp[i];
		if (w->at_barrier != n + 1 || w->released)
			continue;
		const struct inst *in = &view_kernel(v, i)->inst[w->barrier_pc];
		if (in->op == OP_BAR_RED)
			barrier_deliver_lanes(v, i, in, cta->bar_threads[n], cta->bar_votes[n]);
		if (last > view_cycle(v))
			barrier_leave_at(v, i, last + 1);
		else
			barrier_leave(v, i);
	}
	cta->barriers &= ~(1u << n);
	cta->bar_arrived[n] = cta->bar_needed[n] = cta->bar_threads[n] = cta->bar_votes[n] = 0;
}

/* Which barriers of a CTA are complete? (A warp arrived, or ended.) */
void barrier_check(struct sm_view *v, u32 cta_slot)
{
	struct cta *cta = &v->cta[cta_slot];
	for (u32 left = cta->barriers; left; left &= left - 1) {
		u32 n = (u32)__builtin_ctz(left);
		if (cta->bar_arrived[n] == barrier_needed(cta, n))
			barrier_release(v, cta, n, barrier_take(v) + v->m->config.barrier_latency);
	}
}

/* For how many contexts one counts that arrives where threads are counted. */
static u32 barrier_arrivals(const struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	u32 last = 31u - (u32)__builtin_clz(v->sim->program->launch[w->launch].warp_mask[w->index]);
	return context_mask(v->m, context) >> last & 1 ? 1 + (WARP_LANES - 1 - last) / v->m->lanes : 1;
}

/* A warp arrives; r says at which barrier, and with which votes. */
void barrier_arrive(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r)
{
	struct warp *w = &v->warp[context];
	struct cta *cta = &v->cta[w->cta];
	u32 n = r->barrier;
	u64 taken;
	if (__builtin_expect(v->m->config.ideal_barriers, 0) && in->op != OP_BAR_RED) {
		v->sm->stat[STAT_BARRIERS]++;
		emit(v, EVENT_BARRIER, context, pc, 0, 1, 1);
		return;
	}
	taken = barrier_take(v);
	if (!cta->bar_arrived[n])
		cta->bar_needed[n] = (u16)(r->threads / v->m->lanes);
	cta->bar_arrived[n] = (u16)(cta->bar_arrived[n] + (r->threads ? barrier_arrivals(v, context) : 1));
	cta->barriers |= 1u << n;
	if (in->op == OP_BAR_RED) {
		cta->bar_threads[n] = (u16)(cta->bar_threads[n] + __builtin_popcount(r->mask));
		cta->bar_votes[n] = (u16)(cta->bar_votes[n] + __builtin_popcount(r->votes));
	}
	if (in->op != OP_BAR_ARRIVE) {
		w->at_barrier = (u8)(n + 1);
		w->barrier_pc = pc;
		w->barrier_mask = r->mask;
		cta->arrived++;
	}
	v->sm->stat[STAT_BARRIERS]++;
	emit(v, EVENT_BARRIER, context, pc, 0, cta->bar_arrived[n], barrier_needed(cta, n));
	if (cta->bar_arrived[n] == barrier_needed(cta, n))
		barrier_release(v, cta, n, taken + v->m->config.barrier_latency);
}
