/*
 * test_ptx.c - the PTX front end on good input: constructs, operands, layout, reconvergence points, registers.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "front.h"
#include "machine.h"
#include "ops.h"
#include "ptx.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
#define ENTRY ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n"
#define REGS \
	".reg .pred %p<8>; .reg .b16 %rs<8>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %rd<8>; .reg .f64 %fd<8>;\n"

/* Load text that must be good. */
static struct module *load(const char *text)
{
	struct module *m = NULL;
	struct error e = {0};

	if (ptx_load_text("t.ptx", text, strlen(text), &m, &e) != STATUS_OK)
		fail_msg("%u:%u: %s\n%s", e.line, e.column, e.message, text);
	return m;
}

/* Load a body with the registers declared. */
static struct module *load_body(const char *body)
{
	struct text t = {0};
	struct module *m;

	text_add(&t, "%s%s\nret;\n}\n", HEAD ENTRY REGS, body);
	m = load(t.s);
	text_free(&t);
	return m;
}

static struct module *load_file(const char *path)
{
	struct module *m = NULL;
	struct error e = {0};

	if (ptx_load(path, &m, &e) != STATUS_OK)
		fail_msg("%s:%u:%u: %s", path, e.line, e.column, e.message);
	return m;
}

static const struct kernel *kernel_of(const struct module *m, const char *name)
{
	for (u32 i = 0; i < m->nkernel; i++)
		if (!strcmp(m->kernel[i].name, name))
			return &m->kernel[i];
	fail_msg("no kernel %s", name);
	return NULL;
}

/* Two kernels of one name have their parameters in it, one alone has not. */
static void two_of_one_name(void **state)
{
	struct module *m = load(HEAD ".visible .entry _Z4fillPf(.param .u64 a) { ret; }\n"
				     ".visible .entry _Z3addPf(.param .u64 a) { ret; }\n"
				     ".visible .entry _Z4fillPi(.param .u64 a) { ret; }\n");

	(void)state;
	kernel_of(m, "fill(float*)");
	kernel_of(m, "fill(int*)");
	kernel_of(m, "add");
	module_free(m);
}

/* The index of a label. */
static u32 label_of(const struct kernel *k, const char *name)
{
	for (u32 i = 0; i < k->ninst; i++)
		if (k->labels[i] && !strcmp(k->labels[i], name))
			return i;
	fail_msg("no label %s", name);
	return 0;
}

static u64 imm_of(const struct kernel *k, u32 i, u32 src)
{
	assert_int_equal(k->inst[i].src[src].kind, OPERAND_IMM);
	return k->imm[k->inst[i].src[src].value];
}

/* A load of constants at an address that is known knows its line, once variables have their places: 64 bytes of 256. A
 * register, a parameter, other memory: none. */
static void test_constant_lines(void **state)
{
	static const u8 want[] = {1, 1, 2, 8, 4, 0, 0, 0};
	struct module *m = load(HEAD ".const .align 4 .b8 c[1024];\n.global .align 4 .b8 g[1024];\n" ENTRY REGS
				     "ld.const.u32 %r1, [c];\n"
				     "ld.const.v2.u32 {%r1, %r2}, [c+56];\n"
				     "ld.const.u32 %r1, [c+64];\n"
				     "ld.const.u8 %r1, [c+1023];\n"
				     "ld.const.u32 %r1, [c+252];\n"
				     "ld.const.u32 %r1, [%rd1];\n"
				     "ld.param.u32 %r1, [n];\n"
				     "ld.global.u32 %r1, [g];\nret;\n}\n");
	u32 n = 0;

	(void)state;
	module_place(m);
	constant_lines_find(&m->kernel[0]);
	for (u32 i = 0; i < m->kernel[0].ninst; i++)
		if (m->kernel[0].inst[i].op == OP_LD)
			assert_int_equal(m->kernel[0].inst[i].constant, want[n++]);
	assert_int_equal(n, ARRAY_LEN(want));
	module_free(m);
}

