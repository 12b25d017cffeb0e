/*
 * ptx_tensor.c - mma, wmma and ldmatrix to instructions.
 *
 * Products are steps of m16n8 over 16 bytes of depth (OP_MMA): mma.sync is one or two of them, the second on the sum
 * of the first; wmma.mma is two columns of those. m8n8k4 of halves, Volta's own shape, is steps of a quarter of that
 * work, two registers of C and D each (OP_MMA_QUAD): four, or two where sums are halves; of doubles it is one OP_DMMA.
 * PTX leaves open where the elements of a wmma fragment lie: here they lie as mma.sync's do, halves of A and B twice
 * where the fragment has 8 registers. m32n8 is two steps' rows instead of columns; m8n32 is m32n8 of the transposed
 * matrices, B for A and A for B. So wmma.load and wmma.store are loads and stores of words (of elements, where the
 * matrix lies across) with the arithmetic for their addresses, as an assembler writes them. Source: PTX ISA 8.x,
 * section 9.7.14.
 */
#include "ptx_internal.h"

/* What elements make: registers of A, B, C that a step of mma has; the depth of a step; shapes by their depth. */
struct mma_type {
	const char *types; /* behind the layouts of mma.sync; of wmma.mma */
	const char *wmma;
	u8 kind, depth;
	u8 sums; /* registers of C and D */
};

static const struct mma_type mma_types[] = {{"f32.f16.f16.f32", "f32.f32", MMA_F16, 8, 4},
					    {"f16.f16.f16.f16", "f16.f16", MMA_F16_F16, 8, 2},
					    {"f32.bf16.bf16.f32", "f32.bf16.bf16.f32", MMA_BF16, 8, 4},
					    {"f32.tf32.tf32.f32", "f32.tf32.tf32.f32", MMA_TF32, 4, 4},
					    {"s32.s8.s8.s32", "s32.s8.s8.s32", MMA_S8, 16, 4},
					    {"s32.u8.u8.s32", "s32.u8.u8.s32", MMA_S8 | 3, 16, 4},
					    {"s32.u8.s8.s32", "", MMA_S8 | 1, 16, 4},
					    {"s32.s8.u8.s32", "", MMA_S8 | 2, 16, 4},
					    {"f32.e4m3.e4m3.f32", "", MMA_F8, 16, 4},
					    {"f32.e5m2.e4m3.f32", "", MMA_F8 + 1, 16, 4},
					    {"f32.e4m3.e5m2.f32", "", MMA_F8 + 2, 16, 4},
					    {"f32.e5m2.e5m2.f32", "", MMA_F8 + 3, 16, 4},
					    {"f16.e4m3.e4m3.f16", "", MMA_F8_F16, 16, 2},
					    {"f16.e5m2.e4m3.f16", "", MMA_F8_F16 + 1, 16, 2},
					    {"f16.e4m3.e5m2.f16", "", MMA_F8_F16 + 2, 16, 2},
					    {"f16.e5m2.e5m2.f16", "", MMA_F8_F16 + 3, 16, 2},
					    {"s32.s4.s4.s32", "s32.s4.s4.s32", MMA_S4, 32, 4},
					    {"s32.u4.u4.s32", "s32.u4.u4.s32", MMA_S4 | 3, 32, 4},
					    {"s32.u4.s4.s32", "", MMA_S4 | 1, 32, 4},
					    {"s32.s4.u4.s32", "", MMA_S4 | 2, 32, 4},
					    {"s32.b1.b1.s32.xor.popc", "", MMA_B1, 128, 4},
					    {"s32.b1.b1.s32.and.popc", "", MMA_B1_AND, 128, 4}};

/* Fail: a shape, layout or type that no step makes. */
static bool refuse(struct ptx_work *w, const struct ptx_stmt *st)
{
	return ptx_refuse(
		w->p, PTX_AT(st), "'%s' is not supported: %s", ptx_shown_text(st->op),
		ptx_starts(st->op, "ldmatrix") ? "supported matrices: .m8n8 of .b16 in shared memory, .x1, .x2 or .x4"
		: ptx_starts(st->op, "wmma")
			? "supported matrices: m16n16k16, m32n8k16 and m8n32k16 of f16, bf16, s8, u8, m16n16k8 of tf32, m8n8k4 of f64, m8n8k32 of s4, u4, m8n8k128 of b1"
			: "supported products: m16n8 of f16, bf16, tf32, e4m3, e5m2, s8, u8, s4, u4, b1 with f32, f16 or s32 sums, .row.col, 16 or 32 bytes deep; m8n8 of s8, u8, s4, u4, b1, 16 bytes deep; m8n8k4 of f16 with f32 or f16 sums; m8n8k4 of f64, .row.col");
}

