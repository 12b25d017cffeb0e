/*
 * perform.c - the chosen instruction issues: performed lane by lane at once, then followed through the pipeline.
 *
 * Values change at issue (front.h); timing goes on apart: scoreboard bits rise, a collector unit is taken and asks the
 * banks for operands, memory instructions carry their coalesced line accesses with them.
 */
#include "banks.h"
#include "meet.h"
#include "memory/l1i.h"
#include "state/slices.h"
#include "state/units.h"
#include "execute/perform.h"
#include "at_once.h"
#include "spill.h"
#include "shadow.h"

#include <string.h>

/* What perform() does at every instruction is part of it, though paths.c does some of it, too. */

const u8 *launch_arguments(struct sim *s, u32 launch)
{
	const struct launch_run *run = machine_gpu_section(s->m, SECTION_LAUNCH);
	if (s->params_iteration[launch] != run[launch].iteration) {
		launch_params(&s->program->launch[launch], run[launch].iteration, s->params[launch]);
		s->params_iteration[launch] = run[launch].iteration;
	}
	return s->params[launch];
}

/* What the front end needs to perform an instruction of a context, beside what is always there. */
ALWAYS_INLINE void perform_environment_inline(struct sm_view *v, u32 context, const struct warp *w,
					      const struct inst *in)
{
	struct sim *s = v->sim;
	struct front_env *env = &v->env;
	const struct cta *cta = &v->cta[w->cta];
	const struct kernel *k = s->kernel[w->launch];
	u8 *values = store_context(&s->store, machine_values(v->m, v->id, context));
	env->launch = &s->program->launch[w->launch];
	env->regs = (u32 *)(void *)values;
	env->preds = values ? (u32 *)(void *)(values + (size_t)k->regs * WARP_LANES * 4) : NULL;
	memcpy(env->ctaid, cta->ctaid, sizeof env->ctaid);
	env->cta = cta->id;
	env->warp = w->index;
	env->context = context;
	env->iteration = w->iteration;
	env->active = v->stack[context * SIMT_DEPTH + w->depth - 1].mask;
	env->cursor = w->cursor;
	if (in->space == SPACE_PARAM || in->space == SPACE_GENERIC)
		env->params = launch_arguments(s, w->launch);
	bool other = (in->space >= SPACE_SHARED) | (in->op == OP_COPY);
	env->shared = other ? store_cta(&s->store, v->id * v->m->residents + w->cta) : NULL;
	env->local = other && k->local_bytes && values ? values + ((size_t)k->regs * WARP_LANES + k->preds) * 4 : NULL;
}

/* The fault is the machine's. */
static void perform_note_fault(struct sm_view *v, const struct warp *w, u32 pc, const struct front_result *r)
{
	struct gpu *g = v->gpu;
	__atomic_store_n(&g->fault, r->fault, __ATOMIC_RELAXED);
	g->fault_lane = r->fault_lane;
	g->fault_launch = w->launch;
	g->fault_cta = v->cta[w->cta].id;
	g->fault_warp = w->index;
	g->fault_pc = pc;
	g->fault_sm = v->id;
	g->fault_address = r->fault_address;
}

void perform_fault(struct sm_view *v, u32 context, u32 pc, const struct front_result *r)
{
	struct gpu *g = v->gpu;
	const struct warp *w = &v->warp[context];
	emit(v, EVENT_FAULT, context, pc, r->fault_address, r->fault, r->fault_lane);
	while (__atomic_exchange_n(&v->sim->faulting, true, __ATOMIC_ACQUIRE))
		; /* another SM is at it */
	if (!g->fault || g->fault_sm > v->id)
		perform_note_fault(v, w, pc, r);
	__atomic_store_n(&v->sim->faulting, false, __ATOMIC_RELEASE);
}

/* A bank queues a read. */
ALWAYS_INLINE void perform_queue_read(const struct sub_view *part, u32 bank_id, u32 size, struct bankq q)
{
	struct bank *bank = &part->bank[bank_id];
	u32 at = bank->head + bank->count++;
	part->bankq[bank_id * size + (at >= size ? at - size : at)] = q;
}

