/*
 * livelock.h - livelock: whether warps that still issue can ever do anything else.
 *
 * A fork of the simulator runs on and is watched. A warp goes round if it comes back to a state that it has had
 * (registers, predicates, local memory, SIMT stack) while no write of any warp has changed a value in between. What a
 * warp does follows from its state and from the values that it reads, in whatever order warps are served; so if every
 * unfinished warp goes round or waits at a barrier, no CTA can come or go and no launch begins by itself, then this
 * stays so for ever. That is a proof.
 *
 * It is tried with a fair order of warps first. Under the policies that are chosen a warp may also be kept from
 * issuing: it could issue, and is held, paused or never chosen. If all others go round or wait at barriers, no value
 * changes, no date of a policy is to come, and what policies remember comes back to what it was, for
 * LIVELOCK_KEPT_CYCLES cycles and more, it never will: a livelock by policy.
 */
#ifndef WARPSTEP_LIVELOCK_H
#define WARPSTEP_LIVELOCK_H

#include "sim.h"

/* What was seen of one warp. */
enum livelock_state {
	LIVELOCK_GONE,	/* not resident, or its lanes have all exited */
	LIVELOCK_ROUND, /* goes round: the same state again, with the same values in memory */
	LIVELOCK_WAITS, /* at a barrier, which those who go round do not pass */
	LIVELOCK_KEPT,	/* could issue, and no policy lets it */
	LIVELOCK_TIMED, /* reads a clock or the votes of others as it goes: it may end by itself */
	LIVELOCK_STILL, /* has issued nothing, and is at no barrier */
	LIVELOCK_WORKS, /* its state is always another */
	LIVELOCK_STATES
};
/* From LIVELOCK_PROVEN on it is one. */
enum livelock_verdict { LIVELOCK_LIVE, LIVELOCK_SEEMS, LIVELOCK_PROVEN, LIVELOCK_POLICY };
extern const char *const livelock_verdict_name[4]; /* "no", "seems", "proven", "policy" */

#define LIVELOCK_READS 3
/* A load or atomic of a round. */
struct livelock_read {
	u32 pc;
	u8 space; /* SPACE_GLOBAL or SPACE_SHARED */
	u8 width;
	bool known; /* the address is */
	u8 spare;
	u64 address; /* of its first lane; shared memory: the offset */
};
struct livelock_warp {
	u32 mark;	   /* of the quiet time in which the rest was seen */
	u32 mask;	   /* lanes on top of its SIMT stack */
	u64 steps;	   /* instructions issued in it */
	u64 ref, ref_step; /* hash of a state to compare with, and when that was */
	u64 power;	   /* steps until the next such */
	u32 ref_pc;
	bool round, timed, barrier;
	bool timed_before; /* of the stretch before ref */
	u8 nreads;
	u8 kept_status; /* how it was kept from issuing when that was last looked at */
	u64 period;	/* instructions of a round */
	u64 kept;	/* cycle + 1 since which it has been seen kept from issuing; 0: it is not */
	struct livelock_read read[LIVELOCK_READS];
};
struct livelock_watch {
	struct sim fork;
	struct livelock_warp *warp; /* by SM and context */
	u8 **shared;		    /* by SM and CTA: shared memory as it was last seen */
	u32 *shared_bytes;
	u32 *writer;	 /* by SM and CTA: cycle + 1 of its last write of shared memory, to find two in one cycle */
	u32 mark;	 /* number of the quiet time */
	u64 from, since; /* cycle in which the fork began; in which something changed last */
	u64 changes;	 /* cycles in which something did */
	u64 kept_ref;	 /* hash of what policies remember, to compare with */
	u32 kept_mark;	 /* the quiet time that it is of */
	u32 kept_looks, kept_power; /* looks since then, and until the next such */
	bool recurs;		    /* it has come again in the quiet time */
	enum livelock_verdict verdict;
	u32 count[LIVELOCK_STATES]; /* warps */
	bool launch_comes;	    /* another launch begins by itself */
	bool policy_comes;	    /* CTAs wait, and a policy may let them come */
	bool policy_dates;	    /* a policy may think again by itself */
};

/* The least and the most cycles to look ahead, and for a run that ends at its limit: as many as it had. */
#define LIVELOCK_LEAST 4096
#define LIVELOCK_MOST 65536
/* So long a warp must have been kept from issuing. */
#define LIVELOCK_KEPT_CYCLES 2048

/* Watch a fork of sim for up to so many cycles, or until the proof is there. */
void livelock_open(struct livelock_watch *p, const struct sim *sim, u64 cycles);
void livelock_close(struct livelock_watch *p);
/* Warps that go round for ever in a livelock that has set in, or (*verdict LIVELOCK_POLICY) that a policy never lets
 * issue; 0: there is none, or it takes more cycles to prove. */
u32 livelock_proven(const struct sim *sim, u64 cycles, enum livelock_verdict *verdict);
/* Is this the status of a warp that could issue, and is kept from it by a policy? */
bool livelock_kept_status(u32 status);
/* For whoever runs a simulator: the next cycle after now in which to ask whether it goes round for ever; and, asked in
 * any cycle, whether that is such a cycle and it is proven. */
u64 livelock_look(u64 now);
enum livelock_verdict livelock_found(const struct sim *sim);
enum livelock_state livelock_state_of(const struct livelock_watch *p, u32 sm, u32 context);

/* --- for the past --- */
/* Complete the cycle that the fork is in; true: a value, a CTA or a warp is not as it was. */
bool livelock_cycle(struct livelock_watch *p);
/* A fork that somebody else moves: before its seal, and after it. */
bool livelock_before_seal(struct livelock_watch *p);
bool livelock_after_seal(struct livelock_watch *p);
/* The state of a context as one number. */
u64 livelock_hash(const struct sim *sim, u32 sm, u32 context);
void livelock_attach(struct livelock_watch *p); /* p->fork is there: the rest */

struct timeline;
/* The first cycle from which all warps of a proof went round or waited as they do, looked for in the past of t. NEVER:
 * not found. */
u64 livelock_since(struct livelock_watch *p, const struct timeline *t, u64 now);

#endif
