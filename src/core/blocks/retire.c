/*
 * retire.c - CTAs go: one retires when all its warps have ended and nothing of it is in flight; others are made to
 * leave before.
 *
 * A CTA that is to leave before its end does so when the next cycle begins. Its instructions are thrown out of the
 * collector units, its fetches are forgotten. What an execution unit, the LSU or the memory system has taken goes its
 * way, takes its time and is dropped, and counted (stale.*), when it comes back: answers carry the generation of their
 * context, which changes. Stores have acted on values already, as all that was issued before this cycle has. Deviation:
 * the lines of a store that is thrown out of its collector unit never reach the L2.
 */
#include "blocks/blocks.h"
#include "state/slices.h"
#include "policy_multi.h"

/* A context of a CTA and what it held are free again. */
static void retire_free_context(struct sm_view *v, u32 i, u32 registers)
{
	struct warp *w = &v->warp[i];
	if (w->slot != NONE16)
		slot_give(v, i);
	else
		context_aside(v, i, false);
	if (sliced(v))
		v->slices->leave(v, i);
	w->cta = NONE16;
	w->depth = w->pending = 0;
	barrier_forget(v, i);
	v->sub[view_sub(v, i)].registers_free += registers;
	v->stock->registers -= registers;
	SET_ADD(v->sm->free_contexts, i);
	store_reset(&v->sim->store, &v->sim->store.context[machine_values(v->m, v->id, i)], 0);
}

/* What is under way for a context will find another generation. */
static void retire_cut_off(struct sm_view *v, u32 i)
{
	struct warp *w = &v->warp[i];
	collect_forget(v, i);
	steps_forget(v, i);
	v->sm->stat[STAT_STALE_FETCHES] += results_forget(v, i);
	if (w->slot != NONE16) {
		v->sm->stat[STAT_STALE_FETCHES] += fetch_waits(v, i);
		slot_unsee(v, w->slot);
	}
	w->generation++;
	w->departed++;
	w->inflight = w->stores = 0;
}

/* Contexts of a CTA. */
static void retire_free_contexts(struct sm_view *v, const struct cta *cta, enum leaving how)
{
	u32 registers = warp_registers(v->m, &v->sim->program->launch[cta->launch]);
	SET_EACH (i, cta->contexts, CONTEXT_WORDS) {
		const struct warp *w = &v->warp[i];
		if (how != LEAVE_RETIRE)
			retire_cut_off(v, i);
		INVARIANT(!w->inflight && !w->stores && (how != LEAVE_RETIRE || !w->depth));
		retire_free_context(v, i, registers);
	}
}

/* A CTA counts as finished, whether it was or was killed. */
static void retire_count_end(struct sim *s, u32 launch)
{
	struct launch_run *run = &launch_runs(s->m)[launch];
	run->finished++;
	run->last_retire = machine_gpu(s->m)->cycle;
}

/* Tell and count that a CTA leaves. */
static void retire_note(struct sm_view *v, u32 slot, enum leaving how)
{
	static const struct {
		u8 event, stat;
	} row[] = {[LEAVE_RETIRE] = {EVENT_CTA_END, STAT_CTA_FINISHED},
		   [LEAVE_FLUSH] = {EVENT_FLUSHED, STAT_CTA_FLUSHED},
		   [LEAVE_SAVE] = {EVENT_SAVED, STAT_CTA_SAVED},
		   [LEAVE_KILL] = {EVENT_KILLED, STAT_CTA_KILLED}};
	const struct cta *cta = &v->cta[slot];
	emit_cta(v, row[how].event, slot);
	v->sm->stat[row[how].stat]++;
	if (how == LEAVE_RETIRE)
		kernel_ended(v, cta);
	else
		kernel_left(v, cta->launch, how == LEAVE_SAVE ? 0 : cta_issued(cta, v->warp));
	if (how == LEAVE_RETIRE || how == LEAVE_KILL)
		retire_count_end(v->sim, cta->launch);
	v->sm->finishing -= how == LEAVE_RETIRE;
	v->gpu->retired += how == LEAVE_RETIRE;
}

void cta_leave(struct sm_view *v, u32 slot, enum leaving how)
{
	struct cta *cta = &v->cta[slot];
	struct sm *sm = v->sm;
	INVARIANT(how == LEAVE_RETIRE || !sm->nwrites);
	sm_account_held(v);
	retire_note(v, slot, how);
	if (cta->row)
		ledger_left(v, slot, how);
	if (how == LEAVE_FLUSH || how == LEAVE_SAVE)
		preempted_cta(v, slot, how == LEAVE_SAVE);
	territory_leave(v, slot);
	retire_free_contexts(v, cta, how);
	sm->warps -= cta->warps;
	if (!(sm->inactive >> slot & 1))
		sm->threads -= cta->warps * v->m->lanes;
	swap_forget(v, slot);
	move_forget(v, slot);
	marks_forget(v, slot);
	sm->shared_free += cta->shared;
	sm->ctas--;
	machine_residency(v->m, cta->launch)->ctas--;
	sm->free_ctas |= 1ULL << slot;
	dispatch_wake(v->gpu);
	store_reset(&v->sim->store, &v->sim->store.cta[v->id * v->m->residents + slot], 0);
	memset(cta, 0, sizeof *cta);
	cta->launch = NONE16;
	region_settle(v);
}

