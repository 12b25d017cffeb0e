/*
 * test_heap.c - malloc and free in kernels that nvcc has compiled: blocks lie apart and stay so, a full heap gives
 * null, what was freed is given out again, and free faults for what is no block.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_bed.h"
#include "session_bed.h"

#include <unistd.h>

static void open_heap(struct bed *b, const char *kernel, u32 bytes, u32 grid, u32 block)
{
	struct error e = {0};

	*b = (struct bed){.used = 0};
	assert_int_equal(ptx_load("tests/ptx/heap.ptx", &b->module, &e), STATUS_OK);
	assert_true(module_heap(b->module, bytes));
	bed_make(b, kernel, grid, block);
}

/* 64 bytes take 80: 51 of them have room in 4096 bytes, whoever gets them. */
static void full_heap(void **state)
{
	u64 last, got, first = 0, blocks[64];
	u32 sum = 0;
	struct bed b;

	(void)state;
	open_heap(&b, "fill", 4096, 2, 32);
	last = give_buffer(&b, 8 * 64);
	got = give_buffer(&b, 4 * 64);
	give_int(&b, 64);
	bed_fill(&b);
	bed_good(&b);
	for (u32 i = 0; i < b.module->nsymbol; i++)
		first = !strcmp(b.module->symbol[i].name, HEAP_BLOCKS) ? b.module->symbol[i].address : first;
	for (u32 i = 0; i < 64; i++) {
		sum += (u32)int_at(&b, got, i);
		blocks[i] = long_at(&b, last, i);
		assert_true(!blocks[i] || (blocks[i] >= first + 16 && blocks[i] <= first + 50 * 80 + 16));
		assert_int_equal(blocks[i] ? (blocks[i] - first) % 80 : 16, 16);
		for (u32 k = 0; k < i; k++)
			assert_true(!blocks[i] || blocks[i] != blocks[k]);
	}
	assert_int_equal(sum, 51);
	bed_close(&b);
	/* none at all: 0 bytes, and more than there are */
	for (i32 bytes = 0; bytes <= 4096; bytes += 4096) {
		open_heap(&b, "fill", 4096, 1, 1);
		give_buffer(&b, 8);
		got = give_buffer(&b, 4);
		give_int(&b, bytes);
		bed_fill(&b);
		bed_good(&b);
		assert_int_equal(int_at(&b, got, 0), 0);
		bed_close(&b);
	}
}

/* 64 threads and 40 rounds with blocks of 16, 32, 64 and 128 bytes: 4 x 16 + 240 = 304 bytes for each are enough. */
static void blocks_are_used_again(void **state)
{
	struct bed b;
	u64 wrong;

	(void)state;
	open_heap(&b, "reuse", 64 * 304, 2, 32);
	wrong = give_buffer(&b, 4 * 64);
	give_int(&b, 40);
	bed_fill(&b);
	bed_good(&b);
	for (u32 i = 0; i < 64; i++)
		assert_int_equal(int_at(&b, wrong, i), 0);
	bed_close(&b);
}

/* What free says of what it is given. */
static void wrong_addresses(void **state)
{
	(void)state;
	for (i32 which = 0; which < 6; which++) {
		struct error e = {0};
		struct bed b;

		open_heap(&b, "wrong", 8192, 1, 1);
		give_int(&b, which);
		give_buffer(&b, 4);
		bed_fill(&b);
		assert_int_equal(bed_run(&b, &e), which ? STATUS_CHECK : STATUS_OK);
		if (which && (!strstr(e.message, "free of what is not allocated: lane 0 (thread 0,0,0) of warp 0") ||
			      !strstr(e.message, "malloc has not returned it, or it has been freed since")))
			fail_msg("%d: %s", which, e.message);
		bed_close(&b);
	}
}

