/*
 * test_spill.c - kernels with more values than registers: values are right on every path, as many are spilled as do not
 * fit, and loops are spared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_bed.h"
#include "spill.h"

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
#define BEGIN "(.param .u64 out)\n%s{\n.reg .b32 %%r<%u>, %%t, %%s; .reg .b64 %%d<%u>, %%at; .reg .pred %%p<4>;\n"
#define THREADS 64

/* The start of a kernel: its directives, so many registers of 32 and of 64 bits; %t is the thread, %at its result. */
static struct text begin(const char *directives, u32 words, u32 pairs)
{
	struct text t = {0};

	text_add(&t, HEAD ".visible .entry k" BEGIN, directives, words, pairs);
	text_add(&t, "mov.u32 %%t, %%tid.x; ld.param.u64 %%at, [out]; mad.wide.u32 %%at, %%t, 8, %%at;\n");
	return t;
}

/* The same line for i from 0 to n - 1; # in it is i. */
static void each(struct text *t, u32 n, const char *line)
{
	for (u32 i = 0; i < n; i++) {
		for (const char *at = line; *at; at++)
			if (*at == '#')
				text_add(t, "%u", i);
			else
				text_addn(t, at, 1);
		text_add(t, "\n");
	}
}

/* Run it, in the order in which it is written or the other; results by thread. */
static void run(struct bed *b, const char *text, bool scheduled, u64 out[THREADS])
{
	u64 address;

	bed_text(b, text, "k", 1, THREADS);
	if (scheduled)
		kernel_schedule(&b->module->kernel[0], true);
	address = give_buffer(b, THREADS * 8);
	bed_fill(b);
	bed_good(b);
	for (u32 i = 0; i < THREADS; i++)
		out[i] = long_at(b, address, i);
}

/* Run it in both orders: the kernel, whose results these are. */
static const struct kernel *run_both(struct bed *b, struct text *t, u64 out[THREADS])
{
	u64 other[THREADS];

	text_add(t, "st.global.u64 [%%at], %%d0; ret;\n}\n");
	run(b, t->s, true, other);
	bed_close(b);
	run(b, t->s, false, out);
	text_free(t);
	assert_memory_equal(out, other, sizeof(other));
	return b->launch.kernel;
}

/* 300 values of each thread are alive where odd threads go one way and even ones another. */
static void many_on_two_paths(void **state)
{
	struct text t = begin("", 300, 1);
	const struct kernel *k;
	u32 labels = 0;
	u64 out[THREADS];
	struct bed b;

	(void)state;
	each(&t, 300, "mad.lo.u32 %r#, %t, #, #;");
	text_add(&t, "and.b32 %%s, %%t, 1; setp.eq.u32 %%p0, %%s, 1; @%%p0 bra ODD;\n");
	each(&t, 300, "mul.lo.u32 %r#, %r#, 3;");
	text_add(&t, "bra BOTH;\nODD:\n");
	for (u32 i = 300; i-- > 0;)
		text_add(&t, "add.u32 %%r%u, %%r%u, 1;\n", i, i);
	text_add(&t, "BOTH: mov.u32 %%s, 0;\n");
	each(&t, 300, "add.u32 %s, %s, %r#;");
	text_add(&t, "cvt.u64.u32 %%d0, %%s;\n");
	k = run_both(&b, &t, out);
	for (u32 i = 0; i < THREADS; i++) /* the numbers below 300 have the sum 44850 */
		assert_int_equal(out[i], (i + 1) * 44850 * (i & 1 ? 1 : 3) + (i & 1 ? 300 : 0));
	assert_int_equal(k->regs, 255);
	/* 300 values, %t, %at, less one that the temporaries need */
	assert_in_range(k->spill.bytes, 4 * (300 + 1 + 2 - 255), 4 * (300 + 1 + 2 - 255 + 4));
	for (u32 i = 0; i < k->ninst; i++)
		if (k->labels[i] && !strcmp(k->labels[i], "ODD")) {
			/* the last value was the one that lives longest when registers ran out */
			assert_true(inst_spills(&k->inst[i]) && k->inst[i].op == OP_LD);
			labels++;
		} else if (k->inst[i].op == OP_BRA && k->inst[i].guard.kind == OPERAND_PRED) {
			assert_string_equal(k->labels[k->inst[i].target], "ODD");
			labels++;
		}
	assert_int_equal(labels, 2);
	bed_close(&b);
}

