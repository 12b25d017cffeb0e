/*
 * copies.c - asynchronous copies to shared memory (cp.async, LDGSTS): groups, and who waits for them.
 *
 * A copy is a load without registers: it counts in the open group of its warp from its issue until its last line has
 * come. A commit closes that group and opens the next; a wait lets the warp go on as soon as all groups but the newest
 * N have nothing on their way, in whatever order they got there. A copy without lanes counts nowhere. The open group
 * and the closed ones take places of a ring; a commit waits for a place that still has copies, a copy for a group that
 * is full. Source: PTX ISA 8.x, section 9.7.9.25. Deviations: so many groups and copies as the ring has room for; the
 * writes to shared memory take no time of its banks.
 */
#include "signals/signals.h"

bool copies_hold(const struct warp *w, const struct inst *in)
{
	if (!w->copies)
		return false;
	if (in->op == OP_COPY)
		return w->grouped[w->copy_group] == GROUP_COPIES;
	if (in->op == OP_COPY_COMMIT)
		return w->grouped[(w->copy_group + 1) % COPY_GROUPS] != 0;
	for (u32 i = 0; i < COPY_GROUPS; i++)
		if (w->grouped[i] && group_wanted(in, group_age(w, i)))
			return true;
	return false;
}

void copies_begin(struct sm_view *v, u32 context, u32 load)
{
	struct warp *w = &v->warp[context];
	INVARIANT(w->grouped[w->copy_group] < GROUP_COPIES);
	v->load[load].group = (u16)(w->copy_group + 1);
	w->grouped[w->copy_group]++;
	w->copies++;
	SET_ADD(v->slot[w->slot].pending_long, HAZARD_COPIES);
	v->sm->stat[STAT_COPIES]++;
}

/* A warp has no copies on their way any more. */
static void copies_none_left(struct sm_view *v, struct warp *w)
{
	if (w->slot == NONE16) {
		w->pending--;
		v->cta[w->cta].pending--;
		return;
	}
	SET_DEL(v->slot[w->slot].pending_long, HAZARD_COPIES);
	SET_DEL(v->missed[w->slot].registers, HAZARD_COPIES);
}

void copies_done(struct sm_view *v, const struct load *l)
{
	struct warp *w = &v->warp[l->context];
	INVARIANT(w->copies && w->grouped[l->group - 1]);
	w->grouped[l->group - 1]--;
	if (!--w->copies)
		copies_none_left(v, w);
}

void copies_commit(struct sm_view *v, u32 context, u32 mask)
{
	struct warp *w = &v->warp[context];
	if (!mask)
		return;
	w->copy_group = (w->copy_group + 1) % COPY_GROUPS;
	v->sm->stat[STAT_COPY_COMMITS]++;
	INVARIANT(!w->grouped[w->copy_group]);
}
