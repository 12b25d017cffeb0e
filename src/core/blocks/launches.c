/*
 * launches.c - launches begin and end: their turn, their time, host loops, periodic instances.
 *
 * Kernel boundaries are memory barriers: at the end of a launch the L1D, the constant cache and, with l1i.perfect l1i,
 * the L0 instruction caches are emptied of the SMs that it ran on, but for those that run something else. Launches of
 * one stream run in order. Only launches whose turn has come are looked at; the others wait in next_in_stream and cost
 * nothing.
 */
#include "blocks/blocks.h"
#include "state/units.h"
#include "memory/l0i.h"

/* --- at the beginning --- */

/* A launch is free at first if it waits for none before it: it has a time of its own, or is the first of its stream. */
void launches_open(struct sim *s, const struct launch_plan *plan)
{
	const struct program *p = s->program;
	struct agenda *agenda = launch_agenda(s->m);
	for (u32 i = 0; i < p->nlaunch; i++) {
		launch_turns(s->m)[i].seat = plan->seat[i];
		agenda->others += !p->launch[i].every;
		if (!plan->follows[i])
			launch_queue_add(s, i);
	}
	agenda->others_left = agenda->others;
}

/* Is there a launch other than periodic ones, and are all of those done? Then periodic ones end too. */
static bool launches_only_periodic_left(struct sim *s)
{
	const struct agenda *agenda = launch_agenda(s->m);
	return agenda->others && !agenda->others_left;
}

/* A launch is done; the next of its stream has its turn, or the stream begins again. */
void launch_done(struct sim *s, u32 launch, u64 now)
{
	u32 next = s->next_in_stream[launch];
	launch_runs(s->m)[launch].state = LAUNCH_DONE;
	machine_gpu(s->m)->running--;
	kernel_settle(s, launch);
	launch_through(s, launch, now);
	launch_queue_remove(s, launch);
	if (next == NONE32)
		stream_again(s, launch);
	else if (launch_runs(s->m)[next].state == LAUNCH_WAITING)
		launch_queue_add(s, next);
}

/* --- ends --- */

/* Start the next iteration of a host loop or of a periodic launch, not before cycle `now`; false: the launch is over.
 */
static bool launches_again(struct sim *s, u32 launch, u64 now)
{
	const struct launch *l = &s->program->launch[launch];
	struct launch_run *run = &launch_runs(s->m)[launch];
	run->iteration++;
	if (streams_over(s))
		return false;
	if (l->loop.present) {
		if (!host_loop_again(&l->loop, &s->store, run->iteration))
			return false;
		host_loop_reset(&l->loop, &s->store);
	} else if (!l->every || launches_only_periodic_left(s)) {
		return false;
	}
	run->next_cta = run->finished = 0;
	run->dates = 0;
	run->state = LAUNCH_WAITING;
	run->ready_at = l->loop.present ? now + s->m->config.gpu_launch_latency
					: max_u64(now, l->at + (u64)run->iteration * l->every);
	return true;
}

/* An SM forgets what it has cached of a kernel, but for what another may share. What its L1D refused, and would have
 * refused in each cycle that it sleeps, is to be asked again. */
static void launches_flush(struct sm_view *v, u32 launch, u64 now)
{
	constants_forget(v, launch);
	if (v->sm->ctas)
		return;
	if (v->sleep->refused) {
		sm_account_sleep(v, now);
		v->sleep->until = min_u64(v->sleep->until, now);
	}
	l1d_flush(v);
	const_flush(v);
	l0i_flush(v);
}

/* The SMs that a launch has run on forget. */
static void launches_flush_all(struct sim *s, u32 launch, u64 now)
{
	struct residency *r = machine_residency(s->m, launch);
	SET_EACH (i, r->sms, ARRAY_LEN(r->sms))
		launches_flush(&s->view[i], launch, now);
	memset(r->sms, 0, sizeof r->sms);
}

/* A launch whose last CTA has retired. */
static void launches_launch_ended(struct sim *s, u32 launch, u64 now)
{
	notify_kernel(s, NOTICE_KERNEL_END, launch, now);
	gpu_emit(s, EVENT_KERNEL_END, launch, s->program->launch[launch].ctas, launch_runs(s->m)[launch].iteration);
	launches_flush_all(s, launch, now);
	launch_queue_stop(s, launch);
	if (s->program->launch[launch].deadline)
		deadline_end(s, launch, now);
	if (!launches_again(s, launch, now))
		launch_done(s, launch, now);
}

