/*
 * follow.h - one warp instruction on its way: the hops from its fetch to its write-back, with the cycles of each.
 *
 * A fork of the timeline lives through the cycles again and is watched: what lies behind the machine is a replay, what
 * lies ahead is what the fork does when it runs on, so both are exact as long as nothing is changed. A hop holds the
 * cycles [from, to): what happens in cycle N is to be seen at `goto N`. Hops leave no gap. A load has several lines:
 * its way is that of the line that comes last.
 */
#ifndef WARPSTEP_FOLLOW_H
#define WARPSTEP_FOLLOW_H

#include "datapath.h"
#include "session_data.h"

enum hop_kind {
#define HOP(id, ...) HOP_##id,
#include "hops.def"
#undef HOP
	HOP_COUNT
};
struct hop_row {
	const char *name, *doc;
	u8 box; /* of the drawing, in which it is marked; BOX_COUNT: that of the warp's state, or of the execution unit
		 */
};
extern const struct hop_row hop_table[HOP_COUNT];

/* Is it a state of a warp that is ready: lsu, unit, collector, paused, eligible? Waits in these are one hop. */
#define READY_STATES (WARP_ELIGIBLE - WARP_LSU + 1)
static inline bool state_ready(u32 status)
{
	return status >= WARP_LSU && status <= WARP_ELIGIBLE;
}
struct hop {
	u64 from, to;		 /* NEVER: it goes on at the last cycle that was looked at */
	u64 line;		 /* address of the cache line; 0: none */
	u64 regs[HAZARD_WORDS];	 /* wait: registers and predicates that were missing last */
	u32 producer;		 /* wait: the instruction that writes them, NONE32: not known */
	u32 spent[READY_STATES]; /* wait, ready: cycles in each of those states */
	u32 n;			 /* what the text counts: instructions or requests ahead, lines, cycles, lanes */
	u16 sm, warp;
	u16 place;    /* L2 slice or DRAM channel; collector unit; MSHR; NONE16 */
	u16 bank;     /* of the DRAM channel, NONE16 */
	u16 mshr;     /* in which the line waits, in the hop in which the L1D has looked it up; NONE16 */
	u8 kind;      /* enum hop_kind */
	u8 status;    /* wait: enum warp_status; unit, execute: enum unit_kind */
	u8 cause;     /* lsu: why the L1D rejected its line (enum refusal); away: the kind of event, 0: swapped out */
	u8 outcome;   /* enum hop_outcome */
	u8 looked;    /* how the cache answered, in the hop behind that; HOP_PLAIN: it is not that one */
	u8 constants; /* ... the constant cache it was */
	u8 counters;  /* wait: dependence counters that were not 0 last (issue.dependences control), a bit each */
	bool stalled; /* wait: the stall counter that the producer has set was not 0 last */
};
enum hop_outcome { HOP_PLAIN, HOP_MISSED, HOP_HIT, HOP_MERGED, HOP_PAST, HOP_ROW_HIT, HOP_ROW_MISS };

/* An operand that was read from a register bank, or from the register cache. */
struct follow_grant {
	u64 cycle;
	u16 reg, bank;
	bool cached;
};
#define FOLLOW_GRANTS 8

enum follow_end {
	FOLLOW_WRITTEN, /* its result was written, or there was none to write */
	FOLLOW_ACKED,	/* its line writes were acknowledged */
	FOLLOW_KILLED,	/* its CTA was killed */
	FOLLOW_SAVED,	/* its CTA was saved while it was in flight */
	FOLLOW_NEVER,	/* the warp ended, or the program, before it issued or was written */
	FOLLOW_UNKNOWN	/* not within the cycles that were looked at */
};

struct follow {
	/* which: the instruction that the warp issues after so many others since its CTA started */
	u32 launch, cta, index; /* index of the warp in its CTA */
	u32 sm, warp, ordinal;	/* where it was when it was chosen */
	u64 chosen;		/* the cycle of that */
	u64 since;		/* its CTA came to the SM in that cycle */
	u32 pc;

	/* its way */
	struct era era; /* for which it holds */
	struct hop *hop;
	u32 n;
	u64 issued;  /* NEVER: it does not */
	u64 written; /* of its result or last acknowledgment, or its only cycle if there is none; NEVER */
	u64 until;   /* last cycle looked at */
	struct follow_grant grant[FOLLOW_GRANTS];
	u32 ngrants;
	u32 lines, hits, misses, merges; /* line accesses, and what became of them */
	u32 lanes;
	u8 end; /* enum follow_end */
};

/* Follow the instruction that a warp issues in a cycle, or the next one if it issues none then. */
enum status follow_warp(struct session *s, u32 sm, u32 warp, u64 cycle, struct error *e);
/* Follow the load of a warp that is outstanding for longest; the oldest load that waits for a line (of the SM first).
 */
enum status follow_load(struct session *s, u32 sm, u32 warp, u64 cycle, struct error *e);
enum status follow_line(struct session *s, u32 sm, u64 address, u64 cycle, struct error *e);
/* Nothing is followed any more. */
void follow_stop(struct session *s);
/* What is followed, its way looked up again if something was changed; NULL: nothing, or interrupted. */
const struct follow *follow_now(const struct session *s);
/* The hop that holds a cycle, NONE32: none does; the first cycle of a hop behind a cycle (kind HOP_COUNT: of any), and
 * the last before it; NEVER: none. */
u32 follow_at(const struct follow *f, u64 cycle);
u64 follow_next(const struct follow *f, u64 cycle, u32 kind);
u64 follow_before(const struct follow *f, u64 cycle);
/* A hop as a sentence, without its cycles. */
void follow_text(const struct session *s, const struct follow *f, u32 hop, struct text *out);
/* Which instruction: "warp 3 (SM 0, CTA 2 of saxpy), 12: ld.global.f32 ..." */
void follow_who(const struct session *s, const struct follow *f, struct text *out);

/* Where what is followed is now, for drawings. */
struct follow_spot {
	u32 sm, sub, warp; /* the warp's, or where it was last */
	u32 launch, pc;
	u64 from, to;	    /* cycles of the hop */
	u64 issued;	    /* NEVER: it does not issue */
	u64 line;	    /* address, 0: no cache line */
	u16 slice, channel; /* NONE16: it is in none */
	u16 bank;	    /* of the channel */
	u16 place;	    /* collector unit, MSHR, NONE16 */
	u8 hop;		    /* enum hop_kind */
	u8 status;	    /* of a hop wait: enum warp_status */
};
/* False: nothing is followed, or it is not on its way in the present cycle. */
bool follow_where(const struct session *s, struct follow_spot *out);
/* The box of the drawing in which it is: where an item of its SM is it, that one's, else the one of the hop. */
enum box follow_box(const struct follow_spot *spot, const struct datapath *d);
/* Is an item of its SM what is followed: the instruction, or before that issues the warp that waits with it? */
bool follow_is(const struct follow_spot *spot, const struct box_item *x);
/* The place of the memory system, or the SM: "channel 17 bank 2". */
void follow_place(const struct follow_spot *spot, struct text *out);
/* Where it is, what happens there, and which it is: "dramqueue since 772, channel 17 bank 2: ...". ahead: the end of
 * the hop may be told. */
void follow_here(const struct session *s, const struct follow_spot *spot, bool ahead, struct text *out);

/* The commands that follow it again (save session). */
void follow_save(const struct session *s, struct text *out);
/* Of the kind of hop that a name means, HOP_COUNT: none, with an error that suggests the nearest. */
u32 hop_find(const char *name, u32 column, struct error *e);

#endif
