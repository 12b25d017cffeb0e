/* conserve.c - law 12: what is taken is given back, once, and never given twice. */
#include "cycle/stages.h"
#include "laws.h"

#include <stdlib.h>
#include <string.h>

#define DRAIN_CYCLES 20000 /* for writes and fetches still under way when the last CTA has left, */
#define DRAIN_MOST 200000  /* ... and where an L2 adds for long, up to so many */

struct held {
	struct text *why;
	bool good;
};

/* Say that something of an SM is not as it must be. */
static bool broken(struct text *why, const struct sim *s, u32 sm, const char *what)
{
	text_add(why, "cycle %llu, SM %u: %s", (unsigned long long)machine_gpu(s->m)->cycle, sm, what);
	return false;
}

/* No context belongs to two CTAs or to a CTA and the free ones, and each knows its CTA. */
static bool contexts_disjoint(const struct sim *s, u32 id, struct text *why)
{
	const struct sm *sm = machine_sm_section(s->m, id, SECTION_SM);
	const struct cta *cta = machine_sm_section(s->m, id, SECTION_CTA);
	const struct warp *warp = machine_sm_section(s->m, id, SECTION_WARP);
	u64 seen[CONTEXT_WORDS];

	memcpy(seen, sm->free_contexts, sizeof(seen));
	for (u32 i = 0; i < s->m->residents; i++) {
		if (cta[i].launch == NONE16)
			continue;
		for (u32 k = 0; k < s->m->contexts; k++) {
			if (!(cta[i].contexts[k / 64] >> (k % 64) & 1))
				continue;
			if (seen[k / 64] >> (k % 64) & 1)
				return broken(why, s, id, "a context belongs to two, or is free and taken");
			seen[k / 64] |= 1ULL << (k % 64);
			if (warp[k].cta != i)
				return broken(why, s, id, "a context is of another CTA than the one that holds it");
		}
	}
	return true;
}

/* Registers, shared memory, warps and CTAs: what CTAs hold and what is free make up the whole. */
static bool resources_whole(const struct sim *s, u32 id, struct text *why)
{
	const struct config *c = &s->m->config;
	const struct sm *sm = machine_sm_section(s->m, id, SECTION_SM);
	const struct sub *sub = machine_sm_section(s->m, id, SECTION_SUB);
	const struct cta *cta = machine_sm_section(s->m, id, SECTION_CTA);
	u64 registers = 0, shared = sm->shared_free;
	u32 ctas = 0, warps = 0;

	INVARIANT(c->sm_subcores);
	for (u32 i = 0; i < c->sm_subcores; i++)
		registers += sub[i].registers_free;
	for (u32 i = 0; i < s->m->residents; i++) {
		if (cta[i].launch == NONE16)
			continue;
		registers += cta[i].registers;
		shared += cta[i].shared;
		warps += cta[i].warps;
		ctas++;
	}
	if (registers != c->sm_registers / c->sm_subcores * c->sm_subcores)
		return broken(why, s, id, "registers held and free do not make up the register file");
	if (shared != c->sm_shared)
		return broken(why, s, id, "shared memory held and free do not make up the whole");
	if (ctas != sm->ctas || warps != sm->warps)
		return broken(why, s, id, "CTAs or warps resident are not those counted");
	return true;
}

/* Units of a stretch, each marked once. False: it has not the amount that its owner holds, lies outside, or over
 * another. */
static bool stretch_lies(const struct stretch *x, u32 amount, u32 unit, u32 units, u8 *owned)
{
	bool good = x->count == amount && x->first % unit == 0 && (x->first + x->count) / unit <= units;

	for (u32 i = x->first / unit; good && i < (x->first + x->count) / unit; i++)
		good = !owned[i]++;
	return good;
}

/* The map says which units are owned, and none beyond. */
static bool map_right(const struct map_word *map, u32 words, u32 units, const u8 *owned)
{
	for (u32 i = 0; i < words * 64; i++)
		if ((map[i / 64].taken >> (i % 64) & 1) != (i < units && owned[i]))
			return false;
	return true;
}

