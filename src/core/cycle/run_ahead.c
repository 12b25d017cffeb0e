/*
 * run_ahead.c - many cycles at once: each SM runs several cycles of its own before the next SM, so that its state stays
 * near.
 *
 * SMs meet only through the crossbar, through the values of global memory and through the dispatcher of CTAs. So an SM
 * that has been visited in a cycle may go on alone up to the first cycle in which an answer that has not yet left its
 * slice could be there (away.c). It stops before that:
 *   - in front of the issue stage of a cycle in which a scheduler could choose an instruction that reads or writes
 * global memory;
 *   - where a CTA of it can retire, while CTAs are being dispatched, and where a
 * launch may begin, at its time or after the end of another;
 *   - where the crossbar could refuse it something only because the memory stage lags behind;
 *   - where a launch could end while others go on, if policies are to know it;
 * and none goes ahead while CTAs make room for others.
 * The cycle of the GPU then follows and everything else happens in its order: the state at the end is that of
 * sim_cycle(), bit for bit. Only a fault is found too early: SMs that are past it cannot come back, and the run has to
 * be repeated in step. Nobody may listen meanwhile: records would come out of order.
 *
 * For the same reasons several threads may visit SMs (engine.threads): an SM writes nothing of another, and what all
 * write, sets of the GPU, chunks of the store, a fault, is written so that no order shows.
 */
#include "gangs/gangs.h"
#include "issue/issue.h"
#include "worker_pool.h"
#include "shadow.h"
#include "cycle/stages.h"

#include <string.h>

#define POOL_SMS 4	/* fewer SMs are not worth a pool */
#define POOL_CYCLES 256 /* nor are fewer cycles */

/* A run in which the SMs have gone ahead keeps, by SM, the first cycle that each has not begun: sim.ahead. */

/* Packets that the L1D can ask for at most in one visit. */
static u32 run_ahead_most_misses(const struct config *c)
{
	return c->l1d_ports * (c->l2_sectors && !c->l1d_sectors ? c->l1d_line / 32 : 1);
}

/* Requests that one visit can put into the crossbar at most. */
static u32 run_ahead_most_requests(const struct config *c)
{
	return run_ahead_most_misses(c) + (c->l1i_prefetch ? 2 : 1) * c->l1i_ports +
	       (c->const_perfect ? 0 : c->const_mshrs);
}

/* Will the LSU ask nothing of the L1D in cycle t? */
static bool run_ahead_lsu_quiet(const struct sm_view *v, u64 t)
{
	const struct sm *sm = v->sm;
	if (sm->reexec_count | sm->reexec_inactive)
		return false;
	if (!sm->lsu_count || sm->shared_busy > t)
		return true;
	u32 class = v->memop[v->lsuq[sm->lsu_head].memop].class;
	return class == CLASS_SHLOAD || class == CLASS_SHSTORE;
}

/* Can an SM run cycle t without knowing what the crossbar does before it? most: requests of one visit. */
static inline bool run_ahead_may_lead(const struct sm_view *v, u64 t, u32 most)
{
	const struct config *c = &v->m->config;
	const struct port *port = v->port;
	return v->sm->ctas && !(v->sm->finishing && cta_retirable(v)) &&
	       !__atomic_load_n(&v->gpu->fault, __ATOMIC_RELAXED) && port->out_count + most <= c->icnt_queue &&
	       port->in_count + c->icnt_latency + 2 <= v->in_size &&
	       (port->misses + run_ahead_most_misses(c) <= c->l1d_queue || run_ahead_lsu_quiet(v, t));
}

/* The stages in front of issue, and the others. */
static void run_ahead_visit_head(struct sm_view *v)
{
	sm_begin(v);
	sm_stages(v, FIRST_SM_STAGE, STAGE_ISSUE);
}
static void run_ahead_visit_tail(struct sm_view *v)
{
	sm_stages(v, STAGE_ISSUE, AFTER_SM_STAGES);
	sm_settle(v);
}

/* What cycle it is for an SM. */
static void run_ahead_use_clock(struct sm_view *v, const u64 *clock)
{
	v->clock = v->site.clock = clock;
}

/* Is an instruction ready that reads or writes global memory? */
static inline bool run_ahead_ready_to_touch(struct sm_view *v)
{
	u64 bits = 0;
	for (u32 i = 0; i < v->m->words; i++)
		bits |= sm_ready(v, i) & v->global[i];
	return bits != 0;
}

