/*
 * follow_watch.c - a fork runs cycle by cycle, and what the followed instruction does in each becomes its hops.
 *
 * Before its issue it is known by its number: the warp issues so many others first. It is in the instruction buffer as
 * long as it has the place there that its number gives it. A flushed CTA begins again, so the number stays true. After
 * its issue it is looked for where it can be: a collector unit, the LSU, what the LSU leaves behind; of instructions of
 * a warp at one PC the oldest dispatches, and is written, first.
 */
#include "events.h"
#include "follow_internal.h"
#include "ops.h"

#define WANTED \
	(EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_FETCH) | EVENT_BIT(EVENT_GRANT) | EVENT_BIT(EVENT_REUSE) | \
	 EVENT_BIT(EVENT_DISPATCH) | EVENT_BIT(EVENT_WRITEBACK) | EVENT_BIT(EVENT_SHARED) | EVENT_BIT(EVENT_L1D_HIT) | \
	 EVENT_BIT(EVENT_L1D_MISS) | EVENT_BIT(EVENT_L1D_MERGE) | EVENT_BIT(EVENT_CTA_START) | \
	 EVENT_BIT(EVENT_RESTORED) | EVENT_BIT(EVENT_FLUSHED) | EVENT_BIT(EVENT_SAVED) | EVENT_BIT(EVENT_KILLED))
#define AHEAD 50000 /* cycles that are looked at behind the present */

struct hop *follow_push(struct follow_watch *w, u64 from, enum hop_kind kind)
{
	struct follow *f = w->f;
	struct hop *last = f->hop && f->n ? &f->hop[f->n - 1] : NULL;

	if (last && last->from >= from)
		f->n--;
	else if (last)
		last->to = from;
	f->hop = array_grow(f->hop, f->n, sizeof(*f->hop));
	f->hop[f->n] = (struct hop){.from = from,
				    .to = NEVER,
				    .kind = (u8)kind,
				    .producer = NONE32,
				    .sm = (u16)w->sm,
				    .warp = (u16)w->warp,
				    .place = NONE16,
				    .bank = NONE16,
				    .mshr = NONE16};
	return &f->hop[f->n++];
}

/* The hop of now, if it is of a kind; else a new one. */
static struct hop *go_on(struct follow_watch *w, u64 from, enum hop_kind kind)
{
	struct follow *f = w->f;

	return f->n && f->hop[f->n - 1].kind == kind ? &f->hop[f->n - 1] : follow_push(w, from, kind);
}

/* Its way ends with the cycle before `to`. */
static void end(struct follow_watch *w, u64 to, enum follow_end how)
{
	if (w->f->n)
		w->f->hop[w->f->n - 1].to = to;
	w->f->end = (u8)how;
	w->over = true;
}

static const struct warp *warp_of(const struct follow_watch *w)
{
	return (const struct warp *)follow_section(w, SECTION_WARP) + w->warp;
}

static const struct inst *inst_of(const struct follow_watch *w, u32 pc)
{
	const struct kernel *k = w->session->program.launch[w->f->launch].kernel;

	return pc < k->ninst ? &k->inst[pc] : NULL;
}

/* Does an instruction end with a write-back? */
static bool writes_back(const struct inst *in, u32 class)
{
	if (class_table[class].unit == UNIT_NONE)
		return false;
	return (class != CLASS_STORE && class != CLASS_ATOMIC) || in->nwrite || in->write_pred[0] != 0xff ||
	       in->write_pred[1] != 0xff;
}

/* --- where its warp is --- */

/* The context of the warp on an SM, NONE32: its CTA is not there. */
static u32 find_context(const struct follow_watch *w, u32 sm)
{
	const struct warp *warp = machine_sm_section(w->fork.m, sm, SECTION_WARP);
	const struct cta *cta = machine_sm_section(w->fork.m, sm, SECTION_CTA);
	u32 slices = (1u << w->fork.m->parent_shift) - 1;

	for (u32 i = 0; i < w->fork.m->contexts; i++)
		if (warp[i].cta != NONE16 && warp[i].launch == w->f->launch && warp[i].index == w->f->index &&
		    cta[warp[i].cta].id == w->f->cta && ((i ^ w->f->warp) & slices) == 0)
			return i;
	return NONE32;
}

