/* job.h - a job run in a process of its own, which may be killed without harm. */
#ifndef WARPSTEP_SWEEP_JOB_H
#define WARPSTEP_SWEEP_JOB_H

#include "rows.h"

/* Run the job of point i. Its row as a line of JSON (xmalloc'ed); an error: it has none, because the point has another
 * key now, cannot be set up, or its process was killed by somebody. */
enum status job_run(struct session *s, const struct sweeps *x, const struct plan *p, u32 i, const char *key,
		    char **line, struct error *e);
/* Hold the job of a key, so that nobody else runs it meanwhile; a number to let it go with, -1 with an error. Whoever
 * ends, however, holds nothing any more. */
int job_hold(const char *results, const char *key, struct error *e);
void job_drop(int held);

#endif
