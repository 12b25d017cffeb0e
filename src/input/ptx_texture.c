/*
 * ptx_texture.c - tex, tld4, txq, suld, sust and suq to instructions.
 *
 * Objects are handles in registers of 64 bits: [a, {coordinates}]. A fetch is one instruction. A surface access is two:
 * SUADDR finds where it goes, and a load or store of global memory follows, as Kepler's compilers had it; with .zero a
 * predicate says which lanes take part in that. Deviations: .level, .grad and .base fetch from the only level there is;
 * cache operators of surfaces are hints. Source: PTX ISA 8.x, sections 9.7.10 and 9.7.11.
 */
#include "ptx_internal.h"
#include "texture.h"

/* *s goes behind one of the words; which, n if it is none. */
static u32 take_of(const char **s, const char *const *words, u32 n)
{
	u32 i = 0;

	while (i < n && !ptx_take(s, words[i]))
		i++;
	return i;
}

/* The shape that comes next, TEXTURE_SHAPES if none does. */
static u32 take_shape(const char **s)
{
	u32 i = 0;

	while (i < TEXTURE_SHAPES && !ptx_take(s, texture_shape_row[i].ptx))
		i++;
	return i;
}

/* Fail: this form is none that is taken apart. */
static bool refuse(struct ptx_work *w, const struct ptx_stmt *st, const char *forms)
{
	return ptx_refuse(w->p, PTX_AT(st), "'%s' is not supported: %s", ptx_shown_text(st->op), forms);
}

#define TEX_FORMS \
	"supported fetches: tex, tex.base, tex.level or tex.grad, of .1d, .2d, .3d, .a1d, .a2d or .cube, with " \
	".v4.f32, .v4.s32 or .v4.u32 and coordinates in .s32 or .f32, as in tex.2d.v4.f32.f32"
#define TLD4_FORMS "supported gathers: tld4.r, .g, .b or .a, of .2d or .a2d, as in tld4.r.2d.v4.f32.f32"
#define QUERY_FORMS \
	"supported queries: .width, .height, .depth, .array_size, .num_mipmap_levels and .num_samples, in .b32"
#define SURFACE_FORMS \
	"supported accesses: suld.b and sust.b of .1d, .2d, .3d, .a1d or .a2d, with .v2 or .v4, .b8 to .b64, and .trap, " \
	".clamp or .zero, as in suld.b.2d.b32.trap"

/* [a{, coordinates}]: an object, and `least` to `most` coordinates. */
static bool is_object(struct ptx_work *w, const struct ptx_operand *o, u32 least, u32 most)
{
	const struct ptx_operand *c = o->kind == PTX_ADDRESS && o->n == 2 ? &o->item[1] : NULL;
	u32 n = !c ? 0 : c->kind == PTX_VECTOR ? c->n : 1;

	if (o->kind != PTX_ADDRESS || o->addend)
		return ptx_fail(w->p, PTX_AT(o), "'%s' takes %s here, found '%s'", ptx_shown_text(w->st->op),
				most ? "[handle, {coordinates}]" : "[handle]", ptx_shown(o->s, o->len));
	if (n < least || n > most)
		return ptx_fail(w->p, PTX_AT(o), "'%s' takes %u coordinate%s, the layer included, found '%s'",
				ptx_shown_text(w->st->op), least, least == 1 ? "" : "s", ptx_shown(o->s, o->len));
	if (o->item->kind != PTX_REG) /* NOLINT(clang-analyzer-core.*): an address has one */
		return ptx_refuse(
			w->p, PTX_AT(o->item),
			"'%s' is not supported: texture references are not modeled (use a texture object, whose handle is in a register)",
			ptx_shown(o->item->s, o->item->len));
	return true;
}

/* Coordinates of a shape; a third is followed by one that means nothing. */
static bool has_coordinates(struct ptx_work *w, const struct ptx_operand *o, u32 shape)
{
	u32 n = (u32)texture_shape_row[shape].coordinates + texture_shape_row[shape].layered;

	return is_object(w, o, n, n == 3 ? 4 : n);
}

