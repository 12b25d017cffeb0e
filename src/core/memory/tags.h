/*
 * tags.h - what caches are made of: sets of tags, MSHRs. For src/core only.
 */
#ifndef WARPSTEP_TAGS_H
#define WARPSTEP_TAGS_H

#include "state/view.h"

/* tags.c: a set-associative array of sectored lines, least recently used */
struct tag *tag_find(struct tag *set, u32 ways, u64 line);
struct tag *tag_victim(struct tag *set, u32 ways);

/* mshr.c: the MSHRs of a cache, found by the lines (number + 1) that they hold */
struct mshr *mshr_find(struct mshr_table t, u64 key); /* NULL: the line has none */
struct mshr *mshr_spare(struct mshr_table t);	      /* the next to be taken, NULL: all are */
struct mshr *mshr_take(struct mshr_table t, u64 key); /* there is one to spare; nothing waits in it */
void mshr_release(struct mshr_table t, struct mshr *m);

#endif
