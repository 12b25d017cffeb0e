/*
 * timeline.c - the verbs of time (timeline.h).
 *
 * A position (cycle, stage) stands for the state after the inputs journaled there. A replay begins at least one cycle
 * before its target, so that the bus holds the records of the cycle shown.
 */
#include "machine.h"
#include "move.h"

#include <stdlib.h>

volatile int timeline_interrupt;
bool (*timeline_attend)(void);

bool timeline_stops(void)
{
	return timeline_interrupt && (!timeline_attend || timeline_attend());
}

struct position timeline_now(const struct timeline *t)
{
	const struct gpu *g = machine_gpu(t->sim->m);

	return (struct position){g->cycle, g->stage};
}

struct position timeline_tip(const struct timeline *t)
{
	return t->tip;
}

/* Take in where the machine has come to. */
static void tip_update(struct timeline *t)
{
	struct position now = timeline_now(t);

	if (position_before(t->tip, now))
		t->tip = now;
}

struct timeline *timeline_open(struct sim *s, u64 budget_bytes, u64 interval)
{
	struct timeline *t = xcalloc(1, sizeof(*t));

	t->sim = s;
	t->frames.budget = budget_bytes;
	t->pace.interval = interval;
	t->tip = timeline_now(t);
	t->pace.since = t->tip.cycle;
	keyframes_lay(&t->frames, s, &(struct moment){.focus = t->tip.cycle});
	return t;
}

void timeline_close(struct timeline *t)
{
	if (!t)
		return;
	keyframes_free(&t->frames);
	journal_free(&t->journal);
	free(t);
}

void timeline_budget(struct timeline *t, u64 budget_bytes, u64 interval)
{
	t->frames.budget = budget_bytes;
	t->pace.interval = interval;
	keyframes_thin(&t->frames, t->sim, timeline_now(t).cycle);
}

void timeline_enable(struct timeline *t)
{
	t->pace.enabled = true;
}

/* A keyframe between now and a target known already: as good as having run there. */
static void leap(struct timeline *t, struct position target)
{
	u32 i = keyframes_before(&t->frames, target);

	if (t->frames.item[i].at.cycle > timeline_now(t).cycle + pace_least(&t->pace, &t->frames))
		move_restore(t, i);
}

enum stop_kind timeline_go(struct timeline *t, struct position target)
{
	struct course nobody = {.fired = NEVER};
	enum stop_kind why;

	target.cycle += target.stage / STAGE_COUNT;
	target.stage %= STAGE_COUNT;
	if (timeline_stops())
		return STOP_INTERRUPT;
	if (position_before(target, t->frames.item[0].at))
		target = t->frames.item[0].at;
	if (position_before(target, timeline_now(t))) {
		why = move_seek(t, target);
	} else {
		leap(t, target);
		pace_plan(&t->pace, t->sim, target.cycle);
		why = move_advance(t, target, &nobody);
		t->pace.gap = 0;
	}
	tip_update(t);
	return why;
}

void timeline_prepare(struct timeline *t, bool (*busy)(void))
{
	const struct position now = timeline_now(t), whole = {now.cycle, 0};
	const struct keyframe *last = &t->frames.item[keyframes_before(&t->frames, now)];
	const struct pace pace = t->pace;
	struct course nobody = {.fired = NEVER};
	u32 applied = t->journal.applied;
	struct sim *machine = t->sim, fork;
	enum stop_kind why = STOP_TARGET;
	u64 slice;

	if (!pace.enabled || pace.interval || !pace_far(&pace, now.cycle - last->at.cycle))
		return;
	slice = (now.cycle - last->at.cycle) / 64 + 1;
	fork_keyframe(t, last, &fork);
	fork.bus.want = 0;
	t->sim = &fork;
	t->journal.applied = last->inputs;
	pace_mark(&t->pace, last->at.cycle);
	pace_plan(&t->pace, &fork, now.cycle);
	while (why == STOP_TARGET && position_before(timeline_now(t), whole) && !busy())
		why = move_advance(t, (struct position){min_u64(now.cycle, timeline_now(t).cycle + slice), 0}, &nobody);
	t->sim = machine;
	t->journal.applied = applied;
	t->pace = pace;
	sim_close(&fork);
}

void timeline_again(struct timeline *t)
{
	struct position now = timeline_now(t), begin = t->frames.item[0].at;

	keyframes_cut(&t->frames, t->sim, begin, t->frames.item[0].inputs);
	if (!position_equal(now, begin))
		move_seek(t, now);
}

enum stop_kind timeline_run(struct timeline *t, const struct watcher *w, u64 limit)
{
	struct course c = {.watcher = w, .fired = NEVER};
	event_set want = t->sim->bus.want;
	enum stop_kind why;

	t->sim->bus.want |= w ? w->want : 0;
	move_place(t, w);
	why = move_advance(t, (struct position){limit, 0}, &c);
	t->sim->bus.want = want;
	if (why == STOP_TARGET && move_end(t->sim) != STOP_NONE)
		why = move_end(t->sim);
	tip_update(t);
	return why == STOP_TARGET ? STOP_LIMIT : why;
}

/* Return to a cycle in which the watcher fired and let it see that cycle last. */
static enum stop_kind settle(struct timeline *t, const struct watcher *w, u64 cycle)
{
	struct course c = {.watcher = w, .fired = NEVER};
	enum stop_kind why = move_seek(t, (struct position){cycle - 1, 0});

	if (why != STOP_TARGET)
		return why;
	move_place(t, w);
	return move_advance(t, (struct position){cycle, 0}, &c);
}

