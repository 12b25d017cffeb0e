/*
 * parts.h - what is saved if one part of a critical path alone is free, by experiment.
 */
#ifndef WARPSTEP_PARTS_H
#define WARPSTEP_PARTS_H

#include "critical.h"

#define PART_LEAST 5 /* percent of the cycles that a part must be to be tried */

/* Run the kernel alone as it is, then with each of the path's large parts free, into c. Not all may have run
 * (c->measured); an error: none has. */
enum status parts_measure(struct session *s, struct critical *c, void (*tell)(struct session *s, u32 done, u32 n),
			  struct error *e);
/* Make a part take no time (critical.def); false: nothing does so on this machine. */
bool part_free(enum critical_reason reason, struct config *c);

#endif
