/*
 * ws.c - kernels share every SM so that the worst of them, by its best, is as fast as can be (Warped-Slicer).
 *
 * How fast each is with so many CTAs is looked up (ws.profile table: launch ... curve) or measured: SMs are divided
 * equally, the m-th of a kernel's runs m CTAs of it and no others; after ws.warmup cycles, in which what was there
 * leaves, ws.sample cycles are counted. Quotas then hold on every SM (ws_divide.c); where some kernel would lose too
 * much (ws.loss) SMs belong to kernels instead. Kernels are measured again when one begins or ends, and when one has
 * been ws.change per cent faster or slower for ws.odd windows than in the first. Source: Xu et al., ISCA 2016.
 * Deviations: its text was not at hand, numbers are those that studies that compare with it tell; what else is on an SM
 * that is measured counts, too, and a kernel with fewer CTAs to come than are to be measured shows slower than it is.
 */
#include "counters.h"
#include "policy_ws.h"

OWN_FIELDS(ws, WS_FIELDS)
OWN_FIELDS(ws_kernel, WS_KERNEL_FIELDS)
OWN_FIELDS(ws_sm, WS_SM_FIELDS)
OWN_FIELDS(spatial, SPATIAL_FIELDS)

/* The arrays of the GPU, to be changed. */
struct bytes {
	struct ws *ws;
	struct ws_kernel *kernel;
	struct ws_sm *sm;
	struct spatial *spatial;
};

static struct bytes ws_bytes_of(const struct config *c, void *gpu)
{
	u8 *at = gpu;
	return (struct bytes){gpu, (void *)(at + own_offset(&scheme_ws, c, IN_GPU, WS_OWN_KERNEL)),
			      (void *)(at + own_offset(&scheme_ws, c, IN_GPU, WS_OWN_SM)),
			      (void *)(at + own_offset(&scheme_ws, c, IN_GPU, WS_OWN_SPATIAL))};
}

/* Warp instructions of a launch in all SMs. */
static u64 ws_issued_of(const struct gpu_view *v, u32 launch)
{
	u64 sum = 0;
	for (u32 i = 0; i < v->m->config.gpu_sms; i++)
		sum += kernel_on(v->m, i, launch)->issued;
	return sum;
}

/* Scheduler slots of an SM, and of them those in which warps waited for memory or its pipeline. */
static u64 ws_slots_of(const struct sm *sm)
{
	u64 sum = 0;
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		sum += sm->outcomes[i];
	return sum;
}
static u64 ws_stalled_of(const struct sm *sm)
{
	return sm->outcomes[SLOT_LONG] + sm->stat[STAT_PIPELINE_LSU];
}

/* CTAs of a kernel that fit an SM, of those that count. */
static u32 ws_points_of(const struct gpu_view *v, u32 launch)
{
	return min_u32(max_u32(launch_residency(v->m, launch)->fit, 1), MAX_RESIDENTS);
}

/* --- decisions --- */

/* Quotas by what is known; else SMs for each. */
static void ws_decide(const struct gpu_view *v, const struct bytes *own)
{
	struct smk_need have = smk_have(v->m);
	struct ws_curve curve[WS_KERNELS];
	u32 quota[WS_KERNELS], n = own->ws->kernels;
	for (u32 k = 0; k < n; k++) {
		u32 launch = (u32)own->kernel[k].launch - 1;
		curve[k] = (struct ws_curve){smk_need(v->m, &v->launch[launch]), own->kernel[k].value,
					     ws_points_of(v, launch)};
	}
	bool divided = ws_divide(curve, n, &have, quota) && !ws_loses(curve, n, quota, v->m->config.ws_loss);
	own->ws->profiles++;
	own->ws->mode = divided ? WS_RUN : WS_SPATIAL;
	own->ws->until = divided && v->m->config.ws_odd ? v->cycle + v->m->config.ws_sample : NEVER;
	for (u32 k = 0; k < n; k++) {
		own->kernel[k].quota = divided ? quota[k] : 0;
		own->kernel[k].base = own->kernel[k].odd = 0;
		own->kernel[k].issued = ws_issued_of(v, (u32)own->kernel[k].launch - 1);
	}
	if (!divided)
		spatial_divide(v, false, own->spatial);
}

