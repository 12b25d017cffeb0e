/*
 * sweeps.h - the jobs of a sweep file: listed, run, recorded, merged, and their results queried.
 *
 * A job is a point of a sweep (sweep.h). Its key is a hash of everything that decides its result; what it has come to
 * is a row with that key in a database (SQLite), there once and whole or not at all.
 */
#ifndef WARPSTEP_SWEEPS_H
#define WARPSTEP_SWEEPS_H

#include "session.h"

enum sweeps_what {
	SWEEPS_NONE,
	SWEEPS_JOBS,	/* list the jobs of `file` */
	SWEEPS_RUN_JOB, /* run the one with `key` */
	SWEEPS_SWEEP,	/* run those that have no row yet, side by side */
	SWEEPS_MERGE,	/* rows of other databases into `results` */
	SWEEPS_QUERY,	/* print what `rest` asks for */
	SWEEPS_ROW	/* open the machine of the row with `key` */
};

/* What the command line asks for. */
struct sweeps {
	enum sweeps_what what;
	const char *file, *key, *results, *chart, *hosts; /* NULL: not given */
	u32 shard, shards;				  /* of the points those with number % shards + 1 == shard */
	u32 workers;					  /* jobs side by side; 0: one for each processor */
	u64 memory;					  /* bytes that a job may have; 0: no limit */
	bool csv, slurm;
	bool alone;	   /* without GNU parallel, even if it is there */
	char *owned;	   /* results, where they are not the command line's */
	char *const *rest; /* words behind the options */
	u32 nrest;
};

/* Do it; the exit status of the program. Not for SWEEPS_ROW. */
int sweeps_run(struct session *s, struct sweeps *x);
/* Set the session up as that of a row, at its end. */
enum status sweeps_open_row(struct session *s, struct sweeps *x, struct error *e);

#endif
