/*
 * critical.h - the chain of events that decided when a kernel ended, backwards from its last retired CTA.
 *
 * The kernel runs again in a fork that is watched. Each issue remembers what came last of all that it had to wait for:
 * the instruction whose result it reads, the warp that was chosen instead, the last to arrive at a barrier, who left a
 * collector unit, the CTA whose end made room. Followed back from the end, these are stretches that leave no gap.
 */
#ifndef WARPSTEP_CRITICAL_H
#define WARPSTEP_CRITICAL_H

#include "session_data.h"

enum critical_reason {
#define REASON(id, ...) CRITICAL_##id,
#include "critical.def"
#undef REASON
	CRITICAL_REASONS
};
struct critical_row {
	const char *name, *free, *doc; /* free: what makes it take no time (critical.def) */
	char letter;
};
extern const struct critical_row critical_table[CRITICAL_REASONS];

/* The cycles (from, to]. */
struct critical_stretch {
	u64 from, to;
	u32 pc;	      /* of the instruction that issues, or is waited for; NONE32: none */
	u32 cta;      /* and its CTA, NONE32 */
	u16 sm, warp; /* whose it is, NONE16: nobody's */
	u8 reason, launch;
	u8 spare[2];
};
struct critical {
	struct critical_stretch *stretch; /* in the order of time */
	u32 n;
	u32 launch;
	u64 first, end; /* the kernel's cycles are (first, end], and so are all stretches together */
	struct era era; /* for which it holds */
	/* What an experiment says of a part (parts.h): the kernel's cycles alone, as it is and with that part free. */
	bool measured;		       /* none wait */
	u64 alone;		       /* 0: it was not run, or comes to no end */
	u64 without[CRITICAL_REASONS]; /* 0: none, as it was not tried or does not end */
};
/* The path of a launch, run to its end in a fork. An error: it has none, or was interrupted. */
enum status critical_find(struct session *s, u32 launch, struct critical *out, struct error *e);
void critical_free(struct critical *c); /* and what it is in */
/* Does a path still hold? */
bool critical_holds(const struct session *s, const struct critical *c);
/* The cycles of the path by reason. */
void critical_sums(const struct critical *c, u64 *sum);
/* The stretch that holds a cycle, NULL: none. */
const struct critical_stretch *critical_at(const struct critical *c, u64 cycle);

/* A part of the path as people read it: so many times the same stretches, one after the other. */
struct fold {
	u32 first, length, times; /* stretches [first, first + length), and again */
	u64 cycles;		  /* of all */
};
/* Fold the path; free() them. */
struct fold *critical_fold(const struct critical *c, const struct program *p, u32 *n);

#endif
