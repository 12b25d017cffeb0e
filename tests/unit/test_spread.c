/*
 * test_spread.c - registers that are read together are in different banks (ptx.schedule, ptx_banks.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_bed.h"

#define HEAD \
	".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .pred %p<8>; " \
	".reg .b32 %r<96>; .reg .b64 %d<8>;\nld.param.u64 %d1, [out];\n"

/* %r1 to %r8 are R2 to R9 in the plain scan, %d1 is R0 and R1, for nothing passes a label; KEEP stores them, so that
 * none is free before. */
#define EIGHT \
	"mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ntid.x; mov.u32 %r4, %ntid.y; " \
	"mov.u32 %r5, %ctaid.x; mov.u32 %r6, %ctaid.y; mov.u32 %r7, %nctaid.x; mov.u32 %r8, %nctaid.y;\nHERE:\n"
#define KEEP \
	"THERE:\nst.global.u32 [%d1], %r1; st.global.u32 [%d1+4], %r2; st.global.u32 [%d1+8], %r3; st.global.u32 [%d1+12], %r4; " \
	"st.global.u32 [%d1+16], %r5; st.global.u32 [%d1+20], %r6; st.global.u32 [%d1+24], %r7; st.global.u32 [%d1+28], %r8;\n"

#define ROUNDS 100 /* random programs */

static u8 last[8]; /* banks of the operands of the last instruction looked at */

/* How many reads the busier bank has to serve, and the other: "2+1". */
static void shares(const u32 n[2], char *out)
{
	sprintf(out + strlen(out), "%u+%u", max_u32(n[0], n[1]), min_u32(n[0], n[1]));
}

/* That of each instruction of a name, and of all of them. */
static void read_banks(const struct kernel *k, const char *name, char *out)
{
	u32 all[2] = {0, 0};

	for (u32 i = 0; i < k->ninst; i++) {
		const struct inst *in = &k->inst[i];
		u32 n[2] = {0, 0};

		if (strncmp(kernel_text(k, i), name, strlen(name)))
			continue;
		for (u32 r = 0; r < in->nread; r++) {
			n[in->read[r] % 2]++;
			all[in->read[r] % 2]++;
			last[r] = in->read[r] % 2;
		}
		shares(n, out);
		strcat(out, " ");
	}
	strcat(out, "= ");
	shares(all, out);
}

/* The same before and after, as "before -> after"; both orders have as many registers. */
static const char *spread(const char *body, const char *name)
{
	static char banks[512];
	char *text = xasprintf("%s%s\nret;\n}\n", HEAD, body);
	struct kernel *k;
	struct bed b;
	u32 regs;

	bed_text(&b, text, "k", 1, 1);
	k = (struct kernel *)(uintptr_t)b.launch.kernel;
	regs = k->regs;
	*banks = 0;
	read_banks(k, name, banks);
	strcat(banks, " -> ");
	kernel_schedule(k, true);
	assert_int_equal(k->regs, regs);
	read_banks(k, name, banks);
	give_buffer(&b, 64);
	bed_close(&b);
	free(text);
	return banks;
}

/* R2 and R4; R2, R4 and R6. All numbers are taken: one changes places with a register of the other bank. */
static void operands_are_apart(void **state UNUSED)
{
	assert_string_equal(spread(EIGHT "xor.b32 %r9, %r1, %r3; st.global.u32 [%d1+32], %r9;\n" KEEP, "xor"),
			    "2+0 = 2+0 -> 1+1 = 1+1");
	assert_string_equal(spread(EIGHT "mad.lo.u32 %r9, %r1, %r3, %r5; st.global.u32 [%d1+32], %r9;\n" KEEP, "mad"),
			    "3+0 = 3+0 -> 2+1 = 2+1");
}

/* In a loop, two neighbours of 2 + 1 each: six reads, three of each bank, not four and two. */
static void neighbours_are_busy_in_turn(void **state UNUSED)
{
	assert_string_equal(spread(EIGHT "mad.lo.u32 %r9, %r1, %r3, %r2; mad.lo.u32 %r10, %r5, %r7, %r4;\n"
					 "setp.ne.u32 %p1, %r9, 5; @%p1 bra HERE;\n"
					 "st.global.v2.u32 [%d1+32], {%r9, %r10};\n" KEEP,
				   "mad"),
			    "2+1 2+1 = 4+2 -> 2+1 2+1 = 3+3");
}

