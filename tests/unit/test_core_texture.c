/*
 * test_core_texture.c - when a texture fetch has its result: the lines of its texels in the L1D, cycles of the texture
 * units, what these take behind the last texel; and what is counted.
 *
 * All lines hit (ideal.l1d) but where said: a load that issues in cycle t is done in t + 2 + l1d.latency, a fetch
 * tex.latency later, and who needs its result issues in that very cycle.
 */
#include "core_bed.h"
#include "texture.h"

#define HIT (2 + 8)
#define LATENCY 20

static struct texture object;
static struct buffer buffers[2];

/* A bed with an object over its memory; its handle lies behind that. */
static struct bed *new_bed(u32 shape, u32 width, u32 height, u32 depth)
{
	struct bed *b = bed_new();

	object = (struct texture){.address = BED_BASE,
				  .width = width,
				  .height = height,
				  .depth = depth,
				  .shape = (u8)shape,
				  .type = TEXEL_F32,
				  .channels = 1};
	buffers[0] = b->buffer;
	buffers[1] = (struct buffer){.name = (char *)"object",
				     .type = VALUE_U32,
				     .count = sizeof(object) / 4,
				     .address = BED_BASE + BED_BYTES + 4096,
				     .bytes = sizeof(object),
				     .init = (u8 *)&object,
				     .texture = true};
	b->program.buffer = buffers;
	b->program.nbuffer = 2;
	b->program.global_bytes = BED_BYTES + 8192;
	b->config.ideal_l1d = 1;
	b->config.tex_latency = LATENCY;
	b->config.lsu_queue = 8;
	return b;
}

/* A fetch into a register that takes its coordinates, whole numbers or not, from registers 6 on. */
static struct inst *fetch(struct bed *b, u32 reg, u32 n, u32 aux)
{
	struct inst *in = bed_inst(b, 0, OP_TEX, CLASS_LOAD);

	in->space = SPACE_GENERIC;
	in->aux = (u8)((u32)object.shape << 2 | aux);
	in->nsrc = (u8)(1 + n);
	in->src[0] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, buffers[1].address)};
	for (u32 i = 0; i < n; i++) {
		in->src[1 + i] = (struct operand){.kind = OPERAND_REG, .value = (u16)(6 + i)};
		bed_reads(in, 6 + i);
	}
	in->ndst = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)reg};
	return bed_writes(in, reg);
}

/* Register `reg` becomes stride x number of the lane. */
static void lanes(struct bed *b, u32 reg, u32 stride)
{
	struct inst *in = bed_inst(b, 0, OP_MUL_LO_32, CLASS_INT);

	in->ndst = 1;
	in->nsrc = 2;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)reg};
	in->src[0] = (struct operand){.kind = OPERAND_SREG, .value = SREG_LANEID};
	in->src[1] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, stride)};
	bed_writes(in, reg);
}

/* Register `reg` becomes the number of the lane plus `from` as a float, which lies between two texels. Two
 * instructions. */
static void middles(struct bed *b, u32 reg, u32 from)
{
	struct inst *sum = bed_inst(b, 0, OP_ADD_32, CLASS_INT), *in = bed_inst(b, 0, OP_CVT_f32_u32, CLASS_INT);

	sum->nsrc = 2;
	sum->src[0] = (struct operand){.kind = OPERAND_SREG, .value = SREG_LANEID};
	sum->src[1] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, from)};
	in->nsrc = 1;
	in->src[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)reg};
	in->ndst = sum->ndst = 1;
	in->dst[0] = sum->dst[0] = in->src[0];
	bed_writes(bed_reads(in, reg), reg);
	bed_writes(sum, reg);
}

/* Cycles from the issue of the instruction at pc, the last so far, to that of the next, which needs its result. */
static u64 cycles_to_next(struct bed *b, u32 pc, u32 threads)
{
	u64 from;

	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, threads);
	bed_open(b);
	from = bed_when(b, 0, 0, pc);
	return bed_when(b, 0, 0, pc + 1) - from;
}

/* A line that hits: the latency of the L1D and of the texture units. */
static void one_line(void **state)
{
	(void)state;
	for (u32 latency = 0; latency <= LATENCY; latency += LATENCY) {
		struct bed *b = new_bed(TEXTURE_1D, 1024, 1, 1);

		b->config.tex_latency = latency;
		lanes(b, 6, 1);
		fetch(b, 4, 1, TEX_INTEGERS);
		assert_int_equal(cycles_to_next(b, 1, 32), HIT + latency);
		bed_close(b);
	}
}

/* A line for each lane, one after the other at one port of the L1D: 32 cycles, more than the texture units take. */
static void many_lines(void **state)
{
	struct bed *b = new_bed(TEXTURE_1D, 1024, 1, 1);

	(void)state;
	lanes(b, 6, 32);
	fetch(b, 4, 1, TEX_INTEGERS);
	assert_int_equal(cycles_to_next(b, 1, 32), HIT + 31 + LATENCY);
	assert_int_equal(bed_stat(b, STAT_MEM_LINES), 32);
	bed_close(b);
}

