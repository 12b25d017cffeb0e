/*
 * ptx_warpmatrix.c - what is made of shuffles and other instructions: movmatrix, stmatrix, elect.sync.
 *
 * A matrix of 8 x 8 halves lies in a register of the warp: lane l has row l / 4, columns 2 (l % 4) and the next. To
 * transpose it every lane takes the words of two lanes and puts one half of each together. stmatrix is a store of a
 * word for each matrix, to the row whose address another lane has. The leader that elect.sync elects is the first lane
 * of its members. Deviation: GPUs have instructions of their own for the first two. Source: PTX ISA 8.x, sections
 * 9.7.13 (elect.sync), 9.7.14 (stmatrix, movmatrix).
 */
#include "ptx_internal.h"

/* Lower `op d, ...' with n sources into a new register of 32 bits. */
static bool compute(struct ptx_work *w, const struct ptx_stmt *st, const char *op, struct ptx_operand *d, u32 n,
		    const struct ptx_operand *sources)
{
	struct ptx_operand ops[6] = {ptx_temporary(w, 32, st->ops)};

	memcpy(ops + 1, sources, n * sizeof(*sources));
	*d = ops[0];
	return ptx_lower_as(w, st, op, 1 + n, ops);
}

/* The two sources x and a number. */
static bool compute_with(struct ptx_work *w, const struct ptx_stmt *st, const char *op, struct ptx_operand *d,
			 struct ptx_operand x, u64 number)
{
	const struct ptx_operand sources[2] = {x, ptx_number(number, st->ops)};

	return compute(w, st, op, d, 2, sources);
}

static bool lane_number(struct ptx_work *w, const struct ptx_stmt *st, struct ptx_operand *lane)
{
	struct ptx_operand sreg = *st->ops;

	sreg = (struct ptx_operand){
		.kind = PTX_NAME, .s = "%laneid", .len = 7, .line = sreg.line, .column = sreg.column};
	return compute(w, st, "mov.u32", lane, 1, &sreg);
}

/* What the lanes of register `from' have that `lane' numbers. */
static bool shuffle(struct ptx_work *w, const struct ptx_stmt *st, struct ptx_operand *d, struct ptx_operand from,
		    struct ptx_operand lane)
{
	const struct ptx_operand sources[4] = {from, lane, ptx_number(31, st->ops), ptx_number(0xffffffff, st->ops)};

	return compute(w, st, "shfl.sync.idx.b32", d, 4, sources);
}

/* Where a lane finds the two words of its part of a transposed matrix, and how it puts their halves together. */
struct turn {
	struct ptx_operand first, second, halves;
};

/* Element (r, c) lies in lane 4 r + c / 2: a lane needs (2 (l % 4), l / 4) and the one below it. */
static bool turn_of(struct ptx_work *w, const struct ptx_stmt *st, struct ptx_operand lane, struct turn *t)
{
	struct ptx_operand x, y, odd;

	if (!compute_with(w, st, "and.b32", &x, lane, 3) || !compute_with(w, st, "shl.b32", &x, x, 3) ||
	    !compute_with(w, st, "shr.u32", &y, lane, 3) ||
	    !compute(w, st, "add.u32", &t->first, 2, (struct ptx_operand[]){x, y}) ||
	    !compute_with(w, st, "add.u32", &t->second, t->first, 4) ||
	    !compute_with(w, st, "shr.u32", &odd, lane, 2) || !compute_with(w, st, "and.b32", &odd, odd, 1))
		return false;
	/* the lower halves, 0x5410, or the upper ones, 0x7632 */
	return compute(w, st, "mad.lo.u32", &t->halves, 3,
		       (struct ptx_operand[]){odd, ptx_number(0x2222, st->ops), ptx_number(0x5410, st->ops)});
}

/* d = from, transposed. */
static bool transpose(struct ptx_work *w, const struct ptx_stmt *st, const struct turn *t, struct ptx_operand from,
		      struct ptx_operand d)
{
	struct ptx_operand x, y;

	return shuffle(w, st, &x, from, t->first) && shuffle(w, st, &y, from, t->second) &&
	       ptx_lower_as(w, st, "prmt.b32", 4, (struct ptx_operand[]){d, x, y, t->halves});
}

/* movmatrix.sync.aligned.m8n8.trans.b16 d, a. */
static bool lower_movmatrix(struct ptx_work *w, const struct ptx_stmt *st)
{
	struct ptx_operand lane;
	struct turn t;

	if (strcmp(st->op, "movmatrix.sync.aligned.m8n8.trans.b16"))
		return ptx_refuse(w->p, PTX_AT(st),
				  "'%s' is not supported: it is movmatrix.sync.aligned.m8n8.trans.b16",
				  ptx_shown_text(st->op));
	return ptx_operand_count(w->p, st, 2, 2) && lane_number(w, st, &lane) && turn_of(w, st, lane, &t) &&
	       transpose(w, st, &t, st->ops[1], st->ops[0]);
}