/* Look for it on all SMs. */
static void settle(struct follow_watch *w)
{
	for (u32 sm = 0; sm < w->fork.m->config.gpu_sms && !w->here; sm++) {
		u32 context = find_context(w, sm);

		if (context == NONE32)
			continue;
		w->here = true;
		w->sm = sm;
		w->warp = context;
		w->generation = warp_of(w)->generation;
		w->before = warp_of(w)->issued;
	}
}

/* By which kind of event its CTA leaves the SM in this cycle; 0: it has finished. */
static u8 left_by(const struct follow_watch *w)
{
	for (u32 i = 0; i < w->fork.bus.count; i++) {
		const struct record *r = &w->fork.bus.record[i];
		bool leaves = r->kind == EVENT_FLUSHED || r->kind == EVENT_SAVED || r->kind == EVENT_KILLED;

		if (leaves && r->sm == w->sm && r->cta == w->f->cta && r->launch == min_u32(w->f->launch, 0xff))
			return (u8)r->kind;
	}
	return 0;
}

/* What is known of it after its fetch is void. */
static void begin_again(struct follow_watch *w)
{
	w->buffered = w->dispatched = 0;
	w->issued = w->served = w->ready = w->fetch.known = w->fetch.missed = false;
	w->undispatched = w->unwritten = 0;
	w->f->issued = NEVER;
	w->f->ngrants = w->f->lines = w->f->hits = w->f->misses = w->f->merges = 0;
	follow_way_free(w);
}

/* Its CTA has left the SM. */
static void leave(struct follow_watch *w)
{
	bool issued = w->issued;

	w->here = false;
	w->left = left_by(w);
	if (issued)
		follow_way(w, false);
	if (w->f->n)
		follow_push(w, w->now, HOP_AWAY)->cause = w->left;
	if (w->left == EVENT_KILLED)
		end(w, w->now + 1, FOLLOW_KILLED);
	else if (!w->left || (issued && w->left == EVENT_SAVED))
		end(w, w->now + 1, w->left ? FOLLOW_SAVED : FOLLOW_NEVER);
	else
		begin_again(w);
}

/* --- before its issue --- */

/* A fetch of the warp. */
static void on_fetch(struct follow_watch *w, const struct record *r)
{
	bool again = w->fetch.missed && w->fetch.pc == r->pc;

	if (w->buffered || w->f->pc < r->pc || w->f->pc >= r->pc + r->a)
		return;
	w->fetch.from = again ? w->fetch.from : w->now;
	w->fetch.known = true;
	w->fetch.missed = !r->b;
	w->fetch.pc = r->pc;
	if (r->b)
		w->fetch.hit = w->now;
}

/* Is it in the instruction buffer at the end of this cycle? */
static bool in_buffer(const struct follow_watch *w)
{
	const struct warp *warp = warp_of(w);
	const struct slot *slot = follow_section(w, SECTION_SLOT);
	u32 place = w->f->ordinal - warp->issued;

	if (warp->slot == NONE16)
		return false;
	slot += warp->slot;
	return place < slot->buffered && slot->pc + place == w->f->pc;
}

/* Small warps that go on together have one buffer for all; then it counts that the warp has an instruction. */
static bool goes_with_others(const struct follow_watch *w)
{
	return w->fork.m->parent_shift && w->before == w->f->ordinal && warp_of(w)->slot != NONE16 &&
	       sim_warp_status(&w->fork, w->sm, w->warp) != WARP_FETCH;
}

/* It has come into the buffer. */
static void enter(struct follow_watch *w)
{
	struct hop *h;

	w->first = w->f->n;
	if (w->fetch.known) {
		bool missed = w->fetch.hit > w->fetch.from;

		h = follow_push(w, w->fetch.from, HOP_FETCH);
		h->outcome = missed ? HOP_MISSED : HOP_HIT;
		h->n = (u32)(w->fetch.hit - w->fetch.from);
	}
	if (!w->fetch.known || w->now > w->fetch.hit)
		follow_push(w, w->fetch.known ? w->fetch.hit + 1 : w->now, HOP_DECODE);
	w->buffered = w->now;
	w->fetch.known = w->fetch.missed = false;
}

/* It has gone from the buffer without having issued: its CTA was swapped out, or a jump was taken. */
static void lose(struct follow_watch *w)
{
	w->buffered = 0;
	if (warp_of(w)->slot == NONE16)
		follow_push(w, w->now, HOP_AWAY);
	else
		w->f->n = w->first;
}

