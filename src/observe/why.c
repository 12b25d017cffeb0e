/*
 * why.c - why a warp did or did not issue: from its status to what holds it, what will release it, and when.
 *
 * One function for each status, in a table. What will come is seen by running a fork of the simulator on (forecast.c).
 */
#include "counters.h"
#include "ops.h"
#include "why_parts.h"

#include "policy.h"
#include "source.h"

void why_open(struct why *w, struct session *s, const struct sim *sim, u32 sm, struct text *out, json_t *result)
{
	*w = (struct why){
		.session = s, .sim = sim, .m = sim->m, .sm = sm, .cycle = machine_gpu(sim->m)->cycle, .out = out};
	w->warps = machine_sm_section(sim->m, sm, SECTION_WARP);
	w->slots = machine_sm_section(sim->m, sm, SECTION_SLOT);
	w->ctas = machine_sm_section(sim->m, sm, SECTION_CTA);
	w->moves = machine_sm_section(sim->m, sm, SECTION_CTA_MOVE);
	w->collectors = machine_sm_section(sim->m, sm, SECTION_COLLECTOR);
	w->sm_state = machine_sm_section(sim->m, sm, SECTION_SM);
	if (!result)
		return;
	w->chain = json_array();
	json_object_set_new(result, "cycle", json_integer((json_int_t)w->cycle));
	json_object_set_new(result, "sm", json_integer(sm));
	json_object_set_new(result, "chain", w->chain);
}

json_t *why_say(struct why *w, u32 level, const char *link, const char *fmt, ...)
{
	struct text line = {0};
	json_t *o = NULL;
	va_list ap;

	va_start(ap, fmt);
	text_addv(&line, fmt, ap);
	va_end(ap);
	level += w->deeper;
	text_add(w->out, "%*s%s\n", (int)level * 2, "", line.s);
	if (w->chain) {
		o = json_pack("{s:s,s:i,s:s}", "link", link, "level", (int)level, "text", line.s);
		json_array_append_new(w->chain, o);
	}
	text_free(&line);
	return o;
}

void why_number(json_t *link, const char *name, u64 n)
{
	if (link)
		json_object_set_new(link, name, json_integer((json_int_t)n));
}

void why_members(json_t *link, const struct why_member *m)
{
	for (; m->name; m++)
		why_number(link, m->name, m->n);
}

void why_word(json_t *link, const char *name, const char *word)
{
	if (link)
		json_object_set_new(link, name, json_string(word));
}

const struct kernel *why_kernel(const struct why *w, u32 warp)
{
	return w->sim->kernel[w->warps[warp].launch];
}

const char *why_instruction(const struct why *w, u32 warp, u32 pc, char *out)
{
	const struct kernel *k = why_kernel(w, warp);
	struct source_frame at;
	const char *file;
	int n;

	if (pc >= k->ninst) {
		snprintf(out, WHY_TEXT, "%u (past the end of %s)", pc, safe_text(k->name));
		return out;
	}
	n = snprintf(out, WHY_TEXT, "%u%s%.900s", pc, k->strings ? ": " : "", safe_text(kernel_text(k, pc)));
	file = source_user(k, pc, &at) ? source_name(k->module, at.file) : NULL;
	if (file)
		snprintf(out + n, WHY_TEXT - (size_t)n, " (%s:%u)", safe_text(file), at.line);
	return out;
}

json_t *why_forecast(struct why *w, u32 level, u64 cycle, u64 until, const char *subject, const char *does,
		     const char *does_not)
{
	json_t *o;

	if (cycle == NEVER)
		return why_say(w, level, "forecast", "if nothing changes, %s %s by cycle %llu", subject, does_not,
			       until);
	o = why_say(w, level, "forecast", "if nothing changes, %s %s in cycle %llu (in %llu cycle%s)", subject, does,
		    cycle, cycle - w->cycle, cycle - w->cycle == 1 ? "" : "s");
	why_number(o, "cycle", cycle);
	return o;
}

