/* origin_internal.h - what the files of the search for a value's origin share: origin.c, origin_find.c, origin_open.c.
 */
#ifndef WARPSTEP_ORIGIN_INTERNAL_H
#define WARPSTEP_ORIGIN_INTERNAL_H

#include "origin.h"
#include "track.h"

#define NEED_END 0xfffffffdu /* from the end of the stretch */

/* A node to be looked for, or (its kind is ORIGIN_MADE) to be opened. */
struct quest {
	u32 node;
	u32 from;  /* the event, or for global memory the act, before which it is looked for */
	u32 below; /* of the event itself lanes below this one count */
};
struct search {
	struct session *session;
	struct origin *o;
	struct track track;
	const struct past
		*past; /* with the stretch that is looked at: that of the tree, or one within a stretch of it */
	u32 stretch;
	bool begins;	 /* it is the first of the run */
	u64 first, last; /* cycles of the stretch, at whose ends its events are done */
	struct quest *todo, *later;
	u32 ntodo, nlater;
	u32 limit;  /* levels */
	u32 nested; /* values that are being opened, one within the other */
	bool whole;
};

/* --- origin.c --- */
/* A node below another; NONE32 where there is no more room. */
u32 origin_add(struct search *q, u32 parent, const struct datum *place, enum use_role role, u32 source);
/* One beside a node, of another part of the same value. */
u32 origin_beside(struct search *q, u32 node, const struct datum *place);
void origin_need(struct search *q, struct quest n);
void origin_carry(struct search *q, struct quest n);
/* An instruction has made a node: e, with a lane. */
void origin_made(struct search *q, u32 node, u32 e, u32 lane);

/* --- origin_find.c: who wrote a place last --- */
void origin_resolve(struct search *q, struct quest n);

/* --- origin_open.c: what an event read --- */
void origin_expand(struct search *q, u32 node, u32 e);

#endif
