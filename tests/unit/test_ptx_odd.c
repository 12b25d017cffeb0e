/*
 * test_ptx_odd.c - PTX that compilers write seldom or never: register arguments, guarded calls, shared variables of
 * functions, packed initialisers, sinks, old spellings; and the survey of a file that runs in parts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_bed.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
#define REGS \
	".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<16>; .reg .f32 %f<4>; .reg .b64 %d<16>; .reg .f64 %g<4>;\n"
#define BEGIN \
	".visible .entry k(.param .u64 out)\n{\n" REGS "ld.param.u64 %d15, [out];\nmov.u32 %r15, %tid.x;\n" \
	"mad.wide.u32 %d14, %r15, 8, %d15;\n"
#define END "ret;\n}\n"
#define STORE32 "cvt.u64.u32 %d1, %r1;\n"
#define STORE "st.global.u64 [%d14], %d1;\n"

/* Run 32 threads of a kernel; thread i leaves %d1 in out[i]. */
static void run_text(struct bed *b, u64 *out, const char *before, const char *body)
{
	struct text t = {0};
	u64 address;

	text_add(&t, "%s%s%s%s%s", HEAD, before, BEGIN, body, STORE END);
	bed_text(b, t.s, "k", 1, 32);
	address = give_buffer(b, 256);
	bed_fill(b);
	bed_good(b);
	for (u32 i = 0; i < 32; i++)
		out[i] = long_at(b, address, i);
	text_free(&t);
}

/* The same where only what one thread leaves counts. */
static u64 value_of(const char *before, const char *body, u32 thread)
{
	struct bed b;
	u64 out[32];

	run_text(&b, out, before, body);
	bed_close(&b);
	return out[thread];
}

#define TWICE ".func (.reg .b32 y) twice(.reg .b32 x) { add.s32 y, x, x; ret; }\n"
#define CLAMP \
	".func (.param .b32 y) clamp(.param .b32 x)\n{\n.reg .b32 %r<3>; .reg .pred %p<2>;\nld.param.b32 %r1, [x];\n" \
	"setp.lt.u32 %p1, %r1, 5;\n@%p1 bra SMALL;\nst.param.b32 [y], 5;\nret;\nSMALL:\nst.param.b32 [y], %r1;\nret;\n}\n"
#define NEXT \
	".func (.param .b32 y) next()\n{\n.shared .u32 counter;\n.reg .b32 %r<3>;\natom.shared.add.u32 %r1, [counter], 1;\n" \
	"st.param.b32 [y], %r1;\nret;\n}\n"
#define FRAME \
	".func (.param .b32 y) frame(.param .b32 x)\n{\n.local .align 8 .b8 depot[24];\n.reg .b32 %r<4>; .reg .b64 %d<3>;\n" \
	"ld.param.b32 %r1, [x];\nmov.u64 %d1, depot;\nst.local.u32 [%d1+20], %r1;\nld.local.u32 %r2, [depot+20];\n" \
	"st.param.b32 [y], %r2;\nret;\n}\n"

