/*
 * pace.c - when keyframes are laid.
 *
 * They are paced by the time that a replay takes, not by cycles: idle stretches cost nothing. Time is that of the
 * processor, so that a busy host does not make them denser. The pace is some times the cost of a keyframe, between 4 ms
 * and what a step back may take. Of old ones most are dropped again (keyframes_loosen), so that their memory is used
 * again: new memory costs more than the copy. Who goes back among old ones replays a longer stretch once: near the
 * target of a replay keyframes are laid where a quarter, an eighth, a sixteenth... of the way is left, down to where
 * replaying costs less than laying. Before anybody goes back, where that is not to be expected, they are as far apart
 * as their cost asks for (sparing): the first way back is as much longer, and not the whole run.
 */
#include "pace.h"

#include "machine.h"

#define PACE_LEAST 4e-3 /* seconds of simulation between two keyframes */
#define PACE_MOST 3e-3	/* ... at most, and so many more for each SM: a replay and what it copies take twice that */
#define PACE_PER_SM 0.3e-3
#define PACE_COSTS 12	/* ... and else this many times what a keyframe costs */
#define PACE_SPARING 16 /* ... where they are to cost little: 6 % of a run */
#define PACE_LOOSE 12	/* old ones are at most as many times as far apart */

/* Seconds of simulation between two keyframes. */
static double pace_seconds(const struct pace *p, const struct sim *s, const struct keyframes *k)
{
	double most = PACE_MOST + PACE_PER_SM * s->m->config.gpu_sms, pace = PACE_COSTS * k->cost_seconds;

	if (p->sparing)
		pace = PACE_SPARING * k->cost_seconds;
	else if (pace > most)
		pace = most;
	return pace < PACE_LEAST ? PACE_LEAST : pace;
}

double pace_most(const struct pace *p, const struct sim *s, const struct keyframes *k)
{
	return PACE_LOOSE * pace_seconds(p, s, k);
}

void pace_enable(struct pace *p)
{
	p->enabled = true;
	p->sparing = false;
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

	p->focus = target;
	p->gap = target > now ? (target - now) / 4 : 0;
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
	if (p->gap && p->focus - p->gap < next)
		next = p->focus - p->gap;
	return next;
}

u64 pace_room(const struct pace *p, const struct sim *s, const struct keyframes *k)
{
	double left = pace_seconds(p, s, k) - p->spent;

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
	due = g->cycle >= pace_next(p) || (!p->interval && p->spent >= pace_seconds(p, s, k));
	while (p->gap && g->cycle >= p->focus - p->gap)
		p->gap = p->gap / 2 >= pace_least(p, k) ? p->gap / 2 : 0;
	return due;
}

void pace_mark(struct pace *p, u64 cycle)
{
	p->since = cycle;
	p->spent = 0;
}
