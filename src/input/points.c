/*
 * points.c - program points: which instructions they are, their scores, and the priority of every instruction
 * (algorithm 1 of ELF).
 *
 * Scores begin at the maximum and sink until nothing changes, backwards over the code, by which most are right at once.
 * Decided where the text is silent: an unconditional branch has one way, its target's, and stays a point even where no
 * load follows, unless it points forward and says what falling through would. A generic load counts, whatever it finds.
 * Section 3.3.1 considers backward branches only, its algorithm 1 all: elf.branches chooses. Deviation: section 3.3.2
 * subtracts a load's score from a distance that "is larger"; here from one that is equal, too, for that is the place of
 * the load that was merged into it, whose own distance is 0.
 */
#include "ops.h"
#include "points.h"

#define POINT_NONE 3

/* What an instruction is: enum point_kind, or POINT_NONE. */
static u32 point_kind(const struct kernel *k, u32 pc)
{
	const struct inst *in = &k->inst[pc];

	if (in->class == CLASS_LOAD)
		return POINT_LOAD;
	if (in->op != OP_BRA || in->target == pc + 1)
		return POINT_NONE;
	return inst_falls(k, in) ? POINT_BRANCH : POINT_JUMP;
}

u32 points_next(const struct points *p, u32 pc)
{
	return BISECT(i, p->n, p->point[i].pc < pc);
}

u32 points_priority(const struct points *p, u32 pc)
{
	u32 i = points_next(p, pc), d;

	if (i == p->n)
		return p->most;
	d = p->point[i].pc - pc;
	if (p->point[i].kind != POINT_LOAD)
		d += p->point[i].score;
	else if (d >= p->point[i].score)
		d -= p->point[i].score;
	return min_u32(d, p->most);
}

/* All loads and branches, or of these those that go backward. */
static void find_points(struct points *p, const struct kernel *k, bool forward)
{
	p->point = xcalloc(k->ninst + 1, sizeof(*p->point));
	for (u32 pc = 0; pc < k->ninst; pc++) {
		u32 kind = point_kind(k, pc);

		if (kind == POINT_NONE || (kind != POINT_LOAD && !forward && k->inst[pc].target > pc))
			continue;
		p->loads += kind == POINT_LOAD;
		p->branches += kind != POINT_LOAD;
		p->point[p->n++] = (struct point){.pc = pc, .kind = kind, .score = kind == POINT_LOAD ? 0 : p->most};
	}
}

/* Instructions to the next load by way of the one at pc, counted from the one before. */
static u32 way_score(const struct points *p, u32 pc)
{
	return min_u32(points_priority(p, pc) + 1, p->most);
}

/* The scores of branches: the lesser of their ways', until none sinks any more. */
static void settle_scores(struct points *p, const struct kernel *k)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (u32 i = p->n; i-- > 0;) {
			struct point *x = &p->point[i];
			u32 score;

			if (x->kind == POINT_LOAD)
				continue;
			score = way_score(p, k->inst[x->pc].target);
			if (x->kind == POINT_BRANCH)
				score = min_u32(score, way_score(p, x->pc + 1));
			changed |= score < x->score;
			x->score = score;
		}
	}
}

/* Does a branch say no more than the code behind it? */
static bool is_useless(const struct points *p, const struct kernel *k, const struct point *x)
{
	bool back = k->inst[x->pc].target <= x->pc;

	return x->kind != POINT_LOAD && !(x->kind == POINT_JUMP && back) && x->score == way_score(p, x->pc + 1);
}

/* Branches that change no distance are no points. What is left says the same of every instruction. */
static void leave_useless(struct points *p, const struct kernel *k)
{
	u32 n = 0;
	u8 *useless = xcalloc(p->n + 1, 1);

	for (u32 i = 0; i < p->n; i++)
		useless[i] = is_useless(p, k, &p->point[i]);
	for (u32 i = 0; i < p->n; i++) {
		p->useless += useless[i];
		if (!useless[i])
			p->point[n++] = p->point[i];
	}
	p->n = n;
	free(useless);
}

/* Which way the scores of branches assume; where both are as good, to fall through. */
static void note_ways(struct points *p)
{
	for (u32 i = 0; i < p->n; i++) {
		const struct point *x = &p->point[i];

		p->way[x->pc] =
			x->kind == POINT_JUMP || (x->kind == POINT_BRANCH && x->score < way_score(p, x->pc + 1));
	}
}

struct points *points_make(const struct kernel *k, u32 limit, u32 bits, bool forward)
{
	struct points *p = xcalloc(1, sizeof(*p));

	p->most = (1u << bits) - 1;
	p->ninst = k->ninst;
	p->priority = xcalloc(k->ninst + 1, 1);
	p->way = xcalloc(k->ninst + 1, 1);
	find_points(p, k, forward);
	settle_scores(p, k);
	note_ways(p);
	leave_useless(p, k);
	if (limit)
		points_merge(p, limit);
	else
		p->n = 0;
	for (u32 pc = 0; pc <= k->ninst; pc++)
		p->priority[pc] = (u8)points_priority(p, pc);
	return p;
}

struct points *points_under(const struct kernel *k, const struct config *c)
{
	return points_make(k, c->elf_points, c->elf_bits, c->elf_branches == BRANCHES_ALL);
}

void points_free(struct points *p)
{
	if (!p)
		return;
	free(p->point);
	free(p->merge);
	free(p->priority);
	free(p->way);
	free(p);
}
