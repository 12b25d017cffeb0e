/*
 * schemes.c - the table of schemes, from schemes.def.
 */
#include "policy.h"

#include <string.h>

const struct scheme *const scheme_table[SCHEME_COUNT] = {
#define SCHEME(id) [SCHEME_##id] = &scheme_##id,
#include "schemes.def"
#undef SCHEME
};

/* Does a scheme fill a slot of that name? */
static bool fills(const struct scheme *s, const char *slot)
{
	return !slot || (!strcmp(slot, "order") && s->order) || (!strcmp(slot, "extra") && s->extra) || (!strcmp(slot, "hold") && s->hold) ||
	       (!strcmp(slot, "rank") && s->rank) || (!strcmp(slot, "fetch") && s->fetch) ||
	       (!strcmp(slot, "assign") && s->assign);
}

int scheme_find(const char *slot, const char *name, struct error *e)
{
	const char *names[SCHEME_COUNT];
	u32 n = 0;
	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		if (!fills(scheme_table[i], slot))
			continue;
		if (!strcmp(scheme_table[i]->name, name))
			return (int)i;
		names[n++] = scheme_table[i]->name;
	}
	const char *near = nearest_name(name, names, n);
	error_set(e, STATUS_FAILED, "no policy '%s'%s%s%s%s%s", safe_text(name), slot ? " for slot " : "",
		  slot ? slot : "", near ? "; did you mean '" : "; `info policy` lists them", near ? near : "",
		  near ? "'?" : "");
	return -1;
}