u64 cta_retirable(const struct sm_view *v)
{
	u64 set = 0;
	for (u64 left = active_places(v->m, v->sm); left; left &= left - 1) {
		u32 i = (u32)__builtin_ctzll(left);
		if (v->cta[i].done == v->cta[i].warps && !v->cta[i].inflight)
			set |= 1ULL << i;
	}
	return set;
}

void retire_finished(struct sm_view *v)
{
	u64 set = v->sm->finishing ? cta_retirable(v) : 0;
	if (!set)
		return;
	sm_account_sleep(v, view_cycle(v) + 1);
	for (; set; set &= set - 1)
		cta_leave(v, (u32)__builtin_ctzll(set), LEAVE_RETIRE);
	slots_hand_on(v);
	ctas_changed(v, true);
	bounds_switch(v, true);
	if (!v->sm->finishing)
		SET_DEL(v->gpu->finish_set, v->id);
	v->sleep->until = min_u64(v->sleep->until, view_cycle(v) + 1);
}

/* Why a CTA cannot leave so before its end, NULL: it can. taken: places for CTAs that wait that others will take. */
static const char *retire_stays(const struct sm_view *v, u32 slot, enum leaving how, u32 taken)
{
	const struct cta *cta = &v->cta[slot];
	if (cta->launch == NONE16)
		return "the CTA slot is empty";
	if (cta->done == cta->warps)
		return "all its warps have finished";
	if (cta->moves_at && !cta->leaving)
		return "its context is still being restored";
	if (!v->m->config.preempt_ctas)
		return "preempt.ctas is 0 (`set preempt.ctas 2` and `restart` allow two preempted CTAs)";
	if (how != LEAVE_KILL && !preempted_room(v->sim, taken))
		return "the queue of preempted CTAs is full (preempt.ctas)";
	if (how == LEAVE_FLUSH && !cta_may_flush(v->m, cta))
		return cta->tripped ? "it has violated idempotence (`info kernel`, `break idempotence`)"
				    : "its kernel may violate idempotence (chimera.idempotence strict)";
	return NULL;
}

/* A CTA that was asked to leave does, unless something has changed since, or its context takes its time; is anything
 * different? */
static bool retire_one(struct sm_view *v, u32 slot)
{
	struct cta *cta = &v->cta[slot];
	enum leaving how = cta->leaving;
	sm_account_sleep(v, view_cycle(v));
	if (!cta->moves_at && retire_stays(v, slot, how, 0)) {
		cta->leaving = 0;
		if (cta->done < cta->warps)
			ledger_stays(v, slot);
		v->sm->stat[STAT_CTA_STAYED]++;
		return true;
	}
	bool moves = cta->moves_at;
	if (how == LEAVE_SAVE && move_out(v, slot))
		return !moves;
	cta->leaving = 0;
	cta_leave(v, slot, how);
	v->sleep->until = min_u64(v->sleep->until, view_cycle(v));
	return true;
}

/* The CTAs of an SM that were asked to leave. */
static void retire_sm(struct sm_view *v)
{
	bool any = false;
	for (u32 k = 0; k < v->m->residents; k++)
		if (v->cta[k].leaving) {
			any |= retire_one(v, k);
		} else if (v->cta[k].moves_at) {
			move_arrived(v, k);
		}
	if (!any)
		return;
	ctas_changed(v, true);
	bounds_switch(v, true);
}

/* A CTA that waits is killed. */
static void retire_kill_parked(struct sim *s, struct parked *p)
{
	struct sm *sm = s->view[p->sm].sm;
	sm->stat[p->saved ? STAT_CTA_KILLED_SAVED : STAT_CTA_KILLED_FLUSHED]++;
	kernel_wasted(&s->view[p->sm], p->launch, preempted_issued(s, p));
	retire_count_end(s, p->launch);
	ledger_killed(s, p->row, preempted_issued(s, p));
	preempted_forget(s, p);
}

void retire_asked(struct sim *s)
{
	struct gpu *g = machine_gpu(s->m);
	struct parked *p = machine_gpu_section(s->m, SECTION_PARKED);
	bounds_count(s, g->cycle);
	g->leaving = 0;
	g->moves_at = 0;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		retire_sm(&s->view[i]);
	for (u32 i = 0; i < s->m->config.preempt_ctas; i++)
		if (p[i].leaving)
			retire_kill_parked(s, &p[i]);
	launches_end(s, g->cycle);
}