/* Ask the banks for the operands of an instruction. */
ALWAYS_INLINE void perform_ask_operands(struct sm_view *v, const struct sub_view *part, const struct inst *in,
					struct collector *cu)
{
	const struct config *c = &v->m->config;
	u32 busy = part->sub->busy_banks, n = in->nread, merged = 0, size = v->bank_queue;
	u32 home = context_parent(v->m, cu->context);
	bool merges = c->collector_merge || in->held;
	u8 index = (u8)(cu - part->collector);
	for (u32 i = 0; i < n; i++) {
		u32 reg = in->read[i], b = register_bank(c, home, reg);
		if (merges && operand_merged(c, in, i)) {
			cu->read |= (u16)(1u << i);
			merged++;
			continue;
		}
		perform_queue_read(part, b, size,
				   (struct bankq){.collector = index, .operand = (u8)i, .reg = (u16)reg});
		busy |= 1u << b;
	}
	part->sub->busy_banks = busy;
	cu->need = cu->operands = (u8)(n - merged);
}

/* Take a free collector unit of the context's sub-core for an instruction. */
ALWAYS_INLINE void perform_take_collector(struct sm_view *v, u32 context, u32 pc, const struct inst *in, u32 memop)
{
	const struct sub_view *part = &v->part[view_sub(v, context)];
	struct sub *sub = part->sub;
	u32 bit = sub->free_collectors & -sub->free_collectors;
	struct collector *cu = &part->collector[__builtin_ctz(bit)];
	sub->free_collectors &= ~bit;
	if (class_unit[in->class] == UNIT_LSU)
		sub->lsu_collectors |= bit;
	*cu = (struct collector){.generation = v->warp[context].generation,
				 .context = (u16)context,
				 .memory_op = (u16)memop,
				 .pc = pc,
				 .age = v->sm->issue_order++,
				 .class = in->class,
				 .issued_at = view_cycle(v)};
	v->sm->collectors_busy++;
	if (__builtin_expect(v->m->config.collector_share, 0))
		kinds_hold(v, (u32)(part - v->part), in->class, 1);
	if (__builtin_expect(v->control != NULL, 0)) {
		control_writes(v, context, pc, v->issued[context].mask);
		cu->counter = (u16)control_reads(v, context, pc);
	}
	if (__builtin_expect(v->m->config.collector_allocate, 0)) {
		allocate_enter(v, part, in, cu);
		return;
	}
	perform_ask_operands(v, part, in, cu);
	if (!cu->need)
		sub->ready_collectors |= bit;
}

/* Where the frames of a context's local memory lie for the caches: a whole number of lines for each word of a frame. */
static u64 perform_local_base(const struct sm_view *v, u32 context)
{
	u64 frames = (u64)round_up(view_kernel(v, context)->local_bytes, 4) * WARP_LANES;
	return LOCAL_BASE + ((u64)machine_values(v->m, v->id, context)) * frames;
}

/* A texture fetch: the lines that its texels lie in, and cycles of the texture units, which work on quads of lanes. */
static void perform_find_texels(struct sm_view *v, const struct front_result *r, struct memop *op)
{
	const struct texel_reads *reads = &v->reads;
	u32 quads = 0, cut, cycles, lines;
	for (u32 q = 0; q < WARP_LANES / 4; q++)
		quads += (r->mask >> 4 * q & 15) != 0;
	op->count = (u8)coalesce_texels(v->m, reads, op->line, &cut);
	lines = ceil_div(op->count, v->m->config.l1d_ports);
	cycles = ceil_div(quads * (reads->n == MAX_TEXELS ? 2 : 1), v->m->config.tex_rate);
	op->past = PAST_FETCH;
	op->banks = (u16)(1 + cycles - min_u32(cycles, lines));
	v->sm->stat[STAT_TEX_INSTS]++;
	v->sm->stat[STAT_TEX_CYCLES] += cycles;
	v->sm->stat[STAT_TEX_CUT] += cut;
	for (u32 k = 0; k < reads->n; k++)
		v->sm->stat[STAT_TEX_TEXELS] += (u32)__builtin_popcount(reads->mask[k]);
	for (u32 i = 0; i < op->count; i++)
		v->sm->stat[STAT_TEX_SECTORS] += (u32)__builtin_popcountll(op->line[i] & 15);
}