/* One row: what thread 3 leaves. */
static void test_values(void **state UNUSED)
{
	static const struct {
		const char *before, *body;
		u64 want;
	} rows[] = {
		/* calls */
		{TWICE, "call (%r1), twice, (%r15);" STORE32, 6},
		{TWICE, "call (%r1), twice, (21);" STORE32, 42},
		{TWICE,
		 "{ .param .b32 a; .param .b32 c; st.param.b32 [a], 9; call (c), twice, (a); ld.param.b32 %r1, [c]; }" STORE32,
		 18},
		{CLAMP, "call (%r1), clamp, (%r15);" STORE32, 3},
		{CLAMP,
		 "{ .param .b32 a; .param .b32 c; st.param.b32 [a+0], 77; call.uni (c), clamp, (a); ld.param.u32 %d1, [c+0]; }",
		 5},
		{CLAMP, "mov.u32 %r1, 1; setp.eq.s32 %p1, %r15, 4; @%p1 call (%r1), clamp, (%r15);" STORE32, 1},
		{CLAMP, "mov.u32 %r1, 1; setp.eq.s32 %p1, %r15, 4; @!%p1 call (%r1), clamp, (%r15);" STORE32, 3},
		{TWICE CLAMP, "call (%r2), twice, (%r15); call (%r3), clamp, (%r2); call (%r1), twice, (%r3);" STORE32,
		 10},
		{".func f(); .func f() { ret; ret; L: }\n", "call f; mov.u64 %d1, 4;", 4},
		{"", "mov.u64 %d1, 8; bra LATER; LATER:", 8},
		/* .param variables of bodies, byte by byte */
		{"", "{ .param .align 8 .b8 a[16]; st.param.b64 [a+8], -2; ld.param.b32 %r1, [a+12]; }" STORE32,
		 0xffffffff},
		{"", "{ .param .align 8 .b8 a[8]; st.param.v2.b32 [a], {%r15, 7}; ld.param.b64 %d1, [a]; }",
		 0x700000003},
		{"",
		 "{ .param .align 4 .b8 a[4]; st.param.b8 [a+3], 200; st.param.b8 [a], 1; st.param.b8 [a+1], 255; st.param.b8 [a+2], 0; "
		 "ld.param.b32 %r1, [a]; }" STORE32,
		 0xc800ff01},
		{"", "{ .param .align 4 .b8 a[4]; st.param.b32 [a], 0x80ff; ld.param.s16 %d1, [a]; }",
		 0xffffffffffff80ff},
		{"",
		 "{ .param .align 4 .b8 a[4]; st.param.b32 [a], 0x80ff; ld.param.u8 %h1, [a+1]; cvt.u64.u16 %d1, %h1; }",
		 0x80},
		{"", "{ .param .b32 a; mov.u32 %r1, 0x12345; st.param.b8 [a], %r1; ld.param.b32 %r1, [a]; }" STORE32,
		 0x45},
		{"", "{ .param .b64 a; st.param.f64 [a], 0d4000000000000000; ld.param.b32 %r1, [a+4]; }" STORE32,
		 0x40000000},
		{"", "{ .param .align 8 .b8 a[8]; st.param.f64 [a], 0d4000000000000000; ld.param.b64 %d1, [a]; }",
		 0x4000000000000000},
		{"", "{ .param .align 4 .b8 a[4]; st.param.f32 [a], 0f3F800000; ld.param.b32 %r1, [a]; }" STORE32,
		 0x3f800000},
		/* addresses in initialisers: whole, generic, byte by byte */
		{".global .align 4 .u32 x[4] = {10, 11, 12, 13};\n.global .u64 t[2] = {x+8, generic(x)+4};\n",
		 "ld.global.u64 %d2, [t]; ld.global.u32 %r1, [%d2]; ld.global.u64 %d2, [t+8]; ld.u32 %r2, [%d2]; mad.lo.u32 %r1, %r1, 100, %r2;" STORE32,
		 1211},
		{".const .u32 x[2] = {5, 6};\n.global .align 8 .b8 t[8] = {0xFF(generic(x)), 0xFF00(generic(x)), 0xFF0000(generic(x)), "
		 "0xFF000000(generic(x)), 0xFF00000000(generic(x)), 0xFF0000000000(generic(x)), 0, 0};\n",
		 "ld.global.u64 %d2, [t]; ld.u32 %r1, [%d2+4];" STORE32, 6},
		{".global .u32 x = 8;\n.const .u64 t = x;\n",
		 "ld.const.u64 %d2, [t]; ld.global.u32 %r1, [%d2];" STORE32, 8},
		/* spaces */
		{"", ".local .align 8 .b8 a[16]; st.local.v2.u32 [a+8], {%r15, 9}; ld.local.u64 %d1, [a+8];",
		 0x900000003},
		{"",
		 ".local .u32 a; cvta.local.u64 %d2, a; st.u32 [%d2], %r15; cvta.to.local.u64 %d3, %d2; ld.local.u32 %r1, [%d3];" STORE32,
		 3},
		{"",
		 ".shared .u32 a[32]; mov.u64 %d2, a; mad.wide.u32 %d2, %r15, 4, %d2; st.shared.u32 [%d2], %r15; cvta.shared.u64 %d3, %d2; "
		 "atom.add.u32 %r2, [%d3], 5; ld.shared.u32 %r1, [%d2];" STORE32,
		 8},
		{"",
		 ".shared .u32 a; .local .u32 b; cvta.shared.u64 %d2, a; cvta.local.u64 %d3, b; isspacep.shared %p1, %d2; "
		 "isspacep.shared %p2, %d3; isspacep.local %p3, %d3; isspacep.global %p4, %d15; selp.u32 %r1, 1, 0, %p1; "
		 "selp.u32 %r2, 2, 0, %p2; selp.u32 %r3, 4, 0, %p3; selp.u32 %r4, 8, 0, %p4; or.b32 %r1, %r1, %r2; "
		 "or.b32 %r1, %r1, %r3; or.b32 %r1, %r1, %r4;" STORE32,
		 13},
		{"", "mov.u64 %d2, out; ld.param.u64 %d3, [%d2]; sub.s64 %d1, %d3, %d15; add.s64 %d1, %d1, 1;", 1},
		{"", "cvta.param.u64 %d2, out; ld.u64 %d3, [%d2]; sub.s64 %d1, %d3, %d15; add.s64 %d1, %d1, 2;", 2},
		/* orders and hints */
		{"",
		 "st.release.gpu.global.u32 [%d14], %r15; ld.acquire.gpu.global.u32 %r1, [%d14]; atom.acq_rel.gpu.global.add.u32 %r2, [%d14], 4; "
		 "fence.sc.gpu; fence.proxy.alias; membar.gl; prefetch.global.L2 [%d14]; prefetchu.L1 [%d14]; ld.relaxed.sys.global.u32 %r1, [%d14];" STORE32,
		 7},
		{"",
		 "createpolicy.fractional.L2::evict_last.b64 %d2, 0f3F800000; st.global.L2::cache_hint.u32 [%d14], %r15, %d2; "
		 "ld.global.L1::no_allocate.L2::128B.u32 %r1, [%d14];" STORE32,
		 3},
		/* sinks and pieces */
		{"", "mov.b64 {_, %r1}, 0x700000005;" STORE32, 7},
		{"", "st.global.u64 [%d14], 0x700000005; ld.global.v2.u32 {_, %r1}, [%d14];" STORE32, 7},
		{"", "atom.global.add.u32 _, [%d14], 5; ld.global.u32 %r1, [%d14];" STORE32, 5},
		{"", "setp.lt.s32 _|%p1, %r15, 9; selp.u32 %r1, 1, 2, %p1;" STORE32, 2},
		{"", "mov.b64 {%h1, %h2, %h3, %h4}, 0x0004000300020001; mov.b32 %r1, {%h4, %h2};" STORE32, 0x00020004},
		/* masks of bits */
		{"", "bmsk.clamp.b32 %r1, 4, 8;" STORE32, 0xff0},
		{"", "bmsk.clamp.b32 %r1, 28, 40;" STORE32, 0xf0000000},
		{"", "bmsk.clamp.b32 %r1, 32, 1;" STORE32, 0},
		{"", "bmsk.wrap.b32 %r1, 33, 34;" STORE32, 6},
		/* warps, also in old spellings */
		{"",
		 "shfl.sync.down.b32 %r1|%p1, %r15, 1, 31, -1; selp.u32 %r2, 100, 0, %p1; add.u32 %r1, %r1, %r2;" STORE32,
		 104},
		{"", "shfl.idx.b32 %r1, %r15, 9, 31;" STORE32, 9},
		{"", "setp.lt.u32 %p1, %r15, 4; vote.ballot.b32 %r1, !%p1;" STORE32, 0xfffffff0},
		{"", "setp.lt.u32 %p1, %r15, 4; vote.ballot.sync.b32 %r1, %p1, 0xffffffff;" STORE32, 15},
		{"", "vote.sync.ballot.b32 %r1, 1, -1;" STORE32, 0xffffffff},
		{"", "shr.u32 %r2, %r15, 2; match.any.sync.b32 %r1, %r2, -1;" STORE32, 15},
		{"", "match.all.sync.b32 %r1|%p1, %r15, -1; selp.u32 %r2, 1, 2, %p1; add.u32 %r1, %r1, %r2;" STORE32,
		 2},
		{"", "redux.sync.add.u32 %r1, %r15, -1;" STORE32, 496},
		{"", "mov.u32 %r1, %lanemask_ge;" STORE32, 0xfffffff8},
		{"", "activemask.b32 %r1; bar.warp.sync -1;" STORE32, 0xffffffff},
		/* barriers of the CTA */
		{"", "setp.lt.u32 %p1, %r15, 7; bar.red.popc.u32 %r1, 3, %p1;" STORE32, 7},
		{"", "setp.lt.u32 %p1, %r15, 7; barrier.cta.red.popc.aligned.u32 %r1, 0, 32, !%p1;" STORE32, 25},
		{"",
		 "setp.lt.u32 %p1, %r15, 7; bar.red.and.pred %p2, 0, %p1; selp.u32 %r1, 1, 2, %p2; mov.u32 %r2, 5; bar.sync %r2; bar.sync 4, 32;" STORE32,
		 2},
		/* carry over 64 bits each */
		{"", "mov.u64 %d2, -1; add.cc.u64 %d3, %d2, 1; addc.u64 %d1, 0, 0;", 1},
		{"", "sub.cc.s32 %r2, 0, 1; subc.cc.s32 %r2, 5, 5; subc.s32 %r1, 9, 0;" STORE32, 8},
		/* one flag: that of a subtraction is set where nothing was borrowed */
		{"", "sub.cc.u32 %r2, 5, 3; addc.u32 %r1, 0, 0;" STORE32, 1},
		{"", "sub.cc.u32 %r2, 3, 5; addc.u32 %r1, 0, 0;" STORE32, 0},
		{"", "add.cc.u32 %r2, 5, 3; subc.u32 %r1, 0, 0;" STORE32, 0xffffffff},
		{"", "add.cc.u32 %r2, -1, 3; subc.u32 %r1, 0, 0;" STORE32, 0},
		/* a clock of 64 bits; its low half */
		{"", "mov.u64 %d1, %clock64; mov.u32 %r1, %clock; mov.u64 %d1, 5;", 5}};

	for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
		u64 got = value_of(rows[i].before, rows[i].body, 3);

		if (got != rows[i].want)
			fail_msg("%s%s: %llx instead of %llx", rows[i].before, rows[i].body, (unsigned long long)got,
				 (unsigned long long)rows[i].want);
	}
}

