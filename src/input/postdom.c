/*
 * postdom.c - immediate post-dominators by the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast
 * Dominance Algorithm", 2001) on the reversed graph; the exit is one more node behind the last.
 */
#include "postdom.h"

#include <stdlib.h>

/* The graph backwards: predecessors of node b are list[start[b]..start[b + 1]). */
struct predecessors {
	u32 *start, *list;
};

static struct predecessors predecessors_make(const struct postdom_node *node, u32 n)
{
	struct predecessors pr = {xcalloc(n + 3ULL, sizeof(u32)), NULL};

	for (u32 b = 0; b < n; b++)
		for (u32 s = 0; s < node[b].nsucc; s++)
			pr.start[node[b].succ[s] + 2]++;
	for (u32 b = 0; b <= n; b++)
		pr.start[b + 2] += pr.start[b + 1];
	pr.list = xcalloc(pr.start[n + 2] + 1ULL, sizeof(u32));
	for (u32 b = 0; b < n; b++)
		for (u32 s = 0; s < node[b].nsucc; s++)
			pr.list[pr.start[node[b].succ[s] + 1]++] = b;
	return pr;
}

/* Nodes in the order in which a backward walk from the exit leaves them; number[b] is b's place. Returns how many. */
static u32 postorder(const struct predecessors *pr, u32 n, u32 *order, u32 *number)
{
	u32 *stack = xmalloc((n + 1ULL) * sizeof(u32)), *next = xmalloc((n + 1ULL) * sizeof(u32));
	u32 depth = 1, left = 0;

	for (u32 b = 0; b <= n; b++) {
		number[b] = POSTDOM_NONE;
		next[b] = pr->start[b];
	}
	stack[0] = n;
	number[n] = 0;
	while (depth) {
		u32 b = stack[depth - 1];

		if (next[b] == pr->start[b + 1]) {
			number[b] = left;
			order[left++] = b;
			depth--;
		} else if (number[pr->list[next[b]++]] == POSTDOM_NONE) {
			u32 to = pr->list[next[b] - 1];

			number[to] = 0;
			stack[depth++] = to;
		}
	}
	free(stack);
	free(next);
	return left;
}

/* The nearest node that post-dominates a and b. */
static u32 meet(const u32 *ipdom, const u32 *number, u32 a, u32 b)
{
	while (a != b) {
		if (number[a] < number[b])
			a = ipdom[a];
		else
			b = ipdom[b];
	}
	return a;
}

/* The nearest node that post-dominates all successors of a node of which anything is known yet. */
static u32 meet_successors(const struct postdom_node *x, const u32 *ipdom, const u32 *number)
{
	u32 best = POSTDOM_NONE;

	for (u32 s = 0; s < x->nsucc; s++)
		if (ipdom[x->succ[s]] != POSTDOM_NONE)
			best = best == POSTDOM_NONE ? x->succ[s] : meet(ipdom, number, best, x->succ[s]);
	return best;
}

void postdom_find(const struct postdom_node *node, u32 n, u32 *ipdom)
{
	u32 *order = xmalloc((n + 1ULL) * sizeof(u32)), *number = xmalloc((n + 1ULL) * sizeof(u32));
	struct predecessors pr = predecessors_make(node, n);
	u32 left = postorder(&pr, n, order, number);
	bool changed = true;

	for (u32 b = 0; b < n; b++)
		ipdom[b] = POSTDOM_NONE;
	ipdom[n] = n;
	while (changed) {
		changed = false;
		for (u32 i = left - 1; i-- > 0;) {
			u32 best = meet_successors(&node[order[i]], ipdom, number);

			changed |= best != ipdom[order[i]];
			ipdom[order[i]] = best;
		}
	}
	free(order);
	free(number);
	free(pr.start);
	free(pr.list);
}
