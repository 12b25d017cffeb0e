/*
 * leave.c - CTAs go: one retires when all its warps have ended and nothing of it is in flight.
 */
#include "cta.h"

#include <string.h>

/* Contexts of a CTA and what they held are free again. */
static void free_contexts(struct sm_view *v, struct cta *cta, u32 registers)
{
	SET_EACH(i, cta->contexts, CONTEXT_WORDS) {
		struct warp *w = &v->warp[i];
		INVARIANT(!w->inflight && !w->stores && !w->depth);
		if (w->slot != NONE16)
			slot_give(v, i);
		else
			context_aside(v, i, false);
		w->cta = NONE16;
		v->sub[view_sub(v, i)].registers_free += registers;
		SET_ADD(v->sm->free_contexts, i);
		store_reset(&v->sim->store, &v->sim->store.context[machine_values(v->m, v->id, i)], 0);
	}
}

/* A finished CTA leaves its SM. */
static void retire(struct sm_view *v, u32 cta_slot)
{
	struct cta *cta = &v->cta[cta_slot];
	struct sm *sm = v->sm;
	const struct launch *l = &v->sim->program->launch[cta->launch];
	emit_cta(v, EVENT_CTA_END, cta_slot);
	territory_leave(v, cta_slot);
	kernel_ended(v, cta);
	free_contexts(v, cta, warp_registers(v->m, l));
	sm->warps -= cta->warps;
	if (!(sm->inactive >> cta_slot & 1))
		sm->threads -= cta->warps * v->m->lanes;
	sm->inactive &= ~(1ULL << cta_slot);
	marks_forget(v, cta_slot);
	sm->shared_free += cta->shared;
	sm->ctas--;
	machine_residency(v->m, cta->launch)->ctas--;
	sm->finishing--;
	sm->stat[STAT_CTA_FINISHED]++;
	sm->free_ctas |= 1ULL << cta_slot;
	v->gpu->retired++;
	dispatch_wake(v->gpu);
	struct launch_run *run = &launch_runs(v->m)[cta->launch];
	run->finished++;
	run->last_retire = view_cycle(v);
	store_reset(&v->sim->store, &v->sim->store.cta[v->id * v->m->residents + cta_slot], 0);
	memset(cta, 0, sizeof *cta);
	cta->launch = NONE16;
}

u64 cta_retirable(const struct sm_view *v)
{
	u64 set = 0;
	for (u64 left = v->sm->finishing ? ~0ULL >> (64 - v->m->residents) & ~v->sm->free_ctas : 0; left; left &= left - 1) {
		u32 i = (u32)__builtin_ctzll(left);
		if (v->cta[i].done == v->cta[i].warps && !v->cta[i].inflight)
			set |= 1ULL << i;
	}
	return set;
}

void leave_finished(struct sm_view *v)
{
	u64 set = cta_retirable(v);
	if (!set)
		return;
	sm_account_sleep(v, view_cycle(v) + 1);
	for (; set; set &= set - 1)
		retire(v, (u32)__builtin_ctzll(set));
	if (v->m->policy.in[POLICY_cta_pause])
		ctas_pause_again(v);
	if (!v->sm->finishing)
		SET_DEL(v->gpu->finish_set, v->id);
	v->sleep->until = min_u64(v->sleep->until, view_cycle(v) + 1);
}

/* Stage cta. */
void gpu_cta(struct sim *s)
{
	struct gpu *g = machine_gpu(s->m);
	u64 retired = g->retired;
	SET_EACH(i, g->finish_set, 4)
		if (s->ahead[i] <= g->cycle + 1)
			leave_finished(&s->view[i]);
	if (g->retired != retired)
		launches_end(s);
	residents_go_on(s);
	if (g->dispatching)
		dispatch_all(s);
}
