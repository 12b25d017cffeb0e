/*
 * policy_ccws.h - what policy ccws keeps, and its standing: which warps may load, in which order, for those who show
 * or test it.
 */
#ifndef WARPSTEP_POLICY_CCWS_H
#define WARPSTEP_POLICY_CCWS_H

#include "policy.h"

/* Of an SM. Its members are the warps with a slot that have not ended. */
#define CCWS_FIELDS(F, A) \
	F(u64, hits, "VTAHits: victim tag array hits of unfinished warps") \
	F(u64, issued, "InstIssued: instructions issued by unfinished warps") \
	F(u64, cutoff, \
	  "cutoff: sum of scores above which further warps may not load (members in the previous cycle x ccws.base)") \
	F(u64, latest, "cycle before which a score may be above ccws.base") \
	F(u64, next, "cycle of the next update of the warps that may load, unless an event causes one earlier") \
	F(u32, members, "members: unfinished warps with a warp slot, ordered by score") \
	F(u32, held, "members that may not load") \
	F(u32, stale, "1 = the warps that may load are updated in the next cycle in which the SM is awake") \
	F(u32, reset, "1 = warps started or left since the members were counted") \
	A(u64, slots, SLOT_WORDS, "members, as a bit set of warp slots") \
	A(u64, member, CONTEXT_WORDS, "members, as a bit set of warps") \
	A(u64, allowed, CONTEXT_WORDS, "members that may load, as a bit set of warps")
/* Of a context. Its score is ccws.base, and more as long as it has until `until`. */
#define CCWS_WARP_FIELDS(F, A) \
	F(u64, until, "cycle in which the warp's score is back at ccws.base, as it falls by 1 per cycle") \
	F(u32, hits, "hits in the warp's victim tag array") \
	F(u32, issued, "instructions issued by the warp")
/* Of an entry of a context's victim tag array: set by set, the youngest first. */
#define CCWS_VICTIM_FIELDS(F, A) F(u64, line, "line number + 1 in a victim tag array (0 = empty entry)")
/* Of a place of the L1D. */
#define CCWS_LINE_FIELDS(F, A) F(u16, owner, "warp that filled the L1D line, + 1 (0 = unknown)")

struct ccws {
	CCWS_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct ccws_warp {
	CCWS_WARP_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct ccws_victim {
	CCWS_VICTIM_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct ccws_line {
	CCWS_LINE_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

/* A member's place in the order. */
struct ccws_place {
	u64 score, before; /* its score; the sum of those before it */
	u32 context;
	bool may; /* may it load? */
};

/* LLDS: the score of a hit, and the most that a score can be. */
u64 ccws_llds(const struct config *c, u64 hits, u64 issued, u64 cutoff);
/* What it keeps in an SM. */
static inline const struct ccws *ccws_of(const struct machine *m, u32 sm)
{
	return scheme_own(m, SCHEME_ccws, sm);
}
/* Does it hold loads back, and could it? */
static inline bool ccws_runs(const struct machine *m)
{
	return m->config.ccws_k && policy_in(&m->policy, POLICY_hold) >> SCHEME_ccws & 1;
}
/* Is a warp one of those that may not load? */
static inline bool ccws_holds(const struct machine *m, u32 sm, u32 context)
{
	const struct ccws *own = ccws_of(m, sm);
	return SET_HAS(own->member, context) && !SET_HAS(own->allowed, context);
}
/* The score of a context in a cycle. */
u64 ccws_score(const struct machine *m, u32 sm, u32 context, u64 cycle);
/* The members in the order of a cycle, into place[256]; returns how many. */
u32 ccws_standing(const struct machine *m, u32 sm, u64 cycle, struct ccws_place *place);
/* The first cycle from `cycle` on in which a member may load if nothing happens, the cutoff included. */
u64 ccws_returns(const struct machine *m, u32 sm, u32 context, u64 cycle);
/* Entries of a context's victim tag array that hold a line. */
u32 ccws_victims(const struct machine *m, u32 sm, u32 context);

#endif
