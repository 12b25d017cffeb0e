/*
 * why_deadlock.c - which warps wait for which when nothing can happen any more, and since when.
 *
 * Every waiting warp has one edge: to a warp of its CTA that has not arrived at its barrier (it may wait at another
 * one), or to nothing that will ever come. The edges are followed from each warp; a loop among warps is the answer,
 * else the shortest chain that ends in nothing. Since when: the past is replayed in a fork, further and further back,
 * until those warps still did something else.
 */
#include "why_parts.h"

#include "policy.h"

#define MAX_LINKS 16
#define MOST_REPLAYED 262144

/* A warp that waits, and the next one of the chain. */
struct link {
	u32 sm, warp, status, pc;
	u32 next; /* warp that it waits for, NONE32: nothing that comes */
};
struct knot {
	struct link link[MAX_LINKS];
	u32 n;
	bool loop; /* the last waits for the first */
};

static const struct warp *warp_at(const struct sim *sim, u32 sm, u32 warp)
{
	return (struct warp *)machine_sm_section(sim->m, sm, SECTION_WARP) + warp;
}

/* The warp that a warp waits for, NONE32: none. */
static u32 waits_for(const struct sim *sim, u32 sm, u32 warp)
{
	const struct warp *w = warp_at(sim, sm, warp);
	const struct cta *cta = (struct cta *)machine_sm_section(sim->m, sm, SECTION_CTA) + w->cta;

	if (!w->at_barrier || w->released)
		return NONE32;
	SET_EACH (i, cta->contexts, CONTEXT_WORDS)
		if (warp_at(sim, sm, i)->depth && warp_at(sim, sm, i)->at_barrier != w->at_barrier)
			return i;
	return NONE32;
}

/* How a warp waits now. */
static struct link deadlock_look(const struct sim *sim, u32 sm, u32 warp)
{
	const struct warp *w = warp_at(sim, sm, warp);
	const struct slot *slot = machine_sm_section(sim->m, sm, SECTION_SLOT);
	bool here = w->cta != NONE16 && w->slot != NONE16;

	return (struct link){.sm = sm,
			     .warp = warp,
			     .status = sim_warp_status(sim, sm, warp),
			     .pc = here ? slot[w->slot].pc : NONE32,
			     .next = here ? waits_for(sim, sm, warp) : NONE32};
}

/* Follow the edges from a warp. */
static void follow(const struct sim *sim, u32 sm, u32 warp, struct knot *k)
{
	*k = (struct knot){0};
	while (warp != NONE32 && k->n < MAX_LINKS) {
		for (u32 i = 0; i < k->n; i++) {
			if (k->link[i].warp != warp)
				continue;
			memmove(k->link, k->link + i, (k->n - i) * sizeof(k->link[0]));
			k->n -= i;
			k->loop = true;
			return;
		}
		k->link[k->n] = deadlock_look(sim, sm, warp);
		warp = k->link[k->n++].next;
	}
}

/* Unfinished warps; the best knot among them: a loop before a chain that more than one warp makes, the shorter first.
 */
static u32 find(const struct sim *sim, struct knot *best)
{
	u32 waiting = 0;

	*best = (struct knot){0};
	for (u32 sm = 0; sm < sim->m->config.gpu_sms; sm++)
		for (u32 i = 0; i < sim->m->contexts; i++) {
			const struct warp *w = warp_at(sim, sm, i);
			struct knot k;

			if (w->cta == NONE16 || !w->depth)
				continue;
			waiting++;
			follow(sim, sm, i, &k);
			if (!best->n || k.loop > best->loop ||
			    (k.loop == best->loop && (best->n == 1 || (k.n > 1 && k.n < best->n))))
				*best = k;
		}
	return waiting;
}

/* Whether all warps of the knot wait as they do at the end. */
static bool tied(const struct sim *sim, const struct knot *k)
{
	for (u32 i = 0; i < k->n; i++) {
		struct link now = deadlock_look(sim, k->link[i].sm, k->link[i].warp);

		if (now.status != k->link[i].status || now.pc != k->link[i].pc || now.next != k->link[i].next)
			return false;
	}
	return true;
}

/* The first cycle from which the knot held, looked for no further back than `from`; `from` itself: it held there
 * already. */