/* Cycles that the second of two fetches is behind the first, which issues a cycle before it. */
static u64 behind(u32 rate, u32 threads, bool volume)
{
	struct bed *b = volume ? new_bed(TEXTURE_3D, 2, 2, 2) : new_bed(TEXTURE_1D, 1024, 1, 1);
	u64 cycles;

	b->config.tex_rate = rate;
	object.linear = volume;
	for (u32 i = 0; i < 3; i++)
		lanes(b, 6 + i, i ? 0 : 1);
	fetch(b, 3, volume ? 3 : 1, volume ? 0 : TEX_INTEGERS);
	fetch(b, 4, volume ? 3 : 1, volume ? 0 : TEX_INTEGERS);
	cycles = cycles_to_next(b, 4, threads) - HIT - LATENCY + 1;
	bed_close(b);
	return cycles;
}

/* Quads of lanes that have any, tex.rate of them per cycle; those of linear filtering in three dimensions twice. */
static void quads(void **state)
{
	(void)state;
	assert_int_equal(behind(1, 32, false), 8);
	assert_int_equal(behind(2, 32, false), 4);
	assert_int_equal(behind(3, 32, false), 3);
	assert_int_equal(behind(32, 32, false), 1);
	assert_int_equal(behind(1, 9, false), 3);
	assert_int_equal(behind(1, 1, false), 1);
	assert_int_equal(behind(1, 32, true), 16);
}

/* What is counted: 32 texels in the four sectors of a line, which misses, then hits; the result of a miss comes as
 * much later. */
static void counts(void **state)
{
	struct bed *b = new_bed(TEXTURE_1D, 1024, 1, 1);
	u64 miss;

	(void)state;
	b->config.ideal_l1d = 0;
	lanes(b, 6, 1);
	fetch(b, 4, 1, TEX_INTEGERS);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	fetch(b, 4, 1, TEX_INTEGERS);
	miss = cycles_to_next(b, 3, 32);
	assert_int_equal(miss, HIT + LATENCY);
	bed_run(b);
	assert_int_equal(bed_stat(b, STAT_TEX_INSTS), 2);
	assert_int_equal(bed_stat(b, STAT_TEX_TEXELS), 64);
	assert_int_equal(bed_stat(b, STAT_TEX_SECTORS), 8);
	assert_int_equal(bed_stat(b, STAT_TEX_MISSES), 1);
	assert_int_equal(bed_stat(b, STAT_TEX_HITS), 1);
	assert_int_equal(bed_stat(b, STAT_TEX_CYCLES), 16);
	assert_int_equal(bed_stat(b, STAT_TEX_CUT), 0);
	assert_int_equal(bed_stat(b, STAT_L1D_ACCESSES), 2);
	bed_check_sums(b);
	bed_close(b);
}

/* Whole numbers are never filtered; of the second warp, of one lane, only that lane reads. */
static void texels(void **state)
{
	struct bed *b = new_bed(TEXTURE_1D, 1024, 1, 1);

	(void)state;
	object.linear = 1;
	lanes(b, 6, 1);
	fetch(b, 4, 1, TEX_INTEGERS);
	cycles_to_next(b, 1, 33);
	bed_run(b);
	assert_int_equal(bed_stat(b, STAT_TEX_TEXELS), 33);
	bed_close(b);
}

/* The latency of the texture units follows a miss, too. */
static u64 missing(u32 latency)
{
	struct bed *b = new_bed(TEXTURE_1D, 1024, 1, 1);
	u64 cycles;

	b->config.ideal_l1d = 0;
	b->config.tex_latency = latency;
	lanes(b, 6, 1);
	fetch(b, 4, 1, TEX_INTEGERS);
	cycles = cycles_to_next(b, 1, 32);
	bed_close(b);
	return cycles;
}

static void behind_a_miss(void **state)
{
	(void)state;
	assert_int_equal(missing(100) - missing(0), 100);
	assert_true(missing(0) > HIT);
}

/* A fetch of lanes one below the other, between row `from` - 1 and the next at first, in rows of a line each. */
static struct bed *column(u32 from, enum texture_edge edge)
{
	struct bed *b = new_bed(TEXTURE_2D, 32, 64, 1);

	object.linear = 1;
	object.edge = (u8)edge;
	middles(b, 7, from);
	fetch(b, 4, 2, 0)->src[1] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, 0x40800000)};
	cycles_to_next(b, 2, 32);
	bed_run(b);
	return b;
}

/* 32 rows fit; of 33 the last is not read: both texels of the last lane. Outside, above the first row, nothing is. */
static void cut(void **state)
{
	struct bed *b = column(0, EDGE_CLAMP);

	(void)state;
	assert_int_equal(bed_stat(b, STAT_TEX_TEXELS), 128);
	assert_int_equal(bed_stat(b, STAT_MEM_LINES), 32);
	assert_int_equal(bed_stat(b, STAT_TEX_CUT), 0);
	bed_close(b);
	b = column(1, EDGE_CLAMP);
	assert_int_equal(bed_stat(b, STAT_TEX_TEXELS), 128);
	assert_int_equal(bed_stat(b, STAT_MEM_LINES), 32);
	assert_int_equal(bed_stat(b, STAT_TEX_CUT), 2);
	bed_close(b);
	b = column(0, EDGE_BORDER);
	assert_int_equal(bed_stat(b, STAT_TEX_TEXELS), 126);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(one_line), cmocka_unit_test(many_lines),
					   cmocka_unit_test(quads),    cmocka_unit_test(counts),
					   cmocka_unit_test(texels),   cmocka_unit_test(behind_a_miss),
					   cmocka_unit_test(cut)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
