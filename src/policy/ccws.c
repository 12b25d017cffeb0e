/*
 * ccws.c - cache-conscious wavefront scheduling: the more a warp loses of its lines in the L1D, the fewer others may
 * load (Rogers, O'Connor, Aamodt, MICRO 2012).
 *
 * A line that is evicted leaves its tag in the victim tag array of the warp that filled it. A load that misses and
 * finds its line there has lost locality: VTAHits rises, and the warp's score becomes LLDS = VTAHits / InstIssued x K x
 * cutoff, if that is more than ccws.base. Scores fall by 1 in each cycle down to the base, and are never above the
 * LLDS of the cycle. In the order of their scores, then of their numbers, warps may load until the sum of the scores
 * reaches the cutoff, that is as many times the base as warps had not ended a cycle before; the one that reaches it
 * may. The others are held where their next instruction loads from global or local memory.
 *
 * So a score is the date on which it is back at the base, and nothing has to be done for it to fall. Who may load is
 * seen again when a score or the cutoff changes, when a score reaches the base and when the sum before one that is
 * held falls below the cutoff: these dates are known (wake), and SMs sleep up to them.
 *
 * Details after the authors' simulator (ccws-2012): arrays are set-associative and first in, first out; a hit leaves
 * its tag there; stores take it out of all; they are emptied with the L1D, not when a warp ends. Deviations: a score
 * does not fall below the base where LLDS does; what a
 * warp misses that has ended meanwhile does not count; a sector that is not there of a line that is, is no lost line;
 * where CTAs are swapped only warps with slots stand in the order and count for the cutoff.
 */
#include "events.h"
#include "policy_ccws.h"

#include "policy_age.h"

OWN_FIELDS(ccws, CCWS_FIELDS)
OWN_FIELDS(ccws_warp, CCWS_WARP_FIELDS)
OWN_FIELDS(ccws_victim, CCWS_VICTIM_FIELDS)
OWN_FIELDS(ccws_line, CCWS_LINE_FIELDS)

enum { OWN_SM, OWN_WARP, OWN_VICTIM, OWN_LINE };

/* The arrays of an SM, to be changed. */
struct ccws_bytes {
	struct ccws *sm;
	struct ccws_warp *warp;
	struct ccws_victim *victim;
	struct ccws_line *line;
};
/* They follow each other as own_offset() has them, which would be slow to ask in every notice. */
static struct ccws_bytes ccws_bytes_of(const struct sched_view *v, void *own)
{
	struct ccws_bytes x = {.sm = own};
	x.warp = (void *)(x.sm + 1);
	x.victim = (void *)(x.warp + v->m->contexts);
	x.line = (void *)(x.victim + v->m->contexts * v->m->config.ccws_entries);
	return x;
}
_Static_assert(sizeof(struct ccws) % 8 == 0 && sizeof(struct ccws_warp) % 8 == 0, "arrays begin at multiples of 8");
static const struct ccws_warp *ccws_warps_of(const struct machine *m, u32 sm)
{
	return (const void *)(ccws_of(m, sm) + 1);
}

/* --- victim tag arrays --- */

/* The set of a line (number + 1) in the array of a context, and its ways. */
static struct ccws_victim *ccws_victim_set(const struct config *c, struct ccws_victim *all, u32 context, u64 line)
{
	u32 sets = max_u32(c->ccws_entries / c->ccws_ways, 1);
	return all + context * c->ccws_entries + (line - 1) % sets * c->ccws_ways;
}

/* Where a line stands in a set, `ways` if nowhere. */
static u32 ccws_victim_find(const struct ccws_victim *set, u32 ways, u64 line)
{
	u32 i = 0;
	while (i < ways && set[i].line && set[i].line != line)
		i++;
	return i < ways && set[i].line ? i : ways;
}

/* A line has gone from the L1D: its tag is the youngest of its set, unless it is there. */
static void ccws_victim_push(const struct config *c, struct ccws_victim *all, u32 context, u64 line)
{
	struct ccws_victim *set = ccws_victim_set(c, all, context, line);
	if (ccws_victim_find(set, c->ccws_ways, line) < c->ccws_ways)
		return;
	memmove(set + 1, set, (c->ccws_ways - 1) * sizeof *set);
	set->line = line;
}

/* A store: no warp has lost this line, whoever had it before. */
static void ccws_victims_forget(const struct config *c, struct ccws_victim *all, u32 contexts, u64 line)
{
	for (u32 k = 0; k < contexts; k++) {
		struct ccws_victim *set = ccws_victim_set(c, all, k, line);
		u32 at = set->line ? ccws_victim_find(set, c->ccws_ways, line) : c->ccws_ways;
		if (at == c->ccws_ways)
			continue;
		memmove(set + at, set + at + 1, (c->ccws_ways - 1 - at) * sizeof *set);
		set[c->ccws_ways - 1].line = 0;
	}
}

