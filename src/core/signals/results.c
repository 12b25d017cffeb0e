/*
 * results.c - what is due later in an SM: a wheel of results by cycle, and loads that wait for their lines.
 */
#include "signals/signals.h"
#include "at_once.h"
#include "banks.h"
#include "state/slices.h"

/* Are there entries for n more results? One for each context is kept back: a jump must always find its own. */
bool results_room(const struct sm_view *v, u32 n)
{
	return v->sm->results_used + v->m->contexts + n <= v->m->section[SECTION_RESULT].count;
}

bool result_room(const struct sm_view *v)
{
	return results_room(v, 1);
}

/* Put a result into the wheel, `delay` cycles from now (1 .. WHEEL_SIZE - 1). result_room() holds. */
void result_due(struct sm_view *v, u64 delay, const struct result *r)
{
	struct sm *sm = v->sm;
	u32 bucket = (u32)((view_cycle(v) + delay) % WHEEL_SIZE);
	u16 at = sm->result_free;
	INVARIANT(at != NONE16 && delay > 0 && delay < WHEEL_SIZE);
	sm->result_free = v->result[at].next;
	sm->results_used++;
	v->result[at] = *r;
	v->result[at].next = sm->wheel[bucket];
	sm->wheel[bucket] = at;
	SET_ADD(sm->due, bucket);
}

void result_due_slice(struct sm_view *v, u64 delay, const struct result *mine)
{
	result_due_slices(v, delay, mine, 1u << view_sub(v, mine->context), 1);
}

void result_due_slices(struct sm_view *v, u64 delay, const struct result *mine, u32 slices, u32 n)
{
	u32 bucket = (u32)((view_cycle(v) + delay) % WHEEL_SIZE), tries = RESULTS_AT_ONCE;
	struct result fresh = *mine;
	for (u32 at = v->sm->wheel[bucket]; at != NONE16 && tries; at = v->result[at].next, tries--) {
		struct result *r = &v->result[at];
		if (r->pc != mine->pc || r->kind != RESULT_VALUE || r->generation != mine->generation ||
		    context_parent(v->m, r->context) != context_parent(v->m, mine->context) || r->load & slices)
			continue;
		r->load |= (u16)slices;
		v->sm->results_used += n;
		return;
	}
	fresh.load = (u16)slices;
	result_due(v, delay, &fresh);
	v->sm->results_used += n - 1;
}

/* n instructions or writes of a context are complete. */
void warp_retired(struct sm_view *v, u32 context, u32 n)
{
	struct warp *w = &v->warp[context];
	INVARIANT(w->cta != NONE16 && w->inflight >= n && v->cta[w->cta].inflight >= n);
	w->inflight -= n;
	v->cta[w->cta].inflight -= n;
}

void store_done(struct sm_view *v, u32 context)
{
	struct warp *w = &v->warp[context];
	INVARIANT(w->stores > 0);
	w->stores--;
	warp_retired(v, context, 1);
	if (w->at_fence && !w->stores) {
		w->at_fence = 0;
		slot_eval(v, context);
	}
}

/* Clear the bits of what an instruction writes. */
static void results_release(u64 *pending, const struct inst *in)
{
	for (u32 i = 0; i < in->nwrite; i++)
		SET_DEL(pending, in->write[i]);
	for (u32 i = 0; i < 2; i++)
		if (in->write_pred[i] != 0xff)
			SET_DEL(pending, HAZARD_PRED + in->write_pred[i]);
}

/* The registers that an instruction writes take the ports of their banks (collector.writes), one arbitration each. */
static void results_hold_banks(struct sm_view *v, u32 context, const struct inst *in)
{
	const struct config *c = &v->m->config;
	struct bank *bank = v->part[view_sub(v, context)].bank;
	u64 now = view_cycle(v) * c->collector_passes;
	for (u32 i = 0; i < in->nwrite; i++) {
		struct bank *b = &bank[register_bank(c, context_parent(v->m, context), in->write[i])];
		b->written_until = max_u64(b->written_until, now) + 1;
	}
}

void load_missed(struct sm_view *v, u32 load)
{
	if (__builtin_expect(load >> 16, 0)) {
		v->slices->missed(v, load_id(load), load >> 16);
		return;
	}
	if (v->sleep->marked == load + 1)
		return;
	const struct load *l = &v->load[load];
	v->sleep->marked = load + 1;
	const struct warp *w = &v->warp[l->context];
	if (!view_current(v, l->context, l->generation) || w->slot == NONE16)
		return;
	inst_written(&view_kernel(v, l->context)->inst[l->pc], v->missed[w->slot].registers);
	if (l->group)
		SET_ADD(v->missed[w->slot].registers, HAZARD_COPIES);
	SET_ADD(v->sleep->missed, w->slot);
}