/* A vector operand of n registers; 1 may stand alone. Its elements, or NULL after an error. */
static const struct ptx_operand *registers(struct ptx_work *w, const struct ptx_operand *o, u32 n)
{
	if (o->kind == PTX_VECTOR ? o->n == n : n == 1)
		return o->kind == PTX_VECTOR ? o->item : o;
	ptx_fail(w->p, PTX_AT(o), "'%s' needs %u register%s in braces here, found '%s'", ptx_shown_text(w->st->op), n,
		 n == 1 ? "" : "s", ptx_shown(o->s, o->len));
	return NULL;
}

/* A vector operand of some registers. */
static struct ptx_operand vector(struct ptx_work *w, const struct ptx_operand *at, const struct ptx_operand *items,
				 u32 n)
{
	struct ptx_operand v = *at;

	v.kind = PTX_VECTOR;
	v.n = (u8)n;
	v.item = memcpy(arena_alloc(w->arena, n * sizeof(v)), items, n * sizeof(v));
	return v;
}

/* An instruction of registers of D, A, B, C: n of them, in that order, of so many bits. NULL after an error. */
static struct ptx_code *emit_product(struct ptx_work *w, const struct ptx_stmt *st, u16 op, const u8 n[4], u32 bits,
				     const struct ptx_operand *const o[4])
{
	struct ptx_operand ops[4];
	struct ptx_code *c;

	for (u32 k = 0; k < 4; k++)
		ops[k] = vector(w, st->ops, o[k], n[k]);
	c = ptx_emit(w, ptx_stmt_with(w, st, ops, 4), op, ptx_op_class[op]);
	for (u32 i = 0; i < n[0]; i++)
		if (!ptx_destination(w, c, &o[0][i], bits, bits))
			return NULL;
	for (u32 k = 1; k < 4; k++)
		for (u32 i = 0; i < n[k]; i++)
			if (!ptx_source(w, c, &o[k][i], bits, k < 3 && bits == 32 ? 'b' : 'x'))
				return NULL;
	return c;
}

/* One step: d = a[0..1] x b[0] + c. */
static struct ptx_code *emit_step(struct ptx_work *w, const struct ptx_stmt *st, u8 kind, u32 sums,
				  const struct ptx_operand *const o[4])
{
	struct ptx_code *c = emit_product(w, st, OP_MMA, (const u8[4]){(u8)sums, 2, 1, (u8)sums}, 32, o);

	if (c)
		c->in.aux = kind;
	return c;
}

/* steps of 1 or 2: the first's sum is an intermediate one, for d may be among the factors of the second. */
static bool emit_steps(struct ptx_work *w, const struct ptx_stmt *st, const struct mma_type *t, u8 kind, u32 steps,
		       const struct ptx_operand *const o[4])
{
	struct ptx_operand middle[4];
	struct ptx_code *c;

	if (steps == 1)
		return emit_step(w, st, kind, t->sums, o) != NULL;
	for (u32 i = 0; i < t->sums; i++)
		middle[i] = ptx_temporary(w, 32, &o[0][i]);
	c = emit_step(w, st, kind, t->sums, (const struct ptx_operand *const[4]){middle, o[1], o[2], o[3]});
	if (!c)
		return false;
	c->in.keeps = 1;
	c = emit_step(w, st, kind, t->sums, (const struct ptx_operand *const[4]){o[0], o[1] + 2, o[2] + 1, middle});
	if (c)
		c->src_held = (u8)(((1u << t->sums) - 1) << 3);
	return c != NULL;
}

/* Take `.row' or `.col' off the front of s. */
static bool take_layout(const char **s)
{
	return ptx_take(s, ".row") || ptx_take(s, ".col");
}

/* Take `.m16n8kK' and the like off the front of s: K, or 0. */
static u32 take_shape(const char **s, const char *shape)
{
	static const u32 depths[] = {4, 8, 16, 32, 64, 128, 256};
	char word[24];

	for (u32 i = 0; i < ARRAY_LEN(depths); i++) {
		snprintf(word, sizeof(word), "%s%u", shape, depths[i]);
		if (ptx_take(s, word))
			return depths[i];
	}
	return 0;
}

/* The row of mma_types[] whose spelling s is, behind its first dot; NULL none. */
static const struct mma_type *find_type(const char *s, bool wmma)
{
	for (u32 i = 0; i < ARRAY_LEN(mma_types); i++)
		if (*s == '.' && s[1] && !strcmp(s + 1, wmma ? mma_types[i].wmma : mma_types[i].types))
			return &mma_types[i];
	return NULL;
}

