/* history.h - what the warps and schedulers of one SM did in the cycles around now (history.c). */
#ifndef WARPSTEP_HISTORY_H
#define WARPSTEP_HISTORY_H

#include "spark.h"

#define HISTORY_MOST 65536u /* cycles that can be asked for at once */

struct history;

/* Know the cycles from..to of an SM, as far as they were simulated; *slot is made when it is NULL. False: interrupted.
 */
bool history_read(struct history **slot, const struct session *s, u32 sm, u64 from, u64 to);
/* The cycles that are known, both included. */
u64 history_from(const struct history *h);
u64 history_to(const struct history *h);
/* In a known cycle: the status of a context (WARP_STATUS_COUNT: not resident), the outcome of a scheduler of the SM
 * (SLOT_OUTCOME_COUNT: it had no slot), whether it is in a gang with the context before and in the same status, thread
 * instructions that the SM issued. */
u8 history_status(const struct history *h, u64 cycle, u32 warp);
bool history_joined(const struct history *h, u64 cycle, u32 warp);
u8 history_outcome(const struct history *h, u64 cycle, u32 sched);
u32 history_issued(const struct history *h, u64 cycle);
/* The numbers of the session's spark lines after a known cycle (spark.h). */
double *history_sample(const struct history *h, u64 cycle);
/* The engine's own count of the SM's scheduler slots up to a known cycle. */
u64 history_slots(const struct history *h, u64 cycle);
/* The machine is gone; and for good. */
void history_close(struct history *h);
void history_free(struct history *h);
/* Where the session keeps its history. */
struct history **panes_history(struct session *s);

#endif
