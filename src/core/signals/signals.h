/*
 * signals.h - how a part of the machine lets a later one know: events, notices to policies, sets of slots, results that
 * are due, copies under way, what launches come to. For src/core only.
 */
#ifndef WARPSTEP_SIGNALS_H
#define WARPSTEP_SIGNALS_H

#include "counters.h"
#include "events.h"
#include "state/view.h"

/* An event of a CTA of an SM. */
void emit_cta_record(struct sm_view *v, enum event_kind kind, u32 slot, u32 a, u32 b);
/* An event of a launch in an SM. */
void emit_launch(struct sm_view *v, enum event_kind kind, u32 launch, u32 a, u32 b);
/* A CTA came or went. */
void emit_cta(struct sm_view *v, enum event_kind kind, u32 slot);
/* Count an event of the GPU as a whole, and record it if some sink wants it. */
void gpu_emit(struct sim *s, enum event_kind kind, u32 launch, u32 a, u32 b);
void emit_record(struct sm_view *v, enum event_kind kind, u32 context, u32 pc, u64 address, u32 a, u32 b);
void emit_memory_record(struct sim *s, enum event_kind kind, u32 sm, u64 line, u32 a, u32 b);
void emit_record_late(struct sm_view *v, enum event_kind kind, u32 context, u32 generation, u32 pc, u64 address, u32 a,
		      u32 b);

/* Count an event of an SM, and record it if some sink wants it. context: NONE16 none. */
static inline void emit(struct sm_view *v, enum event_kind kind, u32 context, u32 pc, u64 address, u32 a, u32 b)
{
	v->sm->events[kind]++;
	if (__builtin_expect(v->sim->bus.want >> kind & 1, 0))
		emit_record(v, kind, context, pc, address, a, b);
}

/* The same for an L2 slice or a DRAM channel. sm: the one that asked, NONE16 none; line: line number x 16 + sectors, 0
 * none. */
static inline void memory_emit(struct sim *s, enum event_kind kind, u32 sm, u64 line, u32 a, u32 b)
{
	machine_gpu(s->m)->events[kind]++;
	if (__builtin_expect(s->bus.want >> kind & 1, 0))
		emit_memory_record(s, kind, sm, line, a, b);
}

/* The same for what may have outlived its CTA: then the record names no warp. */
static inline void emit_late(struct sm_view *v, enum event_kind kind, u32 context, u32 generation, u32 pc, u64 address,
			     u32 a, u32 b)
{
	v->sm->events[kind]++;
	if (__builtin_expect(v->sim->bus.want >> kind & 1, 0))
		emit_record_late(v, kind, context, generation, pc, address, a, b);
}

/* notices.c: notices for the policies that subscribe to them. Does any? (Notify only then.) */
static inline bool notice_subscribed(const struct sm_view *v, enum notice_kind kind)
{
	return __builtin_expect(v->m->policy_subscribed >> kind & 1, 0);
}
void notify(struct sm_view *v, const struct notice *n);
void notify_slots(struct sm_view *v,
		  u64 rows); /* policies that have just subscribed to NOTICE_SLOT: of every warp that has one */
/* The first cycle after the SM's in which a chosen scheme decides otherwise about it; it is to be visited in `cycle`,
 * whatever else. */
u64 policy_wake(const struct sm_view *v);
void sm_alarm(struct sm_view *v, u64 cycle);

/* slots.c: which sets a slot is in: what its warp waits for, whether it wants a fetch, both (a context that has a slot)
 */
void slot_eval(struct sm_view *v, u32 context);
void slot_want(struct sm_view *v, u32 context);
void slot_moved(struct sm_view *v, u32 context);
void slot_woken(struct sm_view *v, u32 context);   /* registers have been written: what waits for some may be ready */
void slot_decoded(struct sm_view *v, u32 context); /* more instructions are buffered */
/* A CTA without slots has one thing less that keeps it from being ready for some: is it now? */
void cta_ready(struct sm_view *v, u32 cta);

