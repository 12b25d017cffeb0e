/*
 * ptx_mov.c - moves: of symbols' addresses, special registers, predicates, vectors; cvta between spaces and windows.
 *
 * Source: PTX ISA 8.x, sections 9.7.9 (mov, cvta) and 10 (special registers).
 */
#include "ptx_internal.h"

/* The special register spelled so; SREG_COUNT when it is none of those that are modelled. */
u32 ptx_special_register(const struct ptx_operand *o)
{
	static const char *const names[SREG_COUNT] = {
#define SREG(id, name, bits, timed) name,
#include "sregs.def"
#undef SREG
	};
	u32 i = 0;

	while (i < SREG_COUNT && (strlen(names[i]) != o->len || memcmp(names[i], o->s, o->len)))
		i++;
	return i;
}

/* Where generic addresses of a space begin; global memory's are themselves. */
u64 ptx_window(u8 space)
{
	static const u64 base[] = {[SPACE_PARAM] = PARAM_WINDOW,
				   [SPACE_CONST] = CONST_WINDOW,
				   [SPACE_SHARED] = SHARED_WINDOW,
				   [SPACE_LOCAL] = LOCAL_WINDOW,
				   [SPACE_GENERIC] = 0};

	return base[space];
}

/* Fail: a name in a move that is neither a variable nor a special register. */
static bool unknown_symbol(struct ptx_work *w, const struct ptx_operand *o)
{
	const char *shown = ptx_shown(o->s, o->len), *near;

	if (o->name && o->name->kind == NAME_VAR)
		return ptx_refuse(
			w->p, PTX_AT(o),
			"the address of .param variable '%s' is not supported: the variable is kept in registers (copy it to local memory)",
			shown);
	if (o->name && o->name->kind == NAME_FUNC)
		return ptx_refuse(w->p, PTX_AT(o),
				  "the address of kernel '%s' is not supported: launches from kernels are not modeled",
				  shown);
	if (o->s[0] == '%' && o->len > 7 && !memcmp(o->s, "%envreg", 7))
		return ptx_refuse(
			w->p, PTX_AT(o),
			"'%s' is not supported: the device runtime is not modeled, apart from grid synchronization (%%envreg1, %%envreg2)",
			shown);
	if (o->name)
		return ptx_refuse(w->p, PTX_AT(o), "the address of '%s' is not supported: it is not a variable", shown);
	if (o->s[0] == '%' && o->len > 1 && (memchr(o->s, '.', o->len) || !ptx_lookup(w->p, 1, o->s, 2, true)))
		return ptx_refuse(
			w->p, PTX_AT(o),
			"'%s' is neither a declared register nor a modeled special register (%%tid, %%ntid, %%ctaid, %%nctaid with .x .y .z, %%laneid, %%warpid, %%lanemask_lt, %%clock64, %%globaltimer, %%smid, ...)",
			shown);
	if (o->s[0] == '%')
		return ptx_not_a_register(w, o);
	near = ptx_nearest_declared(w->p, o->s, o->len, 1u << NAME_VAR | 1u << NAME_REG);
	return ptx_fail(w->p, PTX_AT(o),
			near ? "'%s' is not declared (did you mean '%s'?)"
			     : "'%s' is not declared: no variable, register or special register has this name",
			shown, near);
}

/* The variable that a name means, defined in this module; NULL and an error otherwise. */
const struct ptx_var *ptx_variable(struct ptx_work *w, const struct ptx_operand *o)
{
	const struct ptx_var *v;

	v = o->name && o->name->kind == NAME_VAR ? &w->p->var[o->name->index] : NULL;
	if (!v || v->space == SPACE_PARAM) {
		unknown_symbol(w, o);
		return NULL;
	}
	if (v->space != SPACE_SHARED && v->is_extern) {
		ptx_refuse(w->p, PTX_AT(o), "'%s' is .extern: this module must define it", ptx_shown(o->s, o->len));
		return NULL;
	}
	return v;
}

bool ptx_is_reserved(const struct ptx_operand *o)
{
	static const char name[] = "%reserved_smem_offset_1";

	return o->kind == PTX_NAME && o->len == strlen(name) && !memcmp(o->s, name, o->len);
}

/* The bits of a special register. */
static u32 special_bits(u32 sreg)
{
	static const u8 bits[SREG_COUNT] = {
#define SREG(id, name, width, timed) width,
#include "sregs.def"
#undef SREG
	};

	return bits[sreg];
}

