/*
 * coalesce.c - the addresses of one warp instruction as line accesses, and shared memory's bank conflicts.
 *
 * Deviation: a vector access to local memory by lanes at different offsets makes at most 32 line accesses, or accesses
 * of sectors (l1d.sectors).
 * A texture fetch makes at most 32, too: what it would read beyond is counted (tex.cut) and not read.
 * Lanes are merged into lines of l1d.line bytes with a mask of 32-byte sectors, in the order in which lines first
 * appear.
 */
#include "memory/lsu.h"

#include <string.h>

/* Do the lanes of a full warp touch consecutive elements? */
static bool coalesce_consecutive(const u64 *address, u32 bytes)
{
	u64 diff = 0;
	for (u32 i = 0; i < WARP_LANES; i++)
		diff |= address[i] ^ (address[0] + (u64)i * bytes);
	return diff == 0;
}

/* Line accesses of the byte range [from, from + bytes). */
static u32 coalesce_cover(const struct machine *m, u64 from, u64 bytes, u64 *line)
{
	u32 n = 0;
	u64 last = (from + bytes - 1) >> m->line_shift;
	for (u64 l = from >> m->line_shift; l <= last; l++) {
		u64 start = l << m->line_shift, lo = from > start ? from : start;
		u64 hi = min_u64(from + bytes, start + (1ULL << m->line_shift)) - 1;
		u32 a = (u32)(lo - start) / 32, b = (u32)(hi - start) / 32;
		line[n++] = l * 16 + ((2u << b) - (1u << a));
	}
	return n;
}

/* Put one access into the list, merging with its line if that is there. */
static u32 coalesce_merge(u64 *line, u32 n, u64 access)
{
	for (u32 i = n; i-- > 0;)
		if (line[i] >> 4 == access >> 4) {
			line[i] |= access & 15;
			return n;
		}
	line[n] = access;
	return n + 1;
}

/* bytes: of one lane's access, at most 16, aligned. At most MAX_TRANSACTIONS lines. */
u32 coalesce(const struct machine *m, const struct front_result *r, u32 bytes, u64 *line)
{
	if (r->mask == 0xffffffffu && coalesce_consecutive(r->address, bytes))
		return coalesce_cover(m, r->address[0], (u64)bytes * WARP_LANES, line);
	u32 n = 0;
	for (u32 mask = r->mask; mask; mask &= mask - 1) {
		u64 at = r->address[__builtin_ctz(mask)], number = at >> m->line_shift;
		u32 sector = (u32)(at - (number << m->line_shift)) / 32;
		n = coalesce_merge(line, n, number * 16 + (1u << sector));
	}
	return n;
}

u32 coalesce_sectors(u64 *line, u32 n)
{
	u64 sector[MAX_TRANSACTIONS];
	u32 k = 0;
	while (n-- > 0)
		for (u32 bit = 8; bit && k < MAX_TRANSACTIONS; bit >>= 1)
			if (line[n] & bit)
				sector[k++] = (line[n] & ~15ULL) | bit;
	/* cppcheck-suppress uninitvar */
	memcpy(line, sector, k * sizeof *line);
	return k;
}

/* Lanes below one that access its address. */
static u32 coalesce_lanes_before(const struct front_result *r, u32 lane)
{
	u32 n = 0;
	for (u32 left = r->mask & ((1u << lane) - 1); left; left &= left - 1)
		n += r->address[__builtin_ctz(left)] == r->address[lane];
	return n;
}

u32 coalesce_atomic(const struct machine *m, const struct front_result *r, u64 *line)
{
	u32 n = 0, turn[MAX_TRANSACTIONS];
	for (u32 mask = r->mask; mask; mask &= mask - 1) {
		u32 lane = (u32)__builtin_ctz(mask), before = coalesce_lanes_before(r, lane), k = 0;
		u64 number = r->address[lane] >> m->line_shift;
		u32 sector = (u32)(r->address[lane] - (number << m->line_shift)) / 32;
		while (k < n && (line[k] >> 4 != number || turn[k] != before))
			k++;
		line[k] = (k < n ? line[k] : number * 16) | 1u << sector;
		turn[k] = before;
		n = max_u32(n, k + 1);
	}
	return n;
}