/* The line accesses of an instruction on local memory, or on several spaces: lanes that are not in global memory take
 * bank cycles instead. */
static void __attribute__((noinline))
perform_find_other_lines(struct sm_view *v, u32 context, const struct inst *in, const struct front_result *r, u32 bytes,
			 struct memop *op)
{
	u32 space = in->space == SPACE_GENERIC ? r->space : in->space;
	if (space == SPACE_LOCAL) {
		v->sm->stat[in->op == OP_ST ? STAT_SPILL_STORES : STAT_SPILL_LOADS] += inst_spills(in);
		op->count = (u8)coalesce_local(v->m, r, bytes, perform_local_base(v, context), op->line);
		return;
	}
	if (op_is_fetch(in->op)) {
		perform_find_texels(v, r, op);
		return;
	}
	struct front_result part = *r;
	part.mask = r->mask & ~r->aside;
	op->count = (u8)coalesce(v->m, &part, bytes, op->line);
	part.mask = in->op == OP_COPY ? 0 : r->aside;
	op->banks = (u16)(part.mask ? shared_degree(v->m, &part, bytes) : 0);
}

/* The class by which an instruction is timed: a generic access all of whose lanes are in shared memory is one of those.
 */
static u32 perform_timed_class(const struct inst *in, const struct front_result *r)
{
	if (in->space != SPACE_GENERIC || r->space != SPACE_SHARED)
		return in->class;
	return in->op == OP_ST ? CLASS_SHSTORE : CLASS_SHLOAD;
}

/* Does an atomic add floating-point numbers? */
static bool perform_adds_floats(const struct inst *in)
{
	if (in->aux == ATOM_ADD)
		return in->vec == VALUE_F32 || in->vec == VALUE_F64;
	return in->aux >= ATOM_ADD_F16 && in->aux <= ATOM_ADD_BF16X2;
}

/* Lanes of an atomic that meet at one address are parted, or told to the L2, if it cares. */
static void __attribute__((noinline))
perform_find_meets(struct sm_view *v, const struct inst *in, const struct front_result *r, struct memop *op)
{
	if (v->m->config.lsu_atomic_split) {
		struct front_result part = *r;
		part.mask &= in->space == SPACE_GENERIC ? ~r->aside : ~0u;
		op->count = (u8)coalesce_atomic(v->m, &part, op->line);
		if (v->m->config.l1d_sectors)
			op->count = (u8)coalesce_sectors(op->line, op->count);
		memset(op->meets, 0, op->count);
		return;
	}
	u32 more = perform_adds_floats(in) ? MEETS_FLOAT : 0;
	atomic_meets(v->m, r, op->count, op->line, op->meets);
	for (u32 i = 0; i < op->count; i++)
		op->meets[i] = (u8)(op->meets[i] | more);
}

/* Is a load one of global memory that goes past the L1D? Local memory is its warp's own. */
static inline bool perform_past_l1(const struct inst *in, const struct front_result *r)
{
	return in->aux & ACCESS_PAST && (in->space == SPACE_GENERIC ? r->space : in->space) != SPACE_LOCAL;
}

/* A store or an atomic may end its CTA's right to be begun again, and have said so before. */
static void __attribute__((noinline))
perform_note_overwrite(struct sm_view *v, u32 context, u32 pc, struct memop *op, bool told)
{
	if (!op->count)
		return;
	cta_trip(v, context, pc);
	op->notice = told;
	if (told)
		expect_stores(v, context, 1);
}

