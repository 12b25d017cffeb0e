/*
 * simt_paths.c - paths of a warp that are put aside and taken up again: which one runs, and when lanes leave a join.
 *
 * The order of the stack is all that is kept. A path is lifted from wherever it stands, so the one that stands lowest
 * has waited longest; a join lies below its paths, whatever is lifted, so that what is on top is always a path. Lanes
 * that leave a join become a path that reconverges where the join does; if one path is left within the join, that takes
 * its place. What is chosen depends on nothing but the stack: paths with lanes that are waited for before others, inner
 * ones before outer ones, paths before lanes at joins (which would part for longer than they must).
 */
#include "ops.h"
#include "simt.h"

bool paths_is_path(const struct paths *p, u32 i)
{
	for (u32 k = i + 1; k < p->depth; k++)
		if (p->stack[k].mask & p->stack[i].mask)
			return false;
	return true;
}

const char *paths_they(const struct paths *p, u32 i)
{
	if (!paths_is_path(p, i))
		return "join";
	if (p->stack[i].mask & p->waits)
		return "wait";
	return i + 1 == p->depth ? "run" : "later";
}

u32 paths_joined(const struct paths *p, u32 i)
{
	u32 above = 0;

	for (u32 k = i + 1; k < p->depth; k++)
		above |= p->stack[k].mask;
	return above & p->stack[i].mask ? p->stack[i].mask & ~above : 0;
}

/* The entry within whose lanes those of entry i are, NONE: none. */
#define NO_ENTRY (~0u)
static u32 parent(const struct paths *p, u32 i)
{
	for (u32 k = i; k-- > 0;)
		if (!(p->stack[i].mask & ~p->stack[k].mask))
			return k;
	return NO_ENTRY;
}

void paths_remove(struct paths *p, u32 i)
{
	memmove(&p->stack[i], &p->stack[i + 1], (p->depth - i - 1) * sizeof(*p->stack));
	p->depth--;
}

/* Put an entry in at i. */
static void insert(struct paths *p, u32 i, struct simt_entry e)
{
	INVARIANT(p->depth < SIMT_DEPTH);
	memmove(&p->stack[i + 1], &p->stack[i], (p->depth - i) * sizeof(*p->stack));
	p->stack[i] = e;
	p->depth++;
}

/* A path gets to the top. */
static void lift(struct paths *p, u32 i)
{
	struct simt_entry e = p->stack[i];

	paths_remove(p, i);
	p->stack[p->depth++] = e;
}

/* A join within which one path has all the lanes: the path takes its place. */
static void collapse(struct paths *p, u32 i)
{
	for (u32 k = i + 1; k < p->depth; k++)
		if (p->stack[k].mask == p->stack[i].mask) {
			p->stack[k].reconverge = p->stack[i].reconverge;
			paths_remove(p, i);
			return;
		}
}

/* The lanes that wait at join i go on, as a path on top. */
static void leave_join(struct paths *p, u32 i)
{
	u32 lanes = paths_joined(p, i);

	if (!i) {
		insert(p, 0, (struct simt_entry){p->ninst, p->ninst, p->stack[0].mask});
		i++;
	}
	insert(p, p->depth, (struct simt_entry){p->stack[i].pc, p->stack[i].reconverge, lanes});
	p->stack[i].mask &= ~lanes;
	collapse(p, i);
}

static bool at_barrier(const struct paths *p, u32 i)
{
	return p->stack[i].pc < p->ninst && op_is_barrier(p->code[p->stack[i].pc].op);
}

/* Is entry i a path that waits for nobody? */
static bool may_run(const struct paths *p, u32 i)
{
	return p->stack[i].mask && !(p->stack[i].mask & p->waits) && p->stack[i].pc < p->ninst && paths_is_path(p, i);
}

/* The same, but for barriers, where others had better come first. */
static bool may_go(const struct paths *p, u32 i)
{
	return may_run(p, i) && !at_barrier(p, i);
}

/* Lanes that wait at entry i and could go on. */
static u32 may_leave(const struct paths *p, u32 i)
{
	return p->stack[i].pc < p->ninst ? paths_joined(p, i) : 0;
}

/* Lift the uppermost path that can go on and has lanes of `wanted`. */
static bool lift_with(struct paths *p, u32 wanted)
{
	for (u32 i = p->depth; i-- > 0;)
		if (p->stack[i].mask & wanted && may_go(p, i)) {
			lift(p, i);
			return true;
		}
	return false;
}

/* Let the lanes of the innermost join go that has some of `wanted`. */
static bool leave_with(struct paths *p, u32 wanted)
{
	for (u32 i = p->depth; i-- > 0;)
		if (may_leave(p, i) & wanted) {
			leave_join(p, i);
			return true;
		}
	return false;
}

/* Let somebody go on who can: false, nobody. */
static bool put_on_top(struct paths *p, u32 wanted)
{
	return lift_with(p, wanted) || lift_with(p, ~0u) || leave_with(p, wanted) || leave_with(p, ~0u);
}

bool paths_choose(struct paths *p, u32 wanted)
{
	do {
		p->depth = simt_pop(p->stack, p->depth);
		if (!p->depth || may_go(p, p->depth - 1))
			return true;
	} while (put_on_top(p, wanted));
	for (u32 i = p->depth; i-- > 0;)
		if (may_run(p, i)) {
			lift(p, i);
			return true;
		}
	return false;
}

bool paths_defer(struct paths *p)
{
	return lift_with(p, ~0u);
}

bool paths_wait(struct paths *p)
{
	for (u32 i = p->depth; i-- > 0;)
		if (p->stack[i].mask & p->waits && paths_is_path(p, i)) {
			lift(p, i);
			return true;
		}
	return false;
}

void paths_merge(struct paths *p)
{
	u32 home = parent(p, p->depth - 1);
	const struct simt_entry *top;

	for (u32 i = p->depth - 1; i-- > 0;) {
		top = &p->stack[p->depth - 1];
		if (p->stack[i].pc != top->pc || p->stack[i].reconverge != top->reconverge || !may_run(p, i) ||
		    parent(p, i) != home)
			continue;
		p->stack[p->depth - 1].mask |= p->stack[i].mask;
		paths_remove(p, i);
	}
	if (home != NO_ENTRY && p->stack[home].mask == p->stack[p->depth - 1].mask)
		collapse(p, home);
}

/* The innermost join with lanes that could go on and write, NO_ENTRY: none. */
static u32 telling(const struct paths *p)
{
	for (u32 i = p->depth; i-- > 0;)
		if (may_leave(p, i) && p->code[p->stack[i].pc].flow & FLOW_TELLS)
			return i;
	return NO_ENTRY;
}

/* The path that can go on and has waited longest, NO_ENTRY: none but the top. */
static u32 waiting(const struct paths *p)
{
	for (u32 i = 0; i + 1 < p->depth; i++)
		if (may_go(p, i))
			return i;
	return NO_ENTRY;
}

bool paths_may_turn(const struct paths *p)
{
	return waiting(p) != NO_ENTRY || telling(p) != NO_ENTRY;
}

void paths_turn(struct paths *p, bool joins)
{
	u32 join = telling(p), path = waiting(p);

	if (join != NO_ENTRY && (joins || path == NO_ENTRY))
		leave_join(p, join);
	else if (path != NO_ENTRY)
		lift(p, path);
	paths_choose(p, ~0u);
}
