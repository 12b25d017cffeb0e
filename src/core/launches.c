/*
 * launches.c - launches begin and end: their turn, their time, host loops, periodic instances.
 *
 * Kernel boundaries are memory barriers: the L1D caches are emptied at the end of a launch. Launches of one stream run in order.
 */
#include "cta.h"

/* Is there a launch other than periodic ones, and are all of those done? Then periodic ones end too. */
static bool only_periodic_left(struct sim *s)
{
	u32 others = 0;
	for (u32 i = 0; i < s->program->nlaunch; i++) {
		if (s->program->launch[i].every)
			continue;
		others++;
		if (launch_runs(s->m)[i].state != LAUNCH_DONE)
			return false;
	}
	return others > 0;
}

/* Start the next iteration of a host loop or of a periodic launch; false: the launch is over. */
static bool again(struct sim *s, u32 launch)
{
	const struct launch *l = &s->program->launch[launch];
	struct launch_run *run = &launch_runs(s->m)[launch];
	u64 now = machine_gpu(s->m)->cycle + 1;
	run->iteration++;
	if (l->loop.present) {
		if (!host_loop_again(&l->loop, &s->store, run->iteration))
			return false;
		host_loop_reset(&l->loop, &s->store);
	} else if (!l->every || only_periodic_left(s)) {
		return false;
	}
	run->next_cta = run->finished = 0;
	run->state = LAUNCH_WAITING;
	run->ready_at = l->loop.present ? now + s->m->config.gpu_launch_latency :
			max_u64(now, l->at + (u64)run->iteration * l->every);
	return true;
}

/* What an SM has cached of a kernel. */
static void flush(struct sm_view *v)
{
	l1d_flush(v);
	const_flush(v);
}

/* A launch whose last CTA has retired. Kernel boundaries are memory barriers: the L1D caches are emptied. */
static void launch_ended(struct sim *s, u32 launch)
{
	struct gpu *g = machine_gpu(s->m);
	struct launch_run *run = &launch_runs(s->m)[launch];
	gpu_emit(s, EVENT_KERNEL_END, launch, s->program->launch[launch].ctas, run->iteration);
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		flush(&s->view[i]);
	if (again(s, launch))
		return;
	run->state = LAUNCH_DONE;
	g->running--;
}

/* Periodic launches that wait for their next time end with the last of the others. */
static void end_periodic(struct sim *s)
{
	for (u32 i = 0; i < s->program->nlaunch; i++) {
		struct launch_run *run = &launch_runs(s->m)[i];
		if (s->program->launch[i].every && run->state == LAUNCH_WAITING) {
			run->state = LAUNCH_DONE;
			machine_gpu(s->m)->running--;
		}
	}
}

/* Launches that are over in this cycle. */
void launches_end(struct sim *s)
{
	for (u32 i = 0; i < s->program->nlaunch; i++)
		if (launch_runs(s->m)[i].state == LAUNCH_RUNNING && launch_runs(s->m)[i].finished == s->program->launch[i].ctas)
			launch_ended(s, i);
	if (only_periodic_left(s))
		end_periodic(s);
}

/* Do the launches before `launch` that it must wait for leave it free? Launches of one stream run in order; `at` and `every`
 * free a launch from those before it. */
static bool launch_turn(const struct sim *s, u32 launch)
{
	const struct launch *l = &s->program->launch[launch];
	if (l->at || l->every)
		return true;
	for (u32 i = 0; i < launch; i++) {
		const struct launch *before = &s->program->launch[i];
		if (before->stream == l->stream && !before->at && !before->every &&
		    launch_runs(s->m)[i].state != LAUNCH_DONE)
			return false;
	}
	return true;
}

/* When a launch whose turn it is may dispatch: its time, and the launch latency after that. */
static void give_turn(struct sim *s, u32 launch)
{
	struct launch_run *run = &launch_runs(s->m)[launch];
	u64 now = machine_gpu(s->m)->cycle;
	if (!run->ready_at)
		run->ready_at = max_u64(s->program->launch[launch].at, now) + s->m->config.gpu_launch_latency;
}

/* A launch begins to dispatch CTAs. */
static void begin(struct sim *s, u32 launch)
{
	const struct launch *l = &s->program->launch[launch];
	struct launch_run *run = &launch_runs(s->m)[launch];
	run->state = LAUNCH_RUNNING;
	machine_gpu(s->m)->dispatching = 1;
	gpu_emit(s, EVENT_KERNEL_START, launch, l->ctas, run->iteration);
	if (!run->iteration && l->loop.present)
		host_loop_reset(&l->loop, &s->store);
}

u64 launch_next(struct sim *s)
{
	u64 next = NEVER;
	for (u32 i = 0; i < s->program->nlaunch; i++) {
		const struct launch_run *run = &launch_runs(s->m)[i];
		if (run->state != LAUNCH_WAITING || !launch_turn(s, i))
			continue;
		give_turn(s, i);
		next = min_u64(next, run->ready_at);
	}
	return next;
}

/* Stage inputs: launches whose time has come become ready. */
void gpu_inputs(struct sim *s)
{
	const struct gpu *g = machine_gpu(s->m);
	if (!g->running || launch_next(s) > g->cycle)
		return;
	for (u32 i = 0; i < s->program->nlaunch; i++) {
		const struct launch_run *run = &launch_runs(s->m)[i];
		if (run->state == LAUNCH_WAITING && launch_turn(s, i) && run->ready_at <= g->cycle)
			begin(s, i);
	}
}
