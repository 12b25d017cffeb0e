/*
 * other.h - a session of its own beside another, which nobody sees and which writes no file: a lesson's answers are
 * computed in one, `compare` has B's kernels, scenario or GPU in one.
 */
#ifndef WARPSTEP_OTHER_H
#define WARPSTEP_OTHER_H

#include "session.h"

/* An empty one; also after an error it is to be ended. */
enum status other_begin(const struct session *s, struct session *o, struct error *e);
void other_end(struct session *o);

/* What is otherwise on the stage of a session; NULL: it is as it is there. Paths and presets as they are typed. */
struct other_wish {
	const char *module;		/* a file of kernels in the place of that whose kernels are launched */
	const char *gpu;		/* a preset: as great a slice of it as the session's is of its own */
	const char *scenario;		/* all of it: the others are NULL */
	const char *run;		/* the number of a run of the sitting (runs.h): the others are NULL */
	u32 lines;			/* of the record that are run, the first ones; 0: all */
	const struct line_origin *from; /* of module and scenario; NULL: of the line that the session runs */
};
/* A session with such a stage and a machine at cycle 0, as `restart` would make that of s. What s has set is kept; what
 * it has done with its machine (`set var`, `preempt`) is not. Free it with other_free(). An error: such a stage cannot
 * be made. */
enum status other_make(struct session *s, const struct other_wish *w, struct session **out, struct error *e);
void other_free(struct session *o);

#endif
