/*
 * why_pipe.c - a ready warp that is not accepted: collector units and their holders, bank queues, execution units, the
 * LSU.
 */
#include "ops.h"
#include "why_parts.h"

#include "policy.h"

/* "r4 (bank 1, position 2 of 3, read in cycle 912)" */
static void add_read(const struct why *w, u32 unit, u32 reg, u32 bank, u32 place, u32 of, struct text *out)
{
	u64 cycle = forecast_grant(&w->next, w->collectors[w->sub * w->m->config.sm_collectors + unit].context, reg);

	text_add(out, "%sr%u (bank %u, position %u of %u", out->len ? ", " : "", reg, bank, place, of);
	text_add(out, cycle == NEVER ? ")" : ", read in cycle %llu)", cycle);
}

/* Where operand `operand` of collector unit `unit` (within the sub-core) is queued: "bank 1, 2nd". */
static void add_place(const struct why *w, u32 unit, u32 operand, struct text *out)
{
	u32 n = w->m->config.sm_banks, room = w->m->section[SECTION_BANKQ].count / w->m->section[SECTION_BANK].count;
	const struct bank *bank = (struct bank *)machine_sm_section(w->m, w->sm, SECTION_BANK) + w->sub * n;
	const struct bankq *queue =
		(struct bankq *)machine_sm_section(w->m, w->sm, SECTION_BANKQ) + (size_t)w->sub * n * room;

	for (u32 b = 0; b < n; b++)
		for (u32 i = 0; i < bank[b].count; i++) {
			const struct bankq *q = &queue[b * room + (bank[b].head + i) % room];

			if (q->collector == unit && q->operand == operand)
				add_read(w, unit, q->reg, b, i + 1, bank[b].count, out);
		}
}

/* The cycle from which a unit of a kind takes an instruction. */
static u64 unit_free(const struct why *w, u32 kind)
{
	const struct unit *u = (struct unit *)machine_sm_section(w->m, w->sm, SECTION_UNIT) +
			       w->sub * (w->m->section[SECTION_UNIT].count / w->m->config.sm_subcores);
	u64 best = NEVER;

	for (u32 i = w->m->warp_units[kind]; i < w->m->warp_units[kind + 1]; i++)
		best = min_u64(best, u[i].free_at);
	return best;
}

bool why_behind(const struct why *w, u32 unit)
{
	const struct sub *sub = (struct sub *)machine_sm_section(w->m, w->sm, SECTION_SUB) + w->sub;

	return w->m->config.collector_order && !(sub->latched >> unit & 1);
}

/* What a collector unit waits for. */
static void say_wait(struct why *w, u32 unit, const struct collector *c)
{
	const struct inst *in = &why_kernel(w, c->context)->inst[c->pc];
	u32 kind = machine_unit_kind(w->m, class_table[c->class].unit);
	struct text missing = {0};
	json_t *o;

	for (u32 i = 0; i < in->nread; i++)
		if (!(c->read >> i & 1))
			add_place(w, unit, i, &missing);
	if (c->need) {
		o = why_say(w, 3, "operands", "waits for %s", missing.s ? missing.s : "its operands");
		why_number(o, "missing", c->need);
	} else if (kind == UNIT_LSU) {
		o = why_say(w, 3, "unit",
			    "all operands are read; waits for the LSU (%u of %u queue entries in use, one instruction "
			    "accepted per cycle)",
			    w->sm_state->lsu_count, w->m->config.lsu_queue);
	} else {
		o = why_say(w, 3, "unit", "all operands are read; waits for unit %s, which accepts %s in cycle %llu",
			    unit_name[kind],
			    why_behind(w, unit) ? "another first (collector.order)," : "an instruction",
			    max_u64(unit_free(w, kind), w->cycle) + 1);
	}
	if (unit < ARRAY_LEN(w->next.dispatch) && w->next.dispatch[unit] != NEVER)
		why_number(why_say(w, 3, "forecast", "if nothing changes, leaves the collector in cycle %llu",
				   w->next.dispatch[unit]),
			   "cycle", w->next.dispatch[unit]);
	why_number(o, "unit", unit);
	text_free(&missing);
}

/* Banks of the sub-core with reads queued. */
static void say_banks(struct why *w)
{
	u32 n = w->m->config.sm_banks;
	const struct bank *bank = (struct bank *)machine_sm_section(w->m, w->sm, SECTION_BANK) + w->sub * n;
	struct text line = {0};

	for (u32 i = 0; i < n && w->m->config.collector_allocate; i++)
		text_add(&line, "%sbank %u to cycle %llu", i ? ", " : "", i,
			 bank[i].written_until / w->m->config.collector_passes);
	if (w->m->config.collector_allocate) {
		why_say(w, 1, "banks",
			"bank ports reserved: %s; an instruction needs all its reads within three cycles", line.s);
		text_free(&line);
		return;
	}
	for (u32 i = 0; i < n; i++)
		text_add(&line, "%sbank %u: %u%s", i ? ", " : "", i, bank[i].count,
			 w->cycle && bank[i].written_until > (w->cycle - 1) * w->m->config.collector_passes
				 ? " (being written)"
				 : "");
	why_say(w, 1, "banks", "queued register reads: %s; a bank serves %u per cycle; bank = %s mod %u", line.s,
		w->m->config.collector_passes, w->m->config.sm_bank_swizzle ? "(register + warp)" : "register", n);
	text_free(&line);
}

