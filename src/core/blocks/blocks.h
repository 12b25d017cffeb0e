/*
 * blocks.h - launches and their CTAs: they come, change places, give way, leave. For src/core only.
 */
#ifndef WARPSTEP_BLOCKS_H
#define WARPSTEP_BLOCKS_H

#include "fetch/fetch.h"
#include "issue/issue.h"

/* launch_next(), which is asked in every cycle, where it is known. */
static inline u64 launch_soon(struct sim *s)
{
	u64 next = launch_agenda(s->m)->next;
	return next ? next : launch_next(s);
}

/* launches.c: launches whose last CTA has left are over, or go round again. now: the first cycle that has not been
 * accounted for. */
void launches_end(struct sim *s, u64 now);

/* place.c: contexts for all warps of the CTA that `first` names (launch, cta), in warp order; with_slots: only where
 * there are slots for them, too. False if they do not fit. *deflected: those not where the policy wants them. */
bool place_cta(struct sm_view *v, const struct newcomer *first, bool with_slots, u16 *context, u32 *deflected);

/* territory.c: a register file or a shared memory, and the stretches of its owners: first, first + step, ... */
struct territory {
	struct ground ground;
	struct map_word *map;	 /* the ground's */
	struct stretch *stretch; /* by owner */
	u32 first, step, owners;
};
struct territory register_file(const struct sm_view *v, u32 sub);
struct territory shared_memory(const struct sm_view *v);
void stretch_take(const struct territory *t, u32 owner,
		  u32 amount); /* registers or bytes, whole units; there are as many free */
void stretch_give(const struct territory *t, u32 owner);
/* While a CTA is placed: where the allocation policy, if there is one, puts the registers of a context and the shared
 * memory of a resident. False: nowhere, and nothing is taken. Without a policy counts have decided, and nothing is
 * taken yet. */
bool settle_registers(struct sm_view *v, u32 launch, u32 context, u32 registers);
bool settle_shared(struct sm_view *v, u32 launch, u32 cta, u32 shared);
/* Data make way for `region` bytes at the high end of shared memory, which are free; false: what an allocation policy
 * has put there does not move. */
bool territory_confine(struct sm_view *v, u32 region);
/* It does not come after all. */
void unsettle(struct sm_view *v, const u16 *context, u32 n);
/* A CTA that has come has all its stretches from here on, one that goes gives them back. */
void territory_settle(struct sm_view *v, u32 cta);
void territory_leave(struct sm_view *v, u32 cta);
/* Registers and shared memory of an SM lie where they were laid, once: looked at when a cycle is sealed in which some
 * came or went. */
void territory_check(struct sm_view *v);

/* dispatch.c: every SM is offered one CTA. */
void dispatch_all(struct sim *s);

/* preempt.c: what becomes of CTAs that are more than the partition of an SM wants; asked anew of an SM, or of all that
 * hold any, which then stand at one cycle with their counters at `counted`. */
void preempt_again(struct sm_view *v, bool tell);
void preempt_all(struct sim *s, u64 counted);
/* launch_queue.c: a launch whose turn has come; one that is done; one that runs from now on; one that has stopped to
 * run: it is done, or comes again later. Has its turn come, and is it not done? */
void launch_queue_add(struct sim *s, u32 launch);
void launch_queue_remove(struct sim *s, u32 launch);
void launch_queue_run(struct sim *s, u32 launch);
void launch_queue_stop(struct sim *s, u32 launch);
bool launch_queue_has(struct sim *s, u32 launch);

/* streams.c: a launch has ended for the first time, or its stream has issued enough; its stream begins again, if it is
 * to, its last launch having ended; the next cycle in which one looks how far streams are, NEVER: none; that has come;
 * is everything over that counts, so that nothing begins any more? now: completed cycles. */
void launch_through(struct sim *s, u32 launch, u64 now);
void stream_again(struct sim *s, u32 launch);
u64 streams_next(const struct sim *s);
void streams_look(struct sim *s);
bool streams_over(const struct sim *s);
/* launches.c: a launch is over for good. */
void launch_done(struct sim *s, u32 launch, u64 now);

/* retire.c: the finished CTAs of an SM leave it; those leave that were asked to; when a cycle begins, all of a launch
 * are killed, but those whose warps have ended, which go of themselves. */
