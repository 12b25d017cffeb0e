/*
 * readers.c - the half of a scoreboard that guards registers which are still to be read (issue.readers).
 *
 * Beside the writes that are pending, such a scoreboard counts, for each register of a warp, the instructions that have
 * issued and have not read it yet. One that writes a register does not issue before all of them have; nor does one that
 * reads a register for which the count is as high as it goes. An instruction has read its registers when it has left
 * its operand collector unit (memory instructions: reading.c); with collector.allocate one of fixed latency
 * takes the three cycles behind stage Allocate.
 *
 * Nothing is counted as it goes: readers are found in the collector units and among the last that left Allocate.
 * Sources: Huerta et al., MICRO 2025, sections 2 and 7.5 and table 7; Mishkin, "Write-after-Read Hazard Prevention in
 * GPGPUsim", 2016. Deviation: predicates are not counted; they are read at issue.
 */
#include "signals/signals.h"

/* Does an instruction name the register of operand i before? */
static bool readers_repeat(const struct inst *in, u32 i)
{
	for (u32 k = 0; k < i; k++)
		if (in->read[k] == in->read[i])
			return true;
	return false;
}

static void readers_add(const struct inst *in, u8 *count)
{
	for (u32 i = 0; i < in->nread; i++)
		count[in->read[i]] = (u8)(count[in->read[i]] + !readers_repeat(in, i));
}

/* Memory instructions that have left their collector units and still read. */
static void readers_find_late(const struct sm_view *v, u32 context, u8 *count)
{
	if (!(v->m->config.lsu_read_data | v->m->config.lsu_read_word | v->m->config.lsu_read_copy))
		return;
	SET_EACH (bucket, v->sm->due, WHEEL_WORDS)
		for (u16 at = v->sm->wheel[bucket]; at != NONE16; at = v->result[at].next) {
			const struct result *r = &v->result[at];
			if (r->kind == RESULT_READ && r->context == context && view_current(v, context, r->generation))
				readers_add(&view_kernel(v, context)->inst[r->pc], count);
		}
}

void readers_find(const struct sm_view *v, u32 context, u8 count[HAZARD_PRED])
{
	const struct kernel *k = view_kernel(v, context);
	u32 sub = view_sub(v, context);
	memset(count, 0, HAZARD_PRED);
	for (u32 i = 0; i < v->m->config.sm_collectors; i++) {
		const struct collector *cu = &v->part[sub].collector[i];
		if (cu->context == context && cu->counter != READ_EARLY)
			readers_add(&k->inst[cu->pc], count);
	}
	readers_find_late(v, context, count);
	for (u32 i = 0; i < READINGS; i++) {
		const struct reading *x = &v->reading[sub * READINGS + i];
		if (x->until > view_cycle(v) && x->context == context && view_current(v, context, x->generation))
			readers_add(&k->inst[x->pc], count);
	}
}

enum slot_set readers_classify(const struct sm_view *v, u32 context, const struct inst *in, enum slot_set board)
{
	u8 count[HAZARD_PRED];
	u64 written[HAZARD_WORDS] = {0};
	if (board != SET_READY)
		return board;
	readers_find(v, context, count);
	inst_written(in, written);
	for (u32 i = 0; i < HAZARD_PRED; i++)
		if (count[i] && written[i / 64] >> i % 64 & 1)
			return SET_SHORT;
	for (u32 i = 0; i < in->nread; i++)
		if (count[in->read[i]] >= v->m->config.issue_readers)
			return SET_SHORT;
	return SET_READY;
}

void readers_left(struct sm_view *v, u32 context)
{
	if (v->warp[context].slot != NONE16)
		slot_woken(v, context);
}

void readers_allocated(struct sm_view *v, u32 sub, u32 context, u32 pc, u32 cycles)
{
	v->reading[sub * READINGS + view_cycle(v) % READINGS] =
		(struct reading){.until = view_cycle(v) + cycles,
				 .context = context,
				 .generation = v->warp[context].generation,
				 .pc = pc};
}

void readers_tick(struct sm_view *v)
{
	for (u32 i = 0; i < v->m->section[SECTION_READING].count; i++) {
		const struct reading *x = &v->reading[i];
		if (x->until == view_cycle(v) && view_current(v, x->context, x->generation))
			readers_left(v, x->context);
		v->sleep->active |= x->until > view_cycle(v);
	}
}
