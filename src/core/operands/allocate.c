/*
 * allocate.c - operands without collection (collector.allocate): stages Control and Allocate between issue and read.
 *
 * An instruction that issues is in Control in the next cycle. One of fixed latency is in Allocate in the cycle after
 * that, in order, until its bank ports can be had: all its reads within the three cycles that follow. As long as it is
 * held there Control does not move, and the sub-core issues nothing. Others wait beside in their collector units,
 * oldest first, for ports that are left. A read that the register cache answers needs no port (collector.reuse). What
 * is held has its result as much later; a port is a bank's `written_until`. Source: Huerta et al., "Dissecting and
 * Modeling the Architecture of Modern GPU Cores", MICRO 2025, sections 5.1.1 and 5.3. Deviations: instructions that
 * need no collector unit pass no Control, but wait for it; one with more reads of a bank than the window has waits for
 * a free port alone; shuffles and constants are taken for variable.
 */
#include "banks.h"
#include "operands/operands.h"
#include "state/units.h"

#define WINDOW 3 /* cycles in which an instruction reads its operands */

/* How an instruction reads: the bank of each operand, those that the register cache has, reads of ports by bank. */
struct allocation {
	u8 bank[8], ports[MAX_BANKS];
	u32 asks, kept;
};

static void allocate_find(struct sm_view *v, const struct sub_view *part, u32 index, struct allocation *a)
{
	const struct config *c = &v->m->config;
	const struct collector *cu = &part->collector[index];
	const struct inst *in = &view_kernel(v, cu->context)->inst[cu->pc];
	*a = (struct allocation){0};
	for (u32 i = 0; i < in->nread; i++) {
		if (operand_merged(c, in, i))
			continue;
		u32 b = register_bank(c, context_parent(v->m, cu->context), in->read[i]);
		struct bankq q = {.collector = (u8)index, .operand = (u8)i, .reg = in->read[i]};
		a->bank[i] = (u8)b;
		a->asks |= 1u << i;
		if (c->collector_reuse && collect_kept(v, part, b, q))
			a->kept |= 1u << i;
		else
			a->ports[b]++;
	}
}

/* The first arbitration in which a bank's port is free behind this cycle. */
static u64 allocate_first(const struct sm_view *v, const struct bank *bank)
{
	return max_u64(bank->written_until, (view_cycle(v) + 1) * v->m->config.collector_passes);
}

/* Is there room for reads in the window? Banks without any are in conflict. */
static bool allocate_fits(struct sm_view *v, const struct sub_view *part, const struct collector *cu,
			  const struct allocation *a)
{
	const struct config *c = &v->m->config;
	u64 begin = (view_cycle(v) + 1) * c->collector_passes, end = begin + (u64)WINDOW * c->collector_passes;
	bool fits = true;
	for (u32 b = 0; b < c->sm_banks; b++) {
		struct bank *bank = &part->bank[b];
		u64 first = allocate_first(v, bank);
		if (!a->ports[b] || first + a->ports[b] <= end || first == begin)
			continue;
		fits = false;
		bank->conflicts++;
		v->sm->stat[STAT_RF_CONFLICT]++;
		emit(v, EVENT_CONFLICT, cu->context, cu->pc, 0, b, a->ports[b]);
	}
	return fits;
}

/* Take the ports, and change the register cache, operand by operand. */
static void allocate_take(struct sm_view *v, const struct sub_view *part, u32 index, const struct allocation *a)
{
	struct collector *cu = &part->collector[index];
	const struct inst *in = &view_kernel(v, cu->context)->inst[cu->pc];
	for (u32 left = a->asks; left; left &= left - 1) {
		u32 i = (u32)__builtin_ctz(left), b = a->bank[i];
		struct bankq q = {.collector = (u8)index, .operand = (u8)i, .reg = in->read[i]};
		bool kept = a->kept >> i & 1;
		if (v->m->config.collector_reuse)
			collect_read_kept(v, part, b, q, kept);
		if (kept)
			continue;
		part->bank[b].written_until = allocate_first(v, &part->bank[b]) + 1;
		v->sm->stat[STAT_RF_READS]++;
		emit(v, EVENT_GRANT, cu->context, cu->pc, 0, b, in->read[i]);
	}
	cu->read = (u16)((1u << in->nread) - 1);
	cu->need = 0;
	part->sub->ready_collectors |= 1u << index;
}

