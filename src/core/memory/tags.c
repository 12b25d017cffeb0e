/*
 * tags.c - one set of a set-associative array of sectored lines, least recently used.
 */
#include "memory/tags.h"
#include "memory/lsu.h"

/* The line (number + 1) in a set, or NULL. */
struct tag *tag_find(struct tag *set, u32 ways, u64 line)
{
	for (u32 i = 0; i < ways; i++)
		if (set[i].line == line)
			return &set[i];
	return NULL;
}

/* An empty way, else the least recently used. */
struct tag *tag_victim(struct tag *set, u32 ways)
{
	struct tag *best = set;
	for (u32 i = 0; i < ways; i++) {
		if (!set[i].line)
			return &set[i];
		if (set[i].used < best->used)
			best = &set[i];
	}
	return best;
}
