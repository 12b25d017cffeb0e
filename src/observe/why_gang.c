/*
 * why_gang.c - a small warp of a gang: the other warps of the gang, what those that are not ready wait for, what splits
 * the gang; which gangs issued in the cycle, and how the gang policy ranked those that could.
 *
 * Which gangs issued is seen in a second run of the cycle's issue stage. The ranking is the policy's own: it is called
 * again and again, each time without the gangs that it has selected already.
 */
#include "events.h"
#include "why_parts.h"

#include "policy_gangs.h"

/* Gangs that issued in the cycle, as the policy named them; the table of gangs that it chose from. */
struct issued_gangs {
	u32 n, first[MOST_vws_gangs], mask[MOST_vws_gangs];
	struct sim
		then; /* just before the cycle's issue stage, with that table; then.m NULL: there is no such moment */
};

static u32 slices(const struct why *w)
{
	return 1u << w->m->parent_shift;
}

static u32 home_first(const struct why *w, u32 warp)
{
	return warp & ~(slices(w) - 1);
}

/* The slices of the gang of the table that a slice is in, in a machine, itself included; 0: it is in none. */
static u32 gang_in(const struct why *w, struct machine *m, u32 warp)
{
	const struct gang *g =
		(struct gang *)machine_sm_section(m, w->sm, SECTION_GANG) + context_parent(m, warp) * GANG_ENTRIES;

	for (u32 i = 0; m->policy_gangs && i < GANG_ENTRIES; i++)
		if (g[i].mask >> (warp - home_first(w, warp)) & 1)
			return g[i].mask;
	return 0;
}

bool why_ganged(const struct why *w, u32 warp)
{
	return gang_in(w, w->m, warp) && (!w->before.m || gang_in(w, w->before.m, warp));
}

/* "warps 8 to 11, 13", in a buffer of the block that asks. */
#define warps_of(first, mask) warps_text(first, mask, (char[80]){""})
static const char *warps_text(u32 first, u32 mask, char out[80])
{
	struct text t = {0};

	text_add(&t, "warp%s", mask & (mask - 1) ? "s" : "");
	for (u32 i = 0, last; mask >> i; i = last + 1) {
		for (; !(mask >> i & 1); i++)
			;
		for (last = i; mask >> (last + 1) & 1; last++)
			;
		text_add(&t, last > i ? "%s%u to %u" : "%s%u", mask & ((1u << i) - 1) ? ", " : " ", first + i,
			 first + last);
	}
	snprintf(out, 80, "%s", t.s);
	text_free(&t);
	return out;
}

/* The slices that issued as a gang of n with a warp as their first: those of its gang before the cycle's issue stage,
 * or, if a load has split it there, those of it that issued. */
static u32 issued_mask(const struct why *w, u32 lead, u32 n)
{
	u32 mask = gang_in(w, w->before.m, lead), issued = 0, first = home_first(w, lead);

	for (u32 left = mask; left; left &= left - 1)
		if (sim_warp_status(w->sim, w->sm, first + (u32)__builtin_ctz(left)) == WARP_ISSUED)
			issued |= left & -left;
	return (u32)__builtin_popcount(mask) == n ? mask : issued;
}

/* The sets of slots that the table comes to. */
static void map_gangs(struct machine *m, u32 sm)
{
	struct gang_map *map = machine_sm_section(m, sm, SECTION_GANG_MAP);
	const struct gang *table = machine_sm_section(m, sm, SECTION_GANG);
	const struct warp *warp = machine_sm_section(m, sm, SECTION_WARP);

	memset(map, 0, offsetof(struct gang_map, age));
	for (u32 e = 0; e < gang_entries(m); e++)
		for (u32 left = table[e].mask; left; left &= left - 1) {
			u32 context = (e / GANG_ENTRIES << m->parent_shift) + (u32)__builtin_ctz(left);

			SET_ADD(&map->slots[e % GANG_ENTRIES * SLOT_WORDS], warp[context].slot);
			SET_ADD(map->any, warp[context].slot);
		}
}

