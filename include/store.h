/*
 * store.h - values: register contents, shared memory, global memory, beside the machine.
 *
 * Chunks with reference counts and copy-on-write: a fork of the store (one per keyframe) shares every chunk
 * until one side writes it, so going back restores values too. A chunk of a context holds its registers
 * (nregs x 32 lanes x u32, lane-minor) followed by its predicates (npreds x u32) and its local memory.
 * Global memory is pages of STORE_PAGE bytes from STORE_GLOBAL_BASE. Pages never written read as zero.
 */
#ifndef WARPSTEP_STORE_H
#define WARPSTEP_STORE_H

#include "base.h"

#define STORE_PAGE 4096u
#define STORE_GLOBAL_BASE 0x700000000000ULL

struct chunk_pool;

struct chunk {
	u32 refs;
	u32 size;		 /* bytes of data */
	struct chunk_pool *pool; /* that it goes back to; NULL: to malloc */
	u32 class;		 /* of its size there */
	u8 data[] __attribute__((aligned(64)));
};

struct store {
	u32 ncontexts, nctas, npages;
	struct chunk **context; /* [sm x contexts + context]: registers, predicates, local memory */
	struct chunk **cta;	/* [sm x ctas + cta]: shared memory */
	struct chunk **page;	/* global memory */
	u32 nshadow;
	struct chunk **shadow; /* what observers keep beside the values (shadow.h): forked with them, never hashed */
	u8 *own; /* by context, then by CTA: 1: nobody else refers to its chunk, so that writing need not ask it */
	struct chunk_pool *pool; /* of this store and its forks */
	u64 owned;		 /* bytes of chunks allocated through this store since it was made (for the budget) */
};

/* chunks.c: memory for chunks. A chunk is taken with one reference and given back without any. */
struct chunk_pool *chunk_pool_new(void);
struct chunk_pool *chunk_pool_share(struct chunk_pool *p);
void chunk_pool_drop(struct chunk_pool *p);
/* For whoever changes a store while others may do so, too. */
void chunk_pool_lock(struct chunk_pool *p);
void chunk_pool_unlock(struct chunk_pool *p);
struct chunk *chunk_take(struct chunk_pool *p, u32 size);
void chunk_give(struct chunk *c);

/* contexts and ctas: totals over all SMs; global_bytes is rounded up to pages. */
void store_init(struct store *s, u32 contexts, u32 ctas, u64 global_bytes);
void store_free(struct store *s);
/* dst becomes a copy-on-write copy of src (dst is uninitialised or freed). */
void store_fork(struct store *dst, const struct store *src);
/* Content hash (xxHash3) of all values; a chunk of zeros, an absent chunk and a freed one differ not. */
u64 store_hash(const struct store *s);
/* Make room for n shadow chunks, all absent. */
void store_shadow(struct store *s, u32 n);
/* Bytes held by s and not shared with another fork. */
u64 store_private_bytes(const struct store *s);

/* A fresh zeroed chunk of `size` bytes in *slot (what was there is released); size 0 empties it. */
void store_reset(struct store *s, struct chunk **slot, u32 size);
/* Hand the chunk of one slot over to another, whose own is released. */
void store_move(struct store *s, struct chunk **to, struct chunk **from);
u8 *store_unshare(struct store *s, struct chunk **slot); /* slow path of store_write */

static inline u8 *store_write(struct store *s, struct chunk **slot)
{
	return __builtin_expect((*slot)->refs == 1, 1) ? (*slot)->data : store_unshare(s, slot);
}
u8 *store_claim(struct store *s, struct chunk **slot, u8 *own); /* slow path of store_context and store_cta */

/* The values of a context, and the shared memory of a CTA, to write; NULL: none. */
static inline u8 *store_context(struct store *s, u32 i)
{
	return __builtin_expect(s->own[i], 1) ? s->context[i]->data : store_claim(s, &s->context[i], &s->own[i]);
}
static inline u8 *store_cta(struct store *s, u32 i)
{
	u8 *own = &s->own[s->ncontexts + i];
	return __builtin_expect(*own, 1) ? s->cta[i]->data : store_claim(s, &s->cta[i], own);
}
extern const u8 store_zero_page[STORE_PAGE];

static inline const u8 *store_page_read(const struct store *s, u64 address)
{
	u64 p = (address - STORE_GLOBAL_BASE) / STORE_PAGE;
	return s->page[p] ? s->page[p]->data : store_zero_page;
}
static inline u8 *store_page_write(struct store *s, u64 address)
{
	struct chunk **slot = &s->page[(address - STORE_GLOBAL_BASE) / STORE_PAGE];
	if (!*slot)
		store_reset(s, slot, STORE_PAGE);
	return store_write(s, slot);
}
/* Copy n bytes out of or into global memory; the range must lie inside it. */
void store_read(const struct store *s, u64 address, void *out, u64 n);
void store_poke(struct store *s, u64 address, const void *in, u64 n);

#endif
