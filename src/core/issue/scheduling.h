/* scheduling.h - what one scheduler goes by in a cycle, between the issue stage and gangs. For src/core only. */
#ifndef WARPSTEP_SCHEDULING_H
#define WARPSTEP_SCHEDULING_H

#include "issue/issue.h"

/* One scheduler in a cycle. Sets have as many words as those of the machine's slots. */
struct scheduling {
	struct sm_view *v;
	const struct sched_view *look; /* everything that a policy may look at */
	struct sub *sub;
	struct sched *sched;
	u64 ready[SLOT_WORDS], accepted[SLOT_WORDS], candidates[SLOT_WORDS];
};

/* issue.c: candidates out of the ready slots of its pool, in c->ready, and the statuses of those left out; false: none.
 * What was said of ready slots is forgotten, for they are looked at again. A slot is chosen: it leaves `ready`, and the
 * statuses follow; it does not act yet. */
bool scheduling_narrow(struct scheduling *c);
void scheduling_forget(struct sm_view *v, const u64 *ready);
/* Slots whose next instruction needs a branch unit leave a set. */
void scheduling_leave_branches(const struct sm_view *v, u64 *slots);
void scheduling_take(struct scheduling *c, u64 *ready, u32 slot);

#endif