/* Immediates: the bits that the operand's type gives them. */
static void test_immediates(void **state UNUSED)
{
	static const struct {
		const char *text;
		u32 src;
		u64 bits;
	} rows[] = {
		{"add.s32 %r1, %r2, -1;", 1, 0xffffffff},
		{"add.s64 %rd1, %rd2, -1;", 1, ~0ull},
		{"add.s16 %rs1, %rs2, -2;", 1, 0xfffe},
		{"and.b32 %r1, %r2, 0xFF00FF00U;", 1, 0xff00ff00},
		{"or.b32 %r1, %r2, 0177;", 1, 0177},
		{"or.b32 %r1, %r2, 0b101;", 1, 5},
		{"add.f32 %f1, %f2, 0f3FC00000;", 1, 0x3fc00000},
		{"add.f32 %f1, %f2, 1.5;", 1, 0x3fc00000},
		{"add.f32 %f1, %f2, -1.5;", 1, 0xbfc00000},
		{"add.f32 %f1, %f2, 0d3FF8000000000000;", 1, 0x3fc00000},
		{"add.f64 %fd1, %fd2, 1.5e0;", 1, 0x3ff8000000000000},
		{"add.f64 %fd1, %fd2, 0f3FC00000;", 1, 0x3ff8000000000000},
		{"mov.b32 %r1, 0f3F800000;", 0, 0x3f800000},
		{"mov.u64 %rd1, 18446744073709551615;", 0, ~0ull},
		{"mad.wide.s32 %rd1, %r2, 4, 16;", 2, 16},
		{"shl.b64 %rd1, %rd2, 3;", 1, 3},
		{"mov.u32 %r1, (1 << 4) + 2 * 3;", 0, 22},
		{"mov.u64 %rd1, -16 >> 2;", 0, ~3ull},
		{"mov.u32 %r1, WARP_SZ;", 0, 32},
		{"selp.u16 %rs1, 1, 0, %p1;", 0, 1},
		{"st.global.u8 [%rd1], 255;", 1, 255},
	};

	for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
		struct module *m;

		m = load_body(rows[i].text);
		if (imm_of(m->kernel, 0, rows[i].src) != rows[i].bits)
			fail_msg("%s: %llx", rows[i].text, (unsigned long long)imm_of(m->kernel, 0, rows[i].src));
		module_free(m);
	}
}

