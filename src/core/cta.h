/*
 * cta.h - CTAs between the files that launch, dispatch, place and end them. For src/core only.
 */
#ifndef WARPSTEP_CTA_H
#define WARPSTEP_CTA_H

#include "core.h"

static inline struct launch_run *launch_runs(struct machine *m)
{
	return machine_gpu_section(m, SECTION_LAUNCH);
}
static inline struct agenda *launch_agenda(struct machine *m)
{
	return machine_gpu_section(m, SECTION_AGENDA);
}
/* launch_next(), which is asked in every cycle, where it is known. */
static inline u64 launch_soon(struct sim *s)
{
	u64 next = launch_agenda(s->m)->next;
	return next ? next : launch_next(s);
}
static inline struct turn *launch_turns(struct machine *m)
{
	return machine_gpu_section(m, SECTION_TURN);
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

/* agenda.c: a launch whose turn has come; one that is done; one that runs from now on; one that has stopped to run: it
 * is done, or comes again later. Has its turn come, and is it not done? */
void agenda_add(struct sim *s, u32 launch);
void agenda_remove(struct sim *s, u32 launch);
void agenda_run(struct sim *s, u32 launch);
void agenda_stop(struct sim *s, u32 launch);
bool agenda_has(struct sim *s, u32 launch);

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

/* leave.c: the finished CTAs of an SM leave it; those leave that were asked to; when a cycle begins, all of a launch
 * are killed, but those whose warps have ended, which go of themselves. */
void leave_finished(struct sm_view *v);
void leave_asked(struct sim *s);
void leave_all(struct sim *s, u32 launch);

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

/* park.c: CTAs that wait outside the SMs, by launch in the order in which they came. */
bool park_room(const struct sim *s, u32 taken); /* for one more beside `taken` others? */
void park_cta(struct sm_view *v, u32 slot, bool saved);
/* The CTA of a launch that has waited longest, NULL: none waits. It goes on in a slot, whose contexts are given by
 * warp; the place of one that is dispatched, or killed, is free again. */
struct parked *park_first(struct sim *s, u32 launch);
void park_resume(struct sm_view *v, u32 slot, const struct parked *p, const u16 *context);
void park_forget(struct sim *s, struct parked *p);
/* Warp instructions that a saved CTA had issued. */
u64 park_issued(const struct sim *s, const struct parked *p);

#endif
