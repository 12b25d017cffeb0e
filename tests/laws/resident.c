/* resident.c - law 5 and 12 with more residents than slots: CTAs that become active and inactive, at quiet points or at
 * any. */
#include "cycle/stages.h"
#include "laws.h"
#include "policy_swap.h"

/* Who becomes active and inactive; a function of the machine's state alone, so that every replay does the same. */
struct swapper {
	bool wild; /* any active CTA may become inactive at any time, not only one whose warps all wait for memory */
	u64 swaps, most; /* CTAs made inactive; most residents of an SM beyond its active ones */
};

/* Do all warps of an active CTA that live wait for memory, or for each other and one of them for memory? */
static bool quiet(const struct sm_view *v, u32 cta)
{
	bool memory = false;

	SET_EACH (i, v->cta[cta].contexts, CONTEXT_WORDS) {
		u32 set = v->slot[v->warp[i].slot].set;

		if (set != SET_DONE && set != SET_BARRIER && set != SET_FENCE && set != SET_LONG)
			return false;
		memory |= set == SET_LONG;
	}
	return memory && v->cta[cta].done < v->cta[cta].warps;
}

/* Is it this CTA's turn to be inactive? */
static bool leaves(const struct swapper *x, const struct sm_view *v, u32 cta)
{
	u64 chance = mix64(view_cycle(v) * 4096 + v->id * 64 + cta);

	if (v->sm->free_ctas >> cta & 1 || v->sm->inactive >> cta & 1)
		return false;
	if (x->wild)
		return v->cta[cta].done < v->cta[cta].warps && chance % 40 == 0;
	return v->sm->inactive && quiet(v, cta);
}

/* One SM, behind the stage cta: slots go to the CTAs that have waited longest for them, which is by their numbers from
 * a turning one on. */
static void swap_sm(struct swapper *x, struct sm_view *v)
{
	u32 n = v->m->residents, first = (u32)(view_cycle(v) / 50 % n);

	for (u32 i = 0; i < n; i++)
		if (leaves(x, v, i) && cta_may_go(v->look, i) && region_grow(v, 1, v->cta[i].warps, 0)) {
			cta_deactivate(v, i);
			x->swaps++;
		}
	for (u32 k = 0; k < n; k++) {
		u32 i = (first + k) % n;

		if (v->sm->ready >> i & 1 && cta_fits_slots(v, i))
			cta_activate(v, i);
	}
	x->most = max_u64(x->most, (u32)__builtin_popcountll(v->sm->inactive));
}

/* A cycle with swaps at its end. */
static void swap_cycle(struct swapper *x, struct sim *s)
{
	do {
		sim_stage(s);
		for (u32 i = 0; machine_gpu(s->m)->stage == STAGE_EPOCH && i < s->m->config.gpu_sms; i++)
			swap_sm(x, &s->view[i]);
	} while (machine_gpu(s->m)->stage);
}

bool law_crowd(const struct scene *c, struct config *out)
{
	struct occupancy o;
	struct error e = {0};

	*out = c->config;
	out->gpu_sms = max_u32(1, c->config.gpu_sms / 2);
	out->sm_contexts = config_contexts(&c->config) / config_slices(&c->config);
	out->sm_residents = config_residents(&c->config);
	out->sm_warps = out->sm_contexts / 2;
	out->sm_ctas = max_u32(1, out->sm_residents / 2);
	out->sm_threads = max_u32(out->sm_threads / 2, 32);
	for (u32 i = 0; i < c->session.program.nlaunch; i++) {
		const struct launch *l = &c->session.program.launch[i];

		if (occupancy_of(out, l->threads, l->regs, l->shared, &o, &e))
			return false;
	}
	return config_check(out, &e) == STATUS_OK;
}