bool ptx_special_is_timed(u32 sreg)
{
	static const u8 is_timed[SREG_COUNT] = {
#define SREG(id, name, width, timed) timed,
#include "sregs.def"
#undef SREG
	};

	return is_timed[sreg];
}

/* mov of a special register or WARP_SZ; a wide one may be read in its low half. */
static bool lower_special(struct ptx_work *w, const struct ptx_stmt *st, u16 op, u32 sreg)
{
	const struct ptx_operand *o = &st->ops[1];
	u32 bits = ptx_letter_bits(ptx_op_signature[op][0]), has = sreg < SREG_COUNT ? special_bits(sreg) : 32;
	struct ptx_code *c;

	if (bits > has || bits == 16)
		return ptx_fail(w->p, PTX_AT(o), "'%s' has %u bits, but '%s' moves %u", ptx_shown(o->s, o->len), has,
				st->op, bits);
	c = ptx_emit(w, st, op, ptx_op_class[op]);
	c->in.nsrc = 1;
	if (sreg < SREG_COUNT)
		c->in.src[0] = (struct operand){.kind = OPERAND_SREG, .value = (u16)sreg};
	else
		c->in.src[0] = ptx_imm(w, WARP_LANES);
	w->k->reads_time |= sreg < SREG_COUNT && ptx_special_is_timed(sreg);
	return !w->p->failed && ptx_destination(w, c, &st->ops[0], bits, bits);
}

/* The space that `cvta.SPACE.u64` makes generic addresses of; SPACE_NONE for a mov. */
static u8 cvta_space(const char *op)
{
	static const struct {
		const char *op;
		u8 space;
	} rows[] = {{"cvta.global.u64", SPACE_GLOBAL},
		    {"cvta.shared.u64", SPACE_SHARED},
		    {"cvta.local.u64", SPACE_LOCAL},
		    {"cvta.const.u64", SPACE_CONST},
		    {"cvta.param.u64", SPACE_PARAM}};

	for (u32 i = 0; i < ARRAY_LEN(rows); i++)
		if (!strcmp(op, rows[i].op))
			return rows[i].space;
	return SPACE_NONE;
}

/* The address of a parameter of the entry as an offset among them. */
static bool lower_mov_param(struct ptx_work *w, const struct ptx_stmt *st, u16 op, u64 window)
{
	const struct ptx_operand *o = &st->ops[1];
	u32 bits = ptx_letter_bits(ptx_op_signature[op][0]);
	struct ptx_code *c = ptx_emit(w, st, op, ptx_op_class[op]);

	c->in.nsrc = 1;
	c->in.src[0] = ptx_imm(w, w->k->param[o->name->index].offset + (u64)o->addend + window);
	return !w->p->failed && ptx_destination(w, c, &st->ops[0], max_u32(bits, 32), bits);
}

/* mov of a value that is known now. */
static bool lower_known(struct ptx_work *w, const struct ptx_stmt *st, u16 op, u32 bits, u64 value)
{
	struct ptx_code *c = ptx_emit(w, st, op, ptx_op_class[op]);

	c->in.nsrc = 1;
	c->in.src[0] = ptx_imm(w, value);
	return !w->p->failed && ptx_destination(w, c, &st->ops[0], bits, bits);
}

/* mov.u64 of the address of a variable that no file declares. */
static bool lower_common(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_operand *to,
			 const struct ptx_var *v)
{
	struct ptx_operand text[2] = {*to, {.kind = PTX_NAME, .s = v->name, .len = (u32)strlen(v->name)}};
	struct ptx_stmt *as = ptx_stmt_with(w, st, text, 2);
	struct ptx_code *c;

	as->op = "mov.u64";
	c = ptx_emit(w, as, OP_MOV_64, ptx_op_class[OP_MOV_64]);
	c->in.nsrc = 1;
	c->in.src[0] = ptx_symbol_address(w, v, 0);
	return !w->p->failed && ptx_destination(w, c, to, 64, 64);
}

/* Is this a half of the address of the grid's barrier? */
static bool is_grid_barrier(const struct ptx_operand *o)
{
	return !o->name && o->len == 8 && (!memcmp(o->s, "%envreg1", 8) || !memcmp(o->s, "%envreg2", 8));
}