/* One line each: row, class, space, width, elements. */
static void test_instructions(void **state UNUSED)
{
	static const struct {
		const char *text;
		u16 op;
		u8 class, space, width, vec, is_signed, aux, ndst, nsrc;
	} rows[] = {
		{"fma.rn.f32 %f1, %f2, %f3, %f4;", OP_FMA_F32, CLASS_FP32, 0, 0, 0, 0, 0, 1, 3},
		{"add.u32 %r1, %r2, %r3;", OP_ADD_32, CLASS_INT, 0, 0, 0, 0, 0, 1, 2},
		{"mul.wide.s32 %rd1, %r2, %r3;", OP_MUL_WIDE_S32, CLASS_IMUL, 0, 0, 0, 0, 0, 1, 2},
		{"cvta.to.global.u64 %rd1, %rd2;", OP_MOV_64, CLASS_INT, 0, 0, 0, 0, 0, 1, 1},
		{"ld.param.u64 %rd1, [a];", OP_LD, CLASS_CONST, SPACE_PARAM, 8, 1, 0, 0, 1, 1},
		{"ld.global.f32 %f1, [%rd1+4];", OP_LD, CLASS_LOAD, SPACE_GLOBAL, 4, 1, 0, 0, 1, 1},
		{"ld.global.s8 %rs1, [%rd1];", OP_LD, CLASS_LOAD, SPACE_GLOBAL, 1, 1, 1, 0, 1, 1},
		{"ld.global.u16 %r1, [%rd1];", OP_LD, CLASS_LOAD, SPACE_GLOBAL, 2, 1, 0, 0, 1, 1},
		{"ld.shared.v4.f32 {%f0,%f1,%f2,%f3}, [%r1];", OP_LD, CLASS_SHLOAD, SPACE_SHARED, 4, 4, 0, 0, 4, 1},
		{"st.global.v2.f64 [%rd1], {%fd0, %fd1};", OP_ST, CLASS_STORE, SPACE_GLOBAL, 8, 2, 0, 0, 0, 3},
		{"ld.global.cg.u32 %r1, [%rd1];", OP_LD, CLASS_LOAD, SPACE_GLOBAL, 4, 1, 0, ACCESS_PAST, 1, 1},
		{"ld.global.cv.u32 %r1, [%rd1];", OP_LD, CLASS_LOAD, SPACE_GLOBAL, 4, 1, 0, ACCESS_PAST, 1, 1},
		{"ld.global.ca.u32 %r1, [%rd1];", OP_LD, CLASS_LOAD, SPACE_GLOBAL, 4, 1, 0, 0, 1, 1},
		{"ld.global.cs.u32 %r1, [%rd1];", OP_LD, CLASS_LOAD, SPACE_GLOBAL, 4, 1, 0, 0, 1, 1},
		{"ld.global.nc.u32 %r1, [%rd1];", OP_LD, CLASS_LOAD, SPACE_GLOBAL, 4, 1, 0, 0, 1, 1},
		{"ld.volatile.global.u32 %r1, [%rd1];", OP_LD, CLASS_LOAD, SPACE_GLOBAL, 4, 1, 0,
		 ACCESS_STRONG | ACCESS_PAST, 1, 1},
		{"ld.relaxed.gpu.global.u32 %r1, [%rd1];", OP_LD, CLASS_LOAD, SPACE_GLOBAL, 4, 1, 0,
		 ACCESS_STRONG | ACCESS_PAST, 1, 1},
		{"ld.relaxed.sys.u32 %r1, [%rd1];", OP_LD, CLASS_LOAD, SPACE_GENERIC, 4, 1, 0,
		 ACCESS_STRONG | ACCESS_PAST, 1, 1},
		{"ld.relaxed.cta.global.u32 %r1, [%rd1];", OP_LD, CLASS_LOAD, SPACE_GLOBAL, 4, 1, 0, ACCESS_STRONG, 1,
		 1},
		{"ld.weak.global.u32 %r1, [%rd1];", OP_LD, CLASS_LOAD, SPACE_GLOBAL, 4, 1, 0, 0, 1, 1},
		{"st.volatile.shared.u32 [%r1], %r2;", OP_ST, CLASS_SHSTORE, SPACE_SHARED, 4, 1, 0, ACCESS_STRONG, 0,
		 2},
		{"atom.global.cas.b32 %r1, [%rd1], %r2, %r3;", OP_ATOM, CLASS_ATOMIC, SPACE_GLOBAL, 4, VALUE_U32, 0,
		 ATOM_CAS, 1, 3},
		{"atom.shared.min.s32 %r1, [%r2], %r3;", OP_ATOM, CLASS_SHLOAD, SPACE_SHARED, 4, VALUE_S32, 0, ATOM_MIN,
		 1, 2},
		{"red.relaxed.gpu.global.add.f32 [%rd2], %f3;", OP_ATOM, CLASS_ATOMIC, SPACE_GLOBAL, 4, VALUE_F32, 0,
		 ATOM_ADD, 0, 2},
		{"setp.lt.s32 %p1, %r1, %r2;", OP_SETP_LT_S32, CLASS_INT, 0, 0, 0, 0, 0, 1, 2},
		{"setp.lt.or.s32 %p1|%p2, %r1, %r2, !%p3;", OP_SETP_LT_S32, CLASS_INT, 0, 0, 0, 0, 2, 2, 3},
		{"setp.gtu.xor.f32 %p1, %f1, %f2, %p3;", OP_SETP_GTU_F32, CLASS_FP32, 0, 0, 0, 0, 3, 1, 3},
		{"and.pred %p1, %p2, %p3;", OP_PAND, CLASS_INT, 0, 0, 0, 0, 0, 1, 2},
		{"cvt.s32.s8 %r1, %r2;", OP_CVT_s32_s8, CLASS_INT, 0, 0, 0, 0, 0, 1, 1},
		{"cvt.u16.u64 %rs1, %rd2;", OP_CVT_u16_u64, CLASS_INT, 0, 0, 0, 0, 0, 1, 1},
		{"bar.sync 0;", OP_BAR_SYNC, CLASS_CONTROL, 0, 0, 0, 0, 0, 0, 0},
		{"barrier.sync 0;", OP_BAR_SYNC, CLASS_CONTROL, 0, 0, 0, 0, 0, 0, 0},
		{"exit;", OP_EXIT, CLASS_CONTROL, 0, 0, 0, 0, 0, 0, 0},
		{"mov.u32 %r1, %ctaid.y;", OP_MOV_32, CLASS_INT, 0, 0, 0, 0, 0, 1, 1},
	};

	for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
		struct module *m;
		const struct inst *in;

		m = load_body(rows[i].text);
		in = m->kernel->inst;
		if (in->op != rows[i].op || in->class != rows[i].class || in->space != rows[i].space ||
		    in->width != rows[i].width || in->vec != rows[i].vec || in->is_signed != rows[i].is_signed ||
		    in->aux != rows[i].aux || in->ndst != rows[i].ndst || in->nsrc != rows[i].nsrc)
			fail_msg("%s: op %u class %u space %u width %u vec %u signed %u aux %u dst %u src %u",
				 rows[i].text, in->op, in->class, in->space, in->width, in->vec, in->is_signed, in->aux,
				 in->ndst, in->nsrc);
		assert_int_equal(m->kernel->ninst, 2);
		module_free(m);
	}
}