/* An instruction has its ports, if they can be had. */
static bool allocate_try(struct sm_view *v, const struct sub_view *part, u32 index)
{
	struct allocation a;
	allocate_find(v, part, index, &a);
	if (!allocate_fits(v, part, &part->collector[index], &a))
		return false;
	allocate_take(v, part, index, &a);
	return true;
}

/* The instruction in Allocate: its unit takes it, too. */
static bool allocate_try_fixed(struct sm_view *v, const struct sub_view *part, u32 index)
{
	u32 kind = machine_class_kind(v->m, part->collector[index].class);
	if (!unit_free(v, part, kind) || !result_room(v) || !allocate_try(v, part, index))
		return false;
	if (__builtin_expect(v->m->config.issue_readers, 0))
		readers_allocated(v, (u32)(part - v->part), part->collector[index].context, part->collector[index].pc,
				  WINDOW);
	return true;
}

u32 allocate_waiting(const struct sm_view *v, const struct sub *sub)
{
	u32 all = (u32)((1ULL << v->m->config.sm_collectors) - 1), stages = 0;
	stages |= sub->control ? 1u << (sub->control - 1u) : 0;
	stages |= sub->allocate ? 1u << (sub->allocate - 1u) : 0;
	return all & ~sub->free_collectors & ~sub->ready_collectors & ~stages;
}

void allocate_enter(struct sm_view *v, const struct sub_view *part, const struct inst *in, struct collector *cu)
{
	u32 merged = 0;
	for (u32 i = 0; i < in->nread; i++)
		merged += operand_merged(&v->m->config, in, i);
	cu->need = cu->operands = (u8)(in->nread - merged);
	if (!part->sub->control)
		part->sub->control = (u8)(cu - part->collector + 1);
}

void allocate_step(struct sm_view *v, const struct sub_view *part)
{
	struct sub *sub = part->sub;
	if (sub->allocate && allocate_try_fixed(v, part, sub->allocate - 1u))
		sub->allocate = 0;
	v->sm->stat[STAT_RF_HELD] += sub->allocate != 0;
	for (u32 left = allocate_waiting(v, sub); left;) {
		u32 i = collect_oldest(part->collector, left);
		left = allocate_try(v, part, i) ? left & ~(1u << i) : 0;
	}
	if (sub->control && !class_is_fixed(part->collector[sub->control - 1u].class)) {
		sub->control = 0;
	} else if (sub->control && !sub->allocate) {
		sub->allocate = sub->control;
		sub->control = 0;
	}
	v->sleep->active |= sub->control || sub->allocate || allocate_waiting(v, sub);
}

void allocate_forget(struct sub *sub, u32 index)
{
	sub->control = sub->control == index + 1 ? 0 : sub->control;
	sub->allocate = sub->allocate == index + 1 ? 0 : sub->allocate;
}

u32 allocate_kinds_full(const struct sm_view *v, const struct sub_view *part)
{
	u32 full = 0, next = part->sub->allocate;
	for (u32 class = 0; class < CLASS_COUNT; class ++) {
		u32 kind = machine_class_kind(v->m, class), units = 0;
		if (!class_is_fixed(class))
			continue;
		for (u32 i = v->m->warp_units[kind]; i < v->m->warp_units[kind + 1]; i++)
			units += part->unit[i].free_at <= view_cycle(v) + 2;
		if (next && machine_class_kind(v->m, part->collector[next - 1].class) == kind)
			units -= units && class_interval(&v->m->config, part->collector[next - 1].class) > 1;
		full |= units ? 0 : 1u << kind;
	}
	return full;
}