/* mov.u32 of %envreg1, the upper half of the address of the grid's barrier, or %envreg2, the lower half: that of the
 * launch's number. */
static bool lower_grid_barrier(struct ptx_work *w, const struct ptx_stmt *st)
{
	const struct ptx_operand *o = &st->ops[1];
	struct ptx_operand number = ptx_temporary(w, 64, o), base = ptx_temporary(w, 64, o), sreg = *o;
	struct ptx_operand count = ptx_number(GRID_BARRIERS - 1, o), bytes = ptx_number(GRID_BARRIER_BYTES, o);
	struct ptx_operand half[2] = {st->ops[0], base}, sink = {.kind = PTX_NAME, .s = "_", .len = 1};

	if (!ptx_common_variable(w->p, &w->p->grid_barrier, GRID_BARRIER, GRID_BARRIERS * GRID_BARRIER_BYTES))
		return false;
	w->k->grid_sync = 1;
	sreg.s = "%gridid";
	sreg.len = 7;
	if (!lower_common(w, st, &base, &w->p->grid_barrier) ||
	    !ptx_lower_as(w, st, "mov.u64", 2, (struct ptx_operand[]){number, sreg}) ||
	    !ptx_lower_as(w, st, "and.b64", 3, (struct ptx_operand[]){number, number, count}) ||
	    !ptx_lower_as(w, st, "mad.lo.u64", 4, (struct ptx_operand[]){base, number, bytes, base}))
		return false;
	half[0] = (struct ptx_operand){.kind = PTX_VECTOR, .n = 2, .item = arena_alloc(w->arena, 2 * sizeof(sink))};
	half[0].item[0] = o->s[7] == '2' ? st->ops[0] : sink;
	half[0].item[1] = o->s[7] == '2' ? sink : st->ops[0];
	return ptx_lower_as(w, st, "mov.b64", 2, half);
}

/* mov of a symbol's address or a special register; cvta of a symbol. */
static bool lower_mov_name(struct ptx_work *w, const struct ptx_stmt *st, u16 op)
{
	const struct ptx_operand *o = &st->ops[1];
	u32 bits = ptx_letter_bits(ptx_op_signature[op][0]), sreg = ptx_special_register(o);
	const struct ptx_func *f = o->name ? NULL : ptx_find_function(w->p, o->s, o->len);
	u8 cvta = cvta_space(st->op);
	const struct ptx_var *v = NULL;
	struct ptx_code *c;

	if (ptx_heap_variable(w, o, &v))
		return lower_common(w, st, &st->ops[0], v);
	if (is_grid_barrier(o) && !cvta && bits == 32)
		return lower_grid_barrier(w, st);
	if (ptx_is_reserved(o) && w->has_reserved && bits == 32)
		return lower_known(w, st, op, bits, w->reserved);
	if (f && !cvta && bits == 64)
		return lower_known(w, st, op, bits, ptx_function_address(w->p, f));
	if (!o->name && !cvta && (sreg < SREG_COUNT || (o->len == 7 && !memcmp(o->s, "WARP_SZ", 7))))
		return lower_special(w, st, op, sreg);
	if (o->name && o->name->kind == NAME_PARAM && (!cvta || cvta == SPACE_PARAM))
		return lower_mov_param(w, st, cvta ? OP_MOV_64 : op, cvta ? PARAM_WINDOW : 0);
	v = ptx_variable(w, o);
	if (!v)
		return false;
	if (v->space == SPACE_GLOBAL ? bits != 64 : bits < 32)
		return ptx_fail(w->p, PTX_AT(o), "'%s' has %u bits, but '%s' moves %u", ptx_shown(o->s, o->len),
				v->space == SPACE_GLOBAL ? 64 : 32, st->op, bits);
	if (!cvta && !strncmp(st->op, "cvta.", 5))
		return ptx_fail(w->p, PTX_AT(o), "'%s' takes a register that holds a generic address", st->op);
	if (cvta && v->space != cvta)
		return ptx_fail(w->p, PTX_AT(o), "'%s' is not in the memory space that '%s' names",
				ptx_shown(o->s, o->len), st->op);
	c = ptx_emit(w, st, cvta ? OP_MOV_64 : op, ptx_op_class[op]);
	c->in.nsrc = 1;
	c->in.src[0] = ptx_symbol_address(w, v, o->addend + (i64)(cvta && cvta != SPACE_GLOBAL ? ptx_window(cvta) : 0));
	return !w->p->failed && ptx_destination(w, c, &st->ops[0], bits, bits);
}