static u64 tied_since(struct session *s, const struct knot *k, u64 from, u64 now)
{
	u64 since = from;
	struct sim fork;
	u32 applied;

	timeline_fork(s->timeline, (struct position){from, 0}, &fork, &applied);
	if (!tied(&fork, k))
		since = from + 1;
	for (u64 c = from + 1; c <= now; c++) {
		timeline_follow(s->timeline, &fork, &applied, (struct position){c, 0});
		if (!tied(&fork, k))
			since = c + 1;
	}
	sim_close(&fork);
	return since;
}

/* The first cycle at which the knot existed. */
static u64 first_cycle(struct session *s, const struct knot *k, u64 now)
{
	for (u64 back = 64; back <= MOST_REPLAYED; back *= 16) {
		u64 from = now > back ? now - back : 0, since = tied_since(s, k, from, now);

		if (since > from || !from)
			return since;
	}
	return now > MOST_REPLAYED ? now - MOST_REPLAYED : 0;
}

/* "the barrier of its CTA", "barrier 1 of its CTA (1 of 2 arrivals)". */
static const char *barrier_name(const struct why *w, const struct link *l, char text[80])
{
	const struct cta *cta = &w->ctas[w->warps[l->warp].cta];
	u32 n = w->warps[l->warp].at_barrier - 1u;

	if (!n && !cta->bar_needed[n])
		return "the barrier of its CTA";
	snprintf(text, 80, "barrier %u of its CTA (%u of %u arrivals)", n, cta->bar_arrived[n], barrier_needed(cta, n));
	return text;
}

/* What a warp that waits for no warp waits for. */
static void dead_end(const struct why *w, const struct link *l, struct text *out)
{
	struct text keepers = {0};

	if (livelock_kept_status(l->status))
		why_keepers(w->m, l->status, &keepers);
	if (keepers.len)
		text_add(out, "could issue, but a policy never selects it: %s (%s)", warp_status_table[l->status].name,
			 keepers.s);
	else if (w->warps[l->warp].stuck)
		text_add(out, "waits for its own lanes: each diverged path waits in a warp-synchronous instruction for "
			      "lanes of another path");
	else if (w->warps[l->warp].at_barrier)
		text_add(out, "waits at %s, and no warp that could arrive there is left",
			 barrier_name(w, l, (char[80]){""}));
	else if (l->status == WARP_FETCH && l->pc >= why_kernel(w, l->warp)->ninst)
		text_add(out, "waits for instruction %u, which is past the end of the kernel and is never fetched",
			 l->pc);
	else
		text_add(out, "waits (%s), and no pending event could end the wait",
			 l->status < WARP_STATUS_COUNT ? warp_status_table[l->status].name : "-");
	text_free(&keepers);
}

/* One link as a line. */
static void say_link(struct why *w, const struct knot *k, u32 i)
{
	const struct link *l = &k->link[i];
	u32 cta = w->ctas[w->warps[l->warp].cta].id;
	struct text end = {0};
	json_t *o;

	if (l->next == NONE32) {
		dead_end(w, l, &end);
		o = why_say(w, 1, "warp", "warp %u (SM %u, CTA %u) %s", l->warp, l->sm, cta, end.s);
	} else {
		o = why_say(w, 1, "warp",
			    "warp %u (SM %u, CTA %u) waits at %s for warp %u; its barrier instruction is %s", l->warp,
			    l->sm, cta, barrier_name(w, l, (char[80]){""}), l->next,
			    why_text(w, l->warp, w->warps[l->warp].barrier_pc));
	}
	text_free(&end);
	why_number(o, "warp", l->warp);
	if (l->next != NONE32)
		why_number(o, "waits_for", l->next);
	w->warp = l->warp;
	why_paths(w, 2);
}

bool why_deadlock(struct session *s, const struct sim *sim, struct text *out, json_t *result)
{
	struct knot k;
	struct why w;
	u32 waiting;
	u64 since;

	if (!sim_deadlocked(sim))
		return false;
	waiting = find(sim, &k);
	if (!k.n)
		return false;
	why_open(&w, s, sim, k.link[0].sm, out, result);
	why_say(&w, 0, "deadlock", "deadlock: %u warp%s wait%s, and no event can end a wait%s", waiting,
		waiting == 1 ? "" : "s", waiting == 1 ? "s" : "", k.loop ? "; these warps wait for each other:" : "");
	for (u32 i = 0; i < k.n; i++)
		say_link(&w, &k, i);
	since = first_cycle(s, &k, w.cycle);
	why_number(
		why_say(&w, 1, "since",
			"the deadlock began in cycle %llu and was detected in cycle %llu (see: `goto %llu`, `why warp %u`)",
			since, w.cycle, since, k.link[0].warp),
		"since", since);
	return true;
}