/* A memory operation with the line accesses (or bank cycles) of an instruction. */
ALWAYS_INLINE u32 perform_take_memop(struct sm_view *v, u32 context, u32 pc, const struct inst *in,
				     const struct front_result *r, u32 class)
{
	struct sm *sm = v->sm;
	u16 at = sm->memop_free;
	INVARIANT(at != NONE16);
	struct memop *op = &v->memop[at];
	sm->memop_free = op->next;
	u32 bytes = inst_access_bytes(in);
	bool told = __builtin_expect(v->m->config.preempt_ctas, 0) && notice_take(v, context);
	op->context = (u16)context;
	op->generation = v->warp[context].generation;
	op->pc = pc;
	op->mask = r->mask;
	op->class = (u16) class;
	op->load = NONE16;
	op->done = 0;
	op->banks = 0;
	op->next = NONE16;
	op->mates = op->notice = 0;
	op->past = class == CLASS_LOAD && perform_past_l1(in, r);
	if (class == CLASS_SHLOAD || class == CLASS_SHSTORE) {
		op->count = (u8)shared_degree(v->m, r, bytes);
		if (__builtin_expect(in->op == OP_ATOM, 0))
			op->count = (u8)min_u32(op->count + shared_turns(&v->m->config, in, r), 255);
		return at;
	}
	if (__builtin_expect((in->space >= SPACE_LOCAL) | (in->op == OP_COPY), 0))
		perform_find_other_lines(v, context, in, r, bytes, op);
	else
		op->count = (u8)coalesce(v->m, r, bytes, op->line);
	if (__builtin_expect(v->m->config.l1d_sectors, 0))
		op->count = (u8)coalesce_sectors(op->line, op->count);
	if (class == CLASS_ATOMIC &&
	    v->m->config.lsu_atomic_split | v->m->config.l2_atomic_lanes | v->m->config.l2_atomic_float)
		perform_find_meets(v, in, r, op);
	if (__builtin_expect(v->m->config.preempt_ctas && class != CLASS_LOAD, 0))
		perform_note_overwrite(v, context, pc, op, told);
	if (class == CLASS_LOAD || (class == CLASS_ATOMIC && in->ndst))
		op->load = (u16)load_take(v, context, pc, op->count);
	else
		expect_stores(v, context, op->count);
	if (__builtin_expect(in->op == OP_COPY, 0) && op->count)
		copies_begin(v, context, op->load);
	if (__builtin_expect(op->past == PAST_FETCH, 0))
		v->load[op->load].quick = LOAD_FETCH;
	sm->stat[STAT_MEM_INSTS]++;
	sm->stat[STAT_MEM_LINES] += op->count;
	for (u32 i = 0; i < op->count; i++)
		sm->stat[STAT_MEM_SECTORS] += (u32)__builtin_popcountll(op->line[i] & 15);
	return at;
}

u32 perform_constants(struct sm_view *v)
{
	u16 at = v->sm->memop_free;
	INVARIANT(at != NONE16);
	v->sm->memop_free = v->memop[at].next;
	v->memop[at].class = CLASS_CONST;
	v->memop[at].mates = v->memop[at].banks = 0;
	v->memop[at].count = v->memop[at].done = 0;
	v->memop[at].load = v->memop[at].next = NONE16;
	return at;
}

/* A memory operation with the lines of the constant cache that an instruction needs. */
static u32 perform_take_const(struct sm_view *v, u32 context, const struct inst *in, const struct front_result *r)
{
	if (sliced(v))
		return v->slices->constants(v, context, in, r);
	u32 at = perform_constants(v);
	const_lines(v, context, in, r, &v->memop[at]);
	return at;
}

/* A memory operation is looked at by checks, and may become part of another slice's. Returns which it is then. */
static u32 __attribute__((noinline))
perform_watch_memory(struct sm_view *v, u32 pc, const struct inst *in, const struct front_result *r, u32 memop)
{
	if (v->sim->shadow)
		shadow_memory(v, pc, in, r, &v->memop[memop],
			      in->op == OP_ATOM ? shared_turns(&v->m->config, in, r) : 0);
	return sliced(v) ? v->slices->join(v, memop, in, r) : memop;
}

/* The memory operation of an instruction, NONE16: it has none. class: by which it is timed. */
ALWAYS_INLINE u32 perform_find_memop(struct sm_view *v, u32 context, u32 pc, const struct inst *in,
				     const struct front_result *r, u32 class)
{
	u32 memop = NONE16;
	if (class_unit[in->class] == UNIT_LSU)
		memop = perform_take_memop(v, context, pc, in, r, class);
	else if (in->class == CLASS_CONST && in->space != SPACE_NONE && !v->m->config.const_perfect)
		memop = perform_take_const(v, context, in, r);
	if (__builtin_expect((v->sim->shadow | v->m->parent_shift) != 0, 0) && memop != NONE16 &&
	    in->class != CLASS_CONST)
		memop = perform_watch_memory(v, pc, in, r, memop);
	return memop;
}

