/*
 * steps.c - steps of synthetic kernels: a register that is written so many cycles after the issue, however many.
 *
 * A step has an entry of the table of loads. What is due soon is a line on the wheel of results; what is due beyond it
 * has a date of its own, which follows from the entry, and the SM asks to be visited at the first of these dates.
 */
#include "execute/perform.h"
#include "synth.h"

/* A CTA of a launch. */
static struct synth_cta steps_cta_of(const struct sm_view *v, u32 launch, u32 id)
{
	u32 sms = v->m->config.gpu_sms;
	return (struct synth_cta){
		.id = id, .launch = launch, .sms = sms, .wave = sms * launch_residency(v->m, launch)->fit};
}

/* Cycles that a step of a context takes. */
static u64 steps_cycles_of(const struct sm_view *v, u32 context, u32 pc)
{
	const struct warp *w = &v->warp[context];
	struct synth_cta cta = steps_cta_of(v, w->launch, v->cta[w->cta].id);
	return synth_step(view_kernel(v, context)->synth, &cta, pc);
}

u64 steps_behind(const struct sm_view *v, u32 launch, u32 id)
{
	const struct synth *s = v->sim->kernel[launch]->synth;
	struct synth_cta cta = steps_cta_of(v, launch, id);
	return s && s->stagger ? synth_behind(s, &cta) : 0;
}

void step_issue(struct sm_view *v, u32 context, u32 pc, const struct inst *in)
{
	struct warp *w = &v->warp[context];
	u64 cycles = steps_cycles_of(v, context, pc);
	if (__builtin_expect(v->m->config.preempt_ctas, 0))
		cta_trip(v, context, pc);
	if (!cycles)
		return;
	bool soon = cycles < WHEEL_SIZE && result_room(v);
	u32 at = load_take(v, context, pc, 1);
	inst_written(in, v->slot[w->slot].pending_long);
	load_missed(v, at);
	if (v->control)
		control_writes(v, context, pc, v->issued[context].mask);
	w->inflight++;
	v->cta[w->cta].inflight++;
	if (soon) {
		result_due(v, cycles, &(struct result){.kind = RESULT_LINE, .context = (u16)context, .load = (u16)at});
		return;
	}
	v->load[at].quick = LOAD_DATED;
	v->sm->dated++;
	sm_alarm(v, view_cycle(v) + cycles);
}

void steps_due(struct sm_view *v)
{
	u64 now = view_cycle(v), next = NEVER;
	for (u32 i = 0, left = v->sm->dated; left; i++) {
		const struct load *l = &v->load[i];
		if (l->context == NONE16 || l->quick != LOAD_DATED)
			continue;
		left--;
		u64 date = l->issued_at + steps_cycles_of(v, l->context, l->pc);
		if (date > now) {
			next = min_u64(next, date);
			continue;
		}
		v->sleep->active = 1;
		load_arrived(v, i);
	}
	v->sm->alarm = 0;
	if (next != NEVER)
		sm_alarm(v, next);
}

void steps_end(struct sm_view *v, u32 context)
{
	for (u32 i = 0; v->sm->dated && i < v->m->section[SECTION_LOAD].count; i++)
		if (v->load[i].context == context && v->load[i].quick == LOAD_DATED)
			load_arrived(v, i);
}

void steps_forget(struct sm_view *v, u32 context)
{
	for (u32 i = 0; v->sm->dated && i < v->m->section[SECTION_LOAD].count; i++) {
		if (v->load[i].context != context || v->load[i].quick != LOAD_DATED)
			continue;
		v->sm->stat[STAT_STALE_LOADS]++;
		warp_retired(v, context, 1);
		load_release(v, i);
	}
}
