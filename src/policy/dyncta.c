/*
 * dyncta.c - DYNCTA: each SM takes as many CTAs as its warps' waiting for memory allows (Kayiran, Jog, Kandemir, Das,
 * CSE-12-006, 2012, section 4.1).
 *
 * An SM that begins a launch takes n = N/2 of the N CTAs that fit. After each window (dyncta.window; the first begins
 * with the kernel) it takes one more if it was idle (C_idle >= t_idle) or its warps hardly waited all together
 * (C_mem < t_mem_l), one fewer if they waited long (C_mem >= t_mem_h). Of the CTAs that it has, all but n, those that
 * came last, are paused: their warps issue where no other can. No CTA comes before those have gone on.
 *
 * C_idle counts cycles "during which the pipeline is not stalled, but there are no threads to be issued on the core and
 * this core is idle" (section 4.1); idle time is that in which "all the warps in the core have finished their
 * execution" (section 3.1). So the preset counts cycles without an unfinished warp (dyncta.idle_cycles empty). The
 * sentence taken by itself counts all cycles in which no warp was ready (text): then those in which all wait for memory
 * raise C_idle with C_mem, and n falls only where what they wait for is the LSU. Of the report's gain of 28 % the first
 * reading gives more, and of its n of 2.69 it is nearer (make reproduce ROWS=dyncta).
 *
 * Deviations: the report's algorithm takes a CTA out of the pause without moving n, and then pauses it again; here n
 * moves, as its text has it. Against starvation, which the report leaves open, a CTA paused for dyncta.max_paused
 * windows runs for one; an SM of which no CTA has ended for so many, while others wait for a place, takes one more, and
 * none fewer before one ends. The report counts warps that wait for data "regardless of the pipeline state being
 * stalled or not": one that is ready and finds the LSU stalled is taken for one (dyncta.stalled). Else an SM without a
 * free MSHR looks like one that computes, and n rises to N where it should fall.
 */
#include "counters.h"
#include "events.h"
#include "policy_dyncta.h"

OWN_FIELDS(dyncta, DYNCTA_FIELDS)
OWN_FIELDS(dyncta_place, DYNCTA_PLACE_FIELDS)
OWN_FIELDS(dyncta_gpu, DYNCTA_GPU_FIELDS)

u32 dyncta_decide(const struct config *c, u64 c_idle, u64 c_mem, u32 n, u32 most)
{
	if (c_idle >= c->dyncta_idle || c_mem < c->dyncta_mem_low)
		return min_u32(n + 1, most);
	return c_mem >= c->dyncta_mem_high && n > 1 ? n - 1 : n;
}

u32 dyncta_begin(const struct config *c, u32 most)
{
	u32 n = c->dyncta_start == START_ALL ? most : c->dyncta_start == START_ONE ? 1 : most / 2;
	return max_u32(n, 1);
}

/* CTAs of a launch that an SM takes of itself: those that fit, and those beyond its warp slots. */
static u32 dyncta_most_of(const struct sched_view *v, u32 launch)
{
	const struct residency *r = launch_residency(v->m, launch);
	const struct scheme *beyond = policy_one(v->m, POLICY_cta_virtual);
	u32 most = r->fit + (beyond ? beyond->decide.cta_virtual(v, launch) : 0);
	return max_u32(min_u32(most, max_u32(r->fit, r->capacity)), 1);
}

static const struct dyncta *dyncta_own_of(const struct machine *m, u32 sm)
{
	return scheme_own(m, SCHEME_dyncta, sm);
}

u32 dyncta_n(const struct machine *m, u32 sm)
{
	const struct dyncta *own = dyncta_own_of(m, sm);
	return m->config.dyncta_window && own->launch ? own->most - own->less : 0;
}

/* An SM begins a launch. */
static void dyncta_start(const struct sched_view *v, struct dyncta *own, u32 launch)
{
	u32 most = dyncta_most_of(v, launch);
	*own = (struct dyncta){.less = most - dyncta_begin(&v->m->config, most),
			       .most = most,
			       .launch = launch + 1,
			       .idle = v->sm->stat[STAT_IDLE_CYCLES],
			       .mem = v->sm->stat[STAT_MEMORY_CYCLES],
			       .ended = v->sm->stat[STAT_CTA_FINISHED]};
}

/* Slot cta.limit. */
static u32 dyncta_limit(const struct sched_view *v, u32 launch)
{
	const struct dyncta *own = dyncta_own_of(v->m, v->sm_id);
	if (!v->m->config.dyncta_window)
		return NONE32;
	if (!own->launch || (!v->sm->ctas && own->launch != launch + 1))
		return dyncta_begin(&v->m->config, dyncta_most_of(v, launch));
	return own->most - own->less;
}