/* Which registers of the scoreboard hold it, and who writes one of them. */
static void note_registers(const struct follow_watch *w, struct hop *h)
{
	const struct slot *slot = (struct slot *)follow_section(w, SECTION_SLOT) + warp_of(w)->slot;
	const u64 *pending = h->status == WARP_LONG ? slot->pending_long : slot->pending_short;
	const struct inst *in = inst_of(w, w->f->pc);
	u64 missing[HAZARD_WORDS], any = 0;

	for (u32 i = 0; i < HAZARD_WORDS; i++)
		any |= missing[i] = in ? pending[i] & in->hazard[i] : 0;
	if (!any && in && inst_copies(in) && h->status == WARP_LONG)
		SET_ADD(h->regs, HAZARD_COPIES);
	if (!any)
		return;
	memcpy(h->regs, missing, sizeof(h->regs));
	h->producer = w->writer[set_first(missing, HAZARD_WORDS)];
}

/* Which of the warp's counters hold it (issue.dependences control). */
static void note_counters(const struct follow_watch *w, struct hop *h)
{
	struct machine *m = w->fork.m;
	const struct dependence *d;
	const struct control *b;

	if (!m->config.issue_dependences)
		return;
	d = (struct dependence *)follow_section(w, SECTION_DEPENDENCE) + w->warp;
	b = (struct control *)machine_gpu_section(m, SECTION_CONTROL) + w->fork.control_base[w->f->launch] + w->f->pc;
	h->counters = 0;
	h->stalled = dependence_stalls(d, w->now);
	for (u32 i = 0; i < CONTROL_COUNTERS; i++)
		h->counters |= (u8)((b->wait >> i & 1 && d->count[i]) << i);
	if (h->stalled)
		h->producer = ((struct issued *)follow_section(w, SECTION_ISSUED) + w->warp)->pc;
}

/* A cycle in the buffer. */
static void wait(struct follow_watch *w)
{
	struct hop *h = w->f->n ? &w->f->hop[w->f->n - 1] : NULL;
	u32 status = sim_warp_status(&w->fork, w->sm, w->warp);

	if (w->before < w->f->ordinal) {
		h = go_on(w, w->now, HOP_BUFFER);
		h->n = max_u32(h->n, w->f->ordinal - w->before);
		return;
	}
	if (!h || h->kind != HOP_WAIT || (h->status != status && !(state_ready(status) && state_ready(h->status))))
		h = follow_push(w, w->now, HOP_WAIT);
	h->status = (u8)status;
	if (state_ready(status))
		h->spent[status - WARP_LSU]++;
	if ((status != WARP_LONG && status != WARP_SHORT) || warp_of(w)->slot == NONE16)
		return;
	note_registers(w, h);
	note_counters(w, h);
}

/* --- after its issue --- */

/* Its collector unit and what it carries, and the entry of the table of loads. */
static void find_parts(struct follow_watch *w)
{
	const struct machine *m = w->fork.m;
	const struct collector *c = follow_section(w, SECTION_COLLECTOR);
	const struct load *load = follow_section(w, SECTION_LOAD);
	const struct memop *op = follow_section(w, SECTION_MEMOP);
	u32 sub = w->warp % m->config.sm_subcores, n = m->config.sm_collectors;
	u64 used[LOAD_WORDS];

	w->collector = w->memop = w->load = NONE32;
	for (u32 i = sub * n; i < (sub + 1) * n; i++)
		if (c[i].context == w->warp && c[i].pc == w->f->pc && c[i].issued_at + 1 == w->now) {
			w->collector = i;
			w->ready = !c[i].need;
			w->memop = c[i].memory_op == NONE16 ? NONE32 : c[i].memory_op;
		}
	requests_loads(&w->fork, w->sm, used);
	SET_EACH (i, used, LOAD_WORDS)
		if (load[i].context == w->warp && load[i].pc == w->f->pc && load[i].issued_at + 1 == w->now)
			w->load = i;
	if (w->memop == NONE32 || class_table[w->class].unit != UNIT_LSU)
		return;
	w->class = op[w->memop].class;
	if (w->class == CLASS_SHLOAD || w->class == CLASS_SHSTORE)
		return;
	w->f->lines = op[w->memop].count;
	memcpy(w->line, op[w->memop].line, sizeof(w->line));
}