/* What an instruction reads and writes, register by register, and its text. */
static void test_timing_view(void **state UNUSED)
{
	struct module *m = load_body(("@!%p1 atom.global.cas.b64 %rd1, [%rd2+16], %rd1, %rd1;\n"
				      "mad.wide.s32 %rd3, %r1, %r1, %rd3;\n"
				      "ld.global.s16 %rd3, [%rd3];\n"
				      "st.global.u16 [%rd2], %rd3;\n"));
	const struct kernel *k = m->kernel;
	const struct inst *in = k->inst;

	assert_string_equal(kernel_text(k, 0), "@!p0 atom.global.cas.b64 d0, [d2+16], d0, d0");
	assert_int_equal(in->nread, 6);
	assert_memory_equal(in->read, ((u8[]){2, 3, 0, 1, 0, 1}), 6);
	assert_int_equal(in->nwrite, 2);
	assert_memory_equal(in->write, ((u8[]){0, 1}), 2);
	assert_true(in->hazard[0] == 15 && in->hazard[HAZARD_PRED / 64] == 1);
	assert_true(in->guard.kind == OPERAND_PRED && in->guard.negate);
	assert_string_equal(kernel_text(k, 1), "mad.wide.s32 d4, r6, r6, d4");
	assert_int_equal(in[1].nread, 4);
	assert_memory_equal(in[1].read, ((u8[]){6, 6, 4, 5}), 4);
	assert_int_equal(in[2].op, OP_LD);
	assert_int_equal(in[2].dst[0].kind, OPERAND_REG);
	assert_int_equal(in[2].nwrite, 1);
	assert_int_equal(in[3].op, OP_CVT_s64_s32);
	assert_int_equal(in[3].nread, 1);
	assert_int_equal(in[3].read[0], in[2].write[0]);
	assert_int_equal(in[4].nread, 3);
	assert_int_equal(in[4].src[1].value, in[4].read[2]);
	assert_true(k->stores_global && k->has_atomics && !k->has_barrier);
	module_free(m);
}

/* setp p|q writes two predicates; the timing view names both and the one it reads. */
static void test_predicates(void **state UNUSED)
{
	struct module *m = load_body(
		("setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;\n@%p1 ret;\n@%p2 ret;\nmov.pred %p4, 0;\n@%p4 ret;"));
	const struct inst *in = m->kernel->inst;

	assert_true(in->dst[0].kind == OPERAND_PRED && in->dst[1].kind == OPERAND_PRED);
	assert_int_equal(in->write_pred[0], in->dst[0].value);
	assert_int_equal(in->write_pred[1], in->dst[1].value);
	assert_int_not_equal(in->dst[0].value, in->dst[1].value);
	assert_true(in->src[2].kind == OPERAND_PRED && in->src[2].negate);
	assert_int_equal(in->nread, 2);
	assert_int_equal(in[3].op, OP_SETP_NE_32);
	assert_int_equal(in[3].write_pred[1], 0xff);
	module_free(m);
}

/* The hand-written module: variables, initialisers, scopes, parameters, directives. */
static void test_handmade(void **state UNUSED)
{
	struct module *m = load_file("tests/ptx/handmade.ptx");
	const struct kernel *k = kernel_of(m, "scopes");
	static const i32 rows[] = {1, -2, 0, 16, 8, 3};
	static const float quad[] = {1.0f, 2.0f, -15.0f, 0.25f};
	u64 sum;
	double real;

	assert_int_equal(m->nkernel, 3);
	assert_int_equal(m->nsymbol, 7);
	assert_string_equal(m->source[1], "handmade.cu");
	assert_int_equal(m->constants[m->symbol[0].address], 42);
	memcpy(&real, m->constants + m->symbol[1].address + 8, 8);
	assert_true(real == 2.0 && m->symbol[1].address % 8 == 0);
	assert_memory_equal(m->symbol[2].init, rows, sizeof(rows));
	assert_memory_equal(m->symbol[3].init, quad, sizeof(quad));
	assert_int_equal(m->symbol[3].address % 16, 0);
	assert_int_equal(m->symbol[4].size, 3);
	memcpy(&sum, m->symbol[5].init, 8);
	assert_int_equal(sum, (16 + 9) | 0x100);
	assert_null(m->symbol[6].init);
	assert_true(k->maxntid[0] == 64 && k->maxntid[1] == 2 && k->maxntid[2] == 1 && k->minnctapersm == 2);
	assert_true(k->param[0].pointer && !k->param[1].pointer && k->param[2].type == VALUE_BYTES);
	assert_true(k->param[1].offset == 8 && k->param[2].offset == 16 && k->param_bytes == 40);
	assert_int_equal(k->static_shared, 48); /* tile 32, inner 12, up to the alignment of the dynamic ones */
	assert_int_equal(k->dynamic_shared_base, 48);
	assert_true(k->inst[0].source_file == 1 && k->inst[0].source_line == 10 && k->inst[3].source_line == 11);
	assert_int_equal(k->inst[0].ptx_line, 41);
	assert_int_equal(k->inst[0].ptx_column, 2);
	assert_int_equal(k->nreloc, 2);
	for (u32 i = 0; i < 2; i++)
		assert_string_equal(m->symbol[k->reloc[i].symbol].name, "rows");
	assert_int_equal(k->imm[k->reloc[0].imm], 4);
	assert_int_equal(kernel_of(m, "plain")->ninst, 1);
	assert_int_equal(kernel_of(m, "plain")->inst[0].op, OP_EXIT);
	assert_int_equal(kernel_of(m, "last")->ninst, 1);
	module_free(m);
}