u64 dyncta_youngest(const struct cta *cta, u32 places, u32 ctas, u32 n)
{
	u64 set = 0;
	for (; ctas > n; ctas--) {
		u32 last = NONE32;
		for (u32 i = 0; i < places; i++)
			if (cta[i].launch != NONE16 && !(set >> i & 1) &&
			    (last == NONE32 || cta[i].started > cta[last].started))
				last = i;
		if (last == NONE32) /* fewer than `ctas` are there */
			break;
		set |= 1ULL << last;
	}
	return set;
}

/* Is this the window in which a CTA that has been paused for long runs? */
static bool dyncta_has_its_window(const struct config *c, const struct dyncta_place *place)
{
	return c->dyncta_max_paused && place->windows >= c->dyncta_max_paused;
}

/* The places of an SM's CTAs. */
static const struct dyncta_place *dyncta_places_of(const struct machine *m, u32 sm)
{
	return (const struct dyncta_place *)(const void *)own_sm_part(m, SCHEME_dyncta, sm, 1);
}

u64 dyncta_paused(const struct sched_view *v)
{
	const struct dyncta_place *place = dyncta_places_of(v->m, v->sm_id);
	u32 n = dyncta_n(v->m, v->sm_id);
	u64 set = n ? dyncta_youngest(v->cta, v->m->residents, v->sm->ctas, n) : 0;
	for (u64 left = set; left; left &= left - 1) {
		u32 i = (u32)__builtin_ctzll(left);
		if (dyncta_has_its_window(&v->m->config, &place[i]))
			set &= ~(1ULL << i);
	}
	return set;
}

/* A CTA has come. */
static void dyncta_on_notice(const struct sched_view *v, const struct notice *n, void *bytes)
{
	struct dyncta *own = bytes;
	struct dyncta_place *place = (void *)((u8 *)bytes + own_offset(&scheme_dyncta, &v->m->config, IN_SM, 1));
	if (!v->m->config.dyncta_window)
		return;
	place[n->cta].windows = 0;
	if (!own->launch || (v->sm->ctas == 1 && own->launch != n->launch + 1u))
		dyncta_start(v, own, n->launch);
}

static u64 dyncta_due(const struct gpu_view *v, u64 from)
{
	const struct dyncta_gpu *own = scheme_own_gpu(v->m, SCHEME_dyncta);
	if (!v->m->config.dyncta_window || own->stuck == 1 + v->gpu->events[EVENT_KERNEL_START])
		return NEVER;
	return window_ends(&v->m->config, own->begun, from);
}

/* How long the CTAs that are paused have been, at the end of a window. */
static void dyncta_count_paused(const struct machine *m, u32 sm, const struct cta *cta, u32 ctas,
				struct dyncta_place *place)
{
	u32 n = dyncta_n(m, sm);
	u64 set = dyncta_youngest(cta, m->residents, ctas, n);
	for (u32 i = 0; i < m->residents; i++)
		if (!(set >> i & 1) || dyncta_has_its_window(&m->config, &place[i]))
			place[i].windows = 0;
		else
			place[i].windows++;
}

/* Has no CTA of an SM ended for as many windows as dyncta.max_paused, while others wait for a place? */
static bool dyncta_starves(const struct config *c, const struct sm *sm, struct dyncta *own, bool wait)
{
	u64 ended = sm->stat[STAT_CTA_FINISHED];
	if (ended != own->ended)
		own->risen = 0;
	own->barren = windows_barren(sm, own->ended, own->barren, wait);
	own->ended = ended;
	if (!c->dyncta_max_paused || own->barren < c->dyncta_max_paused)
		return false;
	own->barren = 0;
	own->risen = 1;
	return true;
}

/* What an SM has come to in a window is over. */
static void dyncta_take_counters(const struct sm *sm, struct dyncta *own)
{
	own->c_idle = (u32)(sm->stat[STAT_IDLE_CYCLES] - own->idle);
	own->c_mem = (u32)(sm->stat[STAT_MEMORY_CYCLES] - own->mem);
	own->idle = sm->stat[STAT_IDLE_CYCLES];
	own->mem = sm->stat[STAT_MEMORY_CYCLES];
}

/* The end of a window of an SM whose counters have been taken. */
static void dyncta_end_window(const struct config *c, const struct sm *sm, struct dyncta *own, bool wait)
{
	u32 n = own->most - own->less, next = dyncta_decide(c, own->c_idle, own->c_mem, n, own->most);
	if (dyncta_starves(c, sm, own, wait))
		next = min_u32(n + 1, own->most);
	own->less = own->most - (own->risen ? max_u32(n, next) : next);
}

