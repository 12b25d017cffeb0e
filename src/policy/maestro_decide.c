/*
 * maestro_decide.c - what GPU Maestro decides from an epoch's measurements, how many CTAs each SM is to hold, and what
 * it has issued.
 *
 * Source: Park, University of Michigan, 2016, section 5.4.1; ANTT and STP are its equations 5.1 and 5.2.
 */
#include "policy_maestro.h"

/* How good an option is: the less the better. ANTT as the sum of slowdowns; of STP what it lacks. */
static u64 maestro_decide_cost(const struct maestro_option *x, bool stp)
{
	const u64 one = (u64)MAESTRO_ONE * 1000000;
	if (!stp)
		return x->first + x->second;
	return 4 * one - one / max_u64(x->first, 1) - one / max_u64(x->second, 1);
}

u32 maestro_decide(const struct maestro_option *t, u32 now, bool stp)
{
	u32 best = now;
	for (u32 i = 0; i < OPTION_COUNT; i++) {
		if (!t[i].first || i == best)
			continue;
		if (!t[best].first || maestro_decide_cost(&t[i], stp) < maestro_decide_cost(&t[best], stp))
			best = i;
	}
	return best;
}

u32 maestro_fill(const struct machine *m, const struct launch *one, u32 ctas, const struct launch *other)
{
	struct smk_need have = smk_have(m), need = smk_need(m, one), more = smk_need(m, other);
	u32 n = NONE32;
	for (u32 i = 0; i < SMK_RESOURCES; i++) {
		u64 taken = (u64)need.of[i] * ctas;
		if (taken > have.of[i])
			return 0;
		if (more.of[i])
			n = min_u32(n, (u32)(have.of[i] - taken) / more.of[i]);
	}
	return n;
}

struct maestro_state maestro_state(const struct machine *m)
{
	return (struct maestro_state){
		(const void *)own_gpu_part(m, SCHEME_maestro, 0), (const void *)own_gpu_part(m, SCHEME_maestro, 1),
		(const void *)own_gpu_part(m, SCHEME_maestro, 2), (const void *)own_gpu_part(m, SCHEME_maestro, 3),
		(const void *)own_gpu_part(m, SCHEME_maestro, 4)};
}

struct maestro_pair maestro_pair(const struct maestro_state *s, u32 pair)
{
	struct maestro_pair p = s->pair[pair];
#define TAKE(type, name, doc) p.name = s->own->name;
#define NO_ARRAY(type, name, count, doc)
	if (pair == s->own->turn) {
		MAESTRO_PAIR_FIELDS(TAKE, NO_ARRAY)
	}
#undef NO_ARRAY
#undef TAKE
	return p;
}

const struct maestro_kernel *maestro_alone(const struct machine *m, u32 launch)
{
	const struct maestro_kernel *kernel = maestro_state(m).kernel;
	if (policy_one(m, POLICY_partition) != &scheme_maestro)
		return NULL;
	for (u32 k = 0; k < SMK_KERNELS; k++)
		if (kernel[k].launch == launch + 1ULL && kernel[k].cycles)
			return &kernel[k];
	return NULL;
}

u64 maestro_issued(const struct machine *m, u32 sm, u32 k)
{
	struct maestro_state s = maestro_state(m);
	u32 launch = maestro_launch(s.kernel, (u32)s.sm[sm].pair, k);
	u64 now = kernel_on(m, sm, launch)->issued, then = s.sm[sm].issued[k];
	return now >= then ? now - then : now;
}

u64 maestro_name(const struct launch *l)
{
	u32 h = 2166136261u;
	for (const char *s = kernel_symbol(l->kernel); *s; s++)
		h = (h ^ (u8)*s) * 16777619u;
	return h ? h : 1;
}

u32 maestro_place(const struct maestro *own, u64 name)
{
	for (u32 i = 0; i < MAESTRO_KERNELS; i++)
		if (own->history[i] >> 32 == name || !own->history[i])
			return i;
	return (u32)(name % MAESTRO_KERNELS);
}

u32 maestro_before(const struct machine *m, const struct launch *l, u32 launch)
{
	const struct maestro *own = maestro_state(m).own;
	u64 name = maestro_name(l), h = own->history[maestro_place(own, name)];
	u32 fit = launch_residency(m, launch)->fit;
	return h >> 32 == name ? max_u32(((u32)h * fit + 999) / 1000, 1) : NONE32;
}

u32 maestro_first(const struct machine *m, const struct launch *launch, u32 trial, u32 other)
{
	const struct launch *one = &launch[trial], *two = &launch[other];
	u32 n = smk_even(m, one, 2), before = maestro_before(m, one, trial), beside = maestro_before(m, two, other);
	if (before < n)
		n = before;
	else if (beside < smk_even(m, two, 2))
		n = maestro_fill(m, two, beside, one);
	n = max_u32(min_u32(n, launch_residency(m, trial)->fit), 1);
	while (n > 1 && !maestro_fill(m, one, n, two))
		n--;
	return n;
}

/* CTAs of the trial kernel in an SM of a role. */
static u32 maestro_decide_trial_ctas(const struct maestro_pair *p, u32 role)
{
	return role == ROLE_MORE ? p->ctas + 1 : role == ROLE_LESS ? p->ctas - 1 : p->ctas;
}

u32 maestro_wanted(const struct machine *m, const struct launch *launch, const struct launch_run *run,
		   const struct maestro_sm *sm, u32 k)
{
	struct maestro_state s = maestro_state(m);
	struct maestro_pair p = maestro_pair(&s, (u32)sm->pair);
	u32 mine = maestro_launch(s.kernel, (u32)sm->pair, k), other = maestro_launch(s.kernel, (u32)sm->pair, !k);
	u32 n = maestro_decide_trial_ctas(&p, sm->role);
	if (sm->role == ROLE_DEDICATED && sm->kernel != k)
		return 0;
	if (sm->role == ROLE_NONE || sm->role == ROLE_DEDICATED || other == NONE32 ||
	    !launch_waits(&run[other], &launch[other]))
		return NONE32;
	return k == p.trial ? n : maestro_fill(m, &launch[other], n, &launch[mine]);
}

u32 maestro_wanted_of(const struct machine *m, const struct launch *launch, const struct launch_run *run, u32 sm,
		      u32 which)
{
	struct maestro_state s = maestro_state(m);
	for (u32 k = 0; k < s.own->kernels; k++)
		if (s.kernel[k].launch == which + 1ULL)
			return s.sm[sm].pair == k / 2 ? maestro_wanted(m, launch, run, &s.sm[sm], k % 2) : 0;
	return 0;
}
