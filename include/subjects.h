/*
 * subjects.h - the subjects of the command `info`, for the manual.
 */
#ifndef WARPSTEP_SUBJECTS_H
#define WARPSTEP_SUBJECTS_H

#include "base.h"

/* The i-th subject: its name, what may follow, what it prints. NULL after the last. */
const char *info_subject(u32 i, const char **usage, const char **doc);

#endif
