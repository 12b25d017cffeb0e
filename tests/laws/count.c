/* count.c - laws 5, 6 and 10: what a cycle counts, tells and allocates. */
#include "counters.h"
#include "events.h"
#include "laws.h"
#include "machine.h"

#include <stdlib.h>
#include <string.h>

/* --- 5: sums --- */

struct sums {
	struct text *why;
	bool good;
};

/* Code lines asked for ahead have been wanted or wasted, or are there or on their way. */
static bool lines_ahead_even(const struct sim *s, u32 id)
{
	const struct sm *sm = machine_sm_section(s->m, id, SECTION_SM);
	const struct tag *tag = machine_sm_section(s->m, id, SECTION_L1I);
	const struct imiss *miss = machine_sm_section(s->m, id, SECTION_IMISS);
	u64 lines = sm->stat[STAT_L1I_AHEAD_USEFUL] + sm->stat[STAT_L1I_AHEAD_WASTED];

	for (u32 i = 0; i < s->m->section[SECTION_L1I].count; i++)
		lines += tag[i].ahead;
	for (u32 i = 0; i < s->m->section[SECTION_IMISS].count; i++)
		lines += miss[i].ahead == 1;
	return lines == sm->stat[STAT_L1I_AHEAD] && sm->events[EVENT_IPREFETCH] == lines &&
	       sm->stat[STAT_L1I_AHEAD_LATE] <= sm->stat[STAT_L1I_AHEAD_USEFUL];
}

/* The sums of one SM, against what its configuration says they must be. */
bool law_sums_of(const struct sim *s, u32 id, struct text *why)
{
	const struct sm *sm = machine_sm_section(s->m, id, SECTION_SM);
	const struct config *c = &s->m->config;
	u64 cycle = machine_gpu(s->m)->cycle, statuses = 0, outcomes = 0;
	u64 slots = (cycle + c->issue_interval - 1) / c->issue_interval * c->sm_subcores * c->sm_schedulers;
	u64 floor = cycle / c->issue_interval * c->sm_subcores * c->sm_schedulers;

	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		statuses += sm->statuses[i];
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		outcomes += sm->outcomes[i];
	if (statuses != sm->stat[STAT_RESIDENT_WARPS])
		text_add(why, "statuses of SM %u sum to %llu, resident warp-cycles are %llu", id,
			 (unsigned long long)statuses, (unsigned long long)sm->stat[STAT_RESIDENT_WARPS]);
	else if (outcomes != slots && outcomes != floor)
		text_add(why, "outcomes of SM %u sum to %llu, its slots are %llu", id, (unsigned long long)outcomes,
			 (unsigned long long)slots);
	else if (sm->outcomes[SLOT_ISSUED] + sm->stat[STAT_STOLEN] != sm->stat[STAT_INST_WARP] ||
		 sm->statuses[WARP_ISSUED] != sm->stat[STAT_INST_WARP])
		text_add(why, "SM %u issued %llu instructions, its slots say %llu, its warps %llu", id,
			 (unsigned long long)sm->stat[STAT_INST_WARP], (unsigned long long)sm->outcomes[SLOT_ISSUED],
			 (unsigned long long)sm->statuses[WARP_ISSUED]);
	else if (sm->stat[STAT_PIPELINE_LSU] + sm->stat[STAT_PIPELINE_UNIT] + sm->stat[STAT_PIPELINE_COLLECTOR] !=
		 sm->outcomes[SLOT_PIPELINE])
		text_add(why, "causes of slots that SM %u lost to the pipeline sum to %llu, these are %llu", id,
			 (unsigned long long)(sm->stat[STAT_PIPELINE_LSU] + sm->stat[STAT_PIPELINE_UNIT] +
					      sm->stat[STAT_PIPELINE_COLLECTOR]),
			 (unsigned long long)sm->outcomes[SLOT_PIPELINE]);
	else if (!lines_ahead_even(s, id))
		text_add(
			why,
			"code lines that SM %u asked for ahead are more or fewer than those wanted, wasted, there and on their way",
			id);
	else
		return true;
	return false;
}

