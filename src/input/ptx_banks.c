/*
 * ptx_banks.c - in which bank a register should be: that of the even or of the odd numbers (ptx.schedule).
 *
 * An instruction waits for the bank that has most of its operands, and two in a row for the one that has most of both;
 * an operand that the register cache holds (reuse.c) costs nothing. Each instruction and each pair of neighbours counts
 * as often as the loops around it suggest. Beginning with the numbers of the scan, one register after the other moves
 * to the other bank if that makes the sum smaller, to a number that is free while it lives or in exchange for another
 * register's, until none does or PASSES are over; a register of 64 bits is in both. No more registers are taken.
 * Sources: maxas' wiki, SGEMM, "Calculating C: Register Banks and Reuse" (ptxas spreads the operands of an instruction
 * over the banks); Zhuang and Pande, "Resolving Register Bank Conflicts for a Network Processor", PACT 2003 (banks
 * chosen before registers). Deviations: which registers ptxas gives is not published; two banks of a sub-core are
 * assumed, as on GPUs since Volta.
 */
#include "ptx_internal.h"

#define PASSES 3u
#define TRIES 8u /* numbers that a register tries in a pass */
#define BOTH 3	 /* a pair is in both banks: a bit each */

/* An operand of an instruction that has a place in the register cache. */
struct place {
	u8 back;  /* instructions back to the one before that reads at this position; 0: none within its reach */
	u8 reach; /* instructions back over which its register stays what it is, within its block */
};

struct banks {
	struct ptx_work *w;
	const u32 *often;		     /* by instruction: how often it counts */
	u8 *of;				     /* by dense register: banks, a bit each */
	struct place (*place)[REUSE_PLACES]; /* by instruction */
	u32 *reader, *more; /* by dense register and by operand, 1 + instruction * MAX_SRC + operand: who reads it, and
			       who else */
	u32 *has, *next;    /* by number: who has it at some time: 2 * register + word, and who else */
	u32 *seen, look;    /* by instruction: the last sum that it was in */
};

static bool reads_at(const struct inst *in, u32 k)
{
	return k < in->nsrc && in->src[k].kind == OPERAND_REG && (in->class < CLASS_CONST || in->class > CLASS_SHSTORE);
}

static bool writes(const struct inst *in, u16 reg)
{
	for (u32 d = 0; d < in->ndst; d++)
		if (in->dst[d].kind == OPERAND_REG && in->dst[d].value == reg)
			return true;
	return false;
}

static struct place place_of(const struct ptx_work *w, u32 i, u32 k)
{
	u16 reg = w->code[i].in.src[k].value;
	struct place x = {0};

	for (u32 d = 1; d <= min_u32(REUSE_REACH, i) && w->block_of[i - d] == w->block_of[i]; d++) {
		if (x.reach == d - 1 && !writes(&w->code[i - d].in, reg))
			x.reach = (u8)d;
		if (!x.back && reads_at(&w->code[i - d].in, k))
			x.back = (u8)d;
	}
	return x;
}

/* Does the register cache hold operand k of instruction i, in a bank? */
static bool is_held(const struct banks *b, u32 i, u32 k, u8 bank)
{
	const struct ptx_code *code = b->w->code;

	for (u32 j = i; k < REUSE_PLACES && b->place[j][k].back;) {
		j -= b->place[j][k].back;
		if (i - j > b->place[i][k].reach)
			break;
		if (b->of[code[j].in.src[k].value] & bank)
			return code[j].in.src[k].value == code[i].in.src[k].value;
	}
	return false;
}

/* The reads that each bank has to serve for an instruction. */
static void serve(const struct banks *b, u32 i, u32 n[2])
{
	const struct inst *in = &b->w->code[i].in;

	n[0] = n[1] = 0;
	for (u32 k = 0; k < in->nsrc; k++)
		for (u32 bank = 0; in->src[k].kind == OPERAND_REG && bank < 2; bank++)
			n[bank] += b->of[in->src[k].value] >> bank & 1 && !is_held(b, i, k, (u8)(1 << bank));
}

/* What instructions [from, to) cost that are not in this sum yet. */
static u64 cost(struct banks *b, u32 from, u32 to)
{
	u32 n[2], before[2] = {0, 0}, served = PTX_NONE; /* the instruction that `before` is of */
	u64 sum = 0;

	for (u32 i = from; i < to; i++) {
		if (b->seen[i] == b->look)
			continue;
		if (i && served != i - 1)
			serve(b, i - 1, before);
		serve(b, i, n);
		sum += (u64)b->often[i] * (max_u32(n[0], n[1]) + max_u32(n[0] + before[0], n[1] + before[1]));
		b->seen[i] = b->look;
		memcpy(before, n, sizeof(n));
		served = i;
	}
	return sum;
}

/* What the instructions cost on which the banks of one or two registers (PTX_NONE: none) have a bearing. */
static u64 cost_of(struct banks *b, u32 reg, u32 other)
{
	u64 sum = 0;

	b->look++;
	for (; reg != PTX_NONE; reg = other, other = PTX_NONE)
		for (u32 e = b->reader[reg]; e; e = b->more[e - 1]) {
			u32 at = (e - 1) / MAX_SRC;

			sum += cost(b, at, min_u32(at + REUSE_REACH + 2, b->w->ncode));
		}
	return sum;
}

