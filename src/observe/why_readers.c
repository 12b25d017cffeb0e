/*
 * why_readers.c - why: registers that are still to be read, for which a scoreboard makes a warp wait (issue.readers),
 * or a dependence counter.
 */
#include "policy.h"
#include "why_parts.h"

static bool reads(const struct inst *in, u32 reg)
{
	u32 k = 0;

	while (k < in->nread && in->read[k] != reg)
		k++;
	return k < in->nread;
}

/* An instruction that has left its collector unit and still reads. */
static void say_reads(struct why *w, u32 pc, u64 until)
{
	json_t *o = why_say(w, 2, "reads", "instruction %s reads its registers until cycle %llu",
			    why_text(w, w->warp, pc), until);

	why_numbers(o, {"pc", pc}, {"until", until});
}

void why_reads_late(struct why *w, u32 counter, u32 reg)
{
	const struct result *result = machine_sm_section(w->m, w->sm, SECTION_RESULT);
	const struct inst *inst = why_kernel(w, w->warp)->inst;

	for (u32 d = 0; d < WHEEL_SIZE; d++)
		for (u16 at = w->sm_state->wheel[(w->cycle + d) % WHEEL_SIZE]; at != NONE16; at = result[at].next) {
			const struct result *r = &result[at];

			if (r->kind == RESULT_READ && r->context == w->warp &&
			    why_current(w, r->context, r->generation) && r->load == counter &&
			    (counter || reads(&inst[r->pc], reg)))
				say_reads(w, r->pc, w->cycle + d + 1);
		}
}

/* Instructions of the warp that read a register: in collector units, and behind them. */
static void readers_of(struct why *w, u32 reg)
{
	const struct reading *x = (const struct reading *)machine_sm_section(w->m, w->sm, SECTION_READING);
	const struct inst *inst = why_kernel(w, w->warp)->inst;
	u32 n = w->m->config.sm_collectors;

	for (u32 i = w->sub * n; i < (w->sub + 1) * n; i++)
		if (w->collectors[i].context == w->warp && w->collectors[i].counter != READ_EARLY &&
		    reads(&inst[w->collectors[i].pc], reg))
			why_reader(w, &w->collectors[i]);
	for (u32 i = w->sub * READINGS; i < (w->sub + 1) * READINGS; i++) {
		if (x[i].until <= sim_clock(w->sim) || x[i].context != w->warp ||
		    !why_current(w, x[i].context, x[i].generation) || !reads(&inst[x[i].pc], reg))
			continue;
		say_reads(w, (u32)x[i].pc, x[i].until + 1);
	}
	why_reads_late(w, 0, reg);
}

static void say_readers(struct why *w, const char *does, u32 reg, u32 count)
{
	u32 most = w->m->config.issue_readers;

	why_numbers(
		why_say(w, 1, "readers",
			"the next instruction %s r%u, which %u issued instruction%s still to read (issue.readers %u)",
			does, reg, count, count == 1 ? " has" : "s have", most),
		{"register", reg}, {"count", count}, {"most", most});
	readers_of(w, reg);
}

void why_readers(struct why *w)
{
	const struct inst *in = why_inst(w, w->warp);
	u64 written[HAZARD_WORDS] = {0}, read[HAZARD_WORDS] = {0};
	u8 count[HAZARD_PRED];

	if (!w->m->config.issue_readers || w->m->config.issue_dependences || !in)
		return;
	sim_readers(w->sim, w->sm, w->warp, count);
	inst_written(in, written);
	for (u32 i = 0; i < in->nread; i++)
		SET_ADD(read, in->read[i]);
	for (u32 i = 0; i < HAZARD_PRED; i++)
		if (count[i] && SET_HAS(written, i))
			say_readers(w, "writes", i, count[i]);
		else if (SET_HAS(read, i) && count[i] >= w->m->config.issue_readers)
			say_readers(w, "reads", i, count[i]);
}