const struct inst *why_inst(const struct why *w, u32 warp)
{
	const struct warp *x = &w->warps[warp];
	const struct kernel *k = why_kernel(w, warp);
	u32 pc = x->slot == NONE16 ? NONE32 : w->slots[x->slot].pc;

	return pc < k->ninst ? &k->inst[pc] : NULL;
}

void why_other(struct why *w, u32 level, u32 warp)
{
	u32 status = sim_warp_status(w->sim, w->sm, warp);
	const char *name = status < WARP_STATUS_COUNT ? warp_status_table[status].name : "not resident";
	u32 mask, pc = sim_warp_pc(w->sim, w->sm, warp, &mask);
	json_t *o;

	if (pc == NONE32)
		o = why_say(w, level, "warp", "warp %u: %s", warp, name);
	else
		o = why_say(w, level, "warp", "warp %u: %s, at %s", warp, name, why_text(w, warp, pc));
	why_number(o, "warp", warp);
}

void why_live(struct why *w, u32 level, const struct cta *cta)
{
	u32 n = 0;

	SET_EACH (i, cta->contexts, CONTEXT_WORDS)
		if (w->warps[i].depth && n++ < 6)
			why_other(w, level, i);
	if (n > 6)
		why_say(w, level, "more", "and %u more", n - 6);
}

/* --- one function for each status --- */

/* Every lane has exited. */
static void why_done(struct why *w)
{
	const struct cta *cta = &w->ctas[w->warps[w->warp].cta];
	json_t *o =
		why_say(w, 1, "cta",
			"CTA %u stays resident until it is complete: %u of %u warps are unfinished, %u instructions "
			"and writes are in flight",
			cta->id, cta->warps - cta->done, cta->warps, cta->inflight);

	why_number(o, "cta", cta->id);
	why_live(w, 2, cta);
	why_forecast(w, 1, w->next.leaves, w->next.until, "the CTA", "leaves the SM", "does not leave the SM");
}

/* Warps that have not arrived at a barrier of a CTA, and may. */
static void why_missing(struct why *w, const struct cta *cta, u32 barrier)
{
	u32 n = 0;

	SET_EACH (i, cta->contexts, CONTEXT_WORDS)
		if (w->warps[i].depth && (w->warps[i].at_barrier != barrier + 1 || w->warps[i].released) && n++ < 6)
			why_other(w, 2, i);
	if (n > 6)
		why_say(w, 2, "more", "and %u more", n - 6);
	if (!n)
		why_say(w, 2, "none", "no warp can still arrive");
}

/* How far a barrier is: the one of all warps, or one with a number or a count of its own. */
static void why_arrivals(struct why *w, const struct cta *cta, u32 barrier)
{
	u32 of = barrier_needed(cta, barrier), here = cta->bar_arrived[barrier];
	json_t *o;

	if (!barrier && !cta->bar_needed[barrier])
		o = why_say(w, 1, "barrier",
			    "barrier of CTA %u: %u of %u warps have arrived. Not yet arrived:", cta->id, here, of);
	else
		o = why_say(w, 1, "barrier",
			    "barrier %u of CTA %u: %u of %u arrivals. Still needed: %u, from any of:", barrier, cta->id,
			    here, of, of - here);
	why_numbers(o, {"number", barrier}, {"arrived", here}, {"of", of});
}

/* All that it waited for have come to its barrier. */
static void why_released(struct why *w)
{
	const struct warp *x = &w->warps[w->warp];
	const struct config *c = &w->m->config;
	json_t *o = why_say(
		w, 1, "released",
		"barrier %u of CTA %u is complete; the warp resumes in cycle %llu. The barrier unit accepts "
		"an arrival every %u cycles (barrier.interval) and releases the warps %u cycles after the "
		"last (barrier.latency)",
		x->at_barrier - 1u, w->ctas[x->cta].id, x->released + 1, c->barrier_interval, c->barrier_latency);

	why_numbers(o, {"number", x->at_barrier - 1u}, {"cycle", x->released + 1});
}

