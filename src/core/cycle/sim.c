/*
 * sim.c - the cycle: stages in the order of stages.def, over SMs that have anything to do.
 */
#include "shadow.h"
#include "cycle/stages.h"

/* Could a warp be fetched for or issue in the next cycle, though nothing happens? Ready slots stay as they are if the
 * LSU is refused and no policy goes by the time, and if they are held by policies that say when they let go. */
static bool sim_may_act(struct sm_view *v)
{
	const u64 *want = sm_set(v, SET_WANT), *halted = sm_set(v, SET_HALTED), *held = sm_seen(v, WARP_HELD);
	bool stay = v->m->config.issue_interval == 1 && !v->m->policy_awake, refused = v->sleep->refused;
	for (u32 i = 0; i < v->m->words; i++) {
		u64 ready = sm_ready(v, i);
		if (sm_set(v, SET_STALL)[i] || want[i] & ~halted[i] ||
		    (ready && (!stay || (!refused && ready & ~held[i]))))
			return true;
	}
	return false;
}

/* The date for which an SM has asked, in a cycle in which it is visited. */
static u64 sim_alarm_at(struct sm_view *v, u64 now)
{
	if (v->sm->alarm && v->sm->alarm - 1 <= now)
		v->sm->alarm = 0;
	return v->sm->alarm ? v->sm->alarm - 1 : NEVER;
}

/* The cycle until which an SM can sleep in which nothing happened. */
static u64 __attribute__((noinline)) sim_sleep_until(struct sm_view *v, u64 until)
{
	u64 now = view_cycle(v);
	u32 bucket = (u32)((now + 1) % WHEEL_SIZE), due;
	struct ring in = port_ring(v->m, v->id, SECTION_IN);
	if ((v->m->config.issue_interval > 1 && now % v->m->config.issue_interval) || sim_may_act(v))
		return now + 1;
	if (v->sleep->refused && v->sim->bus.want >> EVENT_L1D_REFUSED & 1)
		return now + 1;
	due = set_next(v->sm->due, WHEEL_WORDS, bucket);
	if (due != NONE32)
		until = min_u64(until, now + 1 + (due + WHEEL_SIZE - bucket) % WHEEL_SIZE);
	until = min_u64(until, ring_ready(&in));
	if (v->sm->release_at)
		until = min_u64(until, v->sm->release_at);
	if (__builtin_expect(v->m->policy_wakes != 0, 0))
		until = min_u64(until, policy_wake(v));
	return max_u64(until, now + 1);
}

/* After the stages of a visit: an SM in which nothing happened and nothing is queued sleeps until its next result is
 * due. */
void sm_settle(struct sm_view *v)
{
	u64 until = __builtin_expect(v->sm->alarm != 0, 0) ? sim_alarm_at(v, view_cycle(v)) : NEVER;
	v->sleep->until = v->sleep->active ? view_cycle(v) + 1 : sim_sleep_until(v, until);
}

/* Does an SM sleep over refusals that somebody has begun to listen to? */
static bool sim_refusals_missed(const struct sim *s, u32 sm)
{
	return s->bus.want >> EVENT_L1D_REFUSED & 1 && s->view[sm].sleep->refused;
}

/* Is an SM visited in this cycle? */
static bool sim_awake(const struct sim *s, u32 sm)
{
	return !s->sleep || s->view[sm].sleep->until <= s->view[sm].gpu->cycle || sim_refusals_missed(s, sm);
}

/* One stage of every SM that is awake. */
static void sim_all_sms(struct sim *s, u32 stage)
{
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		struct sm_view *v = &s->view[i];
		if (stage == FIRST_SM_STAGE && v->sleep->refused) /* what it does in each stage is to be seen */
			v->sleep->until = min_u64(v->sleep->until, v->gpu->cycle);
		if (!sim_awake(s, i))
			continue;
		if (stage == FIRST_SM_STAGE)
			sm_begin(v);
		sm_stages(v, stage, stage + 1);
	}
}

/* All stages of one SM. */
static void sim_visit(struct sm_view *v)
{
	sm_begin(v);
	sm_stages(v, FIRST_SM_STAGE, AFTER_SM_STAGES);
	sm_settle(v);
}