u32 perform_memop(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r)
{
	return perform_find_memop(v, context, pc, in, r, perform_timed_class(in, r));
}

/* sm.atomic_wait, shared.atomic_wait: the warp waits for an atomic, timed by `class`, as for its writes at a fence; one
 * with a result counts as a write, too, and so does each on shared memory. */
static void __attribute__((noinline))
perform_await_atomic(struct sm_view *v, u32 context, const struct inst *in, u32 class, const struct memop *op)
{
	const struct config *c = &v->m->config;
	bool answer = class != CLASS_ATOMIC || in->ndst;
	if (!(class == CLASS_ATOMIC ? c->sm_atomic_wait : c->shared_atomic_wait))
		return;
	if (answer)
		expect_stores(v, context, 1);
	v->warp[context].at_fence |= answer || op->count;
}

/* Is this the instruction whose result comes at once? What comes early is noted. */
static bool __attribute__((noinline))
perform_comes_at_once(const struct sm_view *v, u32 context, u32 pc, u32 memop, bool is_long)
{
	struct at_once *x = v->sim->at_once;
	const struct warp *w = &v->warp[context];
	if (x->sm != v->id || x->context != context || x->pc != pc || x->issued || w->issued != x->ordinal + 1 ||
	    w->launch != x->launch || v->cta[w->cta].id != x->cta)
		return false;
	x->issued = true;
	x->early = !x->later;
	x->is_long = is_long;
	x->load = memop == NONE16 || v->memop[memop].load == NONE16 ? NONE32 : v->memop[memop].load;
	return x->early;
}

/* Follow an instruction that passes through a collector unit. */
ALWAYS_INLINE void perform_follow_inline(struct sm_view *v, u32 context, u32 pc, const struct inst *in,
					 const struct front_result *r)
{
	struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	u32 class = perform_timed_class(in, r), memop = perform_find_memop(v, context, pc, in, r, class);
	bool is_long = class == CLASS_LOAD || class == CLASS_ATOMIC;
	if (__builtin_expect(!v->sim->at_once, 1) || !perform_comes_at_once(v, context, pc, memop, is_long))
		inst_written(in, is_long ? s->pending_long : s->pending_short);
	w->inflight++;
	v->cta[w->cta].inflight++;
	if (__builtin_expect(in->op == OP_ATOM, 0))
		perform_await_atomic(v, context, in, class, &v->memop[memop]);
	perform_take_collector(v, context, pc, in, memop);
}

void warp_jump(struct sm_view *v, u32 context, u32 pc, u32 delay)
{
	struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	s->buffered = 0;
	s->pc = s->fetch_pc = pc;
	if (s->fetching && !s->discard) {
		struct sub *sub = &v->sub[view_sub(v, context)];
		u32 i = 0;
		while (i < sub->ndecode && sub->decode_slot[i] != w->slot)
			i++;
		if (i < sub->ndecode)
			s->discard = 1;
		else
			l1i_forget(v, context);
	}
	s->fetching = 1;
	if (__builtin_expect(v->m->parent_shift && v->warp[context].stuck, 0)) {
		slot_want(v, context); /* who lets it go on says when it fetches */
		return;
	}
	result_due(v, delay,
		   &(struct result){.kind = RESULT_REFETCH,
				    .context = (u16)context,
				    .load = (u16)w->tenure,
				    .generation = w->generation});
	slot_want(v, context);
}

void warp_ended(struct sm_view *v, u32 context, u32 pc)
{
	struct warp *w = &v->warp[context];
	struct cta *cta = &v->cta[w->cta];
	emit(v, EVENT_WARP_DONE, context, pc, 0, 0, 0);
	cta->done++;
	if (cta->done == cta->warps) {
		v->sm->finishing++;
		gpu_set_add(v->gpu->finish_set, v->id);
	} else {
		barrier_check(v, w->cta);
	}
}