/* It waits for the other warps of its CTA. */
static void why_barrier(struct why *w)
{
	const struct warp *x = &w->warps[w->warp];
	const struct cta *cta = &w->ctas[x->cta];
	json_t *o;

	if (x->released) {
		why_released(w);
		return;
	}
	if (!x->at_barrier) {
		why_say(w, 1, "barrier",
			"the barrier of CTA %u was completed later in this cycle; the warp may issue from the next cycle on",
			cta->id);
		return;
	}
	why_arrivals(w, cta, x->at_barrier - 1u);
	why_missing(w, cta, x->at_barrier - 1u);
	if (w->next.release == NEVER) {
		why_say(w, 1, "forecast", "if nothing changes, the barrier is not complete by cycle %llu%s",
			w->next.until, w->next.deadlock ? ": the program deadlocks" : "");
		return;
	}
	o = why_say(w, 1, "forecast", "if nothing changes, the barrier %s in cycle %llu%s",
		    w->m->config.barrier_latency ? "releases its warps" : "is complete", w->next.release,
		    w->next.last == NONE32 ? ", when a warp exits" : "");
	if (w->next.last != NONE32) {
		why_say(w, 2, "release", "warp %u arrives last", w->next.last);
		why_number(o, "last", w->next.last);
	}
	why_number(o, "cycle", w->next.release);
}

/* What a warp that stands at a fence issued last: the fence, or an atomic that it waits for. */
static u32 issued_last(const struct why *w)
{
	return ((const struct issued *)machine_sm_section(w->m, w->sm, SECTION_ISSUED) + w->warp)->pc;
}

/* Its writes are not yet acknowledged. */
static void why_fence(struct why *w)
{
	const struct warp *x = &w->warps[w->warp];
	const struct inst *in = &why_kernel(w, w->warp)->inst[issued_last(w)];
	json_t *o;

	if (!x->at_fence) {
		why_say(w, 1, "fence", "the last outstanding write was acknowledged later in this cycle");
		return;
	}
	if (in->class == CLASS_ATOMIC)
		o = why_say(
			w, 1, "atomic",
			"the warp waits for the result of its atomic and issues nothing until then (sm.atomic_wait)");
	else if (in->op == OP_ATOM)
		o = why_say(
			w, 1, "atomic",
			"the warp waits for its atomic on shared memory and issues nothing until then (shared.atomic_wait)");
	else
		o = why_say(w, 1, "fence",
			    "the memory fence waits until the L2 has acknowledged %u line writes of the warp",
			    x->stores);
	why_number(o, "writes", x->stores);
	why_atomics(w, 2);
	if (in->op == OP_ATOM)
		why_shared_atomic(w, issued_last(w));
	why_requests(w, 2, 1, w->warp);
	why_requests(w, 2, 4, w->warp);
	why_aside_writes(w, 2);
	why_forecast(w, 1, w->next.changes, w->next.until, "the warp", "resumes", "does not resume");
}

/* The fetch that the wheel lets start: its cycle, NEVER if there is none. */
static u64 refetch(const struct why *w)
{
	const struct result *result = machine_sm_section(w->m, w->sm, SECTION_RESULT);
	const struct warp *x = &w->warps[w->warp];

	for (u32 d = 0; d < WHEEL_SIZE; d++)
		for (u16 at = w->sm_state->wheel[(w->cycle + d) % WHEEL_SIZE]; at != NONE16; at = result[at].next)
			if (result[at].kind == RESULT_REFETCH && result[at].context == w->warp &&
			    result[at].generation == x->generation)
				return w->cycle + d + 1;
	return NEVER;
}

/* Where lines are asked for ahead (l1i.prefetch): whether this one was, and whether one would be
 * now. */
