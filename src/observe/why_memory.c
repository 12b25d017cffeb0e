/*
 * why_memory.c - registers that are not there yet: the instruction that writes them, and where its result is.
 *
 * A result of fixed latency is in the wheel (its cycle is exact), in a collector unit or in the LSU's queue; a load
 * waits for lines, each a hit in the wheel or an MSHR whose request is somewhere in the memory system.
 */
#include "ops.h"
#include "why_parts.h"

#include "policy.h"
#include "synth.h"

#define MAX_REQUESTS 512

/* What may hold back the head of a slice's queue: its MSHRs, answers, the queue of its DRAM channel, where they are
 * full. */
static void add_pressure(const struct why *w, u32 id, struct text *out)
{
	const struct config *c = &w->m->config;
	const struct slice *slice = machine_slice_section(w->m, id, SECTION_SLICE);
	const struct channel *ch = machine_channel_section(w->m, id % c->dram_channels, SECTION_CHANNEL);

	if (slice->mshrs_used >= c->l2_mshrs)
		text_add(out, "; all %u MSHRs of the L2 slice are in use", c->l2_mshrs);
	if (ch->queue_free == NONE16)
		text_add(out, "; the queue of DRAM channel %u is full", id % c->dram_channels);
	if (slice->out_count >= c->l2_queue)
		text_add(out, "; replies of the L2 slice wait for the crossbar");
}

/* A request as a line. */
static void say_request(struct why *w, u32 level, const struct request *r)
{
	u64 address = (r->line >> 4) << w->m->line_shift;
	u64 age = w->cycle - r->born;
	json_t *o;

	static const char *const where[REQUEST_LEVEL_COUNT] = {
		[REQUEST_PORT] = "waits at the SM's port for the crossbar",
		[REQUEST_L2] = "is on its way to, or queued at, L2 slice",
		[REQUEST_DRAM_QUEUE] = "missed the L2 and waits at DRAM channel",
		[REQUEST_DRAM] = "missed the L2 and is read by DRAM channel",
		[REQUEST_MERGED] = "waits in an L2 MSHR for its line from DRAM channel",
		[REQUEST_ANSWER] = "has its reply, which waits for the crossbar at L2 slice",
		[REQUEST_RETURN] = "has its reply, which is on its way to the SM",
	};
	struct text place = {0};

	text_add(&place, "%s", where[r->level]);
	if (r->place != NONE16)
		text_add(&place, " %u", r->place);
	if (r->ahead)
		text_add(&place, " behind %u other request%s", r->ahead, r->ahead == 1 ? "" : "s");
	if (r->level == REQUEST_L2 && r->ahead)
		add_pressure(w, r->place, &place);
	o = why_say(w, level, "request", "%s of line 0x%llx, %llu cycle%s old, %s; earliest return: cycle %llu",
		    request_kind_name[r->kind], address, age, age == 1 ? "" : "s", place.s, r->earliest);
	why_word(o, "where", request_level_name[r->level]);
	why_numbers(o, {"address", address}, {"age", age}, {"earliest", r->earliest});
	text_free(&place);
}

/* Is a request for what the tag says: a load entry (2, 8), a context (1, 4), else what its kind has? */
static bool concerns(const struct why *w, const struct request *r, u32 tag)
{
	const struct load *load = machine_sm_section(w->m, w->sm, SECTION_LOAD);

	if (!r->mates || request_of_load(r))
		return request_of_load(r) ? load_wants(w->sim, w->sm, tag, r->tag, r->mates) : r->tag == tag;
	for (u32 at = r->tag + 1u; at; at = load[at - 1].mate)
		if (load[at - 1].context == tag && load_wants(w->sim, w->sm, at - 1, r->tag, r->mates))
			return true;
	return false;
}