/* --- scores --- */

u64 ccws_llds(const struct config *c, u64 hits, u64 issued, u64 cutoff)
{
	return issued ? hits * c->ccws_k * cutoff / issued : 0;
}

/* LLDS less the base: how far above it a score can lie. */
static u64 ccws_most_above(const struct config *c, const struct ccws *own)
{
	u64 llds = ccws_llds(c, own->hits, own->issued, own->cutoff);
	return llds > c->ccws_base ? llds - c->ccws_base : 0;
}

/* A load of a warp has missed a line that it had lost. */
static void ccws_victim_hit(const struct config *c, const struct ccws_bytes *own, u32 context, u64 now)
{
	own->warp[context].hits++;
	own->sm->hits++;
	own->warp[context].until = now + ccws_most_above(c, own->sm);
	own->sm->latest = max_u64(own->sm->latest, own->warp[context].until);
	own->sm->stale = 1;
}

/* No score is above LLDS. */
static void ccws_apply_cap(const struct sched_view *v, const struct ccws_bytes *own)
{
	u64 cap = sched_now(v) + ccws_most_above(&v->m->config, own->sm);
	if (own->sm->latest <= cap)
		return;
	for (u32 k = 0; k < v->m->contexts; k++)
		own->warp[k].until = min_u64(own->warp[k].until, cap);
	own->sm->latest = cap;
	own->sm->stale = 1;
}

/* A context is another warp's, or its warp has ended. */
static void ccws_forget_warp(const struct ccws_bytes *own, u32 context)
{
	own->sm->hits -= own->warp[context].hits;
	own->sm->issued -= own->warp[context].issued;
	own->warp[context] = (struct ccws_warp){0};
}

/* --- members --- */

/* Who stands in the order: those that have ended are forgotten. */
static void ccws_count_members(const struct sched_view *v, const struct ccws_bytes *own)
{
	u64 slots[SLOT_WORDS] = {0}, member[CONTEXT_WORDS] = {0};
	u32 n = 0;
	for (u32 w = 0; w < v->m->words; w++)
		slots[w] = slots_live(v, w);
	if (!own->sm->reset && !v->sm->inactive && !memcmp(slots, own->sm->slots, sizeof slots))
		return;
	SET_EACH (i, slots, v->m->words) {
		SET_ADD(member, v->slot[i].context);
		n++;
	}
	SET_EACH (k, own->sm->member, CONTEXT_WORDS)
		if (!SET_HAS(member, k) && !v->warp[k].depth)
			ccws_forget_warp(own, k);
	own->sm->stale |= memcmp(member, own->sm->member, sizeof member) != 0;
	own->sm->reset = 0;
	own->sm->members = n;
	memcpy(own->sm->slots, slots, sizeof slots);
	memcpy(own->sm->member, member, sizeof member);
}

/* --- who may load --- */

u64 ccws_score(const struct machine *m, u32 sm, u32 context, u64 cycle)
{
	u64 until = ccws_warps_of(m, sm)[context].until;
	return m->config.ccws_base + (until > cycle ? until - cycle : 0);
}

/* The members whose scores lie above the base, the highest first, then by number. */
static u32 ccws_above_base(const struct machine *m, u32 sm, u64 cycle, struct ccws_place *place)
{
	const struct ccws *own = ccws_of(m, sm);
	u32 n = 0;
	if (own->latest <= cycle)
		return 0;
	SET_EACH (k, own->member, CONTEXT_WORDS) {
		u64 score = ccws_score(m, sm, k, cycle);
		u32 at = n;
		if (score == m->config.ccws_base)
			continue;
		for (; at && place[at - 1].score < score; at--)
			place[at] = place[at - 1];
		place[at] = (struct ccws_place){.score = score, .context = k};
		n++;
	}
	return n;
}

u32 ccws_standing(const struct machine *m, u32 sm, u64 cycle, struct ccws_place *place)
{
	const struct ccws *own = ccws_of(m, sm);
	u32 n = ccws_above_base(m, sm, cycle, place);
	u64 sum = 0;
	SET_EACH (k, own->member, CONTEXT_WORDS)
		if (ccws_score(m, sm, k, cycle) == m->config.ccws_base)
			place[n++] = (struct ccws_place){.score = m->config.ccws_base, .context = k};
	for (u32 i = 0; i < n; i++) {
		place[i].before = sum;
		place[i].may = !i || sum < own->cutoff;
		sum += place[i].score;
	}
	return n;
}

