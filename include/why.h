/*
 * why.h - causes: why a warp or a scheduler did what it did in a cycle, where requests are, what comes next.
 *
 * Nothing here moves the machine: the past is looked up in forks of the timeline, the future by running a fork on.
 * Cycles are positions: what happens in cycle N is to be seen at `goto N`.
 */
#ifndef WARPSTEP_WHY_H
#define WARPSTEP_WHY_H

#include "stats.h"
#include "livelock.h"

/* --- requests in flight (requests.c) --- */
enum request_level {
	REQUEST_PORT,	    /* in the SM's port, before the crossbar */
	REQUEST_L2,	    /* in the crossbar or the queue of its L2 slice */
	REQUEST_DRAM_QUEUE, /* missed the L2; waits at its DRAM channel */
	REQUEST_DRAM,	    /* missed the L2; DRAM reads it */
	REQUEST_MERGED,	    /* missed the L2; its line is at the DRAM or has just come */
	REQUEST_ANSWER,	    /* answered; waits for the crossbar */
	REQUEST_RETURN,	    /* on its way back to the SM */
	REQUEST_LEVEL_COUNT
};
struct request {
	u64 line;     /* line number x 16 + sectors */
	u64 born;     /* cycle in which it left the SM */
	u64 earliest; /* cycle in which it can be back at the earliest */
	u16 sm, tag;  /* tag: as in struct packet */
	u16 place;    /* L2 slice or DRAM channel, 65535 none */
	u16 ahead;    /* requests before it in its queue */
	u8 kind;      /* as in struct packet */
	u8 level;     /* enum request_level */
	u8 gone;      /* a write of a CTA that left before its end: nobody waits for the answer */
	u8 mates;     /* slices that share it, a bit set: tag is the load entry of the first; 0: nobody does */
	u16 bank;     /* of the DRAM channel, NONE16: it is not there */
	u8 opened;    /* ... which has opened a row for it */
	u8 spare;
	u64 ready; /* where it is in a queue of packets: the cycle in which the next station may take it; else 0 */
};
/* Is it for a load entry: an atomic's, or a load's past the L1D? */
static inline bool request_of_load(const struct request *r)
{
	return r->kind == 2 || r->kind == 8;
}
extern const char *const request_level_name[REQUEST_LEVEL_COUNT];
extern const char *const request_kind_name[9];
/* Requests of an SM (NONE32: of all) up to room; how many there are. */
u32 requests_list(const struct sim *sim, u32 sm, struct request *out, u32 room);

/* The context of a load entry, or that of one of its mates that wants a line: the first that is still there; NONE16:
 * none is. wanted: of the mates, a bit set; 0: they do not matter. */
u32 load_wanted_by(struct machine *m, u32 sm, u32 load, u32 wanted);
/* Does load entry `load` want what is for entry `first` and its mates? */
bool load_wants(const struct sim *sim, u32 sm, u32 load, u32 first, u32 wanted);

/* The entries of an SM's table of loads that are in use, as a set of LOAD_WORDS words; returns how many. */
#define LOAD_WORDS 256
u32 requests_loads(const struct sim *sim, u32 sm, u64 *set);

/* --- what comes next (forecast.c) --- */
#define FORECAST_CYCLES 5000
#define FORECAST_ARRIVALS 16
#define FORECAST_GRANTS 64
struct forecast {
	u64 issues;  /* cycle in which the warp issues next, NEVER: not within the look ahead */
	u64 changes; /* first cycle with another status */
	u32 then;    /* which */
	u64 leaves;  /* cycle in which its CTA leaves the SM */
	u64 until;   /* last cycle looked at */
	struct {
		u32 pc;
		u64 cycle;
	} arrival[FORECAST_ARRIVALS]; /* results of its instructions before it issues */
	u32 narrivals;
	u64 dispatch[MOST_sm_collectors]; /* first dispatch from each collector unit of its sub-core */
	struct {
		u16 warp, reg;
		u32 spare;
		u64 cycle;
	} grant[FORECAST_GRANTS]; /* operands read in its sub-core, the first ones */
	u32 ngrants;
	u64 release; /* its barrier is complete */
	u32 last;    /* the warp that arrives last */
	bool deadlock;
};
/* Run a fork of sim on until the warp issues (or has left, or nothing more can happen). */
void forecast_warp(const struct sim *sim, u32 sm, u32 warp, struct forecast *out);
/* The first cycle in which one of a set of contexts (CONTEXT_WORDS words) of an SM issues, NEVER: not within the look
 * ahead; *warp: which. */
u64 forecast_first(const struct sim *sim, u32 sm, const u64 *contexts, u32 *warp);
/* The first cycle in which an event of a kind names this place of a resident CTA of an SM (its number b), NEVER: not
 * within the look ahead, or not before the CTA leaves. Kind NONE32: the cycle in which it has left. */
u64 forecast_cta(const struct sim *sim, u32 sm, u32 kind, u32 place);
/* The cycle in which the operand of a warp in a register is read first, NEVER: not seen. */
u64 forecast_grant(const struct forecast *f, u32 warp, u32 reg);
/* The cycle in which the result of the warp's instruction at pc arrives, NEVER: not seen. */
u64 forecast_arrival(const struct forecast *f, u32 pc);

/* --- why --- */
/* The chain of causes as lines and, if result is not NULL, as its members. sim: the machine then, whole cycles done. */
void why_warp(struct session *s, const struct sim *sim, u32 sm, u32 warp, struct text *out, json_t *result);
/* The same for the resident CTA in a place of an SM: may it give its warp slots away, may it have some? */
void why_cta(struct session *s, const struct sim *sim, u32 sm, u32 place, struct text *out, json_t *result);
/* Where a CTA of the grid waits outside the SMs, if it can be of this launch, NONE32: it does not; and why it does. */
u32 why_parked(const struct sim *sim, u32 launch, u32 cta);
void why_waiting(struct session *s, const struct sim *sim, u32 place, struct text *out, json_t *result);
/* The launch, this one if it can be, of which a CTA of the grid is still to come to an SM, NONE32: none; and why it has
 * not come. */
u32 why_to_come(const struct sim *sim, u32 launch, u32 cta);
void why_coming(struct session *s, const struct sim *sim, u32 launch, u32 cta, struct text *out, json_t *result);
/* How many CTAs an SM takes, and why; which SMs its kernels would give up first. */
void why_sm(struct session *s, const struct sim *sim, u32 sm, struct text *out, json_t *result);
/* The same for scheduler `sched` of a sub-core. */
void why_slot(struct session *s, const struct sim *sim, u32 sm, u32 sub, u32 sched, struct text *out, json_t *result);

/* --- deadlock --- */
/* Who waits for whom, and since when; false: sim is not deadlocked. */
bool why_deadlock(struct session *s, const struct sim *sim, struct text *out, json_t *result);

/* --- livelock --- */
/* Watch a fork of sim for up to so many cycles; say who goes round, and, if that is a proof and `past` asks for it,
 * since when. Nothing is said where no warp goes round. */
enum livelock_verdict why_livelock(struct session *s, const struct sim *sim, u64 cycles, bool past, struct text *out,
				   json_t *result);

/* --- faults --- */
/* What the fault of a machine that faulted was, in a sentence; the context that faulted, NONE32 if it has gone. */
void fault_sentence(const struct sim *s, struct text *out);
u32 fault_context(const struct sim *s);

#endif