/* Is a register of d among the factors, or elsewhere in c? The second half would read what the first has written. */
static bool overlaps(const struct ptx_operand *const o[4], u32 sums, u32 na, u32 nb)
{
	for (u32 i = 0; i < sums; i++) {
		for (u32 k = 0; k < na; k++)
			if (o[0][i].vreg == o[1][k].vreg)
				return true;
		for (u32 k = 0; k < nb; k++)
			if (o[0][i].vreg == o[2][k].vreg)
				return true;
		for (u32 k = 0; k < sums; k++)
			if (k != i && o[3][k].kind == PTX_REG && o[0][i].vreg == o[3][k].vreg)
				return true;
	}
	return false;
}

/* Refuse a product whose later steps would read what its first ones have written. */
static bool refuse_overlap(struct ptx_work *w, const struct ptx_stmt *st)
{
	return ptx_refuse(w->p, PTX_AT(st), "'%s' is not supported if a result register is also a factor register",
			  ptx_shown_text(st->op));
}

/* mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 d, a, b, c. */
static bool lower_doubles(struct ptx_work *w, const struct ptx_stmt *st)
{
	static const u8 n[4] = {2, 1, 1, 2};
	const struct ptx_operand *o[4];

	for (u32 i = 0; i < 4; i++)
		if (!(o[i] = registers(w, &st->ops[i], n[i])))
			return false;
	return emit_product(w, st, OP_DMMA, n, 64, o) != NULL;
}

/* mma.sync.aligned.m8n8k4.ALAYOUT.BLAYOUT.TYPES d, a, b, c: of halves, steps of two registers of d. */
static bool lower_quads(struct ptx_work *w, const struct ptx_stmt *st, const char *s)
{
	const struct ptx_operand *o[4];
	u32 sums;
	u8 aux = 0;

	if (!strcmp(s, ".row.col.f64.f64.f64.f64"))
		return ptx_operand_count(w->p, st, 4, 4) && lower_doubles(w, st);
	aux |= ptx_starts(s, ".col") ? MMA_QUAD_A_COL : 0;
	if (!take_layout(&s))
		return refuse(w, st);
	aux |= ptx_starts(s, ".row") ? MMA_QUAD_B_ROW : 0;
	if (!take_layout(&s) || (strcmp(s, ".f32.f16.f16.f32") && strcmp(s, ".f16.f16.f16.f16")))
		return refuse(w, st);
	aux |= ptx_starts(s, ".f16") ? MMA_QUAD_HALVES : 0;
	sums = aux & MMA_QUAD_HALVES ? 4 : 8;
	if (!ptx_operand_count(w->p, st, 4, 4))
		return false;
	for (u32 i = 0; i < 4; i++)
		if (!(o[i] = registers(w, &st->ops[i], i == 1 || i == 2 ? 2 : sums)))
			return false;
	if (overlaps(o, sums, 2, 2))
		return refuse_overlap(w, st);
	for (u32 i = 0; i < sums; i += 2) {
		struct ptx_code *c = emit_product(w, st, OP_MMA_QUAD, (const u8[4]){2, 2, 2, 2}, 32,
						  (const struct ptx_operand *const[4]){o[0] + i, o[1], o[2], o[3] + i});

		if (!c)
			return false;
		c->in.aux = (u8)(aux | i / 2);
		c->in.work = sums == 8 ? 1 : 2;
		c->src_held = i ? 15 : 0;
	}
	return true;
}

/* d, a, b, c of m8n8, integers 16 bytes deep: a step without the lower eight rows. */
static bool lower_eight_rows(struct ptx_work *w, const struct ptx_stmt *st, u8 kind)
{
	struct ptx_operand a[2], c[4], d[4], zero = ptx_number(0, st->ops);
	const struct ptx_operand *o[4];
	struct ptx_code *code;

	if (!ptx_operand_count(w->p, st, 4, 4))
		return false;
	for (u32 i = 0; i < 4; i++)
		if (!(o[i] = registers(w, &st->ops[i], i == 1 || i == 2 ? 1 : 2)))
			return false;
	for (u32 i = 0; i < 4; i++) {
		c[i] = i < 2 ? o[3][i] : zero;
		d[i] = i < 2 ? o[0][i] : (struct ptx_operand){.kind = PTX_NAME, .s = "_", .len = 1};
	}
	a[0] = *o[1];
	a[1] = zero;
	code = emit_step(w, st, kind, 4, (const struct ptx_operand *const[4]){d, a, o[2], c});
	if (code)
		code->in.work = 2;
	return code != NULL;
}

