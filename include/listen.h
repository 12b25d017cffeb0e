/*
 * listen.h - an observer of a simulator of its own is told of every instruction that is performed, and of what writes
 * values later than that.
 *
 * For forks (timeline_fork): nothing of it enters the machine, its values or its hash, and a fork of such a fork has no
 * listener. Only programs with values (PTX) perform anything; what listens must not move the simulator.
 */
#ifndef WARPSTEP_LISTEN_H
#define WARPSTEP_LISTEN_H

#include "front.h"
#include "sim.h"

/* An instruction of a warp that has just been performed: registers, predicates, shared and local memory are as it left
 * them. Global stores and atomics have not acted. */
struct performed {
	const struct sim *sim;
	u32 sm, context, pc;
	u32 waits; /* lanes of the mask that get their results later (landed) */
	const struct inst *in;
	const struct front_env *env;
	const struct front_result *result; /* mask: lanes that executed, or that wait in it for others (meet.h) */
};

struct listener {
	void *self;
	/* Not called if it has faulted or no lane executed it. */
	void (*performed)(void *self, const struct performed *p);
	/* At seal, in the order in which they act: a global store or atomic of an SM, before it does. */
	void (*writes)(void *self, const struct sim *s, u32 sm, const struct write_entry *w);
	/* Only now has instruction pc of a context given its results to the lanes in mask: a barrier with votes is
	 * complete, or lanes have come for which these have waited. */
	void (*landed)(void *self, const struct sim *s, u32 sm, u32 context, u32 pc, u32 mask);
};

/* From now on l is told; it must outlive s. NULL: nobody. */
void sim_listen(struct sim *s, const struct listener *l);

#endif
