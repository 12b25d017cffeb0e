/*
 * pace.c - when keyframes are laid.
 *
 * They are paced by the time that a replay takes, not by cycles: idle stretches cost nothing. Time is that of the
 * processor, so that a busy host does not make them denser. The pace is some times the cost of a keyframe, so that they
 * take a small part of a run. Of old ones most are dropped again (keyframes_loosen), so that their memory is used
 * again: new memory costs more than the copy. Near a target that is known beforehand (goto, a replay) they are laid
 * where a quarter, an eighth, a sixteenth... of the way is left, down to where replaying costs less than laying. Where
 * a run stops that had no target, that is made up for while nobody waits (timeline_prepare), else by the first step
 * back.
 */
#include "pace.h"

#include "machine.h"

#define PACE_LEAST 4e-3 /* seconds of simulation between two keyframes */
#define PACE_COSTS 16	/* ... and at least this many times what a keyframe costs */
#define PACE_LOOSE 4	/* old ones are at most as many times as far apart */
#define PACE_NEAR 2e-3	/* seconds that a step back may replay before it is worth preparing */

/* Seconds of simulation between two keyframes. */
static double pace_seconds(const struct keyframes *k)
{
	double pace = PACE_COSTS * k->cost_seconds;

	return pace < PACE_LEAST ? PACE_LEAST : pace;
}

double pace_most(const struct keyframes *k)
{
	return PACE_LOOSE * pace_seconds(k);
}

void pace_start(struct pace *p, const struct sim *s)
{
	p->clock = processor_seconds();
	p->clock_cycle = machine_gpu(s->m)->cycle;
	p->steps = 0;
}

/* Read the clock: time spent, and what a cycle costs. */
static void pace_measure(struct pace *p, const struct sim *s)
{
	double seconds = processor_seconds() - p->clock;
	u64 cycles = machine_gpu(s->m)->cycle - p->clock_cycle;

	p->spent += seconds;
	if (cycles) {
		double each = seconds / (double)cycles;

		p->cycle_seconds = p->cycle_seconds > 0 ? 0.9 * p->cycle_seconds + 0.1 * each : each;
	}
	pace_start(p, s);
}

double pace_spent(struct pace *p, const struct sim *s)
{
	pace_measure(p, s);
	return p->spent;
}

void pace_plan(struct pace *p, const struct sim *s, u64 target)
{
	u64 now = machine_gpu(s->m)->cycle;

	p->target = target;
	p->gap = target > now ? (target - now) / 4 : 0;
}

bool pace_far(const struct pace *p, u64 cycles)
{
	return (double)cycles * p->cycle_seconds > PACE_NEAR;
}

u64 pace_least(const struct pace *p, const struct keyframes *k)
{
	u64 cycles = p->cycle_seconds > 0 ? (u64)(k->cost_seconds / p->cycle_seconds) : 64;

	return cycles < 2 ? 2 : cycles;
}

u64 pace_next(const struct pace *p)
{
	u64 next = NEVER;

	if (p->enabled && p->interval)
		next = p->since + p->interval;
	if (p->gap && p->target - p->gap < next)
		next = p->target - p->gap;
	return next;
}

u64 pace_room(const struct pace *p, const struct keyframes *k)
{
	double left = pace_seconds(k) - p->spent;

	if (!p->enabled || p->interval)
		return NEVER;
	if (p->cycle_seconds <= 0 || left < CLOCK_STEPS * p->cycle_seconds)
		return CLOCK_STEPS;
	return (u64)(left / p->cycle_seconds);
}

bool pace_step(struct pace *p, const struct sim *s, const struct keyframes *k)
{
	const struct gpu *g = machine_gpu(s->m);
	bool due;

	if (++p->steps >= CLOCK_STEPS)
		pace_measure(p, s);
	if (!p->enabled || g->stage)
		return false;
	due = g->cycle >= pace_next(p) || (!p->interval && p->spent >= pace_seconds(k));
	while (p->gap && g->cycle >= p->target - p->gap)
		p->gap = p->gap / 2 >= pace_least(p, k) ? p->gap / 2 : 0;
	return due;
}

void pace_mark(struct pace *p, u64 cycle)
{
	p->since = cycle;
	p->spent = 0;
}