/* With .satfinite, which products of bits do not have. */
static bool may_limit(u8 kind)
{
	return mma_of_integers(kind) && kind < MMA_B1;
}

/* mma.sync.aligned.{m16n8kK,m8n8kK}.row.col{.satfinite}.TYPES d, a, b, c. */
static bool lower_mma(struct ptx_work *w, const struct ptx_stmt *st, const char *s)
{
	const struct ptx_operand *o[4];
	const struct mma_type *t;
	u32 depth, steps;
	bool limit, eight;
	u8 kind;

	if (ptx_take(&s, ".m8n8k4"))
		return lower_quads(w, st, s);
	eight = ptx_starts(s, ".m8n8k");
	depth = take_shape(&s, eight ? ".m8n8k" : ".m16n8k");
	if (!depth || !ptx_take(&s, ".row") || !ptx_take(&s, ".col"))
		return refuse(w, st);
	limit = ptx_take(&s, ".satfinite");
	t = find_type(s, false);
	if (!t || (depth != t->depth && (eight || depth != 2u * t->depth)) || (limit && !may_limit(t->kind)) ||
	    (eight && !mma_of_integers(t->kind)))
		return refuse(w, st);
	kind = t->kind | (limit ? 4 : 0);
	if (eight)
		return lower_eight_rows(w, st, kind);
	if (!ptx_operand_count(w->p, st, 4, 4))
		return false;
	steps = depth / t->depth;
	for (u32 i = 0; i < 4; i++)
		if (!(o[i] = registers(w, &st->ops[i], i == 1 ? 2 * steps : i == 2 ? steps : t->sums)))
			return false;
	return emit_steps(w, st, t, kind, steps, o);
}

/* Take the shape of wmma off s: its depth, or 0; whether it is 32 x 8 or 8 x 32. */
static u32 take_wmma_shape(const char **s, bool *tall, bool *wide)
{
	u32 depth = take_shape(s, ".m16n16k");

	*tall = !depth && ptx_take(s, ".m32n8k16");
	*wide = !depth && !*tall && ptx_take(s, ".m8n32k16");
	return *tall || *wide ? 16 : depth;
}

/* wmma.mma.sync.aligned.LAYOUT.LAYOUT.m8n8k4.f64.f64.f64.f64{.rn} d, a, b, c. */
static bool lower_wmma_doubles(struct ptx_work *w, const struct ptx_stmt *st, const char *s)
{
	return strcmp(s, ".f64.f64.f64.f64") && strcmp(s, ".f64.f64.f64.f64.rn")
		       ? refuse(w, st)
		       : ptx_operand_count(w->p, st, 4, 4) && lower_doubles(w, st);
}

/* wmma.mma{.xor,.and}.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 d, a, b, c. */
static bool lower_wmma_bits(struct ptx_work *w, const struct ptx_stmt *st, u8 kind, const char *s)
{
	return strcmp(s, ".row.col.m8n8k128.s32.b1.b1.s32") ? refuse(w, st) : lower_eight_rows(w, st, kind);
}

/* wmma.mma.sync.aligned.LAYOUT.LAYOUT.SHAPE.TYPES d, a, b, c: two halves of 8 columns, or of 16 rows. The layouts are
 * those of the loads. */
static bool lower_wmma_mma(struct ptx_work *w, const struct ptx_stmt *st, const char *s)
{
	const struct ptx_operand *o[4];
	const struct mma_type *t;
	bool limit, tall, wide, eight = ptx_starts(s, ".row.col.m8n8k32");
	u32 depth, steps, n[4];

	for (u32 i = 0; i < 2; i++)
		if (!take_layout(&s))
			return refuse(w, st);
	if (ptx_take(&s, ".m8n8k4"))
		return lower_wmma_doubles(w, st, s);
	depth = eight && ptx_take(&s, ".m8n8k32") ? 32 : take_wmma_shape(&s, &tall, &wide);
	limit = strlen(s) > 10 && !strcmp(s + strlen(s) - 10, ".satfinite");
	if (limit)
		s = arena_text(w->arena, s, strlen(s) - 10);
	t = find_type(s, true);
	if (!t ||
	    depth != (eight		    ? t->depth
		      : t->kind == MMA_TF32 ? 8u
					    : 16u) ||
	    eight != (t->depth == 32) || (limit && !may_limit(t->kind)))
		return refuse(w, st);
	if (eight)
		return lower_eight_rows(w, st, t->kind | (limit ? 4 : 0));
	if (!ptx_operand_count(w->p, st, 4, 4))
		return false;
	steps = depth / t->depth;
	for (u32 i = 0; i < 4; i++) {
		bool half = t->kind == MMA_F16 || t->kind == MMA_F16_F16, large = i == 1 ? tall : wide;

		n[i] = i == 0 || i == 3 ? 2u * t->sums : half ? 8 : (!tall && !wide ? 2 : large ? 4 : 1) * steps;
		if (!(o[i] = registers(w, &st->ops[i], n[i])))
			return false;
	}
	if (overlaps(o, 2u * t->sums, n[1], n[2]))
		return refuse_overlap(w, st);
	if (wide) {
		const struct ptx_operand *a = o[1];

		o[1] = o[2];
		o[2] = a;
	}
	return emit_steps(w, st, t, t->kind | (limit ? 4 : 0), steps, o) &&
	       emit_steps(w, st, t, t->kind | (limit ? 4 : 0), steps,
			  (const struct ptx_operand *const[4]){o[0] + t->sums, o[1] + (tall || wide ? 2 * steps : 0),
							       o[2] + (tall || wide ? 0 : steps), o[3] + t->sums});
}