/* Addresses of shared variables: both dynamic names at one place, offsets as immediates. */
static void test_shared_addresses(void **state UNUSED)
{
	struct module *m = load(
		HEAD ".shared .align 4 .b8 skipped[400];\n.extern .shared .align 16 .b8 x[];\n"
		     ".extern .shared .f64 y[];\n.shared .u32 z;\n" ENTRY REGS
		     ".shared .align 8 .f64 w;\nmov.u32 %r1, x;\nmov.u32 %r2, y;\nmov.u32 %r3, z;\nmov.u64 %rd1, w;\n"
		     "ld.shared.u32 %r4, [z+4];\nret;\n}\n");
	const struct kernel *k = m->kernel;

	assert_int_equal(imm_of(k, 0, 0), 16);
	assert_int_equal(imm_of(k, 1, 0), 16);
	assert_int_equal(imm_of(k, 2, 0), 0);
	assert_int_equal(imm_of(k, 3, 0), 8);
	assert_true(imm_of(k, 4, 0) == 0 && k->inst[4].offset == 4);
	assert_int_equal(k->dynamic_shared_base, 16);
	module_free(m);
}

/* Where the sides of a branch meet is marked, and nothing else (vws.sync waits there). */
static void check_joins(const struct kernel *k)
{
	for (u32 i = 0; i < k->ninst; i++) {
		bool joins = false;

		for (u32 b = 0; b < k->ninst; b++)
			joins |= k->inst[b].op == OP_BRA && k->inst[b].reconverge == i;
		assert_int_equal((k->inst[i].flow & FLOW_JOINS) != 0, joins);
	}
}

/* Reconvergence by hand: branch label -> where its sides meet ("" = only at the exit). */
static void test_reconvergence(void **state UNUSED)
{
	static const struct {
		const char *what, *text, *branch, *join;
	} rows[] = {{"if without else", "A: @%p1 bra J;\nmov.u32 %r1, 1;\nJ: mov.u32 %r2, 2;", "A", "J"},
		    {"if and else", "A: @%p1 bra E;\nmov.u32 %r1, 1;\nbra J;\nE: mov.u32 %r1, 2;\nJ: mov.u32 %r2, 3;",
		     "A", "J"},
		    {"loop", "L: add.s32 %r1, %r1, 1;\nA: @%p1 bra L;\nJ: mov.u32 %r2, 1;", "A", "J"},
		    {"break", "L: add.s32 %r1, %r1, 1;\nA: @%p1 bra J;\nadd.s32 %r2, %r2, 1;\nB: @%p2 bra L;\nJ: ret;",
		     "A", "J"},
		    {"continue",
		     "L: add.s32 %r1, %r1, 1;\nA: @%p1 bra C;\nadd.s32 %r2, %r2, 1;\nC: setp.eq.s32 %p3, %r1, 5;\n"
		     "B: @%p3 bra L;\nJ: ret;",
		     "A", "C"},
		    {"early return", "A: @%p1 bra R;\nmov.u32 %r1, 1;\nret;\nR: mov.u32 %r1, 2;\nret;", "A", ""},
		    {"guarded return", "A: @%p1 bra J;\n@%p2 ret;\nmov.u32 %r1, 1;\nJ: mov.u32 %r1, 2;", "A", ""},
		    {"nest, inner", "O: @%p1 bra J;\nA: @%p2 bra I;\nmov.u32 %r1, 1;\nI: mov.u32 %r1, 2;\nJ: ret;", "A",
		     "I"},
		    {"nest, outer", "A: @%p1 bra J;\nB: @%p2 bra I;\nmov.u32 %r1, 1;\nI: mov.u32 %r1, 2;\nJ: ret;", "A",
		     "J"},
		    {"irreducible",
		     "A: @%p1 bra Y;\nX: add.s32 %r1, %r1, 1;\nB: @%p2 bra J;\nY: add.s32 %r2, %r2, 1;\n"
		     "bra X;\nJ: ret;",
		     "A", "X"},
		    {"irreducible, two exits",
		     "A: @%p1 bra Y;\nX: @%p2 bra J;\nY: @%p3 bra X;\nmov.u32 %r1, 0;\nJ: ret;", "A", "J"},
		    {"endless side", "A: @%p1 bra J;\nL: add.s32 %r1, %r1, 1;\nbra L;\nJ: ret;", "A", "J"},
		    {"uniform", "A: @%p1 bra.uni J;\nmov.u32 %r1, 1;\nJ: ret;", "A", ""},
		    {"to the next", "A: @%p1 bra J;\nJ: ret;", "A", "J"},
		    {"off the end", "A: @%p1 bra J;\nmov.u32 %r1, 1;\nJ:", "A", "J"}};

	for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
		struct module *m;
		const struct kernel *k;
		u32 join;

		m = load_body(rows[i].text);
		k = m->kernel;
		join = rows[i].join[0] ? label_of(k, rows[i].join) : k->ninst;
		if (k->inst[label_of(k, rows[i].branch)].reconverge != join)
			fail_msg("%s: %u, not %u", rows[i].what, k->inst[label_of(k, rows[i].branch)].reconverge, join);
		check_joins(k);
		module_free(m);
	}
}

