/*
 * test_schedule.c - ptx.schedule: what moves within a straight line, what stays, and that a thread computes the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_bed.h"

#define HEAD \
	".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .pred %p<8>; " \
	".reg .b32 %r<64>; .reg .b64 %d<8>; .shared .align 4 .b8 s[512];\nld.param.u64 %d1, [out];\n"
#define ROUNDS 300 /* random programs */

/* The first words of the instructions in the order of ptx.schedule, without the ld.param and the ret. */
static const char *scheduled(const char *body)
{
	static char words[1024];
	char *text = xasprintf("%s%s\nret;\n}\n", HEAD, body);
	const struct kernel *k;
	struct bed b;

	bed_text(&b, text, "k", 1, 1);
	kernel_schedule((struct kernel *)(uintptr_t)b.launch.kernel, true);
	k = b.launch.kernel;
	*words = 0;
	for (u32 i = 0; i + 1 < k->ninst; i++) {
		const char *inst = kernel_text(k, i);
		const char *from = *inst == '@' ? strchr(inst, ' ') + 1 : inst;
		size_t n = strcspn(from, " ");

		if (!strncmp(from, "ld.param", 8))
			continue;
		snprintf(words + strlen(words), sizeof(words) - strlen(words), "%s%.*s", *words ? " " : "", (int)n,
			 from);
	}
	give_buffer(&b, 64);
	bed_close(&b);
	free(text);
	return words;
}

/* Each load stood in front of its use: both go first, then what needs them. */
static void loads_go_first(void **state UNUSED)
{
	assert_string_equal(
		scheduled(
			"ld.global.u32 %r1, [%d1]; add.u32 %r2, %r1, 1; ld.global.s32 %r3, [%d1+4]; xor.b32 %r4, %r3, 1;\n"
			"st.global.u32 [%d1+64], %r2; st.global.s32 [%d1+68], %r4;"),
		"ld.global.u32 ld.global.s32 add.u32 xor.b32 st.global.u32 st.global.s32");
}

/* The longest way first: the chain of three begins, and the single addition fills the time until its second may go. */
static void the_longest_way_goes_first(void **state UNUSED)
{
	assert_string_equal(
		scheduled("add.u32 %r1, %r10, 1; sub.u32 %r2, %r11, 1; mul.lo.u32 %r3, %r2, 3; xor.b32 %r4, %r3, 5;\n"
			  "st.global.v2.u32 [%d1], {%r1, %r4};"),
		"sub.u32 add.u32 mul.lo.u32 xor.b32 st.global.v2.u32");
}

/* A load waits for a store that it may meet: the same bytes, another register's address, a generic one. It does not for
 * other bytes of the same base, nor for another space. */
static void accesses_that_may_meet_stay(void **state UNUSED)
{
	assert_string_equal(
		scheduled("st.global.u32 [%d1], %r9; ld.global.u32 %r1, [%d1]; st.global.u8 [%d1+64], %r1;"),
		"st.global.u32 ld.global.u32 st.global.u8");
	assert_string_equal(
		scheduled("st.global.u32 [%d1], %r9; ld.global.u32 %r1, [%d1+3]; st.global.u8 [%d1+64], %r1;"),
		"st.global.u32 ld.global.u32 st.global.u8");
	assert_string_equal(
		scheduled("st.global.u32 [%d1], %r9; ld.global.u32 %r1, [%d1+4]; st.global.u8 [%d1+64], %r1;"),
		"ld.global.u32 st.global.u32 st.global.u8");
	assert_string_equal(
		scheduled("st.global.u32 [%d3], %r9; ld.global.u32 %r1, [%d2+64]; st.global.u8 [%d1+64], %r1;"),
		"st.global.u32 ld.global.u32 st.global.u8");
	assert_string_equal(scheduled("st.shared.u32 [s], %r9; ld.global.u32 %r1, [%d2]; st.global.u8 [%d1+64], %r1;"),
			    "ld.global.u32 st.shared.u32 st.global.u8");
	assert_string_equal(scheduled("st.shared.u32 [s], %r9; ld.u32 %r1, [%d2]; st.global.u8 [%d1+64], %r1;"),
			    "st.shared.u32 ld.u32 st.global.u8");
}

/* An atomic on shared memory whose result nobody reads is in no load's way but that of what it may meet; one whose
 * result is read, even by itself alone, is in the way of all, and so are those that no reduction is, or on global
 * memory. */
