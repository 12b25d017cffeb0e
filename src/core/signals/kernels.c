/*
 * kernels.c - what each launch comes to in each SM: instructions, ready slots, CTAs; and the sums of these over SMs.
 *
 * An SM counts in a seat, which launches of one stream have one after the other; it writes none but its own, so that
 * the order in which SMs are visited cannot be seen. The sums are made when somebody asks (sim_sync), and for good when
 * a launch is done.
 */
#include "signals/signals.h"

static struct kernel_count *kernels_count_of(struct sm_view *v, u32 launch)
{
	return &v->kernel[v->turn[launch].seat];
}

void kernel_started(struct sm_view *v, u32 launch)
{
	struct kernel_count *k = kernels_count_of(v, launch);
	k->started++;
	if (!k->resident++)
		k->held_since = view_cycle(v);
}

/* One CTA less is here. */
static void kernels_one_less(struct sm_view *v, struct kernel_count *k)
{
	if (!--k->resident)
		k->held += view_cycle(v) - k->held_since;
}

void kernel_ended(struct sm_view *v, const struct cta *cta)
{
	struct kernel_count *k = kernels_count_of(v, cta->launch);
	u64 issued = cta_issued(cta, v->warp);
	k->ended++;
	kernels_one_less(v, k);
	k->ended_issued += issued;
	k->ended_most = max_u64(k->ended_most, issued);
	k->ended_cycles += cta_age(cta, view_cycle(v));
}

void kernel_wasted(struct sm_view *v, u32 launch, u64 issued)
{
	kernels_count_of(v, launch)->wasted += issued;
}

void kernel_left(struct sm_view *v, u32 launch, u64 wasted)
{
	kernels_one_less(v, kernels_count_of(v, launch));
	kernels_count_of(v, launch)->left++;
	kernel_wasted(v, launch, wasted);
}

void kernel_slot(struct sm_view *v, u32 slot, u32 launch, bool has)
{
	struct kernel_count *k = kernels_count_of(v, launch);
	if (has)
		SET_ADD(k->slots, slot);
	else
		SET_DEL(k->slots, slot);
}

void kernels_ready(struct sm_view *v, const u64 *ready, u32 n)
{
	for (u32 i = 0; i < v->seats; i++) {
		struct kernel_count *k = &v->kernel[i];
		u64 any = 0;
		for (u32 w = 0; k->resident && w < v->m->words; w++)
			any |= k->slots[w] & ready[w];
		k->ready += any ? n : 0;
	}
}

void kernels_ready_beside(struct sm_view *v, const u64 *ready, const u64 *counted)
{
	for (u32 i = 0; i < v->seats; i++) {
		struct kernel_count *k = &v->kernel[i];
		u64 any = 0, there = 0;
		for (u32 w = 0; w < v->m->words; w++) {
			u64 own = v->seats == 1 ? ~0ULL : k->resident ? k->slots[w] : 0;
			any |= own & ready[w];
			there |= own & counted[w];
		}
		k->ready += any && !there;
	}
}

void kernels_ready_asleep(struct sm_view *v, u64 n)
{
	u64 any = 0;
	for (u32 w = 0; w < v->m->words; w++)
		any |= sm_ready(v, w);
	if (!any)
		return;
	for (u32 i = 0; i < v->m->schedulers; i++) {
		u64 ready[SLOT_WORDS];
		any = 0;
		for (u32 w = 0; w < v->m->words; w++)
			any |= ready[w] = sm_ready(v, w) & v->look[i].pool[w];
		if (v->seats == 1)
			v->kernel->ready += any ? n : 0;
		else
			kernels_ready(v, ready, (u32)n);
	}
}

/* What a launch has come to in one SM more, by the list of its counts. */
#define ADD_SUM(type, name, doc) sum->name += k->name;
#define ADD_FIRST(type, name, doc) \
	if (k->name && (!sum->name || k->name < sum->name)) \
		sum->name = k->name;
#define ADD_MOST(type, name, doc) sum->name = max_u64(sum->name, k->name);
static void kernels_add_count(struct kernel_count *sum, const struct kernel_count *k)
{
	KERNEL_COUNTS(ADD_SUM, ADD_FIRST, ADD_MOST)
}

/* The sum over SMs of what a launch has in its seat. */
static struct kernel_count kernels_sum_of(struct sim *s, u32 launch)
{
	struct kernel_count sum = {0};
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		kernels_add_count(&sum, kernels_count_of(&s->view[i], launch));
	return sum;
}

/* Bring the sums of a launch up to date. */
static void kernels_kernel_sync(struct sim *s, u32 launch)
{
	struct kernel_count *sum = (struct kernel_count *)machine_gpu_section(s->m, SECTION_KERNEL_SUM) + launch;
	struct launch_run *run = &launch_runs(s->m)[launch];
	*sum = kernels_sum_of(s, launch);
	run->issued = sum->issued;
	run->threads = sum->threads;
	run->first_issue = sum->first_issue ? sum->first_issue - 1 : NEVER;
}

void kernels_sync(struct sim *s)
{
	for (u32 k = 0; k < launch_agenda(s->m)->active; k++)
		kernels_kernel_sync(s, launch_turns(s->m)[k].active);
}

void kernel_settle(struct sim *s, u32 launch)
{
	kernels_kernel_sync(s, launch);
	if (s->program->launch[launch].restart)
		return;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		*kernels_count_of(&s->view[i], launch) = (struct kernel_count){0};
}