/* Registers of a sub-core: each resident context has a stretch as long as it needs, no two meet, nobody else has any.
 */
static bool file_divided(const struct sim *s, u32 id, u32 sub)
{
	const struct config *c = &s->m->config;
	const struct warp *warp = machine_sm_section(s->m, id, SECTION_WARP);
	const struct cta *cta = machine_sm_section(s->m, id, SECTION_CTA);
	const struct stretch *x = machine_sm_section(s->m, id, SECTION_REGISTER_STRETCH);
	const struct map_word *map = machine_sm_section(s->m, id, SECTION_REGISTER_MAP);
	u32 units = c->sm_registers / c->sm_subcores / config_register_unit(c),
	    words = s->m->section[SECTION_REGISTER_MAP].count / c->sm_subcores;
	u8 *owned = xcalloc(units + 1, 1);
	bool good = true;

	for (u32 i = sub; good && i < s->m->contexts; i += c->sm_subcores) {
		u32 amount = warp[i].cta == NONE16 ? 0 : cta[warp[i].cta].registers / cta[warp[i].cta].warps;

		good = stretch_lies(&x[i], amount, config_register_unit(c), units, owned);
	}
	good = good && map_right(map + sub * words, words, units, owned);
	free(owned);
	return good;
}

/* Shared memory, likewise by CTA, below the region of contexts, which is there if some CTA is inactive. */
static bool shared_divided(const struct sim *s, u32 id)
{
	const struct config *c = &s->m->config;
	const struct cta *cta = machine_sm_section(s->m, id, SECTION_CTA);
	const struct stretch *x = machine_sm_section(s->m, id, SECTION_SHARED_STRETCH);
	const struct sm *sm = machine_sm_section(s->m, id, SECTION_SM);
	u32 units = (c->sm_shared - sm->region) / c->sm_shared_unit;
	u8 *owned = xcalloc(c->sm_shared / c->sm_shared_unit + 1, 1);
	bool good = sm->region <= sm->shared_free && (sm->region > 0) == (sm->inactive && c->vt_context);

	for (u32 i = 0; good && i < s->m->residents; i++)
		good = stretch_lies(&x[i], cta[i].launch == NONE16 ? 0 : cta[i].shared, c->sm_shared_unit, units,
				    owned);
	good = good && map_right(machine_sm_section(s->m, id, SECTION_SHARED_MAP),
				 s->m->section[SECTION_SHARED_MAP].count, c->sm_shared / c->sm_shared_unit, owned);
	free(owned);
	return good;
}

/* Addresses of registers and shared memory. */
static bool territories_divided(const struct sim *s, u32 id, struct text *why)
{
	for (u32 sub = 0; sub < s->m->config.sm_subcores; sub++)
		if (!file_divided(s, id, sub))
			return broken(why, s, id, "stretches of the register file meet, or are not what contexts hold");
	return shared_divided(s, id) ||
	       broken(why, s, id, "stretches of shared memory meet, or are not what CTAs hold");
}

/* Reads queued at the banks are those that collector units wait for (none with collector.allocate). */
static bool reads_owed(const struct sim *s, u32 id, struct text *why)
{
	const struct bank *bank = machine_sm_section(s->m, id, SECTION_BANK);
	const struct collector *unit = machine_sm_section(s->m, id, SECTION_COLLECTOR);
	u32 queued = 0, needed = 0;

	for (u32 i = 0; i < s->m->section[SECTION_BANK].count; i++)
		queued += bank[i].count;
	for (u32 i = 0; i < s->m->section[SECTION_COLLECTOR].count; i++)
		needed += unit[i].context == NONE16 || s->m->config.collector_allocate ? 0 : unit[i].need;
	return queued == needed || broken(why, s, id, "reads are queued that no collector unit waits for, or fewer");
}