static void reductions_let_loads_pass(void **state UNUSED)
{
	static const char *const want[][2] = {
		{"atom.shared.add.u32 %r1, [s], %r9; ld.global.u32 %r2, [%d1];",
		 "ld.global.u32 cvt.u32.u64 atom.shared.add.u32 st.global.u8"},
		{"atom.shared.add.u32 %r1, [s], %r9; ld.shared.u32 %r2, [s+8];",
		 "cvt.u32.u64 atom.shared.add.u32 ld.shared.u32 st.global.u8"},
		{"atom.shared.exch.b32 %r1, [s], %r9; ld.global.u32 %r2, [%d1];",
		 "cvt.u32.u64 atom.shared.exch.b32 ld.global.u32 st.global.u8"},
		{"mov.u32 %r1, %r9; atom.shared.add.u32 %r1, [s], %r1; ld.global.u32 %r2, [%d1];",
		 "cvt.u32.u64 mov.u32 atom.shared.add.u32 ld.global.u32 st.global.u8"},
		{"atom.global.add.u32 %r1, [%d1+64], %r9; ld.global.u32 %r2, [%d1];",
		 "cvt.u32.u64 atom.global.add.u32 ld.global.u32 st.global.u8"},
		{"red.global.add.u32 [%d1+64], %r9; ld.shared.u32 %r2, [s];",
		 "cvt.u32.u64 red.global.add.u32 ld.shared.u32 st.global.u8"},
	};

	for (u32 i = 0; i < ARRAY_LEN(want); i++) {
		char *body = xasprintf("cvt.u32.u64 %%r9, %%d1; %s st.global.u8 [%%d1+68], %%r2;", want[i][0]);

		assert_string_equal(scheduled(body), want[i][1]);
		free(body);
	}
}

/* What counts lanes (shared.count_ones): a 32-bit addition of the number one whose result nobody reads. */
static void ones_are_counted(void **state UNUSED)
{
	static const struct {
		const char *body;
		u32 counted;
	} want[] = {
		{"atom.shared.add.u32 %r1, [s], 1;", 1},
		{"red.shared.add.s32 [s], 1;", 1},
		{"@%p1 atom.shared.add.u32 %r1, [s], 1;", 1},
		{"atom.shared.add.u32 %r1, [s], 2;", 0},
		{"atom.shared.add.u32 %r1, [s], %r2;", 0},
		{"add.u32 %r2, %r2, 7; add.u32 %r3, %r3, 8; add.u32 %r4, %r4, 9; add.u32 %r5, %r5, 10;\n" /* whatever
													     its number
													   */
		 "add.u32 %r6, %r6, 1; red.shared.add.u32 [s], %r2; red.shared.add.u32 [s], %r3; red.shared.add.u32 [s], %r4;\n"
		 "red.shared.add.u32 [s], %r5; red.shared.add.u32 [s], %r6; red.shared.add.u32 [s], %r7;\n"
		 "red.shared.add.u32 [s], %r8; red.shared.add.u32 [s], %r9; red.shared.add.u32 [s], %r10;",
		 0},
		{"atom.shared.add.u64 %d2, [s], 1;", 0},
		{"atom.shared.max.u32 %r1, [s], 1;", 0},
		{"atom.shared.add.u32 %r1, [s], 1; st.global.u32 [%d1], %r1;", 0},
	};

	for (u32 i = 0; i < ARRAY_LEN(want); i++) {
		char *text = xasprintf("%s%s\nret;\n}\n", HEAD, want[i].body);
		u32 counted = 0;
		struct bed b;

		bed_text(&b, text, "k", 1, 1);
		for (u32 pc = 0; pc < b.launch.kernel->ninst; pc++)
			counted += b.launch.kernel->inst[pc].counted;
		assert_int_equal(counted, want[i].counted);
		give_buffer(&b, 64);
		bed_close(&b);
		free(text);
	}
}

/* The base is another value after it was written. */
static void a_base_that_changes_is_another(void **state UNUSED)
{
	assert_string_equal(
		scheduled(
			"st.global.u32 [%d1+8], %r9; add.u64 %d1, %d1, 4; ld.global.u32 %r1, [%d1+4]; st.global.u8 [%d1+64], %r1;"),
		"st.global.u32 add.u64 ld.global.u32 st.global.u8");
}

/* Nothing passes a barrier, an atomic, a volatile access, a fence, a label or the clock; lanes meet in their order. */
static void walls_stand(void **state UNUSED)
{
	static const char *const wall[][2] = {{"bar.sync 0;", "bar.sync"},
					      {"atom.global.add.u32 %r8, [%d2], 1;", "atom.global.add.u32"},
					      {"ld.volatile.global.u32 %r8, [%d2];", "ld.volatile.global.u32"},
					      {"membar.gl;", "membar.gl"},
					      {"mov.u32 %r8, %clock;", "mov.u32"},
					      {"bar.warp.sync -1;", "bar.warp.sync"}};

	for (u32 i = 0; i < ARRAY_LEN(wall); i++) {
		char *body = xasprintf(
			"ld.global.u32 %%r1, [%%d1]; %s ld.global.u32 %%r2, [%%d1+4]; st.global.u8 [%%d1+64], %%r2;",
			wall[i][0]);
		char *want = xasprintf("ld.global.u32 %s ld.global.u32 st.global.u8", wall[i][1]);

		assert_string_equal(scheduled(body), want);
		free(body);
		free(want);
	}
	assert_string_equal(
		scheduled("add.u32 %r5, %r6, 1;\nHERE: ld.global.u32 %r2, [%d2+4]; st.global.u8 [%d1+64], %r2;"),
		"add.u32 ld.global.u32 st.global.u8");
	assert_string_equal(
		scheduled("vote.sync.any.pred %p1, %p2, -1; shfl.sync.up.b32 %r1, %r2, 1, 0, -1; xor.b32 %r3, %r1, 7;\n"
			  "add.u32 %r3, %r3, 7; st.global.u32 [%d1], %r3;"),
		"vote.sync.any.pred shfl.sync.up.b32 xor.b32 add.u32 st.global.u32");
}

