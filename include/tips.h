/* tips.h - one command taught at a time (tips.def): `tip`, and a line of the greeting. */
#ifndef WARPSTEP_TIPS_H
#define WARPSTEP_TIPS_H

#include "base.h"

struct session;

struct tip {
	u32 command; /* enum command_id */
	const char *example, *text;
};
extern const struct tip tip_table[];
extern const u32 tip_count;

/* A line of the greeting: one of the tips whose command was never used, another every day. Nothing if all were. */
void tip_greet(struct session *s, u64 day);

#endif
