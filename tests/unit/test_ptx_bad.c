/*
 * test_ptx_bad.c - what the PTX front end refuses: the place and a piece of the message; and that no damage to a
 * module's text makes it crash or leak.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ptx.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
#define ENTRY ".visible .entry k(.param .u64 a, .param .u32 n, .param .align 4 .b8 s[12])\n{\n"
#define REGS \
	".reg .pred %p<4>; .reg .b16 %rs<4>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %rd<8>; .reg .f64 %fd<4>;\n"
#define BODY_LINE 7
#define BODY(text) HEAD ENTRY REGS text "\nret;\n}\n"

struct bad {
	const char *text;
	u32 line, column;
	const char *want;
};

/* Load, expect a refusal, compare place and message. */
static void expect_bad(const struct bad *row, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		struct module *m = NULL;
		struct error e = {0};
		enum status st = ptx_load_text("t.ptx", row[i].text, strlen(row[i].text), &m, &e);

		if (st != STATUS_USAGE || m || e.line != row[i].line || e.column != row[i].column ||
		    !strstr(e.message, row[i].want))
			fail_msg("row %u: got %d, %s:%u:%u: %s; want %u:%u: %s\n%s", i, st, e.file, e.line, e.column,
				 e.message, row[i].line, row[i].column, row[i].want, row[i].text);
		assert_string_equal(e.file, "t.ptx");
	}
}

/* The text itself: tokens, comments, strings, numbers. */
static void test_tokens(void **state UNUSED)
{
	static const struct bad rows[] = {
		{"", 1, 1, "contains no PTX module"},
		{"// only a comment\n", 2, 1, "contains no PTX module"},
		{"hello", 1, 1, "not a PTX module: expected .version, found 'hello'"},
		{"\x7f"
		 "ELF\x02\x01",
		 1, 1, "byte 0x7f"},
		{".version 7.0\n\xff", 2, 1, "byte 0xff"},
		{".version 7.0\n/* open", 2, 1, "comment is not closed"},
		{HEAD ".file 1 \"x.cu\n", 4, 9, "string is not closed"},
		{HEAD ".file 1 x", 4, 9, "a file name in quotes"},
		{BODY("mov.u32 %r1, 99999999999999999999999;"), BODY_LINE, 14, "does not fit in 64 bits"},
		{BODY("mov.u32 %r1, 0x;"), BODY_LINE, 14, "digits are missing"},
		{BODY("mov.u32 %r1, 12ab;"), BODY_LINE, 14, "malformed number"},
		{BODY("mov.u32 %r1, 089;"), BODY_LINE, 14, "malformed number"},
		{BODY("mov.f32 %f1, 0f3F80;"), BODY_LINE, 14, "exactly 8 hexadecimal digits"},
		{BODY("mov.f64 %fd1, 0d3F80;"), BODY_LINE, 15, "exactly 16 hexadecimal digits"},
		{BODY("mov.f32 %f1, 1.2.3;"), BODY_LINE, 14, "malformed number"},
		{BODY("mov.u32 %r1, %r2 # %r3;"), BODY_LINE, 18, "byte 0x23"},
		{BODY(". add.s32 %r1, %r2, %r3;"), BODY_LINE, 1, "a lone '.'"},
	};

	expect_bad(rows, ARRAY_LEN(rows));
}

/* A NUL byte in the middle, and a name longer than any. */
static void test_bytes(void **state UNUSED)
{
	static const char nul[] = HEAD "\0.visible";
	struct module *m;
	struct error e = {0};
	char *longest = xmalloc(20000);

	assert_int_equal(ptx_load_text("t.ptx", nul, sizeof(nul) - 1, &m, &e), STATUS_USAGE);
	assert_int_equal(e.line, 4);
	assert_non_null(strstr(e.message, "NUL byte"));
	memset(longest, 'x', 20000);
	memcpy(longest, ".version 7.0\n.", 14);
	assert_int_equal(ptx_load_text("t.ptx", longest, 20000, &m, &e), STATUS_USAGE);
	assert_non_null(strstr(e.message, "at most 4096"));
	free(longest);
}