/* The same for a trace: its records say what comes next, and for which lanes. */
static void perform_advance_trace(struct sm_view *v, u32 context, u32 pc, const struct front_result *r)
{
	struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	struct simt_entry *top = &v->stack[context * SIMT_DEPTH];
	s->buffered--;
	s->pc++;
	w->cursor = r->cursor;
	top->pc = r->next;
	top->mask = r->next_mask;
	if (r->ended) {
		w->depth = 0;
		s->buffered = 0;
		warp_ended(v, context, pc);
	} else if (r->next != pc + 1) {
		warp_jump(v, context, r->next, v->m->config.lat_branch);
	}
}

/* Move the warp past the instruction: SIMT stack, instruction buffer. */
ALWAYS_INLINE void perform_advance_inline(struct sm_view *v, u32 context, u32 pc, const struct inst *in,
					  const struct front_result *r)
{
	struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	struct simt_entry *stack = &v->stack[context * SIMT_DEPTH];
	s->buffered--;
	s->pc++;
	if (in->op != OP_BRA && !r->exited && stack[w->depth - 1].reconverge != pc + 1) {
		stack[w->depth - 1].pc = pc + 1;
		return;
	}
	u32 before = w->depth;
	w->depth = simt_advance(stack, w->depth, in, pc, r->taken, r->exited, v->env.launch->most_first);
	if (__builtin_expect((w->waits | w->spins) != 0 || (in->flow & FLOW_ASKS && w->depth > 1), 0))
		paths_moved(v, context, in, r, before);
	if (__builtin_expect(r->exited && v->m->parent_shift, 0))
		paths_left(v, context);
	if (!w->depth) {
		s->buffered = 0;
		warp_ended(v, context, pc);
	} else if (stack[w->depth - 1].pc != pc + 1 || w->stuck) {
		warp_jump(v, context, stack[w->depth - 1].pc, v->m->config.lat_branch);
	}
}

void perform_advance(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r)
{
	perform_advance_inline(v, context, pc, in, r);
}

/* Count a branch. */
static void perform_note_branch(struct sm_view *v, u32 context, u32 pc, const struct inst *in,
				const struct front_env *env, const struct front_result *r)
{
	struct warp *w = &v->warp[context];
	bool diverged = r->taken && r->taken != env->active;
	emit(v, EVENT_BRANCH, context, pc, 0, (u32)__builtin_popcount(r->taken),
	     v->sim->kernel[w->launch]->front == FRONT_TRACE ? r->next : in->target);
	if (in->guard.kind == OPERAND_PRED)
		v->sm->stat[STAT_BRANCHES]++;
	if (diverged) {
		v->sm->stat[STAT_DIVERGED]++;
		emit(v, EVENT_DIVERGE, context, pc, 0, (u32)__builtin_popcount(r->taken), w->depth);
	}
	if (in->target > pc || !r->taken || v->sim->kernel[w->launch]->front == FRONT_TRACE)
		return;
	w->iteration++;
	if (__builtin_expect(v->m->config.preempt_ctas, 0))
		cta_trip(v, context, pc);
}

void perform_branch(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r)
{
	perform_note_branch(v, context, pc, in, &v->env, r);
}

/* nanosleep: the warp fetches nothing for its time, at most as long as the wheel of results reaches. */
static void perform_doze(struct sm_view *v, u32 context, u32 nanoseconds)
{
	u64 cycles = 1 + (u64)nanoseconds * v->m->config.gpu_clock / 1000;
	const struct warp *w = &v->warp[context];
	warp_jump(v, context, v->slot[w->slot].pc, (u32)min_u64(cycles, WHEEL_SIZE - 1));
}

/* Lanes without which a barrier of the whole CTA must not be reached. */
static u32 perform_barrier_missing(struct sm_view *v, u32 context, u32 mask)
{
	const struct simt_entry *stack = &v->stack[context * SIMT_DEPTH];
	const struct kernel *k = view_kernel(v, context);
	u32 depth = v->warp[context].depth;
	return mask == simt_live(stack, depth) ? 0 : simt_missing(stack, depth, k->inst, k->ninst, mask);
}

