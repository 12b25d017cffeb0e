/*
 * perform.h - the chosen instruction of a context issues: it is performed, and its registers, lanes and operands
 * follow.
 */
#ifndef WARPSTEP_PERFORM_H
#define WARPSTEP_PERFORM_H

#include "operands/operands.h"

/* Issue the first buffered instruction of a context. */
void perform(struct sm_view *v, u32 context);
/* Slices of a parent warp issue an instruction between lanes as one: `lanes` are those with which they do, of `live` of
 * their warp. False: other lanes are needed, nothing is done. */
bool perform_union(struct sm_view *v, u32 first, u32 mask, const struct inst *in, u32 lanes, u32 live);
/* --- its parts --- */
/* Count an issue for the SM, its warp and its launch; mask: lanes. */
void perform_count(struct sm_view *v, u32 context, u32 pc, const struct inst *in, u32 mask);
/* Follow an instruction that passes through a collector unit. */
void perform_follow(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r);
/* What the front end needs to perform an instruction of a context, v->env. */
void perform_environment(struct sm_view *v, u32 context, const struct inst *in);
/* What follows from an instruction that has been performed and has written no global memory of its own. */
void perform_issued(struct sm_view *v, u32 context, u32 pc, const struct inst *in, struct front_result *r);
/* It takes a free collector unit of the context's sub-core, which asks the banks for operands. */
void perform_collect(struct sm_view *v, u32 context, u32 pc, const struct inst *in, u32 memop);
/* A memory operation for lines of the constant cache, of which it has none yet. */
u32 perform_constants(struct sm_view *v);
/* The memory operation of an instruction, NONE16: it has none. */
u32 perform_memop(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r);
/* Count a branch that has been performed. */
void perform_branch(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r);
/* Move a warp past an instruction: SIMT stack, instruction buffer. */
void perform_advance(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r);
/* Global writes of the SM from number `writes` on are those of an instruction that has been performed. */
void perform_wrote(struct sm_view *v, u32 pc, u32 writes);
/* The first fault of a cycle in SM order stops the program. */
void perform_fault(struct sm_view *v, u32 context, u32 pc, const struct front_result *r);
/* paths.c: an instruction with .meet issues, for which v->env is there; false: it is like any other. */
bool paths_meet(struct sm_view *v, u32 context, u32 pc, const struct inst *in);
/* Behind the issue stage: slots for whose registers a meeting in it owes results wait for these from the next cycle on.
 */
void paths_settle(struct sm_view *v);
/* A part of a warp stands at a barrier of its CTA: true, others have their turn. */
bool paths_defer_barrier(struct sm_view *v, u32 context);
/* The stack has moved past an instruction, from a depth of `before`, while lanes wait or others may have a turn. */
void paths_moved(struct sm_view *v, u32 context, const struct inst *in, const struct front_result *r, u32 before);
/* Lanes of a slice have ended: other slices of its warp may wait for them no more. */
void paths_left(struct sm_view *v, u32 context);

/* The next instruction of a warp is not the one that follows: empty its instruction buffer, fetch at the new place. */
void warp_jump(struct sm_view *v, u32 context, u32 pc, u32 delay);
/* A warp has nothing more to do; its last instruction was at pc. */
void warp_ended(struct sm_view *v, u32 context, u32 pc);

/* The arguments of a launch, with the host loop's iteration filled in once per iteration. */
const u8 *launch_arguments(struct sim *s, u32 launch);

/* trips.c: the instructions that trip are found, where CTAs may leave before their end; a warp that writes global
 * memory, or begins its loop again, may trip its CTA (preempt.ctas is not 0) */
void trips_open(struct sim *s);
void trips_close(struct sim *s);
void cta_trip(struct sm_view *v, u32 context, u32 pc);
/* chimera.notice: a warp that is to issue an instruction that trips issues a store before it, which takes its place in
 * this cycle. True: it did. */
bool notice_issue(struct sm_view *v, u32 context, u32 pc);
/* Was one issued before the instruction that is being performed? Asked once. */
bool notice_take(struct sm_view *v, u32 context);

/* old_values.c (issue.dependences control): an instruction is performed on the values that it finds when it issues */
void old_values_issue(struct sm_view *v, u32 context, const struct inst *in, struct front_result *r);

/* steps.c: a step of a synthetic kernel issues; those whose dates have come are done, and the alarm is set again; those
 * of a context that have dates are done at once, or dropped, for its CTA leaves before its end */
u64 steps_behind(const struct sm_view *v, u32 launch, u32 id); /* cycles that a CTA has behind it when it comes */
void step_issue(struct sm_view *v, u32 context, u32 pc, const struct inst *in);
void steps_due(struct sm_view *v);
void steps_end(struct sm_view *v, u32 context);
void steps_forget(struct sm_view *v, u32 context);

/* barrier.c */
void barrier_arrive(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r);
void barrier_check(struct sm_view *v, u32 cta);
void barrier_leave_at(struct sm_view *v, u32 context, u64 cycle); /* its barrier is complete: it goes on then */
void barrier_due(struct sm_view *v);				  /* release_at has come */
void barrier_forget(struct sm_view *v, u32 context);		  /* its CTA leaves */

#endif
