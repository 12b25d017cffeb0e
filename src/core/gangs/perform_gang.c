/*
 * perform_gang.c - an instruction of a gang issues: performed once for the lanes of all its slices, which share their
 * values by their parent warp; then each slice is followed through its own collector unit and stack.
 *
 * The same follows as if one slice after the other had issued it (perform.c): lanes act in the order of slices.
 * Instructions of which that is not so, or which ask for things of one slice, are not performed here: barriers and
 * fences, asynchronous copies, generic addresses, those of traces and synthetic kernels, and all of a run that is
 * checked or that policies hear of instruction by instruction. Source: Rogers, Johnson, O'Connor, Keckler, "A Variable
 * Warp Size Architecture", ISCA 2015, section 4.
 */
#include "gangs/gangs.h"

/* An instruction of several slices, and what it is for each of them. */
struct union_inst {
	struct sm_view *v;
	const struct inst *in;
	u32 entry;	     /* of the table of gangs: theirs */
	u32 first, mask, pc; /* slices, from a context on */
	u32 memop;	     /* that all share, NONE16: each has its own or none */
	bool lsu, is_long;
	bool alone; /* it has no memory operation */
	u64 written[HAZARD_WORDS];
	struct front_result r;
};

/* Is an instruction of a gang, which has one slot or not, the same for all slices at once? Their sides must not meet
 * behind it. */
static bool perform_gang_fits(const struct sm_view *v, u32 lead, const struct inst *in, u32 pc, bool one)
{
	const struct kernel *k = view_kernel(v, lead);
	u32 told = 1u << NOTICE_ISSUE | 1u << NOTICE_STEP;
	if (k->front != FRONT_PTX || v->sim->shadow || v->m->policy_subscribed & told || in->space == SPACE_GENERIC ||
	    inst_copies(in))
		return false;
	if (class_unit[in->class] == UNIT_NONE)
		return in->op == OP_BRA || in->op == OP_EXIT;
	return one && v->stack[lead * SIMT_DEPTH + v->warp[lead].depth - 1].reconverge != pc + 1;
}

/* Perform it; false: it faults, and nothing has been done. */
static bool perform_gang_lanes(struct union_inst *t, bool one)
{
	/* cppcheck-suppress ctuuninitvar */
	struct sm_view *v = t->v;
	u32 lead = t->first + (u32)__builtin_ctz(t->mask), writes = v->sm->nwrites;
	u32 lanes = one ? v->one_slots[t->entry].lanes : 0;
	for (u32 left = one ? 0 : t->mask; left; left &= left - 1) {
		u32 context = t->first + (u32)__builtin_ctz(left);
		lanes |= v->stack[context * SIMT_DEPTH + v->warp[context].depth - 1].mask;
	}
	perform_environment(v, lead, t->in);
	v->env.active = lanes;
	t->r.ended = 0;
	t->r.span.known = 0;
	front_issue(&v->env, t->in, &t->r);
	if (v->sm->nwrites != writes)
		perform_wrote(v, t->pc, writes);
	return !t->r.fault;
}

/* The memory operation of a slice's own. */
static u32 __attribute__((noinline)) perform_gang_memop_of(struct union_inst *t, u32 context)
{
	u32 all = t->r.mask, memop;
	t->r.mask &= context_mask(t->v->m, context);
	memop = perform_memop(t->v, context, t->pc, t->in, &t->r);
	t->r.mask = all;
	return memop;
}

/* All slices issue it, and go on to the next instruction. */
static void perform_gang_issue_all(struct union_inst *t)
{
	struct sm_view *v = t->v;
	struct slot *s = &v->slot[v->warp[t->first + (u32)__builtin_ctz(t->mask)].slot];
	u64 *pending = t->is_long ? s->pending_long : s->pending_short;
	struct warp *w = &v->warp[t->first];
	struct simt_entry *stack = &v->stack[t->first * SIMT_DEPTH];
	struct issued *issued = &v->issued[t->first], kept = {.pc = t->pc, .mask = t->r.mask};
	for (u32 left = t->mask; left; left >>= 1, w++, issued++, stack += SIMT_DEPTH) {
		if (!(left & 1))
			continue;
		w->issued++;
		w->inflight++;
		*issued = kept;
		stack[w->depth - 1].pc = t->pc + 1;
	}
	v->sm->events[EVENT_ISSUE] += (u32)__builtin_popcount(t->mask);
	s->since = view_cycle(v);
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		pending[i] |= t->written[i];
	s->buffered--;
	s->pc++;
	one_slot_follow(v, t->entry, slot_moved);
}

