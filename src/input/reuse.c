/*
 * reuse.c - the reuse bits that a compiler would set: which operands the register cache is to keep (collector.reuse).
 *
 * PTX has none, and traces do not tell those that SASS has. The rule, for PTX, synthetic kernels and traces alike: a
 * read has its bit if the next instruction of the same basic block that reads a register of the same bank (even and odd
 * ones) at that operand position reads this one, no instruction before that one writes it, and it comes within
 * REUSE_REACH instructions. Where a sub-core has other banks, a bit is at worst of no use. Sources: maxas' wiki, SGEMM,
 * "Calculating C: Register Banks and Reuse" ("the next instruction that uses the same register in the same operand slot
 * will not have to go to the register bank"); Huerta et al., MICRO 2025, sections 4 and 5.3.1 (a bit for each source
 * operand, three positions). Ours: REUSE_REACH; that no block is left and no barrier passed; that a memory instruction
 * has no place in the cache, nor has a fourth source (maxas, Control Codes: memory operations do not use an operand
 * collector). Deviation: which bits ptxas sets is not known; in a trace a position is counted among the operands that
 * are registers, for it tells of no others.
 */
#include "ops.h"

#define BANKS 2 /* of a sub-core: Huerta, section 5.3 */
#define NO_PLACE 255

/* The position of a source operand: of products of matrices A, B and C are operands of one register or several. */
static u8 place_of(const struct inst *in, u32 source)
{
	static const u8 step[MAX_SRC] = {0, 0, 1, 2, 2, 2, 2}, quad[MAX_SRC] = {0, 0, 1, 1, 2, 2, 2};
	if (source >= MAX_SRC || (in->class >= CLASS_CONST && in->class <= CLASS_SHSTORE)) /* memory */
		return NO_PLACE;
	if (in->op == OP_MMA)
		return step[source];
	if (in->op == OP_MMA_QUAD)
		return quad[source];
	if (in->op == OP_DMMA)
		return (u8)min_u32(source, 2);
	return source < REUSE_PLACES ? (u8)source : NO_PLACE;
}

/* Does an instruction read at a position, and in a register's bank: 0 no, 1 another register, 2 this one? */
static u32 reads(const struct inst *in, u8 place, u8 reg)
{
	u32 found = 0;
	for (u32 i = 0; i < in->nread; i++)
		if (in->place[i] == place && in->read[i] % BANKS == reg % BANKS)
			found = max_u32(found, in->read[i] == reg ? 2 : 1);
	return found;
}

static bool writes(const struct inst *in, u8 reg)
{
	for (u32 i = 0; i < in->nwrite; i++)
		if (in->write[i] == reg)
			return true;
	return false;
}

/* Is what instruction i reads at a position what the next one there reads? */
static bool is_wanted(const struct kernel *k, const bool *begins, u32 i, u8 place, u8 reg)
{
	for (u32 j = i + 1; j < k->ninst && j <= i + REUSE_REACH; j++) {
		const struct inst *in = &k->inst[j];
		u32 found = reads(in, place, reg);
		if (begins[j] || in->class == CLASS_CONTROL || writes(in - 1, reg))
			return false;
		if (found)
			return found == 2;
	}
	return false;
}

void kernel_reuse(struct kernel *k)
{
	bool *begins = xcalloc(k->ninst + 1, sizeof *begins); /* a basic block, somewhere branched to */
	for (u32 i = 0; i < k->ninst; i++) {
		struct inst *in = &k->inst[i];
		if (in->op == OP_BRA)
			begins[min_u32(in->target, k->ninst)] = true;
		for (u32 n = 0; n < in->nread; n++)
			in->place[n] = place_of(in, in->place[n]);
	}
	for (u32 i = 0; i < k->ninst; i++)
		for (u32 n = 0; n < k->inst[i].nread; n++) {
			u8 place = k->inst[i].place[n];
			if (place < REUSE_PLACES && is_wanted(k, begins, i, place, k->inst[i].read[n]))
				k->inst[i].reuse |= (u8)(1u << n);
		}
	free(begins);
}
