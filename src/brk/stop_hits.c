/*
 * stop_hits.c - all that met a stop in a cycle: a hit keeps the first of them and how many they were.
 *
 * The others of the present cycle are seen by running it a second time; each of its events is asked about alone. For
 * kinds that count cycles in a row, so many before it are run again, too.
 */
#include "hits.h"

/* Records of those that met a stop in a cycle. */
struct stop_hits_list {
	struct record *record;
	u32 n;
};

void stop_hits_add(struct session *s, const struct breakpoint *b, const struct record *r, struct hit *h)
{
	struct stop_hits_list *all = b->all;

	if (!breakpoint_holds(s, b, r))
		return;
	if (!h->met++)
		h->record = *r;
	if (!all)
		return;
	all->record = array_grow(all->record, all->n, sizeof(*all->record));
	all->record[all->n++] = *r;
}

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
	struct hit h = {.cycle = sim_clock(again)};

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

/* Ask a stop that counts cycles in a row about the present cycle, from a machine that is put into cycle `from`: who
 * meets it is entered into the list. */
static void ask_again(struct session *s, const struct breakpoint *b, u64 from, struct stop_hits_list *all)
{
	u64 now = timeline_now(s->timeline).cycle, cycle = from;
	struct breakpoint asked = *b;
	struct sim again;
	u32 applied;

	asked.streak = NULL;
	asked.start = NULL;
	asked.nstreaks = asked.nstarts = 0;
	asked.seen_from = asked.seen_to = 0;
	asked.known = false;
	asked.all = all;
	timeline_fork(s->timeline, (struct position){from, 0}, &again, &applied);
	b->kind->placed(s, &asked, &again);
	while (cycle < now && sim_clock(&again) == cycle) {
		struct hit h = {.cycle = cycle + 1};

		cycle++;
		timeline_follow(s->timeline, &again, &applied, (struct position){cycle, 0});
		sim_sync(&again);
		all->n = 0;
		b->kind->check(s, &asked, &again, &h);
	}
	if (cycle != now || sim_clock(&again) != now)
		all->n = 0;
	sim_close(&again);
	free(asked.streak);
	free(asked.start);
}

/* Those whose cycles in a row were enough in the present one: of runs that began so long ago, or, where the machine was
 * put into the cycle before, of those under way there. Only the first is known where neither are as many. */
static void add_streaks(struct session *s, const struct breakpoint *b, const struct hit *h, struct text *out)
{
	u64 now = timeline_now(s->timeline).cycle, back = min_u64(b->length, now);
	struct stop_hits_list all = {0};
	struct hit other = *h;

	if (h->met > 1)
		ask_again(s, b, now - min_u64(back + 1, now), &all);
	if (all.n != h->met && h->met > 1)
		ask_again(s, b, now - back, &all);
	if (!all.n || all.n != h->met) {
		add_met(s, b, h, out);
		if (h->met > 1)
			text_add(out, "  and %u more\n", h->met - 1);
	} else {
		for (u32 i = 0; i < all.n; i++) {
			other.record = all.record[i];
			add_met(s, b, &other, out);
		}
	}
	free(all.record);
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
		add_streaks(s, b, h, out);
		return max_u32(h->met, 1);
	}
	timeline_fork(s->timeline, (struct position){now - 1, 0}, &again, &applied);
	again.bus.want = breakpoint_events(b);
	timeline_follow(s->timeline, &again, &applied, (struct position){now, 0});
	n = add_events(s, b, &again, out);
	sim_close(&again);
	return n;
}
