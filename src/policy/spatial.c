/*
 * spatial.c - SMs belong to kernels: each that runs gets as many, or no more than it can fill; and whose turn it is
 * where they come one after the other.
 *
 * A launch that asks for so many SMs gets as many, whatever it can fill, its CTAs spread evenly over them; the others
 * share the rest, and those that had an SM get it back. A kernel can fill as many SMs as its CTAs that have not ended
 * need. While one kernel runs alone it has all SMs. When
 * another begins or one ends, or a kernel can fill fewer than before, SMs change hands: a kernel that has too many
 * gives those whose CTAs cost least to be rid of by the ways of slot preempt, those that meet chimera.bound first, then
 * those with the least overhead, latency and number (algorithm 3 of Park, University of Michigan, 2016; Park, Park,
 * Mahlke, ASPLOS 2015: line 19 sorts all SMs by overhead, line 23 takes those that meet the bound). Decided: where
 * these do not suffice the others follow, in the same order. A menu without the switch, by which line 15 lets CTAs
 * leave that meet no bound, is none of that algorithm: of its SMs that miss the bound those go that are gone soonest.
 * Where nobody stands in slot preempt their CTAs run to their end. Source: Adriaens, Compton, Kim, Schulte, HPCA 2012,
 * whose smart even this is. Deviation: what the equal shares leave over goes to the first kernels, one SM each.
 */
#include "policy_multi.h"

#define MOST_KERNELS 64 /* that are dealt with at once; others have no SM of their own and wait */

/* The kernels that share the SMs. */
struct division {
	u32 n, launch[MOST_KERNELS], share[MOST_KERNELS], have[MOST_KERNELS];
	bool asks[MOST_KERNELS]; /* for so many SMs */
	u32 asking;		 /* that do */
};

void spatial_shares(const u32 *need, u32 n, u32 sms, u32 *share)
{
	bool closed[MOST_KERNELS] = {false}, again = true;
	u32 left = sms, open = n;
	while (open && again) {
		u32 even = left / open;
		again = false;
		for (u32 k = 0; k < n; k++)
			if (!closed[k] && need[k] <= even) {
				share[k] = need[k];
				left -= need[k];
				closed[k] = again = true;
				open--;
			}
	}
	u32 even = open ? left / open : 0, more = open ? left % open : 0;
	for (u32 k = 0; k < n; k++)
		if (!closed[k]) {
			share[k] = even + (more > 0);
			more -= more > 0;
		}
}

/* SMs that a launch can fill. */
static u32 spatial_need_of(const struct gpu_view *v, u32 launch)
{
	const struct residency *r = launch_residency(v->m, launch);
	u32 left = v->launch[launch].ctas - v->run[launch].finished, fit = max_u32(r->fit, 1);
	return (left + fit - 1) / fit;
}

/* The kernels that run, in their order; without one that has just ended. */
static void spatial_find_kernels(const struct gpu_view *v, struct division *d)
{
	d->n = d->asking = 0;
	for (u32 i = 0; i < v->launches && d->n < MOST_KERNELS; i++)
		if (launch_goes_on(&v->run[i], &v->launch[i])) {
			d->launch[d->n] = i;
			d->asks[d->n] = v->launch[i].sms > 0;
			d->asking += d->asks[d->n];
			d->have[d->n++] = 0;
		}
}

/* How many SMs each is to have. */
static void spatial_find_shares(const struct gpu_view *v, bool smart, struct division *d)
{
	u32 left = v->m->config.gpu_sms, n = 0, need[MOST_KERNELS] = {0}, share[MOST_KERNELS];
	for (u32 k = 0; k < d->n; k++) {
		if (d->asks[k])
			left -= d->share[k] = min_u32(v->launch[d->launch[k]].sms, left);
		else
			need[n++] = smart ? spatial_need_of(v, d->launch[k]) : v->m->config.gpu_sms;
	}
	spatial_shares(need, n, left, share);
	for (u32 k = d->n; k-- > 0;)
		if (!d->asks[k])
			d->share[k] = share[--n];
}

/* The kernel of a division, NONE32: not one of them. */
static u32 spatial_kernel_of(const struct division *d, u64 owner)
{
	for (u32 k = 0; owner && k < d->n; k++)
		if (d->launch[k] == owner - 1)
			return k;
	return NONE32;
}

/* The kernel with most CTAs in an SM, NONE32: none has any there. */
static u32 spatial_tenant(const struct gpu_view *v, const struct division *d, u32 sm)
{
	u32 best = NONE32, most = 0;
	for (u32 k = 0; k < d->n; k++)
		if (kernel_on(v->m, sm, d->launch[k])->resident > most) {
			most = kernel_on(v->m, sm, d->launch[k])->resident;
			best = k;
		}
	return best;
}

/* Who has what: SMs of kernels that are gone are those of the kernel that had them before; these without one, and those
 * of nobody, are those of the kernel that is there. */
