/*
 * keyframe.c - snapshots of the machine and their thinning with age (keyframe.h).
 *
 * Chunks of values and pieces of the machine are shared between keyframes. Their versions follow each other in time, so
 * what a keyframe costs is its tables and the chunks that its successor does not share; the sum over all is then exact
 * but for what the live store has written since the last one.
 */
#include "keyframe.h"

#include <stdlib.h>
#include <string.h>

#include "machine.h"

#define COPY_BYTES_PER_SECOND 2e9 /* copy-on-write of scattered chunks, allocation included */

/* Bytes of the chunks of table a that table b does not share (NULL: it shares none). */
static u64 table_bytes(struct chunk *const *a, struct chunk *const *b, u32 n)
{
	u64 bytes = 0;

	for (u32 i = 0; i < n; i++)
		if (a[i] && (!b || a[i] != b[i]))
			bytes += sizeof(struct chunk) + a[i]->size;
	return bytes;
}

/* Bytes of the chunks of store a that store b does not share. */
static u64 store_difference(const struct store *a, const struct store *b)
{
	return table_bytes(a->context, b->context, a->ncontexts) + table_bytes(a->cta, b->cta, a->nctas) +
	       table_bytes(a->page, b->page, a->npages) +
	       table_bytes(a->shadow, b->shadow, min_u32(a->nshadow, b->nshadow));
}

/* Bring the bytes of keyframe i up to date with its successor (the last one: with the live store). */
static void keyframe_charge(struct keyframes *k, u32 i, const struct sim *s)
{
	struct keyframe *f = &k->item[i], *next = i + 1 < k->count ? f + 1 : NULL;
	u64 tables =
		((u64)f->store.ncontexts + f->store.nctas + f->store.npages + f->store.nshadow + f->machine.pieces) *
		sizeof(struct chunk *);

	k->bytes -= f->bytes;
	f->bytes = tables + table_bytes(f->machine.piece, next ? next->machine.piece : NULL, f->machine.pieces) +
		   store_difference(&f->store, next ? &next->store : &s->store);
	k->bytes += f->bytes;
}

/* Give back what keyframe i holds and close the gap; the caller charges its neighbour. */
static void keyframe_drop(struct keyframes *k, u32 i)
{
	struct keyframe *f = &k->item[i];

	if (i + 1 < k->count)
		f[1].apart += f->apart;
	snapshot_free(&f->machine);
	store_free(&f->store);
	k->bytes -= f->bytes;
	k->count--;
	memmove(f, f + 1, (k->count - i) * sizeof(*f));
}

void keyframes_free(struct keyframes *k)
{
	while (k->count)
		keyframe_drop(k, k->count - 1);
	free(k->item);
	*k = (struct keyframes){0};
}

/* How little keyframe i would be missed: the gap that it would leave, by its distance from the focus. */
static double keyframe_worth(const struct keyframes *k, u32 i, u64 focus)
{
	u64 at = k->item[i].at.cycle, before = k->item[i - 1].at.cycle;
	u64 after = i + 1 < k->count ? k->item[i + 1].at.cycle : at;
	u64 distance = at < focus ? focus - at : at - focus;

	return (double)(after - before) / (double)(distance + (at - before) + 1);
}

void keyframes_thin(struct keyframes *k, const struct sim *s, u64 focus)
{
	/* the machine itself counts too, so that the budget bounds what the process holds, but for one keyframe */
	while (k->bytes + s->m->bytes > k->budget && k->count > 2) {
		u32 end = k->item[k->count - 1].at.cycle <= focus ? k->count - 1 : k->count, least = 1;
		double worth = keyframe_worth(k, 1, focus);

		for (u32 i = 2; i < end; i++) {
			double w = keyframe_worth(k, i, focus);

			if (w < worth) {
				worth = w;
				least = i;
			}
		}
		keyframe_drop(k, least);
		keyframe_charge(k, least - 1, s);
	}
}

/* Open a gap at index i. */
static struct keyframe *keyframe_insert(struct keyframes *k, u32 i)
{
	k->item = array_grow(k->item, k->count, sizeof(*k->item));
	memmove(&k->item[i + 1], &k->item[i], (k->count - i) * sizeof(*k->item));
	k->count++;
	k->item[i] = (struct keyframe){0};
	return &k->item[i];
}

/* Take in that a keyframe took `seconds`, and that `bytes` of values had to be copied since the one before it. */
static void keyframes_measure(struct keyframes *k, double seconds, u64 bytes)
{
	double cost = seconds + (double)bytes / COPY_BYTES_PER_SECOND;

	k->snapshot_seconds = seconds;
	k->cost_seconds = k->cost_seconds > 0 ? 0.75 * k->cost_seconds + 0.25 * cost : cost;
}

void keyframes_lay(struct keyframes *k, struct sim *s, const struct moment *moment)
{
	struct position now = {machine_gpu(s->m)->cycle, machine_gpu(s->m)->stage};
	double start = processor_seconds();
	u32 i = k->count;
	struct keyframe *f;
	u64 written = 0;

	while (i && position_before(now, k->item[i - 1].at))
		i--;
	if (i && position_equal(k->item[i - 1].at, now) && k->item[i - 1].inputs == moment->inputs)
		return;
	f = keyframe_insert(k, i);
	f->at = now;
	f->inputs = moment->inputs;
	f->apart = i ? moment->apart : 0;
	if (i + 1 < k->count)
		f[1].apart -= f->apart < f[1].apart ? f->apart : f[1].apart;
	store_fork(&f->store, &s->store);
	k->snapshot_bytes = snapshot_take(&f->machine, s->m, f->store.pool, i ? &f[-1].machine : NULL,
					  i + 1 < k->count ? &f[1].machine : NULL);
	keyframe_charge(k, i, s);
	if (i) {
		written = store_difference(&f[-1].store, &f->store);
		keyframe_charge(k, i - 1, s);
	}
	keyframes_measure(k, processor_seconds() - start, written);
	keyframes_thin(k, s, moment->focus);
}

void keyframes_loosen(struct keyframes *k, const struct sim *s, double most)
{
	u32 i = k->count - 1 - KEYFRAMES_DENSE;

	if (k->count < KEYFRAMES_DENSE + 2 || k->item[i].apart + k->item[i + 1].apart > most)
		return;
	keyframe_drop(k, i);
	keyframe_charge(k, i - 1, s);
}

/* Copy the settings of the host from one configuration to another. */
static void config_keep_host(struct config *to, const struct config *from)
{
	for (u32 i = 0; i < SETTING_COUNT; i++)
		if (setting_table[i].flags & FLAG_HOST)
			config_set(to, i, config_get(from, i));
}

void keyframes_restore(struct keyframes *k, u32 index, struct sim *s)
{
	const struct keyframe *f = &k->item[index];
	struct config host = s->m->config;

	snapshot_put(&f->machine, s->m);
	config_keep_host(&s->m->config, &host);
	store_free(&s->store);
	store_fork(&s->store, &f->store);
	s->bus.count = 0;
	keyframe_charge(k, k->count - 1, s);
}

u32 keyframes_before(const struct keyframes *k, struct position target)
{
	u32 i = k->count - 1;

	while (i && !position_before(k->item[i].at, target))
		i--;
	return i;
}

void keyframes_cut(struct keyframes *k, const struct sim *s, struct position at, u32 inputs)
{
	while (k->count > 1) {
		const struct keyframe *last = &k->item[k->count - 1];

		if (!position_before(at, last->at) && last->inputs <= inputs)
			break;
		keyframe_drop(k, k->count - 1);
	}
	keyframe_charge(k, k->count - 1, s);
}
