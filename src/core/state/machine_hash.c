/*
 * machine_hash.c - the state of a machine in 64 bits.
 *
 * A sum over all values that are not 0, each with the names and numbers of its place (sm[3].warp[5].pc) and not with
 * its address: where a thing lies in memory does not matter, and a new field or array that is 0 changes no hash, nor
 * does a new row of what is counted: that is no state, and has a hash of its own.
 */
#include "policy.h"
#include "sim.h"

#include <xxhash.h>

#define MAX_FIELDS 128	/* of a struct of the machine */
#define EMPTY_STRIDE 64 /* elements that are passed over at once where all are 0 */

static u64 machine_hash_name(const char *name)
{
	return XXH3_64bits(name, strlen(name));
}

/* What is only counted: arrays by the rows of a table, which a new row makes longer. */
static bool machine_hash_only_counts(u32 section, const struct field *f)
{
	static const struct {
		u32 section;
		const char *field;
	} row[] = {
		{SECTION_SM, "stat"},	 {SECTION_SM, "statuses"}, {SECTION_SM, "outcomes"},  {SECTION_SM, "events"},
		{SECTION_GPU, "events"}, {SECTION_SLICE, "stat"},  {SECTION_CHANNEL, "stat"},
	};
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (row[i].section == section && !strcmp(row[i].field, f->name))
			return true;
	return false;
}

/* A field of a section as the hash sees it. */
struct hashed_field {
	const struct field *field;
	u64 key;
	u32 width;
};

/* A value and the key of its place, each bit of both in each bit of the product. */
static inline u64 machine_hash_mixed(u64 key, u64 value)
{
	unsigned __int128 product = (unsigned __int128)(key ^ value) * (key * 0x9e3779b97f4a7c15ULL | 1);
	return (u64)product ^ (u64)(product >> 64);
}

static inline __attribute__((always_inline)) u64 machine_hash_value_at(const u8 *at, u32 width)
{
	u64 value = 0;
	memcpy(&value, at, width);
	return value;
}

/* The part of an array of n values: the sum of what those that are not 0 make of the key and of their number. */
static inline __attribute__((always_inline)) u64 machine_hash_values_sum(const u8 *at, u32 n, u32 width, u64 key)
{
	u64 sum = 0;
	for (u32 i = 0; i < n; i++) {
		u64 value = machine_hash_value_at(at + i * width, width);
		if (value)
			sum += machine_hash_mixed(key + i * 0xd1342543de82ef95ULL, value);
	}
	return sum;
}

/* A field's part, in an element whose place has this key. Most are one value, and of these most are 0. */
static inline __attribute__((always_inline)) u64 machine_hash_width_sum(const struct hashed_field *h, const u8 *at,
									u64 place, u32 width)
{
	if (h->field->count == 1 && !machine_hash_value_at(at, width))
		return 0;
	return machine_hash_values_sum(at, h->field->count, width, mix64(place ^ h->key));
}

static inline u64 machine_hash_field_sum(const struct hashed_field *h, const u8 *at, u64 place)
{
	switch (h->width) {
	case 1: return machine_hash_width_sum(h, at, place, 1);
	case 2: return machine_hash_width_sum(h, at, place, 2);
	case 4: return machine_hash_width_sum(h, at, place, 4);
	default: return machine_hash_width_sum(h, at, place, 8);
	}
}

static bool machine_hash_all_zero(const u8 *p, u64 n)
{
	return !*p && !memcmp(p, p + 1, n - 1);
}

/* The fields of a section, with their keys: those that are only counted, or the others. */
static u32 machine_hash_hashed_fields(u32 section, bool counts, struct hashed_field *out)
{
	static const u8 width[] = {[FIELD_U8] = 1, [FIELD_U16] = 2, [FIELD_U32] = 4, [FIELD_U64] = 8};
	const struct section_row *row = section_of(section);
	u32 n = 0;
	INVARIANT(row->nfields <= MAX_FIELDS);
	for (u32 i = 0; i < row->nfields; i++)
		if (machine_hash_only_counts(section, &row->field[i]) == counts)
			out[n++] = (struct hashed_field){&row->field[i], machine_hash_name(row->field[i].name),
							 width[row->field[i].type]};
	return n;
}

/* One section of a block. */
static u64 machine_hash_section_sum(const struct machine *m, bool counts, u32 section, u32 block)
{
	const struct section_row *row = section_of(section);
	const u8 *element = section_bytes(m, section, block);
	struct hashed_field field[MAX_FIELDS];
	u32 n = machine_hash_hashed_fields(section, counts, field), elements = section_elements(m, section);
	u64 sum = 0, path = machine_hash_name(row->path) + row->where;
	if (!n)
		return 0;
	for (u32 k = 0; k < elements; k++, element += row->size) {
		u32 ahead = min_u32(elements - k, EMPTY_STRIDE);
		if (k % EMPTY_STRIDE == 0 && machine_hash_all_zero(element, (u64)ahead * row->size)) {
			k += ahead - 1;
			element += (u64)(ahead - 1) * row->size;
			continue;
		}
		if (machine_hash_all_zero(element, row->size))
			continue;
		u64 key = mix64(path + ((u64)block << 32 | k));
		for (u32 i = 0; i < n; i++)
			sum += machine_hash_field_sum(&field[i], element + field[i].field->offset, key);
	}
	return sum;
}

/* Is a section part of the state? Addresses are if somebody goes by them. */
static bool machine_hash_is_state(const struct machine *m, const struct section_row *row)
{
	return row->flags & SECTION_HASHED || (row->flags & SECTION_PLACES && m->policy.in[POLICY_allocate]);
}

/* The sections of some blocks of a kind that are part of the state. */
static u64 machine_hash_blocks_sum(const struct machine *m, bool counts, u8 where, u32 blocks)
{
	u64 sum = 0;
	for (u32 i = 0; i < SECTION_ALL; i++) {
		const struct section_row *row = section_of(i);
		for (u32 k = 0; row && row->where == where && machine_hash_is_state(m, row) && k < blocks; k++)
			sum += machine_hash_section_sum(m, counts, i, k);
	}
	return sum;
}

/* All blocks: what is only counted, or the rest. */
static u64 machine_hash_sum(const struct machine *m, bool counts)
{
	const struct config *c = &m->config;
	return mix64(machine_hash_blocks_sum(m, counts, IN_GPU, 1) +
		     machine_hash_blocks_sum(m, counts, IN_SM, c->gpu_sms) +
		     machine_hash_blocks_sum(m, counts, IN_SLICE, c->l2_slices) +
		     machine_hash_blocks_sum(m, counts, IN_CHANNEL, c->dram_channels));
}

u64 machine_hash(const struct machine *m)
{
	return machine_hash_sum(m, false);
}

u64 machine_counted(const struct machine *m)
{
	return machine_hash_sum(m, true);
}