/* The hop behind the cycle of its issue. */
static void pass_on(struct follow_watch *w)
{
	const struct warp *warp = warp_of(w);
	bool sliced = w->fork.m->parent_shift != 0;

	if (w->collector != NONE32) {
		struct hop *h = follow_push(w, w->now + 1, w->ready ? HOP_UNIT : HOP_OPERANDS);

		h->place = (u16)(w->collector % w->fork.m->config.sm_collectors);
		h->status = (u8)machine_unit_kind(w->fork.m, class_table[w->class].unit);
	} else if (w->load != NONE32 && class_table[w->class].unit == UNIT_NONE) {
		follow_push(w, w->now + 1, HOP_STEP);
		w->dispatched = w->now;
		w->writes = true;
	} else if (warp->at_barrier && warp->barrier_pc == w->f->pc) {
		follow_push(w, w->now + 1, HOP_BARRIER);
	} else if (sliced && class_table[w->class].unit != UNIT_NONE) {
		follow_push(w, w->now + 1, HOP_OPERANDS)->status =
			(u8)machine_unit_kind(w->fork.m, class_table[w->class].unit);
	} else {
		w->f->written = w->now;
		end(w, w->now + 1, FOLLOW_WRITTEN);
	}
}

/* It issues in this cycle. */
static void issue(struct follow_watch *w, const struct record *r)
{
	struct hop *h = follow_push(w, w->now, HOP_ISSUE);

	w->issued = true;
	w->f->pc = r->pc;
	w->f->issued = w->now;
	w->f->lanes = h->n = r->a;
	w->class = r->b;
	w->writes = inst_of(w, r->pc) && writes_back(inst_of(w, r->pc), w->class);
	find_parts(w);
	pass_on(w);
}

/* The issues of the warp in this cycle: others are counted, its own is found. */
static void look_issues(struct follow_watch *w)
{
	u32 number = w->before;

	for (u32 i = 0; i < w->fork.bus.count && !w->issued; i++) {
		const struct record *r = &w->fork.bus.record[i];
		const struct inst *in = r->kind == EVENT_ISSUE ? inst_of(w, r->pc) : NULL;

		if (!in || r->sm != w->sm || r->warp != w->warp)
			continue;
		if (number++ == w->f->ordinal) {
			issue(w, r);
			continue;
		}
		w->undispatched += r->pc == w->f->pc && class_table[r->b].unit != UNIT_NONE;
		for (u32 k = 0; k < in->nwrite; k++)
			w->writer[in->write[k]] = r->pc;
		for (u32 k = 0; k < 2; k++)
			if (in->write_pred[k] != 0xff)
				w->writer[HAZARD_PRED + in->write_pred[k]] = r->pc;
	}
}

/* A cycle before its issue, its warp being on an SM. */
static void look_before(struct follow_watch *w)
{
	bool was = w->buffered != 0;

	for (u32 i = 0; i < w->fork.bus.count; i++) {
		const struct record *r = &w->fork.bus.record[i];

		if (r->kind == EVENT_FETCH && r->sm == w->sm && r->warp == w->warp)
			on_fetch(w, r);
		if (r->kind == EVENT_DISPATCH && follow_mine(w, r) && w->undispatched) {
			w->undispatched--;
			w->unwritten += writes_back(inst_of(w, r->pc), inst_of(w, r->pc)->class);
		}
		if (r->kind == EVENT_WRITEBACK && follow_mine(w, r) && w->unwritten)
			w->unwritten--;
	}
	look_issues(w);
	if (w->issued)
		return;
	if (!warp_of(w)->depth && warp_of(w)->issued <= w->f->ordinal) {
		end(w, w->now, FOLLOW_NEVER);
		return;
	}
	if (!in_buffer(w) && !goes_with_others(w)) {
		if (was)
			lose(w);
	} else if (was) {
		wait(w);
	} else if (in_buffer(w)) {
		enter(w);
	} else {
		w->first = w->f->n;
		w->buffered = w->now;
		wait(w);
	}
}

/* An operand has been read. */
static void on_grant(struct follow_watch *w, const struct record *r)
{
	struct follow *f = w->f;

	if (f->ngrants == FOLLOW_GRANTS || w->undispatched)
		return;
	f->grant[f->ngrants++] = (struct follow_grant){
		.cycle = w->now, .reg = (u16)r->b, .bank = (u16)r->a, .cached = r->kind == EVENT_REUSE};
}