/* A branch unit of its sub-core takes the branch of a context. */
static void perform_take_branch_unit(struct sm_view *v, u32 context)
{
	struct unit *u = unit_free(v, &v->part[view_sub(v, context)], UNIT_BRANCH);
	INVARIANT(u);
	u->free_at = view_cycle(v) + v->m->config.unit_branch_interval;
	u->issued++;
}

/* Instructions that act at issue and need no collector unit. True: it is not done, and comes again. */
ALWAYS_INLINE bool perform_control(struct sm_view *v, u32 context, u32 pc, const struct inst *in,
				   const struct front_env *env, struct front_result *r)
{
	struct warp *w = &v->warp[context];
	if (__builtin_expect(v->m->config.unit_branch_count, 0) && inst_branches(in))
		perform_take_branch_unit(v, context);
	if (in->op == OP_BRA) {
		perform_note_branch(v, context, pc, in, env, r);
	} else if (op_is_barrier(in->op) && r->mask && !r->ended) {
		u32 missing = r->threads ? 0 : perform_barrier_missing(v, context, r->mask);
		if (missing && apart_launch(env->launch, 1u << v->m->parent_shift) && paths_defer_barrier(v, context))
			return true;
		if (missing) {
			r->fault = FAULT_DIVERGED_BARRIER;
			r->fault_lane = (u8)__builtin_ctz(missing);
			r->fault_address = 0;
			perform_fault(v, context, pc, r);
			return false;
		}
		barrier_arrive(v, context, pc, in, r);
	} else if (in->op == OP_STEP) {
		step_issue(v, context, pc, in);
	} else if (in->class == CLASS_FENCE) {
		w->at_fence = w->stores != 0;
	}
	return false;
}

/* Count an issue for a launch. */
static inline void perform_count_issue(struct sm_view *v, u32 launch, u32 lanes)
{
	struct kernel_count *k = &v->kernel[v->turn[launch].seat];
	if (!k->issued++)
		k->first_issue = view_cycle(v) + 1;
	k->threads += lanes;
}

/* Count an issue for the SM, its warp and its launch. */
ALWAYS_INLINE void perform_note_issue(struct sm_view *v, u32 context, u32 pc, const struct inst *in, u32 mask)
{
	struct warp *w = &v->warp[context];
	u32 lanes = (u32)__builtin_popcount(mask);
	v->sm->stat[STAT_INST_WARP]++;
	v->sm->stat[STAT_INST_THREAD] += lanes;
	w->issued++;
	v->slot[w->slot].since = view_cycle(v);
	v->issued[context] = (struct issued){.pc = pc, .mask = mask};
	perform_count_issue(v, w->launch, lanes);
	if (__builtin_expect(v->control != NULL, 0))
		control_issue(v, context, pc, in);
	emit(v, EVENT_ISSUE, context, pc, 0, lanes, in->class);
	if (notice_subscribed(v, NOTICE_ISSUE))
		notify(v, &(struct notice){.kind = NOTICE_ISSUE,
					   .launch = w->launch,
					   .context = (u16)context,
					   .cta = w->cta,
					   .pc = pc,
					   .count = lanes});
}

void perform_count(struct sm_view *v, u32 context, u32 pc, const struct inst *in, u32 mask)
{
	perform_note_issue(v, context, pc, in, mask);
}

void perform_collect(struct sm_view *v, u32 context, u32 pc, const struct inst *in, u32 memop)
{
	perform_take_collector(v, context, pc, in, memop);
}

void perform_follow(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r)
{
	perform_follow_inline(v, context, pc, in, r);
}

void perform_wrote(struct sm_view *v, u32 pc, u32 writes)
{
	gpu_set_add(v->gpu->write_set, v->id);
	for (u32 i = writes; i < v->sm->nwrites; i++)
		v->writes[i].pc = pc;
}

