/* follow_internal.h - what the parts of `follow` share: the watch over a fork. Private to src/observe/follow*.c. */
#ifndef WARPSTEP_FOLLOW_INTERNAL_H
#define WARPSTEP_FOLLOW_INTERNAL_H

#include "follow.h"
#include "machine.h"
#include "policy.h"
#include "why.h"

/* A station of a request, from a cycle until the next. */
struct follow_leg {
	u64 from, ready;
	u16 place, bank, ahead;
	u8 level, opened;
};
/* A request of the instruction; last: the last cycle at whose end it was on its way. */
struct follow_trail {
	u64 line, born, last;
	struct follow_leg *leg;
	u32 n;
};
/* What the instruction waits for in the memory system: an MSHR with its requests, or a request of its own. */
struct follow_item {
	u64 line, from, last; /* address; cycles at whose end it was waited for */
	struct follow_trail *trail;
	u32 n;
	u16 tag;
	u8 kind; /* of the request, as in struct packet */
	u8 outcome;
};

struct follow_watch {
	const struct session *session;
	struct follow *f;
	struct sim fork;
	u32 applied;
	u64 now;
	/* where its warp is */
	bool here, over;
	u32 sm, warp, generation;
	u32 before; /* instructions that the warp had issued before this cycle */
	u8 left;    /* kind of event by which its CTA left */
	/* the fetch that brought it */
	struct {
		bool known, missed;
		u64 from, hit;
		u32 pc;
	} fetch;
	u64 buffered; /* since then it is in the instruction buffer; 0: it is not */
	u32 first;    /* hop with which that began */
	u32 writer[HAZARD_WORDS * 64];
	/* after its issue */
	bool issued, writes;
	u32 class, collector, memop, load; /* NONE32: none */
	u32 undispatched, unwritten;	   /* instructions at the same PC before it that are, as far as was seen */
	bool ready;			   /* all operands are read */
	u64 dispatched;			   /* 0: not yet */
	bool served;			   /* the LSU has taken all its lines */
	u32 banks;			   /* cycles that shared memory takes for it */
	u64 line[MAX_TRANSACTIONS];
	u64 hit_from; /* the L1D hit that comes last: from when it is due */
	u64 hit_due;
	struct follow_item *item;
	u32 nitems;
	struct request *request; /* FOLLOW_REQUESTS */
};
#define FOLLOW_REQUESTS 4096

/* The hop before ends, and a new one begins, which is returned. */
struct hop *follow_push(struct follow_watch *w, u64 from, enum hop_kind kind);
/* Live through it: from a cycle on to the end of its way. */
void follow_live(struct follow_watch *w, u64 from);

static inline void *follow_section(const struct follow_watch *w, enum section_id id)
{
	return machine_sm_section(w->fork.m, w->sm, id);
}
/* Is a record of the followed warp's instruction? */
static inline bool follow_mine(const struct follow_watch *w, const struct record *r)
{
	return r->sm == w->sm && r->warp == w->warp && r->pc == w->f->pc;
}

/* --- its way through the memory system (follow_way.c) --- */
/* What it waits for at the end of this cycle; of a store: are line writes of it not acknowledged? */
void follow_load_look(struct follow_watch *w);
bool follow_store_look(struct follow_watch *w);
/* The way of what came last, in the hops, up to this cycle; complete: that has come in it. */
void follow_way(struct follow_watch *w, bool complete);
void follow_way_free(struct follow_watch *w);

#endif
