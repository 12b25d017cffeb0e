/*
 * bus.c - the bus's own memory: records of one cycle, appended, then ordered by SM.
 *
 * The only place where recording allocates, on the host's side.
 */
#include "bus.h"

void bus_init(struct bus *b)
{
	memset(b, 0, sizeof *b);
}

void bus_free(struct bus *b)
{
	free(b->record);
	free(b->scratch);
	memset(b, 0, sizeof *b);
}

void bus_push(struct bus *b, const struct record *r)
{
	if (b->count == b->capacity) {
		b->capacity = b->capacity ? 2 * b->capacity : 1024;
		b->record = xrealloc(b->record, b->capacity * sizeof *b->record);
		b->scratch = xrealloc(b->scratch, b->capacity * sizeof *b->scratch);
	}
	b->record[b->count++] = *r;
}

/* The GPU's own records come first, then those of SM 0, 1, ... */
static u32 bus_place_of(const struct record *r)
{
	return (u16)(r->sm + 1) % 257u;
}

static bool bus_in_order(const struct bus *b)
{
	for (u32 i = 1; i < b->count; i++)
		if (bus_place_of(&b->record[i - 1]) > bus_place_of(&b->record[i]))
			return false;
	return true;
}

/* A counting sort, stable. */
static void bus_sort_records(struct bus *b)
{
	u32 first[258] = {0};
	for (u32 i = 0; i < b->count; i++)
		first[bus_place_of(&b->record[i]) + 1]++;
	for (u32 i = 1; i < ARRAY_LEN(first); i++)
		first[i] += first[i - 1];
	for (u32 i = 0; i < b->count; i++)
		b->scratch[first[bus_place_of(&b->record[i])]++] = b->record[i];
	memcpy(b->record, b->scratch, b->count * sizeof *b->record);
}

void bus_seal(struct bus *b)
{
	if (!bus_in_order(b))
		bus_sort_records(b);
}