static void why_ahead(struct why *w, const struct imiss *miss)
{
	u32 limit = w->m->config.l1i_prefetch, used = w->sm_state->imiss_used + w->sm_state->mshrs_used;

	if (!limit)
		return;
	why_number(why_say(w, 2, "iprefetch",
			   "this line was %s. L1I and L1D use %u MSHRs, so a lookup now would %sprefetch the next line "
			   "(l1i.prefetch %u)",
			   miss->ahead ? "prefetched, but too late" : "not prefetched", used,
			   used < limit ? "" : "not ", limit),
		   "used", used);
}

/* The line of its sub-core's L0 that the warp waits for, if any. */
static bool why_l0i(struct why *w)
{
	const struct l0i_miss *e = machine_sm_section(w->m, w->sm, SECTION_L0I_MISS);
	const struct config *c = &w->m->config;
	struct imiss *miss = machine_sm_section(w->m, w->sm, SECTION_IMISS);
	u64 line = 0;
	json_t *o;

	for (u32 i = 0; i < w->m->section[SECTION_L0I_MISS].count && !line; i++, e++)
		line = SET_HAS(e->slots, w->warp) ? e->line : 0;
	if (!line)
		return false;
	line = (line - 1) * c->l0i_line;
	if ((--e)->ready)
		o = why_say(
			w, 1, "l0i",
			"the L1I delivers instruction cache line 0x%llx to the L0 of the sub-core in cycle %llu (l0i.latency)",
			line, e->ready + 1);
	else if (e->asked)
		o = why_say(w, 1, "l0i", "the L0 of the sub-core and the L1I missed instruction cache line 0x%llx",
			    line);
	else
		o = why_say(
			w, 1, "l0i",
			"the L0 of the sub-core missed instruction cache line 0x%llx and waits for one of the L1I's %u lookups per cycle",
			line, c->l1i_ports);
	why_number(o, "line", line);
	for (u32 i = 0; e->asked && i < c->l1i_mshrs; i++)
		if (miss[i].line == line / c->l1i_line + 1)
			why_requests(w, 2, 3, i);
	why_number(why_say(w, 2, "stream",
			   "of such lines %llu of %llu had been requested by the stream buffer (l1i.stream %u)",
			   w->sm_state->stat[STAT_STREAM_HITS], w->sm_state->stat[STAT_L0I_MISSES], c->l1i_stream),
		   "stream", w->sm_state->stat[STAT_STREAM_HITS]);
	return true;
}

/* Which step of a fetch it waits for. */
static void fetch_step(struct why *w, const struct slot *slot)
{
	const struct imiss *miss = machine_sm_section(w->m, w->sm, SECTION_IMISS);
	u64 jump = refetch(w);
	json_t *o;

	if (why_l0i(w))
		return;
	for (u32 i = 0; i < w->m->config.l1i_mshrs; i++) {
		if (!miss[i].line || !SET_HAS(miss[i].slots, w->warp))
			continue;
		o = why_say(w, 1, "l1i", "L1I MSHR %u: instruction cache line 0x%llx has been requested", i,
			    (miss[i].line - 1) * w->m->config.l1i_line);
		why_number(o, "line", (miss[i].line - 1) * w->m->config.l1i_line);
		why_ahead(w, &miss[i]);
		why_requests(w, 2, 3, i);
		return;
	}
	if (jump != NEVER)
		why_say(w, 1, "jump", "the warp branched; the first fetch at the branch target can start in cycle %llu",
			jump);
	else if (slot->fetching)
		why_say(w, 1, "decode", "instructions being decoded: %u", slot->fetching);
	else
		why_say(w, 1, "lookup",
			"the warp waits for an L1I lookup. The SM performs %u per cycle, a sub-core %u, and other "
			"warps come first",
			w->m->config.l1i_ports, w->m->config.fetch_width);
}

