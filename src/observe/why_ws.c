/*
 * why_ws.c - what policy ws makes of an SM: which kernel it measures there, or how fast each would be by what was
 * measured.
 */
#include "policy_ws.h"
#include "why_parts.h"

/* What an SM measures, and how long. */
static void say_measure(struct why *w, const struct ws *own, const struct ws_kernel *kernel)
{
	const struct ws_sm *sm = (const struct ws_sm *)(const void *)own_gpu_part(w->m, SCHEME_ws, WS_OWN_SM) + w->sm;
	json_t *o;

	if (!sm->place)
		return;
	o = why_say(w, 1, "ws", "ws measures kernel %llu with %u CTA%s here: %s until the end of cycle %llu",
		    kernel[sm->place - 1].launch - 1, sm->ctas, sm->ctas == 1 ? "" : "s",
		    own->mode == WS_WARM ? "warm-up" : "counting instructions", own->until);
	why_numbers(o, {"ctas", sm->ctas}, {"until", own->until});
}

/* How fast a kernel is with its quota, in per cent of the best that is known of it. */
static void say_speed(struct why *w, const struct ws_kernel *kernel)
{
	u64 best = 1, percent;
	u32 with = 0;
	json_t *o;

	for (u32 i = 0; i < MAX_RESIDENTS; i++)
		if (kernel->value[i] > best) {
			best = kernel->value[i];
			with = i + 1;
		}
	percent = kernel->value[kernel->quota - 1] * 100 / best;
	o = why_say(w, 1, "ws",
		    "kernel %llu with %u CTA%s here is estimated to run at %llu %% of its speed with %u CTAs",
		    kernel->launch - 1, kernel->quota, kernel->quota == 1 ? "" : "s", percent, with);
	why_numbers(o, {"quota", kernel->quota}, {"percent", percent});
}

void why_ws(struct why *w)
{
	const struct ws *own = scheme_own_gpu(w->m, SCHEME_ws);
	const struct ws_kernel *kernel = (const void *)own_gpu_part(w->m, SCHEME_ws, WS_OWN_KERNEL);

	if (policy_one(w->m, POLICY_partition) != &scheme_ws || own->mode == WS_IDLE)
		return;
	if (own->mode == WS_SPATIAL)
		why_say(w, 1, "ws",
			"each kernel has SMs of its own: sharing would cost a kernel too much of its best speed (ws.loss)");
	else if (own->mode != WS_RUN)
		say_measure(w, own, kernel);
	for (u32 k = 0; own->mode == WS_RUN && k < own->kernels; k++)
		say_speed(w, &kernel[k]);
}