/* What follows from an instruction that has been performed; writes: global writes of the SM before it. */
ALWAYS_INLINE void perform_issued_inline(struct sm_view *v, u32 context, u32 pc, const struct inst *in,
					 struct front_result *r, u32 writes)
{
	struct warp *w = &v->warp[context];
	const struct kernel *k = v->sim->kernel[w->launch];
	struct front_env *env = &v->env;
	perform_note_issue(v, context, pc, in, r->mask);
	if (__builtin_expect(op_is_barrier(in->op), 0) && !r->fault)
		front_check_barrier(env->launch, r->barrier, r);
	if (__builtin_expect(v->sim->shadow, 0)) {
		shadow_issue(v, context, pc, in, env, r);
		listen_performed(v, context, pc, in, r, in->op == OP_BAR_RED ? r->mask : 0);
	}
	if (__builtin_expect(r->fault, 0)) {
		perform_fault(v, context, pc, r);
		return;
	}
	if (v->sm->nwrites != writes)
		perform_wrote(v, pc, writes);
	if (inst_passes(&v->m->config, in))
		perform_follow_inline(v, context, pc, in, r);
	else if (perform_control(v, context, pc, in, env, r))
		return;
	if (__builtin_expect(r->fault, 0))
		return;
	if (__builtin_expect(k->front == FRONT_TRACE, 0))
		perform_advance_trace(v, context, pc, r);
	else
		perform_advance_inline(v, context, pc, in, r);
	if (__builtin_expect(in->op == OP_COPY_COMMIT, 0))
		copies_commit(v, context, r->mask);
	if (__builtin_expect(in->op == OP_NANOSLEEP, 0) && w->depth && v->slot[w->slot].pc == pc + 1)
		perform_doze(v, context, r->threads);
	slot_moved(v, context);
	if (notice_subscribed(v, NOTICE_STEP) && w->depth)
		notify(v, &(struct notice){.kind = NOTICE_STEP, .context = (u16)context, .pc = pc});
}

void perform_issued(struct sm_view *v, u32 context, u32 pc, const struct inst *in, struct front_result *r)
{
	perform_issued_inline(v, context, pc, in, r, v->sm->nwrites);
}

void perform_environment(struct sm_view *v, u32 context, const struct inst *in)
{
	perform_environment_inline(v, context, &v->warp[context], in);
}

bool __attribute__((noinline))
perform_union(struct sm_view *v, u32 first, u32 mask, const struct inst *in, u32 lanes, u32 live)
{
	u32 lead = first + (u32)__builtin_ctz(mask), pc = v->slot[v->warp[lead].slot].pc;
	struct front_result all = {.fault = FAULT_NONE}, part;
	perform_environment_inline(v, lead, &v->warp[lead], in);
	v->env.active = lanes;
	if (in->meet && meet_absent(&v->env, in, live))
		return false;
	front_issue(&v->env, in, &all);
	for (u32 left = mask; left; left &= left - 1) {
		u32 context = first + (u32)__builtin_ctz(left), own = context_mask(v->m, context);
		part = all;
		part.mask &= own;
		perform_environment_inline(v, context, &v->warp[context], in);
		perform_issued_inline(v, context, pc, in, &part, v->sm->nwrites);
	}
	return true;
}

void perform(struct sm_view *v, u32 context)
{
	struct warp *w = &v->warp[context];
	u32 pc = v->slot[w->slot].pc, writes = v->sm->nwrites;
	const struct inst *in = &v->sim->kernel[w->launch]->inst[pc];
	struct front_env *env = &v->env;
	struct front_result r;
	if (__builtin_expect(v->m->config.chimera_notice, 0) && notice_issue(v, context, pc))
		return;
	perform_environment_inline(v, context, w, in);
	if (__builtin_expect(in->meet != 0, 0) && apart_asks(in, w->depth, WARP_LANES / v->m->lanes) &&
	    paths_meet(v, context, pc, in))
		return;
	r.fault = FAULT_NONE;
	r.taken = r.exited = r.mask = 0;
	r.ended = 0;
	r.span.known = 0;
	if (__builtin_expect(v->control != NULL, 0))
		old_values_issue(v, context, in, &r);
	else
		front_issue(env, in, &r);
	perform_issued_inline(v, context, pc, in, &r, writes);
}
