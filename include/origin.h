/*
 * origin.h - where a value came from: back through registers, lanes, shared, local and global memory, atomics and other
 * warps, as a tree of the instructions that made it.
 *
 * Found by replay: forks of the run stand at intervals, each with what was written to global memory behind it; the
 * stretches that matter are lived through again with a log of every instruction, the latest first. So the memory that
 * it takes is bounded, however long the run.
 *
 * A node is a value in a place at a time, and the instruction that put it there; its children are what that read:
 * values, apart from them addresses, guards and what chose between values. What comes again is told once. Deviations:
 * of a vote or a barrier that counts votes only lanes of the same warp that came by the same instruction are
 * followed; branches that led a lane to an instruction are not.
 */
#ifndef WARPSTEP_ORIGIN_H
#define WARPSTEP_ORIGIN_H

#include "datum.h"
#include "session_data.h"
#include "uses.h"

#define ORIGIN_NODES 200000 /* of a tree, at the most */

enum origin_kind {
	ORIGIN_OPEN,	  /* not looked for yet */
	ORIGIN_MADE,	  /* by an instruction */
	ORIGIN_SAME,	  /* as another node */
	ORIGIN_HOST,	  /* contents of a buffer before the launch, or set since */
	ORIGIN_PARAMETER, /* of the launch */
	ORIGIN_CONSTANT,  /* of the module's constant memory */
	ORIGIN_IMMEDIATE, /* written in the instruction */
	ORIGIN_SPECIAL,	  /* a special register: %tid.x, a clock */
	ORIGIN_START,	  /* nobody has written it since the CTA began */
	ORIGIN_LANES,	  /* which lanes ran */
	ORIGIN_LOST	  /* not known: more than is kept */
};
struct origin_node {
	struct datum place;	   /* whose value it is */
	u64 value, cycle;	   /* the cycle at whose end it was there first; 0: from the beginning */
	u32 launch, cta, warp, pc; /* ORIGIN_MADE: who; warp: of the CTA */
	u16 sm, context;
	u8 lane;
	u8 kind, role;	 /* enum origin_kind, enum use_role */
	u8 source;	 /* the operand of the instruction above that it is; NONE: another */
	u8 type;	 /* enum value_type */
	bool hex, known; /* how it is written; the value is known */
	bool opened;	 /* its children are there */
	bool unfolded;	 /* a round that is shown by itself */
	bool unseen;	 /* ORIGIN_HOST: no instruction has written it, nor what was there before the launch */
	bool round;	 /* made by the same instruction as the node above, and its operand: one more round of a loop */
	u16 special;	 /* enum special_reg */
	u32 parent, child, last, next; /* NONE32: none */
	u32 depth, same;
	u32 number; /* as shown; 0: not yet */
	u64 until;  /* it is the value at the end of this cycle */
};
#define ORIGIN_SOURCE_NONE 0xff

struct origin {
	struct origin_node *node; /* the first is the root */
	u32 n;
	u32 numbers;	/* given out */
	bool full;	/* ORIGIN_NODES was not enough */
	struct era era; /* for which it holds */
	struct past *past;
	struct same_table *same;
};

/* No tree yet, for origin_find(): one whose forks stand so many instructions apart, as long as these are not too many.
 */
struct origin *origin_begin(const struct session *s, u64 issues);
/* The tree of a place as it is now, opened to a depth; origin_free() it. whole: every value, rounds too. before: a tree
 * that is there (NULL: none), which ends: what was found of the run for it is used again. NULL with an error:
 * interrupted. */
struct origin *origin_find(struct session *s, const struct datum *place, struct origin *before, u32 depth, bool whole,
			   struct error *e);
/* Open a node that many levels further. */
enum status origin_open(struct session *s, struct origin *o, u32 node, u32 depth, struct error *e);
/* The last of the rounds that begin with a node; *n: how many. */
u32 origin_rounds(const struct origin *o, u32 node, u32 *n);
/* The number of a node, as shown; the node of a number, NONE32: none has it. */
u32 origin_number(struct origin *o, u32 node);
u32 origin_numbered(const struct origin *o, u32 number);
/* What a node is, for people: "r4: fma.rn.f32 r4, r5, r6, r4 (a.cu:7)", "a[3]: before the first launch". */
void origin_text(const struct session *s, struct origin *o, u32 node, struct text *out);
/* Of a node that is shown elsewhere under a number: "r4: as 12". */
void origin_text_as(const struct session *s, const struct origin *o, u32 node, u32 number, struct text *out);
/* Is it still about the run that there is? */
bool origin_holds(const struct session *s, const struct origin *o);
void origin_free(struct origin *o);

#endif
