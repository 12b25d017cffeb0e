/*
 * gpu_slice.c - a slice of a GPU, and words about the machine (gpu_slice.h).
 *
 * What the SMs share is cut: DRAM channels, L2 slices with their ports of the crossbar, and the rate at which CTAs are
 * dispatched. Both are whole numbers; those are taken that come nearest to the SMs' part. Where a tenth is missing or
 * too much, clocks make up for it: that of DRAM, or those of the L2 and the crossbar, and the size of an L2 slice for
 * the capacity. Latencies keep their time. The crossbar's clock is that of the SMs' ports, too, which are no bottleneck
 * as long as there are fewer L2 slices than SMs. Deviations: banks, queues and MSHRs of a channel and of an L2 slice
 * stay as they are; what many SMs do to one address (atomics) is not in proportion to anything.
 */
#include "gpu_slice.h"

/* The L2 slices that SMs ask: with l2.halves 2 the first two SMs belong to one half. */
static u32 reached(const struct config *c, u32 sms, u32 slices)
{
	return c->l2_halves > 1 && sms <= 2 ? slices / 2 : slices;
}

/* What `have` of a slice is to the part of `all` that its SMs have: 1 is in proportion. */
static double share(u32 have, u32 all, u32 sms, u32 whole)
{
	return (double)have * whole / ((double)all * sms);
}

/* Is it, within a tenth? */
static bool in_proportion(double share)
{
	return share >= 0.9 && share <= 1.1;
}

/* By how much it is off, in either direction. */
static double off(double share)
{
	return share < 1 ? 1 / share : share;
}

/* May a machine have so many L2 slices over so many channels? Channels that have more slices than others would be the
 * only ones that matter. */
static bool fits(const struct config *c, u32 slices, u32 channels)
{
	return slices % channels == 0 && (c->l2_halves == 1 || slices % 2 == 0) && (!c->l2_hash || is_pow2(slices));
}

/* The L2 slices and channels of a part of the SMs. */
static void choose(const struct config *whole, u32 sms, struct config *out)
{
	double least = 0;

	for (u32 n = 1; n <= whole->dram_channels; n++)
		for (u32 l = n; l <= whole->l2_slices; l++) {
			double cost = off(share(n, whole->dram_channels, sms, whole->gpu_sms));

			if (!fits(whole, l, n))
				continue;
			cost *= off(share(reached(whole, sms, l), whole->l2_slices, sms, whole->gpu_sms));
			if (least > 0 && cost >= least)
				continue;
			least = cost;
			out->l2_slices = l;
			out->dram_channels = n;
		}
}

/* value x times / by, to the nearest, in the range of the setting. */
static void scale(struct config *c, enum setting_id id, u64 times, u64 by)
{
	u64 n = (config_get(c, id) * times + by / 2) / by;

	config_set(c, id, (u32)min_u64(max_u64(n, setting_table[id].min), setting_table[id].max));
}

/* A clock (0: that of the SMs), and what counts its clocks and is a time. CCD, CCDL, RRD, FAW and the burst of DRAM are
 * what bounds the commands of a channel in a time, and go with its bandwidth; so does the interval of atomics in the
 * L2. */
struct domain {
	enum setting_id clock, times[16]; /* the first setting, gpu.sms, ends them */
};
static const struct domain dram = {SET_dram_clock,
				   {SET_dram_latency, SET_dram_cl, SET_dram_wl, SET_dram_rcd, SET_dram_rp, SET_dram_ras,
				    SET_dram_rc, SET_dram_wr, SET_dram_cdlr, SET_dram_rtp, SET_dram_rtpl, SET_dram_refi,
				    SET_dram_rfc}};
static const struct domain l2 = {SET_l2_clock, {SET_l2_latency, SET_l2_far}};
static const struct domain crossbar = {SET_icnt_clock, {SET_icnt_latency}};
static const struct domain *const domains[] = {&dram, &l2, &crossbar};

/* Another clock, with latencies that take as long as they did. */
static void scale_clock(struct config *c, const struct domain *d, u64 times, u64 by)
{
	u32 before = config_get(c, d->clock) ? config_get(c, d->clock) : c->gpu_clock;

	config_set(c, d->clock, before);
	scale(c, d->clock, times, by);
	for (u32 i = 0; d->times[i] != SET_gpu_sms; i++)
		if (config_get(c, d->times[i]))
			scale(c, d->times[i], config_get(c, d->clock), before);
}

/* The size of an L2 slice, a whole number of sets. */
static void scale_l2_bytes(struct config *c, u64 times, u64 by)
{
	u64 set = (u64)c->l1d_line * c->l2_ways, least = setting_table[SET_l2_bytes].min;
	u64 sets = (c->l2_bytes * times + by * set / 2) / (by * set);

	c->l2_bytes = (u32)(set * max_u64(sets, (least + set - 1) / set));
}

