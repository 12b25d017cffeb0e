/*
 * postdom.h - immediate post-dominators of a graph.
 */
#ifndef WARPSTEP_POSTDOM_H
#define WARPSTEP_POSTDOM_H

#include "base.h"

#define POSTDOM_NONE (~0u)

/* Where control goes from a node: up to two nodes, n is the exit. */
struct postdom_node {
	u32 succ[2], nsucc;
};
/* Fill ipdom (n + 1 entries): n for the exit, POSTDOM_NONE where the exit cannot be reached. */
void postdom_find(const struct postdom_node *node, u32 n, u32 *ipdom);

#endif
