/*
 * snapshot.c - copies of the machine that share what is equal (snapshot.h).
 *
 * Most of a machine stands still for a while or was never used: tags of caches, rows of DRAM, contexts without a warp.
 * To compare a piece costs as much as to read it, to copy it more, and memory that is touched for the first time most
 * of all.
 */
#include "snapshot.h"

#include "machine.h"

#include <stdlib.h>
#include <string.h>

#define PIECE STORE_PAGE /* bytes: pages of global memory that are given back become pieces, and the other way */

/* Bytes of the machine in piece i: the last may be shorter. */
static u32 piece_bytes(const struct snapshot *s, u32 i)
{
	return (u32)min_u64(PIECE, s->bytes - (u64)i * PIECE);
}

/* What piece i of a copy holds. */
static const u8 *piece_data(const struct snapshot *s, u32 i)
{
	return s->piece[i] ? s->piece[i]->data : store_zero_page;
}

/* Is piece i of a copy equal to bytes of the machine? Then the new one shares it. */
static bool piece_shared(struct snapshot *s, u32 i, const struct snapshot *from, const u8 *bytes)
{
	if (!from || memcmp(piece_data(from, i), bytes, piece_bytes(s, i)) != 0)
		return false;
	s->piece[i] = from->piece[i];
	if (s->piece[i])
		s->piece[i]->refs++;
	return true;
}

u64 snapshot_take(struct snapshot *s, const struct machine *m, struct chunk_pool *pool, const struct snapshot *a,
		  const struct snapshot *b)
{
	const u8 *bytes = (const u8 *)m;
	u64 copied = 0;

	s->bytes = m->bytes;
	s->pieces = (u32)((s->bytes + PIECE - 1) / PIECE);
	s->piece = xcalloc(s->pieces, sizeof(*s->piece));
	for (u32 i = 0; i < s->pieces; i++, bytes += PIECE) {
		u32 n = piece_bytes(s, i);

		if (piece_shared(s, i, a, bytes) || piece_shared(s, i, b, bytes) ||
		    memcmp(bytes, store_zero_page, n) == 0)
			continue;
		s->piece[i] = chunk_take(pool, PIECE);
		memcpy(s->piece[i]->data, bytes, n);
		copied += n;
	}
	return copied;
}

void snapshot_put(const struct snapshot *s, struct machine *m)
{
	u8 *bytes = (u8 *)m;

	for (u32 i = 0; i < s->pieces; i++, bytes += PIECE)
		if (memcmp(bytes, piece_data(s, i), piece_bytes(s, i)) != 0)
			memcpy(bytes, piece_data(s, i), piece_bytes(s, i));
}

struct machine *snapshot_machine(const struct snapshot *s)
{
	u8 *bytes = xcalloc_large(s->bytes);

	for (u32 i = 0; i < s->pieces; i++)
		if (s->piece[i])
			memcpy(bytes + (u64)i * PIECE, s->piece[i]->data, piece_bytes(s, i));
	return (struct machine *)(void *)bytes;
}

void snapshot_free(struct snapshot *s)
{
	for (u32 i = 0; i < s->pieces; i++)
		if (s->piece[i] && !--s->piece[i]->refs)
			chunk_give(s->piece[i]);
	free(s->piece);
	*s = (struct snapshot){0};
}