/* All stages of all SMs, one SM after the other, in any order. */
static void sim_visit_sms(struct sim *s)
{
	u32 n = s->m->config.gpu_sms;
	if (!s->order_seed) {
		for (u32 i = 0; i < n; i++)
			if (sim_awake(s, i))
				sim_visit(&s->view[i]);
		return;
	}
	u64 r = mix64(s->order_seed + machine_gpu(s->m)->cycle);
	u32 first = (u32)(r % n);
	for (u32 i = 0; i < n; i++) {
		u32 sm = r >> 40 & 1 ? (first + i) % n : (first + n - i) % n;
		if (sim_awake(s, sm))
			sim_visit(&s->view[sm]);
	}
}

/* Decide which SMs may sleep, when their stages ran one by one. */
static void sim_settle_sms(struct sim *s)
{
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		if (sim_awake(s, i))
			sm_settle(&s->view[i]);
}

/* The context whose lane wrote: of a warp in slices, the slice. */
static u32 sim_writer(const struct sm_view *v, const struct write_entry *w)
{
	u32 n = 1u << v->m->parent_shift;
	return n == 1 ? w->context : (w->context & ~(n - 1)) + w->lane / v->m->config.warp_size;
}

/* Whether an entry is of the same warp instruction as the one before it; slices that issue it together are one. */
static bool sim_same_instruction(const struct sm_view *v, const struct write_entry *w)
{
	u32 home = v->m->parent_shift;
	return w->context >> home == w[-1].context >> home && w->pc == w[-1].pc && !w->atom == !w[-1].atom;
}

/* The writes of a warp instruction, `first` up to `end`, have acted. */
static void sim_tell_writes(struct sm_view *v, const struct write_entry *first, const struct write_entry *end)
{
	u32 lanes = 0, bytes = 0;
	for (const struct write_entry *w = first; w < end; w++) {
		lanes += write_lanes(w);
		bytes += w->bytes;
	}
	emit(v, first->atom ? EVENT_ATOMIC : EVENT_STORE, sim_writer(v, first), first->pc, first->address, lanes,
	     first->atom ? 0 : bytes);
}

/* Stores and atomics of one SM act on global memory, with an event for each warp instruction. */
static void sim_apply_writes(struct sm_view *v)
{
	struct sim *s = v->sim;
	const struct write_entry *first = v->writes, *end = v->writes + v->sm->nwrites;
	for (const struct write_entry *w = first; w < end; w++) {
		if (w > first && !sim_same_instruction(v, w)) {
			sim_tell_writes(v, first, w);
			first = w;
		}
		if (__builtin_expect(s->shadow, 0))
			shadow_write(v, (u32)(w - v->writes));
		write_finish(&s->store, w,
			     (u32 *)(void *)(w->atom ? store_context(&s->store, machine_values(s->m, v->id, w->context))
						     : NULL));
	}
	sim_tell_writes(v, first, end);
	memset(v->writes, 0, v->sm->nwrites * sizeof *v->writes);
	v->sm->nwrites = 0;
}

/* Does anything enter the crossbar, wait to be dispatched or have to leave? */
static bool sim_gpu_busy(const struct gpu *g)
{
	return g->dispatching || g->leaving || gpu_set_any(g->out_set);
}

/* Is anything in the L2 or in DRAM? */
static bool sim_memory_busy(const struct gpu *g)
{
	return g->channel_set | g->slice_set[0] | g->slice_set[1];
}

/* The first cycle in which anything can happen of itself; NEVER: nothing can any more. */
static u64 sim_next_event(struct sim *s)
{
	const struct gpu *g = machine_gpu(s->m);
	const struct sleep *sleep = machine_gpu_section(s->m, SECTION_SLEEP);
	u64 next = NEVER, memory = NEVER;
	if (sim_gpu_busy(g))
		return g->cycle;
	if (sim_memory_busy(g))
		memory = memory_next_cycle(s);
	if (memory <= g->cycle)
		return g->cycle;
	for (u32 i = 0; s->bus.want && i < s->m->config.gpu_sms; i++)
		if (sim_refusals_missed(s, i))
			return g->cycle;
	for (u32 i = 0; i < s->m->config.gpu_sms && next > g->cycle; i++)
		next = min_u64(next,
			       s->ahead[i] > g->cycle ? min_u64(sleep[i].until, s->ahead[i] - 1) : sleep[i].until);
	next = next > g->cycle ? min_u64(next, launch_soon(s)) : next;
	if (g->moves_at)
		next = min_u64(next, max_u64(g->moves_at, g->cycle));
	return min_u64(next, memory);
}