/* Its instruction buffer is empty. */
static void why_fetch(struct why *w)
{
	const struct warp *x = &w->warps[w->warp];
	const struct slot *slot = &w->slots[x->slot];
	json_t *o;

	if (slot->fetch_pc >= why_kernel(w, w->warp)->ninst && !slot->buffered && !slot->fetching) {
		why_say(w, 1, "end",
			"the next instruction, %u, is past the end of the kernel: none will ever be fetched",
			slot->fetch_pc);
		return;
	}
	if (slot->buffered) {
		why_say(w, 1, "decode",
			"the instruction buffer was empty in the issue stage. Instructions decoded later in this cycle: %u",
			slot->buffered);
	} else {
		why_say(w, 1, "fetch", "the instruction buffer is empty; the instruction to fetch is %s",
			why_text(w, w->warp, slot->fetch_pc));
		fetch_step(w, slot);
	}
	if (w->next.changes == NEVER)
		return;
	o = why_say(w, 1, "forecast", "if nothing changes, the warp has an instruction to issue in cycle %llu",
		    w->next.changes);
	why_number(o, "cycle", w->next.changes);
}

/* Names of the policies of a set of rows, with what they do. */
static void schemes(struct why *w, u64 rows, const char *does)
{
	for (; rows; rows &= rows - 1) {
		const struct scheme *x = scheme_table[__builtin_ctzll(rows)];

		why_say(w, 1, "policy", "%s %s: %s", x->name, does, x->doc);
	}
}

void why_policies(struct why *w, u32 keeps)
{
	for (u32 i = 0; i < POLICY_SLOTS; i++)
		if (slot_table[i].keeps == keeps && slot_table[i].why[0])
			schemes(w, policy_in(&w->m->policy, i), slot_table[i].why);
}

static void why_long(struct why *w)
{
	why_control(w);
	why_registers(w, true);
}
static void why_short(struct why *w)
{
	why_control(w);
	why_readers(w);
	why_registers(w, false);
}
static void why_held(struct why *w)
{
	if (w->sm_state->restoring >> w->warps[w->warp].cta & 1) {
		why_restoring(w);
		return;
	}
	why_policies(w, WARP_HELD);
	why_holds(w);
	why_ranks(w, w->sub * w->m->config.sm_schedulers + why_scheduler(w, w->warps[w->warp].slot));
}

/* Ready and acceptable, but passed over. */
static void why_paused(struct why *w)
{
	u64 ranks = policy_in(&w->m->policy, POLICY_rank) | policy_in(&w->m->policy, POLICY_cta_pause);

	why_policies(w, WARP_PAUSED);
	if (ranks)
		why_ranks(w, w->sub * w->m->config.sm_schedulers + why_scheduler(w, w->warps[w->warp].slot));
	else
		schemes(w, policy_in(&w->m->policy, POLICY_order), "selected another warp");
	why_chosen(w);
}

/* It issued: what, what comes next, and why it was chosen. */
static void why_issued(struct why *w)
{
	u32 mask, pc = sim_warp_issued(w->sim, w->sm, w->warp, &mask);

	if (pc < why_kernel(w, w->warp)->ninst)
		why_number(why_say(w, 1, "issued", "%s", why_text(w, w->warp, pc)), "pc", pc);
	pc = sim_warp_pc(w->sim, w->sm, w->warp, &mask);
	if (pc < why_kernel(w, w->warp)->ninst && !sim_faulted(w->sim))
		why_number(why_say(w, 1, "next", "next instruction: %s", why_text(w, w->warp, pc)), "pc", pc);
	why_chosen(w);
}

