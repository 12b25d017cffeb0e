/*
 * store.c - chunks of values with reference counts and copy-on-write (store.h).
 *
 * A fork copies three tables of pointers and adds one to each count; the first write to a shared chunk copies
 * that chunk alone. The hash adds up one hash per chunk, keyed by where the chunk stands, so that chunks of
 * zeros, which are left out, cannot be told from absent ones.
 */
#include "store.h"

#include <xxhash.h>

const u8 store_zero_page[STORE_PAGE] __attribute__((aligned(64)));

/* A chunk of size bytes with one reference; its contents are not set. */
static struct chunk *chunk_new(struct store *s, u32 size)
{
	struct chunk *c = chunk_take(s->pool, size);

	INVARIANT(c);
	s->owned += size;
	return c;
}

/* Drop one reference. */
static void chunk_release(struct chunk *c)
{
	if (c && !--c->refs)
		chunk_give(c);
}

/* Drop every reference of a table and the table. */
static void table_free(struct chunk **table, u32 n)
{
	for (u32 i = 0; i < n; i++)
		chunk_release(table[i]);
	free(table);
}

/* A copy of a table that shares its chunks. */
static struct chunk **table_share(struct chunk **table, u32 n)
{
	struct chunk **copy = xmalloc(n * sizeof(*copy));

	for (u32 i = 0; i < n; i++) {
		copy[i] = table[i];
		if (copy[i])
			copy[i]->refs++;
	}
	return copy;
}

void store_init(struct store *s, u32 contexts, u32 ctas, u64 global_bytes)
{
	u64 pages = (global_bytes + STORE_PAGE - 1) / STORE_PAGE;

	INVARIANT(pages <= UINT32_MAX);
	*s = (struct store){.ncontexts = contexts, .nctas = ctas, .npages = (u32)pages};
	s->context = xcalloc(contexts, sizeof(*s->context));
	s->cta = xcalloc(ctas, sizeof(*s->cta));
	s->page = xcalloc(pages, sizeof(*s->page));
	s->own = xcalloc((size_t)contexts + ctas + 1, 1);
	s->pool = chunk_pool_new();
}

void store_free(struct store *s)
{
	if (s->context)
		table_free(s->context, s->ncontexts);
	if (s->cta)
		table_free(s->cta, s->nctas);
	if (s->page)
		table_free(s->page, s->npages);
	if (s->shadow)
		table_free(s->shadow, s->nshadow);
	free(s->own);
	chunk_pool_drop(s->pool);
	*s = (struct store){0};
}

void store_fork(struct store *dst, const struct store *src)
{
	*dst = (struct store){.ncontexts = src->ncontexts, .nctas = src->nctas, .npages = src->npages};
	dst->context = table_share(src->context, src->ncontexts);
	dst->cta = table_share(src->cta, src->nctas);
	dst->page = table_share(src->page, src->npages);
	dst->pool = chunk_pool_share(src->pool);
	dst->own = xcalloc((size_t)src->ncontexts + src->nctas + 1, 1);
	memset(src->own, 0, (size_t)src->ncontexts + src->nctas);
	dst->nshadow = src->nshadow;
	dst->shadow = src->nshadow ? table_share(src->shadow, src->nshadow) : NULL;
}

void store_shadow(struct store *s, u32 n)
{
	if (s->shadow)
		table_free(s->shadow, s->nshadow);
	s->nshadow = n;
	s->shadow = xcalloc(n, sizeof(*s->shadow));
}

/* What stands in a slot is not known to be its own any more. */
static void disown(struct store *s, struct chunk **slot)
{
	if (slot >= s->context && slot < s->context + s->ncontexts)
		s->own[slot - s->context] = 0;
	else if (slot >= s->cta && slot < s->cta + s->nctas)
		s->own[s->ncontexts + (slot - s->cta)] = 0;
}

void store_reset(struct store *s, struct chunk **slot, u32 size)
{
	struct chunk *c = *slot;

	disown(s, slot);

	if (!c || c->refs > 1 || c->size != size) {
		chunk_release(c);
		c = *slot = size ? chunk_new(s, size) : NULL;
	}
	if (c)
		memset(c->data, 0, size);
}

void store_move(struct store *s, struct chunk **to, struct chunk **from)
{
	disown(s, to);
	disown(s, from);
	chunk_release(*to);
	*to = *from;
	*from = NULL;
}

u8 *store_unshare(struct store *s, struct chunk **slot)
{
	struct chunk *old = *slot, *c = chunk_new(s, old->size);

	memcpy(c->data, old->data, old->size);
	chunk_release(old);
	*slot = c;
	return c->data;
}

u8 *store_claim(struct store *s, struct chunk **slot, u8 *own)
{
	u8 *values;

	chunk_pool_lock(s->pool); /* SMs may be visited by several threads */
	values = *slot ? store_write(s, slot) : NULL;
	chunk_pool_unlock(s->pool);
	*own = values != NULL;
	return values;
}

/* Whether n bytes are all zero. */
static bool is_zero(const u8 *p, u32 n)
{
	return !n || (!p[0] && !memcmp(p, p + 1, n - 1));
}

/* The sum of the hashes of a table's chunks that hold anything but zeros. */
static u64 table_hash(struct chunk *const *table, u32 n, u64 key)
{
	u64 sum = 0;

	for (u32 i = 0; i < n; i++) {
		const struct chunk *c = table[i];

		if (c && !is_zero(c->data, c->size))
			sum += XXH3_64bits_withSeed(c->data, c->size, mix64(key + i));
	}
	return sum;
}

u64 store_hash(const struct store *s)
{
	u64 sum = table_hash(s->context, s->ncontexts, 1ULL << 56);

	sum += table_hash(s->cta, s->nctas, 2ULL << 56);
	sum += table_hash(s->page, s->npages, 3ULL << 56);
	return mix64(sum);
}

/* Bytes of the chunks that only this table refers to. */
static u64 table_private(struct chunk *const *table, u32 n)
{
	u64 bytes = 0;

	for (u32 i = 0; i < n; i++)
		if (table[i] && table[i]->refs == 1)
			bytes += sizeof(struct chunk) + table[i]->size;
	return bytes;
}

u64 store_private_bytes(const struct store *s)
{
	u64 tables = ((u64)s->ncontexts + s->nctas + s->npages) * sizeof(struct chunk *);

	return tables + table_private(s->context, s->ncontexts) + table_private(s->cta, s->nctas) +
	       table_private(s->page, s->npages);
}

/* Bytes from address to the end of its page, at most n. */
static u64 within_page(const struct store *s, u64 address, u64 n)
{
	u64 offset = address - STORE_GLOBAL_BASE;

	INVARIANT(address >= STORE_GLOBAL_BASE && offset + n <= (u64)s->npages * STORE_PAGE);
	return min_u64(n, STORE_PAGE - offset % STORE_PAGE);
}

void store_read(const struct store *s, u64 address, void *out, u64 n)
{
	u8 *to = out;
	u64 part;

	for (; n; n -= part, address += part, to += part) {
		part = within_page(s, address, n);
		memcpy(to, store_page_read(s, address) + address % STORE_PAGE, part);
	}
}

void store_poke(struct store *s, u64 address, const void *in, u64 n)
{
	const u8 *from = in;
	u64 part;

	for (; n; n -= part, address += part, from += part) {
		part = within_page(s, address, n);
		memcpy(store_page_write(s, address) + address % STORE_PAGE, from, part);
	}
}
