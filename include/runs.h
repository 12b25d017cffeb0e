/*
 * runs.h - the machines of a sitting that have come to their ends: what they were made of and what came of them, so
 * that a later version of a kernel, or a later setting, can be compared with an earlier one.
 *
 * What is declared (modules, buffers, launches) is kept with them: files may be others by now. The same machine again
 * is the same run.
 */
#ifndef WARPSTEP_RUNS_H
#define WARPSTEP_RUNS_H

#include "session.h"

/* What a machine was made of. */
struct run_setup {
	struct config config;
	struct policy_choice policy;
	struct gpu_choice gpu;
};
/* What came of it. */
struct run_result {
	u64 cycles, issued; /* warp instructions */
	enum stop_kind ended;
	struct judged judged; /* the scenario's checks */
};
struct run {
	u32 number, version; /* from 1; of runs.version */
	struct run_setup setup;
	struct run_result end;
	u64 revision, key; /* of the scene; equal for the same machine */
	u32 launches;
	u32 changes;	/* made on the way: there is no such machine from its start */
	char limit[80]; /* what bounds it; empty: not known yet */
};
/* What is declared, of one reading of the files. */
struct run_version {
	struct scene *scene;	 /* NULL: not kept any more */
	struct sources *sources; /* texts of the CUDA source; NULL: the session's, whose scene it is */
	char *file;		 /* name of the first module whose kernels are launched */
	u64 hash;		 /* of the texts of all of them; 0: they have none */
};
struct runs {
	struct run *run;
	u32 n, made; /* the last of those that were made are kept */
	struct run_version *version;
	u32 nversion;
};

/* The session's machine has come to its end. Its number, 0: it is not kept (a rehearsal). */
u32 runs_note(struct session *s, enum stop_kind why);
/* What its checks have come to. */
void runs_judged(struct session *s, u32 number, const struct judged *j);
/* What bounds it. */
void runs_bounded(struct session *s, u32 number, const char *limit);
/* What the session's machine is; what `restart` would make. */
void runs_setup_machine(const struct session *s, struct run_setup *out);
void runs_setup_now(const struct session *s, struct run_setup *out);
/* A machine of the session's scene has come to its end elsewhere. */
void runs_add(struct session *s, const struct run_setup *x, const struct run_result *end);
/* A run of that, from its start to its end, that is known; NULL: none is. */
const struct run *runs_known(const struct session *s, const struct run_setup *x);
/* The run that the session's machine would repeat if it were made again, NULL: none. */
const struct run *runs_present(const struct session *s);
/* The session is about to get another scene: what its runs need of the old one stays. */
void runs_leave(struct session *s);
/* "run 3 (tile.ptx v2)"; "tile.ptx v2"; what was changed since the run before it. */
void runs_text(const struct session *s, const struct run *x, struct text *out);
void runs_version_text(const struct session *s, const struct run *x, struct text *out);
void runs_changes_text(const struct session *s, const struct run *x, struct text *out);
/* The run of a number as it is typed, NULL: there is none, with an error. */
const struct run *runs_find(const struct session *s, const char *number, struct error *e);
/* An error: there can be no such machine any more. */
enum status runs_makeable(const struct session *s, const struct run *x, struct error *e);
/* A session of its own with the machine of a run at cycle 0; free it with other_free(). */
enum status runs_session(struct session *s, const struct run *x, struct session **out, struct error *e);
void runs_free(struct session *s);

#endif