static const struct {
	void (*chain)(struct why *w);
	const char *see;
} row_table[WARP_STATUS_COUNT] = {
	[WARP_DONE] = {why_done, "info ctas"},
	[WARP_PREEMPTING] = {why_moving, "info ctas, break preempt"},
	[WARP_SWAPPED] = {why_swapped, "info ctas"},
	[WARP_BARRIER] = {why_barrier, "info ctas, break release"},
	[WARP_FENCE] = {why_fence, "show memory"},
	[WARP_FETCH] = {why_fetch, "stats l1i.*"},
	[WARP_LONG] = {why_long, "show memory"},
	[WARP_SHORT] = {why_short, "explain lat.fp32"},
	[WARP_GANG] = {why_gang, "break rendezvous"},
	[WARP_HELD] = {why_held, "info policy"},
	[WARP_LSU] = {why_lsu, "show memory"},
	[WARP_UNIT] = {why_unit, "show subcores"},
	[WARP_COLLECTOR] = {why_collectors, "show banks, break conflict"},
	[WARP_PAUSED] = {why_paused, "info policy"},
	[WARP_ELIGIBLE] = {why_chosen, "info policy"},
	[WARP_ISSUED] = {why_issued, "show code"},
};

void why_status(struct why *w, u32 status)
{
	if (status != WARP_HELD && status != WARP_PAUSED)
		why_policies(w, status);
	row_table[status].chain(w);
}

/* ", for 8 cycles", where it has been so for more than this one. */
static const char *duration(const struct why *w, char text[48])
{
	u64 n = w->cycle - w->since + 1;

	if (n < 2 || !w->cycle)
		return "";
	snprintf(text, 48, ", for %s%llu cycles", w->since && n > PAST_CYCLES ? "more than " : "",
		 n > PAST_CYCLES ? PAST_CYCLES : n);
	return text;
}

/* The state with the field's word for it (Nsight Compute's, where it has one). */
static const char *const state_words[WARP_STATUS_COUNT] = {
	[WARP_DONE] = "done (all lanes exited)",
	[WARP_PREEMPTING] = "preempting (its CTA's context is being saved or restored)",
	[WARP_SWAPPED] = "swapped (its CTA is inactive)",
	[WARP_BARRIER] = "barrier (waiting at a barrier)",
	[WARP_FENCE] = "fence (waiting for memory acknowledgments)",
	[WARP_FETCH] = "fetch (no instruction)",
	[WARP_LONG] = "long (long scoreboard)",
	[WARP_SHORT] = "short (short scoreboard)",
	[WARP_GANG] = "gang (waiting for other lanes)",
	[WARP_HELD] = "held (not allowed to issue)",
	[WARP_LSU] = "lsu (LSU throttle)",
	[WARP_UNIT] = "unit (math pipe throttle)",
	[WARP_COLLECTOR] = "collector (no free operand collector)",
	[WARP_PAUSED] = "paused (lower priority)",
	[WARP_ELIGIBLE] = "eligible (not selected)",
	[WARP_ISSUED] = "issued",
};

/* What it is about to issue, and when it issued last. */
static void headline(struct why *w, u32 status)
{
	const struct warp *x = &w->warps[w->warp];
	const struct slot *slot = x->slot == NONE16 ? NULL : &w->slots[x->slot];
	bool issued = status == WARP_ISSUED;
	u32 mask, pc = slot ? slot->pc : sim_warp_pc(w->sim, w->sm, w->warp, &mask);
	json_t *o =
		why_say(w, 0, "status", "warp %u (SM %u, sub-core %u, CTA %u) %s in cycle %llu%s%s%s", w->warp, w->sm,
			w->sub, w->ctas[x->cta].id, issued ? "issued" : "did not issue", w->cycle, issued ? "" : ": ",
			issued ? "" : state_words[status], issued ? "" : duration(w, (char[48]){""}));

	why_numbers(o, {"warp", w->warp}, {"since", w->since});
	why_word(o, "status", warp_status_table[status].name);
	if (!issued && x->depth && pc < why_kernel(w, w->warp)->ninst) {
		o = why_say(w, 1, "next", "next instruction: %s", why_text(w, w->warp, pc));
		why_number(o, "pc", pc);
	}
	if (!issued && slot && slot->since) {
		o = why_say(w, 1, "last", "last issue: cycle %llu, %llu cycle%s ago", slot->since + 1,
			    w->cycle - slot->since - 1, w->cycle - slot->since == 2 ? "" : "s");
		why_number(o, "cycle", slot->since + 1);
	}
}

