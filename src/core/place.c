/*
 * place.c - where the warps of a CTA go: registers and slots belong to sub-cores.
 *
 * The assignment policy names a sub-core for each warp; one without room passes the warp on to the next that has it.
 */
#include "cta.h"

#include <string.h>

/* The sub-core that the assignment policy names for warp w of those assigned to the SM. */
static u32 assigned_sub(const struct sm_view *v, u32 w)
{
	u32 n = v->m->config.sm_subcores;
	u32 k = n == 1 ? 0 : scheme_table[v->m->policy_assign]->assign(v->m, v->id, w, n);
	INVARIANT(k < n);
	return k;
}

/* Context for a warp in sub-core k, or in the next that has a context and registers. NONE32: none has. */
static u32 place_warp(struct sm_view *v, const u64 *open, const u32 *registers, u32 need, u32 k)
{
	u32 n = v->m->config.sm_subcores;
	for (u32 i = 0; i < n; i++, k = k + 1 == n ? 0 : k + 1) {
		if (registers[k] < need)
			continue;
		for (u32 c = k; c < v->m->contexts; c += n)
			if (SET_HAS(open, c))
				return c;
	}
	return NONE32;
}

bool place_cta(struct sm_view *v, const struct launch *l, u16 *context, u32 *deflected)
{
	u64 open[CONTEXT_WORDS];
	u32 registers[MAX_SUBCORES], need = warp_registers(v->m, l);
	memcpy(open, v->sm->free_contexts, sizeof open);
	for (u32 i = 0; i < v->m->config.sm_subcores; i++)
		registers[i] = v->sub[i].registers_free;
	for (u32 i = 0; i < l->warps; i++) {
		u32 sub = assigned_sub(v, v->sm->assigned + i), c = place_warp(v, open, registers, need, sub);
		if (c == NONE32)
			return false;
		*deflected += view_sub(v, c) != sub;
		SET_DEL(open, c);
		registers[view_sub(v, c)] -= need;
		context[i] = (u16)c;
	}
	return true;
}
