/*
 * ptx_live.c - live ranges of virtual registers, from liveness over the blocks.
 *
 * Lanes of a warp take different paths, but each keeps its values in its own lane of a register, so what one thread
 * needs is what counts. A range is everything from the first to the last place at which the register is live; holes
 * are not used. A register read before it was ever written is live from the start, so that it reads as zero.
 */
#include "front.h"
#include "ptx_internal.h"

#define MAX_SET_WORDS (1u << 23) /* words of one family of sets: blocks x registers / 64 */

u32 ptx_uses(const struct ptx_code *c, u16 out[1 + MAX_SRC + MAX_DST])
{
	const struct inst *in = &c->in;
	u32 n = 0;

	if (in->guard.kind != OPERAND_NONE)
		out[n++] = in->guard.value;
	for (u32 i = 0; i < in->nsrc; i++)
		if (in->src[i].kind == OPERAND_REG || in->src[i].kind == OPERAND_PRED)
			out[n++] = in->src[i].value;
	for (u32 i = 0; i < in->ndst && in->guard.kind != OPERAND_NONE; i++)
		if (in->dst[i].kind != OPERAND_NONE && !(c->fresh >> i & 1))
			out[n++] = in->dst[i].value;
	if (c->slot && (in->op == OP_LD || in->guard.kind != OPERAND_NONE))
		out[n++] = c->slot - 1;
	return n;
}

u32 ptx_defines(const struct ptx_code *c, u16 out[MAX_DST])
{
	u32 n = 0;

	for (u32 i = 0; i < c->in.ndst; i++)
		if (c->in.dst[i].kind != OPERAND_NONE)
			out[n++] = c->in.dst[i].value;
	if (c->slot && c->in.op == OP_ST)
		out[n++] = c->slot - 1;
	return n;
}

static void set_bit(u64 *set, u32 i)
{
	set[i / 64] |= 1ull << i % 64;
}
static bool has_bit(const u64 *set, u32 i)
{
	return set[i / 64] >> i % 64 & 1;
}

/* Per block: registers read before written (use), written (def), live at its start and at its end. */
struct live_sets {
	u64 *use, *def, *in, *out;
	u32 words;
};

/* use and def of every block. */
static void local_sets(struct ptx_work *w, struct live_sets *s)
{
	u16 used[1 + MAX_SRC + MAX_DST], defined[MAX_DST];

	for (u32 i = 0; i < w->ncode; i++) {
		const struct ptx_code *c = &w->code[i];
		size_t at = (size_t)w->block_of[i] * s->words;
		u32 n = ptx_uses(c, used);

		for (u32 k = 0; k < n; k++)
			if (!has_bit(s->def + at, used[k]))
				set_bit(s->use + at, used[k]);
		for (u32 k = ptx_defines(c, defined); k-- > 0;)
			set_bit(s->def + at, defined[k]);
	}
}

/* One backward step over block b; true if the set at its start grew. */
static bool flow_block(struct ptx_work *w, struct live_sets *s, u32 b)
{
	size_t at = (size_t)b * s->words;
	const struct ptx_block *x = &w->block[b];
	bool grew = false;

	for (u32 k = 0; k < x->nsucc; k++)
		for (u32 i = 0; x->succ[k] < w->nblock && i < s->words; i++)
			s->out[at + i] |= s->in[(size_t)x->succ[k] * s->words + i];
	for (u32 i = 0; i < s->words; i++) {
		u64 in = s->use[at + i] | (s->out[at + i] & ~s->def[at + i]);

		grew |= in != s->in[at + i];
		s->in[at + i] = in;
	}
	return grew;
}

static void extend(struct ptx_range *r, u32 position)
{
	r->start = min_u32(r->start, position);
	r->end = max_u32(r->end, position);
}

/* Extend every register of a set to a position. */
static void extend_set(struct ptx_work *w, const u64 *set, u32 words, u32 position)
{
	for (u32 i = 0; i < words; i++)
		for (u64 m = set[i]; m; m &= m - 1)
			extend(&w->range[i * 64 + (u32)__builtin_ctzll(m)], position);
}

/* Ranges from the sets and the reads and writes of every instruction. */
static void make_ranges(struct ptx_work *w, const struct live_sets *s)
{
	u16 used[1 + MAX_SRC + MAX_DST], defined[MAX_DST];

	for (u32 i = 0; i < w->nreg; i++)
		w->range[i] = (struct ptx_range){PTX_NONE, 0};
	for (u32 b = 0; b < w->nblock; b++) {
		extend_set(w, s->in + (size_t)b * s->words, s->words, 2 * w->block[b].first);
		extend_set(w, s->out + (size_t)b * s->words, s->words, 2 * w->block[b].last - 1);
	}
	for (u32 i = 0; i < w->ncode; i++) {
		u32 n = ptx_uses(&w->code[i], used);

		for (u32 k = 0; k < n; k++)
			extend(&w->range[used[k]], 2 * i);
		for (u32 k = ptx_defines(&w->code[i], defined); k-- > 0;)
			extend(&w->range[defined[k]], 2 * i + 1);
	}
}

/* An atomic whose result nobody reads might have been written as a reduction, if there is such a one. */
static bool is_reduction(const struct ptx_code *c)
{
	return c->in.op == OP_ATOM && c->in.aux != ATOM_EXCH && c->in.aux != ATOM_CAS;
}

void ptx_unread_atomics(struct ptx_work *w)
{
	u16 used[1 + MAX_SRC + MAX_DST];
	u8 *read = arena_alloc(w->arena, w->nreg + 1);

	for (u32 i = 0; i < w->ncode; i++) {
		struct ptx_code plain = w->code[i];

		plain.in.ndst =
			is_reduction(&plain) ? 0 : plain.in.ndst; /* what a guard leaves of an old result is none */
		for (u32 k = ptx_uses(&plain, used); k-- > 0;)
			read[used[k]] = 1;
	}
	for (u32 i = 0; i < w->ncode; i++) {
		struct ptx_code *c = &w->code[i];

		if (!is_reduction(c) || (c->in.ndst && read[c->in.dst[0].value]))
			continue;
		c->unread = 1;
		c->in.counted = c->in.aux == ATOM_ADD && (c->in.vec == VALUE_U32 || c->in.vec == VALUE_S32) &&
				c->in.src[1].kind == OPERAND_IMM && w->imm[c->in.src[1].value] == 1;
	}
}

/* Fill w->range for every dense register. */
bool ptx_live_ranges(struct ptx_work *w)
{
	struct live_sets s = {.words = w->nreg / 64 + 1};
	const u32 *order = ptx_block_order(w);
	u64 visits = 0;
	size_t bytes = (size_t)w->nblock * s.words * sizeof(u64);
	bool changed = true;

	if ((u64)w->nblock * s.words > MAX_SET_WORDS)
		return ptx_refuse(w->p, PTX_AT(w->entry), "'%s' is too large: %u blocks and %u registers",
				  ptx_shown_text(w->entry->name), w->nblock, w->nreg);
	s.use = arena_alloc(w->arena, bytes);
	s.def = arena_alloc(w->arena, bytes);
	s.in = arena_alloc(w->arena, bytes);
	s.out = arena_alloc(w->arena, bytes);
	w->range = arena_alloc(w->arena, (w->nreg + 1) * sizeof(*w->range));
	local_sets(w, &s);
	while (changed) {
		if (!ptx_visit(w, &visits, (u64)w->nblock * s.words))
			return false;
		changed = false;
		for (u32 i = 0; i < w->nblock; i++)
			changed |= flow_block(w, &s, order[i]);
	}
	make_ranges(w, &s);
	return true;
}