/* A .shared variable of a function is one for all its calls. */
static void test_shared_of_function(void **state UNUSED)
{
	struct bed b;
	u64 out[32], sum = 0;

	run_text(&b, out, NEXT, "call (%r1), next; call (%r2), next; add.u32 %r1, %r1, %r2;" STORE32);
	assert_int_equal(b.launch.kernel->static_shared, 4);
	for (u32 i = 0; i < 32; i++)
		sum += out[i];
	assert_int_equal(sum, 63 * 64 / 2);
	bed_close(&b);
}

/* Lanes that leave early, with and without work before, are not missed at a barrier, whichever way the branch goes. */
static void test_early_return(void **state UNUSED)
{
	static const char *const body[] = {
		"mov.u64 %d1, 2; setp.ge.u32 %p1, %r15, 5; @%p1 bra ON; mov.u64 %d1, 1; " STORE
		"ret;\nON: bar.sync 0; ",
		"mov.u64 %d1, 1; setp.lt.u32 %p1, %r15, 5; @!%p1 bra ON; st.global.u64 [%d14], %d1; bra OUT;\n"
		"ON: bar.sync 0; mov.u64 %d1, 2; st.global.u64 [%d14], %d1;\nOUT: ret; "};
	struct bed b;
	u64 out[32];

	for (u32 k = 0; k < 2; k++) {
		run_text(&b, out, "", body[k]);
		for (u32 i = 0; i < 32; i++)
			assert_int_equal(out[i], i < 5 ? 1 : 2);
		bed_close(&b);
	}
}

