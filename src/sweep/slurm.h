/* slurm.h - the jobs of a sweep as a job array of Slurm. */
#ifndef WARPSTEP_SWEEP_SLURM_H
#define WARPSTEP_SWEEP_SLURM_H

#include "drive.h"

/* Submit those that are missing, and a job behind them that merges their rows into the database. */
enum status slurm_submit(struct session *s, const struct sweeps *x, struct plan *p, struct rows *r, struct error *e);
/* The rows that the tasks of an array have left in its folder; those that Slurm has killed get theirs. */
enum status slurm_merge(const struct rows *r, const char *folder, struct error *e);

#endif