/* A record of its PC while it is on its way. Of the same warp and PC the oldest comes first. */
static void on_record(struct follow_watch *w, const struct record *r)
{
	switch (r->kind) {
	case EVENT_GRANT:
	case EVENT_REUSE:
		if (!w->dispatched)
			on_grant(w, r);
		break;
	case EVENT_DISPATCH:
		if (w->undispatched) {
			w->undispatched--;
			w->unwritten += w->writes;
		} else if (!w->dispatched) {
			w->dispatched = w->now;
			follow_push(w, w->now,
				    w->class == CLASS_CONST ? HOP_CONSTANTS
				    : r->a == UNIT_LSU	    ? HOP_LSU
							    : HOP_EXECUTE)
				->status = (u8)r->a;
		}
		break;
	case EVENT_WRITEBACK:
		if (w->unwritten)
			w->unwritten--;
		else if (w->dispatched)
			w->f->written = w->now;
		break;
	case EVENT_SHARED:
		w->banks = r->a;
		if (w->memop == NONE32 && w->dispatched && w->dispatched < w->now && !w->unwritten)
			follow_push(w, w->now, HOP_SHARED)->n = r->a;
		break;
	case EVENT_L1D_HIT: w->f->hits++; break;
	case EVENT_L1D_MISS: w->f->misses++; break;
	case EVENT_L1D_MERGE: w->f->merges++; break;
	default: break;
	}
}

/* Is the memory operation at some place of a queue? */
static u32 place_in(const struct follow_watch *w, enum section_id id, u32 head, u32 count, u32 size)
{
	const struct ring_slot *queue = follow_section(w, id);

	for (u32 i = 0; i < count; i++)
		if (queue[(head + i) % size].memop == w->memop)
			return i;
	return NONE32;
}

/* Where the LSU has it at the end of this cycle. */
static void look_lsu(struct follow_watch *w)
{
	const struct sm *sm = follow_section(w, SECTION_SM);
	const struct sleep *sleep = (struct sleep *)machine_gpu_section(w->fork.m, SECTION_SLEEP) + w->sm;
	u32 at = place_in(w, SECTION_LSUQ, sm->lsu_head, sm->lsu_count, w->fork.m->config.lsu_queue);
	struct hop *h;

	if (at == NONE32) {
		u32 aside = place_in(w, SECTION_REEXEC, 0, sm->reexec_count, NONE32);

		aside = aside == NONE32 ? place_in(w, SECTION_REEXEC_INACTIVE, 0, sm->reexec_inactive, NONE32) : aside;
		w->served = aside == NONE32;
		if (!w->served)
			go_on(w, w->now, HOP_REEXEC);
		else if (w->class == CLASS_SHLOAD || w->class == CLASS_SHSTORE)
			follow_push(w, w->now, HOP_SHARED)->n = w->banks;
		return;
	}
	if (at) {
		h = go_on(w, w->now, HOP_QUEUE);
		h->n = max_u32(h->n, at);
		return;
	}
	h = go_on(w, w->now, HOP_LSU);
	if (!sleep->refused)
		return;
	h->cause = (u8)sleep->refusal;
	h->n++;
}

/* A load of constants has missed: it has an entry of the table of loads now. */
static void look_constants(struct follow_watch *w)
{
	const struct load *load = follow_section(w, SECTION_LOAD);
	u64 used[LOAD_WORDS];

	requests_loads(&w->fork, w->sm, used);
	SET_EACH (i, used, LOAD_WORDS)
		if (load[i].context == w->warp && load[i].pc == w->f->pc && load[i].quick == LOAD_QUICK &&
		    load[i].issued_at + 1 == w->f->issued)
			w->load = i;
}

/* All has come. */
static void finish(struct follow_watch *w, enum follow_end how)
{
	w->f->written = w->now;
	follow_way(w, true);
	if (w->writes || how == FOLLOW_ACKED)
		follow_push(w, w->now, w->writes ? HOP_WRITE : HOP_ACK)->n = w->f->lines;
	end(w, w->now + 1, how);
}

