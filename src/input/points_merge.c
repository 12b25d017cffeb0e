/*
 * points_merge.c - fewer program points: the two that are nearest to each other become one (algorithm 2 of ELF).
 *
 * The one that stays is a load; its score says how far ahead of it the other was, so that instructions in front of both
 * count to the first. Deviations: the printed algorithm adds the score of an earlier merge to a distance and goes on
 * comparing with what it has taken a branch's score from; here distances are compared as they are, the first of equals
 * goes. Where no load has a point before it that could go, the branch of the highest score is dropped: that case is not
 * printed. An unconditional branch is not merged, for the load behind it is not where its warps go.
 */
#include "points.h"

/* The load whose nearest point before it is the nearest of all; p->n: none. */
static u32 nearest_pair(const struct points *p)
{
	u32 best = p->n, least = ~0u;

	for (u32 i = 1; i < p->n; i++) {
		u32 distance = p->point[i].pc - p->point[i - 1].pc;

		if (p->point[i].kind != POINT_LOAD || p->point[i - 1].kind == POINT_JUMP || distance >= least)
			continue;
		best = i;
		least = distance;
	}
	return best;
}

/* The branch of the highest score, one that may fall through if there is any. */
static u32 highest_branch(const struct points *p)
{
	u32 best = p->n;

	for (u32 kind = POINT_BRANCH; best == p->n && kind <= POINT_JUMP; kind++)
		for (u32 i = 0; i < p->n; i++)
			if (p->point[i].kind == kind && (best == p->n || p->point[i].score > p->point[best].score))
				best = i;
	return best;
}

/* A point goes. */
static void remove_point(struct points *p, u32 i, struct point_merge note)
{
	p->merge = xrealloc(p->merge, (p->nmerge + 1) * sizeof(*p->merge));
	p->merge[p->nmerge++] = note;
	p->n--;
	memmove(&p->point[i], &p->point[i + 1], (p->n - i) * sizeof(*p->point));
}

/* The point before a load becomes a part of it. */
static void merge_pair(struct points *p, u32 load)
{
	struct point *kept = &p->point[load], *gone = kept - 1;
	u32 distance = kept->pc - gone->pc, ahead = distance;

	if (gone->kind == POINT_BRANCH)
		ahead -= min_u32(gone->score, distance);
	kept->score = min_u32(ahead, p->most);
	remove_point(
		p, load - 1,
		(struct point_merge){.gone = gone->pc, .into = kept->pc, .distance = distance, .score = kept->score});
}

void points_merge(struct points *p, u32 limit)
{
	while (p->n > limit) {
		u32 i = nearest_pair(p);

		if (i < p->n) {
			merge_pair(p, i);
			continue;
		}
		i = highest_branch(p);
		p->dropped++;
		remove_point(p, i, (struct point_merge){.gone = p->point[i].pc, .into = ~0u});
	}
}
