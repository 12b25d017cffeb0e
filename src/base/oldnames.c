/* oldnames.c - former names, and what they are called today. */

#include "oldnames.h"

const struct oldname oldname_table[] = {
#define OLDNAME(kind, old, today) {NAME_##kind, old, today},
#include "oldnames.def"
#undef OLDNAME
	{NAME_NONE, "", ""}, /* the end: a table without rows is none in C */
};
const u32 oldname_count = ARRAY_LEN(oldname_table) - 1;

const char *name_today(enum name_kind kind, const char *name)
{
	for (u32 i = 0; i < oldname_count; i++)
		if (oldname_table[i].kind == kind && !strcmp(oldname_table[i].old, name))
			return oldname_table[i].today;
	return name;
}
