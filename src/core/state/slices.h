/*
 * slices.h - what an SM does otherwise whose warps are cut into small warps, "slices" (warp.size below 32): one table,
 * sm_view.slices, so that who follows a whole warp comes upon nothing of it but these calls. For src/core only.
 */
#ifndef WARPSTEP_SLICES_H
#define WARPSTEP_SLICES_H

#include "state/view.h"

struct slice_hooks {
	/* Stages, in place of those of whole warps; issue: gangs go before the schedulers choose among `ready`, and
	 * take those that are returned. */
	void (*decode)(struct sm_view *v);
	void (*fetch)(struct sm_view *v);
	void (*collect)(struct sm_view *v);
	u32 (*issue)(struct sm_view *v, u64 *ready);
	/* Memory operations that slices share (slice_sharing.c): that of a context joins another, which is returned, or
	 * stays; one for constants; shared memory has served it: the results of all but the first are due; all its
	 * lines are made; a line has come, been written, or missed, for `slices` of those from `load` on; a context
	 * leaves before it is handed in: true, the operation stays. */
	u32 (*join)(struct sm_view *v, u32 memop, const struct inst *in, const struct front_result *r);
	u32 (*constants)(struct sm_view *v, u32 context, const struct inst *in, const struct front_result *r);
	void (*shared)(struct sm_view *v, const struct memop *op, u32 cycles);
	void (*finish)(struct sm_view *v, const struct memop *op);
	void (*arrived)(struct sm_view *v, u32 load, u32 slices);
	void (*acknowledged)(struct sm_view *v, u32 load, u32 slices);
	void (*missed)(struct sm_view *v, u32 load, u32 slices);
	bool (*forget)(struct sm_view *v, struct memop *op, u32 sub);
	bool (*dispatch)(struct sm_view *v, u32 memop); /* constants leave their units; false: they are one slice's */
	/* A result of some slices of a warp is there; something happens to one slice alone, before it does; sub-cores
	 * may be looked at one by one. */
	void (*write_back)(struct sm_view *v, const struct result *r);
	void (*apart)(struct sm_view *v, u32 context);
	void (*spread)(struct sm_view *v);
	/* The table of gangs: a CTA has come, with slots or without; a context has got a slot, or is about to lose it;
	 * it leaves; slices of a parent warp have been moved; other policies are chosen. */
	void (*begin)(struct sm_view *v, u32 cta);
	void (*slot)(struct sm_view *v, u32 context, bool has);
	void (*leave)(struct sm_view *v, u32 context);
	void (*moved)(struct sm_view *v, u32 parent);
	void (*keep)(struct sm_view *v);
};
extern const struct slice_hooks slice_hooks; /* gangs.c */

/* Are warps cut? */
static inline bool sliced(const struct sm_view *v)
{
	return __builtin_expect(v->m->parent_shift != 0, 0);
}

#endif