/* A module with a malloc of its own has no heap. */
static void own_malloc(void **state)
{
	static const char text[] =
		".version 7.0\n.target sm_80\n.address_size 64\n"
		".func (.param .b64 r) malloc(.param .b64 n) { st.param.u64 [r], 42; ret; }\n"
		".entry k(.param .u64 out) { .reg .b64 %d<3>; .param .b64 n; .param .b64 r; ld.param.u64 %d1, [out];\n"
		"st.param.u64 [n], 8; call (r), malloc, (n); ld.param.u64 %d2, [r]; st.global.u64 [%d1], %d2; ret; }\n";
	struct bed b;
	u64 out;

	(void)state;
	bed_text(&b, text, "k", 1, 1);
	assert_int_equal(b.module->nsymbol, 0);
	out = give_buffer(&b, 8);
	bed_fill(&b);
	bed_good(&b);
	assert_int_equal(long_at(&b, out, 0), 42);
	bed_close(&b);
}

/* A line that fails so. */
static void fails(const char *line, const char *says)
{
	struct error e = {0};

	assert_int_not_equal(command_run_line(&session, line, NULL, 0, &e), STATUS_OK);
	assert_string_equal(e.message, says);
}

static void size_of_the_heap(void **state)
{
	static const char *const setup[] = {"gpu volta sms 1"};

	(void)state;
	assert_int_equal(bed_session(setup, ARRAY_LEN(setup)), 0);
	fails("module tests/ptx/heap.ptx heap", "heap: must be a size from 4K to 1024M (bytes, or with K or M)");
	fails("module tests/ptx/heap.ptx heap 4095", "heap: must be a size from 4K to 1024M (bytes, or with K or M)");
	fails("module tests/ptx/heap.ptx heap 2000M", "heap: must be a size from 4K to 1024M (bytes, or with K or M)");
	fails("module tests/ptx/heap.ptx heap 4Kb", "heap: must be a size from 4K to 1024M (bytes, or with K or M)");
	fails("module tests/ptx/heap.ptx stack 4K", "'stack' is not an option of `module` (option: heap BYTES)");
	fails("module tests/ptx/video.ptx heap 4K",
	      "tests/ptx/video.ptx: no kernel here calls malloc or free, so there is no heap");
	must("module tests/ptx/heap.ptx heap 64K");
	must("buffer last u64[64]");
	must("buffer got s32[64]");
	must("launch fill grid 2 block 32 args last got 1000");
	must("run");
	assert_int_equal(number_of("heap.lists[2]"), 65536);
	assert_int_equal(number_of("heap.lists[0]"), 65536 / 1040 * 1040);
	/* a thread has freed 16, 32, 64 and 128 bytes; of the last three and of 3792 / 48 new ones 20 bytes can be had
	 */
	fclose(session.out);
	session_close(&session);
	assert_int_equal(bed_session(setup, ARRAY_LEN(setup)), 0);
	must("module tests/ptx/heap.ptx heap 4K");
	must("buffer wrong s32[1]");
	must("buffer last u64[2]");
	must("buffer got s32[2]");
	must("launch reuse grid 1 block 1 args wrong 4");
	must("launch fill grid 1 block 2 args last got 20");
	must("run");
	assert_int_equal(number_of("wrong[0]"), 0);
	assert_int_equal(number_of("got[0] + got[1]"), 79 + 3);
	fclose(session.out);
	session_close(&session);
	assert_int_equal(bed_session(setup, ARRAY_LEN(setup)), 0);
	must("module tests/ptx/heap.ptx");
	must("buffer out s32[64]");
	must("launch lists grid 1 block 32 args out 2");
	must("run");
	assert_int_equal(number_of("heap.lists[2]"), 8 << 20);
	assert_int_equal(number_of("out[3]"), 3 * 4 + 3);
	fclose(session.out);
	session_close(&session);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_heap),	    cmocka_unit_test(blocks_are_used_again),
		cmocka_unit_test(wrong_addresses),  cmocka_unit_test(own_malloc),
		cmocka_unit_test(size_of_the_heap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
