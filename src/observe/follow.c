/* follow.c - which instruction is followed, and its way as it holds now (follow.h). */
#include "events.h"
#include "follow_internal.h"

const struct hop_row hop_table[HOP_COUNT] = {
#define HOP(id, row_name, row_box, row_doc) [HOP_##id] = {.name = row_name, .doc = row_doc, .box = BOX_##row_box},
#include "hops.def"
#undef HOP
};

/* --- its way --- */

/* Is it early enough to begin in a cycle? Not if the instruction may be in the buffer there, or be fetched. */
static bool early(const struct session *s, const struct follow *f, u64 from)
{
	const struct warp *w;
	const struct cta *cta;
	struct sim then;
	bool is;

	if (from <= f->since || !from)
		return true;
	timeline_fork(s->timeline, (struct position){from, 0}, &then, NULL);
	w = (const struct warp *)machine_sm_section(then.m, f->sm, SECTION_WARP) + f->warp;
	cta = machine_sm_section(then.m, f->sm, SECTION_CTA);
	is = w->cta == NONE16 || w->launch != f->launch || cta[w->cta].id != f->cta || w->slot == NONE16 ||
	     (w->issued <= f->ordinal && f->ordinal - w->issued > then.m->config.sm_ibuffer);
	sim_close(&then);
	return is;
}

/* Look its way up; false: interrupted. */
static bool look_up(const struct session *s, struct follow *f)
{
	struct follow_watch *w = xcalloc(1, sizeof(*w));
	u64 start = min_u64(f->chosen, timeline_now(s->timeline).cycle), from, back = 64;

	timeline_enable(s->timeline); /* looking back is cheaper with keyframes */
	do {
		/* never before its CTA starts: a launch that is repeated had another CTA of that number */
		from = max_u64(start > back ? start - back : 0, f->since);
		back *= 4;
	} while (!early(s, f, from) && !timeline_interrupt);
	free(f->hop);
	f->hop = NULL;
	f->n = f->ngrants = f->lines = f->hits = f->misses = f->merges = 0;
	w->session = s;
	w->f = f;
	follow_live(w, from);
	sim_close(&w->fork);
	follow_way_free(w);
	free(w->request);
	free(w);
	f->era = session_era(s);
	return !timeline_interrupt;
}

const struct follow *follow_now(const struct session *s)
{
	struct follow *f = s->follow;

	if (!f || !s->live)
		return NULL;
	if (session_era_holds(s, f->era))
		return f;
	return look_up(s, f) ? f : NULL;
}

void follow_stop(struct session *s)
{
	if (s->follow)
		free(s->follow->hop);
	free(s->follow);
	s->follow = NULL;
}

/* --- which --- */

/* Follow what a machine that stands in a cycle has of a warp: its instruction of that number. */
static enum status choose(struct session *s, const struct sim *sim, u32 sm, u32 warp, u32 ordinal, u32 pc,
			  struct error *e)
{
	const struct warp *w = (struct warp *)machine_sm_section(sim->m, sm, SECTION_WARP) + warp;
	const struct cta *cta = (struct cta *)machine_sm_section(sim->m, sm, SECTION_CTA) + w->cta;
	struct follow *f = xcalloc(1, sizeof(*f));

	*f = (struct follow){.launch = w->launch,
			     .cta = cta->id,
			     .index = w->index,
			     .sm = sm,
			     .warp = warp,
			     .ordinal = ordinal,
			     .chosen = sim_clock(sim),
			     .since = cta->started,
			     .pc = pc};
	if (!look_up(s, f)) {
		free(f->hop);
		free(f);
		return error_set(e, STATUS_FAILED, "interrupted");
	}
	follow_stop(s);
	s->follow = f;
	return STATUS_OK;
}

/* A machine of its own in a cycle, which may lie ahead. */
static enum status stand(const struct session *s, u64 cycle, struct sim *then, struct error *e)
{
	timeline_fork(s->timeline, (struct position){cycle, 0}, then, NULL);
	if (sim_clock(then) == cycle)
		return STATUS_OK;
	error_set(e, STATUS_FAILED, "no cycle %llu: the program ends in cycle %llu", cycle, sim_clock(then));
	sim_close(then);
	return STATUS_FAILED;
}

