/*
 * epoch.c - stage epoch, and what the chosen schemes are told of the GPU as a whole (notices.def), between cycles.
 */
#include "blocks/blocks.h"

/* What schemes see of the GPU. */
static struct gpu_view epoch_look_gpu(const struct sim *s)
{
	return (struct gpu_view){.m = s->m,
				 .gpu = machine_gpu(s->m),
				 .kernel = s->kernel,
				 .launch = s->program->launch,
				 .run = machine_gpu_section(s->m, SECTION_LAUNCH),
				 .launches = s->program->nlaunch,
				 .cycle = machine_gpu(s->m)->cycle};
}

/* All SMs stand at the beginning of a cycle, and their counters with them. */
static void epoch_gather_sms(struct sim *s, u64 cycle)
{
	bounds_count(s, cycle);
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		INVARIANT(s->ahead[i] <= machine_gpu(s->m)->cycle + 1);
		sm_account_sleep(&s->view[i], cycle);
		sm_account_held(&s->view[i]);
	}
}

/* What schemes know has changed: SMs that hold any look again in this cycle, CTAs that wait are offered again. */
static void epoch_wake_sms(struct sim *s, u64 cycle)
{
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		struct sm_view *v = &s->view[i];
		shares_told(v);
		if (v->sm->ctas)
			ctas_changed(v, true);
		bounds_ask(v, true);
		if (v->sm->ctas)
			v->sleep->until = min_u64(v->sleep->until, cycle);
	}
	if (ctas_wait(s))
		dispatch_wake(machine_gpu(s->m));
}

/* Tell a scheme of the GPU; what it has to tell in turn is counted and published. */
static void epoch_tell_gpu(struct sim *s, const struct gpu_view *look, u32 row, const struct notice *n)
{
	const struct scheme *x = scheme_table[row];
	struct scheme_bytes own = {.gpu = (u8 *)s->m + s->m->policy_base + s->m->policy_gpu_at[row],
				   .sm = policy_bytes(s, row),
				   .stride = s->m->policy_stride};
	struct emitted out[MOST_EMITTED];
	u32 told = 0;
	if (x->on_notice_gpu)
		x->on_notice_gpu(look, n, own);
	else
		told = x->on_notice_gpu_emit(look, n, own, out);
	INVARIANT(told <= MOST_EMITTED);
	for (u32 i = 0; i < told; i++)
		gpu_emit(s, out[i].kind, out[i].launch, out[i].a, out[i].b);
}

void notify_gpu(struct sim *s, const struct notice *n, u64 counted)
{
	u64 rows = s->m->policy_subscribers[n->kind], now = machine_gpu(s->m)->cycle;
	struct gpu_view look = epoch_look_gpu(s);
	bool told = false;
	for (; rows; rows &= rows - 1) {
		u32 i = (u32)__builtin_ctzll(rows);
		const struct scheme *x = scheme_table[i];
		if (n->kind == NOTICE_EPOCH && x->due(&look, now) != now)
			continue;
		if (!told)
			epoch_gather_sms(s, counted);
		told = true;
		epoch_tell_gpu(s, &look, i, n);
	}
	if (told)
		epoch_wake_sms(s, counted);
}

void notify_kernel(struct sim *s, enum notice_kind kind, u32 launch, u64 counted)
{
	if (s->m->policy_subscribed >> kind & 1) {
		notify_gpu(s, &(struct notice){.kind = (u16)kind, .launch = (u16)launch}, counted);
		return;
	}
	if (s->m->policy.in[POLICY_preempt])
		preempt_all(s, counted);
	if (!s->m->policy.in[POLICY_partition])
		return;
	epoch_gather_sms(s, counted);
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		shares_told(&s->view[i]);
}

/* Stage epoch. */
UNGUARDED void gpu_epoch(struct sim *s)
{
	if (__builtin_expect(s->m->policy_subscribed >> NOTICE_EPOCH & 1, 0))
		notify_gpu(s, &(struct notice){.kind = NOTICE_EPOCH}, machine_gpu(s->m)->cycle + 1);
}

u64 policy_due(const struct sim *s)
{
	u64 next = NEVER, rows = s->m->policy_subscribers[NOTICE_EPOCH];
	struct gpu_view look = epoch_look_gpu(s);
	for (; rows; rows &= rows - 1)
		next = min_u64(next, scheme_table[__builtin_ctzll(rows)]->due(&look, look.cycle));
	return next;
}
