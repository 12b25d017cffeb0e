/*
 * deadline.c - launches that ask for SMs by a deadline: `launch ... every TIME sms N deadline TIME`.
 *
 * Each instance is a request for N SMs, made at its release: at, at + every, ..., whatever keeps it from beginning
 * then. The policy in slot partition gives them. Two dates count from the release. After chimera.bound the SMs should
 * be its own: those that hold CTAs of another launch then are late. After the deadline it should have ended: if not it
 * has missed, and all its CTAs are killed. What others issue between the two dates on SMs that it asked for and missed
 * is void: a way of preemption that is late would else look the better for it. Source: Park, University of Michigan,
 * 2016, section 4.4.1 (a task every 1 ms that takes half of the SMs for 200 us, killed when it misses; effective
 * throughput).
 */
#include "blocks/blocks.h"

enum { DATE_SMS, DATE_END, DATES };

static const struct launch *deadline_launch_of(const struct sim *s, u32 launch)
{
	return &s->program->launch[launch];
}

u64 deadline_next(const struct sim *s, u32 launch)
{
	const struct launch *l = deadline_launch_of(s, launch);
	const struct launch_run *run = (struct launch_run *)machine_gpu_section(s->m, SECTION_LAUNCH) + launch;
	if (!l->deadline || run->state != LAUNCH_RUNNING || run->dates == DATES)
		return NEVER;
	return run->dates == DATE_SMS ? launch_sms_due(&s->m->config, l, run) : launch_release(l, run) + l->deadline;
}

static struct claim *deadline_claim_of(struct sm_view *v)
{
	return machine_sm_section(v->m, v->id, SECTION_CLAIM);
}

/* Instructions that an SM has issued of others than a launch. */
static u64 deadline_issued_of_others(const struct sm_view *v, u32 launch)
{
	return v->sm->stat[STAT_INST_WARP] - kernel_on(v->m, v->id, launch)->issued;
}

/* Is an SM one of those that a launch is to have? */
static bool deadline_given(struct sm_view *v, u32 launch)
{
	const struct scheme *plan = policy_one(v->m, POLICY_partition);
	if (!plan)
		return false;
	sm_account_sleep(v, v->gpu->cycle);
	return plan->decide.partition(v->look, launch) > 0;
}

/* The date at which an instance should have its SMs: how many it has not. */
static void deadline_look_at_sms(struct sim *s, u32 launch)
{
	u32 have = 0;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		struct sm_view *v = &s->view[i];
		if (!deadline_given(v, launch))
			continue;
		*deadline_claim_of(v) =
			(struct claim){.launch = launch + 1ULL, .issued = deadline_issued_of_others(v, launch)};
		have += v->sm->ctas == kernel_on(v->m, i, launch)->resident;
	}
	launch_runs(s->m)[launch].late +=
		deadline_launch_of(s, launch)->sms - min_u32(have, deadline_launch_of(s, launch)->sms);
}

/* The deadline of an instance that has not ended. */
static void deadline_miss(struct sim *s, u32 launch)
{
	struct launch_run *run = &launch_runs(s->m)[launch];
	run->missed++;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		if (deadline_claim_of(&s->view[i])->launch == launch + 1ULL)
			run->voided +=
				deadline_issued_of_others(&s->view[i], launch) - deadline_claim_of(&s->view[i])->issued;
	gpu_emit(s, EVENT_DEADLINE, launch, 1, deadline_launch_of(s, launch)->ctas - run->finished);
	retire_all(s, launch);
}

/* The dates of a launch that have come. */
static void deadline_dates_due(struct sim *s, u32 launch)
{
	struct launch_run *run = &launch_runs(s->m)[launch];
	while (deadline_next(s, launch) <= machine_gpu(s->m)->cycle) {
		launch_agenda(s->m)->next = 0;
		if (run->dates++ == DATE_SMS)
			deadline_look_at_sms(s, launch);
		else
			deadline_miss(s, launch);
	}
}

void deadlines_due(struct sim *s)
{
	const struct agenda *agenda = launch_agenda(s->m);
	const struct turn *turn = launch_turns(s->m);
	for (u32 k = 0; k < agenda->active;) {
		u32 launch = turn[k].active;
		deadline_dates_due(s, launch);
		k += k < agenda->active && turn[k].active == launch;
	}
}

void deadline_begin(struct sim *s, u32 launch)
{
	launch_runs(s->m)[launch].requests++;
}

void deadline_end(struct sim *s, u32 launch, u64 now)
{
	const struct launch *l = deadline_launch_of(s, launch);
	const struct launch_run *run = &launch_runs(s->m)[launch];
	u64 deadline = launch_release(l, run) + l->deadline;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		if (deadline_claim_of(&s->view[i])->launch == launch + 1ULL)
			*deadline_claim_of(&s->view[i]) = (struct claim){0};
	if (run->dates < DATES && !streams_over(s))
		gpu_emit(s, EVENT_DEADLINE, launch, 0, (u32)min_u64(deadline - now, NONE32));
}