/* The elements of a fragment: what of a matrix lies where. */
struct fragment {
	char matrix; /* a b c d */
	u8 bits;     /* of an element */
	u8 n;	     /* registers */
	u8 distinct; /* of them; the others repeat */
	u8 steps;    /* a, b: of depth */
	bool across; /* neighbours in a register are not neighbours in memory */
	bool tall;   /* c, d: of 32 x 8; else of 16 x 16 */
	u8 lead;     /* elements from a row to the next in memory, unless the statement says it */
	u8 packed;   /* a, b of less than a byte: bits by which a number of theirs is shifted to be one of words */
	const char *space; /* ".shared" */
};

/* Element i of register r: its place along the outer and the inner dimension, apart from the lane's. */
static void element_place(const struct fragment *f, u32 r, u32 i, u32 *outer, u32 *inner)
{
	u32 per = max_u32(32u / f->bits, 1);

	if (f->matrix == 'a') {
		*outer = 8 * (r & 1) + 16 * (r / (2u * f->steps));
		*inner = 4 * per * (r % (2u * f->steps) >> 1) + i;
	} else if (f->matrix == 'b') {
		*outer = 8 * (r / f->steps);
		*inner = 4 * per * (r % f->steps) + i;
	} else {
		u32 half = f->bits == 16 ? r >> 1 : r >> 2; /* the second one is further right, or further down */

		*outer = 8 * (f->bits == 16 ? r & 1 : r >> 1 & 1) + (f->tall ? 16 * half : 0);
		*inner = (f->bits == 16 ? i : r & 1) + (f->tall ? 0 : 8 * half);
	}
}

/* wmma.load and wmma.store being lowered. */
struct tile_access {
	struct ptx_work *w;
	const struct ptx_stmt *st;
	struct fragment f;
	struct ptx_operand lead;    /* elements from a row to the next (a column, of .col) */
	struct ptx_operand base;    /* the lane's first element */
	struct ptx_operand row[32]; /* that, so many rows further; kind 0: not yet computed */
	i64 addend;
};

/* A number as operand. */
static struct ptx_operand number(const struct tile_access *a, u64 value)
{
	return ptx_number(value, a->st->ops);
}

/* Emit `op d, x, y{, z}' into a new register of these bits. */
static bool compute(struct tile_access *a, const char *op, u32 bits, struct ptx_operand *d, struct ptx_operand x,
		    struct ptx_operand y, const struct ptx_operand *z)
{
	struct ptx_operand ops[4] = {ptx_temporary(a->w, bits, a->st->ops), x, y};

	if (z)
		ops[3] = *z;
	*d = ops[0];
	return ptx_lower_as(a->w, a->st, op, z ? 4 : 3, ops);
}

/* The address operand as a register without its addend. */
static bool base_register(struct tile_access *a, const struct ptx_operand *o, struct ptx_operand *out)
{
	struct ptx_operand ops[2];

	if (o->kind != PTX_ADDRESS)
		return ptx_fail(a->w->p, PTX_AT(o), "'%s' needs an address in brackets here, found '%s'", a->st->op,
				ptx_shown(o->s, o->len));
	a->addend = o->addend;
	*out = *o->item;
	if (out->kind == PTX_REG && out->width != 32 && out->width != 64)
		return ptx_not_a_register(a->w, out);
	if (out->kind == PTX_REG)
		return true;
	ops[1] = *out;
	ops[0] = *out = ptx_temporary(a->w, 64, o);
	return ptx_lower_as(a->w, a->st, "mov.u64", 2, ops);
}