/* 24 registers: %at has two and one is for temporaries, so 21 values of 30 stay. Of two lots of 30, one behind the
 * other, the second has the slots of the first. */
static void as_many_as_do_not_fit(void **state)
{
	(void)state;
	for (u32 lots = 1; lots <= 2; lots++) {
		struct text t = {0};
		struct bed b;

		text_add(
			&t, HEAD
			".visible .entry k(.param .u64 out)\n.maxnreg 8\n{ .reg .b32 %%r<30>, %%q<30>; .reg .b64 %%d<1>;\n"
			"ld.param.u64 %%d0, [out];\n");
		for (u32 lot = 0; lot < lots; lot++) {
			each(&t, 30, lot ? "ld.global.u32 %q#, [%d0+#];" : "ld.global.u32 %r#, [%d0+#];");
			each(&t, 30, lot ? "st.global.u32 [%d0+#], %q#;" : "st.global.u32 [%d0+#], %r#;");
		}
		text_add(&t, "ret;\n}\n");
		bed_text(&b, t.s, "k", 1, 1);
		text_free(&t);
		assert_int_equal(b.launch.kernel->regs, 24); /* .maxnreg goes no lower */
		assert_int_equal(b.launch.kernel->spill.stores, 9 * lots);
		assert_int_equal(b.launch.kernel->spill.loads, 9 * lots);
		assert_int_equal(b.launch.kernel->spill.stored, 36 * lots);
		assert_int_equal(b.launch.kernel->spill.loaded, 36 * lots);
		assert_int_equal(b.launch.kernel->spill.bytes, 36);
		assert_int_equal(b.launch.kernel->local_bytes, 48);
		give_buffer(&b, 8);
		bed_close(&b);
	}
}

/* Sums of 64 bits in a loop that each thread leaves after a number of rounds of its own; a frame stands before the
 * slots. */
static void pairs_in_a_loop(void **state)
{
	struct text t = begin(".maxnreg 24\n", 4, 16);
	const struct kernel *k;
	u64 out[THREADS];
	struct bed b;

	(void)state;
	text_add(&t, ".local .align 4 .b8 frame[12]; st.local.u32 [frame+8], %%t; mov.u32 %%r0, 0;\n");
	each(&t, 16, "mov.u64 %d#, #; shl.b64 %d#, %d#, 30;");
	text_add(&t, "LOOP: cvt.u64.u32 %%d0, %%r0;\n");
	for (u32 i = 1; i < 16; i++)
		text_add(&t, "mad.lo.u64 %%d%u, %%d%u, 3, %%d%u;\n", i, i, i - 1);
	text_add(&t, "add.u32 %%r0, %%r0, 1; and.b32 %%s, %%t, 3; setp.le.u32 %%p0, %%r0, %%s; @%%p0 bra LOOP;\n");
	for (u32 i = 1; i < 16; i++)
		text_add(&t, "add.u64 %%d0, %%d0, %%d%u;\n", i);
	text_add(&t, "ld.local.u32 %%s, [frame+8]; cvt.u64.u32 %%d1, %%s; add.u64 %%d0, %%d0, %%d1;\n");
	k = run_both(&b, &t, out);
	for (u32 i = 0; i < THREADS; i++) {
		u64 d[16], sum = 0;

		for (u32 n = 0; n < 16; n++)
			d[n] = (u64)n << 30;
		for (u32 r = 0; r <= i % 4; r++) {
			d[0] = r;
			for (u32 n = 1; n < 16; n++)
				d[n] = d[n] * 3 + d[n - 1];
		}
		for (u32 n = 0; n < 16; n++)
			sum += d[n];
		assert_true(out[i] == sum + i);
	}
	assert_true(k->regs <= 24 && k->spill.bytes >= 8 * 6 && kernel_slots(k) >= 16);
	assert_int_equal(k->local_bytes, (16 + k->spill.bytes + 15) / 16 * 16);
	bed_close(&b);
}