/* What an instruction writes is no longer waited for because of a load that missed. */
static void results_missed_comes(struct sm_view *v, u32 slot, const struct inst *in)
{
	u64 *left = v->missed[slot].registers, any = 0;
	results_release(left, in);
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		any |= left[i];
	if (!any)
		SET_DEL(v->sleep->missed, slot);
}

/* Registers of a context without a slot are written: with the last its CTA may be ready for slots. */
static void results_slotless_write(struct sm_view *v, u32 context, const struct inst *in)
{
	u64 written[HAZARD_WORDS] = {0};
	u32 n;
	struct warp *w = &v->warp[context];
	inst_written(in, written);
	n = hazards_count(written);
	INVARIANT(w->pending >= n);
	w->pending = (u16)(w->pending - n);
	v->cta[w->cta].pending = (u16)(v->cta[w->cta].pending - n);
	cta_ready(v, w->cta);
}

/* Are these the registers for which nothing has waited (at_once.h)? Of a warp's instructions at one PC without a load
 * the oldest is written first. */
static bool __attribute__((noinline)) results_came_at_once(const struct sm_view *v, u32 context, u32 pc)
{
	struct at_once *x = v->sim->at_once;
	if (!x->issued || x->written || x->sm != v->id || x->context != context || x->pc != pc)
		return false;
	x->written = x->load == NONE32 || x->answered;
	return x->written && x->early;
}

/* The registers of an instruction are written: the scoreboard lets its readers go. */
static void results_write_back(struct sm_view *v, u32 context, u32 pc, bool is_long)
{
	const struct warp *w = &v->warp[context];
	const struct inst *in = &view_kernel(v, context)->inst[pc];
	if (__builtin_expect(v->sim->at_once != NULL, 0) && results_came_at_once(v, context, pc))
		; /* and nothing was to be released */
	else if (__builtin_expect(w->slot == NONE16, 0))
		results_slotless_write(v, context, in);
	else
		results_release(is_long ? v->slot[w->slot].pending_long : v->slot[w->slot].pending_short, in);
	if (is_long && w->slot != NONE16 && SET_HAS(v->sleep->missed, w->slot))
		results_missed_comes(v, w->slot, in);
	v->sm->stat[STAT_RF_WRITES] += in->nwrite;
	if (v->m->config.collector_writes)
		results_hold_banks(v, context, in);
	emit(v, EVENT_WRITEBACK, context, pc, 0, in->nwrite ? in->write[0] : NONE32, 0);
	if (__builtin_expect(v->control != NULL, 0))
		control_written(v, context, pc);
	if (w->slot != NONE16)
		slot_woken(v, context);
	warp_retired(v, context, 1);
}

void result_comes_early(struct sm_view *v)
{
	struct at_once *x = v->sim->at_once;
	const struct warp *w = &v->warp[x->context];
	if (!x->issued || x->early || x->written || w->cta == NONE16 || w->slot == NONE16 || w->launch != x->launch ||
	    v->cta[w->cta].id != x->cta)
		return;
	struct slot *s = &v->slot[w->slot];
	x->early = true;
	results_release(x->is_long ? s->pending_long : s->pending_short, &view_kernel(v, x->context)->inst[x->pc]);
	slot_woken(v, x->context);
	v->sleep->until = min_u64(v->sleep->until, view_cycle(v));
}

void load_release(struct sm_view *v, u32 load)
{
	v->sm->dated -= v->load[load].quick == LOAD_DATED;
	v->load[load].context = NONE16;
	v->sleep->marked = 0;
	v->load[load].next = v->sm->load_free;
	v->sm->load_free = (u16)load;
}

void load_answer(struct sm_view *v, u32 load)
{
	const struct load *l = &v->load[load];
	if (sliced(v))
		v->slices->apart(v, l->context);
	if (!view_current(v, l->context, l->generation)) {
		v->sm->stat[STAT_STALE_LOADS]++;
		return;
	}
	if (l->group)
		copies_done(v, l);
	if (__builtin_expect(v->sim->at_once != NULL, 0) && v->sim->at_once->sm == v->id)
		v->sim->at_once->answered = v->sim->at_once->load == load;
	results_write_back(v, l->context, l->pc, l->quick != LOAD_QUICK);
	if (__builtin_expect(v->m->config.sm_atomic_wait, 0) &&
	    view_kernel(v, l->context)->inst[l->pc].class == CLASS_ATOMIC)
		store_done(v, l->context);
}