bool sim_policy_comes(struct sim *s)
{
	return policy_next(s) != NEVER && ctas_wait(s);
}

bool sim_policy_dates(struct sim *s)
{
	return policy_next(s) != NEVER;
}

/* Could a policy, at its next epoch, let something happen: are warps ready, or do CTAs wait? */
static bool sim_policy_may_help(struct sim *s)
{
	if (policy_next(s) == NEVER)
		return false;
	if (ctas_wait(s))
		return true;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		if (set_first(sm_set(&s->view[i], SET_READY), s->m->words) != NONE32)
			return true;
	return false;
}

/* Is some SM to be visited again? */
static bool sim_any_wakes(const struct sim *s)
{
	const struct sleep *sleep = machine_gpu_section(s->m, SECTION_SLEEP);
	u32 i = 0;
	while (i < s->m->config.gpu_sms && sleep[i].until == NEVER)
		i++;
	return i < s->m->config.gpu_sms;
}

/* Where placement is on: what came or went in an SM lies where it was laid. */
static void sim_check_places(struct sim *s)
{
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		if (s->view[i].laid)
			territory_check(&s->view[i]);
}

/* Stage seal: global writes act in (SM, sub-core, lane) order; the cycle is complete. */
void gpu_seal(struct sim *s)
{
	struct gpu *g = machine_gpu(s->m);
	if (gpu_set_any(g->write_set)) {
		SET_EACH (i, g->write_set, SM_WORDS)
			sim_apply_writes(&s->view[i]);
		memset(g->write_set, 0, sizeof g->write_set);
	}
	if (__builtin_expect(s->m->policy.in[POLICY_allocate] != 0, 0))
		sim_check_places(s);
	if (s->bus.count)
		bus_seal(&s->bus);
	g->cycle++;
	if (g->running && !sim_memory_busy(g) && !sim_any_wakes(s) && sim_next_event(s) == NEVER &&
	    !sim_policy_may_help(s))
		g->deadlock = 1;
}

void sim_stage(struct sim *s)
{
	struct gpu *g = machine_gpu(s->m);
	u32 stage = g->stage;
	if (stage == 0)
		s->bus.count = 0;
	g->stage = stage + 1 == STAGE_COUNT ? 0 : stage + 1;
	if (stage_of_sm(stage))
		sim_all_sms(s, stage);
	else
		gpu_stages(s, stage, stage + 1);
	if (stage + 1 == AFTER_SM_STAGES)
		sim_settle_sms(s);
}

void sim_cycle(struct sim *s)
{
	struct gpu *g = machine_gpu(s->m);
	if (g->stage || s->stage_major) {
		do
			sim_stage(s);
		while (g->stage);
		return;
	}
	s->bus.count = 0;
	gpu_stages(s, 0, FIRST_SM_STAGE);
	sim_visit_sms(s);
	gpu_stages(s, AFTER_SM_STAGES, STAGE_COUNT);
}

u64 sim_skip(struct sim *s, u64 limit)
{
	struct gpu *g = machine_gpu(s->m);
	if (g->stage || !s->sleep || sim_finished(s))
		return g->cycle;
	u64 next = min_u64(min_u64(sim_next_event(s), policy_next(s)), limit);
	if (next > g->cycle && next != NEVER) {
		g->cycle = next;
		s->bus.count = 0;
	}
	return g->cycle;
}

bool sim_faulted(const struct sim *s)
{
	return machine_gpu(s->m)->fault != 0;
}
bool sim_deadlocked(const struct sim *s)
{
	return machine_gpu(s->m)->deadlock != 0;
}
bool sim_finished(const struct sim *s)
{
	return !machine_gpu(s->m)->running || sim_faulted(s) || sim_deadlocked(s);
}

void sim_sync(struct sim *s)
{
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		sm_account_sleep(&s->view[i], machine_gpu(s->m)->cycle + (machine_gpu(s->m)->stage > STAGE_ISSUE));
		sm_account_held(&s->view[i]);
	}
	bounds_count(s, machine_gpu(s->m)->cycle + (machine_gpu(s->m)->stage > STAGE_CTA));
	kernels_sync(s);
}

u64 sim_hash(struct sim *s)
{
	sim_sync(s);
	return mix64(machine_hash(s->m)) ^ store_hash(&s->store);
}

u64 sim_counted(struct sim *s)
{
	sim_sync(s);
	return machine_counted(s->m);
}
