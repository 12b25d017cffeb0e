/*
 * told.c - laws 1 and 4 under policies that listen, wait for dates and throttle: what they were told when, and what
 * they decided, is part of the state, and so the same in whatever order SMs are visited, asleep or ahead, by one thread
 * or several, there and back.
 *
 * The schemes are the program's own, in the rows for trials.
 */
#include "cycle/stages.h"
#include "laws.h"
#include "trials.h"

#include <string.h>

#define WINDOW 192 /* cycles of an epoch */
#define GATE 160   /* cycles for which the gate stands open or shut */

/* What the listener keeps in each SM; what the moody one does; what the listener keeps of the GPU. */
#define LISTENER_FIELDS(F, A) \
	F(u64, sum, "over everything that it was told, in its order") \
	F(u64, cycles, "cycles") \
	F(u64, issued, "issues") \
	F(u64, stepped, "times that a warp stood at its next instruction") \
	F(u64, slotted, "warps that got a slot") \
	F(u64, missed, "misses") \
	F(u64, evicted, "lines that made way") \
	F(u64, stored, "stores") \
	F(u64, admitted, "CTAs that came") \
	F(u64, left, "CTAs that left") \
	F(u64, waited, "contexts that waited for memory, at the last epoch") \
	F(u64, less, "CTAs that this SM does without")
#define MOODY_FIELDS(F, A) F(u64, issued, "issues")
#define TIMES_FIELDS(F, A) \
	F(u64, epochs, "epochs") \
	F(u64, kernels, "starts and ends of kernels")
OWN_STRUCT(listener, LISTENER_FIELDS)
OWN_STRUCT(moody, MOODY_FIELDS)
OWN_STRUCT(times, TIMES_FIELDS)

static void mix(struct listener *own, u64 value)
{
	own->sum = mix64(own->sum ^ value);
}

/* Counts, and mixes what can be seen at that moment. */
static void told(const struct sched_view *v, const struct notice *n, void *bytes)
{
	struct listener *own = bytes;

	switch (n->kind) {
	case NOTICE_CYCLES: own->cycles += n->count; return; /* how many at once is nobody's business */
	case NOTICE_ISSUE: own->issued++; break;
	case NOTICE_STEP: own->stepped++; break;
	case NOTICE_SLOT: own->slotted++; break;
	case NOTICE_L1D_MISS: own->missed++; break;
	case NOTICE_L1D_EVICT: own->evicted++; break;
	case NOTICE_L1D_STORE: own->stored++; break;
	case NOTICE_ADMIT: own->admitted++; break;
	case NOTICE_LEAVE: own->left++; break;
	default: INVARIANT(false);
	}
	mix(own, n->kind + (u64)n->context * 64 + ((u64)n->pc << 24) + (n->line << 32) + sched_now(v));
}

/* The counters of an SM at an epoch, which stand at the end of the same cycle in all. */
static void sample(const struct sm *sm, struct listener *own)
{
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		mix(own, sm->statuses[i]);
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		mix(own, sm->outcomes[i]);
	for (u32 i = 0; i < SM_STAT_COUNT; i++)
		mix(own, sm->stat[i]);
}

/* One CTA less where more than half of the contexts waited for memory, one more where less than a quarter did. */
static void throttle(const struct sm *sm, struct listener *own)
{
	u64 waited = sm->statuses[WARP_LONG] - own->waited;

	own->waited = sm->statuses[WARP_LONG];
	own->less += waited > (u64)sm->warps * WINDOW / 2 && own->less + 1 < sm->ctas;
	own->less -= waited < (u64)sm->warps * WINDOW / 4 && own->less;
}