/* Directives of the module and of entries. */
static void test_directives(void **state UNUSED)
{
	static const struct bad rows[] = {
		{".version 7.0\n", 2, 1, "no .entry"},
		{".version x\n", 1, 10, "a version such as 7.0"},
		{".version 7.0\n.address_size 32\n", 2, 15, "32 bits are not supported"},
		{HEAD ".visible .entri k() { ret; }", 4, 10, "a directive of a module"},
		{HEAD ".visible .entry k(.param .u33 x) { ret; }", 4, 26, "a parameter type"},
		{HEAD ".visible .entry k(.param .u32 x { ret; }", 4, 33, "',' or ')'"},
		{HEAD ".visible .entry k(.param .u32 x, .param .u32 x) { ret; }", 4, 46, "declared twice"},
		{HEAD ".visible .entry k(.param .u64 .ptr .const .align 4 x) { ret; }", 4, 36,
		 ".const memory is not supported"},
		{HEAD ".visible .entry k(.param .u64 .ptr .shared .align 3 x) { ret; }", 4, 51, "power of two"},
		{HEAD ".visible .entry k(.param .align 3 .b8 x[4]) { ret; }", 4, 35, "power of two"},
		{HEAD ".visible .entry k(.param .align 4 .b8 x[99999]) { ret; }", 4, 41, "1 to 32764 bytes"},
		{HEAD ".visible .entry k() .maxntid 0x100000000 { ret; }", 4, 30, "too large"},
		{HEAD ".visible .entry k() .frob 3 { ret; }", 4, 21, "expected '{', .maxntid"},
		{HEAD ".visible .entry k()\n{\nret;\n", 5, 1, "body of 'k' is not closed"},
		{HEAD ".visible .entry k()\n{\n{ ret;\n}", 5, 1, "body of 'k' is not closed"},
		{HEAD ".visible .entry k() { ret; }\n.visible .entry k() { ret; }", 5, 17,
		 "first declaration is in line 4"},
		{HEAD ".func f() { ret;", 4, 11, "never closed"},
		{HEAD ".func f()", 4, 1, "neither ';' nor a body"},
		{HEAD ".section .debug_str { .b8 0", 4, 21, "never closed"},
		{HEAD ".global .texref t;", 4, 9, "texture references are not modeled"},
		{HEAD ".tex .u64 t;", 4, 1, "texture references are not modeled"},
		{HEAD ".visible .func (.param .b32 r) f() { ret; }", 5, 1, "no .entry"},
	};
	struct bad last = rows[ARRAY_LEN(rows) - 1];

	last.line = 4;
	last.column = 44;
	expect_bad(rows, ARRAY_LEN(rows) - 1);
	expect_bad(&last, 1);
}

/* Variables and initialisers. */
static void test_variables(void **state UNUSED)
{
	static const struct bad rows[] = {
		{HEAD ".global .u32 x = 4294967296;", 4, 18, "not a value of type .u32"},
		{HEAD ".global .f32 x = 5;", 4, 18, "not a value of type .f32"},
		{HEAD ".global .u32 x[2] = {1, 2, 3};", 4, 28, "too many initial values"},
		{HEAD ".global .u32 x[2] = {{1}};", 4, 22, "too many braces"},
		{HEAD ".global .u32 x[];", 4, 14, "has no size"},
		{HEAD ".global .u32 x[0];", 4, 16, "an array must have a size"},
		{HEAD ".global .u32 x[4", 4, 17, "ends where ']' is expected"},
		{HEAD ".global .u32 x;\n.const .u32 x;", 5, 13, "declared twice"},
		{HEAD ".global .u32 y;\n.global .u32 x = y;", 5, 18,
		 "an address has 64 bits, but the elements of this variable have 32"},
		{HEAD ".global .u64 x = y;", 4, 18, "'y', which is not declared"},
		{HEAD ".global .u64 x = generic(y;", 4, 27, "')'"},
		{HEAD ".shared .u32 y;\n.global .u64 x = y;", 5, 18, "in another memory space"},
		{HEAD ".entry k() { ret; }\n.global .u64 x = k;", 5, 18, "which is a kernel"},
		{HEAD ".global .u32 y;\n.global .b8 x[8] = {0xF0(y)};", 5, 21, "is not a mask of one byte"},
		{HEAD ".global .u32 y;\n.global .u64 x = y + z;", 5, 22, "a number of bytes"},
		{HEAD ".shared .u32 x = 4;", 4, 16, ".shared variable cannot have an initializer"},
		{HEAD ".global .align 3 .u32 x;", 4, 16, "power of two"},
		{HEAD ".const .b8 x[70000];", 4, 12, "the constant bank holds 65536"},
		{HEAD ".global .u32 x = 1 / 0;", 4, 20, "division by zero"},
		{HEAD ".global .u32 x = ((((((((((((((((((((((((((((((((((((((((1", 4, 51, "nested too deeply"},
		{HEAD ".global .pred x;", 4, 9, "a variable type"},
		{HEAD ".global .u8 x[16777216][16777216];", 4, 24, "too large (at most"},
		{HEAD ".global .u32 x = {1};", 4, 18, "expected a number"},
	};

	expect_bad(rows, ARRAY_LEN(rows));
}

/* Declarations, labels and blocks in a body. */
static void test_bodies(void **state UNUSED)
{
	static const struct bad rows[] = {
		{BODY(".reg .b33 %x;"), BODY_LINE, 6, "a register type"},
		{BODY(".reg .b32 %x<9999999>;"), BODY_LINE, 14, "too large"},
		{BODY(".reg .b32 %r<3>;"), BODY_LINE, 11, "declared twice"},
		{BODY(".reg .b32 %r3;"), BODY_LINE, 11, "declared twice"},
		{BODY(".reg .b32 %z5; .reg .b32 %z<9>;"), BODY_LINE, 26, "declared twice"},
		{BODY(".local .b8 x[600000];"), BODY_LINE, 12, "too large: 600000 bytes"},
		{BODY(".local .b8 x[500000]; .local .b8 y[50000];"), BODY_LINE, 34, "take 550000 bytes"},
		{BODY(".local .u32 x = 4;"), BODY_LINE, 15, ".local variable cannot have an initializer"},
		{BODY("{ .param .align 4 .b8 q[5000]; }"), BODY_LINE, 23, "at most 4096 can be passed"},
		{BODY("{ .param .b32 q; .param .b32 q; }"), BODY_LINE, 30, "declared twice"},
		{BODY("L: L: ret;"), BODY_LINE, 4, "declared twice"},
		{BODY("bra M;"), BODY_LINE, 5, "label 'M' is not defined here"},
		{BODY("LOOP: bra LOOQ;"), BODY_LINE, 11, "did you mean 'LOOP'"},
		{BODY("{ L: ret; } bra L;"), BODY_LINE, 17, "label 'L' is not defined here"},
		{BODY("bra %r1;"), BODY_LINE, 5, "needs a label"},
		{BODY("@%r1 bra L; L:"), BODY_LINE, 2, "not a predicate"},
		{BODY("@q bra L; L:"), BODY_LINE, 2, "not a declared register"},
		{BODY("@%p1 L: ret;"), BODY_LINE, 6, "unknown instruction 'L'"},
		{BODY("add.s32 %r1, %r2, %r3"), BODY_LINE + 1, 1, "expected ',' or ';'"},
		{BODY("{ .reg .b32 t; } mov.u32 %r1, t;"), BODY_LINE, 31, "'t' is not declared"},
		{BODY("{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{"), BODY_LINE, 32, "nested more than"},
		{BODY("5;"), BODY_LINE, 1, "an instruction"},
		{BODY("add.s32 %r1, %r2, .x;"), BODY_LINE, 19, "an operand"},
	};

	expect_bad(rows, ARRAY_LEN(rows));
}