/* Frames of calls one after the other share their place, behind the caller's. */
static void test_frames(void **state UNUSED)
{
	struct bed b;
	u64 out[32];

	run_text(
		&b, out, FRAME,
		".local .b8 own[4]; call (%r1), frame, (%r15); call (%r2), frame, (8); add.u32 %r1, %r1, %r2;" STORE32);
	assert_int_equal(b.launch.kernel->local_bytes, 32);
	for (u32 i = 0; i < 32; i++)
		assert_int_equal(out[i], i + 8);
	bed_close(&b);
}

/* What parameters point to, and the fields of a struct. */
static void test_pointers(void **state UNUSED)
{
	static const char text[] = HEAD
		".visible .entry k(.param .u64 p, .param .u64 n, .param .align 8 .b8 s[24], "
		".param .u64 .ptr .shared .align 32 q)\n{\n" REGS
		"ld.param.u64 %d1, [p]; ld.param.u64 %d2, [n]; cvta.to.global.u64 %d3, %d1; shl.b64 %d4, %d2, 2; add.s64 %d5, %d3, %d4;\n"
		"ld.global.b32 %f1, [%d5]; add.f32 %f1, %f1, %f1; ld.param.f64 %g1, [s]; ld.param.u64 %d6, [s+16]; st.u16 [%d6+2], 1;\n"
		"ld.param.u64 %d7, [q]; st.shared.f32 [%d7], %f1;\nret;\n}\n";
	const struct kernel_param *p;
	const struct kernel_field *f;
	struct module *m;

	assert_int_equal(ptx_load_text("t.ptx", text, strlen(text), &m, NULL), STATUS_OK);
	p = m->kernel->param;
	assert_true(p[0].pointer && p[0].element == VALUE_F32 && !p[0].shared);
	assert_true(!p[1].pointer && p[1].element == VALUE_BYTES);
	assert_true(!p[2].pointer && p[3].shared && p[3].shared_align == 32 && !p[3].pointer);
	assert_int_equal(m->kernel->nfield, 5);
	f = m->kernel->field;
	assert_true(f[2].param == 2 && f[2].offset == 0 && f[2].type == VALUE_F64 && !f[2].pointer);
	assert_true(f[3].param == 2 && f[3].offset == 16 && f[3].pointer && f[3].element == VALUE_U16);
	assert_true(m->kernel->stores_global && !m->kernel->dynamic);
	module_free(m);
}