/* Of three pairs only two can be apart. The one in the loop counts for more than two of each other: R2 and R4 part,
 * though four instructions that read R2 and R3 or R3 and R4 are right as they are. */
static void loops_count_for_more(void **state UNUSED)
{
	static const char *const text =
		EIGHT "xor.b32 %r9, %r1, %r2; xor.b32 %r10, %r2, %r1; xor.b32 %r11, %r3, %r2; xor.b32 %r12, %r2, %r3;\n"
		      "st.global.v4.u32 [%d1+32], {%r9, %r10, %r11, %r12};\n"
		      "L: sub.u32 %r13, %r1, %r3; setp.ne.u32 %p1, %r13, 0; @%p1 bra L;\n" KEEP;

	assert_string_equal(spread(text, "sub"), "2+0 = 2+0 -> 1+1 = 1+1");
}

/* The second reads R2 where the first did: of its reads only R4 and R10 go to a bank, and part. Written between, R2 is
 * read again: it is the first of the three that goes to another bank. */
static void what_the_cache_holds_counts_nothing(void **state UNUSED)
{
	assert_string_equal(spread(EIGHT "xor.b32 %r9, %r1, %r1; mad.lo.u32 %r10, %r1, %r3, %r9;\n"
					 "st.global.u32 [%d1+32], %r10;\n" KEEP,
				   "mad"),
			    "3+0 = 3+0 -> 2+1 = 2+1");
	assert_int_not_equal(last[1], last[2]);
	assert_string_equal(spread(EIGHT "xor.b32 %r1, %r1, %r1; mad.lo.u32 %r10, %r1, %r3, %r5;\n"
					 "st.global.u32 [%d1+32], %r10;\n" KEEP,
				   "mad"),
			    "3+0 = 3+0 -> 2+1 = 2+1");
	assert_int_equal(last[1], last[2]);
}

/* Random values of 32 and 64 bits in a loop, most of them short-lived, each made of some of the last twelve. */
static u32 seed;
static u32 drawn(u32 n)
{
	return bed_drawn(&seed, n);
}

static u32 recent(u32 now)
{
	return now - 1 - drawn(12);
}

static void draw_program(struct text *t)
{
	text_add(t, "%s", HEAD "mov.u32 %r90, 0;\n");
	for (u32 i = 0; i < 12; i++)
		text_add(t, "mov.u32 %%r%u, %u;\n", i, i * 77 + 5);
	text_add(t, "L:\n");
	for (u32 i = 12; i < 60; i++) {
		if (!drawn(5))
			text_add(
				t,
				"mul.wide.u32 %%d%u, %%r%u, %%r%u; add.u64 %%d%u, %%d%u, %%d%u; cvt.u32.u64 %%r%u, %%d%u;\n",
				2 + i % 4, recent(i), recent(i), 2 + i % 4, 2 + i % 4, 2 + (i + 1) % 4, i, 2 + i % 4);
		else
			text_add(t, "mad.lo.u32 %%r%u, %%r%u, %%r%u, %%r%u;\n", i, recent(i), recent(i), recent(i));
	}
	for (u32 i = 0; i < 12; i++)
		text_add(t, "xor.b32 %%r%u, %%r%u, %%r%u; st.global.u32 [%%d1+%u], %%r%u;\n", i, i, 48 + i, 4 * i, i);
	text_add(t, "add.u32 %%r90, %%r90, 1; setp.lt.u32 %%p1, %%r90, 3; @%%p1 bra L;\nret;\n}\n");
}

static void a_thread_computes_the_same(void **state UNUSED)
{
	u32 others = 0;

	for (seed = 1; others < ROUNDS;) {
		u32 was = seed;
		struct text t = {0};

		draw_program(&t);
		others += bed_both_orders(t.s, was);
		text_free(&t);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(operands_are_apart),	      cmocka_unit_test(neighbours_are_busy_in_turn),
		cmocka_unit_test(loops_count_for_more),	      cmocka_unit_test(what_the_cache_holds_counts_nothing),
		cmocka_unit_test(a_thread_computes_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