/* The same with a warp that has an instruction there; *pc: of the one that it issued in that cycle, NONE32: of none. */
static enum status stand_with(const struct session *s, u32 sm, u32 warp, u64 cycle, struct sim *then, u32 *pc,
			      struct error *e)
{
	const struct warp *w;
	enum status st = stand(s, cycle, then, e);

	if (st)
		return st;
	w = (struct warp *)machine_sm_section(then->m, sm, SECTION_WARP) + warp;
	*pc = w->cta == NONE16 ? NONE32 : sim_warp_issued(then, sm, warp, &(u32){0});
	if (w->cta == NONE16)
		st = error_set(e, STATUS_FAILED,
			       "sm %u warp %u is not resident in cycle %llu (`info warps` lists resident warps)", sm,
			       warp, cycle);
	else if (*pc == NONE32 && !w->depth)
		st = error_set(e, STATUS_FAILED, "sm %u warp %u has ended: it has no next instruction", sm, warp);
	if (st)
		sim_close(then);
	return st;
}

enum status follow_warp(struct session *s, u32 sm, u32 warp, u64 cycle, struct error *e)
{
	const struct warp *w;
	struct sim then;
	u32 pc;
	enum status st = stand_with(s, sm, warp, cycle, &then, &pc, e);

	if (st)
		return st;
	w = (struct warp *)machine_sm_section(then.m, sm, SECTION_WARP) + warp;
	if (pc != NONE32)
		st = choose(s, &then, sm, warp, w->issued - 1, pc, e);
	else
		st = choose(s, &then, sm, warp, w->issued, sim_warp_pc(&then, sm, warp, &(u32){0}), e);
	sim_close(&then);
	return st;
}

/* Follow a load that issued in an earlier cycle: it is the instruction at its PC that its warp issued then. */
static enum status choose_load(struct session *s, const struct sim *sim, u32 sm, u32 load, struct error *e)
{
	const struct load l = ((struct load *)machine_sm_section(sim->m, sm, SECTION_LOAD))[load];
	struct sim then;
	u32 applied, ordinal;

	timeline_fork(s->timeline, (struct position){l.issued_at, 0}, &then, &applied);
	then.bus.want = EVENT_BIT(EVENT_ISSUE);
	ordinal = ((struct warp *)machine_sm_section(then.m, sm, SECTION_WARP))[l.context].issued;
	timeline_follow(s->timeline, &then, &applied, (struct position){l.issued_at + 1, 0});
	for (u32 i = 0; i < then.bus.count; i++) {
		const struct record *r = &then.bus.record[i];

		if (r->sm != sm || r->warp != l.context)
			continue;
		if (r->pc == l.pc)
			break;
		ordinal++;
	}
	sim_close(&then);
	return choose(s, sim, sm, l.context, ordinal, l.pc, e);
}

/* Of the loads of a warp, or those that wait for a line (warp NONE32), the oldest of an SM; NONE32: none. */
static u32 oldest_load(const struct sim *sim, u32 sm, u32 warp, u64 line, u64 *since)
{
	const struct load *load = machine_sm_section(sim->m, sm, SECTION_LOAD);
	const struct warp *w = machine_sm_section(sim->m, sm, SECTION_WARP);
	const struct mshr *mshr = machine_sm_section(sim->m, sm, SECTION_L1D_MSHR);
	const struct waiter *waiter = machine_sm_section(sim->m, sm, SECTION_L1D_WAITER);
	u64 used[LOAD_WORDS];
	u32 found = NONE32;

	requests_loads(sim, sm, used);
	SET_EACH (i, used, LOAD_WORDS) {
		bool is = load[i].context == warp;

		for (u32 k = 0; warp == NONE32 && k < sim->m->config.l1d_mshrs && !is; k++) {
			u64 key = sim->m->config.l1d_sectors ? (mshr[k].line >> 4) + 1 : mshr[k].line;

			if (!mshr[k].line || key != line + 1)
				continue;
			for (u32 at = mshr[k].first, n = 0; n < mshr[k].count; at = waiter[at].next, n++)
				is |= load_wants(sim, sm, i, waiter[at].load, waiter[at].mates);
		}
		if (!is || load[i].generation != w[load[i].context].generation || load[i].issued_at >= *since)
			continue;
		found = i;
		*since = load[i].issued_at;
	}
	return found;
}