/* Jumps in the wheel, for which entries are kept back, are of warps that are there, one of each. */
static bool jumps_owed(const struct sim *s, u32 id, struct text *why)
{
	const struct sm *sm = machine_sm_section(s->m, id, SECTION_SM);
	const struct result *result = machine_sm_section(s->m, id, SECTION_RESULT);
	const struct warp *warp = machine_sm_section(s->m, id, SECTION_WARP);
	u64 seen[CONTEXT_WORDS] = {0};

	for (u32 i = 0; i < WHEEL_SIZE; i++)
		for (u16 at = sm->wheel[i]; at != NONE16; at = result[at].next) {
			u32 k = result[at].context;

			if (result[at].kind != 2)
				continue;
			if (warp[k].generation != result[at].generation || seen[k / 64] >> (k % 64) & 1)
				return broken(why, s, id, "a jump is of a warp that has left, or there are two of one");
			seen[k / 64] |= 1ULL << (k % 64);
		}
	return true;
}

/* Registers and predicates that an instruction writes. */
static u32 written_by(const struct sim *s, u32 id, u32 context, u32 pc)
{
	const struct warp *w = (struct warp *)machine_sm_section(s->m, id, SECTION_WARP) + context;
	u64 set[HAZARD_WORDS] = {0};
	u32 n = 0;

	inst_written(&s->kernel[w->launch]->inst[pc], set);
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		n += (u32)__builtin_popcountll(set[i]);
	return n;
}

/* What is on its way to write registers, by context, found where it is: in collector units, in the LSU and aside (what
 * has no entry of the table of loads), in that table, in the wheel. */
static void count_writes(const struct sim *s, u32 id, u32 *n)
{
	const struct sm_view *v = &s->view[id];
	const struct aside_queue {
		const struct ring_slot *entry;
		u32 first, count, size;
	} queue[] = {{v->lsuq, v->sm->lsu_head, v->sm->lsu_count, s->m->config.lsu_queue},
		     {v->reexec, 0, v->sm->reexec_count, NONE32},
		     {v->reexec_inactive, 0, v->sm->reexec_inactive, NONE32}};

	for (u32 i = 0; i < s->m->section[SECTION_COLLECTOR].count; i++) {
		const struct collector *x = &v->collector[i];

		if (x->context != NONE16 && (x->memory_op == NONE16 || v->memop[x->memory_op].load == NONE16))
			n[x->context] += written_by(s, id, x->context, x->pc);
	}
	for (u32 k = 0; k < ARRAY_LEN(queue); k++)
		for (u32 i = 0; i < queue[k].count; i++) {
			const struct memop *x = &v->memop[queue[k].entry[(queue[k].first + i) % queue[k].size].memop];

			for (u32 at = x->load == NONE16 ? x->mates : 0; at; at = v->load[at - 1].mate)
				if (v->warp[v->load[at - 1].context].generation == v->load[at - 1].generation)
					n[v->load[at - 1].context] +=
						written_by(s, id, v->load[at - 1].context, v->load[at - 1].pc);
			if (x->load == NONE16 && !x->mates && v->warp[x->context].generation == x->generation)
				n[x->context] += written_by(s, id, x->context, x->pc);
		}
	for (u32 i = 0; i < s->m->section[SECTION_LOAD].count; i++)
		if (v->load[i].context != NONE16 && !(v->load[i].leads && !v->load[i].waiting) &&
		    v->warp[v->load[i].context].generation == v->load[i].generation)
			n[v->load[i].context] += written_by(s, id, v->load[i].context, v->load[i].pc);
	for (u32 i = 0; i < WHEEL_SIZE; i++)
		for (u16 at = v->sm->wheel[i]; at != NONE16; at = v->result[at].next) {
			const struct result *x = &v->result[at];

			for (u32 k = 0; k < s->m->contexts; k++)
				if (result_of(s->m, x, k) && v->warp[k].generation == x->generation)
					n[k] += written_by(s, id, k, x->pc);
		}
	for (u32 k = 0; k < s->m->contexts; k++)
		n[k] += v->warp[k].copies != 0;
}