void why_requests(struct why *w, u32 level, u32 kind, u32 tag)
{
	struct request *list = xmalloc(MAX_REQUESTS * sizeof(*list));
	u32 n = min_u32(requests_list(w->sim, w->sm, list, MAX_REQUESTS), MAX_REQUESTS), shown = 0;

	for (u32 i = 0; i < n; i++)
		if (list[i].kind == kind && concerns(w, &list[i], tag) && !list[i].gone && shown++ < 4)
			say_request(w, level, &list[i]);
	if (shown > 4)
		why_say(w, level, "more", "and %u more", shown - 4);
	free(list);
}

/* Lines of a load that hit and come from the wheel. */
static void hits_due(struct why *w, u32 level, u32 load)
{
	const struct result *result = machine_sm_section(w->m, w->sm, SECTION_RESULT);

	for (u32 d = 0; d < WHEEL_SIZE; d++)
		for (u16 at = w->sm_state->wheel[(w->cycle + d) % WHEEL_SIZE]; at != NONE16; at = result[at].next)
			if (result[at].kind == RESULT_LINE &&
			    load_wants(w->sim, w->sm, load, result[at].load, result[at].pc))
				why_number(why_say(w, level, "l1d",
						   "a line hit in the L1D and is available in cycle %llu",
						   w->cycle + d + 1),
					   "cycle", w->cycle + d + 1);
}

/* The MSHRs in which a load waits. */
static void misses(struct why *w, u32 level, u32 load)
{
	const struct mshr *mshr = machine_sm_section(w->m, w->sm, SECTION_L1D_MSHR);
	const struct waiter *waiter = machine_sm_section(w->m, w->sm, SECTION_L1D_WAITER);

	for (u32 i = 0, left = w->sm_state->mshrs_used; i < w->m->config.l1d_mshrs && left; i++) {
		bool mine = false;

		if (!mshr[i].line)
			continue;
		left--;
		for (u32 at = mshr[i].first, n = 0; n < mshr[i].count; at = waiter[at].next, n++)
			mine |= load_wants(w->sim, w->sm, load, waiter[at].load, waiter[at].mates);
		if (!mine)
			continue;
		why_number(why_say(w, level, "mshr", "L1D MSHR %u tracks line 0x%llx; %u access%s for it", i,
				   (mshr[i].line - 1) << w->m->line_shift, mshr[i].count,
				   mshr[i].count == 1 ? " waits" : "es wait"),
			   "mshr", i);
		why_requests(w, level + 1, 0, i);
	}
}

/* Is a memory operation that of a load entry, alone or with others? */
static bool of_load(const struct why *w, const struct memop *op, u32 load)
{
	const struct load *l = (const struct load *)machine_sm_section(w->m, w->sm, SECTION_LOAD) + load;

	return op->load == load || (op->mates && op->mates == l->leads);
}

/* The instruction in the LSU's queue, the re-execution queue or a collector unit that has a load entry; how far it is.
 */
static void not_sent(struct why *w, u32 level, u32 load)
{
	const struct memop *op = machine_sm_section(w->m, w->sm, SECTION_MEMOP);
	const struct ring_slot *queue = machine_sm_section(w->m, w->sm, SECTION_LSUQ);
	u32 subs = w->m->config.sm_subcores * w->m->config.sm_collectors;
	const struct load *l = (const struct load *)machine_sm_section(w->m, w->sm, SECTION_LOAD) + load;

	for (u32 i = 0; i < w->sm_state->lsu_count; i++) {
		u32 at = queue[(w->sm_state->lsu_head + i) % w->m->config.lsu_queue].memop;

		if (!of_load(w, &op[at], load))
			continue;
		why_say(w, level, "lsu",
			"the instruction is number %u of %u in the LSU queue; %u of its %u line accesses are done",
			i + 1, w->sm_state->lsu_count, op[at].done, op[at].count);
		if (i)
			why_head(w, level);
		else
			why_barred(w, level + 1, at);
	}
	why_aside_load(w, level, load);
	for (u32 i = 0; i < subs; i++) {
		const struct collector *c = &w->collectors[i];

		if (c->context != NONE16 && c->memory_op != NONE16 && c->context == l->context &&
		    of_load(w, &op[c->memory_op], load))
			why_say(w, level, "collector",
				c->need ? "the instruction is in operand collector unit %u; missing operands: %u"
					: "the instruction is in operand collector unit %u with all operands and waits for the LSU",
				i % w->m->config.sm_collectors, c->need);
	}
}