/* The stages from issue on, where none of some slots is chosen: so it was foreseen. */
static void run_ahead_visit_without(struct sm_view *v, const u64 *slots)
{
	run_ahead_visit_tail(v);
	for (u32 k = 0; k < v->m->schedulers; k++)
		INVARIANT(v->sched[k].chosen == NONE16 || !SET_HAS(slots, v->sched[k].chosen));
}

/* Cycle t of an SM alone, whose clock is its own; false: it stops in front of the issue stage. */
static inline bool run_ahead_lead_cycle(struct sm_view *v, u64 t)
{
	u64 touch[SLOT_WORDS];
	v->own_clock = t;
	v->sim->ahead[v->id] = t + 1;
	run_ahead_visit_head(v);
	if (!run_ahead_ready_to_touch(v)) {
		run_ahead_visit_tail(v);
		return true;
	}
	memcpy(touch, v->global, sizeof touch);
	v->halfway = issue_may_choose(v, touch);
	if (v->halfway)
		v->sleep->until = t;
	else
		run_ahead_visit_without(v, touch);
	return !v->halfway;
}

/* Cycles of an SM alone, from the next in which it is awake, before cycle `end` and before its next answer. */
static void run_ahead_lead(struct sm_view *v, u64 end)
{
	if (v->sleep->until >= end)
		return;
	u32 most = run_ahead_most_requests(&v->m->config);
	end = min_u64(end, away_answered(v));
	run_ahead_use_clock(v, &v->own_clock);
	for (u64 t = v->sleep->until; t < end && run_ahead_may_lead(v, t, most); t = v->sleep->until)
		if (!run_ahead_lead_cycle(v, t))
			break;
	run_ahead_use_clock(v, &v->gpu->cycle);
}

/* Do CTAs make room, or is one on its way out or waiting to come back? What they leave another may take. */
static bool run_ahead_room_is_made(struct sim *s)
{
	const struct gpu *g = machine_gpu(s->m);
	bool any = g->leaving || g->parked || g->departing;
	for (u32 i = 0; !any && i < s->m->config.gpu_sms; i++)
		any = s->view[i].sm->needs || s->view[i].sm->draining;
	return any;
}

/* Could policies make a CTA leave, or let a CTA come to an SM that is ahead, when nothing but CTAs ends? */
static bool run_ahead_policy_binds(struct sim *s)
{
	if (s->m->policy_any_time && (s->m->policy.in[POLICY_preempt] || ctas_wait(s)))
		return true;
	return s->m->policy.in[POLICY_preempt] && run_ahead_room_is_made(s);
}

/* The first cycle in which what follows a launch may begin, should it end in this one: its next iteration or instance,
 * or the next of its stream. */
static u64 run_ahead_follower_at(struct sim *s, u32 launch)
{
	const struct launch *l = &s->program->launch[launch];
	u64 next = machine_gpu(s->m)->cycle + 1;
	if (l->every)
		return max_u64(next, l->at + (launch_runs(s->m)[launch].iteration + 1ULL) * l->every);
	return l->loop.present || l->restart || s->next_in_stream[launch] != NONE32
		       ? next + s->m->config.gpu_launch_latency
		       : NEVER;
}

/* The first cycle in which a launch may begin that waits for its time alone: CTAs may then come to any SM. Or that in
 * which a context has been moved. */
static u64 run_ahead_begin_at(struct sim *s)
{
	u64 moves_at = machine_gpu(s->m)->moves_at;
	return moves_at ? min_u64(launch_soon(s), moves_at) : launch_soon(s);
}

/* The cycle before which SMs may go on alone, as far as their answers let them; 0: none may. A pool's go on up to the
 * same cycle, so that the next time there is enough for all of it. */
static u64 run_ahead_lead_end(struct sim *s, u64 limit)
{
	const struct gpu *g = machine_gpu(s->m);
	if (g->dispatching || g->moving || run_ahead_policy_binds(s))
		return 0;
	u64 end = min_u64(limit, s->pool ? away_soonest(s) : away_back(&s->m->config, g->cycle + 1));
	end = min_u64(end, run_ahead_begin_at(s));
	u64 epoch = policy_next(s);
	return epoch == NEVER ? end : min_u64(end, epoch + 1);
}