/* The asynchronous copies of a warp are those of its groups, and of its groups those in the table of loads. */
static bool copies_grouped(const struct sim *s, u32 id, struct text *why)
{
	const struct sm_view *v = &s->view[id];
	u32 n[CONTEXT_WORDS * 64][COPY_GROUPS] = {{0}};

	for (u32 i = 0; i < s->m->section[SECTION_LOAD].count; i++) {
		const struct load *l = &v->load[i];

		if (l->context != NONE16 && l->group && l->waiting && v->warp[l->context].generation == l->generation)
			n[l->context][l->group - 1]++;
	}
	for (u32 k = 0; k < s->m->contexts; k++) {
		const struct warp *w = &v->warp[k];
		u32 sum = 0;

		for (u32 g = 0; w->cta != NONE16 && g < COPY_GROUPS; g++) {
			sum += n[k][g];
			if (w->grouped[g] != n[k][g])
				return broken(why, s, id, "a group of copies is not those on their way");
		}
		if (w->cta != NONE16 &&
		    (sum != w->copies ||
		     (w->slot != NONE16 && SET_HAS(v->slot[w->slot].pending_long, HAZARD_COPIES) != (w->copies != 0))))
			return broken(why, s, id, "the copies of a warp are not those of its groups");
	}
	return true;
}

/* The tracking counter of an inactive CTA is what is on its way to it; it is ready when that is nothing and its context
 * is saved. */
static bool writes_owed(const struct sim *s, u32 id, struct text *why)
{
	const struct sm_view *v = &s->view[id];
	u32 n[CONTEXT_WORDS * 64] = {0};

	if (!v->sm->inactive)
		return true;
	count_writes(s, id, n);
	for (u32 i = 0; i < s->m->residents; i++) {
		u32 sum = 0;

		if (!(v->sm->inactive >> i & 1))
			continue;
		SET_EACH (k, v->cta[i].contexts, CONTEXT_WORDS) {
			sum += n[k];
			if (v->warp[k].pending != n[k])
				return broken(
					why, s, id,
					"what is to be written to a context without a slot is not what is on its way");
		}
		if (v->cta[i].pending != sum || (v->sm->ready >> i & 1) != (!sum && !v->cta[i].save))
			return broken(
				why, s, id,
				"an inactive CTA is ready though something is pending, or is not though nothing is");
	}
	return true;
}

bool law_held_of(const struct sim *s, u32 id, struct text *why)
{
	return contexts_disjoint(s, id, why) && resources_whole(s, id, why) && territories_divided(s, id, why) &&
	       reads_owed(s, id, why) && jumps_owed(s, id, why) && writes_owed(s, id, why) &&
	       copies_grouped(s, id, why);
}

/* CTAs of each launch: those that are resident are those counted, and with those that have left they are all that came.
 */
static bool launches_whole(const struct sim *s, struct text *why)
{
	const struct launch_run *run = machine_gpu_section(s->m, SECTION_LAUNCH);
	u32 *resident = xcalloc(s->program->nlaunch + 1, sizeof(*resident));
	bool good = true;

	for (u32 id = 0; id < s->m->config.gpu_sms; id++) {
		const struct cta *cta = machine_sm_section(s->m, id, SECTION_CTA);

		for (u32 i = 0; i < s->m->residents; i++)
			if (cta[i].launch != NONE16)
				resident[cta[i].launch]++;
	}
	for (u32 i = 0; good && i < s->program->nlaunch; i++) {
		good = resident[i] == machine_residency(s->m, i)->ctas &&
		       run[i].next_cta == run[i].finished + resident[i] + run[i].parked;
		if (!good)
			text_add(why,
				 "cycle %llu, launch %u: %u CTAs resident, %u counted, %u came, %u finished, %u wait",
				 (unsigned long long)machine_gpu(s->m)->cycle, i, resident[i],
				 machine_residency(s->m, i)->ctas, run[i].next_cta, run[i].finished, run[i].parked);
	}
	free(resident);
	return good;
}

bool conserve_now(struct sim *s, struct text *why)
{
	bool good = launches_whole(s, why) && ledger_now(s, why);

	for (u32 i = 0; good && i < s->m->config.gpu_sms; i++)
		good = law_held_of(s, i, why);
	return good;
}