/* A branch that finds no branch unit. */
static void why_branch(struct why *w)
{
	u64 cycle = max_u64(unit_free(w, UNIT_BRANCH), w->cycle) + 1;
	json_t *o = why_say(w, 1, "branch",
			    "the warp is ready, but its branch needs a branch unit. Sub-core %u has %u; one accepts a "
			    "branch every %u cycles, the next in cycle %llu",
			    w->sub, w->m->config.unit_branch_count, w->m->config.unit_branch_interval, cycle);

	why_number(o, "cycle", cycle);
}

void why_unit(struct why *w)
{
	const struct inst *in = why_inst(w, w->warp);

	if (w->m->config.unit_branch_count && in && inst_branches(in))
		why_branch(w);
	else
		why_collectors(w);
}

/* What the register cache of the sub-core keeps. */
static void say_kept(struct why *w)
{
	u32 n = w->m->config.sm_banks * REUSE_PLACES;
	const struct reuse *kept = (struct reuse *)machine_sm_section(w->m, w->sm, SECTION_REUSE) + w->sub * n;
	struct text line = {0};

	for (u32 i = 0; i < n; i++)
		if (kept[i].owner)
			text_add(&line, "%sr%u of warp %u (bank %u, operand %u)", line.len ? ", " : "", kept[i].reg,
				 kept[i].owner - 1u, i / REUSE_PLACES, i % REUSE_PLACES);
	why_say(w, 1, "kept", "the register cache holds %s; a read that hits there uses no bank port",
		line.s ? line.s : "nothing");
	text_free(&line);
}

/* The collector units of the sub-core that instructions hold which are for a kind of execution unit. */
static u32 kind_holds(const struct why *w, u32 kind)
{
	const struct collector *c = &w->collectors[w->sub * w->m->config.sm_collectors];
	u32 holds = 0;

	for (u32 i = 0; i < w->m->config.sm_collectors; i++)
		holds += c[i].context != NONE16 && machine_unit_kind(w->m, class_table[c[i].class].unit) == kind;
	return holds;
}

/* Where operands are read behind stage Allocate (collector.allocate): what keeps an instruction that is ready. A full
 * memory queue has been told. */
static void say_allocate(struct why *w, const struct inst *in, const struct sub *sub)
{
	char last[40] = "";

	if (sub->allocate)
		snprintf(last, sizeof(last), "; stage Allocate: unit %u", sub->allocate - 1u);
	if (sub->control)
		why_number(why_say(w, 1, "allocate",
				   "the warp is ready, but sub-core %u issues nothing while the instruction in stage "
				   "Control cannot move on (collector.allocate): unit %u",
				   w->sub, sub->control - 1u),
			   "control", sub->control);
	else if (in && class_table[in->class].unit == UNIT_LSU)
		why_say(w, 1, "allocate",
			"instructions of the memory queue are in operand collector units of sub-core %u%s:", w->sub,
			last);
	else
		why_say(w, 1, "allocate",
			"the warp is ready, but the execution unit that it needs will not accept it in time; sub-core %u%s",
			w->sub, last);
}

/* How many collector units are taken, of all or (collector.share) of its kind. */
static void say_taken(struct why *w, u32 taken)
{
	const struct inst *in = why_inst(w, w->warp);
	u32 n = w->m->config.sm_collectors, share = w->m->config.collector_share;
	u32 kind = machine_unit_kind(w->m, class_table[in ? in->class : CLASS_CONTROL].unit);
	const struct sub *sub = (struct sub *)machine_sm_section(w->m, w->sm, SECTION_SUB) + w->sub;

	if (w->m->config.collector_allocate) {
		say_allocate(w, in, sub);
		return;
	}
	if (in && share && taken < n && kind_holds(w, kind) >= share) {
		why_number(
			why_say(w, 1, "share",
				"the warp is ready, but instructions for unit %s occupy %u of the %u operand collector units "
				"of sub-core %u, their maximum (collector.share):",
				unit_name[kind], share, n, w->sub),
			"share", share);
		return;
	}
	why_say(w, 1, "collector",
		"the warp is ready, but needs an operand collector unit; sub-core %u has %u, of which %u %s in use:",
		w->sub, n, taken, taken == 1 ? "is" : "are");
}

