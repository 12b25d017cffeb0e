/*
 * control.c - control bits in place of a scoreboard (issue.dependences control).
 *
 * A warp does not issue before its stall counter is 0, nor before the dependence counters for which its next
 * instruction waits are. The stall counter is set by each instruction that issues and falls by one a cycle. A
 * dependence counter rises behind the issue of an instruction, which the cycle after the next is the first to see, and
 * falls when its registers have been read (it has left its collector unit; reading.c) or written. Nothing else holds an
 * instruction back: one that issues too soon reads what was there before (execute/old_values.c) and counts as a hazard.
 *
 * The scoreboard is kept beside them, for what it would have allowed (control.late) and for asynchronous copies, whose
 * groups it counts as ever. Source: Huerta et al., MICRO 2025, section 4. Deviations: an instruction of known latency
 * that others keep from its unit lets the stall counter of its warp stand still, so that what was reckoned with holds;
 * a warp has at most INFLIGHT_WRITES results on their way.
 */
#include "signals/signals.h"
#include "state/units.h"

#define MOST_COUNT 63  /* of a dependence counter */
#define NEVER_STALL 45 /* cycles that a stall counter of 0 with the yield bit takes (Huerta) */

static struct inflight *control_inflight(const struct sm_view *v, u32 context)
{
	return &v->inflight[context * INFLIGHT_WRITES];
}

/* The counters for which an instruction waits that are not 0; `unseen`: those whose last increase is not seen yet. */
static u32 control_waits(const struct dependence *d, const struct control *b, u32 unseen)
{
	u32 waits = 0;
	for (u32 left = b->wait; left; left &= left - 1) {
		u32 k = (u32)__builtin_ctz(left);
		waits |= (u32)(d->count[k] > (unseen >> k & 1)) << k;
	}
	return waits;
}

/* Is a counter as high as it goes that an instruction would increase, or are too many results on their way? */
static bool control_full(const struct dependence *d, const struct control *b)
{
	return d->writes == INFLIGHT_WRITES || (b->write < CONTROL_COUNTERS && d->count[b->write] >= MOST_COUNT - 1) ||
	       (b->read < CONTROL_COUNTERS && d->count[b->read] >= MOST_COUNT - 1);
}

/* Is a result of global or local memory among those for which counters are not 0? */
static bool control_waits_long(struct sm_view *v, const struct slot *s, u32 waits)
{
	const struct inflight *f = control_inflight(v, s->context);
	for (u32 i = 0; i < v->dependence[s->context].writes; i++) {
		u64 written[HAZARD_WORDS] = {0};
		inst_written(&view_kernel(v, s->context)->inst[f[i].pc], written);
		if (f[i].counter < CONTROL_COUNTERS && waits >> f[i].counter & 1 &&
		    hazards_meet(written, s->pending_long))
			return true;
	}
	return false;
}

/* The set of a slot whose warp's counters decide. */
static enum slot_set control_decide(struct sm_view *v, const struct slot *s, const struct inst *in, enum slot_set board)
{
	const struct dependence *d = &v->dependence[s->context];
	const struct control *b = control_of(v, s->context, s->pc);
	u64 now = view_cycle(v);
	bool young = now < s->since + 2 && d->fresh;
	if (d->from > now || young)
		SET_ADD(sm_set(v, SET_STALL), v->warp[s->context].slot);
	if (inst_copies(in) && board == SET_LONG && copies_hold(&v->warp[s->context], in))
		return SET_LONG;
	if (v->m->config.ideal_divergence && board != SET_READY) /* what is free sets no counters */
		return board;
	if (d->from > now)
		return SET_SHORT;
	u32 waits = control_waits(d, b, young ? d->fresh : 0);
	if (waits)
		return control_waits_long(v, s, waits) ? SET_LONG : SET_SHORT;
	return control_full(d, b) ? SET_SHORT : SET_READY;
}

enum slot_set control_classify(struct sm_view *v, u32 context, const struct inst *in, enum slot_set board)
{
	const struct slot *s = &v->slot[v->warp[context].slot];
	struct dependence *d = &v->dependence[context];
	SET_DEL(sm_set(v, SET_STALL), v->warp[context].slot);
	if (board < SET_LONG || board > SET_READY)
		return board;
	u64 soonest = max_u64(view_cycle(v), s->since + 1);
	if (board == SET_READY && !d->could)
		d->could = soonest + 1;
	enum slot_set now = control_decide(v, s, in, board);
	d->ready = now != SET_READY ? 0 : d->ready ? d->ready : soonest + 1;
	return now;
}

/* Cycles for which an instruction sets the stall counter. */
static u32 control_stall(const struct control *b)
{
	if (!b->stall && b->yield)
		return NEVER_STALL;
	if (b->stall > CONTROL_LONG_STALL && !b->yield)
		return 2;
	return max_u32(b->stall, b->yield ? 2 : 1);
}

u32 control_pending(const struct sm_view *v, u32 context, u32 lanes, u64 *pending)
{
	const struct inflight *f = control_inflight(v, context);
	u32 n = 0;
	memset(pending, 0, HAZARD_WORDS * sizeof *pending);
	for (u32 i = 0; i < v->dependence[context].writes; i++) {
		if (!(f[i].lanes & lanes))
			continue;
		inst_written(&view_kernel(v, context)->inst[f[i].pc], pending);
		n++;
	}
	return n;
}

