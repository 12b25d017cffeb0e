/*
 * constant_lines.c - which constants a kernel's loads read, where that is known beforehand: lines of a constant cache
 * behind blocks of the next. Source: loads on an H200, whose first touch of 256 bytes costs most, of other 64 bytes of
 * these less (tests/silicon/measured/H200-probe.txt).
 */
#include "kernel.h"

u8 constant_line(struct constant_blocks *b, u64 address)
{
	u64 block = address / (CONSTANT_LINE * CONSTANT_BLOCK_LINES);
	u32 i = 0;

	while (i < b->n && b->block[i] != block)
		i++;
	if (i == CONSTANT_BLOCKS)
		return 0;
	if (i == b->n)
		b->block[b->n++] = block;
	return (u8)(1 + i * CONSTANT_BLOCK_LINES + address / CONSTANT_LINE % CONSTANT_BLOCK_LINES);
}

void constant_lines_find(struct kernel *k)
{
	struct constant_blocks b = {0};

	for (u32 i = 0; i < k->ninst; i++) {
		struct inst *in = &k->inst[i];

		if (in->class == CLASS_CONST && in->space == SPACE_CONST && in->src[0].kind == OPERAND_IMM)
			in->constant = constant_line(&b, k->imm[in->src[0].value] + (u64)(i64)in->offset);
	}
}
