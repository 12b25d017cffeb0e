/*
 * fault_others.c - the fault of a machine in a sentence: who did what, where it is now, and of a barrier that a part of
 * a warp reached which lanes came, and where the others are.
 *
 * Read from the SIMT stack of the warp, which a fault leaves as it was: the top has the lanes that run; what lies below
 * waits where its entry says, to run or to be joined.
 */
#include "machine.h"
#include "why.h"

#include "lines.h"
#include "outputs.h"

/* Is the lane that faulted one of a context's, which may be a slice of its warp? */
static bool has_lane(const struct sim *s, u32 context)
{
	const struct gpu *g = machine_gpu(s->m);
	u32 slice = context & ((1u << s->m->parent_shift) - 1), size = s->m->config.warp_size;

	return !s->m->parent_shift || g->fault_lane / size == slice;
}

u32 fault_context(const struct sim *s)
{
	const struct gpu *g = machine_gpu(s->m);
	const struct warp *w = machine_sm_section(s->m, g->fault_sm, SECTION_WARP);
	const struct cta *cta = machine_sm_section(s->m, g->fault_sm, SECTION_CTA);

	for (u32 i = 0; i < s->m->contexts; i++)
		if (w[i].cta != NONE16 && w[i].depth && w[i].launch == g->fault_launch && w[i].index == g->fault_warp &&
		    cta[w[i].cta].id == g->fault_cta && has_lane(s, i))
			return i;
	return NONE32;
}

/* "; lanes 16-31 are at pc 20 (scale.cu:30)" */
static void place_text(const struct kernel *k, u32 mask, u32 pc, struct text *out)
{
	char line[128];

	text_add(out, "; lanes ");
	lanes_text(mask, out);
	if (pc >= k->ninst) {
		text_add(out, " are at the end");
		return;
	}
	line_place(k, pc, line, sizeof(line));
	text_add(out, " are at pc %u%s%s%s", pc, line[0] ? " (" : "", line, line[0] ? ")" : "");
}

/* Lanes of the mask that a predicate lets through. */
static u32 guarded(const struct sim *s, u32 context, const struct inst *in, u32 mask)
{
	const struct gpu *g = machine_gpu(s->m);
	u32 n;
	const u32 *preds = sim_warp_preds(s, g->fault_sm, context, &n);

	if (in->guard.kind != OPERAND_PRED || !preds || in->guard.value >= n)
		return mask;
	return mask & (in->guard.negate ? ~preds[in->guard.value] : preds[in->guard.value]);
}

/* Of a barrier: "; lanes 0-15 reached it; lanes 16-31 are at pc 20 (scale.cu:30)". */
static void add_others(const struct sim *s, struct text *out)
{
	const struct gpu *g = machine_gpu(s->m);
	const struct kernel *k = s->program->launch[g->fault_launch].kernel;
	const struct simt_entry *stack;
	const struct warp *w;
	u32 context, came, left;

	if (g->fault != FAULT_DIVERGED_BARRIER)
		return;
	context = fault_context(s);
	if (context == NONE32)
		return;
	w = (const struct warp *)machine_sm_section(s->m, g->fault_sm, SECTION_WARP) + context;
	stack = (const struct simt_entry *)machine_sm_section(s->m, g->fault_sm, SECTION_STACK) +
		(size_t)context * SIMT_DEPTH;
	came = guarded(s, context, &k->inst[g->fault_pc], stack[w->depth - 1].mask);
	text_add(out, "; lanes ");
	lanes_text(came, out);
	text_add(out, " reached it");
	if (stack[w->depth - 1].mask & ~came) {
		text_add(out, "; the guard keeps lanes ");
		lanes_text(stack[w->depth - 1].mask & ~came, out);
		text_add(out, " from it");
	}
	left = stack[0].mask & ~stack[w->depth - 1].mask;
	for (u32 i = w->depth - 1; i-- > 0 && left; left &= ~stack[i].mask)
		if (left & stack[i].mask)
			place_text(k, left & stack[i].mask, stack[i].pc, out);
}

void fault_sentence(const struct sim *s, struct text *out)
{
	const struct gpu *g = machine_gpu(s->m);
	const struct launch *l = &s->program->launch[g->fault_launch];
	u32 context = fault_context(s);

	fault_describe(out, s->program, l, g->fault_cta, g->fault_warp, &l->kernel->inst[g->fault_pc], g->fault,
		       g->fault_lane, g->fault_address);
	add_others(s, out);
	if (g->fault == FAULT_ASSERT) {
		struct text said = {0};

		output_assertion(s, &said);
		text_add(out, "%s%s", said.len ? "; " : "", said.len ? said.s : "");
		text_free(&said);
	}
	if (context != NONE32)
		text_add(out, "; this is resident warp %u of SM %u", context, g->fault_sm);
}
