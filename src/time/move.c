/*
 * move.c - the ways to move the machine (move.h): restore, then stages, cycles and skips of idle cycles up to a
 * target, with inputs applied where they stand.
 */
#include "move.h"

#include "machine.h"

#define STRIDE 1024 /* cycles between two looks at interrupts */

enum stop_kind move_end(const struct sim *s)
{
	if (machine_gpu(s->m)->stage)
		return STOP_NONE;
	if (sim_faulted(s))
		return STOP_FAULT;
	if (sim_deadlocked(s))
		return STOP_DEADLOCK;
	return sim_finished(s) ? STOP_FINISHED : STOP_NONE;
}

/* Apply the journaled inputs whose position has come. */
static void apply_due(struct timeline *t)
{
	struct journal *j = &t->journal;

	while (j->applied < j->count && !position_before(timeline_now(t), j->item[j->applied].at)) {
		enum status st = journal_apply(t->sim, &j->item[j->applied], NULL);

		INVARIANT(st == STATUS_OK);
		j->applied++;
	}
}

/* The program faults within the next cycles, and some SMs were past that: back to `here`, and from there cycle by
 * cycle. */
static void repeat_in_step(struct timeline *t, struct position here)
{
	struct course nobody = {.fired = NEVER};

	t->in_step = true;
	move_restore(t, keyframes_before(&t->frames, here));
	move_advance(t, here, &nobody);
}

/* Where to stop on the way to target: there, or at the next input. */
static struct position next_mark(const struct timeline *t, struct position target)
{
	const struct journal *j = &t->journal;

	if (j->applied < j->count && position_before(j->item[j->applied].at, target))
		return j->item[j->applied].at;
	return target;
}

/* The cycle up to which idle cycles may be skipped at once. */
static u64 skip_limit(const struct timeline *t, u64 limit, const struct watcher *w)
{
	u64 now = timeline_now(t).cycle, due = pace_next(&t->pace);

	if (w && w->next_cycle > now && w->next_cycle < limit)
		limit = w->next_cycle;
	return due > now && due < limit ? due : limit;
}

/* Many cycles at once, if the watcher need not be asked about them. Whether the machine has moved. */
static bool stride(struct timeline *t, u64 limit, const struct watcher *w)
{
	struct position now = timeline_now(t);
	enum run_end end;

	if (t->in_step || now.stage || (w && (w->every_cycle || w->want)))
		return false;
	limit = min_u64(skip_limit(t, limit, w), now.cycle + min_u64(pace_room(&t->pace, &t->frames), STRIDE));
	if (limit < now.cycle + 2)
		return false;
	end = sim_run(t->sim, limit);
	if (end == RUN_PAST_FAULT)
		repeat_in_step(t, now);
	else
		t->pace.steps += (u32)(timeline_now(t).cycle - now.cycle);
	return end != RUN_REFUSED;
}

/* Cycles, or a jump over idle ones, at most to `limit`. Whether the watcher is to be asked. */
static bool step(struct timeline *t, u64 limit, const struct watcher *w)
{
	struct sim *s = t->sim;
	u64 now = timeline_now(t).cycle;

	if (stride(t, limit, w))
		return w && timeline_now(t).cycle == w->next_cycle;
	if (!timeline_now(t).stage && !(w && w->every_cycle) && sim_skip(s, skip_limit(t, limit, w)) > now) {
		s->bus.count = 0;
		return w && timeline_now(t).cycle == w->next_cycle;
	}
	sim_cycle(s);
	return w;
}

/* One leg towards a mark: the stages of this cycle that are left, or a step. Whether the watcher fired. */
static bool leg(struct timeline *t, struct position mark, struct course *c)
{
	if (timeline_now(t).cycle == mark.cycle) {
		while (position_before(timeline_now(t), mark))
			sim_stage(t->sim);
		return false;
	}
	if (!step(t, mark.cycle, c->watcher) || !c->watcher->after_cycle(c->watcher->self, t->sim))
		return false;
	c->fired = timeline_now(t).cycle;
	return true;
}

/* Lay a keyframe here. */
static void lay(struct timeline *t)
{
	struct moment moment = {.inputs = t->journal.applied};
	u64 now = timeline_now(t).cycle;

	moment.focus = max_u64(t->pace.focus, now);
	moment.apart = pace_spent(&t->pace, t->sim);
	keyframes_lay(&t->frames, t->sim, &moment);
	if (!t->pace.interval && !t->pace.focus)
		keyframes_loosen(&t->frames, t->sim, pace_most(&t->frames));
	pace_mark(&t->pace, now);
	pace_start(&t->pace, t->sim);
}

enum stop_kind move_advance(struct timeline *t, struct position target, struct course *c)
{
	enum stop_kind end;
	bool fired;

	pace_start(&t->pace, t->sim);
	apply_due(t);
	while (position_before(timeline_now(t), target)) {
		end = move_end(t->sim);
		if (end != STOP_NONE)
			return end;
		if (timeline_interrupt && timeline_stops())
			return STOP_INTERRUPT;
		fired = leg(t, next_mark(t, target), c);
		apply_due(t);
		if (pace_step(&t->pace, t->sim, &t->frames))
			lay(t);
		if (fired && !c->to_the_end)
			return STOP_HIT;
	}
	return STOP_TARGET;
}

void move_place(struct timeline *t, const struct watcher *w)
{
	if (w && w->placed)
		w->placed(w->self, t->sim);
}

void move_restore(struct timeline *t, u32 i)
{
	keyframes_restore(&t->frames, i, t->sim);
	t->journal.applied = t->frames.item[i].inputs;
	pace_mark(&t->pace, t->frames.item[i].at.cycle);
}

/* Forwards to a target of which nothing but the state there and its last records matters. */
static enum stop_kind replay(struct timeline *t, struct position target)
{
	struct course nobody = {.fired = NEVER};
	struct position quiet = target;
	event_set want = t->sim->bus.want;
	enum stop_kind why;

	pace_plan(&t->pace, t->sim, target.cycle);
	t->pace.focus = target.cycle;
	if (quiet.stage)
		quiet.stage = 0;
	else if (quiet.cycle)
		quiet.cycle--;
	t->sim->bus.want = 0;
	why = move_advance(t, quiet, &nobody);
	t->sim->bus.want = want;
	if (why == STOP_TARGET)
		why = move_advance(t, target, &nobody);
	t->pace.focus = t->pace.gap = 0;
	return why;
}

enum stop_kind move_seek(struct timeline *t, struct position target)
{
	t->pace.enabled = true;
	move_restore(t, keyframes_before(&t->frames, target));
	return replay(t, target);
}
