/*
 * mechanisms.h - the published mechanisms that warpstep models: problem, idea, effect, paper, lesson.
 *
 * The table is mechanisms.def, which says what each column holds.
 */
#ifndef WARPSTEP_MECHANISMS_H
#define WARPSTEP_MECHANISMS_H

#include "base.h"

struct mechanism {
	const char *name, *title, *also, *brief, *policy, *problem, *idea, *scenario, *commands, *effect, *paper,
		*lesson;
};

extern const struct mechanism mechanism_table[];
extern const u32 mechanism_count;

/* Whether a mechanism is called so: its name, its title or one of its other names, capitals and small letters alike. */
bool mechanism_named(const struct mechanism *m, const char *name);

#endif
