/* info_stop.c - info stop: all that met the stops at which the machine stands, one line each. */
#include "info.h"

/* One stop, if it was met in this cycle. */
static bool info_stop_one(struct session *s, struct breakpoint *b, json_t *list)
{
	struct text lines = {0}, what = {0};
	u32 n = breakpoint_met_now(s, b, &lines);

	if (n) {
		breakpoint_text(b, &what);
		session_print(s, "%u hit breakpoint %u (%s) in this cycle:\n%s", n, b->number, what.s, lines.s);
		json_array_append_new(
			list, json_pack("{s:i,s:i,s:s}", "number", (int)b->number, "met", (int)n, "lines", lines.s));
	}
	text_free(&lines);
	text_free(&what);
	return n;
}

/* info stop */
static void info_stop_show(struct session *s)
{
	json_t *list = s->json ? json_array() : NULL;
	bool any = false;

	for (u32 i = 0; i < s->breaks->n; i++)
		any |= info_stop_one(s, s->breaks->list[i], list);
	if (!any)
		session_print(s, "no breakpoint was hit in this cycle (`info breakpoints` lists them)\n");
	json_object_set_new(session_result(s), "stops", list);
}

const struct info info_stop = {
	.name = "stop",
	.doc = "all warps and events that hit a breakpoint in the current cycle",
	.needs_machine = true,
	.show = info_stop_show,
};
