/*
 * gto.c - greedy then oldest: the warp that issued last as long as it can, else the oldest.
 *
 * Source: Rogers et al., "Cache-Conscious Wavefront Scheduling", MICRO 2012.
 * Age is the order of admission to the SM. A warp that took over the slot of another is not favoured for it: it has not
 * issued there.
 */
#include "policy_age.h"

const struct scheme scheme_gto = {
	.name = "gto",
	.paper = "Rogers, O'Connor, Aamodt, MICRO 2012",
	.doc = "greedy then oldest: the warp that issued last as long as it is ready, else the oldest",
	.order = greedy_slot,
	.score = greedy_score,
};
