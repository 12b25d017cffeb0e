/*
 * reading.c - when the registers of memory instructions have been read, so that others may write them (WAR).
 *
 * An instruction has read its registers when it leaves its collector unit, unless a setting says otherwise: accesses to
 * shared memory have read theirs lsu.read_shared cycles before they may leave the memory queue of their sub-core, since
 * their address is calculated behind it; stores and atomics read data, which takes lsu.read_data cycles and
 * lsu.read_word for each further word of a lane; asynchronous copies have lsu.read_copy cycles more. What is read later
 * is due in the wheel of results. Source: Huerta et al., MICRO 2025, section 5.4 and table 2. Deviations: addresses in
 * uniform registers, read two to four cycles sooner, are not told apart; loads of constants have read theirs when they
 * leave (29 cycles after issue in table 2).
 */
#include "ops.h"
#include "signals/signals.h"

/* Cycles from when an instruction leaves its collector unit until its registers have been read; negative: before. */
static i32 reading_delay(const struct sm_view *v, const struct collector *cu)
{
	const struct config *c = &v->m->config;
	const struct inst *in = &view_kernel(v, cu->context)->inst[cu->pc];
	bool shared = cu->class == CLASS_SHLOAD || cu->class == CLASS_SHSTORE;
	u32 words = (inst_access_bytes(in) + 3) / 4, after = 0;
	if (cu->memory_op == NONE16)
		return 0;
	if (inst_copies(in))
		after = c->lsu_read_copy;
	else if (cu->class == CLASS_STORE || cu->class == CLASS_SHSTORE || in->op == OP_ATOM)
		after = c->lsu_read_data + (words - 1) * c->lsu_read_word;
	return (i32)after - (i32)(shared ? c->lsu_read_shared : 0);
}

bool reading_room(const struct sm_view *v, const struct collector *cu)
{
	return reading_delay(v, cu) <= 0 || result_room(v);
}

/* The registers of an instruction have been read: what waits for its dependence counter, or for its readers, may go. */
static void reading_done(struct sm_view *v, u32 context, u32 counter)
{
	if (counter)
		control_read(v, context, counter);
	else
		readers_left(v, context);
}

void reading_waits(struct sm_view *v, struct collector *cu, u64 leaves)
{
	i32 delay = reading_delay(v, cu);
	u32 counter = cu->counter;
	if (counter == READ_EARLY || delay >= 0 || view_cycle(v) + (u32)-delay < leaves)
		return;
	cu->counter = READ_EARLY;
	reading_done(v, cu->context, counter);
}

void reading_leaves(struct sm_view *v, const struct collector *cu)
{
	i32 delay = reading_delay(v, cu);
	struct warp *w = &v->warp[cu->context];
	if (delay <= 0) {
		if (cu->counter && cu->counter != READ_EARLY)
			control_read(v, cu->context, cu->counter);
		return;
	}
	w->inflight++;
	v->cta[w->cta].inflight++;
	result_due(v, (u32)delay,
		   &(struct result){.kind = RESULT_READ,
				    .context = cu->context,
				    .load = cu->counter,
				    .generation = cu->generation,
				    .pc = cu->pc});
}

void reading_comes(struct sm_view *v, const struct result *r)
{
	if (!view_current(v, r->context, r->generation)) {
		v->sm->stat[STAT_STALE_RESULTS]++;
		return;
	}
	reading_done(v, r->context, r->load);
	warp_retired(v, r->context, 1);
}
