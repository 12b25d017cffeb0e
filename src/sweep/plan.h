/*
 * plan.h - a sweep as its points, each with the key of its job.
 */
#ifndef WARPSTEP_SWEEP_PLAN_H
#define WARPSTEP_SWEEP_PLAN_H

#include "sweep.h"
#include "sweeps.h"

#define KEY_DIGITS 16

struct plan_point {
	u32 value[SWEEP_AXES];
	char key[KEY_DIGITS + 1];
};
struct plan {
	char *name;	     /* of the sweep: its file's, without folder and ending */
	char *path, *file;   /* as it was typed, and as an absolute path */
	struct sweep *sweep; /* its axes */
	struct plan_point *point;
	u32 n;
	u64 cycles; /* limit of all jobs, 0: none */
};

/* The version of the program as results have it: two programs of one version give the same results. */
extern const char sweep_version[];

/* The axes and points of a file, without keys; of it as it is now. Free it with plan_free() in any case. */
enum status plan_open(struct session *s, const char *file, struct plan *p, struct error *e);
/* The keys of all points. */
enum status plan_keys(struct session *s, struct plan *p, struct error *e);
void plan_free(struct plan *p);
/* A session of its own at a point, set up but without a machine, and its key. After an error, too, it is to be ended
 * (other_end). */
enum status plan_session(struct session *s, const struct plan *p, u32 i, struct session *o, char key[KEY_DIGITS + 1],
			 struct error *e);
/* The key of a session that a sweep file has set up. */
enum status plan_key(struct session *o, char key[KEY_DIGITS + 1], struct error *e);
/* The values of a point as JSON: {"policy": "elf"}. */
json_t *plan_point_json(const struct sweep *w, const u32 value[SWEEP_AXES]);

#endif