/* Must all SMs stand at one cycle when a launch ends before cycle `end` while others go on: because schemes are told of
 * it, or asked for shares or who makes room, or because another may begin then? Where only one runs, no SM has CTAs
 * when it ends. */
static bool run_ahead_ends_bind(struct sim *s, u64 end)
{
	const struct agenda *agenda = launch_agenda(s->m);
	u32 kernels = 1u << NOTICE_KERNEL_START | 1u << NOTICE_KERNEL_END;
	bool binds = s->m->policy.in[POLICY_preempt] || s->m->policy.in[POLICY_partition] ||
		     s->m->policy_subscribed & kernels;
	for (u32 k = 0; !binds && agenda->running > 1 && k < agenda->running; k++)
		binds = run_ahead_follower_at(s, launch_turns(s->m)[k].running) < end;
	return binds && agenda->running > 1;
}

/* --- witnesses --- */

/*
 * A launch cannot end as long as a warp of it goes on. Where the end of a launch binds, an SM with such a warp, the
 * launch's witness, goes on first; others may go as far as it has come. Witnesses of several launches take turns, the
 * one that is behind goes first, so that none passes an end of another's.
 */
#define WITNESSES 8 /* launches that run beside each other; of more no SM goes ahead */

/* Has an SM a CTA of a launch of which some warp goes on? */
static bool run_ahead_lives(const struct sm_view *v, u32 launch)
{
	for (u64 left = cta_places(v); left; left &= left - 1) {
		const struct cta *cta = &v->cta[__builtin_ctzll(left)];
		if (cta->launch == launch && cta->done < cta->warps)
			return true;
	}
	return false;
}

/* An SM that is a launch's witness, NULL: there is none. */
static struct sm_view *run_ahead_witness_of(struct sim *s, u32 launch)
{
	SET_EACH (i, machine_residency(s->m, launch)->sms, 4)
		if (run_ahead_lives(&s->view[i], launch))
			return &s->view[i];
	return NULL;
}

/* The first cycle that an SM has not begun, or in which it is awake again, or can be: by an answer. */
static u64 run_ahead_open_cycle(const struct sm_view *v)
{
	return min_u64(max_u64(v->sleep->until, v->gpu->cycle), away_answered(v));
}

/* A witness goes on by its open cycle; false: it may not. */
static bool run_ahead_witness_step(struct sm_view *v, u64 t)
{
	bool good;
	if (t == v->gpu->cycle) {
		if (!v->halfway)
			run_ahead_visit_head(v);
		v->halfway = false;
		run_ahead_visit_tail(v);
		return true;
	}
	if (v->halfway || !run_ahead_may_lead(v, t, run_ahead_most_requests(&v->m->config)))
		return false;
	run_ahead_use_clock(v, &v->own_clock);
	good = run_ahead_lead_cycle(v, t);
	run_ahead_use_clock(v, &v->gpu->cycle);
	return good;
}

/* The witness that is behind. */
static struct sm_view *run_ahead_least_advanced(struct sm_view *const *witness, u32 n)
{
	struct sm_view *v = witness[0];
	for (u32 k = 1; k < n; k++)
		if (run_ahead_open_cycle(witness[k]) < run_ahead_open_cycle(v))
			v = witness[k];
	return v;
}

/* The cycle, at most `end`, before which SMs may go on without passing the end of a launch; witnesses go on up to it.
 */
static u64 run_ahead_ends_end(struct sim *s, u64 end)
{
	const struct turn *turn = launch_turns(s->m);
	struct sm_view *witness[WITNESSES];
	u32 n = launch_agenda(s->m)->running;
	INVARIANT(n);
	for (u32 k = 0; k < n; k++) {
		witness[k < WITNESSES ? k : 0] = run_ahead_witness_of(s, turn[k].running);
		if (k >= WITNESSES || !witness[k])
			return 0;
	}
	for (;;) {
		struct sm_view *v = run_ahead_least_advanced(witness, n);
		u64 t = run_ahead_open_cycle(v);
		if (t >= end || t >= away_answered(v))
			return min_u64(end, t);
		if (!run_ahead_witness_step(v, t))
			return min_u64(end, t + 1);
		for (u32 k = 0; k < n; k++)
			if (witness[k] == v && !run_ahead_lives(v, turn[k].running))
				return min_u64(end, t + 1);
	}
}

/* Is any SM to be visited in this cycle? */
static bool run_ahead_any_awake(const struct sim *s)
{
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		if (s->view[i].sleep->until <= machine_gpu(s->m)->cycle)
			return true;
	return false;
}

