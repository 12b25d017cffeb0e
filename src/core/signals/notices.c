/*
 * notices.c - what the chosen schemes are told of an SM (notices.def), where it happens.
 */
#include "signals/signals.h"

/* Tell a scheme that may have something to tell in turn. */
static void notices_ask(struct sm_view *v, const struct scheme *x, const struct notice *n, void *own)
{
	struct emitted out = {0};
	if (x->on_notice_emit(v->look, n, own, &out))
		emit(v, out.kind, n->context, n->pc, n->line, out.a, out.b);
}

void __attribute__((noinline)) notify(struct sm_view *v, const struct notice *n)
{
	for (u64 rows = v->m->policy_subscribers[n->kind]; rows; rows &= rows - 1) {
		u32 i = (u32)__builtin_ctzll(rows);
		void *own = policy_bytes(v->sim, i) + v->id * v->m->policy_stride;
		if (scheme_table[i]->on_notice)
			scheme_table[i]->on_notice(v->look, n, own);
		else
			notices_ask(v, scheme_table[i], n, own);
	}
}

void notify_slots(struct sm_view *v, u64 rows)
{
	for (; rows; rows &= rows - 1) {
		u32 i = (u32)__builtin_ctzll(rows);
		u8 *own = policy_bytes(v->sim, i) + v->id * v->m->policy_stride;
		for (u32 c = 0; c < v->m->contexts; c++)
			if (v->warp[c].cta != NONE16 && v->warp[c].slot != NONE16)
				scheme_table[i]->on_notice(
					v->look, &(struct notice){.kind = NOTICE_SLOT, .context = (u16)c}, own);
	}
}

u64 policy_wake(const struct sm_view *v)
{
	u64 next = NEVER, from = view_cycle(v) + 1;
	for (u64 rows = v->m->policy_wakes; rows; rows &= rows - 1)
		next = min_u64(next, scheme_table[__builtin_ctzll(rows)]->wake(v->look, from));
	return next;
}

void sm_alarm(struct sm_view *v, u64 cycle)
{
	v->sm->alarm = v->sm->alarm ? min_u64(v->sm->alarm, cycle + 1) : cycle + 1;
	v->sleep->until = min_u64(v->sleep->until, cycle);
}
