/* listen.c - who listens is told what is performed (listen.h). */
#include "listen.h"

#include "state/view.h"
#include "shadow.h"

void listen_performed(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r,
		      u32 waits)
{
	const struct listener *l = v->sim->listener;
	if (!(v->sim->shadow & SHADOW_LISTENER) || r->fault || !r->mask || view_kernel(v, context)->front != FRONT_PTX)
		return;
	l->performed(l->self, &(struct performed){v->sim, v->id, context, pc, waits, in, &v->env, r});
}

void listen_landed(struct sm_view *v, u32 context, u32 pc, u32 mask)
{
	const struct listener *l = v->sim->listener;
	if (v->sim->shadow & SHADOW_LISTENER)
		l->landed(l->self, v->sim, v->id, context, pc, mask);
}