/* --- cycles --- */

/* One SM in the cycle of the GPU, and before cycle `end`. One that is past the GPU is not visited. */
static inline void run_ahead_visit(struct sm_view *v, u64 end)
{
	if (v->sleep->until > v->gpu->cycle)
		return;
	near_next_sms(v->sim, v->id);
	if (!v->halfway)
		run_ahead_visit_head(v);
	v->halfway = false;
	run_ahead_visit_tail(v);
	run_ahead_lead(v, end);
}

/* What a pool works at. */
struct work {
	struct sim *s;
	u64 end;
};

static void run_ahead_visit_piece(void *arg, u32 sm)
{
	const struct work *w = arg;
	run_ahead_visit(&w->s->view[sm], w->end);
}

/* The SMs' part of a cycle, by all of the pool. */
static void run_ahead_visit_together(struct sim *s, u64 end)
{
	for (u32 k = 0; k < launch_agenda(s->m)->running; k++)
		launch_arguments(s, launch_turns(s->m)[k].running);
	worker_pool_share(s->pool, run_ahead_visit_piece, &(struct work){s, end}, s->m->config.gpu_sms);
}

/* Is there enough to do in this cycle for more than one thread? */
static bool run_ahead_enough(const struct sim *s)
{
	u32 awake = 0;
	for (u32 i = 0; i < s->m->config.gpu_sms && awake < POOL_SMS; i++)
		awake += s->view[i].sleep->until <= machine_gpu(s->m)->cycle;
	return awake >= POOL_SMS;
}

/* The SMs' part of a cycle, which some of them are awake for. */
static void __attribute__((noinline)) run_ahead_visit_all(struct sim *s, u64 limit)
{
	u64 end = run_ahead_lead_end(s, limit);
	if (end && run_ahead_ends_bind(s, end))
		end = run_ahead_ends_end(s, end);
	if (s->pool && run_ahead_enough(s))
		run_ahead_visit_together(s, end);
	else
		for (u32 i = 0; i < s->m->config.gpu_sms; i++)
			run_ahead_visit(&s->view[i], end);
}

/* One cycle of the GPU. */
static void run_ahead_cycle(struct sim *s, u64 limit)
{
	s->bus.count = 0;
	gpu_stages(s, 0, FIRST_SM_STAGE);
	if (run_ahead_any_awake(s))
		run_ahead_visit_all(s, limit);
	gpu_stages(s, AFTER_SM_STAGES, STAGE_COUNT);
}

/* May nobody see in which order SMs are visited? */
static bool run_ahead_unseen(const struct sim *s)
{
	return s->sleep && !s->stage_major && !s->order_seed && !s->bus.want && !(s->shadow & ~(u32)SHADOW_OUTPUT) &&
	       s->run_ahead && !machine_gpu(s->m)->stage;
}

/* The sets of slots that touch global memory are kept as slots become ready (slots.c); the machine may have been put
 * elsewhere. */
static void run_ahead_look_again(struct sm_view *v)
{
	SET_EACH (i, sm_set(v, SET_READY), v->m->words)
		slot_eval(v, v->slot[i].context);
}

enum run_end sim_run(struct sim *s, u64 limit)
{
	const struct gpu *g = machine_gpu(s->m);
	u32 sms = s->m->config.gpu_sms;
	bool past = false;
	if (!run_ahead_unseen(s))
		return RUN_REFUSED;
	away_count(s);
	if (sms >= POOL_SMS && limit - g->cycle >= POOL_CYCLES)
		sim_crew(s);
	for (u32 i = 0; i < sms; i++) {
		run_ahead_look_again(&s->view[i]);
		if (s->m->policy_gangs)
			gangs_steady(&s->view[i], true);
	}
	while (!sim_finished(s) && g->cycle < limit) {
		u64 now = g->cycle;
		if (sim_skip(s, limit) == now)
			run_ahead_cycle(s, limit);
	}
	for (u32 i = 0; i < sms; i++) {
		past |= s->ahead[i] > g->cycle;
		s->view[i].halfway = false;
		if (s->view[i].steady)
			gangs_steady(&s->view[i], false);
	}
	memset(s->ahead, 0, sms * sizeof *s->ahead);
	INVARIANT(!past || g->fault);
	return past ? RUN_PAST_FAULT : RUN_DONE;
}