#define SURVEYED \
	HEAD ".global .texref t;\n.visible .entry good()\n{\nret;\n}\n" \
	     ".visible .entry bad(.param .u64 a)\n{\n" REGS "tex.1d.v4.f32.s32 {%f1,%f1,%f2,%f3}, [t, {%r1}];\n" \
	     "tex.1d.v4.f32.s32 {%f1,%f1,%f2,%f3}, [t, {%r1}];\ncvt.rs.satfinite.e4m3x4.f32 %r1, {%f1,%f1,%f1,%f1}, %r1;\nL: mov.u32 %r1, %envreg3;\nbra L;\n}\n" \
	     ".visible .entry wrong(.param .b33 x)\n{\nret;\n}\n.visible .entry lost()\n{\n.reg .b128 %x;\nadd.s32 %x, %x, %x;\nret;\n}\n" \
	     ".visible .entry last()\n{\nret;\n}\n"

/* A survey reads on behind every problem and counts equal ones once. */
static void test_survey(void **state UNUSED)
{
	static const struct {
		u32 kernel, line, column, count;
		const char *message;
	} want[] = {{~0u, 4, 9, 1, "texture references"},
		    {1, 12, 39, 2, "'t' cannot be used"},
		    {1, 14, 1, 1, "stochastic rounding, of PTX 8.7 and sm_100a, is not modeled"},
		    {1, 15, 17, 1, "%envreg3"},
		    {2, 18, 30, 1, "a parameter type"},
		    {3, 24, 6, 1, "at most 64 bits"}};
	static const char *const names[] = {"good", "bad", "wrong", "lost", "last"};
	static const u32 problems[] = {0, 3, 1, 1, 0};
	struct error e = {0};
	struct ptx_survey v = {0};

	assert_int_equal(ptx_survey_text("t.ptx", SURVEYED, strlen(SURVEYED), &v, &e), STATUS_OK);
	for (u32 i = 0; i < v.nproblem; i++)
		if (i >= ARRAY_LEN(want) || v.problem[i].kernel != want[i].kernel ||
		    v.problem[i].line != want[i].line || v.problem[i].column != want[i].column ||
		    v.problem[i].count != want[i].count || !strstr(v.problem[i].message, want[i].message))
			fail_msg("problem %u: kernel %d, %u:%u: %u times: %s", i, (int)v.problem[i].kernel,
				 v.problem[i].line, v.problem[i].column, v.problem[i].count, v.problem[i].message);
	assert_int_equal(v.nproblem, ARRAY_LEN(want));
	assert_int_equal(v.nverdict, ARRAY_LEN(names));
	for (u32 i = 0; i < v.nverdict; i++) {
		assert_string_equal(v.verdict[i].kernel, names[i]);
		assert_int_equal(v.verdict[i].problems, problems[i]);
	}
	ptx_survey_free(&v);
	assert_int_equal(ptx_survey_text("t.ptx", "hello", 5, &v, &e), STATUS_USAGE);
	assert_non_null(strstr(e.message, "not a PTX module"));
}

/* A damaged module is surveyed without harm. */
static void test_survey_damage(void **state UNUSED)
{
	size_t len = strlen(SURVEYED);

	for (u32 i = 0; i < 3000; i++) {
		struct ptx_survey v = {0};
		char *copy = xstrndup(SURVEYED, len);

		copy[mix64(i) % len] = "{}[]();,:.%@<>+-0 \"/*\n"[mix64(i + 7777) % 22];
		if (i & 1)
			copy[mix64(i + 99) % len] = '\0';
		ptx_survey_text("t.ptx", copy, i & 1 ? strlen(copy) : len, &v, NULL);
		ptx_survey_free(&v);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),	      cmocka_unit_test(test_shared_of_function),
		cmocka_unit_test(test_frames),	      cmocka_unit_test(test_early_return),
		cmocka_unit_test(test_pointers),      cmocka_unit_test(test_survey),
		cmocka_unit_test(test_survey_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