/* The collector unit at the end of a cycle in which it is not dispatched. */
static void look_collector(struct follow_watch *w)
{
	const struct collector *c = follow_section(w, SECTION_COLLECTOR);

	if (w->collector == NONE32 || w->ready || c[w->collector].need)
		return;
	w->ready = true;
	struct hop *h = follow_push(w, w->now + 1, HOP_UNIT);
	h->place = (u16)(w->collector % w->fork.m->config.sm_collectors);
	h->status = (u8)machine_unit_kind(w->fork.m, class_table[w->class].unit);
}

static void take_records(struct follow_watch *w)
{
	for (u32 i = 0; i < w->fork.bus.count; i++)
		if (follow_mine(w, &w->fork.bus.record[i]))
			on_record(w, &w->fork.bus.record[i]);
}

/* Its CTA leaves in this cycle: has it been written before, or acknowledged, as it must be where the CTA finishes? */
static void look_last(struct follow_watch *w)
{
	if (left_by(w) || !w->issued)
		return;
	take_records(w);
	if (w->f->written != NEVER || (w->dispatched && !w->writes))
		finish(w, w->writes || !w->nitems ? FOLLOW_WRITTEN : FOLLOW_ACKED);
}

/* Has the warp left the barrier? It may have arrived at the next one in the same cycle. */
static bool passed_barrier(const struct follow_watch *w)
{
	const struct warp *warp = warp_of(w);

	return !warp->at_barrier || warp->issued > w->f->ordinal + 1;
}

/* A cycle after its issue. */
static void look_after(struct follow_watch *w)
{
	bool store = w->class == CLASS_STORE || w->class == CLASS_ATOMIC, lsu = class_table[w->class].unit == UNIT_LSU;

	take_records(w);
	if (w->f->hop[w->f->n - 1].kind == HOP_BARRIER && passed_barrier(w)) {
		w->f->written = w->now;
		end(w, w->now, FOLLOW_WRITTEN);
		return;
	}
	if (w->f->written != NEVER) {
		finish(w, FOLLOW_WRITTEN);
		return;
	}
	if (!w->dispatched) {
		look_collector(w);
		return;
	}
	if (w->class == CLASS_CONST && w->load == NONE32)
		look_constants(w);
	if (lsu && w->memop != NONE32 && !w->served)
		look_lsu(w);
	if (w->load != NONE32)
		follow_load_look(w);
	else if (store && !w->writes && w->memop == NONE32)
		finish(w, FOLLOW_WRITTEN);
	else if (store && !w->writes && !follow_store_look(w) && w->served)
		finish(w, w->nitems ? FOLLOW_ACKED : FOLLOW_WRITTEN);
}

/* --- the run --- */

/* A cycle. */
static void look(struct follow_watch *w)
{
	const struct warp *warp = warp_of(w);

	if (w->here && (warp->cta == NONE16 || warp->generation != w->generation)) {
		look_last(w);
		if (!w->over)
			leave(w);
	}
	if (w->over)
		return;
	if (!w->here) {
		settle(w); /* its CTA comes at the end of a cycle: the records are of others */
		return;
	}
	if (w->issued)
		look_after(w);
	else if (w->before <= w->f->ordinal)
		look_before(w);
	w->before = warp_of(w)->issued;
}

void follow_live(struct follow_watch *w, u64 from)
{
	const struct session *s = w->session;
	struct follow *f = w->f;
	u64 last = max_u64(f->chosen, timeline_now(s->timeline).cycle) + AHEAD;

	timeline_fork(s->timeline, (struct position){from, 0}, &w->fork, &w->applied);
	w->fork.bus.want = WANTED;
	memset(w->writer, 0xff, sizeof(w->writer));
	w->sm = f->sm;
	w->warp = f->warp;
	f->issued = f->written = NEVER;
	w->now = sim_clock(&w->fork);
	settle(w);
	while (!w->over && w->now < last && !sim_finished(&w->fork) && !timeline_interrupt) {
		timeline_follow(s->timeline, &w->fork, &w->applied, (struct position){w->now + 1, 0});
		if (sim_clock(&w->fork) != w->now + 1)
			break;
		w->now++;
		look(w);
	}
	f->until = w->now;
	if (w->over)
		return;
	f->end = sim_finished(&w->fork) ? FOLLOW_NEVER : FOLLOW_UNKNOWN;
	if (w->issued)
		follow_way(w, false);
}