enum status follow_load(struct session *s, u32 sm, u32 warp, u64 cycle, struct error *e)
{
	struct sim then;
	enum status st = stand(s, cycle, &then, e);
	u64 since = NEVER;
	u32 load;

	if (st)
		return st;
	load = oldest_load(&then, sm, warp, 0, &since);
	st = load == NONE32 ? error_set(e, STATUS_FAILED,
					"sm %u warp %u has no load in flight in cycle %llu (`follow warp %u` follows "
					"its next instruction)",
					sm, warp, cycle, warp)
			    : choose_load(s, &then, sm, load, e);
	sim_close(&then);
	return st;
}

enum status follow_line(struct session *s, u32 sm, u64 address, u64 cycle, struct error *e)
{
	struct sim then;
	enum status st = stand(s, cycle, &then, e);
	u32 load = NONE32, at = sm, sms = sim_config(&s->sim)->gpu_sms;

	if (st)
		return st;
	for (u32 i = 0; i < sms && load == NONE32; i++) {
		u64 since = NEVER;

		at = (sm + i) % sms;
		load = oldest_load(&then, at, NONE32, address >> then.m->line_shift, &since);
	}
	st = load == NONE32 ? error_set(e, STATUS_FAILED,
					"no load waits for the line of address 0x%llx in cycle %llu (`show memory` "
					"lists requests)",
					address, cycle)
			    : choose_load(s, &then, at, load, e);
	sim_close(&then);
	return st;
}

void follow_save(const struct session *s, struct text *out)
{
	const struct follow *f = s->follow ? follow_now(s) : NULL;
	u32 at = 0, sm, warp, pc;
	struct error none;
	struct sim then;
	u64 cycle;

	if (!f)
		return;
	while (at < f->n && f->hop[at].kind != HOP_ISSUE)
		at++;
	sm = at < f->n ? f->hop[at].sm : f->sm;
	warp = at < f->n ? f->hop[at].warp : f->warp;
	cycle = at < f->n ? f->hop[at].from : f->chosen;
	if (sm >= sim_config(&s->sim)->gpu_sms || warp >= s->sim.m->contexts)
		return;
	if (stand_with(s, sm, warp, cycle, &then, &pc, &none)) /* since it was chosen the run has become another */
		return;
	sim_close(&then);
	text_add(out, "follow warp %u sm %u at %llu\n", warp, sm, cycle);
}

/* --- cycles and hops --- */

u32 follow_at(const struct follow *f, u64 cycle)
{
	for (u32 i = 0; i < f->n; i++)
		if (f->hop[i].from <= cycle && cycle < f->hop[i].to)
			return i;
	return NONE32;
}

u64 follow_next(const struct follow *f, u64 cycle, u32 kind)
{
	for (u32 i = 0; i < f->n; i++)
		if (f->hop[i].from > cycle && (kind == HOP_COUNT || f->hop[i].kind == kind))
			return f->hop[i].from;
	return NEVER;
}

u64 follow_before(const struct follow *f, u64 cycle)
{
	for (u32 i = f->n; i-- > 0;)
		if (f->hop[i].from < cycle)
			return f->hop[i].from;
	return NEVER;
}

u32 hop_find(const char *name, u32 column, struct error *e)
{
	const char *names[HOP_COUNT], *near;
	struct text all = {0};
	char low[32];
	u32 n = 0;

	for (; n < sizeof(low) - 1 && name[n]; n++)
		low[n] = (char)(name[n] >= 'A' && name[n] <= 'Z' ? name[n] + ('a' - 'A') : name[n]);
	low[n] = '\0';
	for (u32 i = 0; i < HOP_COUNT; i++) {
		names[i] = hop_table[i].name;
		if (!strcmp(names[i], low))
			return i;
	}
	for (u32 i = 0; i < HOP_COUNT; i++)
		text_list(&all, ", ", names[i]);
	near = nearest_name(low, names, HOP_COUNT);
	if (near)
		usage_at(e, column, "unknown hop '%s' (did you mean '%s'?)", token_shown(name), near);
	else
		usage_at(e, column, "unknown hop '%s' (%s)", token_shown(name), all.s);
	text_free(&all);
	return HOP_COUNT;
}