/* What a guard holds back keeps its value, also where the instruction changes its guard. */
static void guarded_definitions(void **state)
{
	struct text t = begin(".maxnreg 24\n", 40, 2);
	const struct kernel *k;
	u64 out[THREADS];
	struct bed b;

	(void)state;
	each(&t, 40, "add.u32 %r#, %t, #;");
	text_add(&t, "and.b32 %%s, %%t, 31;\n");
	each(&t, 40, "setp.lt.u32 %p0, %s, 16; @%p0 mad.lo.u32 %r#, %r#, 2, 1;");
	each(&t, 40, "setp.ge.u32 %p0, %s, 16; @%p0 mov.u32 %r#, 500;");
	/* lanes 0 to 3 of eight have nothing four lanes below them: their own value, and %p0 becomes false */
	each(&t, 40, "setp.lt.u32 %p0, %s, 8; @%p0 shfl.sync.up.b32 %r#|%p0, %t, 4, 0, 255;");
	text_add(&t, "mov.u64 %%d0, 0;\n");
	each(&t, 40, "cvt.u64.u32 %d1, %r#; mad.lo.u64 %d0, %d0, 3, %d1;");
	k = run_both(&b, &t, out);
	for (u32 i = 0; i < THREADS; i++) {
		u64 sum = 0;

		for (u32 n = 0; n < 40; n++) {
			u64 v = i + n, lane = i % 32;

			v = lane < 4 ? i : lane < 8 ? i - 4 : lane < 16 ? 2 * v + 1 : 500;
			sum = sum * 3 + v;
		}
		assert_true(out[i] == sum);
	}
	assert_true(k->regs <= 24 && k->spill.bytes >= 4 * 20);
	bed_close(&b);
}

/* Values that nested loops use stay in registers, though others have more uses in the text and are needed sooner.
 */
static void loops_are_spared(void **state)
{
	struct text t = begin(".maxnreg 24\n", 43, 1);
	const struct kernel *k;
	u32 from = 0, until = 0;
	u64 out[THREADS];
	struct bed b;

	(void)state;
	each(&t, 40, "add.u32 %r#, %t, #;");
	text_add(&t, "mov.u32 %%s, 0; mov.u32 %%r40, 0; mov.u32 %%r41, 2;\n");
	for (u32 i = 0; i < 40; i++)
		for (u32 n = 0; n < 4 && i % 4; n++)
			text_add(&t, "add.u32 %%s, %%s, %%r%u;\n", i);
	text_add(&t, "OUTER: mov.u32 %%r42, 5;\nINNER:\n");
	for (u32 i = 0; i < 40; i += 4)
		text_add(&t, "add.u32 %%r40, %%r40, %%r%u;\n", i);
	text_add(&t, "sub.u32 %%r42, %%r42, 1; setp.ne.u32 %%p0, %%r42, 0; @%%p0 bra INNER;\n"
		     "sub.u32 %%r41, %%r41, 1; setp.ne.u32 %%p0, %%r41, 0; @%%p0 bra OUTER;\n");
	text_add(&t, "add.u32 %%s, %%s, %%r40; cvt.u64.u32 %%d0, %%s;\n");
	k = run_both(&b, &t, out);
	for (u32 i = 0; i < THREADS; i++) /* the sum of numbers below 40 is 780, of those that 4 divides 180 */
		assert_int_equal(out[i], 4 * (30 * i + 780 - 180) + 10 * (10 * i + 180));
	for (u32 i = 0; i < k->ninst; i++)
		if (k->inst[i].op == OP_BRA) {
			from = k->inst[i].target;
			until = i;
		}
	assert_true(k->spill.bytes && until > from);
	for (u32 i = from; i < until; i++)
		assert_false(inst_spills(&k->inst[i]));
	bed_close(&b);
}