/* The words behind stmatrix.sync.aligned in any order: how many matrices, transposed or not; false: others. */
static bool stmatrix_words(const char *op, u32 *n, bool *trans, bool *shared)
{
	static const char *const known[] = {".sync", ".aligned", ".m8n8",   ".x1",	    ".x2",
					    ".x4",   ".trans",	 ".shared", ".shared::cta", ".b16"};
	bool shape = false, type = false;

	if (!ptx_starts(op, "stmatrix.sync.aligned") || !ptx_modifiers_among(op, known, ARRAY_LEN(known)))
		return false;
	for (op += strcspn(op, "."); *op; op += strcspn(op + 1, ".") + 1) {
		*n = op[1] == 'x' ? (u32)(op[2] - '0') : *n;
		*trans |= ptx_starts(op, ".trans");
		*shared |= ptx_starts(op, ".shared");
		shape |= ptx_starts(op, ".m8n8");
		type |= ptx_starts(op, ".b16");
	}
	return *n && shape && type;
}

/* Matrix m: the address of row lane / 4 comes from lane 8 m + lane / 4. */
static bool store_matrix(struct ptx_work *w, const struct ptx_stmt *st, struct ptx_operand base, struct ptx_operand row,
			 struct ptx_operand column, u32 m, struct ptx_operand value)
{
	struct ptx_operand from, address, ops[2];

	if (!compute_with(w, st, "add.u32", &from, row, 8 * m) || !shuffle(w, st, &address, base, from) ||
	    !compute(w, st, "add.u32", &address, 2, (struct ptx_operand[]){address, column}))
		return false;
	ops[0] = st->ops[0];
	ops[0].item = arena_alloc(w->arena, sizeof(address));
	*ops[0].item = address;
	ops[1] = value;
	return ptx_lower_as(w, st, "st.shared.b32", 2, ops);
}

/* stmatrix.sync.aligned.m8n8.xN{.trans}{.shared}.b16 [p], {r, ...}. */
static bool lower_stmatrix(struct ptx_work *w, const struct ptx_stmt *st)
{
	struct ptx_operand base, low, lane, row, column, value;
	const struct ptx_operand *reg;
	bool trans = false, shared = false;
	struct turn t;
	u32 n = 0;

	if (!stmatrix_words(st->op, &n, &trans, &shared))
		return ptx_refuse(
			w->p, PTX_AT(st),
			"'%s' is not supported: matrices are .m8n8 of .b16, .x1, .x2 or .x4, in shared memory",
			ptx_shown_text(st->op));
	if (!ptx_operand_count(w->p, st, 2, 2) || !ptx_shared_base(w, st, &st->ops[0], shared, &base))
		return false;
	reg = st->ops[1].kind == PTX_VECTOR ? st->ops[1].item : &st->ops[1];
	if (st->ops[1].kind == PTX_VECTOR ? st->ops[1].n != n : n != 1)
		return ptx_fail(w->p, PTX_AT(&st->ops[1]), "'%s' needs %u register%s in braces here, found '%s'",
				ptx_shown_text(st->op), n, n == 1 ? "" : "s", ptx_shown(st->ops[1].s, st->ops[1].len));
	low = base;
	if (base.width == 64 && !compute(w, st, "cvt.u32.u64", &low, 1, &base))
		return false;
	if (!lane_number(w, st, &lane) || !compute_with(w, st, "shr.u32", &row, lane, 2) ||
	    !compute_with(w, st, "and.b32", &column, lane, 3) || !compute_with(w, st, "shl.b32", &column, column, 2) ||
	    (trans && !turn_of(w, st, lane, &t)))
		return false;
	for (u32 m = 0; m < n; m++) {
		value = reg[m];
		if (trans) {
			value = ptx_temporary(w, 32, st->ops);
			if (!transpose(w, st, &t, reg[m], value))
				return false;
		}
		if (!store_matrix(w, st, low, row, column, m, value))
			return false;
	}
	return true;
}

/* elect.sync d|p, members: d the first lane of the members, p: is it this one? */
static bool lower_elect(struct ptx_work *w, const struct ptx_stmt *st)
{
	struct ptx_operand lane, bit, first;

	if (strcmp(st->op, "elect.sync"))
		return ptx_unknown_opcode(w->p, st);
	if (!ptx_operand_count(w->p, st, 2, 2))
		return false;
	if (st->ops[0].kind != PTX_PAIR)
		return ptx_fail(w->p, PTX_AT(&st->ops[0]), "'elect.sync' needs two destinations, d|p, found '%s'",
				ptx_shown(st->ops[0].s, st->ops[0].len));
	if (!ptx_lower_as(w, st, "bar.warp.sync", 1, &st->ops[1]) || !compute(w, st, "mov.b32", &bit, 1, &st->ops[1]) ||
	    !compute(w, st, "neg.s32", &first, 1, &bit) ||
	    !compute(w, st, "and.b32", &bit, 2, (struct ptx_operand[]){bit, first}) ||
	    !compute(w, st, "bfind.u32", &first, 1, &bit) || !lane_number(w, st, &lane))
		return false;
	if (!ptx_is_sink(&st->ops[0].item[0]) &&
	    !ptx_lower_as(w, st, "mov.b32", 2, (struct ptx_operand[]){st->ops[0].item[0], first}))
		return false;
	return ptx_lower_as(w, st, "setp.eq.u32", 3, (struct ptx_operand[]){st->ops[0].item[1], lane, first});
}

bool ptx_lower_warpmatrix(struct ptx_work *w, const struct ptx_stmt *st)
{
	return *st->op == 'm' ? lower_movmatrix(w, st) : *st->op == 's' ? lower_stmatrix(w, st) : lower_elect(w, st);
}
