/*
 * context.c - what is kept of a CTA that has no warp slots: how large it is, and where it lies in shared memory.
 *
 * Registers and shared memory stay where they are. The context is the first of its virtual warp ids and how many there
 * are, the CTA's place in the grid, and of each warp the SIMT stack: N + ceil(log2 W) + 96 + 160 x D x W bits for W
 * warps, N = 8, D = 4. It is kept at the high end of shared memory, in a region with a place for each inactive CTA,
 * all as large as the largest needs; data grow from the low end, and what lies in the way of the region moves there.
 * Source: Yoon et al., "Virtual Thread", ISCA 2016, sections IV.B and IV.C. Deviation: the paper reserves the region
 * when a kernel begins; here it has at any time a place for each CTA that is inactive.
 */
#include "blocks/blocks.h"

#define ID_BITS 8      /* of a virtual warp id */
#define GRID_BITS 96   /* place of a CTA in the grid */
#define ENTRY_BITS 160 /* an entry of a SIMT stack */
#define ENTRIES 4      /* entries that are kept */

u64 context_bits(const struct config *c, u32 warps)
{
	u32 log = 0;
	while (1u << log < warps)
		log++;
	return (u64)c->vt_context * (ID_BITS + log + GRID_BITS + ENTRY_BITS * ENTRIES * warps);
}

u32 context_cycles(const struct config *c, u32 warps)
{
	u64 bits = context_bits(c, warps);
	return c->vt_bandwidth ? ceil_div((u32)bits, c->vt_bandwidth) : 0;
}

u32 context_region(const struct config *c, u32 n, u32 warps)
{
	return n ? n * round_up(ceil_div((u32)context_bits(c, warps), 8), c->sm_shared_unit) : 0;
}

/* Bytes of the region with n places for contexts of at most `warps` warps, and of all CTAs that are there. */
static u32 context_region_bytes(const struct sm_view *v, u32 n, u32 warps)
{
	for (u64 left = n ? cta_places(v) : 0; left; left &= left - 1)
		warps = max_u32(warps, v->cta[__builtin_ctzll(left)].warps);
	return context_region(&v->m->config, n, warps);
}

bool region_grow(struct sm_view *v, u32 more, u32 warps, u32 shared)
{
	u32 n = (u32)__builtin_popcountll(v->sm->inactive) + more;
	if (!n)
		return v->sm->shared_free >= shared;
	u32 bytes = context_region_bytes(v, n, warps);
	sm_account_sleep(v, view_cycle(v) + 1);
	sm_account_held(v);
	return v->sm->shared_free >= (u64)bytes + shared && territory_confine(v, bytes);
}

void region_settle(struct sm_view *v)
{
	u32 n = (u32)__builtin_popcountll(v->sm->inactive);
	if (n || v->sm->region)
		v->sm->region = context_region_bytes(v, n, 0);
}
