/* walk.c - law 1: time is a place. Walks, stops and inputs against runs that only ever went forward. */
#include "counters.h"
#include "events.h"
#include "laws.h"
#include "machine.h"

#include <stdlib.h>

#define STOPS 400
#define BUDGET (64ULL << 20)

/* Order positions. */
static int position_order(const void *a, const void *b)
{
	const struct position *x = a, *y = b;

	if (x->cycle != y->cycle)
		return x->cycle < y->cycle ? -1 : 1;
	return (x->stage > y->stage) - (x->stage < y->stage);
}

/* n positions up to cycle `last`, in order, every second one inside a cycle. */
static void positions_draw(struct position *p, u32 n, u64 last, u64 seed)
{
	for (u32 i = 0; i < n; i++) {
		p[i].cycle = mix64(seed + i) % (last ? last : 1);
		p[i].stage = i % 2 ? mix64(seed + i + 1000) % STAGE_COUNT : 0;
	}
	qsort(p, n, sizeof(*p), position_order);
}

/* Prints at positions that come in order, without a timeline; lat_int is set to `edit` on the way at p[0] unless 0. */
static bool forward(const struct scene *c, const struct position *p, u32 n, u32 edit, struct print *out,
		    struct text *why)
{
	struct sim s;

	if (!lab_open(&s, c, &c->config, why))
		return false;
	for (u32 i = 0; i < n; i++) {
		lab_advance(&s, p[i].cycle);
		while (machine_gpu(s.m)->stage < p[i].stage)
			sim_stage(&s);
		if (!i && edit)
			sim_set(&s, SET_lat_int, edit, NULL);
		print_take(&s, &out[i]);
	}
	sim_close(&s);
	return true;
}

/* Go to a position and compare. */
static bool visit(struct timeline *t, struct sim *s, struct position to, const struct print *want, struct text *why)
{
	struct print got;

	timeline_go(t, to);
	print_take(s, &got);
	return print_same(want, &got, why);
}

/* Visit every position several times in a random order, with single steps back on the way. */
static bool wander(struct sim *s, struct timeline *t, const struct position *p, u32 n, const struct print *want,
		   struct text *why)
{
	for (u32 i = 0; i < 2 * n; i++) {
		u32 k = mix64(i) % n;

		if (!visit(t, s, p[k], &want[k], why))
			return false;
		if (i % 4 == 0 && p[k].cycle > 3)
			for (u32 back = 1; back <= 3; back++)
				timeline_go(t, (struct position){p[k].cycle - back, 0});
		if (i % 4 == 0 && !visit(t, s, p[k], &want[k], why))
			return false;
	}
	return true;
}

bool law_walk(struct scene *c, struct text *why)
{
	u32 n = c->thorough ? MOVES : 10;
	struct print *want = xcalloc(n, sizeof(*want)), end;
	struct position p[MOVES];
	struct timeline *t;
	struct sim s;
	bool good;

	good = lab_plain(c, &end, why);
	positions_draw(p, n, good ? end.at.cycle : 1, 1);
	good = good && forward(c, p, n, 0, want, why) && lab_open(&s, c, &c->config, why);
	if (good) {
		t = timeline_open(&s, BUDGET, 0);
		good = visit(t, &s, end.at, &end, why) && wander(&s, t, p, n, want, why);
		timeline_budget(t, 4ULL << 20, 97);
		good = good && wander(&s, t, p, n, want, why) && visit(t, &s, end.at, &end, why);
		timeline_close(t);
		sim_close(&s);
	}
	free(want);
	return good;
}

/* Fires when a CTA ends or a barrier releases its warps. */
static bool stop_after(void *self UNUSED, const struct sim *s)
{
	return s->bus.count > 0;
}

/* Stops of a run forward, at most STOPS of them; returns how many. */
static u32 stops_forward(struct timeline *t, const struct watcher *w, u64 limit, struct position *stop)
{
	u32 n = 0;

	while (n < STOPS && timeline_run(t, w, limit) == STOP_HIT)
		stop[n++] = timeline_now(t);
	return n;
}

/* Every stop again from the last to the first, then the start. */
static bool stops_backward(struct timeline *t, const struct watcher *w, const struct position *stop, u32 n,
			   struct text *why)
{
	while (n--) {
		enum stop_kind kind = timeline_reverse(t, w);
		u64 now = timeline_now(t).cycle;

		if (kind == STOP_HIT && now == stop[n].cycle)
			continue;
		text_add(why, "backwards stopped in cycle %llu (kind %d) instead of %llu", (unsigned long long)now,
			 kind, (unsigned long long)stop[n].cycle);
		return false;
	}
	if (timeline_reverse(t, w) == STOP_START)
		return true;
	text_add(why, "a stop before the first one, in cycle %llu", (unsigned long long)timeline_now(t).cycle);
	return false;
}

bool law_reverse(struct scene *c, struct text *why)
{
	event_set kinds = EVENT_BIT(EVENT_CTA_END) | EVENT_BIT(EVENT_RELEASE) | EVENT_BIT(EVENT_DIVERGE) |
			  EVENT_BIT(EVENT_KERNEL_END);
	struct watcher w = {.after_cycle = stop_after, .want = kinds, .next_cycle = NEVER};
	struct position stop[STOPS];
	struct timeline *t;
	struct sim s;
	bool good;
	u32 n;

	if (!lab_open(&s, c, &c->config, why))
		return false;
	t = timeline_open(&s, BUDGET, 0);
	n = stops_forward(t, &w, c->limit, stop);
	if (n > 30 && !c->thorough)
		n = 30;
	if (n)
		timeline_go(t, (struct position){stop[n - 1].cycle, 1});
	if (n && !timeline_now(t).stage)
		n--; /* at the end, where no stage follows: from there the last stop is the one before */
	good = stops_backward(t, &w, stop, n, why);
	timeline_close(t);
	sim_close(&s);
	return good;
}

bool law_journal(struct scene *c, struct text *why)
{
	struct input in = {.kind = INPUT_SETTING, .setting = SET_lat_int, .value = c->config.lat_int + 7};
	struct print want[6], end;
	struct position p[6];
	struct timeline *t;
	struct sim s;
	bool good;

	if (!lab_plain(c, &end, why))
		return false;
	/* what is changed may end the run earlier */
	positions_draw(p, ARRAY_LEN(p), end.at.cycle - end.at.cycle / 8, 77);
	if (!forward(c, p, ARRAY_LEN(p), in.value, want, why) || !lab_open(&s, c, &c->config, why))
		return false;
	t = timeline_open(&s, BUDGET, 0);
	timeline_go(t, p[0]);
	good = timeline_input(t, &in, NULL, NULL) == STATUS_OK;
	for (u32 i = 0; good && i < 3 * ARRAY_LEN(p); i++) {
		u32 k = mix64(i + 5) % ARRAY_LEN(p);

		good = visit(t, &s, p[k], &want[k], why);
	}
	timeline_forget(t, 0, p[0]);
	good = good && visit(t, &s, end.at, &end, why);
	timeline_close(t);
	sim_close(&s);
	return good;
}