void retire_finished(struct sm_view *v);
void retire_asked(struct sim *s);
void retire_all(struct sim *s, u32 launch);

/* deadline.c: the next date of an instance that runs, NEVER: none; dates that have come, when a cycle begins; an
 * instance begins, and has ended. */
u64 deadline_next(const struct sim *s, u32 launch);
void deadlines_due(struct sim *s);
void deadline_begin(struct sim *s, u32 launch);
void deadline_end(struct sim *s, u32 launch, u64 now);
/* The CTA in a slot leaves, and all that it held is free. Before its end that is possible only when a cycle begins: no
 * write of it then waits for seal. What is under way is dropped where it comes back, line writes that the LSU has taken
 * go out. */
void cta_leave(struct sm_view *v, u32 slot, enum leaving how);

/* move.c: contexts take their time (chimera.switch). Does that of a CTA that is to be saved still keep it? Asked when a
 * cycle begins, from when it was asked to leave on. One that goes on has just been dispatched; one that has been is
 * looked at when gpu.moves_at has come. */
bool move_out(struct sm_view *v, u32 slot);
void move_in(struct sm_view *v, u32 slot);
void move_arrived(struct sm_view *v, u32 slot);
/* A CTA leaves, or is there: what is under way of its context is of no interest. */
void move_forget(struct sm_view *v, u32 slot);

/* ledger.c: what is written down of CTAs that are to make room (request NULL: one leaves by hand, or with its launch),
 * when they are asked, may stay, begin to move, leave, come back, are killed where they wait. They are those that have
 * a row (cta.row). */
void ledger_asked(struct sm_view *v, u32 slot, enum ledger_way way, const struct make_way *request);
void ledger_stays(struct sm_view *v, u32 slot);
void ledger_moves(struct sm_view *v, u32 slot, u64 from, u64 bytes);
void ledger_stood(struct sm_view *v, u64 number,
		  u64 cycles); /* while a context came back, for how long was not known */
void ledger_left(struct sm_view *v, u32 slot, enum leaving how);
void ledger_back(struct sm_view *v, u64 number);
void ledger_killed(struct sim *s, u64 number, u64 issued);
/* A launch has too many CTAs in an SM, of which so many are wanted: the request for that begins, if none goes on. So
 * many are there now: is the one that goes on over? */
void need_begins(struct sm_view *v, const struct make_way *request, u32 wanted);
void need_looks(struct sm_view *v, u32 launch, u32 resident, u32 wanted);
/* The policy partition has been told something, or a kernel began or ended: CTAs that each launch may have in an SM, if
 * these are others now. */
void shares_told(struct sm_view *v);

/* preempted.c: CTAs that wait outside the SMs, by launch in the order in which they came. */
bool preempted_room(const struct sim *s, u32 taken); /* for one more beside `taken` others? */
void preempted_cta(struct sm_view *v, u32 slot, bool saved);
/* The CTA of a launch that has waited longest, NULL: none waits. It goes on in a slot, whose contexts are given by
 * warp; the place of one that is dispatched, or killed, is free again. */
struct parked *preempted_first(struct sim *s, u32 launch);
void preempted_resume(struct sm_view *v, u32 slot, const struct parked *p, const u16 *context);
void preempted_forget(struct sim *s, struct parked *p);
/* Warp instructions that a saved CTA had issued. */
u64 preempted_issued(const struct sim *s, const struct parked *p);

/* marks.c: CTAs whose warps may not issue nor fetch; those that let others go first, as given, as policies say; a
 * context has taken a slot; a CTA leaves. All behind the issue stage, but cta_halt(), which may be asked when a cycle
 * begins, too: the SM's cycles up to it are counted. Who halts sets an alarm or another date: where nothing else can
 * happen there is a deadlock. */
void cta_halt(struct sm_view *v, u32 cta, bool on);
void ctas_pause(struct sm_view *v, u64 ctas, bool tell);
void ctas_pause_again(struct sm_view *v, bool tell);
void marks_take(struct sm_view *v, u32 context);
void marks_restored(struct sm_view *v, u32 cta); /* its context is there: nothing but a halt keeps it from issuing */
void marks_forget(struct sm_view *v, u32 cta);