/* The cycle in which the order or the sum before a member of a standing first changes so that somebody else may load:
 * a score is back at the base, or the sum before one that is held falls below the cutoff. */
static u64 ccws_next_turn(const struct config *c, u64 cutoff, const struct ccws_place *place, u32 n, u64 now)
{
	u64 next = NEVER, above = 0;
	for (u32 i = 0; i < n; i++) {
		if (!place[i].may && above)
			next = min_u64(next, now + (place[i].before - cutoff) / above + 1);
		if (place[i].score == c->ccws_base)
			continue;
		next = min_u64(next, now + place[i].score - c->ccws_base);
		above++;
	}
	return next;
}

u64 ccws_returns(const struct machine *m, u32 sm, u32 context, u64 cycle)
{
	struct ccws_place place[CONTEXT_WORDS * 64];
	u64 cutoff = ccws_of(m, sm)->cutoff;
	while (cycle != NEVER) {
		u32 n = ccws_standing(m, sm, cycle, place), i = 0;
		while (i < n && place[i].context != context)
			i++;
		if (i == n || place[i].may)
			return i == n ? NEVER : cycle;
		cycle = ccws_next_turn(&m->config, cutoff, place, n, cycle);
	}
	return NEVER;
}

/* See again who may load. True: scores hold more or fewer than before. */
static bool ccws_see_allowed(const struct sched_view *v, struct ccws *own)
{
	struct ccws_place place[CONTEXT_WORDS * 64];
	u32 n = ccws_standing(v->m, v->sm_id, sched_now(v), place), held = own->held;
	memset(own->allowed, 0, sizeof own->allowed);
	own->held = 0;
	for (u32 i = 0; i < n; i++)
		if (place[i].may)
			SET_ADD(own->allowed, place[i].context);
		else
			own->held++;
	own->next = ccws_next_turn(&v->m->config, own->cutoff, place, n, sched_now(v));
	own->stale = 0;
	return held != own->held && own->latest >= sched_now(v);
}

/* The schedulers are about to choose. */
static bool ccws_about_to_choose(const struct sched_view *v, const struct ccws_bytes *own, struct emitted *out)
{
	struct ccws *sm = own->sm;
	u32 before = sm->members - sm->held;
	u64 cutoff;
	bool moved = false;
	if (!v->sm->warps && !sm->members && !sm->reset && !sm->stale) /* nor is it visited */
		return false;
	ccws_count_members(v, own);
	ccws_apply_cap(v, own);
	if (sm->stale || sched_now(v) >= sm->next)
		moved = ccws_see_allowed(v, sm);
	cutoff = (u64)max_u32(sm->members, 1) * v->m->config.ccws_base;
	sm->stale |= cutoff != sm->cutoff;
	sm->cutoff = cutoff;
	*out = (struct emitted){.kind = EVENT_LOAD_LIMIT, .a = sm->members - sm->held, .b = before};
	return moved;
}

/* A load has missed: the line is its warp's. True: the warp had lost it. */
static bool ccws_missed(const struct sched_view *v, const struct notice *n, const struct ccws_bytes *own,
			struct emitted *out)
{
	const struct config *c = &v->m->config;
	u64 line = (n->line >> v->m->line_shift) + 1;
	const struct ccws_victim *set;
	if (n->count) /* the line is there */
		return false;
	if (n->place != NONE32)
		own->line[n->place].owner = (u16)(n->context + 1u);
	if (n->context == NONE16 || !v->warp[n->context].depth)
		return false;
	set = ccws_victim_set(c, own->victim, n->context, line);
	if (ccws_victim_find(set, c->ccws_ways, line) == c->ccws_ways)
		return false;
	ccws_victim_hit(c, own, n->context, sched_now(v));
	*out = (struct emitted){.kind = EVENT_VICTIM_HIT,
				.a = (u32)ccws_score(v->m, v->sm_id, n->context, sched_now(v)),
				.b = own->warp[n->context].hits};
	return true;
}

/* The L1D is empty. */
static void ccws_flushed(const struct sched_view *v, const struct ccws_bytes *own)
{
	const struct config *c = &v->m->config;
	memset(own->victim, 0, own_count(&scheme_ccws.own[OWN_VICTIM], c) * sizeof *own->victim);
	memset(own->line, 0, own_count(&scheme_ccws.own[OWN_LINE], c) * sizeof *own->line);
}

/* A CTA has come or leaves. */
static void ccws_forget_cta(const struct sched_view *v, const struct ccws_bytes *own, u32 cta)
{
	own->sm->reset = 1;
	SET_EACH (k, v->cta[cta].contexts, CONTEXT_WORDS)
		ccws_forget_warp(own, k);
}