static void spatial_find_owners(const struct gpu_view *v, struct division *d, struct spatial *own)
{
	for (u32 i = 0; i < v->m->config.gpu_sms; i++) {
		u32 k = spatial_kernel_of(d, own[i].owner);
		if (k == NONE32) {
			k = spatial_kernel_of(d, own[i].lender);
			own[i].lender = 0;
		}
		if (k == NONE32)
			k = spatial_tenant(v, d, i);
		own[i].owner = k == NONE32 ? 0 : 1 + d->launch[k];
		if (k != NONE32)
			d->have[k]++;
	}
}

bool sm_cheaper(const struct way_cost *a, const struct way_cost *b, u64 bound, u32 menu)
{
	bool meets = a->latency <= bound, met = b->latency <= bound, switches = menu >> VERDICT_SAVE & 1;
	if (meets != met)
		return meets;
	if (!meets && !switches && a->latency != b->latency)
		return a->latency < b->latency;
	return a->overhead != b->overhead ? a->overhead < b->overhead : a->latency < b->latency;
}

/* A kernel gives its cheapest SMs, down to its share. */
static void spatial_release(const struct gpu_view *v, struct division *d, u32 k, struct spatial *own)
{
	u32 launch = d->launch[k], menu = preempt_menu(v->m);
	struct kernel_mean mean = kernel_mean(v->m, launch, v->cycle);
	struct way_cost cost[MOST_gpu_sms];
	for (u32 i = 0; d->have[k] > d->share[k] && i < v->m->config.gpu_sms; i++) {
		struct ctas_view ctas = ctas_of_gpu(v, i);
		if (own[i].owner == launch + 1ULL)
			cost[i] = sm_cost(&ctas, &mean, launch, menu);
	}
	for (; d->have[k] > d->share[k]; d->have[k]--) {
		u32 best = NONE32;
		for (u32 i = 0; i < v->m->config.gpu_sms; i++)
			if (own[i].owner == launch + 1ULL &&
			    (best == NONE32 || sm_cheaper(&cost[i], &cost[best], v->m->config.chimera_bound, menu)))
				best = i;
		own[best].lender = own[best].owner;
		own[best].owner = 0;
	}
}

/* The SM of nobody that suits a kernel best: where it has CTAs already, else an empty one, else the first. */
static u32 spatial_suited(const struct gpu_view *v, const struct spatial *own, u32 launch)
{
	u32 empty = NONE32, first = NONE32;
	for (u32 i = 0; i < v->m->config.gpu_sms; i++) {
		if (own[i].owner)
			continue;
		if (kernel_on(v->m, i, launch)->resident)
			return i;
		empty = empty == NONE32 && !gpu_sm(v, i)->ctas ? i : empty;
		first = first == NONE32 ? i : first;
	}
	return empty != NONE32 ? empty : first;
}

/* A kernel takes SMs of nobody, up to its share. */
static void spatial_take(const struct gpu_view *v, struct division *d, u32 k, struct spatial *own)
{
	for (; d->have[k] < d->share[k]; d->have[k]++) {
		u32 sm = spatial_suited(v, own, d->launch[k]);
		own[sm].owner = 1 + d->launch[k];
		if (!d->asks[k])
			own[sm].lender = 0;
	}
}

void spatial_divide(const struct gpu_view *v, bool smart, struct spatial *own)
{
	struct division d;
	spatial_find_kernels(v, &d);
	if (d.n < 2 && !d.asking) {
		for (u32 i = 0; i < v->m->config.gpu_sms; i++)
			own[i] = (struct spatial){0};
		return;
	}
	spatial_find_shares(v, smart, &d);
	spatial_find_owners(v, &d, own);
	for (u32 k = 0; k < d.n; k++)
		spatial_release(v, &d, k, own);
	for (u32 k = 0; k < d.n; k++)
		spatial_take(v, &d, k, own);
	for (u32 i = 0; i < v->m->config.gpu_sms; i++)
		own[i].lender = own[i].owner ? own[i].lender : 0;
}

/* CTAs that an SM of its own takes of a launch. */
static u32 spatial_spread(const struct launch *l)
{
	return l->sms ? (l->ctas + l->sms - 1) / l->sms : NONE32;
}

u32 spatial_wanted(const struct sched_view *v, const struct spatial *own, u32 launch)
{
	u64 any = 0;
	if (own[v->sm_id].owner)
		return own[v->sm_id].owner == launch + 1ULL ? spatial_spread(&v->launch[launch]) : 0;
	for (u32 i = 0; i < v->m->config.gpu_sms; i++)
		any |= own[i].owner;
	return any ? 0 : NONE32;
}

/* Did the turn of one launch come before that of another? */
static bool spatial_before(const struct sched_view *v, u32 a, u32 b)
{
	return v->run[a].ready_at != v->run[b].ready_at ? v->run[a].ready_at < v->run[b].ready_at : a < b;
}

bool launch_in_turn(const struct sched_view *v, u32 launch, bool whole)
{
	for (u32 i = 0; i < v->m->section[SECTION_LAUNCH].count; i++)
		if (i != launch && launch_goes_on(&v->run[i], &v->launch[i]) &&
		    (whole || launch_waits(&v->run[i], &v->launch[i])) && spatial_before(v, i, launch))
			return false;
	return true;
}
