/* cmd_break.h - what `break`, `tbreak`, `watch` and `dprintf` have in common. */
#ifndef WARPSTEP_CMD_BREAK_H
#define WARPSTEP_CMD_BREAK_H

#include "breaks.h"
#include "command.h"

/* The command `break` or `tbreak`: make a stop and say it. */
enum status break_make(struct session *s, const struct args *a, bool temporary, struct error *e);
/* A stop is about to be typed: make the machine if there is none and it can be made, so that places are looked up at
 * once. */
void break_ready(struct session *s);

#endif
