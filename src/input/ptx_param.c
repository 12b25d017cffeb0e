/*
 * ptx_param.c - .param variables of bodies: what calls pass and functions return, held in registers.
 *
 * A variable is cut into cells, a virtual register each: one of 64 bits for an 8-byte scalar, else one of 32 bits for
 * every 4 bytes. Loads and stores become moves, packs and bit fields, so passing a value costs registers and moves
 * as on a machine with a register ABI; only an address of such a variable does not exist.
 * Source: PTX ISA 8.x, section 5.1.6.3.
 */
#include "ptx_internal.h"

#define MAX_SCRATCH 4096u

/* Give v its cells. */
bool ptx_scratch(struct ptx *p, struct ptx_var *v)
{
	if (v->size > MAX_SCRATCH)
		return ptx_refuse(p, PTX_AT(v), "'%s' has %u bytes, but at most %u can be passed to a function",
				  ptx_shown_text(v->name), v->size, MAX_SCRATCH);
	v->cell_bits = v->type != VALUE_BYTES && v->size == 8 ? 64 : 32;
	v->ncell = ceil_div(v->size, v->cell_bits / 8);
	v->cell = p->entry->nvreg;
	p->entry->nvreg += v->ncell;
	return p->entry->nvreg <= PTX_MAX_VREGS ||
	       ptx_refuse(p, PTX_AT(v), "the entry declares too many registers (at most %u)", PTX_MAX_VREGS);
}

/* Cell i as an operand, placed where `at` stands. */
static struct ptx_operand cell_of(const struct ptx_var *v, u32 i, const struct ptx_operand *at)
{
	return (struct ptx_operand){.kind = PTX_REG,
				    .vreg = v->cell + i,
				    .width = v->cell_bits,
				    .line = at->line,
				    .column = at->column,
				    .s = v->name,
				    .len = (u32)strlen(v->name)};
}

static bool lower2(struct ptx_work *w, const struct ptx_stmt *st, const char *op, struct ptx_operand a,
		   struct ptx_operand b)
{
	struct ptx_operand ops[2] = {a, b};

	return ptx_lower_as(w, st, op, 2, ops);
}

/* {a, b} as an operand. */
static struct ptx_operand pair_of(struct ptx_work *w, struct ptx_operand a, struct ptx_operand b)
{
	struct ptx_operand v = {.kind = PTX_VECTOR, .n = 2, .line = a.line, .column = a.column, .s = a.s, .len = a.len};

	v.item = arena_alloc(w->arena, 2 * sizeof(*v.item));
	v.item[0] = a;
	v.item[1] = b;
	return v;
}

/* An element of 8 bytes: a cell of 64 bits or two of 32. */
static bool move_long(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_access *a, u32 at,
		      const struct ptx_operand *o)
{
	bool whole = a->var->cell_bits == 64;
	struct ptx_operand cell = cell_of(a->var, at / (whole ? 8 : 4), o);

	if (!whole && a->store && o->kind == PTX_INT)
		return lower2(w, st, "mov.b32", cell, ptx_number((u32)o->value, o)) &&
		       lower2(w, st, "mov.b32", cell_of(a->var, at / 4 + 1, o), ptx_number(o->value >> 32, o));
	if (!whole && a->store && o->kind == PTX_FLOAT) {
		struct ptx_operand t = ptx_temporary(w, 64, o);

		return lower2(w, st, "mov.f64", t, *o) && move_long(w, st, a, at, &t);
	}
	if (!whole)
		cell = pair_of(w, cell, cell_of(a->var, at / 4 + 1, o));
	return a->store ? lower2(w, st, o->kind == PTX_FLOAT ? "mov.f64" : "mov.b64", cell, *o)
			: lower2(w, st, "mov.b64", *o, cell);
}

/* The 32-bit word `at` lies in, from a cell of 64 bits. */
static bool load_half(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_access *a, u32 at,
		      const struct ptx_operand *to)
{
	struct ptx_operand sink = {.kind = PTX_NAME, .s = "_", .len = 1, .line = to->line, .column = to->column};

	return lower2(w, st, "mov.b64", at % 8 < 4 ? pair_of(w, *to, sink) : pair_of(w, sink, *to),
		      cell_of(a->var, at / 8, to));
}