static void told_gpu(const struct gpu_view *v, const struct notice *n, struct scheme_bytes bytes)
{
	struct times *times = bytes.gpu;

	times->kernels += n->kind != NOTICE_EPOCH;
	times->epochs += n->kind == NOTICE_EPOCH;
	for (u32 i = 0; i < v->m->config.gpu_sms; i++) {
		struct listener *own = scheme_bytes_sm(bytes, i);

		mix(own, n->kind * 64 + n->launch + v->cycle);
		sample(gpu_sm(v, i), own);
		if (n->kind == NOTICE_EPOCH)
			throttle(gpu_sm(v, i), own);
	}
}

/* The last cycle of a window. */
static u64 due(const struct gpu_view *v, u64 from)
{
	(void)v;
	return from + (WINDOW - 1 - from % WINDOW);
}

static const struct listener *of(const struct machine *m, u32 sm)
{
	return scheme_own(m, SCHEME_COUNT, sm);
}

static u32 limit(const struct sched_view *v, u32 launch)
{
	u64 less = of(v->m, v->sm_id)->less;

	(void)launch;
	return less < v->m->residents ? v->m->residents - (u32)less : 1;
}

/* As many as it would do without, the youngest first, give way. */
static u64 pauses(const struct sched_view *v)
{
	u64 less = of(v->m, v->sm_id)->less, ctas = 0;

	for (; less; less--) {
		u32 last = NONE32;

		for (u32 i = 0; i < v->m->residents; i++)
			if (v->cta[i].launch != NONE16 && !(ctas >> i & 1) &&
			    (last == NONE32 || v->cta[i].started >= v->cta[last].started))
				last = i;
		ctas |= last == NONE32 ? 0 : 1ULL << last;
	}
	return ctas;
}

/* Every fourth time the gate is shut for the odd slots of the SM. */
static void gate(const struct sched_view *v, u64 *ready)
{
	if ((sched_now(v) / GATE + v->sm_id) % 4)
		return;
	for (u32 i = 0; i < v->m->words; i++)
		ready[i] &= 0x5555555555555555ULL;
}

static u64 gate_turns(const struct sched_view *v, u64 from)
{
	(void)v;
	return from + (GATE - from % GATE) % GATE;
}

/* Counts issues alone, and lets CTAs in by their number: it may change its mind at any time. */
static void counts(const struct sched_view *v, const struct notice *n, void *bytes)
{
	(void)v;
	((struct moody *)bytes)->issued += n->kind == NOTICE_ISSUE;
}

