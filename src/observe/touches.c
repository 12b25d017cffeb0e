/* touches.c - lanes, addresses and values of an instruction that was performed (touches.h). */
#include "touches.h"

/* The space of a generic access of a lane, where the lanes' differ. */
static u8 mixed_space(const struct performed *p, u32 lane)
{
	static const u8 window[] = {SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_PARAM};
	u32 word;
	u64 at;

	if (!(p->result->aside >> lane & 1))
		return SPACE_GLOBAL;
	if (p->in->src[0].kind != OPERAND_REG || inst_result_register(p->in, p->in->src[0].value, &word) != MAX_DST)
		return SPACE_NONE;
	at = touch_source(p, 0, 2, lane) + (u64)(i64)p->in->offset - SHARED_WINDOW;
	return at < WINDOWS_END - SHARED_WINDOW ? window[at / WINDOW_BYTES] : SPACE_NONE;
}

u8 touch_space(const struct performed *p, u32 lane)
{
	if (p->in->op == OP_LDMATRIX)
		return lane < 8u * p->in->vec ? SPACE_SHARED : SPACE_NONE;
	if (p->in->space != SPACE_GENERIC)
		return touched_space(p->in);
	return p->result->window == SPACE_GENERIC ? mixed_space(p, lane) : p->result->window;
}

u64 touch_address(const struct performed *p, u32 lane, u32 *bytes)
{
	if (p->in->op == OP_LDMATRIX) {
		*bytes = 16;
		return p->result->address[lane * 4 / p->in->vec];
	}
	*bytes = inst_access_bytes(p->in);
	return p->in->op == OP_COPY ? p->result->to[lane] : p->result->address[lane];
}

u64 touch_source(const struct performed *p, u32 source, u32 words, u32 lane)
{
	const struct operand o = p->in->src[source];
	const u32 *r = p->env->regs + (u32)o.value * WARP_LANES;

	switch (o.kind) {
	case OPERAND_REG: return r[lane] | (words == 2 ? (u64)r[WARP_LANES + lane] << 32 : 0);
	case OPERAND_IMM:
		return words == 2 ? p->env->launch->kernel->imm[o.value] : (u32)p->env->launch->kernel->imm[o.value];
	case OPERAND_PRED: return (p->env->preds[o.value] >> lane & 1) ^ (o.negate != 0);
	default: return 0;
	}
}

u64 touch_stored(const struct performed *p, u32 lane, u32 at, u32 n)
{
	u8 bytes[32] = {0};
	u64 v = 0;

	for (u32 e = 0; p->in->op == OP_COPY && e < 16; e++)
		bytes[e] = e < inst_access_bytes(p->in) ? p->env->shared[p->result->to[lane] + e] : 0;
	for (u32 e = 0; p->in->op != OP_COPY && e < p->in->vec; e++) {
		u64 x = touch_source(p, 1 + e, p->in->width == 8 ? 2 : 1, lane);

		memcpy(bytes + e * p->in->width, &x, p->in->width);
	}
	memcpy(&v, bytes + at, n);
	return v;
}