/* Registers packed into one: one instruction; taken apart: one for each piece. */
static void test_pack(void **state UNUSED)
{
	struct module *m =
		load_body(("mov.b64 {%r1, %r2}, %rd1;\nmov.b64 %rd2, {%r2, %r1};\nst.global.u64 [%rd3], %rd2;\n"
			   "mov.b32 {%rs1, %rs2}, %r1;\nmov.b32 %r3, {%rs2, 7};\n"
			   "mov.b64 %rd4, {%rs1, %rs1, %rs2, %rs2};\nst.global.u32 [%rd4], %r3;"));
	static const u16 ops[] = {OP_PART_64_0, OP_PART_64_1, OP_PACK_64, OP_ST,
				  OP_PART_32_0, OP_PART_32_1, OP_PACK_32, OP_PACK_64_4};
	const struct kernel *k = m->kernel;

	for (u32 i = 0; i < ARRAY_LEN(ops); i++)
		assert_int_equal(k->inst[i].op, ops[i]);
	assert_string_equal(kernel_text(k, 1), "mov.b64 {_, r0}, d0");
	assert_true(k->inst[0].nread == 2 && k->inst[0].nwrite == 1 && k->inst[2].nread == 2 && k->inst[2].nwrite == 2);
	assert_int_equal(k->inst[2].src[0].value, k->inst[1].dst[0].value);
	assert_int_equal(k->inst[2].src[1].value, k->inst[0].dst[0].value);
	assert_int_equal(imm_of(k, 6, 1), 7);
	module_free(m);
}

/* A random program over virtual registers, and what is known of it without the front end. */
#define VREGS 12
#define LINES 40
#define NOWHERE 0xffffffffu
struct program_line {
	int def; /* -1 none */
	int use[2];
	bool branch, guarded, leaves;
	u32 target;
};

static u32 random_line(u64 *seed, u32 n)
{
	return (u32)(mix64((*seed)++) % n);
}

/* Registers 0..7 are 32-bit, the others 64-bit pairs. */
static void write_program(struct text *t, struct program_line *line, u64 seed)
{
	text_add(t, HEAD ENTRY ".reg .pred p; .reg .b32 r<8>; .reg .b64 d<12>;\n");
	for (u32 i = 0; i < LINES; i++) {
		struct program_line *l = &line[i];
		u32 kind = random_line(&seed, 8), base = random_line(&seed, 2) ? 8 : 0, span = base ? 4 : 8;

		*l = (struct program_line){.def = -1, .use = {-1, -1}};
		text_add(t, "L%u: ", i);
		l->guarded = random_line(&seed, 3) == 0;
		if (kind < 2) {
			l->branch = true;
			l->target = random_line(&seed, LINES);
			text_add(t, "%sbra L%u;\n", l->guarded ? "@p " : "", l->target);
			continue;
		}
		if (kind == 2 && l->guarded) {
			l->leaves = true;
			text_add(t, "@p ret;\n");
			continue;
		}
		l->def = (int)(base + random_line(&seed, span));
		l->use[0] = (int)(base + random_line(&seed, span));
		l->use[1] = (int)(base + random_line(&seed, span));
		text_add(t, "%sadd.%s %s%d, %s%d, %s%d;\n", l->guarded ? "@p " : "", base ? "s64" : "s32",
			 base ? "d" : "r", l->def, base ? "d" : "r", l->use[0], base ? "d" : "r", l->use[1]);
	}
	text_add(t, "ret;\n}\n");
}

/* Is register v needed at the start of line i? Follows every path, one register at a time. */
static void live_at(const struct program_line *line, int v, bool *live)
{
	bool changed = true;

	memset(live, 0, LINES + 1);
	while (changed) {
		changed = false;
		for (u32 i = LINES; i-- > 0;) {
			const struct program_line *l = &line[i];
			bool after = (l->branch && live[l->target]) || ((!l->branch || l->guarded) && live[i + 1]);
			bool now = l->use[0] == v || l->use[1] == v || (after && (l->def != v || l->guarded));

			changed |= now != live[i];
			live[i] = now;
		}
	}
}

