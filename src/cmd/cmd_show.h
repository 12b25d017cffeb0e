/* cmd_show.h - what the commands that name a pane have in common. */
#ifndef WARPSTEP_CMD_SHOW_H
#define WARPSTEP_CMD_SHOW_H

#include "command.h"

/* The pane of an argument; -1 with an error at its column. */
int pane_argument(const struct arg *a, struct error *e);

#endif