/* The MSHRs of the constant cache in which a load waits. */
static void const_misses(struct why *w, u32 level, u32 load)
{
	const struct mshr *mshr = machine_sm_section(w->m, w->sm, SECTION_CONST_MSHR);
	const struct waiter *waiter = machine_sm_section(w->m, w->sm, SECTION_CONST_WAITER);

	for (u32 i = 0; i < w->m->config.const_mshrs; i++)
		for (u32 at = mshr[i].line ? mshr[i].first : NONE16; at != NONE16; at = waiter[at].next) {
			if (waiter[at].load != load)
				continue;
			why_number(why_say(w, level, "mshr", "MSHR %u of the constant cache tracks line 0x%llx", i,
					   (mshr[i].line - 1) * w->m->config.const_line),
				   "mshr", i);
			why_requests(w, level + 1, 5, i);
		}
}

void why_load(struct why *w, u32 level, u32 load)
{
	const struct load *l = (struct load *)machine_sm_section(w->m, w->sm, SECTION_LOAD) + load;
	bool atomic = why_current(w, l->context, l->generation) &&
		      why_kernel(w, l->context)->inst[l->pc].class == CLASS_ATOMIC;

	not_sent(w, level, load);
	hits_due(w, level, load);
	if (l->quick == LOAD_QUICK)
		const_misses(w, level, load);
	else if (atomic)
		why_requests(w, level, 2, load);
	else {
		misses(w, level, load);
		why_requests(w, level, 8, load);
	}
}

void why_atomics(struct why *w, u32 level)
{
	const struct load *load = machine_sm_section(w->m, w->sm, SECTION_LOAD);
	u64 used[LOAD_WORDS];

	if (!w->m->config.sm_atomic_wait)
		return;
	requests_loads(w->sim, w->sm, used);
	SET_EACH (i, used, LOAD_WORDS)
		if (load[i].context == w->warp && load[i].generation == w->warps[w->warp].generation &&
		    why_kernel(w, w->warp)->inst[load[i].pc].class == CLASS_ATOMIC)
			why_load(w, level, i);
}

/* A set of registers and predicates as "r4 r5 p1". */
static void name_registers(const u64 *set, struct text *out)
{
	SET_EACH (i, set, HAZARD_WORDS)
		text_add(out, i < HAZARD_PRED ? "%sr%u" : "%sp%u", out->len ? " " : "",
			 i < HAZARD_PRED ? i : i - HAZARD_PRED);
}

/* Which registers of `wanted` an instruction writes. */
static bool writes(const struct inst *in, const u64 *wanted, u64 *which)
{
	bool any = false;

	memset(which, 0, HAZARD_WORDS * sizeof(*which));
	for (u32 i = 0; i < in->nwrite; i++)
		if (SET_HAS(wanted, in->write[i]))
			SET_ADD(which, in->write[i]);
	for (u32 i = 0; i < 2; i++)
		if (in->write_pred[i] != 0xff && SET_HAS(wanted, HAZARD_PRED + in->write_pred[i]))
			SET_ADD(which, HAZARD_PRED + in->write_pred[i]);
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		any |= which[i] != 0;
	return any;
}

/* "it needs r4 from 12: ld..., issued in cycle 900, 304 cycles ago" */
static json_t *say_producer(struct why *w, const u64 *which, u32 pc, u64 issued)
{
	struct text names = {0};
	json_t *o;

	name_registers(which, &names);
	if (issued)
		o = why_say(w, 1, "register",
			    "the next instruction needs %s from %s, issued in cycle %llu, %llu cycles ago", names.s,
			    why_text(w, w->warp, pc), issued, w->cycle - issued);
	else
		o = why_say(w, 1, "register", "the next instruction needs %s from %s", names.s,
			    why_text(w, w->warp, pc));
	why_word(o, "registers", names.s);
	why_number(o, "pc", pc);
	if (issued)
		why_number(o, "issued", issued);
	text_free(&names);
	return o;
}

