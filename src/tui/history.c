/*
 * history.c - warp states and outcomes of one SM in a window of cycles, for the timeline pane.
 *
 * A simulator of its own follows the session's, so that the session's need not record. It is a cache, a function of the
 * position: what is asked for within the known cycles is there at once, what follows them is run on to, anything else
 * begins anew from a keyframe; an input discards all. Cycles stand by the number of cycles that are complete after
 * them. Each cycle also keeps the numbers that the spark lines are drawn from (spark.h); another list of these begins
 * it anew.
 */
#include "counters.h"
#include "history.h"
#include "machine.h"
#include "pane.h"
#include "session.h"

#define JOINED 0x80 /* beside a status: it is in a gang with the context before, and in the same status */

/* One cycle; its bytes are in the pool: a status for each context, an outcome for each scheduler. */
struct moment {
	u64 slots;
	u32 issued;
};

struct history {
	struct sim sim;
	bool open;
	u32 applied, sm, width; /* width: bytes of a cycle */
	struct era era;
	u64 sparks_version, from, to;
	u32 room; /* cycles, a power of two */
	struct moment *moment;
	u8 *pool;
	double *sample; /* of the spark lines: `samples` for each cycle */
	u32 samples;
	u64 issued; /* up to cycle `to` */
	u8 *gang;   /* by home, GANG_ENTRIES masks: the table of gangs at the end of cycle `to` */
};

static u8 *bytes_of(const struct history *h, u64 cycle)
{
	return &h->pool[(size_t)(cycle & (h->room - 1)) * h->width];
}
static struct moment *moment_of(const struct history *h, u64 cycle)
{
	return &h->moment[cycle & (h->room - 1)];
}

double *history_sample(const struct history *h, u64 cycle)
{
	return &h->sample[(size_t)(cycle & (h->room - 1)) * h->samples];
}

u64 history_from(const struct history *h)
{
	return h->from;
}
u64 history_to(const struct history *h)
{
	return h->to;
}
u8 history_status(const struct history *h, u64 cycle, u32 warp)
{
	return bytes_of(h, cycle)[warp] & ~JOINED;
}
bool history_joined(const struct history *h, u64 cycle, u32 warp)
{
	return bytes_of(h, cycle)[warp] & JOINED;
}
u32 history_issued(const struct history *h, u64 cycle)
{
	return moment_of(h, cycle)->issued;
}
u64 history_slots(const struct history *h, u64 cycle)
{
	return moment_of(h, cycle)->slots;
}
u8 history_outcome(const struct history *h, u64 cycle, u32 sched)
{
	return bytes_of(h, cycle)[h->sim.m->contexts + sched];
}

void history_close(struct history *h)
{
	if (!h || !h->open)
		return;
	sim_close(&h->sim);
	h->open = false;
}

void history_free(struct history *h)
{
	history_close(h);
	if (h) {
		free(h->moment);
		free(h->pool);
		free(h->sample);
		free(h->gang);
	}
	free(h);
}

/* The numbers of the spark lines in the follower's cycle, computed as the session computes them. */
static void take_sample(struct history *h, const struct session *s, bool first)
{
	u64 cycle = machine_gpu(h->sim.m)->cycle;
	struct session view;

	if (!h->samples)
		return;
	view = *s;
	view.sim = h->sim;
	sparks_sample(sparks_of(s), &view, first ? NULL : history_sample(h, cycle - 1), history_sample(h, cycle));
}

/* Mark in a cycle's states which small warps are in a gang with the small warp before them and in the same state: those
 * that issued go by the table of gangs before the cycle, the others by that after it, which is kept. */
static void take_gangs(struct history *h, u8 *bytes)
{
	struct machine *m = h->sim.m;
	const struct gang *now = machine_sm_section(m, h->sm, SECTION_GANG);

	if (!m->policy_gangs)
		return;
	for (u32 i = 1; i < m->contexts; i++) {
		u32 k = i & ((1u << m->parent_shift) - 1), first = context_parent(m, i) * GANG_ENTRIES;
		bool together = false;

		for (u32 e = first; k && e < first + GANG_ENTRIES; e++) {
			u32 mask = (bytes[i] & ~JOINED) == WARP_ISSUED ? h->gang[e] : now[e].mask;

			together |= (mask >> (k - 1) & 3) == 3;
		}
		if (together && bytes[i] == (bytes[i - 1] & ~JOINED))
			bytes[i] |= JOINED;
	}
	for (u32 e = 0; e < machine_parents(m) * GANG_ENTRIES; e++)
		h->gang[e] = now[e].mask;
}