/* mov of {a, b, ...} into one register: one instruction. */
static bool lower_pack(struct ptx_work *w, const struct ptx_stmt *st, u32 bits)
{
	const struct ptx_operand *v = &st->ops[1];
	u16 op = bits == 32 ? OP_PACK_32 : v->n == 2 ? OP_PACK_64 : OP_PACK_64_4;
	struct ptx_code *c = ptx_emit(w, st, op, ptx_op_class[op]);

	for (u32 i = 0; i < v->n; i++)
		if (!ptx_source(w, c, &v->item[i], bits / v->n, 'b'))
			return false;
	return ptx_destination(w, c, &st->ops[0], bits, bits);
}

/* mov of one register into {a, b, ...}: an instruction for each piece, whose text leaves the others out. */
static bool lower_unpack(struct ptx_work *w, const struct ptx_stmt *st, u32 bits)
{
	const struct ptx_operand *v = &st->ops[0];
	u16 first = bits == 32 ? OP_PART_32_0 : v->n == 2 ? OP_PART_64_0 : OP_QUARTER_0;
	const struct ptx_operand *from = &st->ops[1];

	for (u32 i = 0; i < v->n; i++) {
		struct ptx_stmt *as;
		u16 op = (u16)(first + i);
		struct ptx_code *c;

		if (ptx_is_sink(&v->item[i]))
			continue;
		as = ptx_stmt_with(w, st, st->ops, 2);
		as->ops[0].item = arena_alloc(w->arena, v->n * sizeof(*v));
		for (u32 k = 0; k < v->n; k++)
			as->ops[0].item[k] = (struct ptx_operand){.kind = PTX_NAME, .s = "_", .len = 1};
		as->ops[0].item[i] = v->item[i];
		c = ptx_emit(w, as, op, ptx_op_class[op]);
		if (!ptx_destination(w, c, &v->item[i], bits / v->n, bits / v->n) || !ptx_source(w, c, from, bits, 'b'))
			return false;
	}
	return true;
}

/* mov between a vector and one register. */
static bool lower_mov_vector(struct ptx_work *w, const struct ptx_stmt *st, u16 op)
{
	bool unpack = st->ops[0].kind == PTX_VECTOR;
	const struct ptx_operand *v = &st->ops[!unpack];
	u32 bits = ptx_letter_bits(ptx_op_signature[op][0]);

	if (v->n == 1 || v->n == 3 || (bits / v->n != 32 && bits / v->n != 16))
		return ptx_fail(
			w->p, PTX_AT(v),
			"a vector of %u elements does not make %u bits (supported: 2 of 16 or 32 bits, 4 of 16 bits)",
			v->n, bits);
	return unpack ? lower_unpack(w, st, bits) : lower_pack(w, st, bits);
}

/* Every mov, and cvta between the generic and the global space. */
bool ptx_lower_mov(struct ptx_work *w, const struct ptx_stmt *st)
{
	const struct ptx_form *f = ptx_form_find(w->p, st->op, (u32)strlen(st->op));
	const struct ptx_operand *a = &st->ops[1];

	if (!f && !strncmp(st->op, "cvta", 4))
		return ptx_refuse(
			w->p, PTX_AT(st),
			"'%s' is not supported: only 64-bit addresses are converted, by cvta{.to}.{global,shared,local,const,param}.u64",
			ptx_shown_text(st->op));
	if (!f)
		return ptx_unknown_opcode(w->p, st);
	if (!ptx_operand_count(w->p, st, 2, 2))
		return false;
	if (st->ops[0].kind == PTX_VECTOR || a->kind == PTX_VECTOR)
		return lower_mov_vector(w, st, f->op);
	if (a->kind == PTX_NAME)
		return lower_mov_name(w, st, f->op);
	if (f->op == OP_PMOV && a->kind == PTX_INT) {
		struct ptx_operand ops[3] = {st->ops[0], ptx_number(a->value != 0, a), ptx_number(0, a)};

		return ptx_lower_as(w, st, "setp.ne.s32", 3, ops);
	}
	return ptx_lower_plain(w, st, f->op);
}
