/* trials.h - schemes in the rows for trials that other files than the table's decide for. */
#ifndef WARPSTEP_LAWS_TRIALS_H
#define WARPSTEP_LAWS_TRIALS_H

#include "policy.h"

#define TRIAL_WAY (SCHEME_COUNT + 3)
#define TRIAL_GANG (SCHEME_COUNT + 4)
#define TRIAL_JUMBLE (SCHEME_COUNT + 5)
#define TRIAL_RANDOM (SCHEME_COUNT + 6)

/* makeway.c */
u64 trial_due(const struct gpu_view *v, u64 from);
void trial_told(const struct gpu_view *v, const struct notice *n, struct scheme_bytes own);
u32 trial_partition(const struct sched_view *v, u32 launch);
void trial_preempt(const struct sched_view *v, const struct make_way *r, u8 *verdict);
bool trial_gang(const struct sched_view *v, const u64 *ready, u64 *gang);

/* preempted.c */
u64 trial_random_due(const struct gpu_view *v, u64 from);
u32 trial_random_partition(const struct sched_view *v, u32 launch);
void trial_random_preempt(const struct sched_view *v, const struct make_way *r, u8 *verdict);

/* virtual.c: CTAs change places at random. */
struct swap trial_jumble(const struct sched_view *v);

#endif
