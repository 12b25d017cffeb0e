/*
 * oldnames.h - former names of commands, settings, statistics, events, breakpoint kinds and policies.
 *
 * The table is oldnames.def. Every function that finds a row by its name asks here first.
 */
#ifndef OLDNAMES_H
#define OLDNAMES_H

#include "base.h"

enum name_kind {
	NAME_NONE,
	NAME_COMMAND,
	NAME_SETTING,
	NAME_STATISTIC,
	NAME_EVENT,
	NAME_BREAK,
	NAME_POLICY,
	NAME_KIND_COUNT
};

struct oldname {
	enum name_kind kind;
	const char *old;
	const char *today;
};

/* All rows, and how many there are. */
extern const struct oldname oldname_table[];
extern const u32 oldname_count;

/* Today's name for a former one of that kind, else the name as it was given. */
const char *name_today(enum name_kind kind, const char *name);

#endif
