/* follow_text.c - the hops of `follow` as sentences. */
#include "follow.h"

#include "control.h"
#include "events.h"
#include "machine.h"
#include "policy.h"

static const struct kernel *kernel_of(const struct session *s, const struct follow *f)
{
	return s->program.launch[f->launch].kernel;
}

void follow_who(const struct session *s, const struct follow *f, struct text *out)
{
	const struct kernel *k = kernel_of(s, f);
	const struct hop *h = f->n ? &f->hop[f->n - 1] : NULL;

	text_add(out, "warp %u (SM %u, CTA %u of %s), %u: %s", h ? h->warp : f->warp, h ? h->sm : f->sm, f->cta,
		 safe_text(s->program.launch[f->launch].name), f->pc,
		 f->pc < k->ninst ? safe_text(kernel_text(k, f->pc)) : "");
}

/* "behind 2 requests", if there are any. */
static void add_behind(const struct hop *h, const char *what, struct text *out)
{
	if (h->n)
		text_add(out, " behind %u %s%s", h->n, what, plural(h->n));
}

/* " of 16: ld.global.f32 r0, [d0]" */
static void add_producer(const struct session *s, const struct follow *f, const struct hop *h, struct text *out)
{
	const struct kernel *k = kernel_of(s, f);

	if (h->producer < k->ninst)
		text_add(out, " of %u: %s", h->producer, safe_text(kernel_text(k, h->producer)));
}

/* What the warp waits for. */
static void add_wait(const struct session *s, const struct follow *f, const struct hop *h, struct text *out)
{
	bool any = false;

	if (h->stalled) {
		text_add(out, "waits for the stall counter");
		add_producer(s, f, h, out);
		text_add(out, " (%s)", warp_status_table[h->status].name);
		return;
	}
	if (h->counters)
		text_add(out, "waits for counter%s", h->counters & (h->counters - 1u) ? "s" : "");
	for (u32 i = 0; i < CONTROL_COUNTERS; i++)
		if (h->counters >> i & 1)
			text_add(out, " SB%u", i);
	SET_EACH (i, h->regs, HAZARD_WORDS) {
		text_add(out,
			 i == HAZARD_COPIES ? "%sasynchronous copies"
			 : i < HAZARD_PRED  ? "%sr%u"
					    : "%sp%u",
			 any	       ? " "
			 : h->counters ? ": "
				       : "waits for ",
			 i < HAZARD_PRED ? i : i - HAZARD_PRED);
		any = true;
	}
	if (any && !SET_HAS(h->regs, HAZARD_COPIES))
		add_producer(s, f, h, out);
	text_add(out, any || h->counters ? " (%s)" : "%s", warp_status_table[h->status].name);
	if (!any && !h->counters)
		text_add(out, ": %s", warp_status_table[h->status].doc);
}

/* The warp is ready: in which states. */
static void add_ready(const struct hop *h, struct text *out)
{
	static const char *const text[READY_STATES] = {
		[0 /* WARP_LSU */] = "lsu, collector units wait for the LSU",
		[WARP_UNIT - WARP_LSU] = "unit, collector units wait for execution units",
		[WARP_COLLECTOR - WARP_LSU] = "collector, none is free",
		[WARP_PAUSED - WARP_LSU] = "paused, others are preferred",
		[WARP_ELIGIBLE - WARP_LSU] = "eligible, another warp is selected"};
	const char *gap = ": ";

	text_add(out, "the warp is ready");
	for (u32 i = 0; i < READY_STATES; i++) {
		if (!h->spent[i])
			continue;
		text_add(out, "%s%u cycle%s %s", gap, h->spent[i], plural(h->spent[i]), text[i]);
		gap = "; ";
	}
}

/* The operands as they were read. */
static void add_operands(const struct follow *f, const struct hop *h, struct text *out)
{
	text_add(out, h->place == NONE16 ? "operand collector unit" : "operand collector unit %u", h->place);
	for (u32 i = 0; i < f->ngrants; i++) {
		const struct follow_grant *g = &f->grant[i];

		text_add(out, "%s r%u from ", i ? "," : ":", g->reg);
		text_add(out, g->cached ? "the register cache" : "bank %u", g->bank);
		text_add(out, " in cycle %llu", g->cycle);
	}
}

/* Why the L1D rejected a line, by enum refusal. */
static const char *rejected_for(u32 cause)
{
	static const char *const text[] = {"",
					   "no free MSHR",
					   "no room in the MSHR of the line",
					   "the queue to the interconnect is full",
					   "all ways of the set are reserved",
					   "the miss queue is full",
					   "no room for its result",
					   "a policy holds misses back"};

	return cause < ARRAY_LEN(text) ? text[cause] : "";
}

/* How the L1D has answered: before the first hop behind it. */
static void add_looked(const struct session *s, const struct hop *h, struct text *out)
{
	const struct config *c = sim_config(&s->sim);
	u32 sets = max_u32(config_l1d_sets(c), 1), set = (u32)((h->line >> s->sim.m->line_shift) % sets);

	if (h->looked == HOP_PAST)
		text_add(out, "line 0x%llx bypasses the L1D; ", h->line);
	else if (h->mshr == NONE16 || h->looked == HOP_PLAIN)
		text_add(out, "line 0x%llx, ", h->line);
	else if (h->constants)
		text_add(out, "line 0x%llx missed the constant cache (MSHR %u); ", h->line, h->mshr);
	else
		text_add(out, "line 0x%llx missed L1D set %u, %s MSHR %u; ", h->line, set,
			 h->looked == HOP_MERGED ? "joined" : "took", h->mshr);
}