/* bounds.c: what policies allow an SM: they are asked again; it is switched off or on as its CTAs go and come (its
 * cycles before are counted; tell: in a cycle). Limits are counted up to the beginning of cycle `upto`: before a limit
 * changes, a CTA comes or leaves before its end, a launch begins. */
void bounds_ask(struct sm_view *v, bool tell);
void bounds_switch(struct sm_view *v, bool tell);
void bounds_count(struct sim *s, u64 upto);

/* resident.c: contexts and slots */
void slots_left(struct sm_view *v, u32 *left); /* free slots of each sub-core */
void slot_take(struct sm_view *v,
	       u32 context); /* the lowest free slot of its sub-core; there is one, and no write is pending */
void slot_give(struct sm_view *v,
	       u32 context); /* it has one; what was fetched is lost, pending writes become a number */
void slot_unsee(struct sm_view *v,
		u32 slot); /* what the issue stage saw of a slot's former owner is not its new one's */
void context_aside(struct sm_view *v, u32 context,
		   bool aside); /* count it among the resident contexts without a slot, or no more */
/* CTAs that become active (scheduling limits allow it, it is ready) and inactive (it has warps that live, and there is
 * room for its context), behind the issue stage; one in the place of another (cta_swap_fits()) */
bool cta_fits_slots(struct sm_view *v, u32 cta);
void cta_activate(struct sm_view *v, u32 cta);
void cta_deactivate(struct sm_view *v, u32 cta);
void cta_swap(struct sm_view *v, u32 out, u32 in);

/* swap.c: a CTA has come inactive; inactive CTAs that are ready become active where there is room, the first that was
 * ready first; a CTA goes for good. */
void cta_comes_inactive(struct sm_view *v, u32 cta);
void slots_hand_on(struct sm_view *v);
void swap_forget(struct sm_view *v, u32 cta);

/* context.c: the region of shared memory that holds the contexts of inactive CTAs. With `more` of them than there are,
 * of at most `warps` warps, beside `shared` bytes more of data: is there room? It is made then. As it must be for the
 * CTAs that are there. */
bool region_grow(struct sm_view *v, u32 more, u32 warps, u32 shared);
void region_settle(struct sm_view *v);
/* Cycles of the port of shared memory that saving or restoring the context of a CTA takes. */
u32 context_cycles(const struct config *c, u32 warps);

/* retire.c: CTAs whose warps have all ended and of which nothing is in flight */
u64 cta_retirable(const struct sm_view *v);
/* dispatch.c: does a launch that runs wait for places? */
bool ctas_wait(struct sim *s);

/* launches.c: the launches at cycle 0 */
void launches_open(struct sim *s, const struct launch_plan *plan);

/* epoch.c: what schemes are told of the GPU */
void notify_kernel(struct sim *s, enum notice_kind kind, u32 launch, u64 counted);
void notify_gpu(struct sim *s, const struct notice *n,
		u64 counted); /* counters are first brought up to the beginning of cycle `counted` */
/* The next cycle at whose end a chosen scheme wants its epoch, NEVER: none. */
u64 policy_due(const struct sim *s);
static inline u64 policy_next(const struct sim *s)
{
	return __builtin_expect(s->m->policy_subscribers[NOTICE_EPOCH] != 0, 0) ? policy_due(s) : NEVER;
}

/* Stage swap: CTAs change places where some have no slots or wait for their contexts (swap.c); contexts go through the
 * L2 (move.c), and a line has been answered. */
void swap_go_on(struct sm_view *v);
void move_line(struct sm_view *v);
void move_answered(struct sm_view *v, const struct packet *p);
static inline void sm_swap(struct sm_view *v)
{
	if (__builtin_expect((v->sm->inactive | v->sm->restoring | v->sm->moving) != 0, 0))
		swap_go_on(v);
}

/* stages of the GPU */
void gpu_cta(struct sim *s);
void gpu_epoch(struct sim *s);

/* CTAs of an SM have come or left, or schemes know something new: those that pause others and make them leave are asked
 * again. The counters of the SM are up to date. tell: events say who is paused and who is not any more. */
static inline void ctas_changed(struct sm_view *v, bool tell)
{
	const struct machine *m = v->m;
	if (m->policy.in[POLICY_preempt] | v->sm->draining | v->sm->needs)
		preempt_again(v, tell);
	else if (m->policy.in[POLICY_cta_pause])
		ctas_pause_again(v, tell);
}

#endif