/* Where to look on; with a stop that would have met this stall too. */
static void see(struct why *w, u32 status)
{
	u64 n = w->cycle - w->since + 1;
	char stop[80] = "";

	if (status != WARP_ISSUED && status != WARP_DONE && n >= 2 && n <= PAST_CYCLES)
		snprintf(stop, sizeof(stop), ", break stall %s for %llu", warp_status_table[status].name, n);
	why_say(w, 0, "see", "see: explain %s, %s%s", warp_status_table[status].name,
		status == WARP_SHORT && w->m->config.issue_dependences ? "info control" : row_table[status].see, stop);
}

/* The next issue. */
static void prediction(struct why *w, u32 status)
{
	const struct forecast *f = &w->next;
	json_t *o;

	if (status == WARP_DONE)
		return;
	if (sim_faulted(w->sim)) {
		why_say(w, 1, "forecast", "the program faulted: no further instruction issues");
		return;
	}
	if (f->issues == NEVER) {
		why_say(w, 1, "forecast", "if nothing changes, the warp does not issue by cycle %llu%s", f->until,
			f->deadlock ? ": the program is deadlocked then" : "");
		return;
	}
	o = why_say(w, 1, "forecast", "if nothing changes, the warp issues %sin cycle %llu (in %llu cycle%s%s%s)",
		    status == WARP_ISSUED ? "again " : "", f->issues, f->issues - w->cycle,
		    f->issues - w->cycle == 1 ? "" : "s", f->changes < f->issues ? ", after state " : "",
		    f->changes < f->issues && f->then < WARP_STATUS_COUNT ? warp_status_table[f->then].name : "");
	why_number(o, "cycle", f->issues);
}

/* It did what the program was stopped for. */
static void why_fault(struct why *w)
{
	struct text t = {0};

	if (!sim_faulted(w->sim) || machine_gpu(w->m)->fault_sm != w->sm || fault_context(w->sim) != w->warp)
		return;
	fault_sentence(w->sim, &t);
	why_number(why_say(w, 1, "fault", "the warp faulted: %s", t.s), "pc", machine_gpu(w->m)->fault_pc);
	text_free(&t);
}

/* Is any warp resident? */
static bool any_warp(const struct sim *sim)
{
	for (u32 i = 0; i < sim->m->config.gpu_sms; i++)
		if (((struct sm *)machine_sm_section(sim->m, i, SECTION_SM))->warps)
			return true;
	return false;
}

void why_warp(struct session *s, const struct sim *sim, u32 sm, u32 warp, struct text *out, json_t *result)
{
	u32 status = sim_warp_status(sim, sm, warp);
	struct why w;

	why_open(&w, s, sim, sm, out, result);
	w.warp = warp;
	w.sub = warp % sim->m->config.sm_subcores;
	if (status >= WARP_STATUS_COUNT) {
		why_say(&w, 0, "status", "warp %u of SM %u is not resident in cycle %llu%s", warp, sm, w.cycle,
			any_warp(sim) ? "; `info warps` lists the resident warps" : "; no warp is resident");
		return;
	}
	forecast_warp(sim, sm, warp, &w.next);
	why_past(&w, PAST_CYCLES);
	headline(&w, status);
	why_fault(&w);
	why_elf(&w);
	why_status(&w, status);
	why_mates(&w, status);
	why_paths(&w, 1);
	if (status != WARP_DONE && w.sm_state->paused >> w.warps[warp].cta & 1)
		why_paused_cta(&w, w.warps[warp].cta);
	why_draining(&w);
	why_deadline(&w, 1, w.warps[warp].launch);
	prediction(&w, status);
	see(&w, status);
	why_close(&w);
}
