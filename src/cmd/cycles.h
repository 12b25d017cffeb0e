/* cycles.h - cycles that a command's words name. */
#ifndef WARPSTEP_CYCLES_H
#define WARPSTEP_CYCLES_H

#include "session.h"
#include "token.h"

/* A cycle: a number, a time with its unit, or an expression of one word. */
enum status cycle_take(struct session *s, const struct token *t, u64 *cycle, struct error *e);
/* [from CYCLE] [to CYCLE] of n tokens; what is not named stays. */
enum status cycles_take(struct session *s, const struct token *t, u32 n, u64 *from, u64 *to, struct error *e);

#endif
