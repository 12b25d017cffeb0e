/*
 * ptx_pointers.c - guesses for people: which parameters are pointers, and to what; which fields a struct has.
 *
 * A value loaded from a parameter is followed through moves, cvta and 64-bit additions, in the order of the code; where
 * it is the address of an access, its parameter is a pointer to the type accessed; where a fetch or an access to a
 * surface is given it, the handle of an object. Nothing is executed by these
 * guesses: they serve messages and the skeleton scenario.
 */

#include "ptx_internal.h"
#include "texture.h"

#define MAX_FIELDS 4096u

/* The field at an offset of a parameter: known, or added; PTX_NONE when there are too many. */
static u32 field_at(struct ptx_work *w, u32 param, u32 offset, const struct ptx_type *type)
{
	struct kernel *k = w->k;

	for (u32 i = 0; i < k->nfield; i++)
		if (k->field[i].param == param && k->field[i].offset == offset)
			return i;
	if (k->nfield == MAX_FIELDS)
		return PTX_NONE;
	k->field = xrealloc(k->field, (k->nfield + 1) * sizeof(*k->field));
	k->field[k->nfield] =
		(struct kernel_field){.param = param, .offset = offset, .type = type->value, .element = VALUE_BYTES};
	return k->nfield++;
}

/* The type that an opcode ends with, or NULL. */
static const struct ptx_type *type_of(const struct ptx_code *c)
{
	const char *dot = strrchr(c->st->op, '.');

	return dot ? ptx_type_find(dot, (u32)strlen(dot)) : NULL;
}

/* Where addresses come from, and which registers floating-point instructions read or write. */
struct origins {
	u32 *of; /* by register: 1 + index of a field, 0 none */
	u8 *is_float;
};

/* Fill is_float: by register, whether an instruction that computes with floating point reads or writes it. */
static void find_floats(const struct ptx_work *w, u8 *is_float)
{
	for (u32 i = 0; i < w->ncode; i++) {
		const struct inst *in = &w->code[i].in;
		const struct ptx_type *type = type_of(&w->code[i]);

		if (!type || type->letter != 'f')
			continue;
		for (u32 s = 0; s < in->nsrc; s++)
			if (in->src[s].kind == OPERAND_REG)
				is_float[in->src[s].value] = 1;
		for (u32 d = 0; d < in->ndst; d++)
			if (in->dst[d].kind == OPERAND_REG)
				is_float[in->dst[d].value] = 1;
	}
}

/* The type of an access: an untyped one is of the registers' use. */
static u8 element_of(const struct origins *known, const struct ptx_code *c)
{
	const struct ptx_type *type = type_of(c);
	const struct operand *o = c->in.op == OP_LD ? &c->in.dst[0] : &c->in.src[1];

	if (!type)
		return VALUE_BYTES;
	if (type->letter != 'b' || type->bits < 32 || o->kind != OPERAND_REG || !known->is_float[o->value])
		return type->value;
	return type->bits == 32 ? VALUE_F32 : VALUE_F64;
}

/* The parameter that holds byte `at`, nparam: none. They lie in their order. */
static u32 param_at(const struct kernel *k, u64 at)
{
	u32 low = BISECT(i, k->nparam, k->param[i].offset <= at);

	return low && at - k->param[low - 1].offset < k->param[low - 1].size ? low - 1 : k->nparam;
}

/* Fields that a ld.param reads; the register of an 8-byte one comes from there. */
static void follow_param(struct ptx_work *w, const struct ptx_code *c, u32 *origin)
{
	const struct inst *in = &c->in;
	const struct ptx_type *type = type_of(c);
	const struct kernel *k = w->k;
	u64 at = in->src[0].kind == OPERAND_IMM ? w->imm[in->src[0].value] + (u64)(i64)in->offset : UINT64_MAX;
	u32 param = param_at(k, at);

	for (u32 i = 0; i < in->vec && type && param < k->nparam; i++) {
		u32 field = field_at(w, param, (u32)at - k->param[param].offset + i * in->width, type);

		if (field != PTX_NONE && in->dst[i].kind == OPERAND_REG)
			origin[in->dst[i].value] = in->width == 8 ? field + 1 : 0;
	}
}

/* The origin of the first source that has one. */
static u32 source_origin(const struct inst *in, const u32 *origin)
{
	for (u32 i = 0; i < in->nsrc; i++)
		if (in->src[i].kind == OPERAND_REG && origin[in->src[i].value])
			return origin[in->src[i].value];
	return 0;
}

/* What the first source is the handle of, 0: it is none. */
static u8 object_of(const struct inst *in)
{
	if (op_is_fetch(in->op) || in->op == OP_TXQ)
		return in->op == OP_TXQ && in->aux & QUERY_SURFACE ? PARAM_SURFACE : PARAM_TEXTURE;
	return in->op == OP_SUADDR ? PARAM_SURFACE : 0;
}

/* One instruction: an origin goes on to its result, or is found to be a pointer. */
static void follow(struct ptx_work *w, const struct ptx_code *c, const struct origins *known)
{
	u32 *origin = known->of;
	const struct inst *in = &c->in;
	bool copy = in->op == OP_COPY;
	bool access = (copy || in->op == OP_LD || in->op == OP_ST || in->op == OP_ATOM) &&
		      in->src[0].kind == OPERAND_REG && (in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC);
	u32 from = access ? origin[in->src[0].value] : source_origin(in, origin);
	struct kernel_field *f = from ? &w->k->field[from - 1] : NULL;
	u8 object = object_of(in);

	if (in->op == OP_LD && in->space == SPACE_PARAM) {
		follow_param(w, c, origin);
		return;
	}
	if (f && (access || !strncmp(c->st->op, "cvta.to.global", 14)))
		f->pointer = 1;
	if (f && object && in->op != OP_TXQ)
		f->shape = TEX_SHAPE(in->aux);
	if (f && object)
		f->object = object;
	if (f && access && !copy && f->element == VALUE_BYTES)
		f->element = element_of(known, c);
	for (u32 i = 0; i < in->ndst; i++)
		if (in->dst[i].kind == OPERAND_REG)
			origin[in->dst[i].value] = 0;
	if (in->ndst == 1 && in->dst[0].kind == OPERAND_REG &&
	    (in->op == OP_MOV_64 || in->op == OP_ADD_64 || in->op == OP_MAD_WIDE_S32 || in->op == OP_MAD_WIDE_U32 ||
	     in->op == OP_SELP_64 || in->op == OP_MAD_LO_64))
		origin[in->dst[0].value] = from;
}

/* Fill kernel.field, and pointer and element of the parameters. */
void ptx_pointers(struct ptx_work *w)
{
	struct origins known = {arena_alloc(w->arena, (w->nreg + 1) * sizeof(u32)), arena_alloc(w->arena, w->nreg + 1)};
	struct kernel *k = w->k;

	for (u32 i = 0; i < k->nparam; i++)
		k->param[i].element = VALUE_BYTES;
	find_floats(w, known.is_float);
	for (u32 i = 0; i < w->ncode; i++)
		follow(w, &w->code[i], &known);
	for (u32 i = 0; i < k->nfield; i++) {
		struct kernel_param *p = &k->param[k->field[i].param];

		if (k->field[i].offset || p->type == VALUE_BYTES)
			continue;
		p->pointer |= k->field[i].pointer;
		p->element = k->field[i].element;
		p->object = k->field[i].object;
		p->shape = k->field[i].shape;
	}
}