/* The texels of a fetch are there: its result comes from the texture units later (tex.latency); false: at once. */
static bool __attribute__((noinline)) results_filter(struct sm_view *v, u32 load)
{
	u32 latency = v->m->config.tex_latency;
	v->load[load].quick = LOAD_FILTER;
	if (!latency || !result_room(v))
		return false;
	v->load[load].waiting = 1;
	result_due(v, latency, &(struct result){.kind = RESULT_LINE, .load = (u16)load});
	return true;
}

/* A line of a load has arrived; with the last one its registers are written. */
void load_arrived(struct sm_view *v, u32 load)
{
	if (__builtin_expect(load >> 16, 0)) {
		v->slices->arrived(v, load_id(load), load >> 16);
		return;
	}
	struct load *l = &v->load[load];
	INVARIANT(l->context != NONE16 && l->waiting > 0);
	if (--l->waiting || __builtin_expect(l->quick == LOAD_FETCH && results_filter(v, load), 0))
		return;
	load_answer(v, load);
	load_release(v, load);
}

/* A fetch that waited for a jump may start. */
static void results_refetch(struct sm_view *v, const struct result *r)
{
	const struct warp *w = &v->warp[r->context];
	if (!view_current(v, r->context, r->generation) || w->slot == NONE16 || r->load != w->tenure || w->stuck)
		return;
	v->slot[w->slot].fetching = 0;
	slot_want(v, r->context);
}

void value_written(struct sm_view *v, u32 context, u32 pc)
{
	results_write_back(v, context, pc, false);
}

/* A result of a context is there; of an atomic on shared memory the warp may have waited for it. */
static inline void results_deliver_value(struct sm_view *v, const struct result *r)
{
	bool awaited = __builtin_expect(v->m->config.shared_atomic_wait, 0) &&
		       view_kernel(v, r->context)->inst[r->pc].op == OP_ATOM;
	results_write_back(v, r->context, r->pc, false);
	if (awaited)
		store_done(v, r->context);
}

/* One entry of the wheel. */
static void results_deliver(struct sm_view *v, const struct result *r)
{
	if (r->kind == RESULT_LINE)
		load_arrived(v, r->load | r->pc << 16);
	else if (r->kind == RESULT_REFETCH)
		results_refetch(v, r);
	else if (r->kind == RESULT_READ)
		reading_comes(v, r);
	else if (__builtin_expect(r->load, 0))
		v->slices->write_back(v, r);
	else if (view_current(v, r->context, r->generation))
		results_deliver_value(v, r);
	else
		v->sm->stat[STAT_STALE_RESULTS]++;
}

/* Take the jumps of a context out of one bucket of the wheel: how many. */
static u32 results_bucket_forget(struct sm_view *v, u32 bucket, u32 context)
{
	struct sm *sm = v->sm;
	u32 n = 0;
	for (u16 *link = &sm->wheel[bucket]; *link != NONE16;) {
		u16 at = *link;
		struct result *r = &v->result[at];
		if (r->kind != RESULT_REFETCH || r->context != context) {
			link = &r->next;
			continue;
		}
		*link = r->next;
		r->next = sm->result_free;
		sm->result_free = at;
		sm->results_used--;
		n++;
	}
	if (sm->wheel[bucket] == NONE16)
		SET_DEL(sm->due, bucket);
	return n;
}

u32 results_forget(struct sm_view *v, u32 context)
{
	u32 n = 0;
	SET_EACH (bucket, v->sm->due, WHEEL_WORDS)
		n += results_bucket_forget(v, bucket, context);
	return n;
}

/* What is due in this cycle comes. */
void results_come(struct sm_view *v)
{
	struct sm *sm = v->sm;
	u32 bucket = (u32)(view_cycle(v) % WHEEL_SIZE);
	if (!SET_HAS(sm->due, bucket))
		return;
	v->sleep->active = 1;
	u16 at = sm->wheel[bucket];
	sm->wheel[bucket] = NONE16;
	SET_DEL(sm->due, bucket);
	while (at != NONE16) {
		struct result r = v->result[at];
		v->result[at].next = sm->result_free;
		sm->result_free = at;
		sm->results_used--;
		at = r.next;
		results_deliver(v, &r);
	}
}