/* Gangs that a load has split in the issue stage are in `then` as the policy saw them: as they are after it, except
 * those that issued, which may have split since. */
static void find_offered(struct issued_gangs *g, struct sim *after, u32 sm)
{
	struct gang *table = machine_sm_section(g->then.m, sm, SECTION_GANG);
	const struct gang *later = machine_sm_section(after->m, sm, SECTION_GANG);

	for (u32 e = 0; e < gang_entries(after->m); e++) {
		u32 first = e / GANG_ENTRIES << after->m->parent_shift;
		bool issued = false;

		for (u32 i = 0; i < g->n; i++)
			issued |= g->first[i] == first && g->mask[i] & (table[e].mask | later[e].mask);
		if (!issued)
			table[e] = later[e];
	}
	map_gangs(g->then.m, sm);
}

/* To be closed with close_issued(). */
static void find_issued(const struct why *w, struct issued_gangs *g)
{
	struct sim after;

	*g = (struct issued_gangs){0};
	if (!w->before.m || !w->m->policy_gangs)
		return;
	sim_fork(&g->then, &w->before);
	sim_fork(&after, &w->before);
	after.bus.want = EVENT_BIT(EVENT_GANG);
	sim_stage(&after);
	for (u32 i = 0; i < after.bus.count && g->n < MOST_vws_gangs; i++) {
		const struct record *r = &after.bus.record[i];

		if (r->kind != EVENT_GANG || r->sm != w->sm)
			continue;
		g->first[g->n] = home_first(w, r->warp);
		g->mask[g->n++] = issued_mask(w, r->warp, (u32)r->a);
	}
	if (w->m->config.vws_split)
		find_offered(g, &after, w->sm);
	sim_close(&after);
}

static void close_issued(struct issued_gangs *g)
{
	if (g->then.m)
		sim_close(&g->then);
}

/* Which of the gangs that issued a warp was in; NONE32: none. */
static u32 issued_with(const struct why *w, const struct issued_gangs *g, u32 warp)
{
	for (u32 i = 0; i < g->n; i++)
		if (g->first[i] == home_first(w, warp) && g->mask[i] >> (warp - g->first[i]) & 1)
			return i;
	return NONE32;
}

bool why_issued_in_gang(const struct why *w, u32 warp)
{
	struct issued_gangs g;
	bool with;

	find_issued(w, &g);
	with = issued_with(w, &g, warp) != NONE32;
	close_issued(&g);
	return with;
}

/* --- how the policy puts gangs in order --- */

/* The slots of gangs all of whose slices could issue, and issued or were passed over. */
static void find_ready(const struct why *w, const struct sched_view *v, u64 *out)
{
	u64 could[SLOT_WORDS] = {0};

	for (u32 i = 0; i < w->m->slots_per_sub * w->m->config.sm_subcores; i++) {
		u32 context = w->slots[i].context;
		u32 status = context == NONE16 ? WARP_STATUS_COUNT : sim_warp_status(w->sim, w->sm, context);

		if (status == WARP_ISSUED || status == WARP_ELIGIBLE)
			SET_ADD(could, i);
	}
	for (u32 e = 0; e < gang_entries(w->m); e++) {
		u64 slots[SLOT_WORDS] = {0};
		bool all = v->gangs[e].mask != 0;

		if (all)
			gang_slots(v, e, slots);
		for (u32 i = 0; i < w->m->words; i++)
			all = all && !(slots[i] & ~could[i]);
		for (u32 i = 0; all && i < w->m->words; i++)
			out[i] |= slots[i];
	}
}

/* Why a gang that could did not issue: others had schedulers of its slices, or were as many as may. */
static const char *lost_to(const struct issued_gangs *g, u32 mask)
{
	u32 taken = 0;

	for (u32 i = 0; i < g->n; i++)
		taken |= g->mask[i];
	return taken & mask ? "  (its issue slots were taken)" : "";
}

