/*
 * lsu.h - the memory side of an SM: LSU, L1D, constant cache, line accesses. For src/core only.
 */
#ifndef WARPSTEP_LSU_H
#define WARPSTEP_LSU_H

#include "signals/signals.h"

/* memop.past: what a load is that is not looked up in the L1D as others are. */
enum memop_past { PAST_NOT, PAST_L1D, PAST_FETCH };

/* Why the L1D did not take an access. */
enum refusal {
	REFUSED_MSHRS = 1,
	REFUSED_MERGES,
	REFUSED_INTERCONNECT,
	REFUSED_SET,
	REFUSED_QUEUE,
	REFUSED_RESULTS,
	REFUSED_POLICY
};
/* lsu.c: one cycle of shared memory for the head; its next line accesses, one a try, until it is refused (why), done or
 * out of tries; the head leaves the queue; a memory operation all of whose lines are made */
void lsu_shared(struct sm_view *v, const struct memop *op);
enum refusal lsu_access(struct sm_view *v, struct memop *op, u32 *tries);
u16 lsu_pop(struct sm_view *v);
void lsu_finish(struct sm_view *v, u16 memop);
void lsu_done(struct sm_view *v);		  /* the same of the head; the next begins when lsu.interval is over */
void memop_release(struct sm_view *v, u32 memop); /* it is free; with warp.size below 32 nothing of it stays */
/* reexec.c: stage execute of an LSU that has a re-execution queue; a CTA has given its slots away, and there is room
 * for what it has there among that of inactive CTAs (cta_may_go()) */
void sm_reexecute(struct sm_view *v);
void reexec_leave(struct sm_view *v, u32 cta);
void sm_execute(struct sm_view *v); /* its stage */

/* l1d.c */
enum refusal l1d_load(struct sm_view *v, u64 line, u32 load);
enum refusal l1d_fill(struct sm_view *v, const struct packet *p);
enum refusal l1d_texel(struct sm_view *v, u64 line, u32 load); /* the same of a texture fetch, counted as such */
enum refusal l1d_past(struct sm_view *v, u64 line, u32 load);  /* a load goes past it: straight to the L2, no MSHR */
void l1d_store(struct sm_view *v, u64 line); /* a store leaves: what becomes of the sectors that are present */
void l1d_refused(struct sm_view *v, const struct memop *op, u64 line, enum refusal why); /* count it, tell it */
void l1d_refused_again(struct sm_view *v,
		       u64 cycles); /* count that for each cycle that the SM slept while the LSU was refused */
/* Request into the crossbar; false: no room. departed: of a write, by which its context knows the acknowledgement. */
bool port_send_for(struct sm_view *v, u64 line, u32 tag, u32 kind, u32 departed);
static inline bool port_send(struct sm_view *v, u64 line, u32 tag, u32 kind)
{
	return port_send_for(v, line, tag, kind, 0);
}
void l1d_flush(struct sm_view *v);
/* l1d_tags.c: the place of a line (number + 1), NULL: none; one to give it, NULL: all are reserved; give and take it */
struct tag *l1d_find(const struct sm_view *v, u64 key);
struct tag *l1d_victim(const struct sm_view *v, u64 key);
void l1d_place(struct sm_view *v, struct tag *t, u64 key);
void l1d_empty(struct sm_view *v, struct tag *t);
void l1d_use(struct sm_view *v, struct tag *t);
void l1d_share(struct sm_view *v, u32 shared); /* bytes of shared memory in use make way for or room in the L1D */

/* const.c: the lines of an instruction come to those that its operation has; its access when it leaves its collector
 * unit, or when that of a gang leaves all of theirs, false: not taken; an answer; a kernel's end */
void const_lines(struct sm_view *v, u32 context, const struct inst *in, const struct front_result *r, struct memop *op);
bool const_access(struct sm_view *v, const struct collector *cu);
bool const_access_shared(struct sm_view *v, u32 memop);
/* Do slices share an operation for constants? */
static inline bool const_shared(const struct sm_view *v, const struct memop *op)
{
	u32 any = 0;
	for (u32 k = 0; v->m->parent_shift && k < MAX_SUBCORES; k++)
		any |= op->collector[k];
	return any != 0;
}
void const_fill(struct sm_view *v, const struct packet *p);
void const_flush(struct sm_view *v);

/* coalesce.c: addresses of a warp into line accesses; shared addresses into bank cycles */
u32 coalesce(const struct machine *m, const struct front_result *r, u32 bytes, u64 *line);
/* The same; share: of each line, a bit set of the slices with lanes that want it, `lanes` lanes each. */
u32 coalesce_shared(const struct machine *m, const struct front_result *r, u32 bytes, u32 lanes, u64 *line, u8 *share);
u32 shared_degree(const struct machine *m, const struct front_result *r, u32 bytes);
/* Cycles that lanes of an atomic on shared memory take beside, which meet at one address (shared.atomic). */
u32 shared_turns(const struct config *c, const struct inst *in, const struct front_result *r);
/* Cycles until the result of an access that keeps the banks busy for so many is there. */
u32 shared_delay(const struct config *c, const struct memop *op, u32 cycles);
/* The same as coalesce() of an atomic whose lanes at one address have line accesses of their own: the first of each,
 * the second ... (lsu.atomic_split); at most one for each lane. */
u32 coalesce_atomic(const struct machine *m, const struct front_result *r, u64 *line);
/* Of each line access of an atomic, the most lanes that meet at one address, but the first. */
void atomic_meets(const struct machine *m, const struct front_result *r, u32 n, const u64 *line, u8 *meets);
/* Line accesses as accesses of one sector each, the last first (l1d.sectors): how many. */
u32 coalesce_sectors(u64 *line, u32 n);
/* The texels of a fetch as line accesses; *cut: how many would have been more than MAX_TRANSACTIONS. */
u32 coalesce_texels(const struct machine *m, const struct texel_reads *reads, u64 *line, u32 *cut);
/* Accesses to local memory as line accesses; base: where the warp's frames lie. */
u32 coalesce_local(const struct machine *m, const struct front_result *r, u32 bytes, u64 base, u64 *line);

#endif