/* base + index x bytes of an element, in the base's width. */
static bool advance(struct tile_access *a, struct ptx_operand *d, struct ptx_operand base, struct ptx_operand index,
		    u32 times)
{
	return compute(a, base.width == 64 ? "mad.wide.u32" : "mad.lo.u32", base.width, d, index,
		       number(a, a->f.bits / 8 * times), &base);
}

/* The lane's part of the address: its group and its place in the group along the two dimensions. */
static bool lane_base(struct tile_access *a, const struct ptx_operand *address)
{
	u32 step = a->f.matrix < 'c' ? max_u32(32u / a->f.bits, 1) : 2;
	struct ptx_operand lane = ptx_temporary(a->w, 32, a->st->ops), group, place, first, index, base, sreg = lane;

	sreg.kind = PTX_NAME;
	sreg.s = "%laneid";
	sreg.len = 7;
	if (!base_register(a, address, &base) ||
	    !ptx_lower_as(a->w, a->st, "mov.u32", 2, (struct ptx_operand[]){lane, sreg}) ||
	    !compute(a, "shr.u32", 32, &group, lane, number(a, 2), NULL) ||
	    !compute(a, "and.b32", 32, &first, lane, number(a, 3), NULL) ||
	    !compute(a, "mul.lo.u32", 32, &place, first, number(a, step), NULL) ||
	    !compute(a, "mad.lo.u32", 32, &index, a->f.across ? place : group, a->lead, a->f.across ? &group : &place))
		return false;
	return advance(a, &a->base, base, index, 1);
}

/* The address of element i of register r. */
static bool element_address(struct tile_access *a, u32 r, u32 i, struct ptx_operand *out)
{
	u32 outer, inner, rows;

	element_place(&a->f, r, i, &outer, &inner);
	rows = a->f.across ? inner : outer;
	if (rows && !a->row[rows].kind)
		if (!advance(a, &a->row[rows], a->base, a->lead, rows))
			return false;
	*out = a->base;
	out->kind = PTX_ADDRESS;
	out->n = 1;
	out->item = arena_alloc(a->w->arena, sizeof(*out));
	*out->item = rows ? a->row[rows] : a->base;
	out->addend = a->addend + (a->f.across ? outer : inner) * (a->f.bits / 8);
	return true;
}

/* The access `ld' or `st' of so many bits. */
static const char *access_op(struct tile_access *a, const char *verb, u32 bits)
{
	char text[40];
	int len = snprintf(text, sizeof(text), "%s%s.%s%u", verb, a->f.space, bits >= 32 ? "b" : "u", bits);

	return arena_text(a->w->arena, text, (size_t)len);
}

/* Register r: one word, or its elements put together from the last one down. */
static bool load_register(struct tile_access *a, u32 r, struct ptx_operand to)
{
	u32 n = a->f.across && a->f.bits < 32 ? 32u / a->f.bits : 1, bits = a->f.bits == 64 ? 64 : 32 / n;
	struct ptx_operand ops[2] = {to}, sum = to, part;

	for (u32 i = n; i-- > 0;) {
		if (n > 1)
			ops[0] = ptx_temporary(a->w, 32, a->st->ops);
		if (!element_address(a, r, i, &ops[1]) || !ptx_lower_as(a->w, a->st, access_op(a, "ld", bits), 2, ops))
			return false;
		part = ops[0];
		if (n > 1 && i + 1 < n) {
			struct ptx_operand put[4] = {i ? ptx_temporary(a->w, 32, a->st->ops) : to, sum,
						     number(a, n == 2 ? 1 << 16 : 1 << 8), part};

			if (!ptx_lower_as(a->w, a->st, "mad.lo.u32", 4, put))
				return false;
			part = put[0];
		}
		sum = part;
	}
	return true;
}

/* Register r to memory: a word, or two halves. */
static bool store_register(struct tile_access *a, u32 r, struct ptx_operand from)
{
	u32 n = a->f.across && a->f.bits < 32 ? 2 : 1;
	struct ptx_operand ops[2];

	for (u32 i = 0; i < n; i++) {
		ops[1] = from;
		if (i && !compute(a, "shr.u32", 32, &ops[1], from, number(a, 16), NULL))
			return false;
		if (!element_address(a, r, i, &ops[0]) ||
		    !ptx_lower_as(a->w, a->st, access_op(a, "st", a->f.bits == 64 ? 64 : 32 / n), 2, ops))
			return false;
	}
	return true;
}