bool launches_wait(const struct gpu_view *v)
{
	for (u32 i = 0; i < v->launches; i++)
		if (v->run[i].state == LAUNCH_RUNNING && launch_waits(&v->run[i], &v->launch[i]))
			return true;
	return false;
}

/* Has an SM anything under way, or a warp that could go on? */
static bool dyncta_goes_on(const struct gpu_view *v, u32 i)
{
	const struct sm *sm = gpu_sm(v, i);
	const struct port *port =
		(const struct port *)(const void *)((const u8 *)v->m + v->m->section[SECTION_PORT].offset) + i;
	for (u32 w = 0; w < v->m->words; w++)
		if (sm->set[SET_READY * v->m->words + w] | sm->set[SET_WANT * v->m->words + w])
			return true;
	return sm->results_used || sm->collectors_busy || sm->lsu_count || sm->reexec_count || sm->decoding ||
	       sm->imiss_used || sm->mshrs_used || sm->finishing || sm->alarm || port->in_count || port->out_count;
}

bool gpu_stands(const struct gpu_view *v)
{
	for (u32 i = 0; i < v->m->config.gpu_sms; i++)
		if (dyncta_goes_on(v, i))
			return false;
	return !(v->gpu->slice_set[0] | v->gpu->slice_set[1] | v->gpu->channel_set);
}

/* A kernel begins, and the first window. */
static void dyncta_begin_windows(const struct gpu_view *v, struct scheme_bytes bytes)
{
	for (u32 i = 0; i < v->m->config.gpu_sms; i++) {
		struct dyncta *own = scheme_bytes_sm(bytes, i);
		own->idle = gpu_sm(v, i)->stat[STAT_IDLE_CYCLES];
		own->mem = gpu_sm(v, i)->stat[STAT_MEMORY_CYCLES];
	}
	((struct dyncta_gpu *)bytes.gpu)->begun = v->cycle;
}

/* The end of a window. */
static void dyncta_end_windows(const struct gpu_view *v, struct scheme_bytes bytes)
{
	struct dyncta_gpu *gpu = bytes.gpu;
	bool wait = launches_wait(v), most = true;
	for (u32 i = 0; i < v->m->config.gpu_sms; i++) {
		struct dyncta *own = scheme_bytes_sm(bytes, i);
		struct dyncta_place *place = (void *)((u8 *)own + own_offset(&scheme_dyncta, &v->m->config, IN_SM, 1));
		const struct bounds *bounds = gpu_sm_section(v, i, SECTION_BOUNDS);
		const struct cta *cta = gpu_sm_section(v, i, SECTION_CTA);
		const struct sm *sm = gpu_sm(v, i);
		if (!own->launch)
			continue;
		dyncta_take_counters(sm, own);
		if (bounds->off) /* it decides nothing */
			continue;
		dyncta_count_paused(v->m, i, cta, sm->ctas, place);
		dyncta_end_window(&v->m->config, sm, own, wait);
		most &= !own->less;
	}
	gpu->stuck = most && gpu_stands(v) ? 1 + v->gpu->events[EVENT_KERNEL_START] : 0;
}

static void dyncta_on_notice_gpu(const struct gpu_view *v, const struct notice *n, struct scheme_bytes bytes)
{
	if (!v->m->config.dyncta_window)
		return;
	if (windows_begin(v, n))
		dyncta_begin_windows(v, bytes);
	else if (n->kind == NOTICE_EPOCH)
		dyncta_end_windows(v, bytes);
}

const struct scheme scheme_dyncta = {
	.name = "dyncta",
	.paper = "Kayiran, Jog, Kandemir, Das, \"Neither More Nor Less\", report CSE-12-006, 2012, and PACT 2013",
	.doc = "dynamic CTA limit: fewer CTAs per SM while all its warps wait for memory, more while it is idle or they rarely do; CTAs beyond the limit are paused",
	.neutral = "dyncta.window 0",
	.decide.cta_limit = dyncta_limit,
	.decide.cta_pause = dyncta_paused,
	.sm_local = true,
	.on_notice = dyncta_on_notice,
	.on_notice_gpu = dyncta_on_notice_gpu,
	.subscribes = 1ULL << NOTICE_ADMIT | 1ULL << NOTICE_EPOCH | 1ULL << NOTICE_KERNEL_START,
	.due = dyncta_due,
	.own = {OWN(dyncta, "dyncta", IN_SM, NULL), OWN(dyncta_place, "dyncta.place", IN_SM, config_residents),
		OWN(dyncta_gpu, "dyncta", IN_GPU, NULL)},
};
