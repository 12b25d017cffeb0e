/*
 * dispatch.c - CTAs come: they are dealt to SMs in turn, at most one per SM and cycle, or one of the whole GPU in
 * dispatch.interval cycles, as long as scheduling limits (CTA slots, threads, warp slots) and capacity limits
 * (registers, shared memory) allow. Launches of higher priority first; of a launch, first those that have left an SM
 * before their end.
 */
#include "blocks/blocks.h"
#include "state/slices.h"
#include "trace.h"

/* A warp of a trace starts where its first record says; one without records has nothing to do. */
static void dispatch_start_trace(struct sm_view *v, u32 context, const struct launch *l)
{
	struct warp *w = &v->warp[context];
	struct simt_entry *top = &v->stack[context * SIMT_DEPTH];
	struct trace_place at;
	w->depth = trace_start(l->kernel, v->cta[w->cta].id, w->index, context_mask(v->m, context), l->most_first, &at);
	w->cursor = at.cursor;
	top->pc = at.pc;
	top->mask = at.mask;
}

/* A warp, or a slice of one, starts in its context, which has no slot yet. */
static void dispatch_start_warp(struct sm_view *v, u32 context, u32 index, u32 launch, u32 cta_slot)
{
	const struct launch *l = &v->sim->program->launch[launch];
	struct warp *w = &v->warp[context];
	u32 generation = w->generation + 1;
	*w = (struct warp){.generation = generation,
			   .cta = (u16)cta_slot,
			   .slot = NONE16,
			   .index = (u16)index,
			   .launch = (u16)launch,
			   .age = v->sm->age++,
			   .departed = w->departed};
	w->depth = simt_start(&v->stack[context * SIMT_DEPTH], l->kernel->ninst,
			      l->warp_mask[index] & context_mask(v->m, context));
	if (l->kernel->front == FRONT_TRACE)
		dispatch_start_trace(v, context, l);
	SET_DEL(v->sm->free_contexts, context);
	v->sub[view_sub(v, context)].registers_free -= warp_registers(v->m, l);
	v->stock->registers += warp_registers(v->m, l);
	store_reset(&v->sim->store, &v->sim->store.context[machine_values(v->m, v->id, context)],
		    kernel_context_bytes(l->kernel) + (v->control ? kernel_register_bytes(l->kernel) : 0));
	if (v->control)
		control_begin(v, context);
}

/* Fill the CTA slot of a CTA that is being dispatched. */
static void dispatch_start_cta(struct sm_view *v, u32 launch, u32 id, u32 slot, u32 shared)
{
	const struct launch *l = &v->sim->program->launch[launch];
	struct cta *cta = &v->cta[slot];
	*cta = (struct cta){.id = id,
			    .launch = (u16)launch,
			    .warps = (u16)launch_contexts(v->m, l),
			    .shared = shared,
			    .registers = launch_contexts(v->m, l) * warp_registers(v->m, l),
			    .started = view_cycle(v),
			    .earlier = (u32)steps_behind(v, launch, id)};
	cta->ctaid[0] = id % l->grid[0];
	cta->ctaid[1] = id / l->grid[0] % l->grid[1];
	cta->ctaid[2] = id / l->grid[0] / l->grid[1];
	v->sm->free_ctas &= ~(1ULL << slot);
	v->sm->shared_free -= shared;
	v->sm->warps += launch_contexts(v->m, l);
	v->sm->ctas++;
	machine_residency(v->m, launch)->ctas++;
	SET_ADD(machine_residency(v->m, launch)->sms, v->id);
	v->sm->stat[STAT_CTA_STARTED]++;
	kernel_started(v, launch);
	store_reset(&v->sim->store, &v->sim->store.cta[v->id * v->m->residents + slot], l->shared);
}

/* Inactive CTAs that an SM may hold, with the next of a launch. */
static u32 dispatch_most_inactive(const struct sm_view *v, u32 launch)
{
	const struct scheme *x = policy_one(v->m, POLICY_cta_virtual);
	return x ? x->decide.cta_virtual(v->look, launch) : 0;
}

/* An SM starts on a launch: what the CTAs that fit, with the contexts of those that will be inactive, leave of the
 * unified array goes to the L1D. */