/* The sources that say where: handle, layer, coordinates of a type. */
static bool place_sources(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o, u32 shape, char type)
{
	const struct texture_shape_row *row = &texture_shape_row[shape];
	const struct ptx_operand *at = &o->item[1];

	if (!ptx_source(w, c, o->item, 64, 'b'))
		return false;
	for (u32 i = 0; i < (u32)row->coordinates + row->layered; i++)
		if (!ptx_source(w, c, at->kind == PTX_VECTOR ? &at->item[i] : at, 32, i < row->layered ? 'u' : type))
			return false;
	return true;
}

/* Four destinations in braces. */
static bool four_results(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o)
{
	if (o->kind != PTX_VECTOR || o->n != 4)
		return ptx_fail(w->p, PTX_AT(o), "'%s' needs a vector of 4 registers in braces, found '%s'",
				ptx_shown_text(w->st->op), ptx_shown(o->s, o->len));
	for (u32 i = 0; i < 4; i++)
		if (!ptx_destination(w, c, &o->item[i], 32, 32))
			return false;
	return true;
}

/* A fetch whose opcode has been taken apart. */
static bool emit_fetch(struct ptx_work *w, const struct ptx_stmt *st, u16 op, u32 shape, u32 aux, char type)
{
	struct ptx_code *c;

	if (!has_coordinates(w, &st->ops[1], shape))
		return false;
	c = ptx_emit(w, st, op, ptx_op_class[op]);
	c->in.space = SPACE_GENERIC;
	c->in.width = 4;
	c->in.vec = 1;
	c->in.aux = (u8)(shape << 2 | aux);
	return four_results(w, c, &st->ops[0]) && place_sources(w, c, &st->ops[1], shape, type);
}

static const char *const result_words[] = {".v4.f32", ".v4.u32", ".v4.s32"};

/* tex{.base, .level, .grad}.SHAPE.v4.TYPE.TYPE {d}, [a, {c}]{, level}{, gradient, gradient}. */
static bool lower_tex(struct ptx_work *w, const struct ptx_stmt *st)
{
	static const char *const levels[] = {".level", ".grad", ".base"}, *const types[] = {".f32", ".s32"};
	static const u8 more[] = {1, 2, 0, 0};
	const char *s = st->op + strlen("tex");
	u32 level = take_of(&s, levels, ARRAY_LEN(levels)), shape = take_shape(&s), n = 2u + more[level], integers;

	if (shape == TEXTURE_SHAPES || take_of(&s, result_words, ARRAY_LEN(result_words)) == ARRAY_LEN(result_words))
		return refuse(w, st, TEX_FORMS);
	integers = take_of(&s, types, ARRAY_LEN(types));
	if (integers == ARRAY_LEN(types) || *s || (integers && shape == TEXTURE_CUBE))
		return refuse(w, st, TEX_FORMS);
	if (st->nops > n || st->ops[0].kind == PTX_PAIR)
		return refuse(
			w, st,
			"offsets, comparisons of depth and predicates of residency are not modeled (leave them out)");
	return ptx_operand_count(w->p, st, n, n) &&
	       emit_fetch(w, st, OP_TEX, shape, integers ? TEX_INTEGERS : 0, integers ? 's' : 'f');
}

/* tld4.CHANNEL.SHAPE.v4.TYPE.f32 {d}, [a, {c}]. */
static bool lower_gather(struct ptx_work *w, const struct ptx_stmt *st)
{
	static const char *const channels[] = {".r", ".g", ".b", ".a"};
	const char *s = st->op + strlen("tld4");
	u32 channel = take_of(&s, channels, ARRAY_LEN(channels)), shape = take_shape(&s);

	if (channel == ARRAY_LEN(channels) || (shape != TEXTURE_2D && shape != TEXTURE_A2D) ||
	    take_of(&s, result_words, ARRAY_LEN(result_words)) == ARRAY_LEN(result_words) || strcmp(s, ".f32"))
		return refuse(w, st, TLD4_FORMS);
	if (st->nops > 2 || st->ops[0].kind == PTX_PAIR)
		return refuse(
			w, st,
			"offsets, comparisons of depth and predicates of residency are not modeled (leave them out)");
	return ptx_operand_count(w->p, st, 2, 2) && emit_fetch(w, st, OP_TLD4, shape, channel << 5, 'f');
}