void atomic_meets(const struct machine *m, const struct front_result *r, u32 n, const u64 *line, u8 *meets)
{
	memset(meets, 0, n);
	for (u32 mask = r->mask; mask; mask &= mask - 1) {
		u32 lane = (u32)__builtin_ctz(mask), before = coalesce_lanes_before(r, lane), k = 0;
		u64 number = r->address[lane] >> m->line_shift;
		u32 sector = (u32)(r->address[lane] - (number << m->line_shift)) / 32;
		while (k < n && !(line[k] >> 4 == number && line[k] >> sector & 1))
			k++;
		if (k < n && before > meets[k])
			meets[k] = (u8)before;
	}
}

/* Slices of a full warp of consecutive elements want the lines between their first and their last. */
static void coalesce_share_out(const struct machine *m, const struct front_result *r, u32 bytes, u32 lanes, u32 n,
			       const u64 *line, u8 *share)
{
	u64 from = line[0] >> 4;
	for (u32 k = 0; k < n; k++)
		share[k] = 0;
	for (u32 slice = 0; slice < WARP_LANES / lanes; slice++) {
		u64 first = r->address[slice * lanes] >> m->line_shift;
		u64 last = (r->address[(slice + 1) * lanes - 1] + bytes - 1) >> m->line_shift;
		for (; first <= last; first++)
			share[first - from] |= (u8)(1u << slice);
	}
}

u32 coalesce_shared(const struct machine *m, const struct front_result *r, u32 bytes, u32 lanes, u64 *line, u8 *share)
{
	u32 n = 0;
	if (r->mask == 0xffffffffu && coalesce_consecutive(r->address, bytes)) {
		n = coalesce_cover(m, r->address[0], (u64)bytes * WARP_LANES, line);
		coalesce_share_out(m, r, bytes, lanes, n, line, share);
		return n;
	}
	for (u32 mask = r->mask; mask; mask &= mask - 1) {
		u32 lane = (u32)__builtin_ctz(mask), k;
		u64 at = r->address[lane], number = at >> m->line_shift;
		u32 sector = (u32)(at - (number << m->line_shift)) / 32;
		for (k = n; k > 0 && line[k - 1] >> 4 != number;)
			k--;
		if (!k) {
			line[n] = number * 16;
			share[n] = 0;
			k = ++n;
		}
		line[k - 1] |= 1u << sector;
		share[k - 1] |= (u8)(1u << lane / lanes);
	}
	return n;
}

u32 coalesce_texels(const struct machine *m, const struct texel_reads *reads, u64 *line, u32 *cut)
{
	u64 all[MAX_TRANSACTIONS + 1] = {0};
	u32 n = 0;
	*cut = 0;
	for (u32 k = 0; k < reads->n; k++)
		for (u32 mask = reads->mask[k]; mask; mask &= mask - 1) {
			u64 at = reads->address[k][__builtin_ctz(mask)], number = at >> m->line_shift;
			n = coalesce_merge(all, n, number * 16 + (1u << (at - (number << m->line_shift)) / 32));
			*cut += n > MAX_TRANSACTIONS;
			n = min_u32(n, MAX_TRANSACTIONS);
		}
	memcpy(line, all, n * sizeof *line);
	return n;
}

/* Words of 4 bytes lie lane after lane, so that lanes that use the same offset share lines. */
u32 coalesce_local(const struct machine *m, const struct front_result *r, u32 bytes, u64 base, u64 *line)
{
	struct front_result word = {.mask = r->mask};
	u64 some[MAX_TRANSACTIONS];
	u32 n = 0;
	for (u32 at = 0; at < bytes; at += 4) {
		for (u32 l = 0; l < WARP_LANES; l++) {
			u64 byte = r->address[l] + at;
			word.address[l] = base + byte / 4 * 4 * WARP_LANES + l * 4 + byte % 4;
		}
		u32 k = coalesce(m, &word, min_u32(bytes, 4), some);
		for (u32 i = 0; i < k; i++)
			n = n < MAX_TRANSACTIONS ? coalesce_merge(line, n, some[i]) : n;
	}
	return n;
}

/* Cycles that the banks take for some words: the most distinct words of one bank, shared.conflict for each but the
 * first. On an A100 two (loads of 1, 2, 4, 8 ways take 23, 25, 29, 37 cycles: Sun et al. 2022, arXiv 2206.02874, table
 * 10). */