static bool admit(const struct sched_view *v, u32 launch)
{
	(void)launch;
	return !v->sm->ctas || ((const struct moody *)scheme_own(v->m, SCHEME_COUNT + 2, v->sm_id))->issued / 32 % 2;
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {
	{.name = "listener",
	 .doc = "",
	 .decide.cta_limit = limit,
	 .decide.cta_pause = pauses,
	 .on_notice = told,
	 .on_notice_gpu = told_gpu,
	 .due = due,
	 .sm_local = true,
	 .own = {OWN(listener, "listener", IN_SM, NULL), OWN(times, "listener", IN_GPU, NULL)},
	 .subscribes = 1ULL << NOTICE_CYCLES | 1ULL << NOTICE_ISSUE | 1ULL << NOTICE_STEP | 1ULL << NOTICE_SLOT |
		       1ULL << NOTICE_L1D_MISS | 1ULL << NOTICE_L1D_EVICT | 1ULL << NOTICE_L1D_STORE |
		       1ULL << NOTICE_ADMIT | 1ULL << NOTICE_LEAVE | 1ULL << NOTICE_KERNEL_START |
		       1ULL << NOTICE_KERNEL_END | 1ULL << NOTICE_EPOCH},
	{.name = "gate", .doc = "", .decide.hold = gate, .wake = gate_turns, .sm_local = true},
	{.name = "moody",
	 .doc = "",
	 .decide.cta_admit = admit,
	 .on_notice = counts,
	 .subscribes = 1ULL << NOTICE_ISSUE,
	 .own = {OWN(moody, "moody", IN_SM, NULL)}},
	{.name = "way",
	 .doc = "",
	 .decide.partition = trial_partition,
	 .decide.preempt = trial_preempt,
	 .due = trial_due,
	 .on_notice_gpu = trial_told,
	 .subscribes = 1ULL << NOTICE_EPOCH,
	 .sm_local = true},
	{.name = "ganger", .doc = "", .decide.gang = trial_gang, .sm_local = true},
	{.name = "jumble", .doc = "", .decide.cta_swap = trial_jumble},
	{.name = "random",
	 .doc = "",
	 .decide.partition = trial_random_partition,
	 .decide.preempt = trial_random_preempt,
	 .due = trial_random_due,
	 .on_notice_gpu = trial_told,
	 .subscribes = 1ULL << NOTICE_EPOCH,
	 .sm_local = true},
};

/* Every warp that came got a slot, more often where CTAs give theirs away; what issued led to a next instruction, or to
 * the warp's end. */
static bool heard_warps(const struct sim *s, const struct sm *sm, const struct listener *own)
{
	bool slots = policy_one(s->m, POLICY_cta_virtual) ? own->slotted > 0 : own->slotted == sm->assigned;

	return slots && own->stepped + sm->events[EVENT_WARP_DONE] >= own->issued;
}

/* What the listener counted is what the machine did: it was there from the beginning. */
static bool heard_all(const struct scene *c, struct text *why)
{
	struct sim s;
	bool good = true;

	if (!lab_open(&s, c, &c->config, why))
		return false;
	lab_advance(&s, c->limit);
	sim_sync(&s);
	const struct times *times = scheme_own_gpu(s.m, SCHEME_COUNT);
	for (u32 i = 0; good && i < c->config.gpu_sms; i++) {
		const struct listener *own = of(s.m, i);
		const struct sm *sm = s.view[i].sm;
		u64 now = machine_gpu(s.m)->cycle,
		    ends = machine_gpu(s.m)->events[EVENT_KERNEL_START] + machine_gpu(s.m)->events[EVENT_KERNEL_END];

		good = own->cycles == now && times->epochs == now / WINDOW && times->kernels == ends &&
		       own->issued == sm->events[EVENT_ISSUE] && heard_warps(&s, sm, own) &&
		       own->missed == sm->events[EVENT_L1D_MISS] && own->stored == sm->stat[STAT_L1D_WRITES] &&
		       own->admitted == sm->events[EVENT_CTA_START] &&
		       own->left == sm->events[EVENT_CTA_END] + sm->events[EVENT_FLUSHED] + sm->events[EVENT_SAVED] +
					    sm->events[EVENT_KILLED] &&
		       own->evicted <= own->missed;
		if (!good)
			text_add(
				why,
				"SM %u in cycle %llu: told of %llu cycles, %llu epochs, %llu issues, %llu misses, %llu CTAs",
				i, (unsigned long long)now, (unsigned long long)own->cycles,
				(unsigned long long)times->epochs, (unsigned long long)own->issued,
				(unsigned long long)own->missed, (unsigned long long)own->admitted);
	}
	sim_close(&s);
	return good;
}

/* The listener alone; with the gate, there and back; then the moody one. */
bool law_told(struct scene *c, struct text *why)
{
	struct scene told = *c;
	struct policy_choice *policy = &told.session.policy;

	told.limit = c->limit / 16;
	told.known = false;
	policy_put(policy, POLICY_cta_limit, SCHEME_COUNT);
	policy_put(policy, POLICY_cta_pause, SCHEME_COUNT);
	if (!heard_all(&told, why) || !law_order(&told, why) || !law_ahead(&told, why) || !law_threads(&told, why))
		return false;
	told.known = false;
	policy_put(policy, POLICY_hold, SCHEME_COUNT + 1);
	if (!heard_all(&told, why) || !law_sleep(&told, why) || !law_walk(&told, why))
		return false;
	*policy = c->session.policy;
	policy_put(policy, POLICY_cta_admit, SCHEME_COUNT + 2);
	return law_ahead(&told, why);
}
