/*
 * old_values.c - what a register holds until its result has been written (issue.dependences control).
 *
 * An instruction is performed when it issues, and its result is in the registers at once. So the values that were there
 * before are kept beside, and an instruction that issues before the result has been written reads these, as hardware
 * would that has no scoreboard. Deviation: of two results on their way to one register the one that issues last stays,
 * whichever comes first; instructions at which lanes meet read what is newest.
 */
#include "execute/perform.h"

/* The old values of a context whose kernel has values, behind those: of its registers, then of its predicates. */
struct old_values {
	u32 *regs, *preds;
};

static struct old_values old_values_of(const struct sm_view *v, u32 context)
{
	const struct kernel *k = view_kernel(v, context);
	u32 *at = v->env.regs + kernel_context_bytes(k) / 4;
	return (struct old_values){at, at + (size_t)k->regs * WARP_LANES};
}

static void old_values_exchange(u32 *a, u32 *b, u32 lanes)
{
	for (; lanes; lanes &= lanes - 1) {
		u32 i = (u32)__builtin_ctz(lanes), x = a[i];
		a[i] = b[i];
		b[i] = x;
	}
}

/* The same of a predicate, whose lanes are bits. */
static void old_values_exchange_bits(u32 *a, u32 *b, u32 lanes)
{
	u32 differ = (*a ^ *b) & lanes;
	*a ^= differ;
	*b ^= differ;
}

/* The lanes of a register for which results are on their way. */
static u32 old_values_lanes(const struct sm_view *v, u32 context, u32 reg)
{
	const struct inflight *f = &v->inflight[context * INFLIGHT_WRITES];
	u32 lanes = 0;
	for (u32 i = 0; i < v->dependence[context].writes; i++) {
		u64 written[HAZARD_WORDS] = {0};
		inst_written(&view_kernel(v, context)->inst[f[i].pc], written);
		lanes |= SET_HAS(written, reg) ? f[i].lanes : 0;
	}
	return lanes;
}

/* Exchange old values and new ones of some registers in some lanes, each but those of `not`. */
static void old_values_turn(struct sm_view *v, u32 context, const u64 *set, u32 lanes, const u64 * not )
{
	struct old_values old = old_values_of(v, context);
	SET_EACH (reg, set, HAZARD_WORDS) {
		u32 which = lanes & old_values_lanes(v, context, reg);
		if (not &&SET_HAS(not, reg))
			continue;
		if (reg >= HAZARD_PRED)
			old_values_exchange_bits(&v->env.preds[reg - HAZARD_PRED], &old.preds[reg - HAZARD_PRED],
						 which);
		else if (reg < HAZARD_COPIES)
			old_values_exchange(&v->env.regs[reg * WARP_LANES], &old.regs[reg * WARP_LANES], which);
	}
}

/* What an instruction is about to write is kept as it is, but where older values are. */
static void old_values_keep(struct sm_view *v, u32 context, const struct inst *in)
{
	struct old_values old = old_values_of(v, context);
	u64 written[HAZARD_WORDS] = {0};
	inst_written(in, written);
	SET_EACH (reg, written, HAZARD_WORDS) {
		u32 which = v->env.active & ~old_values_lanes(v, context, reg);
		if (reg >= HAZARD_PRED) {
			u32 *kept = &old.preds[reg - HAZARD_PRED];
			*kept = (*kept & ~which) | (v->env.preds[reg - HAZARD_PRED] & which);
			continue;
		}
		for (; which; which &= which - 1) {
			u32 at = reg * WARP_LANES + (u32)__builtin_ctz(which);
			old.regs[at] = v->env.regs[at];
		}
	}
}

void old_values_issue(struct sm_view *v, u32 context, const struct inst *in, struct front_result *r)
{
	u64 early[HAZARD_WORDS], written[HAZARD_WORDS] = {0};
	u32 lanes = v->env.active;
	if (!v->env.regs) {
		front_issue(&v->env, in, r);
		return;
	}
	control_pending(v, context, lanes, early);
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		early[i] &= in->hazard[i];
	inst_written(in, written);
	old_values_keep(v, context, in);
	old_values_turn(v, context, early, lanes, NULL);
	front_issue(&v->env, in, r);
	old_values_turn(v, context, early, lanes & ~r->mask, NULL);
	old_values_turn(v, context, early, lanes & r->mask, written);
}
