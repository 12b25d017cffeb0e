/* stats_lines.h - the part of `stats` that shows instructions. */
#ifndef WARPSTEP_STATS_LINES_H
#define WARPSTEP_STATS_LINES_H

#include "sitting.h"
#include "command.h"

/* stats lines [KERNEL] */
enum status stats_lines(struct session *s, const struct arg *kernel, struct error *e);

#endif
