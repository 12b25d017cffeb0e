/*
 * capture.h - while curses has the terminal, whatever is written to standard output or error goes to a file in memory,
 * and from there to the console.
 */
#ifndef WARPSTEP_CAPTURE_H
#define WARPSTEP_CAPTURE_H

#include "session_data.h"

/* Lead descriptors 1 and 2 to the file; its descriptor, -1 if there can be none. */
int capture_open(void);
/* What was written since, to the console. */
void capture_drain(struct session *s);
/* The descriptors are the terminal's again. */
void capture_close(struct session *s);
#endif
