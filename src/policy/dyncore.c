/*
 * dyncore.c - DYNCORE: SMs are switched off while the GPU waits for memory (Kayiran, Jog, Kandemir, Das, CSE-12-006,
 * 2012, section 4.2). How many CTAs the others take is dyncta's to decide, beside which it stands.
 *
 * After each window (dyncta.window; the first begins with the kernel) the cycles in which SMs that are on were active
 * are summed (G_act). Below t_act (dyncore.active: two thirds of the cycles of all SMs of the GPU, on or off, with
 * dyncore.scaled of those that are on) some SMs of the highest numbers take no more CTAs, and are switched off when
 * their last one has ended; else they take CTAs again. They are dyncore.cores of 30 SMs, and of other GPUs in
 * proportion to the paper's, which closes 8 of 30, 16 of 56 and 32 of 110 (section 5.3).
 *
 * Deviations: the report's text also names 60 % of activity, its number is 66 %: that stands. While no CTA of some SM
 * has ended for dyncta.max_paused windows and others wait for a place, nothing is closed: blocks that wait for others
 * would wait for ever.
 */
#include "counters.h"
#include "events.h"
#include "policy_dyncta.h"

OWN_FIELDS(dyncore, DYNCORE_FIELDS)
OWN_FIELDS(dyncore_gpu, DYNCORE_GPU_FIELDS)

#define ACTIVE_SMS 30	   /* of how many SMs, */
#define ACTIVE_WINDOW 2048 /* and of how long a window, dyncore.active is meant */

u64 dyncore_threshold(const struct config *c, u32 powered)
{
	u64 scale = ACTIVE_SMS * ACTIVE_WINDOW, sms = c->dyncore_scaled ? powered : c->gpu_sms;
	return (c->dyncore_active * sms * c->dyncta_window + scale - 1) / scale;
}

bool dyncore_closes(const struct config *c, u64 g_act, u32 powered)
{
	return g_act < dyncore_threshold(c, powered);
}

/* SMs to close of so many, if they are n of 30: straight lines through the paper's 30, 56 and 110 SMs, of which it
 * closes n, 2n and 4n. */
static u32 dyncore_cores_of(u32 n, u32 sms)
{
	u32 cores = sms <= 30 ? n * sms / 30 : sms <= 56 ? n * (sms - 4) / 26 : n * (sms - 2) / 27;
	return n ? max_u32(cores, 1) : 0;
}

u32 dyncore_first(const struct config *c)
{
	return c->gpu_sms - min_u32(dyncore_cores_of(c->dyncore_cores, c->gpu_sms), c->gpu_sms - 1);
}

/* Slot cta.gate. */
static bool dyncore_gate(const struct sched_view *v)
{
	const struct dyncore_gpu *own = scheme_own_gpu(v->m, SCHEME_dyncore);
	return v->m->config.dyncta_window && own->closed && v->sm_id >= dyncore_first(&v->m->config);
}

static u64 dyncore_due(const struct gpu_view *v, u64 from)
{
	const struct dyncore_gpu *own = scheme_own_gpu(v->m, SCHEME_dyncore);
	if (!v->m->config.dyncta_window || !v->m->config.dyncore_cores ||
	    own->stuck == 1 + v->gpu->events[EVENT_KERNEL_START])
		return NEVER;
	return window_ends(&v->m->config, own->begun, from);
}

/* The end of a window of an SM; returns how long it was active in it. */
static u64 dyncore_end_window(const struct sm *sm, struct dyncore *own, bool wait)
{
	u64 active = sm->stat[STAT_ACTIVE_CYCLES] - own->active;
	own->barren = windows_barren(sm, own->ended, own->barren, wait);
	own->ended = sm->stat[STAT_CTA_FINISHED];
	own->active += active;
	return active;
}

/* A kernel begins, and the first window. */
static void dyncore_begin_windows(const struct gpu_view *v, struct scheme_bytes bytes)
{
	for (u32 i = 0; i < v->m->config.gpu_sms; i++)
		((struct dyncore *)scheme_bytes_sm(bytes, i))->active = gpu_sm(v, i)->stat[STAT_ACTIVE_CYCLES];
	((struct dyncore_gpu *)bytes.gpu)->begun = v->cycle;
}

/* The end of a window. */
static void dyncore_end_windows(const struct gpu_view *v, struct scheme_bytes bytes)
{
	struct dyncore_gpu *gpu = bytes.gpu;
	const struct config *c = &v->m->config;
	bool wait = launches_wait(v), starves = false;
	gpu->powered = 0;
	gpu->g_act = 0;
	for (u32 i = 0; i < c->gpu_sms; i++) {
		const struct bounds *bounds = gpu_sm_section(v, i, SECTION_BOUNDS);
		struct dyncore *own = scheme_bytes_sm(bytes, i);
		u64 active = dyncore_end_window(gpu_sm(v, i), own, wait);
		starves |= c->dyncta_max_paused && own->barren >= c->dyncta_max_paused;
		gpu->powered += !bounds->off;
		gpu->g_act += bounds->off ? 0 : active;
	}
	gpu->closed = !starves && dyncore_closes(c, gpu->g_act, gpu->powered);
	gpu->stuck = !gpu->closed && gpu_stands(v) ? 1 + v->gpu->events[EVENT_KERNEL_START] : 0;
}

static void dyncore_on_notice_gpu(const struct gpu_view *v, const struct notice *n, struct scheme_bytes bytes)
{
	if (!v->m->config.dyncta_window || !v->m->config.dyncore_cores)
		return;
	if (windows_begin(v, n))
		dyncore_begin_windows(v, bytes);
	else if (n->kind == NOTICE_EPOCH)
		dyncore_end_windows(v, bytes);
}

const struct scheme scheme_dyncore = {
	.name = "dyncore",
	.paper = "Kayiran, Jog, Kandemir, Das, \"Neither More Nor Less\", report CSE-12-006, 2012",
	.doc = "dynamic SM limit: the highest-numbered SMs are power-gated while the GPU waits for memory (use with dyncta)",
	.neutral = "dyncore.cores 0",
	.decide.cta_gate = dyncore_gate,
	.sm_local = true,
	.on_notice_gpu = dyncore_on_notice_gpu,
	.subscribes = 1ULL << NOTICE_EPOCH | 1ULL << NOTICE_KERNEL_START,
	.due = dyncore_due,
	.own = {OWN(dyncore, "dyncore", IN_SM, NULL), OWN(dyncore_gpu, "dyncore", IN_GPU, NULL)},
};
