/*
 * cast.h - the screen as a recording: asciicast, version 2 (docs.asciinema.org/manual/asciicast/v2): a line of JSON
 * with the size, then one for each change: its time in seconds, "o" and the bytes that a terminal is sent, "r" and a
 * new size.
 */
#ifndef WARPSTEP_CAST_H
#define WARPSTEP_CAST_H

#include "pane.h"

struct cast;

/* A frame of the full screen with its cursor, shown now: the recording's time is the clock's. */
void cast_show(struct session *s, const struct canvas *c, u32 x, u32 y);
/* A line is about to be run, or has been (done; session.h): without a full screen these are the frames. */
void cast_line(struct session *s, const struct command *command, const char *line, bool done);

#endif