/* The elements' type, behind its dot, and depth to what the fragment has. */
static bool fragment_type(struct fragment *f, const char *type, u32 depth)
{
	bool sums = f->matrix >= 'c';
	static const struct {
		const char *type;
		bool sums;
		u8 bits, n, distinct, steps, depth;
	} rows[] = {
		{".f16", false, 16, 8, 4, 2, 16}, {".bf16", false, 16, 4, 4, 2, 16}, {".tf32", false, 32, 4, 4, 2, 8},
		{".s8", false, 8, 2, 2, 1, 16},	  {".u8", false, 8, 2, 2, 1, 16},    {".f32", true, 32, 8, 8, 0, 0},
		{".s32", true, 32, 8, 8, 0, 16},  {".f16", true, 16, 4, 4, 0, 16},
	};

	for (u32 i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].sums == sums && !strcmp(rows[i].type, type) && (!rows[i].depth || rows[i].depth == depth)) {
			f->bits = rows[i].bits;
			f->n = rows[i].n;
			f->distinct = rows[i].distinct;
			f->steps = rows[i].steps;
			return true;
		}
	return false;
}

/* A fragment of m32n8 or m8n32, from that of m16n16: of the latter's transpose, which is m32n8. */
static void make_oblong(struct fragment *f, bool wide)
{
	bool large = f->matrix == (wide ? 'b' : 'a');

	f->tall = true;
	if (f->matrix >= 'c') {
		f->across ^= wide;
		return;
	}
	f->distinct = (u8)(large ? 4 * f->steps : f->steps);
	f->n = f->bits == 16 && f->n == 8 ? 8 : f->distinct;
	f->matrix = large ? 'a' : 'b';
}

/* .m8n8k4 of doubles: one register of a and b, two of sums. */
static bool fragment_of_doubles(struct fragment *f, const char *type)
{
	f->bits = 64;
	f->steps = 1;
	f->n = f->distinct = f->matrix < 'c' ? 1 : 2;
	return !strcmp(type, ".f64");
}

/* .m8n8k32 of 4 bits, .m8n8k128 of one, by rows of words: one register of a and b, two of sums. */
static bool fragment_of_words(struct fragment *f, const char *type)
{
	bool sums = f->matrix >= 'c', bits = f->packed == 5;

	f->bits = 32;
	f->steps = 1;
	f->n = f->distinct = sums ? 2 : 1;
	if (sums) {
		f->packed = 0;
		return !strcmp(type, ".s32");
	}
	f->lead = 4;
	return !f->across && (bits ? !strcmp(type, ".b1") : !strcmp(type, ".s4") || !strcmp(type, ".u4"));
}

/* Behind `.aligned': LAYOUT.SHAPE{.SPACE}.TYPE of a load or store. */
static bool parse_fragment(struct fragment *f, const char *s)
{
	static const char *const spaces[] = {".global", ".shared", ".shared::cta"};
	bool col = ptx_take(&s, ".col"), tall, wide, eight;
	u32 depth, rows, columns;

	if (!col && !ptx_take(&s, ".row"))
		return false;
	f->packed = ptx_take(&s, ".m8n8k32") ? 3 : ptx_take(&s, ".m8n8k128") ? 5 : 0;
	eight = f->packed || ptx_take(&s, ".m8n8k4");
	depth = eight ? 4 : take_wmma_shape(&s, &tall, &wide);
	if (!depth)
		return false;
	tall = !eight && tall;
	wide = !eight && wide;
	rows = f->matrix == 'b' ? depth : tall ? 32 : wide || eight ? 8 : 16;
	columns = f->matrix == 'a' ? depth : wide ? 32 : tall || eight ? 8 : 16;
	f->lead = (u8)(col ? rows : columns);
	f->across = f->matrix == 'b' ? !col : col;
	f->space = "";
	for (u32 i = 0; i < ARRAY_LEN(spaces) && !*f->space; i++)
		if (ptx_take(&s, spaces[i]))
			f->space = spaces[i];
	if (eight)
		return f->packed ? fragment_of_words(f, s) : fragment_of_doubles(f, s);
	if ((depth != 8 && depth != 16) || !fragment_type(f, s, depth))
		return false;
	if (tall || wide)
		make_oblong(f, wide);
	return true;
}

/* The distance of rows, in what fragments count: a register with it may be among those that the load writes. */
static bool take_lead(struct tile_access *a, const struct ptx_operand *o)
{
	struct ptx_operand ops[2] = {*o, *o};

	a->lead = *o;
	if (a->f.packed)
		return compute(a, "shr.u32", 32, &a->lead, *o, number(a, a->f.packed), NULL);
	if (a->lead.kind != PTX_REG)
		return true;
	a->lead = ops[0] = ptx_temporary(a->w, 32, &a->lead);
	return ptx_lower_as(a->w, a->st, "mov.b32", 2, ops);
}

