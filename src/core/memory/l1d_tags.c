/*
 * l1d_tags.c - the places of the L1 data cache: which line is where, which goes next, and how much of the unified array
 * is the cache's.
 *
 * A line may lie in any way of its set, and there can be hundreds. So a place is in two lists: of the lines that hash
 * to the same number, by which a line is found; and of its set, in the order of use. The one that goes next is an empty
 * place, which is older than all others, else the least recently used that is not reserved.
 */
#include "memory/tags.h"
#include "memory/lsu.h"

#include <string.h>

/* The chain of a line (number + 1). */
static struct chain *l1d_tags_chain_of(const struct sm_view *v, u64 key)
{
	return &v->l1d_chain[hash_below(key, v->l1d_sets * v->l1d_ways_max)];
}

struct tag *l1d_find(const struct sm_view *v, u64 key)
{
	for (u32 at = l1d_tags_chain_of(v, key)->first; at; at = v->l1d_chain[at - 1].next)
		if (v->l1d[at - 1].line == key)
			return &v->l1d[at - 1];
	return NULL;
}

/* The first place of the set of a place or of a line, whose entry has the ends of the set's list. */
static u32 l1d_tags_set_of_place(const struct sm_view *v, u32 place)
{
	return place - place % v->l1d_ways_max;
}
static u32 l1d_tags_set_of_line(const struct sm_view *v, u64 key)
{
	return (u32)((key - 1) % v->l1d_sets) * v->l1d_ways_max;
}

struct tag *l1d_victim(const struct sm_view *v, u64 key)
{
	for (u32 at = v->l1d_chain[l1d_tags_set_of_line(v, key)].oldest; at; at = v->l1d_chain[at - 1].newer)
		if (!v->l1d[at - 1].reserved)
			return &v->l1d[at - 1];
	return NULL;
}

/* Take a place out of its set's list. */
static void l1d_tags_unlink_place(struct sm_view *v, u32 place)
{
	struct chain *c = v->l1d_chain, *own = &c[place], *ends = &c[l1d_tags_set_of_place(v, place)];
	*(own->older ? &c[own->older - 1].newer : &ends->oldest) = own->newer;
	*(own->newer ? &c[own->newer - 1].older : &ends->newest) = own->older;
}

/* Put a place at the new end of its set's list. */
static void l1d_tags_link_newest(struct sm_view *v, u32 place)
{
	struct chain *c = v->l1d_chain, *own = &c[place], *ends = &c[l1d_tags_set_of_place(v, place)];
	own->older = ends->newest;
	own->newer = 0;
	*(ends->newest ? &c[ends->newest - 1].newer : &ends->oldest) = (u16)(place + 1);
	ends->newest = (u16)(place + 1);
}

/* Put a place at the old end of its set's list. */
static void l1d_tags_link_oldest(struct sm_view *v, u32 place)
{
	struct chain *c = v->l1d_chain, *own = &c[place], *ends = &c[l1d_tags_set_of_place(v, place)];
	own->newer = ends->oldest;
	own->older = 0;
	*(ends->oldest ? &c[ends->oldest - 1].older : &ends->newest) = (u16)(place + 1);
	ends->oldest = (u16)(place + 1);
}

void l1d_use(struct sm_view *v, struct tag *t)
{
	u32 place = (u32)(t - v->l1d);
	t->used = ++v->sm->l1d_clock;
	if (!v->l1d_chain[place].newer)
		return;
	l1d_tags_unlink_place(v, place);
	l1d_tags_link_newest(v, place);
}

/* Put a place at the head of its line's chain. */
static void l1d_tags_chain_add(struct sm_view *v, const struct tag *t)
{
	struct chain *c = l1d_tags_chain_of(v, t->line);
	u16 at = (u16)(t - v->l1d);
	v->l1d_chain[at].next = c->first;
	c->first = (u16)(at + 1);
}

/* Take a place out of its line's chain. */
static void l1d_tags_chain_remove(struct sm_view *v, const struct tag *t)
{
	u16 at = (u16)(t - v->l1d + 1), *link = &l1d_tags_chain_of(v, t->line)->first;
	while (*link != at)
		link = &v->l1d_chain[*link - 1].next;
	*link = v->l1d_chain[at - 1].next;
	v->l1d_chain[at - 1].next = 0;
}

void l1d_empty(struct sm_view *v, struct tag *t)
{
	l1d_tags_chain_remove(v, t);
	*t = (struct tag){0};
	l1d_tags_unlink_place(v, (u32)(t - v->l1d));
	l1d_tags_link_oldest(v, (u32)(t - v->l1d));
}

void l1d_place(struct sm_view *v, struct tag *t, u64 key)
{
	if (t->line && notice_subscribed(v, NOTICE_L1D_EVICT))
		notify(v, &(struct notice){.kind = NOTICE_L1D_EVICT,
					   .context = NONE16,
					   .line = (t->line - 1) << v->m->line_shift,
					   .place = (u32)(t - v->l1d)});
	if (t->line)
		l1d_tags_chain_remove(v, t);
	*t = (struct tag){.line = key};
	l1d_tags_chain_add(v, t);
}

/* Whoever remembers what the L1D had is told that it has nothing any more. */
static void l1d_tags_tell_flush(struct sm_view *v)
{
	if (notice_subscribed(v, NOTICE_L1D_FLUSH))
		notify(v, &(struct notice){.kind = NOTICE_L1D_FLUSH, .context = NONE16, .pc = NONE32});
}

/* Kernel boundaries are memory barriers: nothing stays in the L1D but the places of lines on their way. */
void l1d_flush(struct sm_view *v)
{
	u32 n = v->l1d_sets * v->l1d_ways_max;
	v->sleep->refused = 0;
	for (u32 i = 0; i < n; i++) {
		struct tag *t = &v->l1d[i];
		if (t->reserved)
			t->valid = 0;
		else if (t->line)
			l1d_empty(v, t);
	}
	l1d_tags_tell_flush(v);
}

/* The lists of an L1D in which nothing is, with so many ways. */
static void l1d_tags_empty_lists(struct sm_view *v, u32 ways)
{
	u32 n = v->l1d_sets * v->l1d_ways_max;
	memset(v->l1d_chain, 0, n * sizeof *v->l1d_chain);
	memset(v->l1d, 0, n * sizeof *v->l1d);
	for (u32 i = 0; i < n; i++)
		if (i % v->l1d_ways_max < ways)
			l1d_tags_link_newest(v, i);
	v->sm->l1d_ways = ways;
	v->sleep->refused = 0;
	l1d_tags_tell_flush(v);
}

/* The ways that an L1D has beside so many bytes of shared memory: these take 8, 16, 32 ... KiB of the array, at most
 * sm.shared. */
static u32 l1d_tags_ways_beside(const struct sm_view *v, u32 shared)
{
	const struct config *c = &v->m->config;
	u32 carve = shared ? 8192 : 0, set = v->l1d_sets * c->l1d_line;
	if (!c->l1d_unified)
		return c->l1d_ways;
	while (carve < shared)
		carve *= 2;
	carve = min_u32(carve, c->sm_shared);
	return c->l1d_unified > carve + set ? (c->l1d_unified - carve) / set : 1;
}

void l1d_share(struct sm_view *v, u32 shared)
{
	u32 ways = l1d_tags_ways_beside(v, shared);
	if (ways != v->sm->l1d_ways && !v->sm->mshrs_used)
		l1d_tags_empty_lists(v, ways);
}