/* A general register that is alive somewhere. */
static bool is_placed(const struct ptx_work *w, u32 reg)
{
	return ptx_file_of(w, reg) == FILE_REGS && w->range[reg].start <= w->range[reg].end;
}

/* Which instructions read which register, and what the register cache may hold of it. */
static void find_reads(struct banks *b)
{
	struct ptx_work *w = b->w;

	b->reader = arena_alloc(w->arena, (w->nreg + 1) * sizeof(*b->reader));
	b->more = arena_alloc(w->arena, (w->ncode * MAX_SRC + 1) * sizeof(*b->more));
	b->place = arena_alloc(w->arena, (w->ncode + 1) * sizeof(*b->place));
	for (u32 i = 0; i < w->ncode; i++)
		for (u32 k = 0; k < w->code[i].in.nsrc; k++) {
			const struct operand *o = &w->code[i].in.src[k];

			if (o->kind != OPERAND_REG)
				continue;
			b->more[i * MAX_SRC + k] = b->reader[o->value];
			b->reader[o->value] = 1 + i * MAX_SRC + k;
			if (k < REUSE_PLACES && reads_at(&w->code[i].in, k))
				b->place[i][k] = place_of(w, i, k);
		}
}

/* Enter word `word` of a register among those that have number `at` at some time. */
static void enter(struct banks *b, u32 reg, u32 word, u32 at)
{
	b->next[2 * reg + word] = b->has[at];
	b->has[at] = 2 * reg + word;
}

/* Give a register of 32 bits another number. */
static void move(struct banks *b, u32 reg, u32 to)
{
	u32 *at = &b->has[b->w->phys[reg]];

	while (*at != 2 * reg)
		at = &b->next[*at];
	*at = b->next[2 * reg];
	enter(b, reg, 0, to);
	b->w->phys[reg] = (u16)to;
	b->of[reg] = (u8)(1 << to % 2);
}

/* Who has number `at` during the life of a register, but for one that leaves it: nobody (*one is PTX_NONE), or one
 * register of 32 bits; false: others. */
static bool is_free_but(const struct banks *b, u32 at, u32 reg, u32 leaves, u32 *one)
{
	const struct ptx_range *range = b->w->range;

	*one = PTX_NONE;
	for (u32 e = b->has[at]; e != PTX_NONE; e = b->next[e]) {
		u32 r = e / 2;

		if (r == leaves || range[r].start > range[reg].end || range[reg].start > range[r].end)
			continue;
		if (*one != PTX_NONE || b->w->bits[r] == 64)
			return false;
		*one = r;
	}
	return true;
}

/* Exchange a register's number with that of another, or PTX_NONE: take number `to`, which is free. */
static void exchange(struct banks *b, u32 reg, u32 other, u32 to)
{
	u32 from = b->w->phys[reg];

	move(b, reg, to);
	if (other != PTX_NONE)
		move(b, other, from);
}

/* Move a register to the other bank if that makes the sum smaller: to a free number, or in exchange. */
static bool improve(struct banks *b, u32 reg)
{
	u32 from = b->w->phys[reg], tries = TRIES, other, none;
	u64 now = cost_of(b, reg, PTX_NONE);

	b->of[reg] ^= BOTH; /* alone, would it be any better? */
	if (cost_of(b, reg, PTX_NONE) >= now)
		tries = 0;
	b->of[reg] ^= BOTH;
	for (u32 to = ~from & 1; tries && to < b->w->k->regs; to += 2) {
		if (!is_free_but(b, to, reg, PTX_NONE, &other) ||
		    (other != PTX_NONE && (!is_free_but(b, from, other, reg, &none) || none != PTX_NONE)))
			continue;
		now = cost_of(b, reg, other);
		exchange(b, reg, other, to);
		if (cost_of(b, reg, other) < now)
			return true;
		exchange(b, reg, other, from);
		tries--;
	}
	return false;
}

static void banks_make(struct banks *b, struct ptx_work *w)
{
	b->w = w;
	b->often = ptx_loop_weights(w);
	b->of = arena_alloc(w->arena, w->nreg + 1);
	b->seen = arena_alloc(w->arena, (w->ncode + 1) * sizeof(*b->seen));
	b->has = arena_alloc(w->arena, (w->k->regs + 1) * sizeof(*b->has));
	b->next = arena_alloc(w->arena, (2 * w->nreg + 2) * sizeof(*b->next));
	memset(b->has, 0xff, w->k->regs * sizeof(*b->has)); /* PTX_NONE */
	find_reads(b);
	for (u32 r = 0; r < w->nreg; r++) {
		b->of[r] = w->bits[r] == 64 ? BOTH : (u8)(1 << w->phys[r] % 2);
		for (u32 word = 0; is_placed(w, r) && word < (w->bits[r] == 64 ? 2 : 1); word++)
			enter(b, r, word, w->phys[r] + word);
	}
}

bool ptx_spread_banks(struct ptx_work *w)
{
	struct banks b = {0};
	bool better = true, ever = false;

	banks_make(&b, w);
	for (u32 pass = 0; pass < PASSES && better; pass++) {
		better = false;
		for (u32 r = 0; r < w->nreg; r++)
			if (is_placed(w, r) && w->bits[r] != 64 && b.reader[r])
				better |= improve(&b, r);
		ever |= better;
	}
	return ever;
}