/* Periodic launches that wait for their next time end with the last of the others. */
static void launches_end_periodic(struct sim *s, u64 now)
{
	for (u32 k = launch_agenda(s->m)->active; k-- > 0;) {
		u32 i = launch_turns(s->m)[k].active;
		if (s->program->launch[i].every && launch_runs(s->m)[i].state == LAUNCH_WAITING)
			launch_done(s, i, now);
	}
}

/* Launches that are over in this cycle: in order of launch. */
void launches_end(struct sim *s, u64 now)
{
	const struct agenda *agenda = launch_agenda(s->m);
	const struct turn *turn = launch_turns(s->m);
	for (u32 k = 0; k < agenda->active;) {
		u32 i = turn[k].active;
		if (launch_runs(s->m)[i].state == LAUNCH_RUNNING &&
		    launch_runs(s->m)[i].finished == s->program->launch[i].ctas)
			launches_launch_ended(s, i, now);
		k += k < agenda->active && turn[k].active == i;
	}
	if (launches_only_periodic_left(s))
		launches_end_periodic(s, now);
}

/* --- beginnings --- */

/* When a launch whose turn it is may dispatch: its time, and the launch latency after that. */
static void launches_give_turn(struct sim *s, u32 launch)
{
	struct launch_run *run = &launch_runs(s->m)[launch];
	u64 now = machine_gpu(s->m)->cycle;
	if (!run->ready_at)
		run->ready_at = max_u64(s->program->launch[launch].at, now) + s->m->config.gpu_launch_latency;
}

/* A launch begins to dispatch CTAs. */
static void launches_begin(struct sim *s, u32 launch)
{
	const struct launch *l = &s->program->launch[launch];
	struct launch_run *run = &launch_runs(s->m)[launch];
	bounds_count(s, machine_gpu(s->m)->cycle);
	run->state = LAUNCH_RUNNING;
	launch_queue_run(s, launch);
	dispatch_wake(machine_gpu(s->m));
	if (l->deadline)
		deadline_begin(s, launch);
	notify_kernel(s, NOTICE_KERNEL_START, launch, machine_gpu(s->m)->cycle);
	for (u32 i = 0; s->m->policy.in[POLICY_cta_limit] && i < s->m->config.gpu_sms; i++)
		bounds_ask(&s->view[i], false);
	gpu_emit(s, EVENT_KERNEL_START, launch, l->ctas, run->iteration);
	if (!run->iteration && l->loop.present)
		host_loop_reset(&l->loop, &s->store);
}

u64 launch_next(struct sim *s)
{
	struct agenda *agenda = launch_agenda(s->m);
	if (agenda->next)
		return agenda->next;
	u64 next = streams_next(s);
	for (u32 k = 0; k < agenda->active; k++) {
		u32 i = launch_turns(s->m)[k].active;
		const struct launch_run *run = &launch_runs(s->m)[i];
		if (run->state == LAUNCH_WAITING)
			launches_give_turn(s, i);
		next = min_u64(next, run->state == LAUNCH_WAITING ? run->ready_at : deadline_next(s, i));
	}
	agenda->next = next;
	return next;
}

/* Launches that are late are killed, those whose time has come become ready. */
static void __attribute__((noinline)) launches_due(struct sim *s)
{
	const struct gpu *g = machine_gpu(s->m);
	deadlines_due(s);
	if (streams_next(s) <= g->cycle)
		streams_look(s);
	for (u32 k = 0; k < launch_agenda(s->m)->active; k++) {
		u32 i = launch_turns(s->m)[k].active;
		const struct launch_run *run = &launch_runs(s->m)[i];
		if (run->state == LAUNCH_WAITING && run->ready_at <= g->cycle)
			launches_begin(s, i);
	}
}

/* Stage inputs: CTAs leave that were asked to, contexts are there that were moved, and launches are looked at if the
 * time of one has come. */
void gpu_inputs(struct sim *s)
{
	const struct gpu *g = machine_gpu(s->m);
	if (__builtin_expect(g->leaving || (g->moves_at && g->moves_at <= g->cycle), 0))
		retire_asked(s);
	if (g->running && launch_soon(s) <= g->cycle)
		launches_due(s);
}
