/*
 * exec_carry.c - integer arithmetic with a carry that goes in, out, or both.
 *
 * The condition code is a predicate like any other, and one flag for both directions: a subtraction adds the
 * complement, so that its carry is set where nothing was borrowed, as on the hardware. After 5 - 3 by sub.cc, addc.u32
 * 0, 0 is 1; after an add.cc without carry, subc.u32 0, 0 is -1. Lane by lane: such instructions are rare in kernels.
 * Source: PTX ISA 8.x, section 9.7.2 (add.cc, addc, sub.cc, subc, mad.cc, madc).
 */
#include "exec_internal.h"

/* One lane's operands and its result with what is carried out of it. */
struct carry_lane {
	u64 a, b, c;
	u64 value;
	bool in, out;
};

/* x + y + carry in n bits. */
static void carry_add(struct carry_lane *v, u64 x, u64 y, u32 bits)
{
	unsigned __int128 sum = (unsigned __int128)x + y + v->in;

	v->value = (u64)sum;
	v->out = sum >> bits & 1;
}

/* The high n bits of a product. */
static u64 carry_high(u64 a, u64 b, u32 bits, bool is_signed)
{
	if (bits == 32)
		return is_signed ? (u32)((u64)((i64)(i32)a * (i32)b) >> 32) : a * b >> 32;
	return is_signed ? (u64)((__int128)(i64)a * (i64)b >> 64) : (u64)((unsigned __int128)a * b >> 64);
}

/* a - b, less 1 without carry. */
static void carry_subtract(struct carry_lane *v)
{
	v->value = v->a - v->b - !v->in;
	v->out = v->a > v->b || (v->a == v->b && v->in);
}

static void carry_compute(u16 op, struct carry_lane *v)
{
	switch (op) {
	case OP_ADDC_32: carry_add(v, v->a, v->b, 32); break;
	case OP_ADDC_64: carry_add(v, v->a, v->b, 64); break;
	case OP_SUBC_32:
	case OP_SUBC_64: carry_subtract(v); break;
	case OP_MADC_LO_32: carry_add(v, (u32)(v->a * v->b), v->c, 32); break;
	case OP_MADC_LO_64: carry_add(v, v->a * v->b, v->c, 64); break;
	case OP_MADC_HI_S32: carry_add(v, carry_high(v->a, v->b, 32, true), v->c, 32); break;
	case OP_MADC_HI_U32: carry_add(v, carry_high(v->a, v->b, 32, false), v->c, 32); break;
	case OP_MADC_HI_S64: carry_add(v, carry_high(v->a, v->b, 64, true), v->c, 64); break;
	default: carry_add(v, carry_high(v->a, v->b, 64, false), v->c, 64); break;
	}
}

void carry_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	bool subtracts = in->op == OP_SUBC_32 || in->op == OP_SUBC_64;
	u32 n = in->op >= OP_MADC_LO_32 ? 3 : 2, carry_in = subtracts ? ~0u : 0, carry_out = 0;
	bool wide = in->op == OP_ADDC_64 || in->op == OP_SUBC_64 || in->op == OP_MADC_LO_64 ||
		    in->op == OP_MADC_HI_S64 || in->op == OP_MADC_HI_U64;
	struct lane_operand room[4], out;
	const u32 *s[3] = {NULL};

	for (u32 k = 0; k < n; k++)
		s[k] = exec_source(env, in, k, wide ? 'd' : 'w', &room[k]);
	if (in->nsrc > n && in->src[n].kind == OPERAND_PRED)
		carry_in = *exec_source(env, in, n, 'p', &room[3]);
	for (u32 l = 0; l < WARP_LANES; l++) {
		struct carry_lane v = {.in = carry_in >> l & 1};
		u64 *const operand[3] = {&v.a, &v.b, &v.c};

		for (u32 k = 0; k < n; k++)
			*operand[k] = s[k][l] | (wide ? (u64)s[k][WARP_LANES + l] << 32 : 0);
		carry_compute(in->op, &v);
		out.word[l] = (u32)v.value;
		out.word[WARP_LANES + l] = (u32)(v.value >> 32);
		carry_out |= (u32)v.out << l;
	}
	exec_register_write(env, in->dst[0], out.word, wide ? 2 : 1, r->mask);
	if (in->ndst > 1)
		exec_predicate_write(env, in->dst[1], carry_out, r->mask);
}