/* Look for the last cycle up to `last` in which the watcher fires, stretch by stretch between keyframes. */
static enum stop_kind search(struct timeline *t, const struct watcher *w, u64 last)
{
	const struct keyframes *k = &t->frames;
	u64 begin = k->item[0].at.cycle;
	enum stop_kind why;

	while (last > begin) {
		struct course c = {.watcher = w, .to_the_end = true, .fired = NEVER};
		u32 i = keyframes_before(k, (struct position){last, 0});
		u64 from = k->item[i].at.cycle;

		move_restore(t, i);
		move_place(t, w);
		t->pace.focus = last;
		why = move_advance(t, (struct position){last, 0}, &c);
		t->pace.focus = 0;
		if (why == STOP_INTERRUPT)
			return why;
		if (c.fired != NEVER)
			return settle(t, w, c.fired);
		last = from;
	}
	move_seek(t, k->item[0].at);
	return STOP_START;
}

enum stop_kind timeline_reverse(struct timeline *t, const struct watcher *w)
{
	struct position now = timeline_now(t);
	event_set want = t->sim->bus.want;
	enum stop_kind why;

	if (timeline_stops())
		return STOP_INTERRUPT;
	timeline_enable(t);
	t->sim->bus.want |= w->want;
	why = search(t, w, now.stage || !now.cycle ? now.cycle : now.cycle - 1);
	t->sim->bus.want = want;
	return why;
}

/* --- inputs --- */

enum status timeline_input(struct timeline *t, const struct input *in, bool *cut, struct error *e)
{
	struct input now = *in;
	bool host = in->kind == INPUT_SETTING && in->setting < SETTING_COUNT &&
		    setting_table[in->setting].flags & FLAG_HOST;
	enum status st = journal_check(t->sim, in, e);

	if (cut)
		*cut = false;
	if (st == STATUS_OK)
		st = journal_apply(t->sim, in, e);
	if (st != STATUS_OK || host)
		return st;
	now.at = timeline_now(t);
	if (cut)
		*cut = position_before(now.at, t->tip);
	journal_truncate(&t->journal, t->journal.applied);
	keyframes_cut(&t->frames, t->sim, now.at, t->journal.applied);
	journal_add(&t->journal, &now);
	t->in_step = false;
	t->tip = now.at;
	t->version++;
	return STATUS_OK;
}

u32 timeline_inputs(const struct timeline *t)
{
	return t->journal.count;
}

u32 timeline_changes(const struct timeline *t)
{
	u32 n = 0;

	for (u32 i = 0; i < t->journal.count; i++) {
		const struct input *x = &t->journal.item[i];

		n += x->at.cycle || x->at.stage || (x->kind != INPUT_SETTING && x->kind != INPUT_POLICY);
	}
	return n;
}

u32 timeline_ahead(const struct timeline *t)
{
	return t->journal.count - t->journal.applied;
}

const struct input *timeline_poke(const struct timeline *t, u64 address, u64 n, u64 cycle)
{
	for (u32 i = t->journal.count; i-- > 0;) {
		const struct input *x = &t->journal.item[i];

		if (x->kind == INPUT_POKE && x->at.cycle <= cycle && x->address < address + n &&
		    address < x->address + x->bytes)
			return x;
	}
	return NULL;
}

void timeline_forget(struct timeline *t, u32 index, struct position back_to)
{
	bool seen = t->journal.applied > index;

	t->version++;
	if (index < t->journal.count) {
		if (position_before(t->journal.item[index].at, t->tip))
			t->tip = t->journal.item[index].at;
		journal_truncate(&t->journal, index);
		keyframes_cut(&t->frames, t->sim, t->tip, index);
	}
	if (seen)
		move_seek(t, back_to);
	else
		timeline_go(t, back_to);
	tip_update(t);
}

void timeline_watch_inputs(struct timeline *t)
{
	journal_watch(&t->journal);
}

struct inputs timeline_lost_inputs(struct timeline *t)
{
	struct inputs lost = t->journal.lost;

	t->journal.lost = (struct inputs){0};
	return lost;
}

void timeline_put_back(struct timeline *t, const struct inputs *i, struct position back_to)
{
	struct position first = i->item[0].at, last = i->item[i->count - 1].at;

	t->version++;
	t->journal.lost.from = 0;
	if (i->from < t->journal.count && position_before(t->journal.item[i->from].at, first))
		first = t->journal.item[i->from].at;
	journal_truncate(&t->journal, i->from);
	keyframes_cut(&t->frames, t->sim, first, i->from);
	for (u32 k = 0; k < i->count; k++)
		journal_add(&t->journal, &i->item[k]);
	t->in_step = false;
	t->tip = first;
	move_seek(t, back_to);
	if (position_before(t->tip, last))
		t->tip = last;
	tip_update(t);
}

void timeline_info(const struct timeline *t, struct timeline_info *out)
{
	const struct keyframes *k = &t->frames;
	u32 n = k->count;

	*out = (struct timeline_info){
		.keyframes = n,
		.inputs = t->journal.count,
		.bytes = k->bytes,
		.budget = k->budget,
		.interval = t->pace.interval ? t->pace.interval
			    : n > 1	     ? k->item[n - 1].at.cycle - k->item[n - 2].at.cycle
					     : 0,
		.oldest = k->item[0].at.cycle,
		.newest = k->item[n - 1].at.cycle,
		.snapshot_bytes = k->snapshot_bytes,
		.snapshot_seconds = k->snapshot_seconds,
	};
}