/* When a result is seen to arrive in the fork. */
static void say_arrival(struct why *w, u32 pc)
{
	u64 cycle = forecast_arrival(&w->next, pc);

	if (cycle != NEVER)
		why_forecast(w, 2, cycle, cycle, "the result", "arrives", "");
}

/* What is left of a step of a synthetic kernel. */
static void say_step(struct why *w, const struct load *l)
{
	u32 launch = w->warps[l->context].launch, sms = w->m->config.gpu_sms;
	struct synth_cta cta = {.id = w->ctas[w->warps[l->context].cta].id,
				.launch = launch,
				.sms = sms,
				.wave = sms * launch_residency(w->m, launch)->fit};
	u64 cycles = synth_step(why_kernel(w, l->context)->synth, &cta, l->pc);
	json_t *o = why_say(w, 2, "step", "a synthetic step of %llu cycles, which ends in cycle %llu", cycles,
			    l->issued_at + 1 + cycles);

	why_number(o, "cycle", l->issued_at + 1 + cycles);
}

/* Loads of the warp that write some of the wanted registers: of memory, or of constants that were not in their cache.
 */
static void load_producers(struct why *w, const u64 *wanted)
{
	const struct load *load = machine_sm_section(w->m, w->sm, SECTION_LOAD);
	const struct kernel *k = why_kernel(w, w->warp);
	u64 which[HAZARD_WORDS], used[LOAD_WORDS];

	requests_loads(w->sim, w->sm, used);
	SET_EACH (i, used, LOAD_WORDS) {
		const struct load *l = &load[i];

		if (l->context != w->warp || l->generation != w->warps[w->warp].generation ||
		    !writes(&k->inst[l->pc], wanted, which))
			continue;
		say_producer(w, which, l->pc, l->issued_at + 1);
		if (k->inst[l->pc].op == OP_STEP) {
			say_step(w, l);
			continue;
		}
		if (l->quick == LOAD_FILTER) {
			why_say(w, 2, "filter", "its texels have arrived and are filtered by the texture units");
		} else {
			why_say(w, 2, "lines", "%u cache line%s not arrived", l->waiting,
				l->waiting == 1 ? " has" : "s have");
			why_load(w, 2, i);
		}
		say_arrival(w, l->pc);
	}
}

/* An instruction is being executed, and its result comes in d cycles; it is in a collector unit of the sub-core; it is
 * the i-th in the LSU's queue. */
static void in_wheel(struct why *w, u32 d)
{
	why_number(why_say(w, 2, "wheel", "the instruction is executing: its result is available in cycle %llu",
			   w->cycle + d + 1),
		   "cycle", w->cycle + d + 1);
}
static void in_collector(struct why *w, u32 unit, const struct collector *c)
{
	if (c->need)
		why_say(w, 2, "collector", "the instruction is in operand collector unit %u; missing operands: %u",
			unit, c->need);
	else
		why_say(w, 2, "collector",
			"the instruction is in operand collector unit %u with all operands and waits for its execution unit%s",
			unit, why_behind(w, unit) ? ", which accepts others first (collector.order)" : "");
	say_arrival(w, c->pc);
}
static void in_queue(struct why *w, u32 i, const struct memop *op)
{
	why_say(w, 2, "lsu", "the instruction is number %u of %u in the LSU queue", i + 1, w->sm_state->lsu_count);
	why_head(w, 2);
	say_arrival(w, op->pc);
}

/* Results of the warp in the wheel. */
static void wheel_producers(struct why *w, const u64 *wanted)
{
	const struct result *result = machine_sm_section(w->m, w->sm, SECTION_RESULT);
	const struct kernel *k = why_kernel(w, w->warp);
	u64 which[HAZARD_WORDS];

	for (u32 d = 0; d < WHEEL_SIZE; d++)
		for (u16 at = w->sm_state->wheel[(w->cycle + d) % WHEEL_SIZE]; at != NONE16; at = result[at].next) {
			const struct result *r = &result[at];

			if (!result_of(w->m, r, w->warp) || r->generation != w->warps[w->warp].generation ||
			    !writes(&k->inst[r->pc], wanted, which))
				continue;
			say_producer(w, which, r->pc, why_issued_in(w, r->pc));
			in_wheel(w, d);
		}
}

