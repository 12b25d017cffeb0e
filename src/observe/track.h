/*
 * track.h - the log of a stretch of a run: every instruction that left a value, with its lanes, their addresses and
 * results; every write to global memory as it acted.
 *
 * Instructions of a warp are chained, the latest first, and those of a CTA that wrote shared memory. A chain ends where
 * the CTA began (TRACK_BEGUN) or where the stretch does (TRACK_EARLIER).
 */
#ifndef WARPSTEP_TRACK_H
#define WARPSTEP_TRACK_H

#include "past.h"
#include "touches.h"

#define TRACK_EARLIER 0xffffffffu
#define TRACK_BEGUN 0xfffffffeu
#define TRACK_WORDS (192u << 20) /* of results and addresses, at the most */

struct track_event {
	u64 cycle; /* at whose end it is done */
	u32 warp;  /* index in track.warp */
	u32 pc, mask;
	u32 block;  /* where its vectors lie in track.word */
	u32 before; /* of the same warp: the one before */
	u32 shared; /* of the same CTA: the one before that wrote shared memory */
	u16 sm, context;
	u32 window; /* generic accesses: the space of all lanes, SPACE_GENERIC: aside says which are not in global
		       memory */
	u32 aside;
};
/* Bytes of global memory have been written: by a lane, by neighbours, or (event TRACK_EARLIER) by nobody. */
struct track_act {
	u64 address, cycle;
	u64 data[2]; /* what was left there */
	u32 event;
	u16 bytes;
	u8 lane, lanes;
};
struct track_cta {
	u32 launch, cta;
	u32 first_warp, warps; /* in track.last */
	u32 shared;	       /* the last event that wrote shared memory */
};
struct track {
	const struct program *program;
	struct track_event *event;
	u32 nevents;
	struct track_act *act;
	u32 nacts;
	u32 *word;
	u32 nwords;
	struct track_cta *cta;
	u32 ncta;
	u32 *last, *owner; /* of each warp: its last event; its CTA */
	u32 nwarps;
	u32 *table; /* of CTAs by launch and number: index + 1 */
	u32 table_room;
	bool full;
};

/* Live through the stretch from a station to a cycle and stage. */
void track_live(struct track *t, const struct timeline *line, const struct station *from, struct position to);
void track_free(struct track *t);
/* A warp, a CTA; NONE32: it was not there. */
u32 track_cta(const struct track *t, u32 launch, u32 cta);
u32 track_warp(const struct track *t, u32 launch, u32 cta, u32 warp);

/* --- of an event --- */
const struct inst *track_inst(const struct track *t, const struct track_event *x);
/* The address of a lane's access. */
u64 track_address(const struct track *t, const struct track_event *x, u32 lane);
/* The space of a lane's access. */
u8 track_space(const struct track *t, const struct track_event *x, u32 lane);
/* Result i of a lane: of inst.write; the mask of predicate i of inst.write_pred. */
u32 track_register(const struct track *t, const struct track_event *x, u32 i, u32 lane);
u32 track_predicate(const struct track *t, const struct track_event *x, u32 i);
/* n bytes at offset `at` of what a lane of a store to shared or local memory wrote, or an atomic there left. */
u64 track_stored(const struct track *t, const struct track_event *x, u32 lane, u32 at, u32 n);
/* Where a lane of an asynchronous copy has begun to read in global memory; 0: it has read nothing. */
u64 track_copied(const struct track *t, const struct track_event *x, u32 lane);
/* What chose: of a shfl lane or distance (0) and clamp (1); of a select its third source, a predicate as 0 or 1. */
u32 track_choice(const struct track *t, const struct track_event *x, u32 i, u32 lane);

#endif