/* The physical register of each virtual one, read off the instructions; every mention must agree. */
static void collect_places(const struct kernel *k, const struct program_line *line, int *place)
{
	for (u32 v = 0; v < VREGS; v++)
		place[v] = -1;
	for (u32 i = 0; i < LINES; i++) {
		const struct inst *in = &k->inst[i];
		const int names[] = {line[i].def, line[i].use[0], line[i].use[1]};
		const struct operand *ops[] = {&in->dst[0], &in->src[0], &in->src[1]};

		for (u32 j = 0; j < 3 && line[i].def >= 0; j++) {
			if (place[names[j]] < 0)
				place[names[j]] = ops[j]->value;
			assert_int_equal(place[names[j]], ops[j]->value);
			assert_true(names[j] < 8 || ops[j]->value % 2 == 0);
			assert_true(ops[j]->value + (names[j] >= 8) < (int)k->regs);
		}
	}
}

/* A write may not hit a register that somebody still needs. */
static void check_no_clobber(const struct program_line *line, const int *place, bool live[VREGS][LINES + 1])
{
	for (u32 i = 0; i < LINES; i++) {
		int d = line[i].def;

		for (int v = 0; v < VREGS && d >= 0; v++) {
			bool overlap =
				place[v] >= 0 && place[v] <= place[d] + (d >= 8) && place[d] <= place[v] + (v >= 8);

			if (v != d && overlap && live[v][i + 1])
				fail_msg("line %u writes v%d over v%d", i, d, v);
		}
	}
}

/* Registers that are read before any write must hold zero: nobody may write theirs before that. */
static void check_entry(const int *place, bool live[VREGS][LINES + 1])
{
	for (int v = 0; v < VREGS; v++)
		for (int u = 0; u < v; u++)
			if (live[v][0] && live[u][0] && place[v] >= 0 && place[u] >= 0)
				assert_false(place[v] <= place[u] + (u >= 8) && place[u] <= place[v] + (v >= 8));
}

/* Reconvergence by its definition: the nearest line that every way to the exit passes. */
static bool reaches_exit(const struct program_line *line, u32 from, u32 without)
{
	bool seen[LINES + 1] = {false};
	u32 stack[LINES * 2 + 2], n = 0;

	stack[n++] = from;
	while (n) {
		u32 i = stack[--n];

		if (i == without || (i <= LINES && seen[i]))
			continue;
		if (i == LINES)
			return true;
		seen[i] = true;
		if (line[i].leaves)
			return true;
		if (line[i].branch)
			stack[n++] = line[i].target;
		if (!line[i].branch || line[i].guarded)
			stack[n++] = i + 1;
	}
	return false;
}

static void check_reconvergence(const struct kernel *k, const struct program_line *line)
{
	for (u32 b = 0; b < LINES; b++) {
		u32 r = k->inst[b].reconverge;

		if (!line[b].branch || !line[b].guarded || !reaches_exit(line, b, NOWHERE))
			continue;
		for (u32 x = 0; x <= LINES; x++) {
			bool dominates = x != b && !reaches_exit(line, b, x);

			if (x == r && !dominates)
				fail_msg("line %u does not post-dominate %u", x, b);
			if (dominates && r == k->ninst)
				fail_msg("%u: %u post-dominates, but none was found", b, x);
			if (dominates && x != r && r < k->ninst && reaches_exit(line, r, NOWHERE) &&
			    reaches_exit(line, r, x))
				fail_msg("%u: %u is nearer than %u", b, x, r);
		}
	}
}

/* Registers of a loop in which `second` is written and read behind the last use of x. */
static u32 loop_registers(const char *second)
{
	struct text t = {0};
	struct module *m;
	u32 regs;

	text_add(&t,
		 ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
		 ".reg .u64 %%a;\n.reg .u32 %%x, %%z, %%n, %%s;\n.reg .pred %%p;\n"
		 "ld.param.u64 %%a, [p];\nmov.u32 %%n, 4;\nmov.u32 %%s, 0;\n"
		 "L: ld.global.u32 %%x, [%%a];\nsetp.eq.u32 %%p, %%x, 7;\n@%%p bra M;\nadd.u32 %%s, %%s, 1;\n"
		 "M: add.u32 %%s, %%s, %%x;\nmul.lo.u32 %s, %%s, 3;\nadd.u32 %%s, %%s, %s;\n"
		 "sub.u32 %%n, %%n, 1;\nsetp.ne.u32 %%p, %%n, 0;\n@%%p bra L;\n"
		 "st.global.u32 [%%a], %%s;\nret;\n}\n",
		 second, second);
	m = load(t.s);
	regs = m->kernel->regs;
	module_free(m);
	text_free(&t);
	return regs;
}

/* What a block writes before it reads it is not alive in front of it: x, alive over the branch in the loop, leaves its
 * register to z behind it. */
static void test_written_first(void **state UNUSED)
{
	assert_int_equal(loop_registers("%z"), loop_registers("%x"));
}

