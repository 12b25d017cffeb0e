/*
 * info_events.c - info events: the events of the last cycle.
 *
 * Records are kept only of kinds for which a consumer is registered. On first use all kinds are registered and the
 * cycle is replayed, which changes nothing but the records.
 */
#include "events.h"
#include "info.h"

/* Make the records of the last cycle available. */
static void info_events_have_records(struct session *s)
{
	event_set all = ALL_EVENTS;
	struct position now = timeline_now(s->timeline);

	if ((s->sim.bus.want & all) == all)
		return;
	s->sim.bus.want |= all;
	if (!now.cycle || now.stage)
		return;
	timeline_go(s->timeline, (struct position){.cycle = now.cycle - 1});
	timeline_go(s->timeline, now);
}

/* Whether a record is of the kind that was asked for. */
static bool info_events_wanted(const struct record *r, int kind)
{
	return kind < 0 || r->kind == kind;
}

/* info events [KIND] */
static enum status info_events_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	int kind = ntokens ? event_find(token->s, e) : -1;
	struct text line = {0};
	json_t *list;
	u32 n = 0;

	if (ntokens && kind < 0)
		return STATUS_USAGE;
	info_events_have_records(s);
	list = s->json ? json_array() : NULL;
	for (u32 i = 0; i < s->sim.bus.count; i++) {
		const struct record *r = &s->sim.bus.record[i];

		if (!info_events_wanted(r, kind))
			continue;
		n++;
		text_clear(&line);
		record_text(s, r, &line);
		session_print(s, "%s\n", line.s);
		json_array_append_new(list, record_json(r));
	}
	if (!n)
		session_print(s, "no events in this cycle\n");
	json_object_set_new(session_result(s), "events", list);
	text_free(&line);
	return STATUS_OK;
}

const struct info info_events = {
	.name = "events",
	.usage = "[KIND]",
	.doc = "events of the last cycle",
	.needs_machine = true,
	.run = info_events_run,
};
