/*
 * rba.c - register-bank-aware order: the ready warp whose operands wait least at the register-file banks.
 *
 * Source: Barnes, Shen, Rogers, "Mitigating GPU Core Partitioning Performance Effects", HPCA 2023, section IV-A.
 * The score of an instruction is the sum, over its source operands, of the reads queued at the operand's bank of its
 * sub-core, saturating at 31 (five bits; rba.limit). The lowest {score, oldest} issues. The queues are those that the
 * issue stage finds, after the banks' grants of the cycle; with rba.delay D those that it found D cycles ago.
 * Deviations: after rba.delay has been changed, or this policy switched on, cycles before that count as empty queues.
 */
#include "banks.h"
#include "policy_age.h"

#define HISTORY 32 /* cycles kept; more than rba.delay can ask for */

/* Queue lengths of one SM in the last cycles, by cycle mod HISTORY. A cycle in which all queues were empty is not kept.
 */
#define HISTORY_FIELDS(F, A) A(u64, of, HISTORY, "cycle whose queue lengths are recorded in the row, + 1")
#define QUEUE_FIELDS(F, A) \
	F(u8, reads, "reads queued at bank [index mod banks] in the cycle of row [index / banks], at most 255")
OWN_STRUCT(old_queues, HISTORY_FIELDS)
OWN_STRUCT(queue, QUEUE_FIELDS)

/* Banks of an SM. */
static u32 rba_bank_count(const struct config *c)
{
	return c->sm_subcores * c->sm_banks;
}

static u32 rba_queue_count(const struct config *c)
{
	return HISTORY * rba_bank_count(c);
}

/* Without a delay it looks at the banks as they are. */
static bool rba_depends_on_state(const struct config *c)
{
	return c->rba_delay != 0;
}

static void rba_on_notice(const struct sched_view *v, const struct notice *notice, void *own)
{
	struct old_queues *h = own;
	u32 n = rba_bank_count(&v->m->config);
	u64 now = sched_now(v), reads = 0;
	u8 *row = (u8 *)(h + 1) + now % HISTORY * n;
	(void)notice;
	if (!v->m->config.rba_delay)
		return;
	for (u32 i = 0; i < n; i++)
		reads += v->bank[i].count;
	if (!reads)
		return;
	h->of[now % HISTORY] = now + 1;
	for (u32 i = 0; i < n; i++)
		row[i] = (u8)min_u32(v->bank[i].count, 255);
}

/* Reads queued at a bank of the SM, as old as rba.delay wants. */
static u32 rba_queued(const struct sched_view *v, u32 bank)
{
	u64 now = sched_now(v), delay = v->m->config.rba_delay;
	if (!delay)
		return v->bank[bank].count;
	const struct old_queues *h = scheme_own(v->m, SCHEME_rba, v->sm_id);
	if (delay > now || h->of[(now - delay) % HISTORY] != now - delay + 1)
		return 0;
	return ((const u8 *)(h + 1))[(now - delay) % HISTORY * rba_bank_count(&v->m->config) + bank];
}

/* The sum over the operands of an instruction of the reads queued at their banks, saturating. */
static u32 rba_bank_score(const struct sched_view *v, u32 slot)
{
	const struct inst *in = slot_inst(v, slot);
	u32 first = v->sub_id * v->m->config.sm_banks, sum = 0;
	for (u32 i = 0; i < in->nread; i++)
		if (!operand_merged(&v->m->config, in, i))
			sum += rba_queued(v, first + register_bank(&v->m->config,
								   context_parent(v->m, v->slot[slot].context),
								   in->read[i]));
	return min_u32(sum, v->m->config.rba_limit);
}

static u32 rba_score(const struct sched_view *v, u32 slot, struct score *out)
{
	out[0] = (struct score){"score", rba_bank_score(v, slot)};
	return 1 + age_score(v, slot, out + 1);
}

static u32 rba_order(const struct sched_view *v, const u64 *candidates)
{
	u32 best = NONE32, least = NONE32;
	u64 oldest = ~0ULL;
	SET_EACH (i, candidates, v->m->words) {
		u32 s = rba_bank_score(v, i);
		u64 age = slot_age(v, i);
		if (s > least || (s == least && age > oldest))
			continue;
		best = i;
		least = s;
		oldest = age;
	}
	return best;
}

const struct scheme scheme_rba = {
	.name = "rba",
	.paper = "Barnes, Shen, Rogers, \"Mitigating GPU Core Partitioning Performance Effects\", HPCA 2023",
	.doc = "register-bank-aware scheduling: the ready warp with the fewest reads queued at the banks of its operands, then the oldest",
	.neutral = "rba.limit 0",
	.equals = {[POLICY_order] = "oldest"},
	.decide.order = rba_order,
	.score = rba_score,
	.has_score_column = true,
	.on_notice = rba_on_notice,
	.subscribes = 1ULL << NOTICE_CHOOSE,
	.needs_ready_cycles = true,
	.depends_on_state = rba_depends_on_state,
	.own = {OWN(old_queues, "rba", IN_SM, NULL), OWN(queue, "rba.queue", IN_SM, rba_queue_count)},
};