/* What widens a 32-bit word to the register o, from the element's type. */
static const char *widen(const struct ptx_access *a, u32 width)
{
	bool is_signed = a->type->letter == 's';

	return width == 64 ? (is_signed ? "cvt.s64.s32" : "cvt.u64.u32") : width == 16 ? "cvt.u16.u32" : "mov.b32";
}

/* A load of at most 4 bytes. */
static bool load_short(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_access *a, u32 at,
		       const struct ptx_operand *o)
{
	struct ptx_operand from = cell_of(a->var, at / 4, o), ops[4];
	u32 bits = a->type->bits;

	if (o->kind == PTX_NAME && o->len == 1 && *o->s == '_')
		return true;
	if (o->kind != PTX_REG || o->width == 1 || o->width < bits)
		return o->kind != PTX_REG ? ptx_not_a_register(w, o)
					  : ptx_fail(w->p, PTX_AT(o), "'%s' has %u bits, but '%s' loads %u",
						     ptx_shown(o->s, o->len), o->width, st->op, bits);
	if (a->var->cell_bits == 64) {
		from = ptx_temporary(w, 32, o);
		if (!load_half(w, st, a, at, &from))
			return false;
	}
	if (bits < 32) {
		ops[0] = o->width == 32 ? *o : ptx_temporary(w, 32, o);
		ops[1] = from;
		ops[2] = ptx_number(at % 4 * 8, o);
		ops[3] = ptx_number(bits, o);
		if (!ptx_lower_as(w, st, a->type->letter == 's' ? "bfe.s32" : "bfe.u32", 4, ops))
			return false;
		from = ops[0];
	}
	return from.vreg == o->vreg || lower2(w, st, widen(a, o->width), *o, from);
}

/* The stored operand as a register of 32 bits or a number, in *out. */
static bool store_word(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_operand *o,
		       struct ptx_operand *out)
{
	*out = *o;
	if (o->kind != PTX_REG || o->width == 32 || o->width == 1)
		return true;
	*out = ptx_temporary(w, 32, o);
	return lower2(w, st, o->width == 64 ? "cvt.u32.u64" : "cvt.u32.u16", *out, *o);
}

/* A store of at most 4 bytes. */
static bool store_short(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_access *a, u32 at,
			const struct ptx_operand *o)
{
	struct ptx_operand cell = cell_of(a->var, at / 4, o), word, ops[5];
	u32 bits = a->type->bits;

	if (a->var->cell_bits == 64)
		return ptx_fail(w->p, PTX_AT(o), "'%s' stores only part of '%s', which has 8 bytes (store all of it)",
				st->op, a->var->name);
	if (!store_word(w, st, o, &word))
		return false;
	if (bits == 32)
		return lower2(w, st, o->kind == PTX_FLOAT ? "mov.f32" : "mov.b32", cell, word);
	if (word.kind == PTX_INT)
		word.value &= (1ull << bits) - 1;
	if (a->var->type != VALUE_BYTES) {
		struct ptx_operand and[3] = {cell, word, ptx_number((1u << bits) - 1, o)};

		return word.kind == PTX_INT ? lower2(w, st, "mov.b32", cell, word)
					    : ptx_lower_as(w, st, "and.b32", 3, and);
	}
	ops[0] = cell;
	ops[1] = word;
	ops[2] = cell;
	ops[3] = ptx_number(at % 4 * 8, o);
	ops[4] = ptx_number(bits, o);
	return ptx_lower_as(w, st, "bfi.b32", 5, ops);
}

/* ld.param or st.param on a .param variable of a body. */
bool ptx_lower_scratch(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_access *a)
{
	u32 bytes = a->type->bits / 8;

	if (a->offset < 0 || (u64)a->offset + (u64)bytes * a->n > a->var->size)
		return ptx_fail(w->p, PTX_AT(st), "this accesses bytes %lld to %lld of '%s', which has %u", a->offset,
				a->offset + bytes * a->n - 1, a->var->name, a->var->size);
	if (a->offset % min_u32(bytes, 4))
		return ptx_fail(w->p, PTX_AT(st), "byte %lld of '%s' is not aligned for %u bytes", a->offset,
				a->var->name, bytes);
	for (u32 i = 0; i < a->n; i++) {
		u32 at = (u32)a->offset + i * bytes;
		bool ok;

		if (bytes == 8)
			ok = move_long(w, st, a, at, &a->item[i]);
		else
			ok = a->store ? store_short(w, st, a, at, &a->item[i]) : load_short(w, st, a, at, &a->item[i]);
		if (!ok)
			return false;
	}
	return true;
}