/* Instructions of a cycle among which a slice finds that of its mates. */
#define RESULTS_AT_ONCE 4
/* results.c: the wheel of results due, and loads in flight */
bool result_room(const struct sm_view *v);
bool results_room(const struct sm_view *v, u32 n); /* for n */
void results_come(struct sm_view *v);		   /* what is due in this cycle is done */
void result_due(struct sm_view *v, u64 delay, const struct result *r);
/* With warp.size below 32: an instruction of a context is done then, maybe with others of its warp. */
void result_due_slice(struct sm_view *v, u64 delay, const struct result *r);
/* The same for n slices of its parent warp, as `slices`. */
void result_due_slices(struct sm_view *v, u64 delay, const struct result *r, u32 slices, u32 n);
/* An instruction of a context is done then. */
static inline void value_due(struct sm_view *v, u64 delay, u32 context, u32 generation, u32 pc)
{
	struct result r = {.kind = RESULT_VALUE, .context = (u16)context, .generation = generation, .pc = pc};
	if (__builtin_expect(!v->m->parent_shift, 1))
		result_due(v, delay, &r);
	else
		result_due_slice(v, delay, &r);
}
/* A line of a load has come. load: its entry, and from bit 16 on the slices that want the line, if several share it. */
void load_arrived(struct sm_view *v, u32 load);
static inline u32 load_id(u32 load)
{
	return load & 0xffff;
}
/* The registers of a load are written, if its context is still there; a line write of a context that is. */
void load_answer(struct sm_view *v, u32 load);
void store_done(struct sm_view *v, u32 context);
void value_written(struct sm_view *v, u32 context, u32 pc); /* registers of another instruction */
void load_release(struct sm_view *v, u32 load);
/* The registers of the instruction of at_once.h are there from now on, if it has issued and waits for its result. */
void result_comes_early(struct sm_view *v);
/* The jumps of a context, for which entries are kept back, are forgotten: its CTA leaves or becomes inactive. How many
 * these were. */
u32 results_forget(struct sm_view *v, u32 context);
void warp_retired(struct sm_view *v, u32 context, u32 n); /* n instructions or writes of it are complete */
/* A load, or an atomic that wants an answer, takes long: the L1D has missed or refused a line of it. */
void load_missed(struct sm_view *v, u32 load);

/* An entry of the table of loads, which must have one, for an instruction that writes registers when so many lines
 * have come */
static inline u32 load_take(struct sm_view *v, u32 context, u32 pc, u32 lines)
{
	u16 at = v->sm->load_free;
	INVARIANT(at != NONE16);
	v->sm->load_free = v->load[at].next;
	v->load[at] = (struct load){.next = NONE16,
				    .context = (u16)context,
				    .generation = v->warp[context].generation,
				    .pc = pc,
				    .waiting = (u16)lines,
				    .issued_at = view_cycle(v)};
	return at;
}
/* n line writes of a context are to be sent and acknowledged. */
static inline void expect_stores(struct sm_view *v, u32 context, u32 n)
{
	struct warp *w = &v->warp[context];
	w->stores += n;
	w->inflight += n;
	v->cta[w->cta].inflight += n;
}

/* Has the table of loads n free entries? */
static inline bool loads_left(const struct sm_view *v, u32 n)
{
	u32 at = v->sm->load_free;
	for (; n && at != NONE16; n--)
		at = v->load[at].next;
	return !n;
}

/* copies.c: asynchronous copies to shared memory, in groups. Must an instruction on them wait; a copy that has an entry
 * of the table of loads begins, and is done; the open group is closed. */
bool copies_hold(const struct warp *w, const struct inst *in);
void copies_begin(struct sm_view *v, u32 context, u32 load);
void copies_done(struct sm_view *v, const struct load *l);
void copies_commit(struct sm_view *v, u32 context, u32 mask);

/* control.c, where v->control is not NULL: the control bits of an instruction of a context; the set of its slot, of
 * which a scoreboard says `board`; one issues; one will write registers in some lanes, and will read some (returns 1 +
 * the counter, 0 none); it has read them, it has written them; a warp begins; its stall counter stands still in this
 * cycle; stall counters fall, in front of the issue stage; registers of a context that results for some lanes are on
 * their way to (returns how many results) */
