/*
 * rr.c - the baseline's assignment of warps to sub-cores: warp W of the SM goes to sub-core W mod N.
 *
 * Source: Barnes, Shen, Rogers, HPCA 2023, section III.
 */
#include "policy.h"

static u32 assign(const struct machine *m, u32 sm, u32 w, u32 n)
{
	(void)m;
	(void)sm;
	return w % n;
}

const struct scheme scheme_rr = {
	.name = "rr",
	.paper = "Barnes, Shen, Rogers, HPCA 2023 (baseline)",
	.doc = "round robin: the W-th warp of an SM goes to sub-core W mod N",
	.assign = assign,
};
