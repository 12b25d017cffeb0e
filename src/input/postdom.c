/*
 * postdom.c - immediate post-dominators by the algorithm of Lengauer and Tarjan ("A Fast Algorithm for Finding
 * Dominators in a Flowgraph", TOPLAS 1979, the simple form: path compression, no balancing) on the reversed graph; the
 * exit is one more node behind the last. It takes n log n steps whatever the graph looks like.
 */
#include "postdom.h"

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

/* The walk and what is known: nodes by their numbers in the order of a walk from the exit against all edges. */
struct walk {
	u32 count;		    /* nodes from which the exit can be reached */
	u32 *node, *number;	    /* number to node, and back (POSTDOM_NONE: not reached) */
	u32 *parent, *semi, *idom;  /* by number; idom: immediate post-dominators, all numbers */
	u32 *ancestor, *label;	    /* the forest of nodes that have been linked; POSTDOM_NONE: a root */
	u32 *bucket, *next, *stack; /* bucket: first of the nodes with this semidominator, next: the one after it */
};

/* Room for n + 1 nodes: one block, for the caller to free. */
static u32 *walk_open(struct walk *w, u32 n)
{
	u32 **const array[] = {&w->node,     &w->number, &w->parent, &w->semi, &w->idom,
			       &w->ancestor, &w->label,	 &w->bucket, &w->next, &w->stack};
	u32 *room = xmalloc(ARRAY_LEN(array) * (n + 1ULL) * sizeof(u32));

	for (u32 i = 0; i < ARRAY_LEN(array); i++)
		*array[i] = room + i * (n + 1ULL);
	return room;
}

/* A node is reached, from the node with number `parent`. */
static void enter(struct walk *w, u32 node, u32 parent)
{
	u32 i = w->count++;

	w->node[i] = node;
	w->number[node] = i;
	w->parent[i] = parent;
	w->semi[i] = w->label[i] = i;
	w->ancestor[i] = w->bucket[i] = POSTDOM_NONE;
}

/* Number the nodes, depth first from the exit. next: the predecessor to look at next, by node. */
static void number_nodes(struct walk *w, const struct predecessors *pr, u32 n, u32 *next)
{
	u32 depth = 1;

	for (u32 b = 0; b <= n; b++) {
		w->number[b] = POSTDOM_NONE;
		next[b] = pr->start[b];
	}
	w->count = 0;
	w->stack[0] = n;
	enter(w, n, 0);
	while (depth) {
		u32 b = w->stack[depth - 1], to;

		if (next[b] == pr->start[b + 1]) {
			depth--;
			continue;
		}
		to = pr->list[next[b]++];
		if (w->number[to] == POSTDOM_NONE) {
			enter(w, to, w->number[b]);
			w->stack[depth++] = to;
		}
	}
}

/* The node with the least semidominator between i and the root of its tree; the way there is made short. */
static u32 evaluate(struct walk *w, u32 i)
{
	u32 depth = 0, at = i;

	if (w->ancestor[i] == POSTDOM_NONE)
		return i;
	for (; w->ancestor[w->ancestor[at]] != POSTDOM_NONE; at = w->ancestor[at])
		w->stack[depth++] = at;
	while (depth) {
		u32 above;

		at = w->stack[--depth];
		above = w->ancestor[at];
		if (w->semi[w->label[above]] < w->semi[w->label[at]])
			w->label[at] = w->label[above];
		w->ancestor[at] = w->ancestor[above];
	}
	return w->label[i];
}

/* The semidominator of number i; then those of its parent's bucket learn their dominators, or who has the same. */
static void take_node(struct walk *w, const struct postdom_node *x, u32 i)
{
	u32 parent = w->parent[i];

	for (u32 s = 0; s < x->nsucc; s++)
		if (w->number[x->succ[s]] != POSTDOM_NONE)
			w->semi[i] = min_u32(w->semi[i], w->semi[evaluate(w, w->number[x->succ[s]])]);
	w->next[i] = w->bucket[w->semi[i]];
	w->bucket[w->semi[i]] = i;
	w->ancestor[i] = parent;
	for (u32 k = w->bucket[parent]; k != POSTDOM_NONE; k = w->next[k]) {
		u32 least = evaluate(w, k);

		w->idom[k] = w->semi[least] < w->semi[k] ? least : parent;
	}
	w->bucket[parent] = POSTDOM_NONE;
}

void postdom_find(const struct postdom_node *node, u32 n, u32 *ipdom)
{
	struct predecessors pr = predecessors_make(node, n);
	struct walk w;
	u32 *room = walk_open(&w, n);

	number_nodes(&w, &pr, n, ipdom);
	for (u32 i = w.count - 1; i > 0; i--)
		take_node(&w, &node[w.node[i]], i);
	for (u32 i = 1; i < w.count; i++)
		if (w.idom[i] != w.semi[i])
			w.idom[i] = w.idom[w.idom[i]];
	for (u32 b = 0; b < n; b++)
		ipdom[b] = POSTDOM_NONE;
	ipdom[n] = n;
	for (u32 i = 1; i < w.count; i++)
		ipdom[w.node[i]] = w.node[w.idom[i]];
	free(room);
	free(pr.start);
	free(pr.list);
}
