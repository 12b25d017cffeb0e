/*
 * fork.c - simulators of their own at any position of a timeline: what-if without moving the machine.
 *
 * A fork begins at the machine itself if that is not past the position and no nearer keyframe is known, else at the
 * nearest keyframe, and replays the journaled inputs on its way as the machine would.
 */
#include "machine.h"
#include "move.h"

/* Where a simulator stands. */
static struct position sim_now(const struct sim *s)
{
	const struct gpu *g = machine_gpu(s->m);

	return (struct position){g->cycle, g->stage};
}

/* Apply the inputs whose position has come. */
static void apply_due(const struct timeline *t, struct sim *s, u32 *applied)
{
	const struct journal *j = &t->journal;

	while (*applied < j->count && !position_before(sim_now(s), j->item[*applied].at)) {
		enum status st = journal_apply(s, &j->item[(*applied)++], NULL);

		INVARIANT(st == STATUS_OK);
	}
}

/* One leg towards a mark: stages within its cycle, else a cycle or a jump over idle ones. */
static void leg(struct sim *s, struct position mark)
{
	u64 now = sim_now(s).cycle;

	if (now == mark.cycle)
		sim_stage(s);
	else if (sim_now(s).stage || mark.cycle == now + 1 || sim_skip(s, mark.cycle - 1) == now)
		sim_cycle(s);
}

void timeline_follow(const struct timeline *t, struct sim *fork, u32 *applied, struct position at)
{
	const struct journal *j = &t->journal;

	apply_due(t, fork, applied);
	while (position_before(sim_now(fork), at) && move_end(fork) == STOP_NONE && !timeline_interrupt) {
		bool input = *applied < j->count && position_before(j->item[*applied].at, at);

		leg(fork, input ? j->item[*applied].at : at);
		apply_due(t, fork, applied);
	}
}

void fork_keyframe(const struct timeline *t, const struct keyframe *k, struct sim *out)
{
	struct sim then = *t->sim;

	then.m = snapshot_machine(&k->machine);
	then.store = k->store;
	sim_fork_with(out, &then, then.m);
}

void timeline_fork(const struct timeline *t, struct position at, struct sim *out, u32 *applied)
{
	u32 seen = t->journal.applied, i = keyframes_before(&t->frames, at);
	const struct keyframe *k = &t->frames.item[i];

	if (position_before(at, timeline_now(t)) || position_before(timeline_now(t), k->at)) {
		fork_keyframe(t, k, out);
		seen = k->inputs;
	} else {
		sim_fork(out, t->sim);
	}
	timeline_follow(t, out, &seen, at);
	if (applied)
		*applied = seen;
}

u64 timeline_input_next(const struct timeline *t, u32 applied)
{
	return applied < t->journal.count ? t->journal.item[applied].at.cycle : NEVER;
}

u64 timeline_version(const struct timeline *t)
{
	return t->version;
}
