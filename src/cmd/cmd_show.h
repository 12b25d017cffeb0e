/* cmd_show.h - what the commands that name a pane have in common. */
#ifndef WARPSTEP_CMD_SHOW_H
#define WARPSTEP_CMD_SHOW_H

#include "command.h"

/* Completion of a pane's name, and the pane of an argument (-1 with an error at its column). */
const char *complete_pane(struct session *s, const char *partial, u32 index);
int pane_argument(const struct arg *a, struct error *e);

#endif
