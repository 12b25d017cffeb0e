/*
 * near.c - the machine of many SMs is larger than the caches near a processor: what comes next is asked for while
 * something else runs. Nothing follows from it but the time that a run takes.
 */
#include "cycle/stages.h"

#define NEAR_LOOK 8    /* SMs behind one among which the next are looked for */
#define NEAR_CYCLES 10 /* of results that are due */
#define NEAR_MEMOP 128 /* bytes of the LSU's instruction that are read first */

static inline void near_bring(const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i += 64)
		__builtin_prefetch((const u8 *)bytes + i, 1, 2);
}

/* Where an SM's state always is. */
static void near_bring_sm(const struct sm_view *v)
{
	u32 subs = v->m->config.sm_subcores;
	near_bring(v->sm, sizeof *v->sm);
	near_bring(v->sub, subs * sizeof *v->sub);
	near_bring(v->collector, subs * v->m->config.sm_collectors * sizeof *v->collector);
	near_bring(v->slot, subs * v->m->slots_per_sub * sizeof *v->slot);
}

/* What that names: results that are due, the LSU's instruction, warps that may issue or soon may. */
static void near_bring_named(struct sm_view *v)
{
	const struct sm *sm = v->sm;
	for (u64 t = v->gpu->cycle; t < v->gpu->cycle + NEAR_CYCLES; t++)
		if (sm->wheel[t % WHEEL_SIZE] != NONE16)
			near_bring(&v->result[sm->wheel[t % WHEEL_SIZE]], sizeof *v->result);
	if (sm->lsu_count)
		near_bring(&v->memop[v->lsuq[sm->lsu_head].memop], NEAR_MEMOP);
	for (u32 i = 0; i < v->m->words; i++)
		for (u64 left = sm_ready(v, i) | sm_set(v, SET_SHORT)[i]; left; left &= left - 1)
			near_bring(&v->warp[v->slot[i * 64 + (u32)__builtin_ctzll(left)].context], sizeof *v->warp);
}

void near_next_sms(struct sim *s, u32 sm)
{
	u32 end = min_u32(sm + NEAR_LOOK, s->m->config.gpu_sms), found = 0;
	for (u32 i = sm + 1; i < end && found < 2; i++)
		if (s->view[i].sleep->until <= machine_gpu(s->m)->cycle)
			found++ ? near_bring_sm(&s->view[i]) : near_bring_named(&s->view[i]);
}
