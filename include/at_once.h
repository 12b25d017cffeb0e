/*
 * at_once.h - one instruction of one warp whose result is there early: what would be if its latency were 0, or shorter?
 *
 * For forks (timeline_fork): a simulator without one is as it ever was, and a fork of such a fork has none. The
 * instruction issues, takes its collector unit, its port, its lines and its MSHRs as ever, and is written when it would
 * have been; but nothing waits for its registers. So only what hangs on the answer changes.
 */
#ifndef WARPSTEP_AT_ONCE_H
#define WARPSTEP_AT_ONCE_H

#include "sim.h"

struct at_once {
	u32 sm, context;
	u32 launch, cta; /* of the context then */
	u32 ordinal;	 /* the context issues so many others first (warp.issued), */
	u32 pc;		 /* and then this instruction */
	bool later;	 /* the registers are not there at the issue, but when sim_answer_early() says so */
	u32 load;	 /* its entry of the table of loads, NONE32: none, or not issued */
	bool issued, early, is_long, answered, written; /* early: the registers are there; answered: its load's last
							   line has come; written: its result has come as ever */
};

/* From now on it holds in s, which it must outlive, and which has not issued the instruction. */
void sim_at_once(struct sim *s, struct at_once *x);
/* Between two cycles, behind the issue: from the next one on nothing waits for its registers any more. */
void sim_answer_early(struct sim *s);

#endif
