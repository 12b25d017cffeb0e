/*
 * preempting.c - what it costs that a CTA gives way, by three ways, and which is chosen: a drain lets it run to its
 * end, a flush forgets it so that it begins again, a switch saves it so that it goes on later.
 *
 * Latency is in cycles, overhead in warp instructions. Of a drain: what the mean CTA of the kernel has still to do, at
 * the cycles that an instruction of a CTA takes; the CTAs of an SM end apart, what the others could have done meanwhile
 * is lost. Of a flush: nothing, and all that it has done. Of a switch: the contexts of all CTAs that are to go, at the
 * SM's share of DRAM's bandwidth; and the instructions that the kernel issues on an SM in twice that time (save and
 * restore) at its average IPC, an equal part for each of the CTAs. A kernel's average IPC on an SM is all instructions
 * that it has issued over the SM-cycles in which an SM had CTAs of it, whatever these CTAs have done.
 * What has not been measured yet costs the maximum: a drain until a CTA of the kernel has ended, the overhead of a
 * switch until it has issued. One that drains already goes on so: the bound counts from when it was chosen. Source:
 * Park, Park, Mahlke, "Chimera", ASPLOS 2015, section 3 and algorithm 1 (Park, University of Michigan, 2016, section
 * 4.3.2 and algorithm 3). Decided: the thesis does not say over which SMs and cycles the average IPC of a switch is
 * taken; here over all, so that it does not depend on which CTAs an SM happens to hold. Deviation: cycles per
 * instruction of a drain are those of the kernel's CTAs, not of the SM, which issues for several at once.
 */
#include "policy_multi.h"

u64 context_moves(const struct config *c, u64 bytes)
{
	u64 bandwidth = (u64)c->dram_channels * c->dram_bytes * c->dram_clock;
	return (bytes * c->gpu_sms * c->gpu_clock + bandwidth - 1) / bandwidth;
}

struct kernel_mean kernel_mean(const struct machine *m, u32 launch, u64 now)
{
	struct kernel_mean mean = {0};
	for (u32 i = 0; i < m->config.gpu_sms; i++) {
		const struct kernel_count *k = kernel_on(m, i, launch);
		mean.ended += k->ended;
		mean.issued += k->ended_issued;
		mean.cycles += k->ended_cycles;
		mean.all_issued += k->issued;
		mean.held += k->held + (k->resident ? now - k->held_since : 0);
	}
	return mean;
}

u64 ctas_of_launch(const struct ctas_view *v, u32 launch)
{
	u64 set = 0;
	for (u32 i = 0; i < v->m->residents; i++)
		set |= (u64)(v->cta[i].launch == launch) << i;
	return set;
}

/* Instructions that the CTA of some that has issued most has issued. */
static u64 preempting_most_issued(const struct ctas_view *v, u64 ctas)
{
	u64 most = 0;
	for (; ctas; ctas &= ctas - 1)
		most = max_u64(most, cta_issued(&v->cta[__builtin_ctzll(ctas)], v->warp));
	return most;
}

static struct way_cost preempting_drain_cost(const struct ctas_view *v, const struct kernel_mean *k, u64 ctas,
					     u32 place)
{
	u64 done = cta_issued(&v->cta[place], v->warp);
	if (!k->ended || !k->issued)
		return (struct way_cost){NEVER, NEVER};
	u64 left = k->issued > done * k->ended ? k->issued - done * k->ended : 0; /* x k->ended */
	return (struct way_cost){left * k->cycles / (k->issued * k->ended), preempting_most_issued(v, ctas) - done};
}

static struct way_cost preempting_flush_cost(const struct ctas_view *v, u32 place)
{
	const struct cta *cta = &v->cta[place];
	if (!cta_may_flush(v->m, cta) || !v->m->config.preempt_ctas)
		return (struct way_cost){NEVER, NEVER};
	return (struct way_cost){0, cta_issued(cta, v->warp)};
}

/* Instructions that a kernel issues on an SM in so many cycles, rounded up; NEVER: it has not issued yet. */
static u64 preempting_issued_in(const struct kernel_mean *k, u64 cycles)
{
	return k->all_issued && k->held ? (k->all_issued * cycles + k->held - 1) / k->held : NEVER;
}

static struct way_cost preempting_switch_cost(const struct ctas_view *v, const struct kernel_mean *k, u64 ctas)
{
	u64 bytes = 0, latency, lost, n = (u64)__builtin_popcountll(ctas);
	if (!v->m->config.preempt_ctas)
		return (struct way_cost){NEVER, NEVER};
	for (u64 left = ctas; left; left &= left - 1)
		bytes += cta_context_bytes(&v->cta[__builtin_ctzll(left)]);
	latency = context_moves(&v->m->config, bytes);
	lost = preempting_issued_in(k, 2 * latency);
	return (struct way_cost){latency, lost == NEVER ? NEVER : (lost + n - 1) / n};
}

