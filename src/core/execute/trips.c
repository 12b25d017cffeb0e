/*
 * trips.c - CTAs that have executed an atomic on global memory, or overwritten what their kernel reads there, cannot be
 * begun again: which instructions do that is found once for each launch (idempotence.h), and seen here as they issue.
 *
 * Nothing is looked for where CTAs stay until their end (preempt.ctas 0). Source: Park, "Enabling Efficient Resource
 * Utilization on Multitasking Throughput Processors", University of Michigan, 2016, section 4.3.4.
 *
 * There the compiler inserts a store "in front of atomic operations or global overwrite operations", to an address of
 * the SM that is not cached, so that the GPU scheduler knows. What it costs is a setting, chimera.notice: each time
 * that a warp comes to a marked atomic or store the inserted one takes the issue slot in its place, and a write of 32
 * bytes goes past the L1D before its own lines, if any lane executes it; the warp's writes are not complete before that
 * is acknowledged. Deviations: it is not in the code, so that it is not fetched, and it takes no collector unit, for
 * its address and value are not in registers; slices of warps do without it, as do synthetic kernels described by time.
 */
#include "execute/perform.h"
#include "idempotence.h"
#include "simt.h"

#include <stdlib.h>

void trips_open(struct sim *s)
{
	const struct program *p = s->program;
	if (!s->m->config.preempt_ctas)
		return;
	s->trips_own = true;
	for (u32 i = 0; i < p->nlaunch; i++) {
		s->trips[i] = idempotence_make(p, &p->launch[i]);
		machine_residency(s->m, i)->marked = s->trips[i]->marked;
	}
}

void trips_close(struct sim *s)
{
	for (u32 i = 0; s->trips_own && i < s->program->nlaunch; i++)
		idempotence_free(s->trips[i]);
	free(s->trips);
}

void cta_trip(struct sm_view *v, u32 context, u32 pc)
{
	const struct warp *w = &v->warp[context];
	const struct idempotence *x = v->sim->trips[w->launch];
	struct cta *cta = &v->cta[w->cta];
	if (cta->tripped || !idempotence_trips(x, pc, w->iteration))
		return;
	cta->tripped = pc + 1;
	emit(v, EVENT_TRIP, context, pc, 0, x->trip[pc].why, x->trip[pc].read);
}

bool notice_issue(struct sm_view *v, u32 context, u32 pc)
{
	const struct warp *w = &v->warp[context];
	const struct inst *in = &v->sim->kernel[w->launch]->inst[pc];
	struct slot *s = &v->slot[w->slot];
	if (!v->sim->trips_own || v->m->parent_shift || s->told || class_unit[in->class] != UNIT_LSU ||
	    !idempotence_trips(v->sim->trips[w->launch], pc, w->iteration))
		return false;
	s->told = 1;
	perform_count(v, context, pc, in, v->stack[context * SIMT_DEPTH + w->depth - 1].mask);
	v->sm->stat[STAT_PREEMPT_NOTICES]++;
	return true;
}

bool notice_take(struct sm_view *v, u32 context)
{
	struct slot *s = &v->slot[v->warp[context].slot];
	bool told = s->told;
	s->told = 0;
	return told;
}
