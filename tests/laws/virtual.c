/* virtual.c - laws 1, 4, 12 and 13 under Virtual Thread: twice as many residents as slots, the two re-execution queues
 * short; then the same where CTAs that are ready take the slots of any other at random; then beside DYNCTA. */
#include "cycle/stages.h"
#include "laws.h"
#include "policy_swap.h"
#include "trials.h"

#define EVERY 23 /* cycles between two swaps of an SM, about */

struct swap trial_jumble(const struct sched_view *v)
{
	u64 chance = mix64(sched_now(v) * 256 + v->sm_id);
	u32 n = v->m->residents, first = (u32)(chance >> 32) % n;

	for (u32 i = 0; chance % EVERY == 0 && i < n * n; i++) {
		struct swap s = {(first + i) % n, (first + i / n) % n};

		if (cta_swap_fits(v, s.out, s.in) && !v->sm->restoring)
			return s;
	}
	return (struct swap){NONE32, NONE32};
}

/* The whole program: it ends, what it computes is what it should be, nothing is left; there were swaps. */
static bool to_the_end(struct scene *c, const struct store *want, const char *what, struct text *why)
{
	struct sim s;
	bool good = true;

	if (!lab_open(&s, c, &c->config, why))
		return false;
	lab_advance(&s, 400 * c->limit);
	if (sim_faulted(&s) | sim_deadlocked(&s)) {
		text_add(why, "a fault or a deadlock in cycle %llu", (unsigned long long)machine_gpu(s.m)->cycle);
		good = false;
	}
	if (good && sim_finished(&s))
		good = (!want || law_buffers_same(&c->session.program, want, &s.store, why)) &&
		       conserve_end(&s, c, why);
	printf("# %s: %s: cycle %llu, swaps %llu\n", c->path, what, (unsigned long long)machine_gpu(s.m)->cycle,
	       (unsigned long long)sim_sm_stat(&s, STAT_VT_SWAPS));
	sim_close(&s);
	return good;
}

/* The laws for one who decides in slot cta.swap. */
static bool swapping(struct scene *c, u32 scheme, const struct store *want, const char *what, struct text *why)
{
	struct policy_choice *policy = &c->session.policy;

	policy_put(policy, POLICY_cta_swap, scheme);
	c->known = false;
	if (law_ahead(c, why) && law_threads(c, why) && law_walk(c, why) && law_sleep(c, why) && law_order(c, why) &&
	    law_conservation(c, why) && to_the_end(c, want, what, why))
		return true;
	text_add(why, " (%s)", what);
	return false;
}

bool law_virtual(struct scene *c, struct text *why)
{
	struct scene crowd = *c;
	struct sim plain = {0};
	const struct store *want;
	bool good;

	if (!law_crowd(c, &crowd.config))
		return true;
	crowd.limit = c->limit / 16;
	crowd.config.lsu_reexec = REEXEC_CAR;
	crowd.config.lsu_reexec_entries = crowd.config.lsu_reexec_inactive = 5;
	crowd.config.l1d_mshrs = min_u32(8, c->config.l1d_mshrs);
	policy_put(&crowd.session.policy, POLICY_cta_virtual, SCHEME_vt);
	want = law_plain_results(c, &plain, why);
	good = swapping(&crowd, SCHEME_vt, want, "vt", why) &&
	       swapping(&crowd, TRIAL_JUMBLE, want, "swaps at random", why);
	crowd.config.dyncta_window = 128;
	policy_put(&crowd.session.policy, POLICY_cta_limit, SCHEME_dyncta);
	policy_put(&crowd.session.policy, POLICY_cta_pause, SCHEME_dyncta);
	good = good && swapping(&crowd, SCHEME_vt, want, "vt beside dyncta", why);
	if (plain.m)
		sim_close(&plain);
	return good;
}
