/*
 * ids.h - what rows of small tables are called (stages, statuses, outcomes, hooks of policies, notices), numbers that
 * mean nothing, and the bounds of the machine.
 */
#ifndef WARPSTEP_IDS_H
#define WARPSTEP_IDS_H

#include "base.h"

#define NONE16 0xffffu
#define NONE32 0xffffffffu
#define NEVER (~0ULL)
#define WHEEL_SIZE 1024 /* maximum number of cycles until a result is due */
#define WHEEL_WORDS (WHEEL_SIZE / 64)
#define SLOT_WORDS 4	/* 256 slots of an SM */
#define CONTEXT_WORDS 4 /* 256 contexts of an SM */
#define MAX_SUBCORES 8
#define MAX_TRANSACTIONS 32 /* line accesses of one warp instruction: aligned elements never straddle a line */
#define DECODE_WIDTH 4
#define L0I_PENDING 4	 /* lines that fetches of a sub-core wait for at once (l0i.latency) */
#define COPY_GROUPS 64	 /* groups of asynchronous copies of a warp, the open one included */
#define GROUP_COPIES 255 /* copies of one group in flight */
/* Places for what an SM, an L2 slice and a DRAM channel count (counters.h). There are more than rows of stats.def, so
 * that a row more moves nothing behind them, and only those who name a counter are compiled again. */
#define SM_COUNTERS 160
#define SLICE_COUNTERS 32
#define CHANNEL_COUNTERS 16

enum stage {
#define STAGE(id, name, whose, run, doc) STAGE_##id,
#include "stages.def"
#undef STAGE
	STAGE_COUNT
};
enum warp_status {
#define STATUS(id, name, letter, doc) WARP_##id,
#include "status.def"
#undef STATUS
	WARP_STATUS_COUNT
};
enum slot_outcome {
#define OUTCOME(id, name, letter, doc) SLOT_##id,
#include "status.def"
#undef OUTCOME
	SLOT_OUTCOME_COUNT
};
/* Kinds of events (events.h) as a set. */
__extension__ typedef unsigned __int128 event_set;
#define EVENT_BIT(kind) ((event_set)1 << (kind))
#define MAX_EVENTS 128
#define NO_EVENT MAX_EVENTS

#define SCHEME_OWN 5 /* arrays that a policy may keep */
/* Policy hooks (policyslots.def), and the policies selected for them. */
enum policy_slot {
#define SLOT(id, name, kind, base, result, gets, keeps, why, doc) POLICY_##id,
#include "policyslots.def"
#undef SLOT
	POLICY_SLOTS
};
struct policy_choice {
	u64 in[POLICY_SLOTS]; /* hook of ONE: 1 + row of schemes.def, 0: the default; of a SET: bit set of rows */
};

/* Notices to which policies subscribe (notices.def). */
enum notice_kind {
#define NOTICE(id, whose, doc) NOTICE_##id,
#include "notices.def"
#undef NOTICE
	NOTICE_COUNT
};

#endif
