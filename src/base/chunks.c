/*
 * chunks.c - memory for the chunks of a store and of its forks: blocks that double up to large pages, free chunks by
 * size.
 *
 * Registers of thousands of warps are touched in no order, and a keyframe makes copies of them all: in small pages of
 * their own most of that time would go to page tables. A pool lives as long as a store that shares it; what chunks
 * leave is used again, and given back with the pool. Sizes beyond CHUNK_SIZES come from malloc.
 */
#include "store.h"

#include <pthread.h>
#include <sys/mman.h>

#define CHUNK_SIZES 24
#define FIRST_BLOCK (64u << 10)
#define LAST_BLOCK (2u << 20) /* a large page */

/* A block of memory; chunks follow. */
struct block {
	struct block *next;
} __attribute__((aligned(64)));

struct chunk_pool {
	u32 refs, sizes;
	u32 size[CHUNK_SIZES];		   /* bytes of a chunk, with its head */
	struct chunk *unused[CHUNK_SIZES]; /* the data of each begin with the next */
	struct block *block;
	u32 block_bytes; /* of the next one */
	u8 *at, *end;	 /* what is left of the last */
	pthread_mutex_t lock;
};

struct chunk_pool *chunk_pool_new(void)
{
	struct chunk_pool *p = xcalloc(1, sizeof(*p));

	p->refs = 1;
	p->block_bytes = FIRST_BLOCK;
	pthread_mutex_init(&p->lock, NULL);
	return p;
}

struct chunk_pool *chunk_pool_share(struct chunk_pool *p)
{
	p->refs++;
	return p;
}

void chunk_pool_drop(struct chunk_pool *p)
{
	struct block *b, *next;

	if (!p || --p->refs)
		return;
	for (b = p->block; b; b = next) {
		next = b->next;
		free(b);
	}
	pthread_mutex_destroy(&p->lock);
	free(p);
}

void chunk_pool_lock(struct chunk_pool *p)
{
	pthread_mutex_lock(&p->lock);
}
void chunk_pool_unlock(struct chunk_pool *p)
{
	pthread_mutex_unlock(&p->lock);
}

/* The class of chunks of some bytes; CHUNK_SIZES: there is none. */
static u32 class_of(struct chunk_pool *p, u32 bytes)
{
	u32 i = 0;

	while (i < p->sizes && p->size[i] != bytes)
		i++;
	if (i == p->sizes && i < CHUNK_SIZES)
		p->size[p->sizes++] = bytes;
	return i;
}

/* A new block with room for `bytes`. */
static void block_new(struct chunk_pool *p, u32 bytes)
{
	u32 n = p->block_bytes;
	struct block *b;

	while (n < bytes + sizeof(*b))
		n *= 2;
	b = xaligned(n >= LAST_BLOCK ? LAST_BLOCK : 64, n);
#ifdef MADV_HUGEPAGE
	if (n >= LAST_BLOCK)
		madvise(b, n, MADV_HUGEPAGE);
#endif
	b->next = p->block;
	p->block = b;
	p->at = (u8 *)(b + 1);
	p->end = (u8 *)b + n;
	p->block_bytes = min_u32(2 * p->block_bytes, LAST_BLOCK);
}

struct chunk *chunk_take(struct chunk_pool *p, u32 size)
{
	u32 bytes = (u32)sizeof(struct chunk) + round_up(size ? size : 1, 64), class = class_of(p, bytes);
	struct chunk *c;

	if (class == CHUNK_SIZES || bytes > LAST_BLOCK / 4) {
		c = xaligned(64, bytes);
		c->pool = NULL;
	} else if (p->unused[class]) {
		c = p->unused[class];
		memcpy(&p->unused[class], c->data, sizeof(c));
	} else {
		if ((size_t)(p->end - p->at) < bytes)
			block_new(p, bytes);
		c = (struct chunk *)(void *)p->at;
		p->at += bytes;
		c->pool = p;
		c->class = class;
	}
	c->refs = 1;
	c->size = size;
	return c;
}

void chunk_give(struct chunk *c)
{
	struct chunk **unused;

	if (!c->pool) {
		free(c);
		return;
	}
	unused = &c->pool->unused[c->class];
	memcpy(c->data, unused, sizeof(*unused));
	*unused = c;
}