/* An instruction issues before results that it needs. Is there a dependence counter for any of them, or did it rely on
 * stall counters alone? */
static void control_count_hazard(struct sm_view *v, u32 context, const struct inst *in)
{
	const struct inflight *f = control_inflight(v, context);
	u64 counted[HAZARD_WORDS] = {0};
	for (u32 i = 0; i < v->dependence[context].writes; i++)
		if (f[i].lanes & v->env.active && f[i].counter < CONTROL_COUNTERS)
			inst_written(&view_kernel(v, context)->inst[f[i].pc], counted);
	v->sm->stat[STAT_CONTROL_HAZARDS]++;
	v->sm->stat[STAT_CONTROL_HAZARDS_STALL] += !hazards_meet(counted, in->hazard);
}

void control_issue(struct sm_view *v, u32 context, u32 pc, const struct inst *in)
{
	struct dependence *d = &v->dependence[context];
	u64 pending[HAZARD_WORDS];
	control_pending(v, context, v->env.active, pending);
	if (hazards_meet(pending, in->hazard))
		control_count_hazard(v, context, in);
	if (d->could && d->ready > d->could) {
		v->sm->stat[STAT_CONTROL_LATE]++;
		v->sm->stat[STAT_CONTROL_LATE_CYCLES] += d->ready - d->could;
	}
	d->could = d->ready = 0;
	d->fresh = 0;
	d->from = view_cycle(v) + control_stall(control_of(v, context, pc));
	if (__builtin_expect(v->const_seen && in->class == CLASS_CONST && !inst_writes(in), 0)) /* ULDC */
		d->from = max_u64(d->from, view_cycle(v) + constants_wait(v, context, pc));
}

/* A counter of a warp rises. */
static void control_raise(struct dependence *d, u32 counter)
{
	if (counter >= CONTROL_COUNTERS)
		return;
	d->count[counter]++;
	d->fresh |= (u8)(1u << counter);
}

void control_writes(struct sm_view *v, u32 context, u32 pc, u32 lanes)
{
	struct dependence *d = &v->dependence[context];
	const struct inst *in = &view_kernel(v, context)->inst[pc];
	u32 counter = control_of(v, context, pc)->write;
	if (!inst_writes(in) || d->writes == INFLIGHT_WRITES)
		return;
	control_inflight(v, context)[d->writes++] =
		(struct inflight){.pc = pc, .lanes = lanes, .issued_at = view_cycle(v), .counter = counter};
	control_raise(d, counter);
}

u32 control_reads(struct sm_view *v, u32 context, u32 pc)
{
	u32 counter = control_of(v, context, pc)->read;
	control_raise(&v->dependence[context], counter);
	return counter < CONTROL_COUNTERS ? counter + 1 : 0;
}

/* A counter of a warp falls: it may go on. */
static void control_lower(struct sm_view *v, u32 context, u32 counter)
{
	struct dependence *d = &v->dependence[context];
	if (counter >= CONTROL_COUNTERS)
		return;
	INVARIANT(d->count[counter]);
	if (!--d->count[counter])
		d->fresh &= (u8) ~(1u << counter);
}

void control_read(struct sm_view *v, u32 context, u32 counter)
{
	control_lower(v, context, counter - 1);
	if (v->warp[context].slot != NONE16)
		slot_woken(v, context);
}

void control_written(struct sm_view *v, u32 context, u32 pc)
{
	struct dependence *d = &v->dependence[context];
	struct inflight *f = control_inflight(v, context);
	u32 i = 0;
	while (i < d->writes && f[i].pc != pc)
		i++;
	if (i == d->writes)
		return;
	control_lower(v, context, (u32)f[i].counter);
	d->writes--;
	memmove(&f[i], &f[i + 1], (d->writes - i) * sizeof *f);
	f[d->writes] = (struct inflight){0};
	if (d->from == NEVER && !d->writes)
		d->from = view_cycle(v);
}

void control_drain(struct sm_view *v, u32 context)
{
	struct dependence *d = &v->dependence[context];
	if (v->warp[context].cta == NONE16 || !d->writes)
		return;
	d->from = NEVER;
	slot_eval(v, context);
}

void control_begin(struct sm_view *v, u32 context)
{
	v->dependence[context] = (struct dependence){0};
	memset(control_inflight(v, context), 0, INFLIGHT_WRITES * sizeof(struct inflight));
}

void control_freeze(struct sm_view *v, u32 context)
{
	struct dependence *d = &v->dependence[context];
	if (d->from == NEVER)
		return;
	d->from = max_u64(d->from, view_cycle(v)) + 1;
	v->sm->stat[STAT_CONTROL_FROZEN]++;
	slot_eval(v, context);
}

void control_tick(struct sm_view *v)
{
	u64 again[SLOT_WORDS] = {0}, left = 0;
	memcpy(again, sm_set(v, SET_STALL), v->m->words * sizeof *again);
	SET_EACH (slot, again, v->m->words)
		if (v->dependence[v->slot[slot].context].from <= view_cycle(v))
			slot_eval(v, v->slot[slot].context);
	for (u32 i = 0; i < v->m->words; i++)
		left |= sm_set(v, SET_STALL)[i];
	v->sleep->active |= left != 0;
}
