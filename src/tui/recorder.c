/*
 * recorder.c - the records of the newest cycles, for the events pane: a simulator of its own follows the session's with
 * every kind of event switched on, so that the session's need not record.
 *
 * It is a cache, a function of the position: going back or an input makes it begin anew from a keyframe. A cycle stands
 * by the number of cycles that are complete after it. A cycle that is not complete has no records here.
 */
#include "events.h"
#include "recorder.h"
#include "session.h"

#define CYCLES 32u /* that are kept */
#define FAR 512u   /* cycles ahead from which a keyframe may be nearer than the follower */

struct recorder {
	struct sim sim;
	bool open;
	u32 applied;
	struct era era;
	u64 from; /* first cycle recorded */
	struct cycle_record *record;
	u32 count, room;
};

void recorder_close(struct recorder *r)
{
	if (r && r->open)
		sim_close(&r->sim);
	if (r) {
		r->open = false;
		r->count = 0;
	}
}

void recorder_free(struct recorder *r)
{
	recorder_close(r);
	if (r)
		free(r->record);
	free(r);
}

/* Begin anew at a cycle. */
static void begin(struct recorder *r, const struct session *s, u64 cycle)
{
	recorder_close(r);
	timeline_fork(s->timeline, (struct position){cycle, 0}, &r->sim, &r->applied);
	r->era = session_era(s);
	r->open = true;
	r->from = sim_clock(&r->sim);
	r->sim.bus.want = ALL_EVENTS;
}

/* Keep the records of the cycle that the follower has just completed. */
static void take(struct recorder *r)
{
	const struct bus *b = &r->sim.bus;

	if (r->count + b->count > r->room) {
		r->room = 2 * (r->count + b->count);
		r->record = xrealloc(r->record, r->room * sizeof(*r->record));
	}
	for (u32 i = 0; i < b->count; i++)
		r->record[r->count++] = (struct cycle_record){.cycle = sim_clock(&r->sim), .record = b->record[i]};
}

/* Forget what is older than the cycles kept. */
static void drop_old(struct recorder *r, u64 now)
{
	u32 old = 0;

	while (old < r->count && r->record[old].cycle + CYCLES <= now)
		old++;
	r->count -= old;
	if (old && r->count)
		memmove(r->record, r->record + old, r->count * sizeof(*r->record));
	if (now > r->from + CYCLES)
		r->from = now - CYCLES;
}

const struct cycle_record *recorder_read(struct recorder **slot, const struct session *s, u32 *n)
{
	struct recorder *r = *slot ? *slot : (*slot = xcalloc(1, sizeof(*r)));
	u64 now = sim_clock(&s->sim), first = now > CYCLES ? now - CYCLES : 0;
	u64 at = r->open ? sim_clock(&r->sim) : 0;

	if (!r->open || !session_era_holds(s, r->era) || at > now || now - at > FAR || r->from > first)
		begin(r, s, first);
	at = sim_clock(&r->sim);
	if (at < first) {
		r->sim.bus.want = 0;
		timeline_follow(s->timeline, &r->sim, &r->applied, (struct position){first, 0});
		r->sim.bus.want = ALL_EVENTS;
	}
	for (u64 cycle = sim_clock(&r->sim); cycle < now; cycle++) {
		timeline_follow(s->timeline, &r->sim, &r->applied, (struct position){cycle + 1, 0});
		if (sim_clock(&r->sim) != cycle + 1)
			break;
		take(r);
	}
	drop_old(r, now);
	*n = r->count;
	return r->record;
}