void gpu_slice_take(struct config *c, u32 sms)
{
	const struct config whole = *c;
	u32 slices;

	if (sms == whole.gpu_sms)
		return;
	choose(&whole, sms, c);
	c->gpu_sms = sms;
	if (whole.dispatch_interval)
		scale(c, SET_dispatch_interval, whole.gpu_sms, sms);
	if (!in_proportion(share(c->dram_channels, whole.dram_channels, sms, whole.gpu_sms)))
		scale_clock(c, &dram, (u64)sms * whole.dram_channels, (u64)whole.gpu_sms * c->dram_channels);
	slices = reached(c, sms, c->l2_slices);
	if (in_proportion(share(slices, whole.l2_slices, sms, whole.gpu_sms)))
		return;
	scale_l2_bytes(c, (u64)sms * whole.l2_slices, (u64)whole.gpu_sms * slices);
	scale_clock(c, &l2, (u64)sms * whole.l2_slices, (u64)whole.gpu_sms * slices);
	scale_clock(c, &crossbar, (u64)sms * whole.l2_slices, (u64)whole.gpu_sms * slices);
}

bool gpu_slice_sets(enum setting_id id)
{
	bool is = id == SET_gpu_sms || id == SET_dispatch_interval || id == SET_l2_slices || id == SET_dram_channels ||
		  id == SET_l2_bytes;

	for (u32 k = 0; k < ARRAY_LEN(domains); k++) {
		is |= id == domains[k]->clock;
		for (u32 i = 0; domains[k]->times[i] != SET_gpu_sms; i++)
			is |= id == domains[k]->times[i];
	}
	return is;
}

/* A clock as it has become. */
static void add_clock(const struct config *whole, const struct config *slice, enum setting_id id, const char *before,
		      struct text *out)
{
	u32 was = config_get(whole, id) ? config_get(whole, id) : whole->gpu_clock;

	if (config_get(slice, id) != config_get(whole, id))
		text_add(out, "%s at %u MHz instead of %u", before, config_get(slice, id), was);
}

void gpu_slice_words(const struct config *whole, const struct config *slice, struct text *out)
{
	text_add(out, "%u of %u SMs, %u of %u DRAM channels", slice->gpu_sms, whole->gpu_sms, slice->dram_channels,
		 whole->dram_channels);
	add_clock(whole, slice, SET_dram_clock, "", out);
	text_add(out, ", %u of %u L2 slices", slice->l2_slices, whole->l2_slices);
	if (slice->l2_bytes != whole->l2_bytes)
		text_add(out, " of %u instead of %u bytes", slice->l2_bytes, whole->l2_bytes);
	add_clock(whole, slice, SET_l2_clock, "", out);
	add_clock(whole, slice, SET_icnt_clock, ", crossbar", out);
	if (slice->dispatch_interval != whole->dispatch_interval)
		text_add(out, ", one CTA dispatched in %u cycles instead of %u", slice->dispatch_interval,
			 whole->dispatch_interval);
}

/* --- which machine it is --- */

u32 gpu_memory_for(const struct gpu_choice *g, const struct config *c)
{
	if (!g->bandwidth)
		return 0;
	return (u32)max_u64((dram_bandwidth(c) * g->whole + g->bandwidth / 2) / g->bandwidth, 1);
}

/* Have the SMs the bandwidth that they have on the whole GPU, within a tenth? */
static bool memory_fits(const struct gpu_choice *g, const struct config *c)
{
	return in_proportion((double)dram_bandwidth(c) * g->whole / ((double)g->bandwidth * c->gpu_sms));
}

/* What stands before a number that is read aloud: eight, eleven, eighteen, eighty-one. */
static const char *article(u32 n)
{
	return n == 8 || n == 11 || n == 18 || n / 10 == 8 ? "an" : "a";
}

void gpu_words(const struct gpu_choice *g, const struct config *c, struct text *out)
{
	const char *base = strrchr(g->name, '/') ? strrchr(g->name, '/') + 1 : g->name;

	if (!g->bandwidth)
		return;
	if (c->gpu_sms != g->whole && memory_fits(g, c))
		text_add(out, "%s %u-SM slice of ", article(c->gpu_sms), c->gpu_sms);
	else if (c->gpu_sms != g->whole)
		text_add(out, "%u SM%s of ", c->gpu_sms, c->gpu_sms == 1 ? "" : "s");
	text_add(out, "%s", safe_text(base));
}

void gpu_memory_words(const struct gpu_choice *g, const struct config *c, struct text *out)
{
	u32 suits = gpu_memory_for(g, c);

	if (!suits || suits <= c->gpu_sms || memory_fits(g, c))
		return;
	text_add(out, "%u SM%s the memory system of %u", c->gpu_sms, c->gpu_sms == 1 ? " has" : "s share", suits);
	if (c->gpu_sms < g->whole)
		text_add(out, ": `gpu %s sms %u` takes both in proportion", safe_text(g->name), c->gpu_sms);
}
