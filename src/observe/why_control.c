/*
 * why_control.c - why: the stall counter and the dependence counters that a warp waits for (issue.dependences control).
 */
#include "why_parts.h"

#include "trace.h"

static const struct dependence *dependence_of(const struct why *w)
{
	return (const struct dependence *)machine_sm_section(w->m, w->sm, SECTION_DEPENDENCE) + w->warp;
}

/* The control bits of an instruction of the warp's kernel. */
static const struct control *bits_of(const struct why *w, u32 pc)
{
	return (const struct control *)machine_gpu_section(w->m, SECTION_CONTROL) +
	       w->sim->control_base[w->warps[w->warp].launch] + pc;
}

/* The instruction of known latency that is late at its execution unit, so that the stall counter stands still; NULL:
 * none is. */
static const struct collector *late(const struct why *w)
{
	u32 n = w->m->config.sm_collectors;

	for (u32 i = w->sub * n; i < (w->sub + 1) * n; i++) {
		const struct collector *c = &w->collectors[i];

		if (c->context == w->warp && bits_of(w, c->pc)->due &&
		    w->cycle > c->issued_at + bits_of(w, c->pc)->window)
			return c;
	}
	return NULL;
}

/* Does the warp wait for constants that its last instruction loads, its kernel's first on the SM (const.cold)? */
static bool awaits_constants(const struct why *w, u32 pc, u64 from)
{
	const struct slot *s = &w->slots[w->warps[w->warp].slot];
	const struct inst *in = &w->sim->kernel[w->warps[w->warp].launch]->inst[pc];

	return w->m->section[SECTION_CONST_SEEN].count && in->class == CLASS_CONST && !inst_writes(in) &&
	       from > s->since + max_u32(bits_of(w, pc)->stall, 2);
}

/* The stall counter, which instruction set it, and which makes it stand still. */
static void why_stall(struct why *w, u64 from)
{
	u32 pc = ((const struct issued *)machine_sm_section(w->m, w->sm, SECTION_ISSUED) + w->warp)->pc;
	u32 stall = bits_of(w, pc)->stall;
	const struct collector *c = late(w);
	json_t *o;

	if (!c && awaits_constants(w, pc, from)) {
		o = why_say(
			w, 1, "stall",
			"the warp waits until cycle %llu for constants that its kernel has not loaded before on this "
			"SM: instruction %s loads them (explain const.cold)",
			from + 1, why_text(w, w->warp, pc));
		why_numbers(o, {"cycle", from + 1}, {"pc", pc}, {"stall", stall});
		return;
	}
	if (!c) {
		o = why_say(w, 1, "stall",
			    "the warp's stall counter is 0 from cycle %llu on: instruction %s set it to %u", from + 1,
			    why_text(w, w->warp, pc), stall);
		why_numbers(o, {"cycle", from + 1}, {"pc", pc}, {"stall", stall});
		return;
	}
	o = why_say(w, 1, "stall", "the warp's stall counter stands still: instruction %s set it to %u",
		    why_text(w, w->warp, pc), stall);
	why_numbers(o, {"pc", pc}, {"stall", stall});
	o = why_say(w, 2, "late",
		    "instruction %s, issued in cycle %llu, is late at its execution unit (%u cycle%s after issue, if "
		    "nothing is in its way)",
		    why_text(w, w->warp, c->pc), c->issued_at + 1, bits_of(w, c->pc)->window,
		    plural(bits_of(w, c->pc)->window));
	why_numbers(o, {"pc", c->pc}, {"issued", c->issued_at + 1});
}

void why_reader(struct why *w, const struct collector *c)
{
	json_t *o = why_say(w, 2, "reads", "instruction %s, issued in cycle %llu, has not read its registers",
			    why_text(w, w->warp, c->pc), c->issued_at + 1);

	why_numbers(o, {"pc", c->pc}, {"issued", c->issued_at + 1});
}

/* Instructions for which a counter is not 0. */
static void why_holders(struct why *w, u32 counter)
{
	const struct inflight *f =
		(const struct inflight *)machine_sm_section(w->m, w->sm, SECTION_INFLIGHT) + w->warp * INFLIGHT_WRITES;
	u32 n = w->m->config.sm_collectors;
	json_t *o;

	for (u32 i = 0; i < dependence_of(w)->writes; i++) {
		if (f[i].counter != counter)
			continue;
		o = why_say(w, 2, "writes", "instruction %s, issued in cycle %llu, has not written its registers",
			    why_text(w, w->warp, f[i].pc), f[i].issued_at + 1);
		why_numbers(o, {"pc", f[i].pc}, {"issued", f[i].issued_at + 1});
	}
	for (u32 i = w->sub * n; i < (w->sub + 1) * n; i++) {
		const struct collector *c = &w->collectors[i];

		if (c->context == w->warp && c->counter == counter + 1)
			why_reader(w, c);
	}
	why_reads_late(w, counter + 1, 0);
}

/* The bits of the next instruction; of a trace's kernel with a cubin they are its compiler's. */
static void why_bits(struct why *w, const char *text)
{
	const struct trace *t = why_kernel(w, w->warp)->trace;
	bool given = t && t->cubin;
	json_t *o = why_say(w, 1, "control", "control bits of the next instruction: %s%s%s", text,
			    given ? ", set by the compiler of " : "", given ? safe_text(t->cubin) : "");

	why_word(o, "bits", text);
	if (given)
		why_word(o, "cubin", safe_text(t->cubin));
}

void why_control(struct why *w)
{
	u32 pc = w->slots[w->warps[w->warp].slot].pc;
	char text[CONTROL_TEXT];
	const struct dependence *d;
	struct control_bits bits;

	if (!w->m->section[SECTION_DEPENDENCE].count || !why_inst(w, w->warp))
		return;
	d = dependence_of(w);
	bits = control_bits_of(bits_of(w, pc));
	why_bits(w, control_text(&bits, text));
	if (d->from == NEVER)
		why_say(w, 1, "drain", "a latency was changed: the warp waits until nothing of it is in flight");
	else if (dependence_stalls(d, w->cycle))
		why_stall(w, d->from);
	for (u32 left = bits.wait; left; left &= left - 1) {
		u32 k = (u32)__builtin_ctz(left);

		if (!d->count[k])
			continue;
		why_numbers(why_say(w, 1, "counter",
				    "the next instruction waits until dependence counter SB%u is 0 (it is %u)", k,
				    d->count[k]),
			    {"counter", k}, {"count", d->count[k]});
		why_holders(w, k);
	}
}