/* Opcodes: unknown, known but refused, with the nearest supported one. */
static void test_opcodes(void **state UNUSED)
{
	static const struct bad rows[] = {
		{BODY("add.s33 %r1, %r2, %r3;"), BODY_LINE, 1, "the nearest supported one is 'add.s3"},
		{BODY("setp.ltt.s32 %p1, %r2, %r3;"), BODY_LINE, 1, "nearest supported one is 'setp.lt"},
		{BODY("zyxwvutsrqponmlkjihgfedcba %r1;"), BODY_LINE, 1, "unknown instruction"},
		{BODY("tex.2dms.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r2,%r3,%r4}];"), BODY_LINE, 1,
		 "supported fetches"},
		{BODY("suld.b.1d.b32 %r1, [%rd1, {%r1}];"), BODY_LINE, 1, "supported accesses"},
		{BODY("wmma.mma.sync.aligned.row;"), BODY_LINE, 1, "supported matrices: m16n16k16"},
		{BODY("wmma.load.a.sync.aligned.col.m8n8k32.s4 {%r0}, [%rd1], 32;"), BODY_LINE, 1,
		 "m8n8k32 of s4, u4, m8n8k128 of b1"},
		{BODY("wmma.load.b.sync.aligned.col.m8n8k128.s4 {%r0}, [%rd1], 128;"), BODY_LINE, 1,
		 "supported matrices"},
		{BODY("wmma.mma.sync.aligned.row.col.m16n16k32.s32.s4.s4.s32 {%r0,%r1}, {%r2}, {%r3}, {%r0,%r1};"),
		 BODY_LINE, 1, "supported matrices"},
		{BODY("wmma.mma.sync.aligned.row.row.m8n8k32.s32.s4.s4.s32 {%r0,%r1}, {%r2}, {%r3}, {%r0,%r1};"),
		 BODY_LINE, 1, "supported matrices"},
		{BODY("wmma.mma.xor.popc.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {%r0,%r1}, {%r2}, {%r3}, {%r0,%r1};"),
		 BODY_LINE, 1, "supported matrices"},
		{BODY("wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {%r0,%r1,%r2,%r3}, {%r2}, {%r3}, {%r0,%r1};"),
		 BODY_LINE, 53, "needs 2 registers"},
		{BODY("mma.sync.aligned.m8n8k64.row.col.s32.s4.s4.s32 {%r0,%r1}, {%r2}, {%r3}, {%r0,%r1};"), BODY_LINE,
		 1, "m8n8 of s8, u8, s4, u4, b1, 16 bytes deep"},
		{BODY("mma.sync.aligned.m8n8k128.row.col.satfinite.s32.b1.b1.s32.xor.popc {%r0,%r1}, {%r2}, {%r3}, {%r0,%r1};"),
		 BODY_LINE, 1, "supported products"},
		{BODY("wmma.load.a.sync.aligned.row.m16n16k16.bf16 {%r0,%r1}, [%rd1], 16;"), BODY_LINE, 45,
		 "needs 4 registers in braces"},
		{BODY("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16 {%f0}, {%r0}, {%r0}, {%r0};"), BODY_LINE, 1,
		 "m8n8k4 of f16"},
		{BODY("mma.sync.aligned.m8n8k4.row.f32.f16.f16.f32 {%f0}, {%r0}, {%r0}, {%f0};"), BODY_LINE, 1,
		 "m8n8k4 of f16"},
		{BODY("mma.sync.aligned.m8n8k4.col.row.f64.f64.f64.f64 {%d0,%d1}, {%d2}, {%d3}, {%d0,%d1};"), BODY_LINE,
		 1, "m8n8k4 of f64, .row.col"},
		{BODY("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r0,%r1}, {%r2,%r3}, {%r4,%r5}, {%r6,%r7};"),
		 BODY_LINE, 49, "needs 4 registers"},
		{BODY("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r0,%r1,%r2,%r3}, {%r2,%r5}, {%r6,%r7}, "
		      "{%r0,%r1,%r2,%r3};"),
		 BODY_LINE, 1, "a result register is also a factor register"},
		{BODY("mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0}, {%r0}, {%r0}, {%f0};"), BODY_LINE, 1,
		 "supported products: m16n8"},
		{BODY("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1}, {%r0,%r1}, {%r0}, {%f0};"),
		 BODY_LINE, 50, "needs 4 registers"},
		{BODY("mma.sync.aligned.m16n8k8.row.col.satfinite.f32.f16.f16.f32 {%f0}, {%r0}, {%r0}, {%f0};"),
		 BODY_LINE, 1, "supported products: m16n8"},
		{BODY("ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r0,%r1,%r2}, [%r1];"), BODY_LINE, 1,
		 "supported matrices: .m8n8"},
		{BODY("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0,%r1}, %r1;"), BODY_LINE, 53,
		 "an address in brackets"},
		{BODY("cp.async.cg.shared.global [%r1], [%rd1], 8;"), BODY_LINE, 42, "copies 16 bytes, not '8'"},
		{BODY("cp.async.ca.shared.global [%r1], [%rd1], 4, 8;"), BODY_LINE, 45, "at most the 4 bytes"},
		{BODY("cp.async.ca.shared.global %r1, [%rd1], 4;"), BODY_LINE, 27, "an address in brackets"},
		{BODY("cp.async.wait_group %r1;"), BODY_LINE, 21, "takes a number of groups"},
		{BODY("cp.async.wait_group;"), BODY_LINE, 1, "takes 1 operand, not 0"},
		{BODY("cp.async.bulk.shared.global [%r1], [%rd1], 4;"), BODY_LINE, 1,
		 "bulk copies, of PTX 8.0 and sm_90, are not modeled"},
		{BODY("cp.async.shared.global [%r1], [%rd1], 4;"), BODY_LINE, 1, "supported copies: cp.async.ca"},
		{BODY("mbarrier.arrive_drop.shared.b64 %rd1, [%r1];"), BODY_LINE, 1, "the same number of arrivals"},
		{BODY("mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r1], 8;"), BODY_LINE, 1,
		 "bulk copies, of PTX 8.0 and sm_90, are not modeled"},
		{BODY("mbarrier.arrive.noComplete.shared.b64 %rd1, [%r1], 8;"), BODY_LINE, 1,
		 "supported mbarrier operations: init"},
		{BODY("st.async.shared::cluster.u32 [%r1], %r2, [%r1];"), BODY_LINE, 1,
		 "clusters, of PTX 7.8 and sm_90, are not modeled"},
		{BODY("atom.global.add.v2.f32 {%f1, %f2}, [%rd1], {%f1, %f2};"), BODY_LINE, 1,
		 "an atomic operation is on one value"},
		{BODY("mbarrier.init.shared.b64 %r1, 8;"), BODY_LINE, 26, "an address in brackets"},
		{BODY("stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r1], {%r0};"), BODY_LINE, 1,
		 "matrices are .m8n8 of .b16"},
		{BODY("stmatrix.sync.aligned.m8n8.x1.trash.shared.b16 [%r1], {%r0};"), BODY_LINE, 1,
		 "matrices are .m8n8 of .b16"},
		{BODY("shfl.sync.down.b32 %r1|%r2, %r2, 1, 31, -1;"), BODY_LINE, 24, "not a predicate"},
		{BODY("shfl.sync.down.b32 %r1, %r2, 1, 31;"), BODY_LINE, 1, "takes 5 operands, not 4"},
		{BODY("shfl.sync.left.b32 %r1, %r2, 1, 31, -1;"), BODY_LINE, 1,
		 "unknown instruction 'shfl.sync.left.b32'"},
		{BODY("shfl.sync.idx.b64 %rd1, %rd2, 1, 31, -1;"), BODY_LINE, 1,
		 "nearest supported one is 'shfl.sync.idx.b32'"},
		{BODY("vote.sync.any.pred %r1, %p2, -1;"), BODY_LINE, 20, "not a predicate"},
		{BODY("vote.sync.ballot.b32 %r1, %r2, -1;"), BODY_LINE, 27, "not a predicate"},
		{BODY("match.any.sync.b32 %r1|%p1, %r2, -1;"), BODY_LINE, 20, "no second destination"},
		{BODY("fence.frob;"), BODY_LINE, 1, "unknown instruction 'fence.frob'"},
		{BODY("prefetch.global.L2;"), BODY_LINE, 1, "takes 1 operand"},
		{BODY("membar.frob;"), BODY_LINE, 1,
		 "unknown instruction 'membar.frob': the nearest supported one is 'membar."},
		{BODY("sin.approx.f16 %rs1, %rs2;"), BODY_LINE, 1, "not modeled in half precision"},
		{BODY("add.f16 %r1, %rs2, %rs3;"), BODY_LINE, 9, "has 32 bits, but 'add.f16' takes 16"},
		{BODY("cvt.rn.e4m3x2.f32 %rs1, %f1, %f2;"), BODY_LINE, 1,
		 "this format is not modeled (use f16 or f32)"},
		{BODY("cvt.rs.satfinite.e4m3x4.f32 %r1, {%f1, %f2, %f1, %f2}, %r2;"), BODY_LINE, 1,
		 "stochastic rounding, of PTX 8.7 and sm_100a, is not modeled"},
		{BODY("fma.rn.oob.f16 %rs1, %rs2, %rs3, %rs1;"), BODY_LINE, 1, "leave .oob out"},
		{BODY("redux.sync.min.f32 %f1, %f2, -1;"), BODY_LINE, 1, "as integers only"},
		{BODY("min.abs.f32 %f1, %f2, %f3;"), BODY_LINE, 1, "'min.abs.f32' takes 4 operands, not 3"},
		{BODY("min.f64 %fd1, %fd2, %fd3, %fd1;"), BODY_LINE, 1, "'min.f64' takes 3 operands, not 4"},
		{BODY("min.abs.f23 %f1, %f2, %f3, %f1;"), BODY_LINE, 1, "nearest supported one is 'min.abs.f32'"},
		{BODY("setp.lt.f16x2 %p1, %r2, %r3;"), BODY_LINE, 1, "one result for two halves (write both, p|q)"},
		{BODY("lop3.or.b32 %r1, %r2, %r3, %r1, 1, %p1;"), BODY_LINE, 13, "has two destinations, d|p"},
		{BODY("lop3.xor.b32 %r1|%p2, %r2, %r3, %r1, 1, %p1;"), BODY_LINE, 1,
		 "unknown instruction 'lop3.xor.b32'"},
		{BODY("set.lt.u16.s32 %rs1, %r2, %r3;"), BODY_LINE, 1, "unknown instruction 'set.lt.u16.s32'"},
		{BODY("set.lt.f32.f16x2 %f1, %r2, %r3;"), BODY_LINE, 1, "not modeled in half precision"},
		{BODY("fma.rn.ftz.bf16 %rs1, %rs2, %rs3, %rs1;"), BODY_LINE, 1, "not modeled in half precision"},
		{BODY("add.cc.u32 %rd1, %r2, %r3;"), BODY_LINE, 12, "has 64 bits"},
		{BODY("addc.f32 %f1, %f2, %f3;"), BODY_LINE, 1, "unknown instruction 'addc.f32'"},
		{BODY("mad.lo.cc.u32 %r1, %r2, %r3;"), BODY_LINE, 1, "takes 4 operands, not 3"},
		{BODY("brx.idx %r1, x;"), BODY_LINE, 14, "'x' is not a list of branch targets"},
		{BODY("bar.sync 16;"), BODY_LINE, 10, "barriers 0 to 15"},
		{BODY("bar.sync 0, 65;"), BODY_LINE, 13, "a barrier needs 32, 64"},
		{BODY("bar.sync 0, 2048;"), BODY_LINE, 13, "a barrier needs 32, 64"},
		{BODY("bar.arrive 1;"), BODY_LINE, 1, "takes 2 operands, not 1"},
		{BODY("bar.frob 0;"), BODY_LINE, 1, "barriers are bar.sync, bar.arrive"},
		{BODY("bar.warp.sync %p1;"), BODY_LINE, 15, "is a predicate"},
		{BODY("bar.red.popc.u32 %r1, 0, %r2;"), BODY_LINE, 26, "not a predicate"},
		{BODY("bar.red.xor.pred %p1, 0, %p1;"), BODY_LINE, 1, "barriers are bar.sync, bar.arrive"},
		{BODY("bra.wide L; L:"), BODY_LINE, 1, "unknown instruction 'bra.wide'"},
		{BODY("mov.u64 %rd1, %clock;"), BODY_LINE, 15, "'%clock' has 32 bits, but 'mov.u64' moves 64"},
		{BODY("mov.u16 %rs1, %tid.x;"), BODY_LINE, 15, "'%tid.x' has 32 bits, but 'mov.u16' moves 16"},
		{BODY("mov.u32 %r1, %envreg3;"), BODY_LINE, 14, "apart from grid synchronization"},
		{BODY("mov.u32 %r1, %tid.w;"), BODY_LINE, 14, "'%tid.w' is neither"},
		{BODY("cvta.to.shared.u32 %r1, %r2;"), BODY_LINE, 1, "only 64-bit addresses are converted"},
		{BODY("cvta.to.frob.u64 %rd1, %rd2;"), BODY_LINE, 1, "is not supported"},
		{BODY("setp.lt.nand.s32 %p1, %r1, %r2, %p2;"), BODY_LINE, 1, "unknown instruction 'setp.lt.nand.s32'"},
	};

	expect_bad(rows, ARRAY_LEN(rows));
}

