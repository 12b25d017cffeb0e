/*
 * idempotence_flow.c - where the accesses of a PTX kernel may go: a forward may-analysis to a fixed point on registers.
 *
 * Each register has a set of what its value may be (MAY_*), at the beginning of each straight piece of code; where
 * pieces meet the sets are joined, until none grows. An argument is what the launch gives: the address of a buffer or a
 * number. A number added to an address, or taken from it, leaves it in its buffer; so do moves; a selection may be
 * either. Whatever else is made of an address may be anything: two addresses added, a part of one, a product.
 * What memory held is no known address: with it alone as its address, an access may go anywhere. As soon as the kernel
 * lets addresses out of its registers, into memory or to other lanes, all that comes from there may be anything, even
 * the difference of two buffers. The slots of spilled registers are registers, behind the others. Sets are of the code,
 * so of all threads at once, in whatever order they run.
 */
#include "idempotence_internal.h"

#include "spill.h"
#include "store.h"
#include "texture.h"

struct flow {
	const struct program *p;
	const struct launch *l;
	const struct kernel *k;
	u32 *piece;  /* by PC: number of the piece that begins there, from 1; 0: none does */
	u64 *state;  /* [piece - 1][register]: sets at its beginning */
	u8 *dirty;   /* by piece: to be gone through */
	u8 *reached; /* by piece */
	u64 *now;    /* by register: at the instruction */
	u32 npiece, regs;
	bool spread; /* addresses have left registers */
	struct reaches *r;
};

/* What a 64-bit number may be, a handle of a texture stands for its data: the buffers named are numbered as they are
 * met; beyond MAY_BUFFERS: anything. */
static u64 may_be(struct flow *f, u64 value)
{
	const struct texture *t = value >= STORE_GLOBAL_BASE ? texture_at(f->p, value) : NULL;
	const struct buffer *b =
		value >= STORE_GLOBAL_BASE ? program_buffer_at(f->p, t ? t->address : value, NULL) : NULL;
	u32 index = b ? (u32)(b - f->p->buffer) : 0, i = 0;

	if (!b)
		return value - SHARED_WINDOW < WINDOWS_END - SHARED_WINDOW ? MAY_WINDOW : MAY_NUMBER;
	while (i < f->r->nbuffer && f->r->buffer[i] != index)
		i++;
	if (i == MAY_BUFFERS)
		return MAY_ANY;
	f->r->buffer[i] = index;
	f->r->nbuffer = max_u32(f->r->nbuffer, i + 1);
	return MAY_BUFFER(i);
}

/* An operand of 64 bits. */
static u64 wide(struct flow *f, const struct operand *o)
{
	if (o->kind == OPERAND_REG)
		return f->now[o->value] | f->now[o->value + 1];
	return o->kind == OPERAND_IMM ? may_be(f, f->k->imm[o->value]) : MAY_NUMBER;
}

/* What is made of an address in a way that is not followed. */
static u64 lost(u64 may)
{
	return may & ~MAY_NUMBER ? MAY_ANY : MAY_NUMBER;
}

/* A sum: one of the two must be a number. */
static u64 sum(u64 a, u64 b)
{
	u64 out = (a & MAY_NUMBER ? b : 0) | (b & MAY_NUMBER ? a : 0);

	return a & ~MAY_NUMBER && b & ~MAY_NUMBER ? out | MAY_ANY : out;
}

/* All that an instruction reads, joined. */
static u64 all_read(struct flow *f, const struct inst *in)
{
	u64 may = MAY_NUMBER;

	for (u32 i = 0; i < in->nread; i++)
		may |= f->now[in->read[i]];
	for (u32 i = 0; i < in->nsrc; i++)
		if (in->src[i].kind == OPERAND_IMM)
			may |= may_be(f, f->k->imm[in->src[i].value]);
	return may;
}

/* The product of a multiplication and addition, of one of 32 bits each. */
static u64 product(const struct flow *f, const struct inst *in)
{
	u64 may = MAY_NUMBER;

	for (u32 i = 0; i < 2; i++)
		if (in->src[i].kind == OPERAND_REG)
			may |= f->now[in->src[i].value];
	return lost(may);
}

