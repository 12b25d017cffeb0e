/* meet.c - which lanes of a warp are complete, what they exchange, and where their paths are after it (meet.h). */
#include "meet.h"

#include "exec_internal.h"

/* What lanes stand in. */
struct stand {
	u32 lanes, live;
	const struct inst *in[WARP_LANES]; /* of each */
	u32 members[WARP_LANES];
};

/* Lanes come to an instruction. */
static void stand_in(const struct front_env *env, struct stand *s, const struct inst *in, u32 mask)
{
	struct lane_operand room;
	const u32 *members = NULL;

	if (in->meet == MEET_MEMBERS)
		members = exec_source(env, in, in->nsrc - 1u, 'w', &room);
	LANES_EACH (l, mask) {
		s->in[l] = in;
		s->members[l] = members ? members[l] : ~0u;
	}
	s->lanes |= mask;
}

/* All lanes of a warp that wait. */
static void look(const struct front_env *env, const struct paths *home, u32 n, struct stand *s)
{
	s->lanes = s->live = 0;
	for (u32 k = 0; k < n; k++) {
		s->live |= simt_live(home[k].stack, home[k].depth);
		for (u32 i = 0; i < home[k].depth && home[k].waits; i++)
			if (home[k].stack[i].mask & home[k].waits && paths_is_path(&home[k], i))
				stand_in(env, s, &home[k].code[home[k].stack[i].pc], home[k].stack[i].mask);
	}
}

/* Do two lanes stand in what goes together? */
static bool alike(const struct stand *s, u32 l, u32 k)
{
	const struct inst *a = s->in[l], *b = s->in[k];

	if (a->meet == MEET_WHOLE || b->meet == MEET_WHOLE)
		return a == b;
	return a->op == b->op && s->members[l] == s->members[k];
}

/* Lanes that stand in what lane l stands in. */
static u32 company(const struct stand *s, u32 l)
{
	u32 same = 0;

	LANES_EACH (k, s->lanes)
		same |= (u32)alike(s, l, k) << k;
	return same;
}

/* The lanes whose masks are complete. */
static u32 complete(const struct stand *s)
{
	u32 go = 0, left = s->lanes;

	while (left) {
		u32 l = (u32)__builtin_ctz(left), same = company(s, l);

		if (!(s->members[l] & s->live & ~same))
			go |= same;
		left &= ~same;
	}
	return go;
}

u32 meet_absent(const struct front_env *env, const struct inst *in, u32 live)
{
	struct stand s = {.lanes = 0};
	u32 here = front_lanes(env, in), absent = 0;

	stand_in(env, &s, in, here);
	LANES_EACH (l, here)
		absent |= s.members[l] & live & ~here;
	return absent;
}

/* The paths of the others that go on. */
static void find_parts(const struct paths *home, u32 n, struct meet *m)
{
	m->nparts = 0;
	for (u32 k = 0; k < n; k++)
		for (u32 i = 0; i < home[k].depth; i++) {
			const struct simt_entry *e = &home[k].stack[i];

			if (e->mask & home[k].waits & m->go && paths_is_path(&home[k], i))
				m->part[m->nparts++] = (struct meet_part){k, i, e->mask, &home[k].code[e->pc]};
		}
}

void meet_look(const struct front_env *env, const struct paths *home, u32 n, const struct inst *in, struct meet *m)
{
	struct stand s;

	look(env, home, n, &s);
	m->here = front_lanes(env, in);
	stand_in(env, &s, in, m->here);
	m->go = complete(&s);
	m->lacks = 0;
	LANES_EACH (l, m->here) {
		m->members[l] = s.members[l];
		if (!(m->go >> l & 1))
			m->lacks |= s.members[l] & s.live & ~company(&s, l);
	}
	find_parts(home, n, m);
}

u32 meet_complete(const struct front_env *env, const struct paths *home, u32 n, u32 self)
{
	const struct paths *p = &home[self];
	struct stand s;
	u32 go;

	look(env, home, n, &s);
	go = complete(&s);
	for (u32 i = p->depth; i-- > 0;)
		if (p->stack[i].mask & go && paths_is_path(p, i))
			return p->stack[i].mask;
	return 0;
}

u32 meet_lacks(const struct front_env *env, const struct paths *home, u32 n, u32 self, u32 i)
{
	struct stand s;
	u32 l = (u32)__builtin_ctz(home[self].stack[i].mask);

	look(env, home, n, &s);
	return s.members[l] & s.live & ~company(&s, l);
}

void meet_exchange(struct front_env *env, const struct inst *in, const struct meet *m, struct front_result *r)
{
	u32 here = m->here & m->go, active = env->active;

	if (in->meet == MEET_WHOLE || !m->nparts) {
		env->active = in->meet == MEET_WHOLE ? m->go : here;
		if (env->active)
			front_issue(env, in, r);
		env->active = active;
		return;
	}
	r->mask = here;
	if (in->op != OP_BAR_WARP)
		warp_meet(env, in, m);
}

/* A path has had its instruction; one that joins there goes. */
static void step(struct paths *p, u32 i)
{
	p->waits &= ~p->stack[i].mask;
	p->stack[i].pc++;
	if (i + 1 < p->depth && p->stack[i].pc == p->stack[i].reconverge)
		paths_remove(p, i);
}

/* Lanes of the top wait, each mask as a path of its own; the others, and these in time, go on behind the instruction.
 */
static void part(struct paths *p, u32 pc, u32 wait, const u32 *members)
{
	struct simt_entry *top = &p->stack[p->depth - 1];

	if (p->depth > 1 && top->reconverge == pc + 1)
		p->depth--;
	else
		top->pc = pc + 1;
	while (wait) {
		u32 l = (u32)__builtin_ctz(wait), same = 0;

		LANES_EACH (k, wait)
			same |= (u32)(members[k] == members[l]) << k;
		INVARIANT(p->depth < SIMT_DEPTH);
		p->stack[p->depth++] = (struct simt_entry){pc, pc + 1, same};
		wait &= ~same;
	}
}

/* Do lanes have one and the same mask? */
static bool one_mask(u32 lanes, const u32 *members)
{
	LANES_EACH (l, lanes)
		if (members[l] != members[__builtin_ctz(lanes)])
			return false;
	return true;
}

void meet_advance(struct paths *home, u32 self, u32 pc, const struct meet *m)
{
	struct paths *p = &home[self];
	struct simt_entry *top = &p->stack[p->depth - 1];
	u32 wait = m->here & ~m->go;

	if (!wait)
		top->pc = pc + 1;
	else if (wait != top->mask || !one_mask(wait, m->members))
		part(p, pc, wait, m->members);
	p->waits |= wait;
	for (u32 i = m->nparts; i-- > 0;)
		step(&home[m->part[i].stack], m->part[i].entry);
}
