/* lab.c - fresh machines, runs and prints of them, for the laws. */
#include "counters.h"
#include "events.h"
#include "laws.h"
#include "policy.h"

#include <stdlib.h>

bool lab_open(struct sim *s, const struct scene *c, const struct config *config, struct text *why)
{
	struct error e = {0};

	if (sim_open(s, config, &c->session.policy, &c->session.program, &e) == STATUS_OK)
		return true;
	text_add(why, "%s", e.message);
	return false;
}

bool lab_ended(const struct sim *s)
{
	return !machine_gpu(s->m)->stage && (sim_finished(s) || sim_faulted(s) || sim_deadlocked(s));
}

void lab_advance(struct sim *s, u64 to)
{
	while (machine_gpu(s->m)->cycle < to && !lab_ended(s)) {
		u64 now = machine_gpu(s->m)->cycle;

		if (machine_gpu(s->m)->stage || sim_skip(s, to) == now)
			sim_cycle(s);
	}
}

void lab_watch(struct sim *s, u64 to, void (*look)(void *self, struct sim *s), void *self)
{
	while (machine_gpu(s->m)->cycle < to && !lab_ended(s)) {
		sim_cycle(s);
		look(self, s);
	}
}

bool lab_run(const struct scene *c, const struct config *config, u64 to, struct print *out, struct text *why)
{
	struct sim s;

	if (!lab_open(&s, c, config, why))
		return false;
	lab_advance(&s, to);
	print_take(&s, out);
	sim_close(&s);
	return true;
}

u64 lab_name(const char *name)
{
	u64 h = 0;

	while (*name)
		h = mix64(h ^ (u8)*name++);
	return h;
}

bool lab_turn(const struct scene *c, u32 i, u32 of)
{
	return c->thorough || (i + lab_name(c->path)) % of == 0;
}

bool lab_plain(struct scene *c, struct print *out, struct text *why)
{
	if (!c->known && !lab_run(c, &c->config, c->limit, &c->plain, why))
		return false;
	c->known = true;
	*out = c->plain;
	return true;
}

/* Add a statistic to a print. */
static void print_add(struct print *p, u64 value)
{
	INVARIANT(p->nstats < STAT_MAX);
	p->stat[p->nstats++] = value;
}

/* What all launches have come to, in one number: the sums of every field. */
static u64 kernels_mixed(const struct sim *s)
{
	const u64 *word = machine_gpu_section(s->m, SECTION_KERNEL_SUM);
	u64 mix = 0;

	for (u32 i = 0; i < s->m->section[SECTION_KERNEL_SUM].count * sizeof(struct kernel_count) / sizeof *word; i++)
		mix = mix64(mix ^ word[i]);
	return mix;
}

void print_take(struct sim *s, struct print *out)
{
	const struct gpu *g = machine_gpu(s->m);

	sim_sync(s);
	*out = (struct print){.at = {g->cycle, g->stage}, .hash = sim_hash(s)};
	for (u32 i = 0; i < SM_STAT_COUNT; i++)
		print_add(out, sim_sm_stat(s, i));
	for (u32 i = 0; i < L2_STAT_COUNT; i++)
		print_add(out, sim_l2_stat(s, i));
	for (u32 i = 0; i < DRAM_STAT_COUNT; i++)
		print_add(out, sim_dram_stat(s, i));
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		print_add(out, sim_status_sum(s, i));
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		print_add(out, sim_outcome_sum(s, i));
	for (u32 i = 0; i < EVENT_COUNT; i++)
		print_add(out, sim_event_count(s, i));
	print_add(out, kernels_mixed(s));
	print_add(out, sim_counted(s));
}

const char *print_name(u32 stat)
{
	if (stat < SM_STAT_COUNT)
		return sm_stat_table[stat].name;
	stat -= SM_STAT_COUNT;
	if (stat < L2_STAT_COUNT)
		return l2_stat_table[stat].name;
	stat -= L2_STAT_COUNT;
	if (stat < DRAM_STAT_COUNT)
		return dram_stat_table[stat].name;
	stat -= DRAM_STAT_COUNT;
	if (stat < WARP_STATUS_COUNT)
		return warp_status_table[stat].name;
	stat -= WARP_STATUS_COUNT;
	if (stat < SLOT_OUTCOME_COUNT)
		return slot_outcome_table[stat].name;
	stat -= SLOT_OUTCOME_COUNT;
	if (stat < EVENT_COUNT)
		return event_table[stat].name;
	return stat == EVENT_COUNT ? "the mix of what launches come to (kernel[N])"
				   : "the hash of what is counted, SM by SM";
}

bool print_same(const struct print *want, const struct print *got, struct text *why)
{
	if (want->at.cycle != got->at.cycle || want->at.stage != got->at.stage) {
		text_add(why, "at cycle %llu stage %u instead of cycle %llu stage %u",
			 (unsigned long long)got->at.cycle, got->at.stage, (unsigned long long)want->at.cycle,
			 want->at.stage);
		return false;
	}
	for (u32 i = 0; i < want->nstats; i++) {
		if (want->stat[i] == got->stat[i])
			continue;
		text_add(why, "cycle %llu stage %u: %s is %llu instead of %llu", (unsigned long long)got->at.cycle,
			 got->at.stage, print_name(i), (unsigned long long)got->stat[i],
			 (unsigned long long)want->stat[i]);
		return false;
	}
	if (want->hash == got->hash)
		return true;
	text_add(why, "cycle %llu stage %u: hash %016llx instead of %016llx, statistics equal",
		 (unsigned long long)got->at.cycle, got->at.stage, (unsigned long long)got->hash,
		 (unsigned long long)want->hash);
	return false;
}

bool lab_fill(struct policy_choice *p, struct policy_choice *base, u32 id, u64 slots)
{
	const struct scheme *x = scheme_table[id];
	bool any = false;

	for (u32 i = 0; i < POLICY_SLOTS; i++) {
		int other = x->equals[i] ? scheme_find(i, x->equals[i], NULL) : -1;

		if (!(slots >> i & 1) || !scheme_fills(x, i))
			continue;
		policy_put(p, i, id);
		if (slot_table[i].set) /* the others of the scenario stay */
			base->in[i] &= ~(1ULL << id);
		else
			policy_clear(base, i);
		if (other >= 0)
			policy_put(base, i, (u32)other);
		any = true;
	}
	return any;
}