/* wmma.load.X.sync.aligned... r, [p]{, lead}; wmma.store.d.sync.aligned... [p], r{, lead}. */
static bool lower_wmma_access(struct ptx_work *w, const struct ptx_stmt *st, char matrix, const char *s)
{
	struct tile_access a = {.w = w, .st = st, .f = {.matrix = matrix}};
	bool store = matrix == 'd';
	const struct ptx_operand *reg;

	if (!parse_fragment(&a.f, s))
		return refuse(w, st);
	if (!ptx_operand_count(w->p, st, 2, 3) || !(reg = registers(w, &st->ops[store], a.f.n)))
		return false;
	a.lead = number(&a, a.f.lead);
	if ((st->nops == 3 && !take_lead(&a, &st->ops[2])) || !lane_base(&a, &st->ops[!store]))
		return false;
	for (u32 r = 0; r < a.f.n; r++) {
		struct ptx_operand ops[2] = {reg[r], reg[r % a.f.distinct]};

		if (r >= a.f.distinct ? !ptx_lower_as(w, st, "mov.b32", 2, ops)
		    : store	      ? !store_register(&a, r, reg[r])
				      : !load_register(&a, r, reg[r]))
			return false;
	}
	w->k->stores_global |= store && !ptx_starts(a.f.space, ".shared");
	return true;
}

/* ldmatrix.sync.aligned.m8n8.xN{.trans}{.shared}.b16, with its words in any order. */
static bool lower_ldmatrix(struct ptx_work *w, const struct ptx_stmt *st, const char *s)
{
	const struct ptx_operand *o;
	struct ptx_operand base;
	u32 n = 0, trans = 0, shared = 0, shape = 0;
	struct ptx_code *c;

	while (*s && strcmp(s, ".b16")) {
		u32 x = ptx_take(&s, ".x1") ? 1 : ptx_take(&s, ".x2") ? 2 : ptx_take(&s, ".x4") ? 4 : 0;

		n = x ? x : n;
		if (!x && !(ptx_take(&s, ".trans") && ++trans) &&
		    !((ptx_take(&s, ".shared") || ptx_take(&s, ".shared::cta")) && ++shared) &&
		    !(ptx_take(&s, ".m8n8") && ++shape))
			return refuse(w, st);
	}
	if (!*s || !n || !shape)
		return refuse(w, st);
	if (!ptx_operand_count(w->p, st, 2, 2) || !(o = registers(w, &st->ops[0], n)))
		return false;
	if (!ptx_shared_base(w, st, &st->ops[1], shared, &base))
		return false;
	c = ptx_emit(w, st, OP_LDMATRIX, ptx_op_class[OP_LDMATRIX]);
	c->in.space = SPACE_SHARED;
	c->in.width = 4;
	c->in.vec = (u8)n;
	c->in.aux = trans ? LDMATRIX_TRANS : 0;
	c->in.offset = (i32)st->ops[1].addend;
	for (u32 i = 0; i < n; i++)
		if (!ptx_destination(w, c, &o[i], 32, 32))
			return false;
	return ptx_source_wide(w, c, &base, 32, 64, 'b');
}

/* mma, wmma and ldmatrix, all with .sync and .aligned. */
bool ptx_lower_tensor(struct ptx_work *w, const struct ptx_stmt *st)
{
	static const struct {
		const char *head;
		char matrix; /* of accesses; else what it is */
	} heads[] = {
		{"mma.sync.aligned", 'm'},
		{"wmma.mma.sync.aligned", 'w'},
		{"ldmatrix.sync.aligned", 'l'},
		{"wmma.load.a.sync.aligned", 'a'},
		{"wmma.load.b.sync.aligned", 'b'},
		{"wmma.load.c.sync.aligned", 'c'},
		{"wmma.store.d.sync.aligned", 'd'},
		{"wmma.mma.xor.popc.sync.aligned", 'x'},
		{"wmma.mma.and.popc.sync.aligned", 'n'},
	};

	for (u32 i = 0; i < ARRAY_LEN(heads); i++) {
		const char *s = st->op;

		if (!ptx_take(&s, heads[i].head))
			continue;
		switch (heads[i].matrix) {
		case 'm': return lower_mma(w, st, s);
		case 'w': return lower_wmma_mma(w, st, s);
		case 'x': return lower_wmma_bits(w, st, MMA_B1, s);
		case 'n': return lower_wmma_bits(w, st, MMA_B1_AND, s);
		case 'l': return lower_ldmatrix(w, st, s);
		default: return lower_wmma_access(w, st, heads[i].matrix, s);
		}
	}
	return refuse(w, st);
}
