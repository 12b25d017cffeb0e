/*
 * effects.h - which later issues, answers and ends hang on one answer: its cone, forwards on the timeline.
 *
 * A fork of the timeline is recorded: what happens, and before what it could not happen. If the result of the
 * instruction came at once, by how much earlier would each of these come? What moves along these hard edges lies in the
 * cone. Whether warps that share a place come into each other's way then cannot be told from one run: in trials, forks
 * in which the result comes a few cycles behind the issue (at_once.h), what moves lies in the cone, too. A check is
 * another fork in which the result comes at once.
 */
#ifndef WARPSTEP_EFFECTS_H
#define WARPSTEP_EFFECTS_H

#include "follow.h"

enum effect_edge {
#define EDGE(id, ...) EFFECT_##id,
#include "effects.def"
#undef EDGE
	EFFECT_EDGES
};
struct effect_row {
	const char *name, *doc;
	char letter;
	bool hard; /* what comes behind needs what was before; else both want the same place */
};
extern const struct effect_row effect_table[EFFECT_EDGES];

enum effect_kind { EFFECT_ISSUES, EFFECT_ANSWERS, EFFECT_ENDS, EFFECT_KINDS };
/* An event behind the issue. */
struct effect {
	u64 at;
	u32 launch, cta, pc; /* pc: NONE32, the end of a CTA */
	u16 sm, warp;	     /* NONE16: the end of a CTA */
	u8 kind, edge;	     /* enum effect_kind; why it hangs on the answer, enum effect_edge */
	bool in, hard;	     /* it lies in the cone; by hard reasons alone, all the way from the answer */
};
struct effects {
	struct effect *effect; /* in the order of time */
	u32 n;
	u32 launch, cta, pc, sm, warp, ordinal; /* of the instruction */
	u64 issued, answered;
	u64 until;	      /* the last cycle looked at */
	u32 of[EFFECT_KINDS]; /* events behind its issue; the answer itself does not count */
	u32 in[EFFECT_KINDS]; /* of these in the cone */
	bool checked;	      /* what an experiment says, in which the result comes at once: */
	u32 changed, found;   /* events that come in another cycle or not at all; of these in the cone, */
	u32 hard;	      /* and by hard reasons alone */
};
/* The cone of the answer of what is followed, up to `cycles` behind its issue. check: run the experiment, too. */
enum status effects_find(struct session *s, const struct follow *f, u64 cycles, bool check, struct effects *out,
			 struct error *e);
void effects_free(struct effects *x);

/* The cone that was asked for last, as panes draw it. */
struct cone {
	struct effect *effect; /* what lies in it, by SM, warp, cycle */
	u32 n, sm, warp;       /* of the instruction: SM and warp, and */
	u64 issued, answered;
	struct era era; /* for which it holds */
};
/* Keep the cone in the session, in place of an earlier one; the events go over to it. */
void effects_keep(struct session *s, struct effects *x);
/* The cone of the session, NULL: none is known that still holds. */
const struct cone *cone_now(const struct session *s);
/* Events of a warp in the cycles [from, to]: their number, and the first. */
u32 cone_events(const struct cone *c, u32 sm, u32 warp, u64 from, u64 to, const struct effect **first);
void cone_free(struct cone *c); /* and what it is in */

#endif