/* A matrix product, whose steps take 4 registers of each factor and 8 of each sum: all 24 that there are. */
static void steps_of_a_product(void **state)
{
	u64 at[2];
	float is[2][256];
	u32 regs[2];

	(void)state;
	for (u32 tight = 0; tight < 2; tight++) {
		struct text t = {0};
		struct bed b;

		text_add(&t, HEAD ".visible .entry k(.param .u64 out)\n%s{\n", tight ? ".maxnreg 24\n" : "");
		text_add(&t, ".reg .b32 %%a<8>, %%b<8>, %%c<8>, %%w<8>, %%v<30>, %%t; .reg .b64 %%d, %%e;\n"
			     "ld.param.u64 %%d, [out]; mov.u32 %%t, %%tid.x; mad.wide.u32 %%e, %%t, 4, %%d;\n");
		each(&t, 8, "add.u32 %a#, %t, #; cvt.rn.f16x2.f32 %a#, 0f40000000, 0f3F800000;");
		each(&t, 8, "cvt.rn.f16x2.f32 %b#, 0f3F800000, 0f40400000; cvt.rn.f32.u32 %c#, %t;");
		each(&t, 30, "add.u32 %v#, %t, #;");
		for (u32 i = 0; i < 3; i++) {
			text_add(
				&t,
				"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%%w0, %%w1, %%w2, %%w3, %%w4, %%w5, "
				"%%w6, %%w7}, {%%a0, %%a1, %%a2, %%a3, %%a4, %%a5, %%a6, %%a7}, {%%b0, %%b1, %%b2, %%b3, "
				"%%b4, %%b5, %%b6, %%b7}, {%%c0, %%c1, %%c2, %%c3, %%c4, %%c5, %%c6, %%c7};\n");
			each(&t, 8, "add.f32 %c#, %c#, %w#;");
		}
		each(&t, 30, "cvt.rn.f32.u32 %v#, %v#; add.f32 %c0, %c0, %v#;");
		for (u32 i = 0; i < 8; i++)
			text_add(&t, "st.global.f32 [%%e+%u], %%c%u;\n", 128 * i, i);
		text_add(&t, "ret;\n}\n");
		bed_text(&b, t.s, "k", 1, 32);
		text_free(&t);
		at[tight] = give_buffer(&b, 1024);
		bed_fill(&b);
		bed_good(&b);
		for (u32 i = 0; i < 256; i++)
			is[tight][i] = float_at(&b, at[tight], i);
		regs[tight] = b.launch.kernel->regs;
		assert_int_equal(b.launch.kernel->spill.bytes != 0, tight);
		bed_close(&b);
	}
	assert_memory_equal(is[0], is[1], sizeof(is[0]));
	assert_true(is[0][5] != is[0][6] && is[0][5] > 48);
	assert_int_equal(regs[1], 24);
	assert_in_range(regs[0], 56, 70);
}

/* Slots must find room behind the frame. */
static void no_room_for_slots(void **state)
{
	struct module *m;
	struct error e = {0};
	struct text t = {0};

	(void)state;
	text_add(&t, HEAD ".visible .entry k(.param .u64 out)\n.maxnreg 24\n{ .reg .b32 %%r<30>; .reg .b64 %%d<1>;\n"
			  ".local .align 8 .b8 frame[524280]; st.local.u32 [frame], 1; ld.param.u64 %%d0, [out];\n");
	each(&t, 30, "ld.global.u32 %r#, [%d0+#];");
	each(&t, 30, "st.global.u32 [%d0+#], %r#;");
	text_add(&t, "ret;\n}\n");
	assert_int_equal(ptx_load_text("t.ptx", t.s, strlen(t.s), &m, &e), STATUS_USAGE);
	assert_string_equal(e.message,
			    "'k' needs 36 bytes of local memory per thread for spilled registers (at most 8)");
	assert_int_equal(e.line, 4);
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_on_two_paths), cmocka_unit_test(as_many_as_do_not_fit),
		cmocka_unit_test(pairs_in_a_loop),   cmocka_unit_test(guarded_definitions),
		cmocka_unit_test(loops_are_spared),  cmocka_unit_test(steps_of_a_product),
		cmocka_unit_test(no_room_for_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
