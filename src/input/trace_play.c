/*
 * trace_play.c - what a recorded instruction does: its lanes and addresses, and which record comes next.
 *
 * A warp goes through its records in order, whatever their PCs; the mask of each is the one recorded. When they are
 * used up the warp has ended, whatever its EXITs said: there are traces in which lanes go on after an EXIT that names
 * them. A slice of a warp goes through those that name lanes of its.
 */
#include "ops.h"
#include "trace_internal.h"

/* Eight bytes at any offset. */
static u64 read_word(const u8 *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* The addresses of a record's lanes. */
static const u8 *read_addresses(const u8 *p, const struct trace_head *h, u64 *address)
{
	u64 at, n;
	i64 step = 0;

	p = trace_get(p, &at);
	if (h->flags & RECORD_STRIDE) {
		p = trace_get(p, &n);
		step = trace_unzigzag(n);
	}
	for (u32 mask = h->mask; mask; mask &= mask - 1) {
		address[__builtin_ctz(mask)] = at;
		if (h->flags & RECORD_DELTAS && mask & (mask - 1)) {
			p = trace_get(p, &n);
			step = trace_unzigzag(n);
		}
		at += (u64)step;
	}
	return p;
}

/* The first record from p on that names some of `lanes`, or the end; returns where it is. last: as for
 * trace_get_head(). */
static const u8 *find_record(const u8 *p, u32 last, u32 lanes, struct trace_head *h)
{
	for (;;) {
		const u8 *after = trace_get_head(p, last, h);

		if (h->flags == RECORD_END || lanes == ~0u || h->mask & lanes)
			return p;
		p = trace_skip_addresses(after, h);
		last = h->number;
	}
}

bool trace_start(const struct kernel *k, u32 cta, u32 warp, u32 lanes, bool most_first, struct trace_place *out)
{
	const struct trace *t = k->trace;
	u64 table = cta < t->ctas ? read_word(trace_image_at(t->image, t->index + 8ULL * cta)) : 0;
	const u8 *first, *found;
	struct trace_head h;

	*out = (struct trace_place){0};
	if (!table || warp >= t->warps)
		return false;
	out->cursor = read_word(trace_image_at(t->image, table + 8ULL * warp));
	if (!out->cursor)
		return false;
	if (most_first && t->nturned)
		out->cursor = trace_order_find(t, cta, warp) ?: out->cursor;
	first = trace_image_at(t->image, out->cursor);
	found = find_record(first, ~0u, lanes, &h);
	if (h.flags == RECORD_END)
		return false;
	out->cursor += (u64)(found - first);
	out->pc = t->inst[h.number];
	out->mask = h.mask & lanes;
	return true;
}

/* Addresses as the space wants them: elements aligned, offsets in shared and local memory. */
static void align_lanes(const struct kernel *k, const struct inst *in, const struct trace_head *h,
			struct front_result *r)
{
	const struct trace *t = k->trace;
	u32 bytes = inst_access_bytes(in);
	u64 low = 0;

	r->space = in->space;
	r->aside = 0;
	if (in->space == SPACE_GENERIC)
		r->space = h->flags & RECORD_SHARED  ? SPACE_SHARED
			   : h->flags & RECORD_LOCAL ? SPACE_LOCAL
						     : SPACE_GLOBAL;
	r->window = r->space;
	if (r->space == SPACE_SHARED && in->space == SPACE_GENERIC)
		low = t->shared_base;
	else if (r->space == SPACE_LOCAL)
		low = t->local_low;
	for (u32 mask = h->mask; mask; mask &= mask - 1) {
		u64 *a = &r->address[__builtin_ctz(mask)];

		*a = (*a - low) & ~(bytes - 1ULL);
		if (r->space == SPACE_LOCAL)
			*a = k->local_bytes ? *a % k->local_bytes : 0;
	}
}

/* The lanes that a context has, whatever they do. */
static u32 own_lanes(const struct front_env *env)
{
	u32 n = env->site ? env->site->lanes : 0;

	return n % WARP_LANES ? ((1u << n) - 1) << env->context % (WARP_LANES / n) * n : ~0u;
}

void trace_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	const struct kernel *k = env->launch->kernel;
	const struct trace *t = k->trace;
	const u8 *at = trace_image_at(t->image, env->cursor), *p;
	struct trace_head h, next;
	u32 lanes = own_lanes(env);

	p = trace_get_head(at, t->number[in - k->inst] - 1, &h);
	r->fault = FAULT_NONE;
	r->mask = h.mask & lanes;
	r->taken = r->exited = 0;
	r->barrier = in->barrier;
	r->threads = op_is_barrier(in->op) ? (u32)in->offset : 0;
	r->votes = 0;
	if (h.flags & (RECORD_STRIDE | RECORD_DELTAS)) {
		p = read_addresses(p, &h, r->address);
		align_lanes(k, in, &h, r);
	}
	p = find_record(p, h.number, lanes, &next);
	r->cursor = env->cursor + (u64)(p - at);
	r->ended = next.flags == RECORD_END;
	r->next_mask = r->ended ? 0 : next.mask & lanes;
	r->next = r->ended ? 0 : t->inst[next.number];
	if (r->ended)
		r->exited = r->mask;
	else if (in->op == OP_BRA && r->next != (u32)(in - k->inst) + 1)
		r->taken = r->mask;
}