/* What comes from memory or from other lanes. */
static u64 from_outside(const struct flow *f)
{
	return f->spread ? MAY_ANY : MAY_NUMBER;
}

/* Element i of a load of parameters: what the launch gives. A part of an address may be anything. */
static u64 argument(struct flow *f, const struct inst *in, u32 i)
{
	u32 n = f->k->param_bytes, width = in->width;
	u64 at, value, may = MAY_NUMBER;

	if (in->src[0].kind != OPERAND_IMM)
		return MAY_ANY;
	at = f->k->imm[in->src[0].value] + (u64)(i64)in->offset + (u64)i * width;
	if (at > n || n - at < width)
		return MAY_ANY;
	if (width == 8) {
		memcpy(&value, f->l->param + at, 8);
		may = may_be(f, value);
	}
	for (u64 from = at < 7 ? 0 : at - 7; from < at + width && from + 8 <= n; from++) {
		memcpy(&value, f->l->param + from, 8);
		if (width < 8)
			may |= lost(may_be(f, value));
	}
	return may;
}

/* The value of an instruction's result. */
static u64 result(struct flow *f, const struct inst *in)
{
	switch (in->op) {
	case OP_LD:
	case OP_ATOM: return from_outside(f);
	case OP_TEX:
	case OP_TLD4: return from_outside(f);
	case OP_SUADDR:
	case OP_MOV_64: return wide(f, &in->src[0]);
	case OP_ADD_64: return sum(wide(f, &in->src[0]), wide(f, &in->src[1]));
	case OP_SUB_64: return sum(wide(f, &in->src[0]), lost(wide(f, &in->src[1])));
	case OP_MAD_WIDE_S32:
	case OP_MAD_WIDE_U32: return sum(product(f, in), wide(f, &in->src[2]));
	case OP_MAD_LO_64: return sum(lost(wide(f, &in->src[0]) | wide(f, &in->src[1])), wide(f, &in->src[2]));
	case OP_SELP_64:
	case OP_SLCT_64:
	case OP_SLCT_64_F: return wide(f, &in->src[0]) | wide(f, &in->src[1]);
	case OP_CVTA_SHARED:
	case OP_CVTA_LOCAL:
	case OP_CVTA_CONST:
	case OP_CVTA_PARAM: return all_read(f, in) == MAY_NUMBER ? MAY_WINDOW : MAY_ANY;
	default:
		if (in->meet != MEET_NONE)
			return from_outside(f);
		return lost(all_read(f, in));
	}
}

/* Does an instruction let an address out of registers: stored, or given to other lanes? */
static bool lets_out(struct flow *f, const struct inst *in)
{
	u64 may = MAY_NUMBER;

	if (in->op == OP_ST || in->op == OP_ATOM) {
		u32 elements = in->op == OP_ST ? in->vec : in->nsrc - 1u;

		for (u32 i = 1; i <= elements && i < in->nsrc; i++)
			may |= in->width == 8 || in->src[i].kind != OPERAND_REG ? wide(f, &in->src[i])
										: f->now[in->src[i].value];
	} else if (in->meet != MEET_NONE) {
		may = all_read(f, in);
	}
	return may & ~MAY_NUMBER;
}

/* A register gets a value; where the guard may hold it back, it may keep the one that it has. */
static void put(struct flow *f, const struct inst *in, u32 reg, u64 may)
{
	f->now[reg] = in->guard.kind == OPERAND_NONE ? may : f->now[reg] | may;
}

/* The results of a load of parameters: each its element's, unless some have no register or a wider one. */
static void take_arguments(struct flow *f, const struct inst *in)
{
	u32 words = in->width == 8 ? 2 : 1;
	u64 any = 0;

	for (u32 i = 0; i < in->vec; i++)
		any |= argument(f, in, i);
	for (u32 i = 0; i < in->nwrite; i++)
		put(f, in, in->write[i], in->nwrite == in->vec * words ? argument(f, in, i / words) : any);
}

