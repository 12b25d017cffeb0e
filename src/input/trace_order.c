/*
 * trace_order.c - the records of a warp in the order in which its paths execute on hardware (warp.first most).
 *
 * Where lanes part, a GPU runs the path of more lanes first (Shoushtary et al., arXiv 2407.02944, section VII-C). In a
 * recording, which is the run of an instrumented kernel, the other comes first: of 3,026 splits into paths of unequal
 * size in the recordings of an H200, 2,999 begin with the smaller one. stencil5 takes 1.4 times as long in that order:
 * few lanes wait for lines that they would find in the L1D behind the others.
 *
 * Behind a branch that parts lanes come the records of one path, up to where others take part, then those of the other
 * path. If the first path has fewer lanes the two change places. Each lane keeps its order.
 */
#include "ops.h"
#include "trace_body.h"

#define LONGEST 16 /* bytes of an instruction, at most */

/* A record: its head, and its addresses. */
struct kept {
	u32 number, mask;
	const u8 *addresses;
	u32 bytes;
	u8 flags; /* of enum trace_flag those of the addresses */
};

/* The records of a warp, and room for as many. */
struct order {
	struct kept *record, *spare;
	u32 n, cap;
};

/* The records from p on, which end behind their last. */
static void read_records(struct order *o, const u8 *p, const u8 *end)
{
	struct trace_head h = {.number = ~0u};

	for (const u8 *next; p < end; p = next) {
		const u8 *addresses = trace_get_head(p, h.number, &h);

		next = trace_skip_addresses(addresses, &h);
		if (o->n == o->cap) {
			o->cap = max_u32(2 * o->cap, 1024);
			o->record = xrealloc(o->record, o->cap * sizeof(*o->record));
		}
		o->record[o->n++] = (struct kept){.number = h.number,
						  .mask = h.mask,
						  .addresses = addresses,
						  .bytes = (u32)(next - addresses),
						  .flags = h.flags & (u8) ~(RECORD_NEXT | RECORD_FULL)};
	}
	o->spare = xmalloc(o->n * sizeof(*o->spare));
}

/* The lanes that came to record i: those of the records that stand right before it in the program. */
static u32 lanes_there(const struct trace_body *b, const struct order *o, u32 i)
{
	const struct kept *r = o->record;
	u32 lanes = r[i].mask;

	for (; i; i--) {
		u32 step = b->known[r[i].number].pc - b->known[r[i - 1].number].pc;

		if (!step || step > LONGEST || (r[i - 1].mask && !(r[i - 1].mask & lanes)))
			break;
		lanes |= r[i - 1].mask;
	}
	return lanes;
}

/* How many records from i on are those of some lanes. A record without lanes belongs to the path that it stands in. */
static u32 length_of_path(const struct order *o, u32 i, u32 lanes)
{
	u32 first = i;

	while (i < o->n && !(o->record[i].mask & ~lanes) && (o->record[i].mask || i > first))
		i++;
	return i - first;
}

/* Behind the branch before record i: two paths change places if the first has fewer lanes. */
static bool turn(const struct trace_body *b, struct order *o, u32 i)
{
	struct kept *r = &o->record[i];
	u32 taken = r[-1].mask, fall = lanes_there(b, o, i - 1) & ~taken;
	u32 first = r->mask & ~taken ? fall : taken, second = taken ^ fall ^ first, n, m;

	if (!taken || !fall || __builtin_popcount(first) >= __builtin_popcount(second))
		return false;
	n = length_of_path(o, i, first);
	m = length_of_path(o, i + n, second);
	if (!m)
		return false;
	memcpy(o->spare, r, n * sizeof(*r));
	memmove(r, r + n, m * sizeof(*r));
	memcpy(r + m, o->spare, n * sizeof(*r));
	return true;
}

/* Write the records as they stand now. */
static enum status write_records(struct trace_body *b, const struct order *o, u32 warp)
{
	struct trace *t = b->trace;
	struct trace_image *image = trace_image_aside(t->image, b->e);
	const u8 end = RECORD_END;
	bool good = true;
	u32 previous = ~0u;

	if (!image)
		return b->e->status;
	t->turned = xrealloc(t->turned, (t->nturned + 1) * sizeof(*t->turned));
	t->turned[t->nturned++] =
		(struct trace_turned){.warp = (u64)b->cta * t->warps + warp, .at = trace_image_end(image)};
	for (u32 i = 0; i < o->n && good; i++) {
		const struct kept *k = &o->record[i];
		u8 head[RECORD_HEAD], *out = trace_put_head(head, k->number, previous, k->mask);

		head[0] |= k->flags;
		good = trace_image_add(image, head, (size_t)(out - head)) &&
		       trace_image_add(image, k->addresses, k->bytes);
		previous = k->number;
	}
	return good && trace_image_add(image, &end, 1) ? STATUS_OK : trace_image_full(b->e);
}

enum status trace_order_warp(struct trace_body *b, u32 warp)
{
	struct trace_image *image = b->trace->image;
	size_t n = trace_image_end(image) - b->warp[warp];
	struct order o = {0};
	bool turned = false;
	enum status st = STATUS_OK;
	u8 *bytes;

	if (!b->parts)
		return STATUS_OK;
	bytes = xmalloc(n);
	if (trace_image_read(image, b->warp[warp], bytes, n))
		read_records(&o, bytes, bytes + n);
	else
		st = trace_image_full(b->e);
	for (u32 i = 1; i < o.n; i++)
		if (b->k->inst[o.record[i - 1].number].op == OP_BRA)
			turned |= turn(b, &o, i);
	if (turned)
		st = write_records(b, &o, warp);
	free(bytes);
	free(o.record);
	free(o.spare);
	return st;
}

static int by_warp(const void *a, const void *b)
{
	const struct trace_turned *x = a, *y = b;

	return ORDER_BY({x->warp, y->warp});
}

void trace_order_finish(struct trace *t)
{
	if (t->nturned)
		qsort(t->turned, t->nturned, sizeof(*t->turned), by_warp);
}

u64 trace_order_find(const struct trace *t, u32 cta, u32 warp)
{
	struct trace_turned key = {.warp = (u64)cta * t->warps + warp};
	const struct trace_turned *found =
		t->nturned ? bsearch(&key, t->turned, t->nturned, sizeof(*t->turned), by_warp) : NULL;

	return found ? trace_image_end(t->image) + found->at : 0;
}