struct way_cost way_cost(const struct ctas_view *v, const struct kernel_mean *k, u64 ctas, u32 place, u32 way)
{
	if (way == VERDICT_DRAIN)
		return preempting_drain_cost(v, k, ctas, place);
	return way == VERDICT_FLUSH ? preempting_flush_cost(v, place) : preempting_switch_cost(v, k, ctas);
}

/* Is a way with this cost better than the best so far: one that meets the bound before one that does not; of the
 * former the cheaper, of the latter the switch, then the quicker. */
static bool preempting_better(const struct way_cost *cost, u32 way, const struct way_cost *best, u32 best_way,
			      u64 bound)
{
	bool meets = cost->latency <= bound, met = best->latency <= bound;
	if (best_way == VERDICT_STAY || meets != met)
		return best_way == VERDICT_STAY || meets;
	if (meets)
		return cost->overhead < best->overhead ||
		       (cost->overhead == best->overhead && cost->latency < best->latency);
	return (way == VERDICT_SAVE && cost->latency != NEVER) ||
	       (best_way != VERDICT_SAVE && cost->latency < best->latency);
}

u32 way_chosen(const struct ctas_view *v, const struct kernel_mean *k, u64 ctas, u32 place, u32 menu,
	       struct way_cost *cost)
{
	u32 chosen = VERDICT_STAY;
	*cost = (struct way_cost){NEVER, NEVER};
	for (u32 way = VERDICT_DRAIN; way <= VERDICT_SAVE; way++) {
		struct way_cost c;
		if (!(menu >> way & 1))
			continue;
		c = way_cost(v, k, ctas, place, way);
		if (!preempting_better(&c, way, cost, chosen, v->m->config.chimera_bound))
			continue;
		chosen = way;
		*cost = c;
	}
	return chosen;
}

struct way_cost sm_cost(const struct ctas_view *v, const struct kernel_mean *k, u32 launch, u32 menu)
{
	struct way_cost sum = {0, 0}, one;
	u64 ctas = ctas_of_launch(v, launch);
	for (u64 left = ctas; left; left &= left - 1) {
		way_chosen(v, k, ctas, (u32)__builtin_ctzll(left), menu, &one);
		sum.latency = max_u64(sum.latency, one.latency);
		sum.overhead = one.overhead == NEVER || sum.overhead == NEVER ? NEVER : sum.overhead + one.overhead;
	}
	return sum;
}

/* Of some CTAs, the one that is to go first: the cheapest, unless where they lie decides. */
static u32 preempting_goes_first(const struct sched_view *v, u64 left, const struct way_cost *cost)
{
	const struct scheme *allocator = policy_one(v->m, POLICY_allocate);
	u32 best = (u32)__builtin_ctzll(left);
	if (allocator && allocator->outermost)
		return allocator->outermost(v, left);
	for (u64 set = left; set; set &= set - 1)
		if (cost[__builtin_ctzll(set)].overhead < cost[best].overhead)
			best = (u32)__builtin_ctzll(set);
	return best;
}

const char *ways_limited(const struct config *c)
{
	return c->preempt_ctas ? NULL
			       : "no CTA is flushed or switched, all drain, because none may wait outside the SMs (set "
				 "preempt.ctas, for example to 256)";
}

void ways_choose(const struct sched_view *v, const struct make_way *r, u8 *verdict)
{
	struct ctas_view ctas = ctas_of_sched(v);
	struct kernel_mean mean = kernel_mean(v->m, r->launch, ctas.now);
	struct way_cost cost[MAX_RESIDENTS];
	u32 way[MAX_RESIDENTS], menu = preempt_menu(v->m);
	u64 left = r->ctas;
	for (u64 set = left; set; set &= set - 1) {
		u32 i = (u32)__builtin_ctzll(set);
		way[i] =
			way_chosen(&ctas, &mean, r->ctas, i, verdict[i] == VERDICT_DRAIN ? MENU_DRAIN : menu, &cost[i]);
	}
	for (u32 n = 0; n < r->surplus && left; n++) {
		u32 best = preempting_goes_first(v, left, cost);
		/* cppcheck-suppress uninitvar */
		verdict[best] = (u8)way[best];
		left &= ~(1ULL << best);
	}
}

u32 preempt_menu(const struct machine *m)
{
	const struct scheme *x = policy_one(m, POLICY_preempt);
	return x && x->menu ? x->menu : MENU_DRAIN;
}