/* Operands: number, kind, width, range. */
static void test_operands(void **state UNUSED)
{
	static const struct bad rows[] = {
		{BODY("add.s32 %r1, %r2;"), BODY_LINE, 1, "takes 3 operands, not 2"},
		{BODY("add.s32 %r1, %r2, %r3, %r4;"), BODY_LINE, 1, "takes 3 operands, not 4"},
		{BODY("ret %r1;"), BODY_LINE, 1, "takes 0 operands, not 1"},
		{BODY("add.s32 %r1, %r2, %r9;"), BODY_LINE, 19, "line 6 declares %r0 to %r7"},
		{BODY("add.s32 %r1, %tid.x, 1;"), BODY_LINE, 14, "move it into a register first"},
		{BODY("add.s32 %r1, %rd2, %r3;"), BODY_LINE, 14, "has 64 bits, but 'add.s32' takes 32"},
		{BODY("add.s64 %rd1, %r2, %rd3;"), BODY_LINE, 15, "has 32 bits, but 'add.s64' takes 64"},
		{BODY("add.s32 %r1, %p2, %r3;"), BODY_LINE, 14, "is a predicate"},
		{BODY("and.pred %p1, %r2, %p3;"), BODY_LINE, 15, "not a predicate"},
		{BODY("add.s32 5, %r2, %r3;"), BODY_LINE, 9, "not a register"},
		{BODY("add.s32 %r1, %r2, 4294967296;"), BODY_LINE, 19, "does not fit"},
		{BODY("add.s16 %rs1, %rs2, 70000;"), BODY_LINE, 21, "does not fit"},
		{BODY("add.s32 %r1, %r2, 0f3F800000;"), BODY_LINE, 19, "integer"},
		{BODY("add.f32 %f1, %f2, 1;"), BODY_LINE, 19, "floating-point number"},
		{BODY("selp.b32 %r1, %r2, %r3, !%p1;"), BODY_LINE, 25, "'!' is not allowed"},
		{BODY("add.s32 !%r1, %r2, %r3;"), BODY_LINE, 9, "cannot be negated"},
		{BODY("add.s32 %r1, [%rd1], %r3;"), BODY_LINE, 14, "not a register"},
		{BODY("add.s32 %r1, {%r2, %r3}, %r3;"), BODY_LINE, 14, "not a register"},
		{BODY("add.s32 %r1|%r2, %r3, %r4;"), BODY_LINE, 9, "not a register"},
		{BODY("mov.u32 %r1, nothing;"), BODY_LINE, 14, "'nothing' is not declared"},
		{BODY("mov.u16 %rs1, a;"), BODY_LINE, 9, "has 16 bits"},
		{BODY("{ .param .b64 q; mov.u64 %rd1, q; }"), BODY_LINE, 32, "the variable is kept in registers"},
		{BODY("mov.u64 %rd1, k;"), BODY_LINE, 15, "launches from kernels are not modeled"},
		{BODY("mov.b64 %rd1, {%r1, %r2, %r3};"), BODY_LINE, 15, "does not make 64 bits"},
		{BODY("mov.b64 %rd1, {%r1, %r2, %r3, %r4, %r5};"), BODY_LINE, 15,
		 "a vector of 5 elements does not make 64 bits"},
		{BODY("mov.b64 %rd1, {%r1, %r2, %r3, %r4, %r5, %r1, %r1, %r1, %r1};"), BODY_LINE, 56,
		 "at most 8 elements"},
		{BODY("add.s32 %r1,%r2,%r3,%r4,%r5,%r6,%r7,%r0,%r1;"), BODY_LINE, 41, "too many operands"},
		{HEAD ".extern .global .u32 x;\n" ENTRY REGS "mov.u64 %rd1, x;\nret;\n}", 8, 15, ".extern"},
		{HEAD ".global .u32 x;\n" ENTRY REGS "mov.u32 %r1, x;\nret;\n}", 8, 14, "has 64 bits"},
	};

	expect_bad(rows, ARRAY_LEN(rows));
}