/* One gang that the policy names; mine: it is the warp's. */
static void say_gang(struct why *w, const struct issued_gangs *g, u32 rank, u32 lead, bool mine)
{
	u32 first = home_first(w, lead), mask = gang_in(w, g->then.m, lead), with = issued_with(w, g, lead);
	json_t *o = why_say(w, 2, "candidate", "%u. %s (%d)%s%s", rank, warps_of(first, mask), __builtin_popcount(mask),
			    with != NONE32 ? "  <- issued" : lost_to(g, mask),
			    mine && with == NONE32 ? "  <- this warp" : "");

	why_numbers(o, {"rank", rank}, {"warp", lead}, {"slices", mask});
	if (o)
		json_object_set_new(o, "chosen", json_boolean(with != NONE32));
}

/* The gangs that could issue, in the policy's order: the first six, and that of the warp. */
static void say_ranking(struct why *w, const struct issued_gangs *g)
{
	const struct scheme *gang = policy_one(w->m, POLICY_gang);
	const struct sched_view *v = sim_look(&g->then, w->sm, 0);
	u64 left[SLOT_WORDS] = {0}, one[SLOT_WORDS] = {0};
	u32 n = 0, unsaid = 0;

	find_ready(w, v, left);
	why_say(w, 1, "policy",
		"gang policy %s (%s) issues up to %u gangs per cycle (vws.gangs_per_cycle). Ready gangs, "
		"with their number of warps:",
		gang->name, gang->doc, w->m->config.vws_gangs);
	while (gang->decide.gang(v, left, one)) {
		bool mine = SET_HAS(one, w->warps[w->warp].slot);

		if (n++ < 6 || mine)
			say_gang(w, g, n, w->slots[set_first(one, w->m->words)].context, mine);
		else
			unsaid++;
		for (u32 i = 0; i < w->m->words; i++)
			left[i] &= ~one[i];
		memset(one, 0, sizeof(one));
	}
	if (unsaid)
		why_say(w, 2, "more", "and %u more", unsaid);
}

/* What would take some of a gang from the others, and whether they would meet again. */
static void say_split(struct why *w, u32 level)
{
	static const char *const load[] = {"", ", or if a load returns for some before others (vws.split group)",
					   ", or if a load returns for some before others (vws.split impatient)"};

	why_say(w, level, "split", "the gang splits if a branch diverges or some of its warps exit%s%s",
		load[w->m->config.vws_split],
		w->m->config.vws_reform ? "; it is re-formed when they reach the same instruction again (vws.reform on)"
					: "; it is not re-formed (vws.reform off)");
}

bool why_gang_chosen(struct why *w)
{
	struct issued_gangs g;
	u32 with;
	json_t *o;

	find_issued(w, &g);
	with = issued_with(w, &g, w->warp);
	if (with == NONE32 && !why_ganged(w, w->warp)) {
		close_issued(&g);
		return false;
	}
	if (with != NONE32) {
		o = why_say(w, 1, "gang", "the warp issued in a gang of %d %u-thread warps: %s",
			    __builtin_popcount(g.mask[with]), w->m->config.warp_size,
			    warps_of(g.first[with], g.mask[with]));
		why_number(o, "slices", g.mask[with]);
	}
	if (g.then.m)
		say_ranking(w, &g);
	if (gang_in(w, w->m, w->warp))
		say_split(w, 1);
	close_issued(&g);
	return true;
}

/* --- mates --- */

/* One look at a mate: what `why` says of its status. */
static void say_mate(struct why *w, u32 mate, u32 status)
{
	struct why one = *w;

	one.warp = mate;
	one.sub = mate % w->m->config.sm_subcores;
	one.deeper += 2;
	one.nissues = 0;
	one.before = (struct sim){0};
	forecast_warp(w->sim, w->sm, mate, &one.next);
	why_past(&one, PAST_CYCLES);
	if (w->warps[mate].stuck)
		why_paths(&one, 1);
	else
		why_status(&one, status);
	why_close(&one);
}

/* Is a mate in the way of the others? It may wait in an instruction between lanes for lanes that are elsewhere. */
static bool hinders(const struct why *w, u32 mate, u32 status)
{
	return status < WARP_STATUS_COUNT && status != WARP_ELIGIBLE && (status != WARP_GANG || w->warps[mate].stuck);
}

