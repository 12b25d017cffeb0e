/* drive.h - the jobs of a sweep: their commands, one of them run, all of them run side by side. */
#ifndef WARPSTEP_SWEEP_DRIVE_H
#define WARPSTEP_SWEEP_DRIVE_H

#include "job.h"

/* The command of a job, for a shell. results: where its row goes, "-": to standard output. */
void drive_command(const struct session *s, const struct sweeps *x, const struct plan *p, u32 i, const char *results,
		   struct text *out);
/* Is point i one of the shard that was asked for? */
static inline bool drive_shard(const struct sweeps *x, u32 i)
{
	return !x->shards || i % x->shards + 1 == x->shard;
}
/* Run the job of point i, and record it; nothing if it is recorded already. */
enum status drive_job(struct session *s, const struct sweeps *x, struct plan *p, u32 i, const char *key,
		      const char *results, struct error *e);
/* Run those that are missing, side by side. */
enum status drive_sweep(struct session *s, const struct sweeps *x, struct plan *p, struct rows *r, struct error *e);

#endif
