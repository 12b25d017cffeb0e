/* effects_internal.h - the record of a run from which the cone of an event is found, and the cone. Not for others. */
#ifndef WARPSTEP_EFFECTS_INTERNAL_H
#define WARPSTEP_EFFECTS_INTERNAL_H

#include "at_once.h"
#include "effects.h"
#include "machine.h"

/* Something that happens in a cycle, and may happen in another one. */
struct moment {
	u64 at;
	u64 ready; /* issue: since then the warp was ready, and waited for its turn */
	u32 launch, cta;
	u32 ordinal, pc; /* issue, answer: the warp issues so many others since its CTA started */
	u32 first, n;	 /* its causes */
	u32 answer;	 /* issue: the moment of its answer, NONE32: none, or not recorded */
	u64 age;	 /* of the warp: the order of admission to the SM */
	u16 index;	 /* of the warp in its CTA */
	u16 sm, warp;
	u8 sub, kind; /* enum moment_kind */
	u8 class;
	bool piped;  /* issue: it waited for a collector unit, a unit or the LSU */
	bool missed; /* answer: of a load that requested a line */
	u16 turn;    /* of the launch, which may run again and again */
	u8 spare[4];
};
enum moment_kind { MOMENT_ISSUE, MOMENT_ANSWER, MOMENT_END, MOMENT_RELEASE, MOMENT_START };

/* The moment cannot come before another one and some cycles. */
struct cause {
	u32 of;	 /* that moment */
	i32 lag; /* cycles behind it, at the least */
	u8 edge; /* enum effect_edge */
	u8 spare[3];
};

struct effects_record {
	struct moment *moment; /* in the order of time */
	u32 n;
	struct cause *cause;
	u32 ncauses;
	u64 from, until; /* cycles that were recorded */
	u32 seed;	 /* the issue that was asked for; NONE32: it was not met */
};

/* Record a run from a cycle on; sim stands there and is taken on. seed: the instruction that is asked for, which issues
 * in cycle `issued`, if nothing changes; when: from that cycle on its result comes at once, NEVER: it does not; or, if
 * it is to come later, `early` cycles behind its issue. */
enum status effects_record(struct session *s, struct sim *fork, u32 applied, u64 until, struct at_once *seed,
			   u64 issued, u64 when, u64 early, struct effects_record *out, struct error *e);
void effects_record_free(struct effects_record *r);

/* Of each moment: does it lie in the cone, by hard reasons alone (NULL: not asked for), and why? */
struct reach {
	bool *in, *hard;
	u8 *edge;
};
/* What moves along hard edges. */
void effects_cone(const struct sim *sim, const struct effects_record *r, struct reach *out);
/* Why a moment lies in a cone (in) in which it does not lie by hard reasons alone; waits: an issue, and a trial moved
 * it but not the cycle in which its warp was ready. */
u8 effects_why(const struct effects_record *r, const bool *in, u32 i, bool waits);
void effects_reach_free(struct reach *x);

#endif