/* Loads, stores and atomics. */
static void test_memory(void **state UNUSED)
{
	static const struct bad rows[] = {
		{BODY("ld.u32 %r1, [%r1];"), BODY_LINE, 14, "a generic address has 64"},
		{BODY("ld.global %r1, [%rd1];"), BODY_LINE, 1, "has no type"},
		{BODY("ld.global.frob.u32 %r1, [%rd1];"), BODY_LINE, 1, "unknown modifier '.frob'"},
		{BODY("atom.local.add.u32 %r1, [%rd1], 1;"), BODY_LINE, 1, "cannot be modified this way"},
		{BODY("st.const.u32 [%rd1], %r1;"), BODY_LINE, 1, "cannot be modified this way"},
		{BODY("ld.release.gpu.global.u32 %r1, [%rd1];"), BODY_LINE, 1, "unknown modifier '.release'"},
		{BODY("st.acquire.gpu.global.u32 [%rd1], %r1;"), BODY_LINE, 1, "unknown modifier '.acquire'"},
		{BODY("ld.global.f16 %rs1, [%rd1];"), BODY_LINE, 1,
		 "half-precision values are loaded and stored as .b16"},
		{BODY("atom.global.add.noftz.f16 %r1, [%rd1], %rs2;"), BODY_LINE, 27, "has 32 bits"},
		{BODY("atom.global.max.f16 %rs1, [%rd1], %rs2;"), BODY_LINE, 1,
		 "the types of this operation are .u32 .s32 .u64 .s64, not .f16"},
		{BODY("atom.global.add.b16 %rs1, [%rd1], %rs2;"), BODY_LINE, 1, "not .b16"},
		{BODY("ld.global.v4.f64 {%fd0,%fd1,%fd2,%fd3}, [%rd1];"), BODY_LINE, 1, "at most 16 bytes"},
		{BODY("ld.global.v2.f32 {%f0,%f1,%f2}, [%rd1];"), BODY_LINE, 18, "a vector of 2 registers"},
		{BODY("ld.global.v2.f32 %f0, [%rd1];"), BODY_LINE, 18, "a vector of 2 registers"},
		{BODY("ld.global.f32 {%f0}, [%rd1];"), BODY_LINE, 15, "takes 1 register"},
		{BODY("ld.global.u32 %rs1, [%rd1];"), BODY_LINE, 15, "has 16 bits"},
		{BODY("ld.global.f32 %rd1, [%rd1];"), BODY_LINE, 15, "has 64 bits"},
		{BODY("ld.global.u32 %r1, [%r1];"), BODY_LINE, 21, "a global address has 64"},
		{BODY("ld.global.u32 %r1, %rd1;"), BODY_LINE, 20, "an address in brackets"},
		{BODY("ld.global.u32 %r1, [%rd1+%rd2];"), BODY_LINE, 26, "an integer number of bytes"},
		{BODY("ld.global.u32 %r1, [%rd1+4294967296];"), BODY_LINE, 26, "does not fit in 32 bits"},
		{BODY("ld.global.u32 %r1, [%rd1;"), BODY_LINE, 25, "']'"},
		{BODY("ld.param.u32 %r1, [b];"), BODY_LINE, 20, "'b' is not a parameter"},
		{BODY("ld.param.u64 %rd1, [n];"), BODY_LINE, 21, "reads bytes 0 to 7 of 'n', which has 4"},
		{BODY("ld.param.u32 %r1, [s+12];"), BODY_LINE, 20, "reads bytes 12 to 15"},
		{BODY("ld.shared.u32 %r1, [a];"), BODY_LINE, 21, "it is not a variable"},
		{BODY("{ .param .b32 q; ld.param.b64 %rd1, [q]; }"), BODY_LINE, 18, "bytes 0 to 7 of 'q', which has 4"},
		{BODY("{ .param .align 8 .b8 q[8]; ld.param.b32 %r1, [q+2]; }"), BODY_LINE, 29,
		 "is not aligned for 4 bytes"},
		{BODY("{ .param .b64 q; st.param.b32 [q], %r1; }"), BODY_LINE, 36, "stores only part of 'q'"},
		{BODY("{ .param .b32 q; ld.param.b32 %rs1, [q]; }"), BODY_LINE, 31, "has 16 bits"},
		{HEAD ".global .u32 x;\n" ENTRY REGS "ld.shared.u32 %r1, [x];\nret;\n}", 8, 21,
		 "is in .global memory, not in .shared"},
		{BODY("st.param.b32 [a], %r1;"), BODY_LINE, 1, "parameters of an entry are read-only"},
		{BODY("st.global.nc.u32 [%rd1], %r1;"), BODY_LINE, 1, "unknown modifier '.nc'"},
		{BODY("st.global.u32 [%rd1], %rs1;"), BODY_LINE, 23, "has 16 bits"},
		{BODY("st.global.u32 [%rd1];"), BODY_LINE, 1, "takes 2 operands"},
		{BODY("atom.add.u32 %r1, [%r1], 1;"), BODY_LINE, 20, "a generic address has 64"},
		{BODY("atom.global.u32 %r1, [%rd1], 1;"), BODY_LINE, 1, "is not an operation"},
		{BODY("atom.global.add.b32 %r1, [%rd1], 1;"), BODY_LINE, 1, "the types of this operation are .u32"},
		{BODY("atom.global.cas.b32 %r1, [%rd1], 1;"), BODY_LINE, 1, "takes 4 operands"},
		{BODY("red.global.exch.b32 [%rd1], 1;"), BODY_LINE, 1, "is not an operation of red"},
	};

	expect_bad(rows, ARRAY_LEN(rows));
}