static void dispatch_share_l1d(struct sm_view *v, u32 launch)
{
	const struct launch *l = &v->sim->program->launch[launch];
	const struct config *c = &v->m->config;
	struct occupancy o;
	struct error e = {0};
	if (v->sm->ctas || (!c->l1d_unified && v->sm->l1d_ways) ||
	    occupancy_of(c, l->threads, l->regs, l->shared, &o, &e))
		return;
	u32 more = min_u32(dispatch_most_inactive(v, launch), o.resident - min_u32(o.resident, o.ctas));
	u32 shared = (o.ctas + more) * cta_shared(v->m, l) + context_region(c, more, launch_contexts(v->m, l));
	l1d_share(v, min_u32(shared, c->sm_shared));
}

/* Place a CTA with warp slots, or without, if capacity allows: with what the contexts of inactive CTAs take. */
static bool dispatch_place_so(struct sm_view *v, const struct newcomer *first, bool active, u16 *context,
			      u32 *deflected)
{
	const struct launch *l = &v->sim->program->launch[first->launch];
	if (!region_grow(v, !active, launch_contexts(v->m, l), cta_shared(v->m, l)))
		return false;
	if (place_cta(v, first, active, context, deflected))
		return true;
	region_settle(v);
	return false;
}

/* May one more CTA of a launch be active in an SM, as far as scheduling limits go? Places it where there are slots. */
static bool dispatch_place_active(struct sm_view *v, const struct newcomer *first, u16 *context, u32 *deflected)
{
	const struct launch *l = &v->sim->program->launch[first->launch];
	const struct config *c = &v->m->config;
	return active_ctas(v->sm) < config_active(c) &&
	       v->sm->threads + launch_contexts(v->m, l) * v->m->lanes <= config_threads(c) &&
	       dispatch_place_so(v, first, true, context, deflected);
}

/* The warps of a CTA that has come get slots, or wait without. */
static void dispatch_give_slots(struct sm_view *v, u32 cta_slot, const u16 *context, u32 warps, bool active)
{
	for (u32 i = 0; i < warps; i++) {
		if (active)
			slot_take(v, context[i]);
		else
			context_aside(v, context[i], true);
	}
	if (active)
		v->sm->threads += warps * v->m->lanes;
	else
		cta_comes_inactive(v, cta_slot);
}

/* Does an SM that is divided among kernels still hold CTAs of others than a launch that asks for SMs of its own? */
static bool dispatch_shared_yet(const struct sm_view *v, u32 launch)
{
	return v->sim->program->launch[launch].sms && v->m->policy.in[POLICY_partition] &&
	       v->sm->ctas > kernel_on(v->m, v->id, launch)->resident;
}

/* Do the policies that some slot has let a CTA of a launch come to an SM? */
static bool dispatch_admitted(struct sm_view *v, u32 launch)
{
	const struct machine *m = v->m;
	const struct scheme *plan = policy_one(m, POLICY_partition);
	if (v->bounds->closed || dispatch_shared_yet(v, launch))
		return false;
	sm_account_sleep(v, view_cycle(v) + 1);
	POLICY_EACH (x, m, POLICY_cta_limit)
		if (v->sm->ctas >= x->decide.cta_limit(v->look, launch))
			return false;
	POLICY_EACH (x, m, POLICY_cta_admit)
		if (!x->decide.cta_admit(v->look, launch))
			return false;
	return !plan || kernel_on(m, v->id, launch)->resident < plan->decide.partition(v->look, launch);
}

/* Has any slot a policy that may refuse CTAs? */
static bool dispatch_may_refuse(const struct machine *m)
{
	return (m->policy.in[POLICY_cta_limit] | m->policy.in[POLICY_cta_admit] | m->policy.in[POLICY_cta_gate] |
		m->policy.in[POLICY_partition]) != 0;
}

/* The warps of a CTA begin, or go on if it was saved; if it is to be active they get slots. */
static void dispatch_start_warps(struct sm_view *v, u32 launch, u32 slot, const struct parked *p, const u16 *context,
				 bool active)
{
	u32 warps = v->cta[slot].warps;
	for (u32 i = 0; i < warps; i++) {
		SET_ADD(v->cta[slot].contexts, context[i]);
		dispatch_start_warp(v, context[i], i >> v->m->parent_shift, launch, slot);
	}
	territory_settle(v, slot);
	if (p && p->saved)
		preempted_resume(v, slot, p, context);
	dispatch_give_slots(v, slot, context, warps, active);
	if (sliced(v))
		v->slices->begin(v, slot);
	for (u32 i = 0; i < warps && !(p && p->saved); i++)
		if (!v->warp[context[i]].depth)
			warp_ended(v, context[i], 0);
}