static u32 coalesce_conflict_degree(const struct config *c, const u32 *word, u32 n)
{
	u32 count[MOST_shared_banks] = {0}, worst = 0, banks = c->shared_banks;
	for (u32 i = 0; i < n; i++) {
		u32 j = 0;
		while (j < i && word[j] != word[i])
			j++;
		if (j == i && ++count[word[i] % banks] > worst)
			worst = count[word[i] % banks];
	}
	return worst ? 1 + (worst - 1) * c->shared_conflict : 0;
}

/* Words of the lanes [first, last) in shared memory. */
static u32 coalesce_group_words(const struct front_result *r, u32 first, u32 last, u32 words, u32 *word)
{
	u32 n = 0;
	for (u32 i = first; i < last; i++) {
		if (!(r->mask >> i & 1))
			continue;
		for (u32 k = 0; k < words; k++)
			word[n++] = (u32)r->address[i] / 4 + k;
	}
	return n;
}

/* Do all lanes stay within one row of the banks, so that no bank is asked for two words? `words` of each lane. */
static bool coalesce_one_row(const struct front_result *r, u32 first, u32 last, u32 words, u32 banks)
{
	u32 any = (u32)r->address[__builtin_ctz(r->mask)], low = ~0u, high = 0;
	for (u32 i = first; i < last; i++) {
		u32 at = r->mask >> i & 1 ? (u32)r->address[i] : any;
		low = at < low ? at : low;
		high = at > high ? at : high;
	}
	return high / 4 + words - 1 - low / 4 < banks;
}

/* The same of some lanes, a word or less each. */
static bool coalesce_some_row(const struct front_result *r, u32 banks)
{
	u32 low = ~0u, high = 0;
	for (u32 mask = r->mask; mask; mask &= mask - 1) {
		u32 at = (u32)r->address[__builtin_ctz(mask)];
		low = at < low ? at : low;
		high = at > high ? at : high;
	}
	return high / 4 - low / 4 < banks;
}

/* The same of all 32 lanes, a word or less each: the commonest case, without a question for each lane. */
static inline bool coalesce_full_row(const struct front_result *r, u32 banks)
{
	u32 low = r->span.known ? r->span.low : ~0u, high = r->span.known ? r->span.high : 0;
	for (u32 i = 0; !r->span.known && i < WARP_LANES; i++) {
		u32 at = (u32)r->address[i];
		low = at < low ? at : low;
		high = at > high ? at : high;
	}
	return high / 4 - low / 4 < banks;
}

/* Cycles that shared memory takes: lanes in groups of 32 (4-byte and less), 16 (8-byte) or 8 (16-byte accesses); or,
 * with shared.first_word, of 32 whose first words count. */
u32 shared_degree(const struct machine *m, const struct front_result *r, u32 bytes)
{
	u32 words = m->config.shared_first_word ? 1 : max_u32(1, bytes / 4), lanes = WARP_LANES / words, total = 0;
	u32 banks = m->config.shared_banks;
	u32 word[WARP_LANES];
	if (words == 1 && r->mask == ~0u && coalesce_full_row(r, banks))
		return 1;
	if (words == 1 && r->mask && r->mask != ~0u && coalesce_some_row(r, banks))
		return 1;
	for (u32 first = 0; first < WARP_LANES; first += lanes)
		if (__builtin_expect(m->config.ideal_shared, 0))
			total += r->mask && (r->mask >> first & (u32)((1ULL << lanes) - 1));
		else if (r->mask == ~0u && coalesce_one_row(r, first, first + lanes, words, banks))
			total++;
		else
			total += coalesce_conflict_degree(&m->config, word,
							  coalesce_group_words(r, first, first + lanes, words, word));
	return min_u32(total, 255);
}

u32 shared_turns(const struct config *c, const struct inst *in, const struct front_result *r)
{
	u32 most = 0;
	if (in->counted && c->shared_count_ones)
		return 0;
	for (u32 mask = r->mask; mask; mask &= mask - 1)
		most = max_u32(most, coalesce_lanes_before(r, (u32)__builtin_ctz(mask)));
	return most * c->shared_atomic;
}