/* A CTA of an SM is killed, also where its context is on its way. */
static void retire_kill_resident(struct sm_view *v, u32 slot)
{
	struct cta *cta = &v->cta[slot];
	sm_account_sleep(v, view_cycle(v));
	v->gpu->departing -= cta->leaving == LEAVE_SAVE && cta->moves_at;
	cta->leaving = 0;
	ledger_asked(v, slot, WAY_KILL, NULL);
	cta_leave(v, slot, LEAVE_KILL);
	v->sleep->until = min_u64(v->sleep->until, view_cycle(v));
}

/* Those of a launch in an SM. */
static void retire_kill_all(struct sm_view *v, u32 launch)
{
	bool any = false;
	for (u32 k = 0; k < v->m->residents; k++)
		if (v->cta[k].launch == launch && v->cta[k].done < v->cta[k].warps) {
			retire_kill_resident(v, k);
			any = true;
		}
	if (!any)
		return;
	ctas_changed(v, true);
	bounds_switch(v, true);
}

void retire_all(struct sim *s, u32 launch)
{
	struct parked *p = machine_gpu_section(s->m, SECTION_PARKED);
	struct launch_run *run = &launch_runs(s->m)[launch];
	u32 unstarted = s->program->launch[launch].ctas - run->next_cta;
	u64 now = machine_gpu(s->m)->cycle;
	bounds_count(s, now);
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		retire_kill_all(&s->view[i], launch);
	for (u32 i = 0; i < s->m->config.preempt_ctas; i++)
		if (p[i].launch == launch)
			retire_kill_parked(s, &p[i]);
	run->unstarted += unstarted;
	run->finished += unstarted;
	run->next_cta += unstarted;
	launches_end(s, now);
}

/* Ask a CTA that waits to be killed. */
static enum status retire_depart_parked(struct sim *s, u32 place, enum leaving how, struct error *e)
{
	struct parked *p = (struct parked *)machine_gpu_section(s->m, SECTION_PARKED) + place;
	if (place >= s->m->config.preempt_ctas || p->launch == NONE16)
		return error_set(e, STATUS_FAILED, "no preempted CTA %u", place);
	if (how != LEAVE_KILL || p->leaving)
		return error_set(e, STATUS_FAILED, "a preempted CTA can only be killed, and only once");
	p->leaving = 1;
	machine_gpu(s->m)->leaving++;
	return STATUS_OK;
}

enum status sim_depart(struct sim *s, u32 sm, u32 slot, enum leaving how, struct error *e)
{
	struct gpu *g = machine_gpu(s->m);
	const char *why;
	if (how < LEAVE_FLUSH || how > LEAVE_KILL || sm > s->m->config.gpu_sms)
		return error_set(e, STATUS_FAILED, "no SM %u, or no preemption technique %u", sm, how);
	if (sm == s->m->config.gpu_sms)
		return retire_depart_parked(s, slot, how, e);
	if (slot >= s->m->residents)
		return error_set(e, STATUS_FAILED, "SM %u has no CTA slot %u", sm, slot);
	why = retire_stays(&s->view[sm], slot, how, g->leaving);
	if (!why && s->view[sm].cta[slot].leaving)
		why = "it is being preempted already";
	if (why)
		return error_set(e, STATUS_FAILED, "CTA slot %u of SM %u cannot be preempted: %s", slot, sm, why);
	s->view[sm].cta[slot].leaving = how;
	ledger_asked(&s->view[sm], slot,
		     how == LEAVE_FLUSH	 ? WAY_FLUSH
		     : how == LEAVE_SAVE ? WAY_SWITCH
					 : WAY_KILL,
		     NULL);
	g->leaving++;
	return STATUS_OK;
}

/* Has an SM been visited in this cycle, and is it not past it? Its CTAs get done in no other. */
static bool retire_looks(const struct sim *s, u32 sm)
{
	return s->ahead[sm] <= machine_gpu(s->m)->cycle + 1 && s->view[sm].sleep->counted > machine_gpu(s->m)->cycle;
}

/* CTAs that are done leave, others come. */
static void __attribute__((noinline)) retire_and_dispatch(struct sim *s)
{
	struct gpu *g = machine_gpu(s->m);
	u64 retired = g->retired;
	SET_EACH (i, g->finish_set, SM_WORDS)
		if (retire_looks(s, i))
			retire_finished(&s->view[i]);
	if (g->retired != retired)
		launches_end(s, g->cycle + 1);
	if (g->dispatching)
		dispatch_all(s);
}

/* Stage cta. In most cycles no SM has a CTA that may be done, and nothing is being dispatched. */
void gpu_cta(struct sim *s)
{
	const struct gpu *g = machine_gpu(s->m);
	if (gpu_set_any(g->finish_set) || g->dispatching)
		retire_and_dispatch(s);
}
