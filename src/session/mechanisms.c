/* mechanisms.c - the published mechanisms: their table, and what they are called. */
#include "mechanisms.h"

const struct mechanism mechanism_table[] = {
#define MECHANISM(...) {__VA_ARGS__},
#include "mechanisms.def"
#undef MECHANISM
};
const u32 mechanism_count = ARRAY_LEN(mechanism_table);

bool mechanism_named(const struct mechanism *m, const char *name)
{
	return !strcasecmp(m->name, name) || !strcasecmp(m->title, name) || word_listed(m->also, name, strlen(name));
}
