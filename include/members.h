/* members.h - members of the JSON of what is printed. The object may be NULL (session_result() without -j): then
 * nothing happens. */
#ifndef WARPSTEP_MEMBERS_H
#define WARPSTEP_MEMBERS_H

#include "base.h"

#include <jansson.h>

static inline void member_int(json_t *o, const char *key, i64 n)
{
	if (o)
		json_object_set_new(o, key, json_integer(n));
}
static inline void member_real(json_t *o, const char *key, double x)
{
	if (o)
		json_object_set_new(o, key, json_real(x));
}
static inline void member_bool(json_t *o, const char *key, bool x)
{
	if (o)
		json_object_set_new(o, key, json_boolean(x));
}
/* NULL: null. */
static inline void member_text(json_t *o, const char *key, const char *text)
{
	if (o)
		json_object_set_new(o, key, text ? json_string(text) : json_null());
}

#endif
