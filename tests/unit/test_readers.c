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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_writer_waits_for_readers),
		cmocka_unit_test(readers_are_counted),
		cmocka_unit_test(twice_is_once),
		cmocka_unit_test(reads_behind_allocate),
		cmocka_unit_test(loads_read_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
