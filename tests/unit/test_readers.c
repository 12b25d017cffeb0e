/*
 * test_readers.c - the scoreboard of register reads (issue.readers), cycle by cycle, counted by hand.
 *
 * Without collector.allocate an instruction has read its registers when it leaves its collector unit, in t + 1 if they
 * lie in different banks. With it one of fixed latency is in Allocate in t + 2 and reads in t + 3, 4 and 5.
 */
#include "core_bed.h"

static struct bed *readers_bed(u32 readers)
{
	struct bed *b = bed_new();

	b->config.issue_readers = readers;
	b->config.sm_banks = 2;
	b->config.sm_bank_swizzle = 0;
	return b;
}

static void expect(struct bed *b, const char *want)
{
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0, want);
	bed_close(b);
}

/* r10 is read, in t + 1, then written by the next instruction: it waits for nothing. Of three reads of bank 0 the last
 * is in t + 3, and no register of the three may be written before; one of another instruction may. */
static void a_writer_waits_for_readers(void **state)
{
	(void)state;
	for (u32 readers = 0; readers < 2; readers++) {
		struct bed *b = readers_bed(readers);

		bed_alu(b, 0, CLASS_FP32, 11, 1, 10);
		bed_alu(b, 0, CLASS_INT, 10, 0);
		expect(b, "000");
		b = readers_bed(readers);
		bed_alu(b, 0, CLASS_FP32, 11, 3, 10, 12, 14);
		bed_alu(b, 0, CLASS_INT, 13, 0);
		bed_alu(b, 0, CLASS_INT, 10, 0);
		expect(b, readers ? "00.00" : "0000");
	}
}

/* The same register is read by three instructions in a row, each with three reads of bank 0, which so leave in t + 3,
 * t + 6 and t + 9. With one reader allowed the second issues in t + 3 and leaves in t + 6, when the third issues; with
 * two the third waits for the first alone. */
static void readers_are_counted(void **state)
{
	static const char *const want[] = {"0000", "0..0..00", "00.00", "0000"};

	(void)state;
	for (u32 readers = 0; readers < 4; readers++) {
		struct bed *b = readers_bed(readers);

		for (u32 i = 0; i < 3; i++)
			bed_alu(b, 0, CLASS_FP32, 21 + 2 * i, 3, 10, 12 + 4 * i, 14 + 4 * i);
		expect(b, want[readers]);
	}
}

/* An instruction that names a register twice is one reader. */
static void twice_is_once(void **state)
{
	struct bed *b = readers_bed(2);

	(void)state;
	for (u32 i = 0; i < 2; i++)
		bed_alu(b, 0, CLASS_FP32, 21 + i, 2, 10, 10);
	expect(b, "000");
}

/* collector.allocate: reads of fixed latency end in t + 5, whichever banks they take; in order they would need no
 * scoreboard. */
static void reads_behind_allocate(void **state)
{
	(void)state;
	for (u32 readers = 0; readers < 3; readers++) {
		struct bed *b = readers_bed(readers);

		b->config.collector_allocate = 1;
		bed_alu(b, 0, CLASS_FP32, 11, 1, 10);
		bed_alu(b, 0, CLASS_INT, 10, 0);
		expect(b, readers ? "0....00" : "000");
		b = readers_bed(readers);
		b->config.collector_allocate = 1;
		bed_alu(b, 0, CLASS_FP32, 11, 1, 10);
		bed_alu(b, 0, CLASS_FP32, 12, 1, 10);
		expect(b, readers == 1 ? "0....00" : "000");
	}
}

/* A load has read its address when it leaves the memory queue: 11 cycles behind its issue, as in table 2 of Huerta et
 * al. (WAR latency of a load of global memory). */
static void loads_read_late(void **state)
{
	(void)state;
	for (u32 readers = 0; readers < 2; readers++) {
		struct bed *b = readers_bed(readers);

		b->config.collector_allocate = 1;
		b->config.lsu_sub_queue = 5;
		b->config.lsu_sub_delay = 11;
		bed_reads(bed_load(b, 0, 2, BED_BASE), 4);
		bed_alu(b, 0, CLASS_INT, 4, 0);
		expect(b, readers ? "0..........00" : "000");
	}
}

/*
 * The WAR latencies of table 2 of Huerta et al., regular registers: cycles from the issue of an access until an
 * instruction issues that writes a register which it reads. Atomics as an H200 has them, a cycle less each there:
 * LDG 10, LDS 8, ATOMS 11, ATOMG and RED 13.
 */
static const struct war {
	enum op op;
	enum inst_class class;
	u32 bytes, cycles;
} table_2[] = {
	{OP_LD, CLASS_LOAD, 4, 11},	{OP_LD, CLASS_LOAD, 16, 11},	{OP_ST, CLASS_STORE, 1, 14},
	{OP_ST, CLASS_STORE, 4, 14},	{OP_ST, CLASS_STORE, 8, 16},	{OP_ST, CLASS_STORE, 16, 20},
	{OP_LD, CLASS_SHLOAD, 4, 9},	{OP_LD, CLASS_SHLOAD, 16, 9},	{OP_ST, CLASS_SHSTORE, 4, 12},
	{OP_ST, CLASS_SHSTORE, 8, 14},	{OP_ST, CLASS_SHSTORE, 16, 18}, {OP_ATOM, CLASS_ATOMIC, 4, 14},
	{OP_ATOM, CLASS_SHLOAD, 4, 12}, {OP_COPY, CLASS_LOAD, 4, 13},
};

static struct bed *war_bed(const struct war *x, bool control)
{
	struct bed *b = readers_bed(!control);
	struct inst *in;

	b->config.issue_dependences = control;
	b->config.sm_collectors = 8;
	b->config.collector_allocate = 1;
	b->config.lsu_sub_queue = 5;
	b->config.lsu_sub_delay = 11;
	b->config.lsu_read_shared = 2;
	b->config.lsu_read_data = 3;
	b->config.lsu_read_word = 2;
	b->config.lsu_read_copy = 2;
	in = bed_memory(b, 0, x->op, x->class, x->class == CLASS_SHLOAD || x->class == CLASS_SHSTORE ? 0 : BED_BASE);
	in->width = x->bytes < 4 ? 1 : 4;
	in->vec = (u8)max_u32(x->bytes / 4, 1);
	bed_reads(in, 4);
	return b;
}

static void registers_are_read_by_kind(void **state)
{
	(void)state;
	for (u32 i = 0; i < 2 * ARRAY_LEN(table_2); i++) {
		const struct war *x = &table_2[i / 2];
		struct bed *b = war_bed(x, i % 2);
		u64 issued;

		bed_alu(b, 0, CLASS_INT, 4, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32)->shared = 64;
		bed_open(b);
		issued = bed_when(b, 0, 0, 0);
		issued = bed_when(b, 0, 0, 1) - issued;
		if (issued != x->cycles)
			fail_msg("row %u: %llu cycles, table 2: %u", i / 2, issued, x->cycles);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_writer_waits_for_readers),
		cmocka_unit_test(readers_are_counted),
		cmocka_unit_test(twice_is_once),
		cmocka_unit_test(reads_behind_allocate),
		cmocka_unit_test(loads_read_late),
		cmocka_unit_test(registers_are_read_by_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