#define CALL(functions, text) HEAD functions ENTRY REGS text "\nret;\n}\n"
#define CALL_LINE 8
#define ADD1 \
	".func (.param .b32 r) add1(.param .b32 x) { .reg .b32 %t<3>; ld.param.b32 %t1, [x]; st.param.b32 [r], %t1; ret; }\n"

/* Calls. */
static void test_calls(void **state UNUSED)
{
	static const struct bad rows[] = {
		{BODY("call.uni (%r1), f, (%r2);"), BODY_LINE, 17, "no function 'f' is declared"},
		{CALL(ADD1, "call (%r1), add2, (%r2);"), CALL_LINE, 13, "did you mean 'add1'"},
		{CALL(ADD1, "call (%r1), add1;"), CALL_LINE, 13, "has 1 argument, not 0"},
		{CALL(ADD1, "call add1, (%r1);"), CALL_LINE, 6, "has 1 result, not 0"},
		{CALL(ADD1, "call (%r1), add1, (%p2);"), CALL_LINE, 20, "is a predicate"},
		{CALL(ADD1, "call (%r1), add1, (nothing);"), CALL_LINE, 20, "neither a .param variable nor a register"},
		{CALL(ADD1, "{ .param .b16 q; call (%r1), add1, (q); }"), CALL_LINE, 37,
		 "has 2 bytes, but parameter 'x' of the function has 4"},
		{CALL(ADD1, "call (%r1), add1, (%r2)"), CALL_LINE + 1, 1, "';' after the call"},
		{CALL(ADD1, "call (%r1), %rd1, (%r2), add1;"), CALL_LINE, 13,
		 "no function can be called through '%rd1'"},
		{CALL(ADD1, "mov.u64 %rd1, add1; t: .calltargets add1; call (%r1), %r1, (%r2), t;"), CALL_LINE, 55,
		 "the address of a function has 64 bits, but '%r1' has 32"},
		{CALL(ADD1, "mov.u64 %rd1, add1; t: .calltargets add1; call %rd1, (%r2), t;"), CALL_LINE, 48,
		 "no function can be called through '%rd1'"},
		{CALL(ADD1, "mov.u32 %r1, add1; t: .calltargets add1;"), CALL_LINE, 14, "'add1'"},
		{CALL(".extern .func f();\n", "call f;"), CALL_LINE, 6, "has no body in this module"},
		{CALL(".extern .func malloc();\n", "call malloc;"), CALL_LINE, 6, "'malloc' has 1 result, not 0"},
		{CALL(".extern .func cudaLaunchDevice();\n", "call cudaLaunchDevice;"), CALL_LINE, 6,
		 "the device runtime"},
		{CALL(".func f() { call f; ret; }\n", "call f;"), 4, 18, "recursion is not supported: f -> f"},
		{CALL(".func g(); .func f() { call g; ret; } .func g() { call f; ret; }\n", "call f;"), 4, 56,
		 "recursion is not supported: f -> g -> f"},
		{CALL(".func f() { frob; ret; }\n", "call f;"), 4, 13, "unknown instruction 'frob'"},
		{CALL(".func f() { bra L; ret; }\n", "L: call f;"), 4, 17, "label 'L' is not defined here"},
		{CALL(".func f() { mov.u32 %r1, 0; ret; }\n", "call f;"), 4, 21, "'%r1' is not declared"},
		{CALL(".func (.param .b33 r) f() { ret; }\n", "call (%r1), f;"), 4, 15, "a parameter type"},
		{CALL(".func f(.reg .b64 x) { ret; }\n", "call f, (%r1);"), CALL_LINE, 10, "has 32 bits"}};

	expect_bad(rows, ARRAY_LEN(rows));
}

