/*
 * livelock_past.c - since when a livelock has been there.
 *
 * The states of one round of every warp are collected in a set. Then the past is replayed in a fork, further and
 * further back: the answer is the last cycle in which a value, a CTA or a warp's end changed anything, or a warp came
 * into its round.
 */
#include "events.h"
#include "machine.h"
#include "livelock.h"

#include "timeline.h"

#define MOST_STATES (1u << 20)
#define MOST_REPLAYED 262144

/* A set of states: open addressing, 0 empty. */
struct set {
	u64 *key;
	u32 room; /* a power of two */
};

/* The state of a warp, told from those of others. */
static u64 state_key(const struct sim *sim, u32 sm, u32 context)
{
	return (livelock_hash(sim, sm, context) ^ mix64((u64)sm << 16 | context)) | 1;
}

/* Where a key is, or would be. */
static u64 *place_of(const struct set *s, u64 key)
{
	u32 i = (u32)(mix64(key) & (s->room - 1));

	while (s->key[i] && s->key[i] != key)
		i = (i + 1) & (s->room - 1);
	return &s->key[i];
}

/* Warps that go round, and the instructions of their rounds in all; *left: of each. */
static u64 rounds_of(const struct livelock_watch *p, u64 *left)
{
	u32 contexts = p->fork.m->contexts;
	u64 sum = 0;

	for (u32 i = 0; i < p->fork.m->config.gpu_sms * contexts; i++) {
		left[i] = livelock_state_of(p, i / contexts, i % contexts) == LIVELOCK_ROUND ? p->warp[i].period : 0;
		sum += left[i];
	}
	return sum;
}

/* Collect the states of one round of every warp. */
static bool collect(struct livelock_watch *p, struct set *s)
{
	u32 contexts = p->fork.m->contexts;
	u64 *left = xcalloc(p->fork.m->config.gpu_sms * contexts, sizeof(*left)), sum = rounds_of(p, left);
	u64 last = machine_gpu(p->fork.m)->cycle + LIVELOCK_MOST;

	for (s->room = 64; s->room < 2 * sum && s->room < 2 * MOST_STATES;)
		s->room *= 2;
	s->key = xcalloc(s->room, sizeof(*s->key));
	while (sum && sum <= MOST_STATES && machine_gpu(p->fork.m)->cycle < last && !timeline_interrupt) {
		if (sim_skip(&p->fork, last) < last)
			livelock_cycle(p);
		for (u32 i = 0; i < p->fork.bus.count; i++) {
			const struct record *r = &p->fork.bus.record[i];
			u64 key, *mine;

			if (r->kind != EVENT_ISSUE)
				continue;
			mine = &left[r->sm * contexts + r->warp];
			if (!*mine)
				continue;
			key = state_key(&p->fork, r->sm, r->warp);
			*place_of(s, key) = key;
			--*mine;
			sum--;
		}
	}
	free(left);
	return !sum;
}

/* What the replayed past has told so far. */
struct past {
	struct livelock_watch spin;
	bool *out; /* by SM and context: not in its round */
	u64 since;
};

/* One cycle of the past. */
static void past_cycle(struct past *past, const struct set *s, u64 cycle, bool changed)
{
	const struct sim *sim = &past->spin.fork;

	if (changed)
		past->since = cycle;
	for (u32 i = 0; i < sim->bus.count; i++) {
		const struct record *r = &sim->bus.record[i];
		bool in;

		if (r->kind != EVENT_ISSUE)
			continue;
		in = *place_of(s, state_key(sim, r->sm, r->warp)) != 0;
		if (!in || past->out[r->sm * sim->m->contexts + r->warp])
			past->since = cycle;
		past->out[r->sm * sim->m->contexts + r->warp] = !in;
	}
}

/* Replay from a cycle on; the last one in which things were not yet as they are, `from` if there was none. */
static u64 replay(const struct timeline *t, const struct set *s, u64 from, u64 now)
{
	struct past past = {.since = from};
	u32 applied, before;

	timeline_fork(t, (struct position){from, 0}, &past.spin.fork, &applied);
	livelock_attach(&past.spin);
	past.out = xcalloc(past.spin.fork.m->config.gpu_sms * past.spin.fork.m->contexts, sizeof(*past.out));
	for (u64 c = from; c < now && !timeline_interrupt; c++) {
		bool changed;

		before = applied;
		timeline_follow(t, &past.spin.fork, &applied, (struct position){c, STAGE_SEAL});
		changed = livelock_before_seal(&past.spin);
		timeline_follow(t, &past.spin.fork, &applied, (struct position){c + 1, 0});
		changed |= livelock_after_seal(&past.spin) || applied != before;
		past_cycle(&past, s, c + 1, changed);
	}
	free(past.out);
	livelock_close(&past.spin);
	return past.since;
}

u64 livelock_since(struct livelock_watch *p, const struct timeline *t, u64 now)
{
	struct set s = {0};
	u64 since = NEVER;

	if (p->verdict == LIVELOCK_PROVEN && collect(p, &s))
		for (u64 back = 256; back <= MOST_REPLAYED && since == NEVER && !timeline_interrupt; back *= 32) {
			u64 from = now > back ? now - back : 0, last = replay(t, &s, from, now);

			if (last > from || !from)
				since = last;
		}
	free(s.key);
	return timeline_interrupt ? NEVER : since;
}
