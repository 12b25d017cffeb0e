/*
 * when.h - the stretches of cycles in which an expression holds, found in a fork that lives through them again.
 *
 * In cycle c an expression has the value that `print` gives at `goto c`. What it has none of (a register of a warp that
 * is not there) does not hold, and is counted.
 */
#ifndef WARPSTEP_WHEN_H
#define WARPSTEP_WHEN_H

#include "expr.h"

#define WHEN_KEPT (1u << 20) /* stretches, at the most; later ones are counted */

/* Cycles from..to, both in it. */
struct when_stretch {
	u64 from, to;
};

struct when {
	u64 from, to; /* cycles that were looked at; to < from: none */
	struct when_stretch *kept;
	u32 nkept;
	u64 n;	     /* stretches */
	u64 cycles;  /* in which it held */
	u64 without; /* in which it had no value */
	struct when_stretch first, last, longest;
	struct error why; /* of the first cycle in which it had none */
};

/* Look at cycles from..to; later than the program's end there are none. Neither the machine nor the timeline moves. An
 * error: interrupted, or there is no cycle `from`. when_free() in any case. */
enum status when_find(struct session *s, const struct expr *x, u64 from, u64 to, struct when *out, struct error *e);
void when_free(struct when *w);

#endif