/* Every call of a level makes two on the next: far more text than anybody wants. */
static void test_too_many_calls(void **state UNUSED)
{
	struct text t = {0};
	struct module *m;
	struct error e = {0};

	text_add(&t, HEAD);
	for (u32 i = 0; i < 31; i++)
		text_add(&t, ".func f%u() { call f%u; call f%u; }\n", i, i + 1, i + 1);
	text_add(&t, ".func f31() { ret; }\n" ENTRY "call f0;\nret;\n}\n");
	assert_int_equal(ptx_load_text("t.ptx", t.s, t.len, &m, &e), STATUS_USAGE);
	assert_non_null(strstr(e.message, "more than 65536 calls"));
	text_free(&t);
	text_add(&t, HEAD);
	for (u32 i = 0; i < 40; i++)
		text_add(&t, ".func f%u() { call f%u; }\n", i, i + 1);
	text_add(&t, ".func f40() { ret; }\n" ENTRY "call f0;\nret;\n}\n");
	assert_int_equal(ptx_load_text("t.ptx", t.s, t.len, &m, &e), STATUS_USAGE);
	assert_non_null(strstr(e.message, "nested more than 32"));
	text_free(&t);
}

/* More predicates than a thread has. */
static void test_too_many_predicates(void **state UNUSED)
{
	struct text t = {0};
	struct module *m;
	struct error e = {0};

	text_add(&t, HEAD ".visible .entry big()\n{\n.reg .pred %%p<70>;\n.reg .b32 %%r<2>;\n");
	for (u32 i = 0; i < 70; i++)
		text_add(&t, "setp.eq.s32 %%p%u, %%r0, %u;\n", i, i);
	for (u32 i = 1; i < 70; i++)
		text_add(&t, "and.pred %%p0, %%p0, %%p%u;\n", i);
	text_add(&t, "@%%p0 ret;\nret;\n}\n");
	assert_int_equal(ptx_load_text("t.ptx", t.s, t.len, &m, &e), STATUS_USAGE);
	assert_non_null(strstr(e.message, "needs 70 predicates"));
	text_free(&t);
}

