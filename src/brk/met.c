/*
 * met.c - all that met a stop in a cycle: a hit keeps the first of them and how many they were.
 *
 * The others of the present cycle are seen by running it a second time; each of its events is asked about alone. Of
 * kinds that are not about events only the first is known.
 */
#include "hits.h"

u64 breakpoint_met(const struct session *s, const struct breakpoint *b)
{
	u64 hits = breakpoint_hits(s, b), n = 0;

	for (u64 i = 0; i < hits; i++)
		n += max_u32(hits_first(b)[i].met, 1);
	return n;
}

/* One line. */
static void add_met(const struct session *s, const struct breakpoint *b, const struct hit *h, struct text *out)
{
	text_add(out, "  ");
	b->kind->describe(s, b, h, out);
	text_add(out, "\n");
}

/* Those among the events of a cycle that has been run again. */
static u32 add_events(struct session *s, struct breakpoint *b, struct sim *again, struct text *out)
{
	struct record *all = again->bus.record;
	u32 count = again->bus.count, n = 0;
	struct hit h = {.cycle = machine_gpu(again->m)->cycle};

	again->bus.count = 1;
	for (u32 i = 0; i < count; i++) {
		again->bus.record = &all[i];
		if (!b->kind->check(s, b, again, &h))
			continue;
		add_met(s, b, &h, out);
		n++;
	}
	again->bus.record = all;
	again->bus.count = count;
	return n;
}

u32 breakpoint_met_now(struct session *s, struct breakpoint *b, struct text *out)
{
	u64 now = timeline_now(s->timeline).cycle;
	const struct hit *h = now ? hits_at(b, now) : NULL;
	struct sim again;
	u32 applied, n;

	if (!h || !b->resolved)
		return 0;
	if (b->kind->check != records_check) {
		add_met(s, b, h, out);
		if (h->met > 1)
			text_add(out, "  and %u more\n", h->met - 1);
		return max_u32(h->met, 1);
	}
	timeline_fork(s->timeline, (struct position){now - 1, 0}, &again, &applied);
	again.bus.want = b->kind->want(b);
	timeline_follow(s->timeline, &again, &applied, (struct position){now, 0});
	n = add_events(s, b, &again, out);
	sim_close(&again);
	return n;
}