/* Many random programs: registers never clash, pairs are aligned, reconvergence is what its definition says. */
static void test_random_programs(void **state UNUSED)
{
	static bool live[VREGS][LINES + 1];
	struct program_line line[LINES];
	int place[VREGS];

	for (u64 seed = 0; seed < 300; seed++) {
		struct text t = {0};
		struct module *m;

		write_program(&t, line, seed * 1000);
		m = load(t.s);
		for (int v = 0; v < VREGS; v++)
			live_at(line, v, live[v]);
		collect_places(m->kernel, line, place);
		check_no_clobber(line, place, live);
		check_entry(place, live);
		check_reconvergence(m->kernel, line);
		module_free(m);
		text_free(&t);
	}
}

/* What must hold for every instruction of every kernel. */
static void check_kernel(const struct kernel *k)
{
	assert_true(k->ninst > 0 && k->regs <= MAX_REGS && k->preds <= MAX_PREDS);
	for (u32 i = 0; i < k->ninst; i++) {
		const struct inst *in = &k->inst[i];

		assert_true(in->target <= k->ninst && in->reconverge <= k->ninst);
		assert_true(in->op != OP_BRA || in->target < k->ninst);
		assert_true(in->nread <= 8 && in->nwrite <= MAX_VECTOR && strlen(kernel_text(k, i)) > 2);
		for (u32 r = 0; r < in->nread; r++)
			assert_true(in->read[r] < k->regs && in->hazard[in->read[r] / 64] >> in->read[r] % 64 & 1);
		for (u32 r = 0; r < in->nwrite; r++)
			assert_true(in->write[r] < k->regs && in->hazard[in->write[r] / 64] >> in->write[r] % 64 & 1);
		for (u32 s = 0; s < in->nsrc; s++)
			assert_true(in->src[s].kind != OPERAND_IMM || in->src[s].value < k->nimm);
	}
}

/* Every module in the tree loads and is sound. */
static void test_files(void **state UNUSED)
{
	static const char *const patterns[] = {"tests/ptx/*.ptx", "scenarios/kernels/*.ptx"};

	for (u32 p = 0; p < ARRAY_LEN(patterns); p++) {
		glob_t g;

		assert_int_equal(glob(patterns[p], 0, NULL, &g), 0);
		for (size_t f = 0; f < g.gl_pathc; f++) {
			struct module *m = load_file(g.gl_pathv[f]);

			for (u32 i = 0; i < m->nkernel; i++)
				check_kernel(&m->kernel[i]);
			module_free(m);
		}
		globfree(&g);
	}
}

/* Pointers are known by clang's attribute or by the conversion to global. */
static void test_pointers(void **state UNUSED)
{
	struct module *m = load(
		HEAD ".entry k(.param .u64 a, .param .u64 b, .param .u64 .ptr .align 1 c)\n{\n" REGS
		     "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\ncvta.to.global.u64 %rd3, %rd2;\nret;\n}\n");
	const struct kernel_param *p = m->kernel->param;

	assert_true(!p[0].pointer && p[1].pointer && p[2].pointer);
	assert_true(p[0].type == VALUE_U64 && p[2].offset == 16);
	module_free(m);
}

static u32 polls_left; /* questions that are still answered with yes */

/* After so many questions the time is over. */
static enum status poll_countdown(struct error *e)
{
	return polls_left && --polls_left ? STATUS_OK : error_set(e, STATUS_LIMIT, "the time is over");
}

/* Wherever a load is interrupted, it says so and leaves no module; with time enough it ends. */
static void test_interrupted(void **state)
{
	struct text t = {0};
	struct error e = {0};
	struct module *m = NULL;
	enum status st = STATUS_LIMIT;
	u32 given = 1;

	(void)state;
	text_add(&t, "%s%s", HEAD ".func f() { .reg .b32 %r<3>; mov.u32 %r1, 1; ret; }\n", ENTRY REGS);
	for (u32 i = 0; i < 3000; i++)
		text_add(&t, "L%u: @%%p1 bra L%u; call f; add.u32 %%r1, %%r2, %%r3;\n", i, i);
	text_add(&t, "ret;\n}\n.section .debug_str { a: .b8 65,0 }\n");
	work_poll = poll_countdown;
	for (; st && given < 1000; given++) {
		polls_left = given;
		st = ptx_load_text("t.ptx", t.s, t.len, &m, &e);
		if (!st)
			break;
		assert_string_equal(e.message, "the time is over");
		assert_int_equal(st, STATUS_LIMIT);
		assert_null(m);
	}
	work_poll = NULL;
	assert_int_equal(st, STATUS_OK);
	assert_true(given > 20);
	module_free(m);
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_of_one_name),	cmocka_unit_test(test_constant_lines),
		cmocka_unit_test(test_immediates),	cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_timing_view),	cmocka_unit_test(test_predicates),
		cmocka_unit_test(test_handmade),	cmocka_unit_test(test_shared_addresses),
		cmocka_unit_test(test_reconvergence),	cmocka_unit_test(test_pack),
		cmocka_unit_test(test_random_programs), cmocka_unit_test(test_written_first),
		cmocka_unit_test(test_files),		cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_interrupted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