static void add_issue(const struct follow *f, struct text *out)
{
	text_add(out, "issued with %u lane%s", f->lanes, plural(f->lanes));
	if (f->lines)
		text_add(out, ", coalesced into %u line access%s", f->lines, f->lines == 1 ? "" : "es");
}

static void add_lsu(const struct hop *h, struct text *out)
{
	text_add(out, "first in the LSU queue");
	if (h->cause)
		text_add(out, "; the L1D rejected its line in %u cycle%s: %s", h->n, plural(h->n),
			 rejected_for(h->cause));
}

static void add_write(const struct session *s, const struct follow *f, struct text *out)
{
	const struct kernel *k = kernel_of(s, f);
	const struct inst *in = f->pc < k->ninst ? &k->inst[f->pc] : NULL;
	const u32 count[] = {f->hits, f->misses, f->merges};
	static const char *const text[] = {"hit", "missed", "merged"};
	bool any = false, any_count = false;

	for (u32 i = 0; in && i < in->nwrite; i++, any = true)
		text_add(out, any ? " r%u" : "r%u", in->write[i]);
	for (u32 i = 0; in && i < 2; i++)
		if (in->write_pred[i] != 0xff) {
			text_add(out, any ? " p%u" : "p%u", in->write_pred[i]);
			any = true;
		}
	text_add(out, any ? " written" : "complete");
	if (f->lines > 1)
		text_add(out, "; the last of %u line accesses", f->lines);
	if (f->hits + f->misses + f->merges <= 1)
		return;
	for (u32 i = 0; i < ARRAY_LEN(count); i++) {
		if (!count[i])
			continue;
		text_add(out, any_count ? ", %u %s" : " (%u %s", count[i], text[i]);
		any_count = true;
	}
	text_add(out, ")");
}

static void add_memory(const struct session *s, const struct hop *h, bool first, struct text *out)
{
	if (first)
		add_looked(s, h, out);
	switch (h->kind) {
	case HOP_PORT:
		text_add(out, "at the port of SM %u", h->sm);
		add_behind(h, "request", out);
		break;
	case HOP_CROSSBAR: text_add(out, "across the interconnect to L2 slice %u", h->place); break;
	case HOP_L2:
		text_add(out, "L2 slice %u", h->place);
		add_behind(h, "request", out);
		text_add(out, h->outcome == HOP_HIT ? ": hit" : h->outcome == HOP_MISSED ? ": missed" : "");
		break;
	case HOP_DRAMQUEUE:
		text_add(out, "DRAM channel %u bank %u", h->place, h->bank);
		add_behind(h, "older read", out);
		text_add(out, h->outcome == HOP_ROW_MISS ? ": row miss" : h->outcome == HOP_ROW_HIT ? ": row hit" : "");
		break;
	case HOP_DRAM: text_add(out, "bank %u of DRAM channel %u reads it", h->bank, h->place); break;
	case HOP_L2MSHR: text_add(out, "in an L2 MSHR of channel %u", h->place); break;
	case HOP_ANSWER: text_add(out, "reply waits at L2 slice %u", h->place); break;
	default: text_add(out, "reply on its way to SM %u", h->sm); break;
	}
}

void follow_text(const struct session *s, const struct follow *f, u32 hop, struct text *out)
{
	const struct hop *h = &f->hop[hop];

	switch (h->kind) {
	case HOP_FETCH:
		text_add(out,
			 h->outcome == HOP_MISSED ? "missed the L1I; its line was there %u cycle%s later"
						  : "hit the L1I",
			 h->n, plural(h->n));
		break;
	case HOP_DECODE: text_add(out, "into the instruction buffer of warp %u", h->warp); break;
	case HOP_BUFFER: text_add(out, "behind %u older instruction%s of its warp", h->n, plural(h->n)); break;
	case HOP_WAIT:
		if (state_ready(h->status))
			add_ready(h, out);
		else
			add_wait(s, f, h, out);
		break;
	case HOP_ISSUE: add_issue(f, out); break;
	case HOP_OPERANDS: add_operands(f, h, out); break;
	case HOP_UNIT:
		text_add(out, "operands complete; waits for %s", h->status == UNIT_LSU ? "the LSU" : "a unit of kind ");
		text_add(out, "%s", h->status == UNIT_LSU ? "" : unit_name[h->status]);
		break;
	case HOP_EXECUTE: text_add(out, "unit %s", unit_name[h->status]); break;
	case HOP_QUEUE: text_add(out, "in the LSU queue behind %u instruction%s", h->n, plural(h->n)); break;
	case HOP_LSU: add_lsu(h, out); break;
	case HOP_SHARED: text_add(out, "shared memory, %u cycle%s of its banks", h->n, plural(h->n)); break;
	case HOP_L1D: text_add(out, "the line hit the L1D"); break;
	case HOP_PORT:
	case HOP_CROSSBAR:
	case HOP_L2:
	case HOP_DRAMQUEUE:
	case HOP_DRAM:
	case HOP_L2MSHR:
	case HOP_ANSWER:
	case HOP_RETURN: add_memory(s, h, !hop || h[-1].line != h->line, out); break;
	case HOP_MSHR: text_add(out, "MSHR %u waits for sectors that others have requested", h->mshr); break;
	case HOP_WRITE: add_write(s, f, out); break;
	case HOP_ACK: text_add(out, "the last of %u line write%s acknowledged", f->lines, plural(f->lines)); break;
	case HOP_AWAY:
		text_add(out, h->cause ? "its CTA was %s" : "its CTA was swapped out",
			 h->cause ? event_table[h->cause].name : "");
		break;
	default: text_add(out, "%s", hop_table[h->kind].doc); break;
	}
}