/* Instructions of the warp in collector units. */
static void collector_producers(struct why *w, const u64 *wanted)
{
	const struct kernel *k = why_kernel(w, w->warp);
	u32 n = w->m->config.sm_collectors;
	u64 which[HAZARD_WORDS];

	for (u32 i = w->sub * n; i < (w->sub + 1) * n; i++) {
		const struct collector *c = &w->collectors[i];

		if (c->context != w->warp || !writes(&k->inst[c->pc], wanted, which))
			continue;
		say_producer(w, which, c->pc, c->issued_at + 1);
		in_collector(w, i - w->sub * n, c);
	}
}

/* Instructions of the warp in the LSU's queue (shared memory). */
static void lsu_producers(struct why *w, const u64 *wanted)
{
	const struct memop *op = machine_sm_section(w->m, w->sm, SECTION_MEMOP);
	const struct ring_slot *queue = machine_sm_section(w->m, w->sm, SECTION_LSUQ);
	const struct kernel *k = why_kernel(w, w->warp);
	u64 which[HAZARD_WORDS];

	for (u32 i = 0; i < w->sm_state->lsu_count; i++) {
		const struct memop *x = &op[queue[(w->sm_state->lsu_head + i) % w->m->config.lsu_queue].memop];

		if (x->context != w->warp || !why_current(w, x->context, x->generation) ||
		    !writes(&k->inst[x->pc], wanted, which))
			continue;
		say_producer(w, which, x->pc, why_issued_in(w, x->pc));
		in_queue(w, i, x);
	}
}

void why_registers(struct why *w, bool is_long)
{
	const struct slot *slot = &w->slots[w->warps[w->warp].slot];
	const struct inst *in = why_inst(w, w->warp);
	const u64 *pending = is_long ? slot->pending_long : slot->pending_short;
	u64 wanted[HAZARD_WORDS];

	for (u32 i = 0; i < HAZARD_WORDS; i++)
		wanted[i] = in ? pending[i] & in->hazard[i] : 0;
	load_producers(w, wanted);
	if (is_long && in && inst_copies(in))
		why_copies(w, in);
	if (is_long)
		return;
	collector_producers(w, wanted);
	lsu_producers(w, wanted);
	wheel_producers(w, wanted);
}

void why_shared_atomic(struct why *w, u32 pc)
{
	const struct memop *op = machine_sm_section(w->m, w->sm, SECTION_MEMOP);
	const struct ring_slot *queue = machine_sm_section(w->m, w->sm, SECTION_LSUQ);
	const struct result *result = machine_sm_section(w->m, w->sm, SECTION_RESULT);
	const struct collector *c = &w->collectors[w->sub * w->m->config.sm_collectors];

	for (u32 i = 0; i < w->m->config.sm_collectors; i++)
		if (c[i].context == w->warp && c[i].pc == pc)
			in_collector(w, i, &c[i]);
	for (u32 i = 0; i < w->sm_state->lsu_count; i++) {
		const struct memop *x = &op[queue[(w->sm_state->lsu_head + i) % w->m->config.lsu_queue].memop];

		if (x->context == w->warp && why_current(w, x->context, x->generation) && x->pc == pc)
			in_queue(w, i, x);
	}
	for (u32 d = 0; d < WHEEL_SIZE; d++)
		for (u16 at = w->sm_state->wheel[(w->cycle + d) % WHEEL_SIZE]; at != NONE16; at = result[at].next)
			if (result_of(w->m, &result[at], w->warp) && why_current(w, w->warp, result[at].generation) &&
			    result[at].pc == pc)
				in_wheel(w, d);
}