/* Count the issues of all slices. */
static void perform_gang_count(const struct union_inst *t)
{
	struct sm_view *v = t->v;
	struct kernel_count *k = &v->kernel[v->turn[v->warp[t->first].launch].seat];
	u32 n = (u32)__builtin_popcount(t->mask), lanes = (u32)__builtin_popcount(t->r.mask);
	v->sm->stat[STAT_INST_WARP] += n;
	v->sm->stat[STAT_INST_THREAD] += lanes;
	k->first_issue = k->issued ? k->first_issue : view_cycle(v) + 1;
	k->issued += n;
	k->threads += lanes;
}

/* Do all sub-cores go on alike with it? Where no collector unit is taken they may begin to. */
static bool perform_gang_is_even(const struct union_inst *t)
{
	struct sm_view *v = t->v;
	if (t->mask != (1u << v->m->config.sm_subcores) - 1 || (t->lsu && t->memop == NONE16))
		lockstep_end(v);
	else if (!v->even && !v->sm->collectors_busy)
		lockstep_begin(v);
	return v->even;
}

/* Collector units are taken, in each sub-core of a slice. */
static void perform_gang_take_units(struct union_inst *t)
{
	struct sm_view *v = t->v;
	bool own = t->memop == NONE16 && !t->alone, even = perform_gang_is_even(t);
	u32 memop = t->memop;
	for (u32 left = own || !even ? t->mask : 0; left; left &= left - 1) {
		u32 context = t->first + (u32)__builtin_ctz(left);
		memop = own ? perform_gang_memop_of(t, context) : memop;
		if (!even)
			perform_collect(v, context, t->pc, t->in, memop);
	}
	if (even)
		lockstep_take(v, t->first, t->pc, t->in, memop);
}

/* All slices issue an instruction that passes through collector units. */
static void perform_gang_issue_units(struct union_inst *t)
{
	struct sm_view *v = t->v;
	u32 n = (u32)__builtin_popcount(t->mask);
	t->lsu = class_unit[t->in->class] == UNIT_LSU;
	t->is_long = t->in->class == CLASS_LOAD || t->in->class == CLASS_ATOMIC;
	memset(t->written, 0, sizeof t->written);
	inst_written(t->in, t->written);
	t->alone = !t->lsu && t->in->class != CLASS_CONST;
	t->memop = t->lsu ? slice_sharing_begin(v, t->first, t->mask, t->pc, t->in, &t->r) : NONE16;
	perform_gang_count(t);
	perform_gang_take_units(t);
	v->cta[v->warp[t->first].cta].inflight += n;
	perform_gang_issue_all(t);
}

/* All slices issue a branch, or some of their lanes end. */
static void perform_gang_issue_control(struct union_inst *t)
{
	u32 mask = t->r.mask, taken = t->r.taken, exited = t->r.exited;
	one_slot_part(t->v, t->first);
	for (u32 left = t->mask; left; left &= left - 1) {
		u32 context = t->first + (u32)__builtin_ctz(left), own = context_mask(t->v->m, context);
		perform_environment(t->v, context, t->in);
		t->r.mask = mask & own;
		t->r.taken = taken & own;
		t->r.exited = exited & own;
		perform_issued(t->v, context, t->pc, t->in, &t->r);
	}
}

enum together perform_gang(struct sm_view *v, u32 entry, bool one)
{
	u32 first = entry / GANG_ENTRIES << v->m->parent_shift, mask = v->gang[entry].mask;
	u32 lead = first + (u32)__builtin_ctz(mask), pc = v->slot[v->warp[lead].slot].pc;
	struct union_inst t;
	t.v = v;
	t.in = &view_kernel(v, lead)->inst[pc];
	t.entry = entry;
	t.first = first;
	t.mask = mask;
	t.pc = pc;
	if (!perform_gang_fits(v, lead, t.in, pc, one) || !perform_gang_lanes(&t, one))
		return TOGETHER_NOT;
	if (class_unit[t.in->class] == UNIT_NONE) {
		perform_gang_issue_control(&t);
		return TOGETHER_DONE;
	}
	perform_gang_issue_units(&t);
	return TOGETHER_WHOLE;
}