/* Now and then. */
static void held_look(void *self, struct sim *s)
{
	struct held *h = self;

	if (machine_gpu(s->m)->cycle % 37)
		return;
	h->good = h->good && conserve_now(s, h->why);
}

/* Entries of a free list: the first two bytes of an entry are the next one's index. */
static u32 list_length(const void *entries, u32 n, u32 size, u16 head)
{
	u32 length = 0;

	while (head != NONE16 && length <= n) {
		memcpy(&head, (const u8 *)entries + (u64)head * size, sizeof(head));
		length++;
	}
	return length;
}

/* Every entry of a section is on its free list. */
static bool all_free(const struct sim *s, u32 id, enum section_id section, u16 head)
{
	const struct section *of = &s->m->section[section];

	return list_length(machine_sm_section(s->m, id, section), of->count, of->size, head) == of->count;
}

/* At the end an SM is as empty as it began. */
static bool sm_empty(const struct sim *s, u32 id, struct text *why)
{
	const struct sm *sm = machine_sm_section(s->m, id, SECTION_SM);
	const struct collector *unit = machine_sm_section(s->m, id, SECTION_COLLECTOR);
	const struct config *c = &s->m->config;
	u32 contexts = 0;

	for (u32 i = 0; i < CONTEXT_WORDS; i++)
		contexts += (u32)__builtin_popcountll(sm->free_contexts[i]);
	if (sm->ctas || sm->warps || sm->threads || contexts != s->m->contexts)
		return broken(why, s, id, "CTAs, warps or contexts are left");
	if (sm->lsu_count || sm->collectors_busy || sm->mshrs_used || sm->finishing || sm->nwrites)
		return broken(why, s, id, "the LSU, collectors, MSHRs or writes are not empty");
	if (!all_free(s, id, SECTION_LOAD, sm->load_free) || !all_free(s, id, SECTION_MEMOP, sm->memop_free))
		return broken(why, s, id, "loads or memory operations are left, or are free twice");
	if (!all_free(s, id, SECTION_RESULT, sm->result_free) || !all_free(s, id, SECTION_L1D_WAITER, sm->waiter_free))
		return broken(why, s, id, "results or waiters are left, or are free twice");
	for (u32 i = 0; i < c->sm_subcores * c->sm_collectors; i++)
		if (unit[i].context != NONE16)
			return broken(why, s, id, "a collector unit is left");
	return true;
}

/* CTAs that wait, saved or flushed. */
static u64 waiting(const struct sim *s, u16 saved)
{
	const struct parked *p = machine_gpu_section(s->m, SECTION_PARKED);
	u64 n = 0;

	for (u32 i = 0; i < s->m->config.preempt_ctas; i++)
		n += p[i].launch != NONE16 && p[i].saved == saved;
	return n;
}

/* CTAs resident, all SMs. */
static u64 resident(const struct sim *s)
{
	u64 n = 0;

	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		n += ((struct sm *)machine_sm_section(s->m, i, SECTION_SM))->ctas;
	return n;
}

/* The ledger: where every dispatch went, and every CTA that left before its end. */
static bool ledger_even(const struct sim *s, struct text *why)
{
	u64 started = sim_sm_stat(s, STAT_CTA_STARTED), flushed = sim_sm_stat(s, STAT_CTA_FLUSHED);
	u64 saved = sim_sm_stat(s, STAT_CTA_SAVED);
	u64 left = sim_sm_stat(s, STAT_CTA_FINISHED) + flushed + saved + sim_sm_stat(s, STAT_CTA_KILLED);

	if (started != left + resident(s) || started != sim_event_count(s, EVENT_CTA_START) || !started)
		text_add(why, "%llu CTAs dispatched, %llu left, %llu are there", (unsigned long long)started,
			 (unsigned long long)left, (unsigned long long)resident(s));
	else if (saved != sim_sm_stat(s, STAT_CTA_RESTORED) + sim_sm_stat(s, STAT_CTA_KILLED_SAVED) + waiting(s, 1))
		text_add(why, "%llu CTAs saved, but not as many restored, killed or waiting",
			 (unsigned long long)saved);
	else if (flushed != sim_sm_stat(s, STAT_CTA_REISSUED) + sim_sm_stat(s, STAT_CTA_KILLED_FLUSHED) + waiting(s, 0))
		text_add(why, "%llu CTAs flushed, but not as many reissued, killed or waiting",
			 (unsigned long long)flushed);
	else
		return true;
	return false;
}

