/*
 * preempt.c - CTAs make room: where the partition of an SM wants fewer CTAs of a launch than are there, the scheme in
 * slot preempt says of each what becomes of it.
 *
 * It is asked about an SM when a CTA has come or left there, when a launch begins or ends, and after what schemes are
 * told of the GPU; again each time, as long as there are more than wanted. The engine looks whether each may go so
 * (retire.c) and lets it: those flushed, saved and killed leave when the next cycle begins. One that drains stays to
 * its end; its warps issue before all others. What may not go as was said drains instead; of more than are to go, the
 * rest stays. Both are counted as refused. The menu is that of Park, Park and Mahlke, "Chimera", ASPLOS 2015.
 */
#include "blocks/blocks.h"

/* Two sets: the CTAs of a launch in an SM, and of them those that go in any case, because they have ended or leave. */
static u64 preempt_ctas_of(const struct sm_view *v, u32 launch, u64 *going)
{
	u64 all = 0;
	*going = 0;
	for (u64 left = cta_places(v); left; left &= left - 1) {
		u32 i = (u32)__builtin_ctzll(left);
		const struct cta *cta = &v->cta[i];
		if (cta->launch != launch)
			continue;
		all |= 1ULL << i;
		if (cta->leaving || cta->done == cta->warps)
			*going |= 1ULL << i;
	}
	return all;
}

/* The launch that the room is for: the first in order of dispatch of which the SM is to hold more and more are to
 * come. */
static u32 preempt_gainer(struct sm_view *v, const struct scheme *plan)
{
	const struct turn *turn = launch_turns(v->m);
	for (u32 k = 0; k < launch_agenda(v->m)->running; k++) {
		u32 l = turn[k].running;
		if (launch_waits(&launch_runs(v->m)[l], &v->sim->program->launch[l]) &&
		    kernel_on(v->m, v->id, l)->resident < plan->decide.partition(v->look, l))
			return l;
	}
	return NONE32;
}

/* A CTA begins to drain, or needs not any more. */
static void preempt_drain(struct sm_view *v, u32 cta, bool on)
{
	u64 bit = 1ULL << cta;
	if (on && !(v->sm->draining & bit)) {
		v->sm->stat[STAT_PREEMPT_DRAINS]++;
		emit_cta(v, EVENT_DRAIN, cta);
	}
	v->sm->draining = on ? v->sm->draining | bit : v->sm->draining & ~bit;
}

/* Of some CTAs none has to drain any more; those that have not ended meanwhile stay. */
static void preempt_drain_none(struct sm_view *v, u64 ctas, u64 going)
{
	for (u64 left = v->sm->draining & ctas & ~going; left; left &= left - 1)
		ledger_stays(v, (u32)__builtin_ctzll(left));
	v->sm->draining &= ~ctas;
}

/* What was said of a CTA. */
static void preempt_carry_out(struct sm_view *v, const struct make_way *request, u32 cta, enum verdict verdict)
{
	static const u8 how[] = {
		[VERDICT_FLUSH] = LEAVE_FLUSH, [VERDICT_SAVE] = LEAVE_SAVE, [VERDICT_KILL] = LEAVE_KILL};
	static const u8 way[] = {[VERDICT_DRAIN] = WAY_DRAIN,
				 [VERDICT_FLUSH] = WAY_FLUSH,
				 [VERDICT_SAVE] = WAY_SWITCH,
				 [VERDICT_KILL] = WAY_KILL};
	bool refused = false;
	INVARIANT(verdict <= VERDICT_KILL);
	if (verdict != VERDICT_STAY)
		ledger_asked(v, cta, way[verdict], request);
	else if (v->sm->draining >> cta & 1)
		ledger_stays(v, cta);
	if (verdict > VERDICT_DRAIN)
		refused = sim_depart(v->sim, v->id, cta, how[verdict], NULL) != STATUS_OK;
	if (refused)
		ledger_asked(v, cta, WAY_DRAIN, request);
	v->sm->stat[STAT_PREEMPT_REFUSED] += refused;
	preempt_drain(v, cta, verdict == VERDICT_DRAIN || refused);
}

/* A launch has `surplus` CTAs too many in an SM, beside those that go in any case. */
static void preempt_ask(struct sm_view *v, const struct make_way *request)
{
	u8 verdict[MOST_sm_residents] = {0};
	u32 n = 0;
	for (u64 left = request->ctas & v->sm->draining; left; left &= left - 1)
		verdict[__builtin_ctzll(left)] = VERDICT_DRAIN;
	v->sm->stat[STAT_PREEMPT_ASKED]++;
	policy_one(v->m, POLICY_preempt)->decide.preempt(v->look, request, verdict);
	for (u64 left = request->ctas; left; left &= left - 1) {
		u32 i = (u32)__builtin_ctzll(left);
		if (verdict[i] != VERDICT_STAY && n++ >= request->surplus) {
			v->sm->stat[STAT_PREEMPT_REFUSED]++;
			verdict[i] = VERDICT_STAY;
		}
		preempt_carry_out(v, request, i, verdict[i]);
	}
}

/* The CTAs of a launch in an SM, against what the plan wants of it. */
static void preempt_compare(struct sm_view *v, const struct scheme *plan, u32 launch)
{
	u64 going, all = preempt_ctas_of(v, launch, &going);
	u32 stay = (u32)__builtin_popcountll(all & ~going),
	    wanted = all ? plan->decide.partition(v->look, launch) : NONE32;
	if (stay > wanted) {
		struct make_way request = {.launch = launch,
					   .gainer = preempt_gainer(v, plan),
					   .ctas = all & ~going,
					   .surplus = stay - wanted};
		need_begins(v, &request, wanted);
		preempt_ask(v, &request);
	} else {
		preempt_drain_none(v, all, going);
	}
	if (v->sm->needs)
		need_looks(v, launch, (u32)__builtin_popcountll(all), wanted);
}

/* Nobody divides SMs, or nobody says how CTAs make room: all may stay. */
static void preempt_ask_nobody(struct sm_view *v)
{
	preempt_drain_none(v, cta_places(v), 0);
	for (u32 k = 0; v->sm->needs && k < launch_agenda(v->m)->running; k++)
		need_looks(v, launch_turns(v->m)[k].running, NONE32, NONE32);
}

void preempt_again(struct sm_view *v, bool tell)
{
	const struct scheme *plan = policy_one(v->m, POLICY_partition);
	INVARIANT(v->sim->ahead[v->id] <= v->gpu->cycle + 1);
	if (!plan || !policy_one(v->m, POLICY_preempt))
		preempt_ask_nobody(v);
	else
		for (u32 k = 0; k < launch_agenda(v->m)->running; k++)
			preempt_compare(v, plan, launch_turns(v->m)[k].running);
	ctas_pause_again(v, tell);
}

void preempt_all(struct sim *s, u64 counted)
{
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		struct sm_view *v = &s->view[i];
		if (!v->sm->ctas)
			continue;
		sm_account_sleep(v, counted);
		v->sleep->until = min_u64(v->sleep->until, counted);
		preempt_again(v, true);
	}
}