static bool ccws_on_notice(const struct sched_view *v, const struct notice *n, void *bytes, struct emitted *out)
{
	const struct config *c = &v->m->config;
	struct ccws_bytes own = ccws_bytes_of(v, bytes);
	if (!c->ccws_k)
		return false;
	switch (n->kind) {
	case NOTICE_CHOOSE: return ccws_about_to_choose(v, &own, out);
	case NOTICE_L1D_MISS: return ccws_missed(v, n, &own, out);
	case NOTICE_ISSUE:
		own.sm->issued++;
		own.warp[n->context].issued++;
		break;
	case NOTICE_L1D_EVICT:
		if (own.line[n->place].owner)
			ccws_victim_push(c, own.victim, own.line[n->place].owner - 1u,
					 (n->line >> v->m->line_shift) + 1);
		break;
	case NOTICE_L1D_FILL: own.line[n->place].owner = (u16)(n->context + 1u); break;
	case NOTICE_L1D_STORE:
		ccws_victims_forget(c, own.victim, v->m->contexts, (n->line >> v->m->line_shift) + 1);
		break;
	case NOTICE_L1D_FLUSH: ccws_flushed(v, &own); break;
	default: ccws_forget_cta(v, &own, n->cta);
	}
	return false;
}

/* --- choices --- */

static void ccws_hold(const struct sched_view *v, u64 *ready)
{
	const struct ccws *own = ccws_of(v->m, v->sm_id);
	const u64 *loads = &v->sm->set[SET_LOADS * v->m->words];
	if (!own->held || !v->m->config.ccws_k)
		return;
	SET_EACH (i, loads, v->m->words) {
		if (SET_HAS(ready, i) && !SET_HAS(own->allowed, v->slot[i].context) &&
		    slot_inst(v, i)->class == CLASS_LOAD)
			SET_DEL(ready, i);
	}
}

static u64 ccws_wake(const struct sched_view *v, u64 from)
{
	const struct ccws *own = ccws_of(v->m, v->sm_id);
	if (!v->m->config.ccws_k)
		return NEVER;
	bool now = own->stale || own->reset || own->latest > from + ccws_most_above(&v->m->config, own);
	return now ? from : max_u64(own->next, from);
}

u32 ccws_victims(const struct machine *m, u32 sm, u32 context)
{
	const struct ccws_victim *all = (const void *)own_sm_part(m, SCHEME_ccws, sm, OWN_VICTIM);
	u32 n = 0;
	for (u32 i = 0; i < m->config.ccws_entries; i++)
		n += all[context * m->config.ccws_entries + i].line != 0;
	return n;
}

static u32 ccws_entry_count(const struct config *c)
{
	return config_contexts(c) * c->ccws_entries;
}
static u32 ccws_lines(const struct config *c)
{
	return config_l1d_sets(c) * config_l1d_ways_max(c);
}

static const char *ccws_idle(const struct config *c)
{
	return c->ccws_k ? NULL : "ccws.k is 0, so that lost lines do not raise a warp's score";
}

const struct scheme scheme_ccws = {
	.name = "ccws",
	.paper = "Rogers, O'Connor, Aamodt, \"Cache-Conscious Wavefront Scheduling\", MICRO 2012",
	.doc = "cache-conscious wavefront scheduling: the more a warp loses of its lines in the L1D, the fewer other warps may load; else greedy then oldest",
	.neutral = "ccws.k 0",
	.equals = {[POLICY_order] = "gto"},
	.idle = ccws_idle,
	.decide.hold = ccws_hold,
	.decide.order = greedy_slot,
	.score = greedy_score,
	.on_notice_emit = ccws_on_notice,
	.subscribes = 1ULL << NOTICE_CHOOSE | 1ULL << NOTICE_ISSUE | 1ULL << NOTICE_ADMIT | 1ULL << NOTICE_LEAVE |
		      1ULL << NOTICE_L1D_MISS | 1ULL << NOTICE_L1D_EVICT | 1ULL << NOTICE_L1D_FILL |
		      1ULL << NOTICE_L1D_STORE | 1ULL << NOTICE_L1D_FLUSH,
	.wake = ccws_wake,
	.sm_local = true,
	.own = {[OWN_SM] = OWN(ccws, "ccws", IN_SM, NULL),
		[OWN_WARP] = OWN(ccws_warp, "ccws.warp", IN_SM, config_contexts),
		[OWN_VICTIM] = OWN(ccws_victim, "ccws.victim", IN_SM, ccws_entry_count),
		[OWN_LINE] = OWN(ccws_line, "ccws.line", IN_SM, ccws_lines)},
};
