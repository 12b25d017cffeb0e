/* info_timeline.c - info timeline: where the machine is in time and what going back rests on. */
#include "info.h"

/* One line and its JSON member. */
static void info_timeline_number(struct session *s, json_t *result, const char *key, const char *label, u64 n,
				 const char *unit)
{
	session_print(s, "%-18s %s%s%s\n", label, thousands((i64)n), unit[0] ? " " : "", unit);
	member_int(result, key, n);
}

/* info timeline */
static void info_timeline_show(struct session *s)
{
	struct timeline_info t;
	json_t *result = session_result(s);
	struct position now = timeline_now(s->timeline), tip = timeline_tip(s->timeline);

	timeline_info(s->timeline, &t);
	info_timeline_number(s, result, "cycle", "cycle", now.cycle, "");
	if (now.stage && now.stage < STAGE_COUNT)
		session_print(s, "%-18s %s\n", "before stage", stage_table[now.stage].name);
	info_timeline_number(s, result, "tip", "latest cycle", tip.cycle, "");
	info_timeline_number(s, result, "inputs", "journaled inputs", t.inputs, "");
	info_timeline_number(s, result, "keyframes", "keyframes", t.keyframes, "");
	info_timeline_number(s, result, "oldest", "oldest keyframe", t.oldest, "");
	info_timeline_number(s, result, "newest", "newest keyframe", t.newest, "");
	info_timeline_number(s, result, "interval", "keyframe interval", t.interval, "cycles");
	info_timeline_number(s, result, "bytes", "memory used", t.bytes, "bytes");
	info_timeline_number(s, result, "budget", "memory budget", t.budget, "bytes");
	info_timeline_number(s, result, "snapshot_bytes", "last copy", t.snapshot_bytes, "bytes");
	session_print(s, "%-18s %.3g ms\n", "last copy took", t.snapshot_seconds * 1e3);
}

const struct info info_timeline = {.name = "timeline",
				   .doc = "position in time, keyframes, journaled commands",
				   .needs_machine = true,
				   .show = info_timeline_show};