/* With 40 loads and then 40 uses, each of which frees a register, no more than some 32 values are alive at a time. */
static void registers_stay_few(void **state UNUSED)
{
	struct text body = {0};
	struct bed b;
	char *text;

	for (u32 i = 0; i < 40; i++) /* each value in a register of its own */
		text_add(&body,
			 "ld.global.u32 %%r%u, [%%d1+%u]; add.u32 %%r%u, %%r%u, %u; st.shared.u32 [s+%u], %%r%u;\n",
			 2 * i, 4 * i, 2 * i + 1, 2 * i, i, 4 * i, 2 * i + 1);
	text = xasprintf(
		".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .b32 %%r<80>; .reg .b64 %%d<8>; "
		".shared .align 4 .b8 s[512];\nld.param.u64 %%d1, [out];\n%s\nret;\n}\n",
		body.s);
	bed_text(&b, text, "k", 1, 1);
	assert_true(b.launch.kernel->regs <= 6);
	kernel_schedule((struct kernel *)(uintptr_t)b.launch.kernel, true);
	assert_true(b.launch.kernel->regs <= 40);
	give_buffer(&b, 64);
	bed_close(&b);
	text_free(&body);
	free(text);
}

/* --- random programs --- */
static u32 seed;
static u32 drawn(u32 n)
{
	return bed_drawn(&seed, n);
}

/* A statement over %r1..%r9 and %p1..%p3. */
static void draw_statement(struct text *t)
{
	u32 a = 1 + drawn(9), b = 1 + drawn(9), c = 1 + drawn(9), p = 1 + drawn(3), at = 4 * drawn(8);

	if (!drawn(4))
		text_add(t, "@%s%%p%u ", drawn(2) ? "!" : "", p);
	switch (drawn(9)) {
	case 0: text_add(t, "ld.global.u32 %%r%u, [%%d1+%u];\n", a, at); break;
	case 1: text_add(t, "st.global.u32 [%%d1+%u], %%r%u;\n", at, a); break;
	case 2: text_add(t, "ld.shared.u32 %%r%u, [s+%u];\n", a, at); break;
	case 3: text_add(t, "st.shared.u16 [s+%u], %%r%u;\n", at + 2 * drawn(2), a); break;
	case 4: text_add(t, "mad.lo.u32 %%r%u, %%r%u, %%r%u, %%r%u;\n", a, b, c, a); break;
	case 5: text_add(t, "setp.lt.u32 %%p%u, %%r%u, %%r%u;\n", 1 + drawn(3), b, c); break;
	case 6: text_add(t, "add.cc.u32 %%r%u, %%r%u, %%r%u;\naddc.u32 %%r%u, %%r%u, 0;\n", a, b, c, b, b); break;
	case 7: text_add(t, "atom.global.add.u32 %%r%u, [%%d1+%u], %%r%u;\n", a, at, b); break;
	default: text_add(t, "xor.b32 %%r%u, %%r%u, %%r%u;\n", a, b, c);
	}
}

static void a_thread_computes_the_same(void **state UNUSED)
{
	u32 moved = 0;

	for (seed = 1; moved < ROUNDS;) {
		struct text t = {0};
		u32 was = seed;

		text_add(&t, "%s", HEAD);
		for (u32 i = 1; i < 10; i++)
			text_add(&t, "mov.u32 %%r%u, %u;\n", i, i * 77);
		text_add(&t, "setp.eq.u32 %%p1, %%r1, 77; setp.eq.u32 %%p2, %%r1, 78; setp.ne.u32 %%p3, %%r2, %%r1;\n");
		for (u32 i = 0; i < 40; i++)
			draw_statement(&t);
		for (u32 i = 1; i < 10; i++)
			text_add(&t, "st.global.u32 [%%d1+%u], %%r%u;\n", 32 + 4 * i, i);
		text_add(&t, "ret;\n}\n");
		moved += bed_both_orders(t.s, was);
		text_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_go_first),
		cmocka_unit_test(the_longest_way_goes_first),
		cmocka_unit_test(accesses_that_may_meet_stay),
		cmocka_unit_test(reductions_let_loads_pass),
		cmocka_unit_test(ones_are_counted),
		cmocka_unit_test(a_base_that_changes_is_another),
		cmocka_unit_test(walls_stand),
		cmocka_unit_test(registers_stay_few),
		cmocka_unit_test(a_thread_computes_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
