/*
 * elf.c - earliest load first: the warp that is nearest to its next load of global or local memory issues first, and is
 * fetched for first.
 *
 * A warp's priority is the number of instructions to its next load, as the kernel's program points tell (points.h), up
 * to elf.bits bits. The table keeps one for each slot. It sinks by one with each instruction, and is calculated anew
 * only when a load issues, when a branch goes the way that its score did not assume, and when the warp goes on
 * elsewhere for another reason: other lanes of it do. Equals: the warp that issued last, then the oldest. Fetches go to
 * the best of the scheduler behind that of the last fetch, or of the next that has any, so that the orders of the
 * schedulers interleave. Source: Park, Park, Mahlke, "ELF", SC 2015, as chapter III of Park, "Enabling Efficient
 * Resource Utilization on Multitasking Throughput Processors", 2016, has it.
 *
 * Deviations: the text recalculates at a branch that is taken where the taken way is the shorter, though the score
 * assumes just that; here at one that is not. A priority at its maximum may mean more: it is calculated anew when it no
 * longer is one (`far`). After merging, one that has come to 0 before a load stays 0.
 */
#include "ops.h"
#include "policy_elf.h"
#include "policy_age.h"

OWN_FIELDS(elf, ELF_FIELDS)
OWN_FIELDS(elf_slot, ELF_SLOT_FIELDS)

/* The table of an SM; NULL: it is not kept, for nobody goes by it. */
static const u8 *elf_table_of(const struct sched_view *v)
{
	const struct elf *own = scheme_own(v->m, SCHEME_elf, v->sm_id);
	return v->m->policy_subscribers[NOTICE_STEP] >> SCHEME_elf & 1 ? (const u8 *)(own + 1) : NULL;
}

u32 elf_naive(const struct sched_view *v, u32 slot)
{
	const struct points *p = v->points[v->warp[v->slot[slot].context].launch];
	return p ? p->priority[min_u32(v->slot[slot].pc, p->ninst)] : (1u << v->m->config.elf_bits) - 1;
}

u32 elf_priority(const struct sched_view *v, u32 slot)
{
	const u8 *table = elf_table_of(v);
	return table ? table[slot] : elf_naive(v, slot);
}

/* The slot that a scheduler issued from last, if it is still the same warp's. */
static u32 elf_last_issued(const struct sched_view *v, const struct sched *sched)
{
	return sched->last != NONE16 && v->slot[sched->last].since ? sched->last : NONE32;
}

/* The best slot of a set, in which the greedy one goes before equals; NONE32: it is empty. */
static u32 elf_best_slot(const struct sched_view *v, const u64 *set, u32 greedy)
{
	const u8 *table = elf_table_of(v);
	u32 best = greedy != NONE32 && SET_HAS(set, greedy) ? greedy : NONE32, least = NONE32;
	if (best != NONE32)
		least = table ? table[best] : elf_naive(v, best);
	for (u32 w = 0; w < v->m->words && (least || best != greedy); w++)
		for (u64 bits = set[w]; bits; bits &= bits - 1) {
			u32 i = w * 64 + (u32)__builtin_ctzll(bits), p = table ? table[i] : elf_naive(v, i);
			if (p > least || (p == least && (best == greedy || slot_age(v, i) >= slot_age(v, best))))
				continue;
			best = i;
			least = p;
		}
	return best;
}

static u32 elf_order(const struct sched_view *v, const u64 *candidates)
{
	if (!v->m->config.elf_points)
		return scheme_gto.decide.order(v, candidates);
	return elf_best_slot(v, candidates, elf_last_issued(v, v->sched));
}

/* Instructions to the load; then greed, or age. */
static u32 elf_score(const struct sched_view *v, u32 slot, struct score *out)
{
	if (!v->m->config.elf_points)
		return scheme_gto.score(v, slot, out);
	out[0] = (struct score){"to load", elf_priority(v, slot)};
	if (slot != elf_last_issued(v, v->sched))
		return 1 + age_score(v, slot, out + 1);
	out[1] = (struct score){"greedy", 1};
	return 2;
}

/* Schedulers of a sub-core whose orders interleave: those that have slots of their own. */
static u32 elf_orders(const struct config *c)
{
	return c->sched_pool ? 1 : c->sm_schedulers;
}

static u32 elf_fetch(const struct sched_view *v, const u64 *want)
{
	u32 n = elf_orders(&v->m->config), last = v->sub->fetch_last, first = v->sub_id * v->m->slots_per_sub;
	u32 k = last == NONE16 ? n - 1 : (last - first) % n, best = NONE32;
	if (!v->m->config.elf_points)
		return scheme_lrr.decide.fetch(v, want);
	if (n == 1)
		return elf_best_slot(v, want, elf_last_issued(v, v->sched));
	for (u32 turn = 0; best == NONE32 && turn < n; turn++) {
		u64 set[SLOT_WORDS] = {0};
		k = k + 1 == n ? 0 : k + 1;
		SET_EACH (i, want, v->m->words)
			if ((i - first) % n == k)
				SET_ADD(set, i);
		best = elf_best_slot(v, set, elf_last_issued(v, &v->sched[k]));
	}
	return best;
}

/* Which count of calculations an instruction adds to when its warp goes from pc to next; NULL: none. */
static u64 *elf_calculation(struct elf *own, const struct kernel *k, const struct points *p, u32 pc, u32 next, u32 was)
{
	const struct inst *in = &k->inst[pc];
	bool falls = next == pc + 1, branch = in->op == OP_BRA && (falls || next == in->target);
	if (in->class == CLASS_LOAD)
		return &own->load;
	if (branch && p->way[pc] == falls)
		return &own->branch;
	if (!branch && !falls)
		return &own->stack;
	return was == p->most && p->priority[next] < p->most ? &own->far : NULL;
}

/* A warp has got a slot, or stands at its next instruction. */
static void elf_on_notice(const struct sched_view *v, const struct notice *n, void *bytes)
{
	struct elf *own = bytes;
	const struct warp *w = &v->warp[n->context];
	const struct points *p = v->points[w->launch];
	u8 *at = (u8 *)(own + 1) + w->slot;
	u32 next = v->slot[w->slot].pc;
	if (!v->m->config.elf_points || !w->depth)
		return;
	u64 *count =
		n->kind == NOTICE_SLOT ? &own->start : elf_calculation(own, v->kernel[w->launch], p, n->pc, next, *at);
	if (count) {
		++*count;
		own->recalcs++;
		*at = p->priority[next];
	} else if (*at < p->most && *at) { /* NOLINT(clang-analyzer-core.*): it has bytes */
		--*at;
	}
	INVARIANT(p->nmerge || *at == p->priority[next]);
}

const struct scheme scheme_elf = {
	.name = "elf",
	.paper = "Park, Park, Mahlke, \"ELF\", SC 2015; Park, PhD thesis, University of Michigan, 2016, chapter III",
	.doc = "earliest load first: the warp with the fewest instructions to its next load issues, and is fetched for, first",
	.neutral = "elf.points 0",
	.decide.order = elf_order,
	.score = elf_score,
	.decide.fetch = elf_fetch,
	.sm_local = true,
	.on_notice = elf_on_notice,
	.subscribes = 1ULL << NOTICE_SLOT | 1ULL << NOTICE_STEP,
	.uses_points = true,
	.own = {OWN(elf, "elf", IN_SM, NULL), OWN(elf_slot, "elf.slot", IN_SM, config_slots)},
};
