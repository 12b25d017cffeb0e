/*
 * mshr.c - miss status holding registers: one for each line on its way, found by a hash of its number.
 *
 * Entry i of the table is an MSHR and the head of the chain of those whose line hashes to i; the free ones are chained
 * too.
 */
#include "memory/tags.h"
#include "memory/lsu.h"

/* Where the chain of a line begins. */
static u16 *mshr_head_of(struct mshr_table t, u64 key)
{
	return &t.mshr[hash_below(key, t.n)].head;
}

struct mshr *mshr_find(struct mshr_table t, u64 key)
{
	for (u32 at = *mshr_head_of(t, key); at; at = t.mshr[at - 1].next)
		if (t.mshr[at - 1].line == key)
			return t.mshr + at - 1;
	return NULL;
}

struct mshr *mshr_spare(struct mshr_table t)
{
	return *t.free ? &t.mshr[*t.free - 1] : NULL;
}

struct mshr *mshr_take(struct mshr_table t, u64 key)
{
	struct mshr *m = t.mshr + *t.free - 1;
	u16 *head = mshr_head_of(t, key), at = *t.free;
	*t.free = m->next;
	m->line = key;
	m->next = *head;
	*head = at;
	return m;
}

void mshr_release(struct mshr_table t, struct mshr *m)
{
	u16 at = (u16)(m - t.mshr + 1), *link = mshr_head_of(t, m->line);
	while (*link != at)
		link = &t.mshr[*link - 1].next;
	*link = m->next;
	*m = (struct mshr){.first = NONE16, .last = NONE16, .head = m->head, .next = *t.free};
	*t.free = at;
}