/* txq.WHAT.b32 d, [a]; suq. */
static bool lower_query(struct ptx_work *w, const struct ptx_stmt *st)
{
	static const char *const what[] = {
		".width.b32",	   ".height.b32", ".depth.b32", ".array_size.b32", ".num_mipmap_levels.b32",
		".num_samples.b32"};
	const char *s = st->op + strlen("txq");
	u32 i = take_of(&s, what, ARRAY_LEN(what));
	struct ptx_code *c;

	if (i == ARRAY_LEN(what) || *s)
		return refuse(w, st, QUERY_FORMS);
	if (!ptx_operand_count(w->p, st, 2, 2) || !is_object(w, &st->ops[1], 0, 0))
		return false;
	if (i > 3)
		return ptx_lower_as(w, st, "mov.b32", 2, (struct ptx_operand[]){st->ops[0], ptx_number(1, st->ops)});
	c = ptx_emit(w, st, OP_TXQ, ptx_op_class[OP_TXQ]);
	c->in.aux = (u8)(min_u32(i, QUERY_DEPTH) | (st->op[0] == 's' ? QUERY_SURFACE : 0));
	return ptx_destination(w, c, st->ops, 32, 32) && ptx_source(w, c, st->ops[1].item, 64, 'b');
}

/* A surface access taken apart. */
struct access {
	const char *words; /* of the opcode, from the shape on */
	u32 shape, vec, outside;
	const struct ptx_type *type;
	bool store;
	const struct ptx_operand *value, *place;
	struct ptx_operand at, within; /* what SUADDR gives; within: with .zero */
};

/* {suld|sust}.b.SHAPE{.CACHE}{.VECTOR}.TYPE.OUTSIDE. */
static bool split_surface(struct ptx_work *w, const struct ptx_stmt *st, struct access *a)
{
	static const char *const outside[] = {".trap", ".clamp", ".zero"}, *const caches[] = {".ca", ".cg", ".cs",
											      ".cv", ".wb", ".wt"};
	const char *s = st->op + strlen("suld");
	size_t n;

	a->store = st->op[2] == 's';
	if (ptx_take(&s, ".p"))
		return refuse(w, st, "conversion to the format of a surface is not modeled (use sust.b)");
	if (!ptx_take(&s, ".b"))
		return refuse(w, st, SURFACE_FORMS);
	a->words = s;
	a->shape = take_shape(&s);
	take_of(&s, caches, ARRAY_LEN(caches));
	a->vec = ptx_take(&s, ".v2") ? 2 : ptx_take(&s, ".v4") ? 4 : 1;
	n = *s == '.' ? 1 + strcspn(s + 1, ".") : 0;
	a->type = ptx_type_find(s, (u32)n);
	s += n;
	a->outside = take_of(&s, outside, ARRAY_LEN(outside));
	if (a->shape == TEXTURE_SHAPES || a->shape == TEXTURE_CUBE || !a->type || a->type->letter != 'b' ||
	    a->type->bits * a->vec > 128 || a->outside == ARRAY_LEN(outside) || *s)
		return refuse(w, st, SURFACE_FORMS);
	a->value = &st->ops[a->store];
	a->place = &st->ops[!a->store];
	return ptx_operand_count(w->p, st, 2, 2) && has_coordinates(w, a->place, a->shape);
}

/* The statement with an opcode and operands of its own, and another guard. */
static struct ptx_stmt *guarded(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_operand *guard)
{
	struct ptx_stmt *as = ptx_stmt_with(w, st, st->ops, 0);

	as->guard = guard ? guard->vreg : PTX_NONE;
	as->guard_negate = 0;
	return as;
}

/* SUADDR at{|within}, [a, {c}]. */
static bool emit_place(struct ptx_work *w, const struct ptx_stmt *st, const struct access *a)
{
	struct ptx_operand both[2] = {a->at, a->within};
	struct ptx_operand ops[2] = {a->at, *a->place}; /* NOLINT(clang-analyzer-core.*): split_surface() gave it */
	size_t n = strlen(a->words) + sizeof("suaddr");
	char *name = arena_alloc(w->arena, n);
	struct ptx_stmt *as;
	struct ptx_code *c;

	snprintf(name, n, "suaddr%s", a->words);
	if (a->outside == OUTSIDE_ZERO) {
		ops[0].kind = PTX_PAIR;
		ops[0].item = memcpy(arena_alloc(w->arena, sizeof(both)), both, sizeof(both));
		ops[0].n = 2;
	}
	as = ptx_stmt_with(w, st, ops, 2);
	as->op = name;
	c = ptx_emit(w, as, OP_SUADDR, ptx_op_class[OP_SUADDR]);
	c->in.width = a->type->bits / 8;
	c->in.vec = (u8)a->vec;
	c->in.aux = (u8)(a->shape << 2 | a->outside);
	return ptx_destination(w, c, &a->at, 64, 64) &&
	       (a->outside != OUTSIDE_ZERO || ptx_destination(w, c, &a->within, 1, 1)) &&
	       place_sources(w, c, a->place, a->shape, 's');
}

