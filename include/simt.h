/*
 * simt.h - the SIMT stack of one warp: immediate post-dominator reconvergence, and paths that are put aside.
 *
 * Entries from the bottom: {pc, reconverge, mask}. The top runs. A divergent branch turns the top into the
 * reconvergence entry (unless it reconverges where the top already does, in which case the lanes that jump
 * there simply leave) and pushes the other side(s), the taken one on top last so it runs first (BRA_FALL_FIRST: the
 * other; with most_first the one that has more lanes, if it is BRA_EITHER). Source: Fung et al., MICRO 2007; most
 * lanes first: Shoushtary et al., arXiv 2407.02944, section VII-C.
 *
 * Where lanes go their own ways (launch.apart) the entries are a tree: the parent of an entry is the nearest one below
 * whose mask has its lanes. An entry without children is a path; the others are joins, where lanes wait for those of
 * the paths above. Any path may be lifted to the top and run, and the lanes that wait at a join may go on without the
 * others, as a path of their own that joins them further out. So no lane must wait for another for good. Masks that
 * exist at a time are of one family: disjoint or one within the other, strictly, as they were when made; so there are
 * at most 63, and SIMT_DEPTH entries always suffice. PTX ISA 8.x, sections 3.1 and 9.7.13, says what must not wait.
 */
#ifndef WARPSTEP_SIMT_H
#define WARPSTEP_SIMT_H

#include "kernel.h"

#define SIMT_DEPTH 64

struct simt_entry {
	u32 pc;		/* next instruction of these lanes (index) */
	u32 reconverge; /* index at which they join the entry below; kernel.ninst: only at exit */
	u32 mask;
};

/* A warp that starts: mask at instruction 0; returns the depth, 1. */
u32 simt_start(struct simt_entry *stack, u32 ninst, u32 mask);
/* The top has executed `in` at index pc: exited lanes leave every entry, taken lanes go to in->target, the others
 * to pc + 1; finished and reconverged entries are popped. Returns the new depth; 0 = the warp has ended. */
u32 simt_advance(struct simt_entry *stack, u32 depth, const struct inst *in, u32 pc, u32 taken, u32 exited,
		 bool most_first);
/* Finished and reconverged entries leave the top. */
u32 simt_pop(const struct simt_entry *stack, u32 depth);
/* Lanes of the warp that have not exited. */
static inline u32 simt_live(const struct simt_entry *stack, u32 depth)
{
	return depth ? stack[0].mask : 0;
}
/* Lanes that a barrier reached by `mask` misses: those that have not exited, but for the ones whose next instruction is
 * to exit. */
u32 simt_missing(const struct simt_entry *stack, u32 depth, const struct inst *code, u32 ninst, u32 mask);

/* --- paths --- */
struct paths {
	struct simt_entry *stack;
	u32 depth;
	u32 waits; /* lanes that wait in an instruction of their paths until others come (meet.h); of a path all or none
		    */
	u32 ninst;
	const struct inst *code;
};

/* Is entry i a path? */
bool paths_is_path(const struct paths *p, u32 i);
/* What the lanes of entry i do: they `run`, `wait` in an instruction for others, run `later`, or wait where others
 * `join` them. */
const char *paths_they(const struct paths *p, u32 i);
/* Of entry i, the lanes that wait at its pc for those of paths above. */
u32 paths_joined(const struct paths *p, u32 i);
/* Entry i leaves the stack, and what stands above moves down. */
void paths_remove(struct paths *p, u32 i);
/* Paths that stand where the top does, within the same join, become part of it. */
void paths_merge(struct paths *p);
/* The top cannot go on: another path that can gets there, if possible with lanes of `wanted`; else lanes leave the join
 * at which they wait; else a path that stands at a barrier. False: nobody can go on. A top that can go on stays. */
bool paths_choose(struct paths *p, u32 wanted);
/* The top stands at a barrier which others have not reached: one that can go on gets there; false: none can. */
bool paths_defer(struct paths *p);
/* None can, but some wait for lanes of other warps: one of them gets to the top; false: none waits. */
bool paths_wait(struct paths *p);
/* The top has waited for somebody's write for too long: is there another path that can go on, or are there lanes at a
 * join that may write? */
bool paths_may_turn(const struct paths *p);
/* Those have their turn, the path that had its own longest ago; lanes of a join first if `joins`. */
void paths_turn(struct paths *p, bool joins);

#endif
