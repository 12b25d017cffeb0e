/*
 * meet.h - lanes of a warp that wait for each other: shfl, vote, match, redux, bar.warp.sync, mma and their like.
 *
 * An instruction of this kind goes on for a lane as soon as all lanes of its member mask that have not ended stand in
 * one of the same kind and mode with the same mask, wherever in the program; then all of them exchange at once. A lane
 * whose mask is not complete waits; as long as it does, its path has nothing but lanes that wait for the same mask.
 * With .aligned all lanes of the warp must stand in the same instruction. The lanes of a warp may be spread over
 * several stacks (a home, machine.h): all of them are looked at. Source: PTX ISA 8.x, sections 9.7.9, 9.7.13
 * and 9.7.14.
 */
#ifndef WARPSTEP_MEET_H
#define WARPSTEP_MEET_H

#include "front.h"
#include "simt.h"

/* A path that goes on with others, not the one whose instruction issues. */
struct meet_part {
	u32 stack, entry; /* where it is */
	u32 mask;
	const struct inst *in;
};
struct meet {
	u32 here;  /* lanes with which the instruction issues */
	u32 go;	   /* lanes of all paths that are complete */
	u32 lacks; /* lanes for which the others of `here` wait */
	u32 members[WARP_LANES];
	u32 nparts;
	struct meet_part part[WARP_LANES];
};

/* Lanes that execute an instruction: active, and let through by its guard. */
u32 front_lanes(const struct front_env *env, const struct inst *in);
/* Of old GPUs, whose warps have one program counter: the lanes that a member mask names, that have not ended and that
 * do not execute with the others. live: those that have not ended. 0: all are here. */
u32 meet_absent(const struct front_env *env, const struct inst *in, u32 live);
/* Who goes on when the top of one of a warp's n stacks issues `in`. */
void meet_look(const struct front_env *env, const struct paths *home, u32 n, const struct inst *in, struct meet *m);
/* What they exchange: registers and predicates of all of m->go change. r->mask: those of `here`. */
void meet_exchange(struct front_env *env, const struct inst *in, const struct meet *m, struct front_result *r);
/* They are behind their instructions, which the top of stack `self` has at pc; the others of `here` wait. Whoever is on
 * top then may not be able to go on. */
void meet_advance(struct paths *home, u32 self, u32 pc, const struct meet *m);
/* Lanes have ended: a lane that waits and whose mask is complete without them, as its whole path in stack `self`; 0:
 * none. */
u32 meet_complete(const struct front_env *env, const struct paths *home, u32 n, u32 self);
/* The lanes for which entry i of stack `self`, which waits, does so. */
u32 meet_lacks(const struct front_env *env, const struct paths *home, u32 n, u32 self, u32 i);

/* --- a warp whose lanes go their own ways --- */
/* Why another path is on top. */
enum apart_why {
	APART_SAME,    /* it is not, or for a reason that needs no name: the one before has ended or joined */
	APART_MEETING, /* the one before waits for lanes that are elsewhere */
	APART_BARRIER, /* it stands at a barrier of the CTA that others have not reached */
	APART_SPUN     /* it has gone round for launch.patience times, asking for what others may write */
};
struct apart {
	struct paths *home; /* the stacks of the warp */
	u32 n, self;	    /* how many; the one that runs */
	u32 spins;	    /* branches back over reads since it or another had its turn */
	bool joins;	    /* in the next turn lanes of a join go first */
	bool stuck;	    /* nobody can go on: every path of home[self] waits */
	enum apart_why why;
};
/* Do lanes of a launch go their own ways? Those of n stacks always do, if what is executed says who waits for whom. */
static inline bool apart_launch(const struct launch *l, u32 n)
{
	return l->apart || (n > 1 && l->kernel->front == FRONT_PTX);
}
/* Must an instruction with .meet be looked at: could lanes be missing? */
static inline bool apart_asks(const struct inst *in, u32 depth, u32 n)
{
	return depth > 1 || in->guard.kind != OPERAND_NONE || n > 1;
}
/* The top issues `in` at pc, which has .meet. False: all that need be are there, it is like any other. True: done, as
 * *m and r->mask say; r->fault may be set. */
bool apart_meet(struct apart *a, struct front_env *env, const struct inst *in, u32 pc, struct meet *m,
		struct front_result *r);
/* The top stands at a barrier of the CTA, which lanes have not reached: true: others have their turn, or have become a
 * part of it, and it is to be tried again. */
bool apart_barrier(struct apart *a);
/* The top has executed `in` (simt_advance; the stack had depth before); somebody of the warp waits, or it asks. */
void apart_moved(struct apart *a, const struct front_env *env, const struct launch *l, const struct inst *in,
		 const struct front_result *r, u32 before);

/* Lanes `go` have met, a path of home[self] among them, which was stuck: of its paths one that can go on gets to the
 * top. It need not be the one that was on top: lanes with other masks may wait there. */
void apart_released(struct apart *a, u32 go);
/* Lanes of another stack have ended: does a path of home[self] wait no more? It is to execute its instruction again. */
bool apart_left(struct apart *a, const struct front_env *env);

#endif