static inline const struct control *control_of(const struct sm_view *v, u32 context, u32 pc)
{
	return &v->control[v->sim->control_base[v->warp[context].launch] + pc];
}
enum slot_set control_classify(struct sm_view *v, u32 context, const struct inst *in, enum slot_set board);
void control_issue(struct sm_view *v, u32 context, u32 pc, const struct inst *in);
void control_writes(struct sm_view *v, u32 context, u32 pc, u32 lanes);
u32 control_reads(struct sm_view *v, u32 context, u32 pc);
void control_read(struct sm_view *v, u32 context, u32 counter);
void control_written(struct sm_view *v, u32 context, u32 pc);
void control_begin(struct sm_view *v, u32 context);
void control_freeze(struct sm_view *v, u32 context);
void control_drain(struct sm_view *v, u32 context); /* its warp waits until nothing of it is on its way */
void control_tick(struct sm_view *v);
u32 control_pending(const struct sm_view *v, u32 context, u32 lanes, u64 *pending);

/* readers.c (issue.readers): the instructions of a context that have still to read each register; the set of the slot
 * of a context, of which the scoreboard of writes says `board`; an instruction of a context has read its registers; one
 * of fixed latency will have in so many cycles; in every cycle, in front of the issue stage */
void readers_find(const struct sm_view *v, u32 context, u8 count[HAZARD_PRED]);
enum slot_set readers_classify(const struct sm_view *v, u32 context, const struct inst *in, enum slot_set board);
void readers_left(struct sm_view *v, u32 context);
void readers_allocated(struct sm_view *v, u32 sub, u32 context, u32 pc, u32 cycles);
void readers_tick(struct sm_view *v);

/* reading.c (issue.dependences control, issue.readers): is there room for what is due when an instruction leaves its
 * collector unit; one that may leave the memory queue in cycle `leaves` waits: has it read its registers? it leaves; it
 * has read them later */
bool reading_room(const struct sm_view *v, const struct collector *cu);
void reading_waits(struct sm_view *v, struct collector *cu, u64 leaves);
void reading_leaves(struct sm_view *v, const struct collector *cu);
void reading_comes(struct sm_view *v, const struct result *r);

/* kernels.c: what launches come to in each SM */
void kernel_started(struct sm_view *v, u32 launch);	       /* a CTA of it came */
void kernel_ended(struct sm_view *v, const struct cta *cta);   /* a CTA leaves at its end */
void kernel_left(struct sm_view *v, u32 launch, u64 wasted);   /* one leaves before; instructions of it that are lost */
void kernel_wasted(struct sm_view *v, u32 launch, u64 issued); /* the same of one that had left */
void kernel_slot(struct sm_view *v, u32 slot, u32 launch, bool has); /* a warp of it takes a slot, or leaves it */
void kernels_ready(struct sm_view *v, const u64 *ready,
		   u32 n); /* n slots of a scheduler in which these were ready, not none */
void kernels_ready_beside(struct sm_view *v, const u64 *ready, const u64 *counted); /* one, of those that are not
										       counted anyway */
void kernels_ready_asleep(struct sm_view *v,
			  u64 n);	       /* n slots of each scheduler of an SM that slept with ready warps */
void kernels_sync(struct sim *s);	       /* the sums over SMs, where they may have changed */
void kernel_settle(struct sim *s, u32 launch); /* a launch is done: its seat is free */

/* Cycles that are counted and whose sums are not yet. */
static inline u64 unsummed(const struct sm_view *v)
{
	return v->sleep->counted - v->sleep->summed;
}
/* One more MSHR is in use from now on, or one fewer. */
static inline void mshrs_more(struct sm_view *v)
{
	v->sm->mshrs_used++;
	v->sm->stat[STAT_L1D_MSHR_CYCLES] -= unsummed(v);
}
static inline void mshrs_less(struct sm_view *v)
{
	v->sm->mshrs_used--;
	v->sm->stat[STAT_L1D_MSHR_CYCLES] += unsummed(v);
}

#endif
