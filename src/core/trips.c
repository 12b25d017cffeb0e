/*
 * trips.c - CTAs that have executed an atomic on global memory, or overwritten what their kernel reads there, cannot be
 * begun again: which instructions do that is found once for each launch (idempotence.h), and seen here as they issue.
 *
 * Nothing is looked for where CTAs stay until their end (preempt.ctas 0). Source: Park, "Enabling Efficient Resource
 * Utilization on Multitasking Throughput Processors", University of Michigan, 2016, section 4.3.4.
 */
#include "core.h"
#include "idempotence.h"

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