/* Keep the cycle that the follower has just completed. */
static void take(struct history *h, const struct session *s, bool first)
{
	struct machine *m = h->sim.m;
	const struct sm *sm = machine_sm_section(m, h->sm, SECTION_SM);
	const struct sched *sched = machine_sm_section(m, h->sm, SECTION_SCHED);
	u64 cycle = machine_gpu(m)->cycle, issued = sm->stat[STAT_INST_WARP];
	bool slot = cycle && (cycle - 1) % m->config.issue_interval == 0;
	struct moment *t = moment_of(h, cycle);
	u8 *bytes = bytes_of(h, cycle);

	*t = (struct moment){.issued = (u32)(issued - h->issued)};
	for (u32 i = 0; i < m->contexts; i++)
		bytes[i] = (u8)sim_warp_status(&h->sim, h->sm, i);
	take_gangs(h, bytes);
	for (u32 i = 0; i < m->schedulers; i++)
		bytes[m->contexts + i] = slot ? sched[i].outcome : SLOT_OUTCOME_COUNT;
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		t->slots += sm->outcomes[i];
	take_sample(h, s, first);
	h->issued = issued;
	h->to = cycle;
	if (h->to - h->from >= h->room)
		h->from = h->to - h->room + 1;
}

/* Begin anew at a cycle, with room for `cycles`. */
static void begin(struct history *h, const struct session *s, u32 sm, u64 cycle, u64 cycles)
{
	u32 room = 1024;

	while (room < cycles + 1 && room < HISTORY_MOST * 2)
		room *= 2;
	history_close(h);
	timeline_fork(s->timeline, (struct position){cycle, 0}, &h->sim, &h->applied);
	h->open = true;
	h->sim.bus.want = 0;
	h->era = session_era(s);
	h->sparks_version = sparks_version(sparks_of(s));
	h->samples = sparks_width(sparks_of(s));
	h->sm = sm;
	h->room = room;
	h->width = h->sim.m->contexts + h->sim.m->schedulers;
	h->moment = xrealloc(h->moment, room * sizeof(*h->moment));
	h->pool = xrealloc(h->pool, (size_t)room * h->width);
	h->gang = xrealloc(h->gang, machine_parents(h->sim.m) * GANG_ENTRIES + 1);
	memset(h->gang, 0, machine_parents(h->sim.m) * GANG_ENTRIES);
	h->sample = xrealloc(h->sample, ((size_t)room * h->samples + 1) * sizeof(*h->sample));
	sim_sync(&h->sim);
	h->from = machine_gpu(h->sim.m)->cycle;
	h->issued = ((struct sm *)machine_sm_section(h->sim.m, sm, SECTION_SM))->stat[STAT_INST_WARP];
	take(h, s, true);
}

/* A timeline that begins later (B's of `compare`, in place) has no data of the cycles from `from` on up to its first,
 * of which it has the states alone: no warp was resident, and no slots are counted. */
static void take_nothing(struct history *h, u64 from, u64 to)
{
	u64 slots = moment_of(h, h->from)->slots, end = min_u64(h->from, to + 1);

	memset(bytes_of(h, h->from) + h->sim.m->contexts, SLOT_OUTCOME_COUNT, h->sim.m->schedulers);
	for (u64 c = from; c < end; c++) {
		memset(bytes_of(h, c), WARP_STATUS_COUNT, h->sim.m->contexts);
		memset(bytes_of(h, c) + h->sim.m->contexts, SLOT_OUTCOME_COUNT, h->sim.m->schedulers);
		*moment_of(h, c) = (struct moment){.slots = slots};
		memset(history_sample(h, c), 0, h->samples * sizeof(*h->sample));
	}
	if (end == h->from)
		h->from = from;
}

bool history_read(struct history **slot, const struct session *s, u32 sm, u64 from, u64 to)
{
	struct history *h = *slot ? *slot : (*slot = xcalloc(1, sizeof(*h)));
	u64 most = h->room;

	if (!h->open || !session_era_holds(s, h->era) || h->sparks_version != sparks_version(sparks_of(s)) ||
	    h->sm != sm || from < h->from || from > h->to + most || to - from >= most)
		begin(h, s, sm, from, to - from + 1);
	if (from < h->from)
		take_nothing(h, from, to);
	while (h->to < to) {
		timeline_follow(s->timeline, &h->sim, &h->applied, (struct position){h->to + 1, 0});
		if (machine_gpu(h->sim.m)->cycle != h->to + 1)
			return false;
		sim_sync(&h->sim);
		take(h, s, false);
	}
	return true;
}