/* The elements of a value, which stand in braces even if there is only one; NULL after an error. */
static const struct ptx_operand *surface_elements(struct ptx_work *w, const struct access *a)
{
	const struct ptx_operand *o = a->value;
	u32 n = o->kind == PTX_VECTOR ? o->n : 1; /* NOLINT(clang-analyzer-core.*): split_surface() gave it */

	if (n == a->vec)
		return o->kind == PTX_VECTOR ? o->item : o;
	ptx_fail(w->p, PTX_AT(o), "'%s' needs %u register%s in braces, found '%s'", ptx_shown_text(w->st->op), a->vec,
		 a->vec == 1 ? "" : "s", ptx_shown(o->s, o->len));
	return NULL;
}

/* The load or store of global memory at that place. */
static bool emit_surface_access(struct ptx_work *w, const struct ptx_stmt *st, const struct access *a,
				const struct ptx_operand *from)
{
	struct ptx_operand address = *a->place, value = a->vec > 1 ? *a->value : *from;
	char *op = arena_alloc(w->arena, 32);

	address.item = memcpy(arena_alloc(w->arena, sizeof(a->at)), &a->at, sizeof(a->at));
	address.n = 1;
	snprintf(op, 32, "%s.global%s%s", a->store ? "st" : "ld",
		 a->vec == 1   ? ""
		 : a->vec == 2 ? ".v2"
			       : ".v4",
		 a->type->name);
	return ptx_lower_as(w, st, op, 2,
			    a->store ? (struct ptx_operand[]){address, value} : (struct ptx_operand[]){value, address});
}

/* .zero: no lane is within until SUADDR says so, and what a lane outside loads is 0. */
static bool zero_first(struct ptx_work *w, const struct ptx_stmt *st, const struct access *a,
		       const struct ptx_operand *to)
{
	struct ptx_operand zero = ptx_number(0, st->ops);

	if (!ptx_lower_as(w, guarded(w, st, NULL), "mov.pred", 2, (struct ptx_operand[]){a->within, zero}))
		return false;
	for (u32 i = 0; i < a->vec && !a->store; i++)
		if (!ptx_is_sink(&to[i]) && !ptx_lower_as(w, st,
							  to[i].width == 64   ? "mov.b64"
							  : to[i].width == 32 ? "mov.b32"
									      : "mov.b16",
							  2, (struct ptx_operand[]){to[i], zero}))
			return false;
	return true;
}

/* suld.b d, [a, {c}] and sust.b [a, {c}], s. */
static bool lower_surface(struct ptx_work *w, const struct ptx_stmt *st)
{
	const struct ptx_operand *value;
	struct access a = {.vec = 1};

	if (!split_surface(w, st, &a) || !(value = surface_elements(w, &a)))
		return false;
	a.at = ptx_temporary(w, 64, st->ops);
	if (a.outside != OUTSIDE_ZERO)
		return emit_place(w, st, &a) && emit_surface_access(w, st, &a, value);
	a.within = ptx_temporary(w, 1, st->ops);
	return zero_first(w, st, &a, value) && emit_place(w, st, &a) &&
	       emit_surface_access(w, guarded(w, st, &a.within), &a, value);
}

bool ptx_lower_texture(struct ptx_work *w, const struct ptx_stmt *st)
{
	if (ptx_starts(st->op, "tex"))
		return lower_tex(w, st);
	if (ptx_starts(st->op, "tld4"))
		return lower_gather(w, st);
	return ptx_starts(st->op, "txq") || ptx_starts(st->op, "suq") ? lower_query(w, st) : lower_surface(w, st);
}

bool ptx_takes_coordinates(const char *op)
{
	const struct ptx_family *f = ptx_family_of(op);

	return f && f->lower == ptx_lower_texture;
}