/* A file that is not there. */
static void test_no_file(void **state UNUSED)
{
	struct module *m;
	struct error e = {0};

	assert_int_equal(ptx_load("tests/ptx/no_such_file.ptx", &m, &e), STATUS_USAGE);
	assert_null(m);
}

/* Damage a module's text in one place, load it, and free what comes of it. */
static void load_damaged(const char *text, size_t len, u64 seed)
{
	char *copy = xmalloc(len + 1);
	u64 where = mix64(seed) % len, how = mix64(seed + 1) % 4;
	struct module *m = NULL;
	struct error e = {0};
	enum status st;

	memcpy(copy, text, len + 1);
	if (how == 0)
		copy[where] = (char)mix64(seed + 2);
	else if (how == 1)
		copy[where] = "{}[]();,:.%@<>+-0 \"/*"[mix64(seed + 2) % 21];
	else if (how == 2)
		memmove(copy + where, copy + where + 1, len - where);
	st = ptx_load_text("t.ptx", copy, how == 3 ? where : len - (how == 2), &m, &e);
	assert_true(st == STATUS_OK || st == STATUS_USAGE);
	assert_int_equal(st == STATUS_OK, m != NULL);
	assert_true(st == STATUS_OK || e.message[0]);
	assert_true(st == STATUS_OK || how == 0 || how == 1 || e.line);
	module_free(m);
	free(copy);
}

/* No damaged text crashes, leaks or goes without a message. */
static void test_damage(void **state UNUSED)
{
	static const char *const paths[] = {"tests/ptx/features75.ptx", "tests/ptx/features_clang.ptx",
					    "tests/ptx/handmade.ptx", "tests/ptx/families75.ptx"};

	for (u32 f = 0; f < ARRAY_LEN(paths); f++) {
		char *text;
		size_t len;

		assert_int_equal(file_read(paths[f], 1u << 20, &text, &len, NULL), STATUS_OK);
		for (u32 i = 0; i < 700; i++)
			load_damaged(text, len, (u64)f << 32 | i * 3);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_directives),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_bodies),
		cmocka_unit_test(test_opcodes),
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_too_many_calls),
		cmocka_unit_test(test_too_many_predicates),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