/* A CTA of a launch has come to an SM: the one that waited longest, else a new one. */
static void dispatch_note_dispatch(struct sm_view *v, u32 launch, u32 slot, struct parked *p)
{
	struct launch_run *run = &launch_runs(v->m)[launch];
	emit_cta(v, EVENT_CTA_START, slot);
	if (!p) {
		if (!run->next_cta++ && run->started_at == NEVER)
			run->started_at = v->gpu->cycle;
		return;
	}
	if (p->saved)
		emit_cta(v, EVENT_RESTORED, slot);
	v->sm->stat[p->saved ? STAT_CTA_RESTORED : STAT_CTA_REISSUED]++;
	ledger_back(v, p->row);
	preempted_forget(v->sim, p);
}

/* Does the setting dispatch.limit let one more CTA come to an SM? */
static bool dispatch_within_limit(const struct sm_view *v)
{
	u32 limit = v->m->config.dispatch_limit;
	return !limit || v->sm->ctas < limit;
}

/* Dispatch a CTA of a launch to an SM if every limit allows. */
static bool dispatch_dispatch(struct sm_view *v, u32 launch)
{
	struct parked *p = preempted_first(v->sim, launch);
	const struct launch *l = &v->sim->program->launch[launch];
	struct sm *sm = v->sm;
	u32 shared = cta_shared(v->m, l);
	u16 context[CONTEXT_WORDS * 64];
	u32 id = p ? p->id : launch_runs(v->m)[launch].next_cta;
	struct newcomer first = {.launch = launch, .cta = id};
	u32 deflected;
	if (!sm->free_ctas || sm->shared_free < shared || !dispatch_within_limit(v) ||
	    (dispatch_may_refuse(v->m) && !dispatch_admitted(v, launch)))
		return false;
	bool active = dispatch_place_active(v, &first, context, &deflected);
	if (!active && ((u32)__builtin_popcountll(sm->inactive) >= dispatch_most_inactive(v, launch) ||
			!dispatch_place_so(v, &first, false, context, &deflected)))
		return false;
	bounds_count(v->sim, view_cycle(v) + 1);
	sm_account_sleep(v, view_cycle(v) + 1);
	sm_account_held(v);
	u32 slot = (u32)__builtin_ctzll(sm->free_ctas);
	dispatch_share_l1d(v, launch);
	dispatch_start_cta(v, launch, id, slot, shared);
	dispatch_start_warps(v, launch, slot, p, context, active);
	sm->assigned += launch_contexts(v->m, l);
	sm->stat[STAT_DEFLECTED] += deflected;
	v->sleep->until = min_u64(v->sleep->until, view_cycle(v) + 1);
	bool saved = p && p->saved;
	dispatch_note_dispatch(v, launch, slot, p);
	if (saved)
		move_in(v, slot);
	ctas_changed(v, true);
	if (v->m->policy.in[POLICY_cta_limit])
		bounds_ask(v, false);
	return true;
}

/* Offer an SM the next CTA of each launch (one that waits, else a new one), in order of priority, then of launch, until
 * it takes one. */
static bool dispatch_offer(struct sm_view *v)
{
	const struct agenda *agenda = launch_agenda(v->m);
	const struct turn *turn = launch_turns(v->m);
	for (u32 k = 0; k < agenda->running; k++) {
		u32 l = turn[k].running;
		if (launch_waits(&launch_runs(v->m)[l], &v->sim->program->launch[l]) && dispatch_dispatch(v, l))
			return true;
	}
	return false;
}

/* Starting after the SM that took one last. */
void dispatch_all(struct sim *s)
{
	struct gpu *g = machine_gpu(s->m);
	u32 interval = s->m->config.dispatch_interval;
	u32 sms = s->m->config.gpu_sms, first = g->rotate, taken = 0, most = interval ? 1 : sms;
	if (interval > 1 && g->cycle % interval)
		return;
	for (u32 i = 0; i < sms && taken < most; i++) {
		u32 sm = first + i >= sms ? first + i - sms : first + i;
		if (!dispatch_offer(&s->view[sm]))
			continue;
		g->rotate = sm + 1 == sms ? 0 : sm + 1;
		taken++;
	}
	if (!taken)
		g->dispatching = 0;
}

bool ctas_wait(struct sim *s)
{
	const struct agenda *agenda = launch_agenda(s->m);
	const struct turn *turn = launch_turns(s->m);
	for (u32 k = 0; k < agenda->running && !machine_gpu(s->m)->parked; k++)
		if (launch_runs(s->m)[turn[k].running].next_cta < s->program->launch[turn[k].running].ctas)
			return true;
	return machine_gpu(s->m)->parked != 0;
}