void why_collectors(struct why *w)
{
	u32 n = w->m->config.sm_collectors, taken = 0;
	const struct collector *c = &w->collectors[w->sub * n];

	for (u32 i = 0; i < n; i++)
		taken += c[i].context != NONE16;
	say_taken(w, taken);
	for (u32 i = 0; i < n; i++) {
		json_t *o;

		if (c[i].context == NONE16)
			continue;
		o = why_say(w, 2, "holder", "unit %u: warp %u, %s, since cycle %llu", i, c[i].context,
			    why_text(w, c[i].context, c[i].pc), c[i].issued_at + 1);
		why_numbers(o, {"unit", i}, {"warp", c[i].context});
		say_wait(w, i, &c[i]);
	}
	say_banks(w);
	if (w->m->config.collector_reuse)
		say_kept(w);
}

/* The oldest entry of the table of loads. */
static void say_oldest_load(struct why *w)
{
	const struct load *load = machine_sm_section(w->m, w->sm, SECTION_LOAD);
	u64 used[LOAD_WORDS];
	u32 best = NONE32;

	requests_loads(w->sim, w->sm, used);
	SET_EACH (i, used, LOAD_WORDS)
		if ((best == NONE32 || load[i].issued_at < load[best].issued_at))
			best = i;
	if (best == NONE32)
		return;
	if (why_current(w, load[best].context, load[best].generation))
		why_say(w, 2, "load", "oldest entry: warp %u, %s, since cycle %llu", load[best].context,
			why_text(w, load[best].context, load[best].pc), load[best].issued_at + 1);
	else
		why_say(w, 2, "load", "oldest entry: of a CTA that has left the SM, since cycle %llu",
			load[best].issued_at + 1);
	why_load(w, 3, best);
}

void why_head(struct why *w, u32 level)
{
	const struct ring_slot *queue = machine_sm_section(w->m, w->sm, SECTION_LSUQ);
	const struct memop *op = machine_sm_section(w->m, w->sm, SECTION_MEMOP);
	const struct port *port = (struct port *)machine_gpu_section(w->m, SECTION_PORT) + w->sm;
	const struct memop *head = &op[queue[w->sm_state->lsu_head].memop];
	bool shared = head->class == CLASS_SHLOAD || head->class == CLASS_SHSTORE;
	const char *what = shared ? "bank cycles" : "line accesses done";
	json_t *o;

	if (why_current(w, head->context, head->generation)) {
		o = why_say(w, level, "lsu", "head of the LSU queue: warp %u, %s: %u of %u %s", head->context,
			    why_text(w, head->context, head->pc), head->done, head->count, what);
		why_number(o, "warp", head->context);
	} else {
		why_say(w, level, "lsu", "head of the LSU queue: of a CTA that has left the SM: %u of %u %s",
			head->done, head->count, what);
	}
	why_barred(w, level + 1, queue[w->sm_state->lsu_head].memop);
	if (w->sm_state->reexec_count && w->sm_state->reexec_count == w->m->section[SECTION_REEXEC].count)
		why_say(w, level + 1, "reexec",
			"all %u entries of the re-execution queue are in use (lsu.reexec_entries), so the LSU queue "
			"is blocked",
			w->sm_state->reexec_count);
	if (w->sm_state->shared_busy > w->cycle)
		why_say(w, level + 1, "shared", "%s up to cycle %llu",
			w->m->config.lsu_interval > 1 ? "shared memory is busy, or lsu.interval has not passed,"
						      : "shared memory is busy",
			w->sm_state->shared_busy);
	if (w->sm_state->mshrs_used >= w->m->config.l1d_mshrs)
		why_say(w, level + 1, "mshrs", "all %u MSHRs of the L1D are in use", w->m->config.l1d_mshrs);
	if (port->out_count >= w->m->config.icnt_queue)
		why_say(w, level + 1, "port", "all %u entries of the SM's crossbar port are in use",
			w->m->config.icnt_queue);
}

void why_lsu(struct why *w)
{
	const struct sub *sub = (struct sub *)machine_sm_section(w->m, w->sm, SECTION_SUB) + w->sub;

	if (sub->free_collectors && w->sm_state->load_free == NONE16) {
		why_say(w, 1, "loads",
			"the instruction needs an entry of the load table; all %u (lsu.loads) are in use",
			w->m->config.lsu_loads);
		say_oldest_load(w);
		return;
	}
	if (w->m->config.lsu_sub_queue && (u32)__builtin_popcount(sub->lsu_collectors) >= w->m->config.lsu_sub_queue)
		why_number(
			why_say(w, 1, "queue",
				"the memory queue of sub-core %u holds %u instructions (lsu.sub_queue); the first leaves in "
				"cycle %llu at the earliest, when the LSU accepts it",
				w->sub, w->m->config.lsu_sub_queue, max_u64(sub->lsu_at, w->cycle) + 1),
			"queue", w->m->config.lsu_sub_queue);
	why_say(w, 1, "lsu", "the LSU queue holds %u of at most %u instructions", w->sm_state->lsu_count,
		w->m->config.lsu_queue);
	if (w->sm_state->lsu_count)
		why_head(w, 2);
	why_collectors(w);
}