/* What each mate that is not ready waits for: the first of each status at length. */
static void say_mates(struct why *w, u32 mask)
{
	u32 first = home_first(w, w->warp), told = 0;

	for (u32 left = mask; left; left &= left - 1) {
		u32 mate = first + (u32)__builtin_ctz(left), status = sim_warp_status(w->sim, w->sm, mate);

		if (mate == w->warp || !hinders(w, mate, status))
			continue;
		why_number(why_say(w, 2, "mate", "warp %u was not ready: %s", mate, warp_status_table[status].name),
			   "warp", mate);
		if (!(told >> status & 1))
			say_mate(w, mate, status);
		told |= 1u << status;
	}
}

/* It waits at a reconvergence point: for which warps, and how long at most. False: it does not. */
static bool say_sync(struct why *w)
{
	u32 missing, first = home_first(w, w->warp);
	u64 until = sim_warp_sync(w->sim, w->sm, w->warp, &missing);
	json_t *o;

	if (until < w->cycle)
		return false;
	o = why_say(
		w, 1, "sync",
		"the warp is at a reconvergence point, %s, and waits for %d other warps of its parent warp (vws.sync), "
		"until cycle %llu at most",
		why_text(w, w->warp, w->slots[w->warps[w->warp].slot].pc), __builtin_popcount(missing), until);
	why_numbers(o, {"slices", missing}, {"until", until});
	for (u32 left = missing; left; left &= left - 1) {
		u32 other = first + (u32)__builtin_ctz(left), slot = w->warps[other].slot;

		if (slot == NONE16)
			o = why_say(w, 2, "absent", "warp %u has no warp slot", other);
		else
			o = why_say(w, 2, "absent", "warp %u is at %s", other, why_text(w, other, w->slots[slot].pc));
		why_number(o, "warp", other);
	}
	return true;
}

void why_gang(struct why *w)
{
	u32 gang = gang_in(w, w->m, w->warp);
	bool waits;
	json_t *o;

	if (w->warps[w->warp].stuck) {
		why_say(w, 1, "stuck",
			"all diverged paths of the warp wait in warp-synchronous instructions, and none of these can complete");
		return;
	}
	waits = say_sync(w);
	if (!gang && waits)
		return;
	if (!gang) {
		why_say(w, 1, "status", "%s", warp_status_table[WARP_GANG].doc);
		return;
	}
	o = why_say(w, 1, "gang",
		    "the warp is in a gang of %d %u-thread warps (%s), which issues only as a whole, at %s",
		    __builtin_popcount(gang), w->m->config.warp_size, warps_of(home_first(w, w->warp), gang),
		    why_text(w, w->warp, w->slots[w->warps[w->warp].slot].pc));
	why_number(o, "slices", gang);
	say_mates(w, gang);
	say_split(w, 2);
}

/* ", 3 long, 4 gang": what mates are in. */
static void add_statuses(const struct why *w, u32 mask, struct text *out)
{
	u32 count[WARP_STATUS_COUNT + 1] = {0}, first = home_first(w, w->warp);

	for (u32 left = mask; left; left &= left - 1)
		count[sim_warp_status(w->sim, w->sm, first + (u32)__builtin_ctz(left))]++;
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		if (count[i])
			text_add(out, "%s%u %s", out->len ? ", " : "", count[i], warp_status_table[i].name);
}

void why_mates(struct why *w, u32 status)
{
	u32 gang = gang_in(w, w->m, w->warp), first = home_first(w, w->warp);
	bool told = status == WARP_GANG && !w->warps[w->warp].stuck;
	struct text line = {0};
	json_t *o;

	if (!gang || told || status == WARP_ISSUED || status == WARP_ELIGIBLE)
		return;
	gang &= ~(1u << (w->warp - first));
	add_statuses(w, gang, &line);
	o = why_say(w, 1, "mates", "the warp is in a gang, which issues only as a whole, with %s (%s)",
		    warps_of(first, gang), line.s);
	why_number(o, "slices", gang);
	say_split(w, 2);
	text_free(&line);
}
