/*
 * gangs_form.c - gangs come together again (vws.reform): pieces of a warp, gangs or single slices, that stand at one
 * instruction become one gang.
 *
 * One warp of an SM is looked at in each cycle, in turn. Of its pieces those at the place where most slices stand are
 * taken, and of these the two with the lowest slices become one. As few instructions as one of them had stay buffered,
 * and what is being fetched for either is thrown away; a jump that one has not finished begins anew for all. Source:
 * Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, section 4.5: E-VWS. Deviation:
 * where loads part gangs (vws.split), pieces of which one waits for a load and the other need not stay apart.
 */
#include "policy_gangs.h"
#include "gangs/gangs.h"

/* The pieces of a warp that can join others, as sets of slices, the one with the lowest slice first. */
struct pieces {
	u8 mask[MAX_SUBCORES];
	u32 n;
};

/* Can a slice stand in a gang now? */
static bool gangs_form_stands(const struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	return w->cta != NONE16 && w->depth && w->slot != NONE16 && !w->stuck;
}

static void gangs_form_find_pieces(const struct sm_view *v, u32 parent, struct pieces *p)
{
	const struct gang *g = &v->gang[parent * GANG_ENTRIES];
	u32 n = 1u << v->m->parent_shift, seen = 0;
	p->n = 0;
	for (u32 k = 0; k < n; k++) {
		u32 mask = 1u << k;
		for (u32 e = 0; e < GANG_ENTRIES; e++)
			mask = g[e].mask & mask ? g[e].mask : mask;
		if (!(seen & mask) && gangs_form_stands(v, (parent << v->m->parent_shift) + k))
			p->mask[p->n++] = (u8)mask;
		seen |= mask;
	}
}

/* The slot of a piece's first slice. */
static struct slot *gangs_form_slot_of(const struct sm_view *v, u32 parent, u32 mask)
{
	return &v->slot[v->warp[(parent << v->m->parent_shift) + (u32)__builtin_ctz(mask)].slot];
}

/* May two pieces be one gang? Not if only one waits at a barrier, maybe for the other. */
static bool gangs_form_fit(const struct sm_view *v, u32 parent, u32 a, u32 b)
{
	const struct slot *x = gangs_form_slot_of(v, parent, a), *y = gangs_form_slot_of(v, parent, b);
	return x->pc == y->pc && (x->set == SET_BARRIER) == (y->set == SET_BARRIER) &&
	       (!v->m->config.vws_split || (x->set == SET_LONG) == (y->set == SET_LONG));
}

/* The piece whose place most slices of the warp have, and which is not alone there; NONE32: none. */
static u32 gangs_form_where_most(const struct sm_view *v, u32 parent, const struct pieces *p)
{
	u32 best = NONE32, most = 0;
	for (u32 i = 0; i < p->n; i++) {
		u32 slices = 0, others = 0;
		for (u32 k = 0; k < p->n; k++)
			if (gangs_form_fit(v, parent, p->mask[i], p->mask[k])) {
				slices += (u32)__builtin_popcount(p->mask[k]);
				others += k != i;
			}
		if (others && slices > most) {
			most = slices;
			best = i;
		}
	}
	return best;
}

/* A slice has so many instructions left in its buffer, and nothing on its way; true: it was on its way from a jump. */
static bool gangs_form_cut_buffer(struct sm_view *v, u32 context, u32 buffered)
{
	struct slot *s = &v->slot[v->warp[context].slot];
	l1i_forget(v, context);
	s->buffered = (u8)buffered;
	s->fetch_pc = s->pc + buffered;
	s->fetching = 0;
	return results_forget(v, context) != 0;
}

/* The slices of a gang begin to fetch, all at once: behind a jump that one of them had not finished. */
static void gangs_form_cut_buffers(struct sm_view *v, u32 first, u32 mask, u32 buffered)
{
	bool jumps = false;
	for (u32 left = mask; left; left &= left - 1)
		jumps |= gangs_form_cut_buffer(v, first + (u32)__builtin_ctz(left), buffered);
	for (u32 left = mask; left; left &= left - 1) {
		u32 context = first + (u32)__builtin_ctz(left);
		if (jumps)
			warp_jump(v, context, v->slot[v->warp[context].slot].pc, v->m->config.lat_branch);
		slot_moved(v, context);
	}
}