/* A spilled register goes into its slot, or comes from there. */
static void move_slot(struct flow *f, const struct inst *in)
{
	u32 slot = f->regs - f->k->spill.bytes / 4 + ((u32)in->offset - kernel_slots(f->k)) / 4;

	for (u32 i = 0; i < in->width / 4u; i++)
		if (in->op == OP_ST)
			put(f, in, slot + i, f->now[in->src[1].value + i]);
		else
			put(f, in, in->dst[0].value + i, f->now[slot + i]);
}

/* One instruction: its access, then its results. */
static void step(struct flow *f, const struct inst *in)
{
	u64 may;

	if (inst_global(in))
		f->r->may[in - f->k->inst] |= wide(f, &in->src[0]);
	if (!f->spread && !inst_spills(in) && lets_out(f, in)) {
		f->spread = true;
		memcpy(f->dirty, f->reached, f->npiece);
	}
	if (in->op == OP_LD && in->space == SPACE_PARAM) {
		take_arguments(f, in);
		return;
	}
	if (inst_spills(in)) {
		move_slot(f, in);
		return;
	}
	may = in->nwrite ? result(f, in) : 0;
	for (u32 i = 0; i < in->nwrite; i++)
		put(f, in, in->write[i], may);
}

/* The code goes on at pc with what registers are now. */
static void join(struct flow *f, u32 pc)
{
	u32 b = pc < f->k->ninst ? f->piece[pc] : 0;
	u64 *state;
	bool grows;

	if (!b--)
		return;
	state = f->state + (size_t)b * f->regs;
	grows = !f->reached[b];
	for (u32 i = 0; i < f->regs; i++) {
		grows |= (f->now[i] & ~state[i]) != 0;
		state[i] |= f->now[i];
	}
	f->reached[b] = 1;
	f->dirty[b] |= grows;
}

/* Go through the piece that begins at pc, to where it hands over. */
static void go_through(struct flow *f, u32 pc)
{
	u32 b = f->piece[pc] - 1;
	bool ends = false;

	f->dirty[b] = 0;
	memcpy(f->now, f->state + (size_t)b * f->regs, f->regs * sizeof(u64));
	do {
		const struct inst *in = &f->k->inst[pc++];

		step(f, in);
		if (in->op == OP_BRA)
			join(f, in->target);
		ends = (in->op == OP_BRA || in->op == OP_EXIT) && !inst_falls(f->k, in);
	} while (!ends && pc < f->k->ninst && !f->piece[pc]);
	if (!ends)
		join(f, pc);
}

/* Number the pieces: at the entry, and wherever a branch may lead. */
static void cut(struct flow *f)
{
	const struct kernel *k = f->k;

	f->piece = xcalloc(k->ninst + 1ULL, sizeof(u32));
	f->piece[0] = 1;
	for (u32 pc = 0; pc < k->ninst; pc++)
		if (k->inst[pc].op == OP_BRA)
			f->piece[min_u32(k->inst[pc].target, k->ninst)] = 1;
	for (u32 pc = 0; pc < k->ninst; pc++)
		if (f->piece[pc])
			f->piece[pc] = ++f->npiece;
}

/* Is a piece left that must be gone through again? One round over them. */
static bool round_over(struct flow *f)
{
	bool again = false;

	for (u32 pc = 0; pc < f->k->ninst; pc++)
		if (f->piece[pc] && f->dirty[f->piece[pc] - 1]) {
			go_through(f, pc);
			again = true;
		}
	return again;
}

void reaches_find(const struct program *p, const struct launch *l, struct reaches *r)
{
	struct flow f = {.p = p, .l = l, .k = l->kernel, .r = r};

	if (!f.k->ninst)
		return;
	f.regs = f.k->regs + 2 + f.k->spill.bytes / 4;
	cut(&f);
	f.state = xcalloc((size_t)f.npiece * f.regs, sizeof(u64));
	f.dirty = xcalloc(f.npiece, 1);
	f.reached = xcalloc(f.npiece, 1);
	f.now = xcalloc(f.regs, sizeof(u64));
	for (u32 i = 0; i < f.regs; i++)
		f.now[i] = MAY_NUMBER;
	join(&f, 0);
	while (round_over(&f))
		;
	free(f.piece);
	free(f.state);
	free(f.dirty);
	free(f.reached);
	free(f.now);
}