/* When all is over each instruction that was issued is of a CTA that ran to its end, or is lost. */
static bool instructions_even(const struct sim *s, struct text *why)
{
	const struct kernel_count *k = machine_gpu_section(s->m, SECTION_KERNEL_SUM);

	for (u32 i = 0; i < s->program->nlaunch; i++)
		if (k[i].issued != k[i].ended_issued + k[i].wasted) {
			text_add(why, "launch %u: %llu instructions issued, %llu by CTAs that ended, %llu wasted", i,
				 (unsigned long long)k[i].issued, (unsigned long long)k[i].ended_issued,
				 (unsigned long long)k[i].wasted);
			return false;
		}
	return true;
}

/* Are requests on their way, those of CTAs that have left? */
static bool on_the_way(const struct sim *s)
{
	return sim_sm_stat(s, STAT_REQUESTS) != sim_sm_stat(s, STAT_REPLIES);
}

/* When all is over each request has been answered. */
static bool requests_even(const struct sim *s, struct text *why)
{
	u64 asked = sim_sm_stat(s, STAT_REQUESTS), answered = sim_sm_stat(s, STAT_REPLIES);

	if (asked == answered && asked == sim_event_count(s, EVENT_REQUEST) &&
	    answered == sim_event_count(s, EVENT_REPLY))
		return true;
	text_add(why, "%llu requests left the SMs, %llu answers came", (unsigned long long)asked,
		 (unsigned long long)answered);
	return false;
}

/* All CTAs of all launches ran, or were killed. */
static bool grids_done(const struct sim *s, const struct scene *c, struct text *why)
{
	const struct launch_run *run = machine_gpu_section(s->m, SECTION_LAUNCH);
	u64 over = sim_sm_stat(s, STAT_CTA_FINISHED) + sim_sm_stat(s, STAT_CTA_KILLED) +
		   sim_sm_stat(s, STAT_CTA_KILLED_SAVED) + sim_sm_stat(s, STAT_CTA_KILLED_FLUSHED);
	u64 ctas = 0;

	for (u32 i = 0; i < c->session.program.nlaunch; i++) {
		ctas += (u64)c->session.program.launch[i].ctas * run[i].iteration;
		over += run[i].unstarted;
	}
	if (ctas == over)
		return true;
	text_add(why, "grids and iterations make %llu CTAs, %llu are over", (unsigned long long)ctas,
		 (unsigned long long)over);
	return false;
}

bool conserve_end(struct sim *s, const struct scene *c, struct text *why)
{
	bool good;

	for (u32 i = 0; i < DRAIN_MOST && (i < DRAIN_CYCLES || on_the_way(s)); i++)
		sim_cycle(s);
	sim_sync(s);
	good = conserve_now(s, why);
	for (u32 i = 0; good && i < s->m->config.gpu_sms; i++)
		good = sm_empty(s, i, why);
	if (good && (machine_gpu(s->m)->parked || machine_gpu(s->m)->leaving)) {
		text_add(why, "CTAs wait outside the SMs");
		return false;
	}
	return good && ledger_even(s, why) && instructions_even(s, why) && requests_even(s, why) &&
	       grids_done(s, c, why);
}

bool law_conservation(struct scene *c, struct text *why)
{
	struct held h = {.why = why, .good = true};
	struct sim s;

	if (!lab_open(&s, c, &c->config, why))
		return false;
	lab_watch(&s, 20 * c->limit, held_look, &h);
	h.good = h.good && ledger_even(&s, why);
	if (h.good && sim_finished(&s))
		h.good = conserve_end(&s, c, why);
	sim_close(&s);
	return h.good;
}