/* Look up how fast a kernel is; of one that brings no curve each CTA adds as much as the first. */
static void ws_look_up(const struct gpu_view *v, struct ws_kernel *kernel)
{
	const struct launch *l = &v->launch[kernel->launch - 1];
	u32 n = ws_points_of(v, (u32)kernel->launch - 1);
	for (u32 i = 0; i < n; i++)
		kernel->value[i] = !l->points ? i + 1 : l->curve[min_u32(i, l->points - 1)];
}

/* Which kernel is measured in each SM, with how many CTAs. */
static void ws_deal_out(const struct gpu_view *v, const struct bytes *own)
{
	u32 sms = v->m->config.gpu_sms, n = max_u32(own->ws->kernels, 1);
	for (u32 i = 0; i < sms; i++) {
		u32 k = (u32)((u64)i * n / sms), first = (k * sms + n - 1) / n, next = ((k + 1) * sms + n - 1) / n;
		own->sm[i] = (struct ws_sm){.place = k + 1,
					    .ctas = ws_sampled(i - first + 1, next - first,
							       ws_points_of(v, (u32)own->kernel[k].launch - 1))};
	}
}

/* --- measuring --- */

/* The window begins. */
static void ws_begin_sample(const struct gpu_view *v, const struct bytes *own)
{
	own->ws->mode = WS_SAMPLE;
	own->ws->until = v->cycle + v->m->config.ws_sample;
	for (u32 i = 0; i < v->m->config.gpu_sms; i++) {
		const struct sm *sm = gpu_sm(v, i);
		own->sm[i].issued = sm->stat[STAT_INST_WARP];
		own->sm[i].stalled = ws_stalled_of(sm);
		own->sm[i].slots = ws_slots_of(sm);
	}
}

/* What an SM has measured. */
static u64 ws_measured(const struct gpu_view *v, const struct ws_sm *before, u32 sm_id, u32 ctas_sum)
{
	const struct sm *sm = gpu_sm(v, sm_id);
	u64 issued = sm->stat[STAT_INST_WARP] - before->issued;
	u64 stalled = v->m->config.ws_scale ? ws_stalled_of(sm) - before->stalled : 0;
	return max_u64(ws_scale(issued, stalled, ws_slots_of(sm) - before->slots, before->ctas, ctas_sum,
				v->m->config.gpu_sms),
		       1);
}

/* It is over: of SMs with equal counts the last stands. */
static void ws_end_sample(const struct gpu_view *v, const struct bytes *own)
{
	u32 sms = v->m->config.gpu_sms, sum = 0;
	for (u32 i = 0; i < sms; i++)
		sum += own->sm[i].ctas;
	for (u32 i = 0; i < sms; i++)
		own->kernel[own->sm[i].place - 1].value[own->sm[i].ctas - 1] = ws_measured(v, &own->sm[i], i, sum);
	for (u32 k = 0; k < own->ws->kernels; k++)
		ws_fill(own->kernel[k].value, ws_points_of(v, (u32)own->kernel[k].launch - 1));
}

/* Find what is to be known of the kernels that run, from the beginning. */
static void ws_take_profile(const struct gpu_view *v, const struct bytes *own)
{
	for (u32 k = 0; k < own->ws->kernels; k++) {
		memset(own->kernel[k].value, 0, sizeof own->kernel[k].value);
		own->kernel[k].quota = 0;
	}
	if (v->m->config.ws_profile == PROFILE_TABLE || v->m->config.gpu_sms < own->ws->kernels) {
		for (u32 k = 0; k < own->ws->kernels; k++)
			ws_look_up(v, &own->kernel[k]);
		ws_decide(v, own);
		return;
	}
	ws_deal_out(v, own);
	own->ws->mode = WS_WARM;
	own->ws->until = v->cycle + v->m->config.ws_warmup;
}

/* A window of running kernels is over: true, one has changed. */
static bool ws_has_changed(const struct gpu_view *v, const struct bytes *own)
{
	bool changed = false;
	for (u32 k = 0; k < own->ws->kernels; k++) {
		struct ws_kernel *kernel = &own->kernel[k];
		u64 all = ws_issued_of(v, (u32)kernel->launch - 1), now = all - kernel->issued;
		u64 base = kernel->base = kernel->base ? kernel->base : max_u64(now, 1);
		u64 away = now > base ? now - base : base - now;
		kernel->issued = all;
		kernel->odd = away * 100 > base * v->m->config.ws_change ? kernel->odd + 1 : 0;
		changed |= kernel->odd >= v->m->config.ws_odd;
	}
	return changed;
}