/* Two pieces become one gang, in the entry of the first that has one. */
static void gangs_form_join(struct sm_view *v, u32 parent, u32 a, u32 b)
{
	u32 into = NONE32, unused = NONE32;
	u32 first = parent << v->m->parent_shift, all = a | b;
	u32 buffered = min_u32(gangs_form_slot_of(v, parent, a)->buffered, gangs_form_slot_of(v, parent, b)->buffered);
	u64 last = 0;
	for (u32 e = parent * GANG_ENTRIES; e < (parent + 1) * GANG_ENTRIES; e++) {
		const struct gang *g = &v->gang[e];
		if (!(g->mask & all)) {
			unused = !g->mask && unused == NONE32 ? e : unused;
			continue;
		}
		last = max_u64(last, g->last);
		into = into != NONE32 ? into : e;
		gang_put(v, e, 0, 0);
	}
	into = into != NONE32 ? into : unused;
	INVARIANT(into != NONE32);
	gang_put(v, into, all, last);
	gangs_form_cut_buffers(v, first, all, buffered);
	v->sm->stat[STAT_GANG_MERGES]++;
	emit(v, EVENT_GANGFORM, first + (u32)__builtin_ctz(all), gangs_form_slot_of(v, parent, all)->pc, 0,
	     (u32)__builtin_popcount(all), 0);
}

/* The two pieces with the lowest slices, at the place where most are, become one. False: there are none. */
static bool gangs_form_reform(struct sm_view *v, u32 parent, bool now)
{
	struct pieces p;
	u32 at, other;
	gangs_form_find_pieces(v, parent, &p);
	at = p.n > 1 ? gangs_form_where_most(v, parent, &p) : NONE32;
	if (at == NONE32 || !now)
		return at != NONE32;
	for (other = at + 1; other < p.n && !gangs_form_fit(v, parent, p.mask[at], p.mask[other]);)
		other++;
	INVARIANT(other < p.n); /* gangs_form_where_most() names the first of its place */
	gangs_form_join(v, parent, p.mask[at], p.mask[other]);
	return true;
}

/* Homes that have more than one piece, or one that has lost its mates. */
static void gangs_form_broken(struct sm_view *v, u64 *parents)
{
	u64 alone[SLOT_WORDS] = {0}, at[POSITION_WORDS], had[POSITION_WORDS] = {0}, twice[POSITION_WORDS];
	for (u32 i = 0; i < v->m->words; i++) {
		alone[i] = sm_set(v, SET_GANG)[i];
		for (u32 s = SET_BARRIER; s <= SET_READY; s++)
			alone[i] |= sm_set(v, s)[i];
		alone[i] &= ~v->gang_map->any[i];
	}
	positions_of(v->m, alone, twice);
	for (u32 k = 0; k < GANG_ENTRIES; k++) {
		positions_of(v->m, &v->gang_map->slots[k * SLOT_WORDS], at);
		for (u32 i = 0; i < POSITION_WORDS; i++) {
			twice[i] |= had[i] & at[i];
			had[i] |= at[i];
		}
	}
	SET_EACH (p, twice, POSITION_WORDS)
		SET_ADD(parents, v->gang_map->parent[p]);
}

void gangs_reform(struct sm_view *v)
{
	u32 turn = (u32)(view_cycle(v) % machine_parents(v->m)), whole = (1u << (1u << v->m->parent_shift)) - 1;
	u64 parents[POSITION_WORDS] = {0};
	bool any = v->gang[turn * GANG_ENTRIES].mask != whole && gangs_form_reform(v, turn, true);
	if (!any && !v->sleep->active) {
		gangs_form_broken(v, parents);
		SET_EACH (parent, parents, POSITION_WORDS)
			any = any || gangs_form_reform(v, parent, false);
	}
	v->sleep->active |= any; /* its turn comes while nothing else happens */
}