/* A machine for it, in which CTAs come in beyond the slots. */
static bool crowd_open(struct sim *s, const struct scene *c, const struct config *config, struct text *why)
{
	struct policy_choice crowd = c->session.policy;

	if (!lab_open(s, c, config, why))
		return false;
	policy_put(&crowd, POLICY_cta_virtual, SCHEME_vt);
	sim_set_policy(s, &crowd);
	return true;
}

/* Law 5, with what is resident without a slot; a slot and its context name each other. */
static bool sums_hold(struct sim *s, struct text *why)
{
	bool good = true;

	sim_sync(s);
	for (u32 i = 0; good && i < s->m->config.gpu_sms; i++) {
		const struct sm_view *v = &s->view[i];
		u32 with = 0, without = 0;

		for (u32 k = 0; k < s->m->contexts; k++) {
			if (v->warp[k].cta == NONE16)
				continue;
			without += v->warp[k].slot == NONE16;
			with += v->warp[k].slot != NONE16 && v->slot[v->warp[k].slot].context == k;
		}
		good = law_sums_of(s, i, why) && law_held_of(s, i, why);
		if (good && (with + without != v->sm->warps || without != (u32)v->sm->swapped + v->sm->ended)) {
			text_add(why, "SM %u: %u contexts with slots and %u without, of %u; %u without are counted", i,
				 with, without, v->sm->warps, (u32)v->sm->swapped + v->sm->ended);
			good = false;
		}
	}
	return good;
}

/* To cycle `to` or the end. */
static bool run(struct swapper *x, struct sim *s, u64 to, struct text *why)
{
	bool good = true;

	while (good && machine_gpu(s->m)->cycle < to && !lab_ended(s)) {
		swap_cycle(x, s);
		if (machine_gpu(s->m)->cycle % 67 == 0)
			good = sums_hold(s, why);
	}
	return good && sums_hold(s, why);
}

/* One kind of swapping: sums hold, a fork comes to the same state, and at the end nothing is left and results are those
 * wanted. */
static bool swapping(struct scene *c, const struct config *config, bool wild, const struct store *want,
		     struct text *why)
{
	struct swapper x = {.wild = wild}, y = x;
	struct print one, other;
	struct sim s, fork;
	bool good;

	if (!crowd_open(&s, c, config, why))
		return false;
	good = run(&x, &s, c->limit / 3, why);
	sim_fork(&fork, &s);
	fork.sleep = false;
	good = good && run(&x, &s, c->limit, why) && run(&y, &fork, c->limit, why);
	print_take(&s, &one);
	print_take(&fork, &other);
	good = good && print_same(&one, &other, why);
	sim_close(&fork);
	good = good && run(&x, &s, 20 * c->limit, why);
	if (good && sim_faulted(&s) | sim_deadlocked(&s)) {
		text_add(why, "a fault or a deadlock in cycle %llu", (unsigned long long)machine_gpu(s.m)->cycle);
		good = false;
	}
	if (good && wild && !x.swaps && machine_gpu(s.m)->cycle > 1000) {
		text_add(why, "no CTA was ever made inactive");
		good = false;
	}
	if (good && want && sim_finished(&s))
		good = law_buffers_same(&c->session.program, want, &s.store, why);
	if (!good)
		text_add(why, " (%s swaps)", wild ? "wild" : "quiet");
	sim_close(&s);
	return good;
}

const struct store *law_plain_results(struct scene *c, struct sim *s, struct text *why)
{
	if (!law_timeless(&c->session.program) || !lab_open(s, c, &c->config, why))
		return NULL;
	lab_advance(s, 20 * c->limit);
	return sim_finished(s) && !sim_faulted(s) && !sim_deadlocked(s) ? &s->store : NULL;
}

bool law_residents(struct scene *c, struct text *why)
{
	struct config config;
	struct sim plain = {0};
	bool good;

	if (!law_crowd(c, &config))
		return true;
	const struct store *want = law_plain_results(c, &plain, why);
	good = swapping(c, &config, false, want, why) && swapping(c, &config, true, want, why);
	if (plain.m)
		sim_close(&plain);
	return good;
}