/* --- the scheme --- */

/* The kernels that go on; true: quotas can be found for them. */
static bool ws_find_kernels(const struct gpu_view *v, const struct bytes *own)
{
	u32 n = 0;
	memset(own->kernel, 0, WS_KERNELS * sizeof *own->kernel);
	for (u32 i = 0; i < v->launches; i++)
		if (launch_goes_on(&v->run[i], &v->launch[i]) && n++ < WS_KERNELS)
			own->kernel[n - 1].launch = i + 1ULL;
	own->ws->kernels = min_u32(n, WS_KERNELS);
	own->ws->until = NEVER;
	own->ws->mode = n > WS_KERNELS ? WS_SPATIAL : WS_IDLE;
	if (n > WS_KERNELS)
		spatial_divide(v, false, own->spatial);
	return n > 1 && n <= WS_KERNELS;
}

static void ws_on_notice_gpu(const struct gpu_view *v, const struct notice *n, struct scheme_bytes bytes)
{
	struct bytes own = ws_bytes_of(&v->m->config, bytes.gpu);
	if (n->kind != NOTICE_EPOCH) {
		if (ws_find_kernels(v, &own))
			ws_take_profile(v, &own);
	} else if (own.ws->mode == WS_WARM) {
		ws_begin_sample(v, &own);
	} else if (own.ws->mode == WS_SAMPLE) {
		ws_end_sample(v, &own);
		ws_decide(v, &own);
	} else if (ws_has_changed(v, &own)) {
		ws_take_profile(v, &own);
	} else {
		own.ws->until = v->cycle + v->m->config.ws_sample;
	}
}

/* The end of the mode or of the window, while there is one. */
static u64 ws_due(const struct gpu_view *v, u64 from)
{
	const struct ws *own = scheme_own_gpu(v->m, SCHEME_ws);
	return own->mode == WS_IDLE || own->until == NEVER ? NEVER : max_u64(from, own->until);
}

static u32 ws_partition(const struct sched_view *v, u32 launch)
{
	const struct ws *own = scheme_own_gpu(v->m, SCHEME_ws);
	const struct ws_kernel *kernel = (const void *)own_gpu_part(v->m, SCHEME_ws, WS_OWN_KERNEL);
	const struct ws_sm *sm =
		(const struct ws_sm *)(const void *)own_gpu_part(v->m, SCHEME_ws, WS_OWN_SM) + v->sm_id;
	u32 k = 0;
	if (own->mode == WS_IDLE)
		return NONE32;
	if (own->mode == WS_SPATIAL)
		return spatial_wanted(v, (const void *)own_gpu_part(v->m, SCHEME_ws, WS_OWN_SPATIAL), launch);
	while (k < own->kernels && kernel[k].launch != launch + 1ULL)
		k++;
	if (k == own->kernels)
		return 0;
	if (own->mode == WS_RUN)
		return kernel[k].quota;
	return sm->place == k + 1 ? sm->ctas : 0;
}

static u32 ws_kernels(const struct config *c UNUSED)
{
	return WS_KERNELS;
}

const struct scheme scheme_ws = {
	.name = "ws",
	.paper = "Xu, Jeon, Kim, Ro, Annavaram, \"Warped-Slicer\", ISCA 2016",
	.doc = "Warped-Slicer: kernels share every SM, with the CTA quotas that maximize the lowest of their normalized speeds",
	.decide.partition = ws_partition,
	.sm_local = true,
	.on_notice_gpu = ws_on_notice_gpu,
	.due = ws_due,
	.subscribes = 1ULL << NOTICE_KERNEL_START | 1ULL << NOTICE_KERNEL_END | 1ULL << NOTICE_EPOCH,
	.own = {[WS_OWN] = OWN(ws, "ws", IN_GPU, NULL),
		[WS_OWN_KERNEL] = OWN(ws_kernel, "ws.kernel", IN_GPU, ws_kernels),
		[WS_OWN_SM] = OWN(ws_sm, "ws.sm", IN_GPU, spatial_sms),
		[WS_OWN_SPATIAL] = OWN(spatial, "ws.spatial", IN_GPU, spatial_sms)},
};