/* What the launches have come to, summed over them, is what the SMs have come to. */
static bool kernels_even(const struct sim *s, struct text *why)
{
	const struct kernel_count *k = machine_gpu_section(s->m, SECTION_KERNEL_SUM);
	struct kernel_count sum = {0};

	for (u32 i = 0; i < s->m->section[SECTION_KERNEL_SUM].count; i++) {
		sum.issued += k[i].issued;
		sum.threads += k[i].threads;
		sum.started += k[i].started;
		sum.ended += k[i].ended;
		sum.resident += k[i].resident;
		if (k[i].started != k[i].ended + k[i].left + k[i].resident || k[i].ended_issued > k[i].issued ||
		    k[i].ready + sim_sm_stat(s, STAT_STOLEN) < k[i].issued) {
			text_add(
				why,
				"launch %u: %u CTAs came, %u ended, %u are here; it issued %llu and was ready in %llu slots",
				i, k[i].started, k[i].ended, k[i].resident, (unsigned long long)k[i].issued,
				(unsigned long long)k[i].ready);
			return false;
		}
	}
	if (sum.issued == sim_sm_stat(s, STAT_INST_WARP) && sum.threads == sim_sm_stat(s, STAT_INST_THREAD) &&
	    sum.started == sim_sm_stat(s, STAT_CTA_STARTED) && sum.ended == sim_sm_stat(s, STAT_CTA_FINISHED))
		return true;
	text_add(why, "launches issued %llu instructions and began %u CTAs, SMs %llu and %llu",
		 (unsigned long long)sum.issued, sum.started, (unsigned long long)sim_sm_stat(s, STAT_INST_WARP),
		 (unsigned long long)sim_sm_stat(s, STAT_CTA_STARTED));
	return false;
}

/* The sums of every SM. */
static void sums_look(void *self, struct sim *s)
{
	struct sums *x = self;

	if (!x->good || machine_gpu(s->m)->cycle % 61)
		return;
	sim_sync(s);
	for (u32 i = 0; x->good && i < s->m->config.gpu_sms; i++)
		x->good = law_sums_of(s, i, x->why);
	x->good = x->good && kernels_even(s, x->why);
}

bool law_sums(struct scene *c, struct text *why)
{
	struct sums x = {.why = why, .good = true};
	struct sim s;

	if (!lab_open(&s, c, &c->config, why))
		return false;
	lab_watch(&s, c->limit, sums_look, &x);
	sim_sync(&s);
	for (u32 i = 0; x.good && i < s.m->config.gpu_sms; i++)
		x.good = law_sums_of(&s, i, why);
	if (x.good && lab_ended(&s) && !sim_sm_stat(&s, STAT_INST_WARP)) {
		text_add(why, "nothing was issued");
		x.good = false;
	}
	sim_close(&s);
	return x.good;
}

/* --- 6: events --- */

struct count_tally {
	u64 seen[EVENT_COUNT];
	u64 lanes;
	bool sorted;
};

/* Count the records of a cycle; they lie in the order of SMs, the GPU's own last or first. */
static void tally_look(void *self, struct sim *s)
{
	struct count_tally *t = self;

	for (u32 i = 0; i < s->bus.count; i++) {
		const struct record *r = &s->bus.record[i];

		t->seen[r->kind]++;
		if (r->kind == EVENT_ISSUE)
			t->lanes += r->a;
		if (i && r->sm != NONE16 && r[-1].sm != NONE16 && r->sm < r[-1].sm)
			t->sorted = false;
	}
}

bool law_events(struct scene *c, struct text *why)
{
	struct count_tally t = {.sorted = true};
	bool good = true;
	struct sim s;

	if (!lab_open(&s, c, &c->config, why))
		return false;
	s.bus.want = ALL_EVENTS;
	lab_watch(&s, c->limit, tally_look, &t);
	sim_sync(&s);
	for (u32 i = 0; good && i < EVENT_COUNT; i++) {
		good = t.seen[i] == sim_event_count(&s, i);
		if (!good)
			text_add(why, "%llu records of %s, counted %llu", (unsigned long long)t.seen[i],
				 event_table[i].name, (unsigned long long)sim_event_count(&s, i));
	}
	if (good && (t.seen[EVENT_ISSUE] != sim_sm_stat(&s, STAT_INST_WARP) || !t.sorted)) {
		text_add(why, t.sorted ? "records of issues are not inst.warp" : "records are not in the order of SMs");
		good = false;
	}
	sim_close(&s);
	return good;
}

/* --- 10: allocation --- */

static u64 allocations;

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

/* The C library's, counted. Chunks of values come from aligned_alloc and are not counted. */
void *malloc(size_t n)
{
	allocations++;
	return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	allocations++;
	return __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	allocations++;
	return __libc_realloc(p, n);
}
#endif

bool law_allocation(struct scene *c, struct text *why)
{
	struct sim s;
	u64 before;

	if (!lab_open(&s, c, &c->config, why))
		return false;
	before = allocations;
	lab_advance(&s, c->limit);
	before = allocations - before;
	sim_close(&s);
	if (before)
		text_add(why, "%llu allocations", (unsigned long long)before);
	return !before;
}
