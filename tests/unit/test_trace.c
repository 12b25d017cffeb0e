/*
 * test_trace.c - recorded kernels: what the words of a line become, addresses in every form, where warps begin and end,
 * and what is refused. Traces are written here, line by line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "counters.h"
#include "events.h"
#include "ops.h"
#include "policy.h"
#include "session_bed.h"
#include "sim.h"
#include "trace.h"

#include <lzma.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define HEAD(version, binary, rest) \
	"-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n-binary version = " #binary \
	"\n" \
	"-shmem base_addr = 0x7f0000000000\n-local mem base_addr = 0x7f1000000000\n-accelsim tracer version = " #version \
	"\n" rest "#traces\n"
#define HEAD5 HEAD(5, 70, "-enable lineinfo = 0\n")
#define CTA(n, lines) "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = " #n "\n" lines "\n#END_TB\n"
#define EXIT_LINE "00f0 ffffffff 0 EXIT 0 0 0 \n"

static char folder[64];

/* A file of the test's folder. */
static const char *file_named(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* Write bytes under a name; returns its path. */
static const char *write_file(const char *name, const void *bytes, size_t n)
{
	FILE *f = fopen(file_named(name), "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
	return file_named(name);
}

/* Load a text that must be good. */
static struct module *load(const char *text)
{
	struct module *m;
	struct error e = {0};

	if (trace_load(write_file("kernel-1.traceg", text, strlen(text)), false, &m, &e))
		fail_msg("%u: %s", e.line, e.message);
	return m;
}

/* A program that launches all kernels of a module as they were recorded. */
static void make_program(struct program *p, struct module *m)
{
	*p = (struct program){.launch = xcalloc(m->nkernel, sizeof(*p->launch)),
			      .nlaunch = m->nkernel,
			      .module = xcalloc(1, sizeof(m)),
			      .nmodule = 1};
	p->module[0] = m;
	for (u32 i = 0; i < m->nkernel; i++) {
		struct launch *l = &p->launch[i];

		*l = (struct launch){.kernel = &m->kernel[i],
				     .name = xstrdup("k"),
				     .regs = m->kernel[i].regs,
				     .param = xcalloc(1, 8)};
		memcpy(l->grid, m->kernel[i].trace->grid, sizeof(l->grid));
		memcpy(l->block, m->kernel[i].trace->block, sizeof(l->block));
		launch_prepare(l);
	}
}

static u64 stored_lines; /* lines that stores of the last run took */

/* Run a text to its end on a small machine, with trace.hardware and const.perfect: cycles; *issued: warp instructions.
 */
static u64 run_as(const char *text, bool hardware, bool perfect, u64 *issued)
{
	struct policy_choice policy = {0};
	struct program p;
	struct config c;
	struct error e = {0};
	struct sim s;
	u64 cycles;

	make_program(&p, load(text));
	config_default(&c);
	c.gpu_sms = 1;
	c.l1i_perfect = 1;
	c.trace_hardware = hardware;
	c.const_perfect = perfect;
	kernel_make(&p.module[0]->kernel[0], &c);
	for (u32 i = 0; i < SCHEME_COUNT; i++)
		for (u32 slot = POLICY_order; slot <= POLICY_assign; slot++)
			if (scheme_fills(scheme_table[i], slot))
				policy_put(&policy, slot, i);
	assert_int_equal(sim_open(&s, &c, &policy, &p, &e), STATUS_OK);
	while (!sim_finished(&s) && machine_gpu(s.m)->cycle < 100000)
		sim_cycle(&s);
	assert_true(sim_finished(&s) && !sim_faulted(&s) && !sim_deadlocked(&s));
	assert_int_equal(sim_sm_stat(&s, STAT_CONST_ACCESSES), 0); /* traces do not tell where constants are */
	cycles = machine_gpu(s.m)->cycle;
	*issued = sim_sm_stat(&s, STAT_INST_WARP);
	stored_lines = sim_sm_stat(&s, STAT_L1D_WRITES);
	sim_close(&s);
	program_free(&p);
	return cycles;
}

static u64 run(const char *text, u64 *issued)
{
	return run_as(text, false, true, issued);
}

/* What record `n` of warp 0 does. */
static void issue(struct module *m, u32 n, struct front_result *r)
{
	struct trace_place at;
	struct program p;
	struct front_env env = {0};

	make_program(&p, m);
	assert_true(trace_start(&m->kernel[0], 0, 0, ~0u, false, &at));
	env.launch = &p.launch[0];
	env.cursor = at.cursor;
	r->next = at.pc;
	for (u32 i = 0; i <= n; i++) {
		memset(r->address, 0xee, sizeof(r->address));
		trace_issue(&env, &m->kernel[0].inst[r->next], r);
		env.cursor = r->cursor;
	}
	program_free(&p);
}

static void words(void **state)
{
	struct module *m = load(HEAD5 CTA(4, "0010 ffffffff 1 R8 LDG.E.128.SYS 1 R6 16 1 0x7f2000000000 16 0 \n"
					     "0000 ffffffff 1 R255 IADD3 3 R3 R255 R255 0 0 \n"
					     "0020 ffffffff 0 STG.E.64 2 R6 R8 8 1 0x7f2000000000 8 0 \n" EXIT_LINE));
	const struct kernel *k = &m->kernel[0];

	(void)state;
	assert_int_equal(k->ninst, 4);
	assert_int_equal(k->regs, 16);
	/* in the order of PCs, not of appearance */
	assert_string_equal(kernel_text(k, 0), "/*0000*/ IADD3 RZ, R3, RZ, RZ");
	assert_int_equal(k->inst[0].class, CLASS_INT);
	assert_int_equal(k->inst[0].nread, 1);
	assert_int_equal(k->inst[0].nwrite, 0);
	/* sixteen bytes are four registers, a 64-bit address two */
	assert_int_equal(k->inst[1].class, CLASS_LOAD);
	assert_int_equal(k->inst[1].nwrite, 4);
	assert_int_equal(k->inst[1].write[3], 11);
	assert_int_equal(k->inst[1].nread, 2);
	assert_int_equal(k->inst[1].width * k->inst[1].vec, 16);
	assert_int_equal(k->inst[2].class, CLASS_STORE);
	assert_int_equal(k->inst[2].nread, 4);
	assert_int_equal(k->inst[3].op, OP_EXIT);
	module_free(m);
}

/* Products take tensor cores for what their names tell, in quarters of m16n8 over 32 bytes of depth; sources of doubles
 * are pairs. */
static void products(void **state)
{
	static const struct {
		const char *op;
		u32 work, class;
	} row[] = {{"HMMA.16816.F32", 8, CLASS_TENSOR},
		   {"HMMA.1688.F32", 4, CLASS_TENSOR},
		   {"HMMA.16816.F32.BF16", 8, CLASS_TENSOR},
		   {"HMMA.1688.F32.TF32", 8, CLASS_TENSOR},
		   {"HMMA.1684.F32.TF32", 4, CLASS_TENSOR},
		   {"HMMA.884.F32.F32.STEP2", 1, CLASS_TENSOR},
		   {"HMMA.884.F16.F16.STEP1", 2, CLASS_TENSOR},
		   {"IMMA.8816.S8.S8", 2, CLASS_TENSOR},
		   {"IMMA.16816.S8.S8", 4, CLASS_TENSOR},
		   {"IMMA.16832.U8.U8.SAT", 8, CLASS_TENSOR},
		   {"IMMA.16864.S4.S4", 8, CLASS_TENSOR},
		   {"BMMA.168256.AND.POPC", 8, CLASS_TENSOR},
		   {"HMMA", 0, CLASS_TENSOR},
		   {"HMMA.F32", 0, CLASS_TENSOR},
		   {"HFMA2.MMA", 0, CLASS_HALF},
		   {"HADD2", 0, CLASS_HALF},
		   {"HMNMX2", 0, CLASS_HALF},
		   {"FFMA", 0, CLASS_FP32},
		   {"UIADD3", 0, CLASS_UNIFORM},
		   {"DMMA.884", 0, CLASS_DMMA}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		char text[1024];
		struct module *m;

		snprintf(text, sizeof(text),
			 HEAD(5, 80, "-enable lineinfo = 0\n")
				 CTA(2, "0000 ffffffff 1 R8 %s 3 R2 R4 R8 0 0 \n" EXIT_LINE),
			 row[i].op);
		m = load(text);
		assert_int_equal(m->kernel[0].inst[0].class, row[i].class);
		if (m->kernel[0].inst[0].work != row[i].work)
			fail_msg("%s: %u quarters, not %u", row[i].op, m->kernel[0].inst[0].work, row[i].work);
		assert_int_equal(m->kernel[0].inst[0].nread, row[i].class == CLASS_DMMA ? 6 : 3);
		module_free(m);
	}
}

static void addresses(void **state)
{
	const char *text = HEAD5 CTA(7, "0000 ffffffff 1 R8 LDG.E 1 R6 4 1 0x1000 -4 0 \n"
					"0010 00000005 1 R8 LDG.E 1 R6 4 2 0x2000 -256 7 \n"
					"0020 80000001 1 R8 LDG.E 1 R6 4 0 0x3000 0x0000000000004004 0 \n"
					"0030 00000010 1 R8 LDG.E 1 R6 4 2 0x5000 0 \n"
					"0040 00000000 1 R8 LDG.E 1 R6 4 1 0x0 0 0 \n"
					"0050 ffffffff 1 R8 LDG.E 1 R6 4 1 0x6000 0 0 \n" EXIT_LINE);
	static struct front_result r;

	(void)state;
	issue(load(text), 0, &r);
	assert_int_equal(r.address[0], 0x1000);
	assert_int_equal(r.address[31], 0x1000 - 31 * 4);
	issue(load(text), 1, &r);
	assert_int_equal(r.mask, 5);
	assert_int_equal(r.address[0], 0x2000);
	assert_int_equal(r.address[2], 0x2000 - 256);
	assert_int_equal(r.address[1], 0xeeeeeeeeeeeeeeee);
	issue(load(text), 2, &r);
	assert_int_equal(r.address[0], 0x3000);
	assert_int_equal(r.address[31], 0x4004);
	issue(load(text), 3, &r);
	assert_int_equal(r.address[4], 0x5000);
	issue(load(text), 4, &r);
	assert_int_equal(r.mask, 0);
	assert_int_equal(r.ended, 0);
	issue(load(text), 5, &r);
	assert_int_equal(r.address[17], 0x6000);
	issue(load(text), 6, &r);
	assert_int_equal(r.ended, 1);
}

static void generic(void **state)
{
	const char *text = HEAD5 CTA(4, "0000 00000001 1 R8 LD.E 1 R6 4 2 0x7f0000000010 0 \n"
					"0010 00000001 1 R8 LD.E 1 R6 4 2 0x7f1000000020 0 \n"
					"0020 00000001 1 R8 LD.E 1 R6 4 2 0x7f2000000030 0 \n" EXIT_LINE);
	static struct front_result r;
	u64 issued;

	(void)state;
	issue(load(text), 0, &r);
	assert_int_equal(r.space, SPACE_SHARED);
	assert_int_equal(r.address[0], 0x10);
	issue(load(text), 1, &r);
	assert_int_equal(r.space, SPACE_LOCAL);
	issue(load(text), 2, &r);
	assert_int_equal(r.space, SPACE_GLOBAL);
	assert_int_equal(r.address[0], 0x7f2000000030);
	run(text, &issued);
	assert_int_equal(issued, 4);
}

static void widths(void **state)
{
	struct module *m = load(
		HEAD(5, 80, "") CTA(5, "0000 00000001 1 R8 LDG.E.U8 1 R6 1 2 0x1003 0 \n"
				       "0010 00000001 1 R8 LDG.E.S16 1 R6 4 2 0x1002 0 \n"
				       "0020 00000001 1 R8 LDSM.16.M88.4 1 R6 2 2 0x100 0 \n"
				       "0030 00000001 0 RED.E.ADD.64.STRONG.GPU 2 R6 R8 8 2 0x1008 0 \n" EXIT_LINE));
	const struct inst *in = m->kernel[0].inst;

	(void)state;
	assert_int_equal(in[0].width, 1);
	assert_int_equal(in[1].width, 2);
	assert_int_equal(in[2].width * in[2].vec, 16);
	assert_int_equal(in[2].nwrite, 4);
	assert_int_equal(in[3].class, CLASS_ATOMIC);
	assert_int_equal(in[3].width, 8);
	assert_int_equal(in[3].ndst, 0);
	module_free(m);
}

/* The opcode says how wide an access is, whatever number stands behind the sources: the recordings of an H200 say 4.
 * Of local memory, whose words lie apart, a store of eight bytes takes two lines then. */
static void widths_of_opcodes(void **state)
{
	static const struct {
		const char *words, *stated;
		u32 bytes, nwrite;
	} row[] = {{"1 R8 LDG.E 1 R6", "4", 4, 1},
		   {"1 R8 LDG.E.64 1 R6", "4", 8, 2},
		   {"1 R8 LDG.E.128.CONSTANT 1 R6", "4", 16, 4},
		   {"1 R8 LDG.E.U8 1 R6", "4", 1, 1},
		   {"1 R8 LDS.U.128 1 R6", "4", 16, 4},
		   {"1 R8 LDS.S8 1 R6", "4", 1, 1},
		   {"0 STG.E.U16 2 R6 R8", "4", 2, 0},
		   {"0 STG.E.EF.64 2 R6 R8", "4", 8, 0},
		   {"0 RED.E.ADD.F32.FTZ.RN.STRONG.GPU 2 R6 R8", "8", 4, 0},
		   {"1 R8 ATOMG.E.CAS.64.STRONG.GPU 2 R6 R8", "4", 8, 2},
		   {"1 R8 ATOMS.POPC.INC.32 1 R6", "4", 4, 1},
		   {"1 R8 LDG.E.LTC128B 1 R6", "8", 8, 2},
		   {"1 R8 LDG.E.F16x2 1 R6", "2", 2, 1},
		   {"1 R8 LDG.E.7 1 R6", "8", 8, 2},
		   {"1 R8 LDG.E.512 1 R6", "8", 8, 2}};
	static const char local[] = HEAD5 CTA(2, "0000 ffffffff 0 STL.64 2 R1 R2 4 1 0xfffd60 0 0 \n" EXIT_LINE);
	char text[1024];
	u64 issued;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct module *m;
		const struct inst *in;

		snprintf(text, sizeof(text), HEAD5 CTA(2, "0000 ffffffff %s %s 1 0x1000 0 0 \n" EXIT_LINE),
			 row[i].words, row[i].stated);
		m = load(text);
		in = m->kernel[0].inst;
		if (in->width * (in->op == OP_ATOM ? 1u : in->vec) != row[i].bytes || in->nwrite != row[i].nwrite)
			fail_msg("%s: %u x %u bytes, %u registers", row[i].words, in->vec, in->width, in->nwrite);
		module_free(m);
	}
	run(local, &issued);
	assert_int_equal(stored_lines, 2);
}

/* The records of warp 0 as the PCs and lanes of "10:ffffffff 20:00000003 ...", of one order of paths. */
static void tell_order(const char *text, bool most_first, char *out, size_t room)
{
	struct module *m = load(text);
	struct trace_place at;
	struct front_result r = {0};
	struct program p;
	struct front_env env = {0};
	size_t n = 0;

	make_program(&p, m);
	assert_true(trace_start(&m->kernel[0], 0, 0, ~0u, most_first, &at));
	env.launch = &p.launch[0];
	env.cursor = at.cursor;
	r.next = at.pc;
	while (!r.ended) {
		u32 pc = m->kernel[0].trace->pc[r.next];

		trace_issue(&env, &m->kernel[0].inst[r.next], &r);
		n += (size_t)snprintf(out + n, room - n, "%s%x:%x", n ? " " : "", pc, r.mask);
		if (r.space == SPACE_GLOBAL && r.mask)
			n += (size_t)snprintf(out + n, room - n, "@%llx", r.address[__builtin_ctz(r.mask)]);
		r.space = SPACE_NONE;
		env.cursor = r.cursor;
	}
	program_free(&p);
}

/* Of two paths that follow one another the one with more lanes comes first; each keeps its order and its addresses. */
static void order_of_paths(void **state)
{
#define ADD(pc, mask) pc " " mask " 1 R9 IADD3 1 R3 0 0 \n"
#define JUMP(pc, mask, to) pc " " mask " 0 BRA 0 0 " #to " 0 \n"
#define READ(pc, mask, at) pc " " mask " 1 R8 LDG.E 1 R6 4 1 " at " 4 0 \n"
	static const struct {
		const char *text, *recorded, *turned;
	} row[] = {
		/* few lanes first, to their end */
		{HEAD5 CTA(7, ADD("0000", "ffffffff") JUMP("0010", "00000001", 64)
				      READ("0040", "00000001", "0x1000") "0050 00000001 0 EXIT 0 0 0 \n" READ(
					      "0020", "fffffffe", "0x2000") ADD("0030", "fffffffe") EXIT_LINE),
		 "0:ffffffff 10:1 40:1@1000 50:1 20:fffffffe@2000 30:fffffffe f0:ffffffff",
		 "0:ffffffff 10:1 20:fffffffe@2000 30:fffffffe 40:1@1000 50:1 f0:ffffffff"},
		/* more lanes first: as recorded */
		{HEAD5 CTA(5, ADD("0000", "ffffffff") JUMP("0010", "0000ffff", 64) ADD("0020", "ffff0000")
				      ADD("0040", "0000ffff") EXIT_LINE),
		 "0:ffffffff 10:ffff 20:ffff0000 40:ffff f0:ffffffff", NULL},
		/* few fall through; a record without lanes goes with its path, within it paths part again */
		{HEAD5 CTA(9, ADD("0000", "ffffffff") JUMP("0010", "ffffff00", 128) ADD("0020", "000000ff")
				      ADD("0030", "00000000") ADD("0080", "ffffff00") JUMP("0090", "00000100", 192)
					      ADD("00c0", "00000100") ADD("00a0", "fffffe00") EXIT_LINE),
		 "0:ffffffff 10:ffffff00 20:ff 30:0 80:ffffff00 90:100 c0:100 a0:fffffe00 f0:ffffffff",
		 "0:ffffffff 10:ffffff00 80:ffffff00 90:100 a0:fffffe00 c0:100 20:ff 30:0 f0:ffffffff"},
		/* lanes that wait in between do not come there: the branch parts none */
		{HEAD5 CTA(4, ADD("0000", "0000000f") JUMP("0010", "0000000f", 64) ADD("0040", "0000000f") EXIT_LINE),
		 "0:f 10:f 40:f f0:ffffffff", NULL},
		/* the second path does not follow */
		{HEAD5 CTA(4, ADD("0000", "ffffffff") JUMP("0010", "00000001", 64) ADD("0040", "00000001") EXIT_LINE),
		 "0:ffffffff 10:1 40:1 f0:ffffffff", NULL},
		/* lanes that stand in the line before came by another way: the second branch parts none */
		{HEAD5 CTA(7, ADD("0000", "0000ffff") JUMP("0010", "0000f000", 64) ADD("0020", "00000fff")
				      ADD("0030", "00000fff") JUMP("0040", "0000f000", 128) ADD("0080", "0000f000")
					      ADD("0050", "00000fff")),
		 "0:ffff 10:f000 20:fff 30:fff 40:f000 80:f000 50:fff", NULL},
		/* two ends that stand next to each other are no one's way */
		{HEAD5 CTA(6, ADD("0000", "ffffffff") JUMP("0010", "f0000000", 48) ADD("0020", "0fffffff")
				      JUMP("0030", "f0000000", 64) ADD("0040", "f0000000") EXIT_LINE),
		 "0:ffffffff 10:f0000000 20:fffffff 30:f0000000 40:f0000000 f0:ffffffff", NULL}};
	char out[512];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		tell_order(row[i].text, false, out, sizeof(out));
		assert_string_equal(out, row[i].recorded);
		tell_order(row[i].text, true, out, sizeof(out));
		assert_string_equal(out, row[i].turned ? row[i].turned : row[i].recorded);
	}
}

/* Which loads go past the L1D. */
static void past(void **state)
{
	static const struct {
		const char *opcode;
		bool past;
	} rows[] = {{"LDG.E", false},
		    {"LDG.E.SYS", false},
		    {"LDG.E.CONSTANT", false},
		    {"LDG.E.STRONG.CTA", false},
		    {"LDG.E.STRONG.GPU", true},
		    {"LDG.E.64.STRONG.SYS", true},
		    {"LDG.E.CG", true},
		    {"LDGSTS.E.128", false},
		    {"LDGSTS.E.BYPASS.128", true}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
		char text[400];

		snprintf(text, sizeof text,
			 HEAD(5, 80, "") CTA(2, "0000 00000001 1 R8 %s 1 R6 4 2 0x1000 0 \n" EXIT_LINE),
			 rows[i].opcode);
		struct module *m = load(text);
		assert_int_equal(m->kernel[0].inst[0].aux, rows[i].past ? ACCESS_PAST : 0);
		module_free(m);
	}
}

/* The same record as each version of the tracer writes it. */
static void versions(void **state)
{
	static const char *const text[] = {
		"-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-binary version = 70\n#t\n" CTA(
			2,
			"0 0 0 0 0290 ffff0000 1 R8 LDG.E.SYS 1 R2 4 1 0x00007fe033702880 4 \n0 0 0 0 02a0 ffffffff 0 EXIT 0 0 \n"),
		HEAD(1.2, 70, "") CTA(
			2,
			"0 0 0 0 0290 ffff0000 1 R8 LDG.E.SYS 1 R2 4 1 0x00007fe033702880 4 \n0 0 0 0 02a0 ffffffff 0 EXIT 0 0 \n"),
		HEAD(3, 70, "") CTA(
			2, "0290 ffff0000 1 R8 LDG.E.SYS 1 R2 4 1 0x00007fe033702880 4 \n02a0 ffffffff 0 EXIT 0 0 \n"),
		HEAD(4, 70, "-enable lineinfo = 1\n") CTA(
			2,
			"17 0290 ffff0000 1 R8 LDG.E.SYS 1 R2 4 1 0x7fe033702880 4 \n18 02a0 ffffffff 0 EXIT 0 0 \n"),
		HEAD5 CTA(2,
			  "0290 ffff0000 1 R8 LDG.E.SYS 1 R2 4 1 0x7fe033702880 4 0 \n\n02a0 ffffffff 0 EXIT 0 0 0 \n"),
	};
	static struct front_result r;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(text); i++) {
		struct module *m = load(text[i]);

		assert_int_equal(m->kernel[0].ninst, 2);
		assert_int_equal(m->kernel[0].inst[0].source_line, i == 3 ? 17 : 0);
		issue(m, 0, &r);
		assert_int_equal(r.mask, 0xffff0000);
		assert_int_equal(r.address[17], 0x7fe033702884);
	}
}

/* gzip and xz hold what the plain file holds, and a list finds them. */
static void compressed(void **state)
{
	static const char text[] = HEAD5 CTA(2, "0000 ffffffff 1 R9 IADD3 1 R3 0 0 \n" EXIT_LINE);
	static const char list[] =
		"MemcpyHtoD,0x7f0000000000,64\nkernel-1.traceg\n\nkernel-2.traceg\nkernel-3.traceg.xz\nMemcpyDtoH,0x1,2\n";
	static u8 xz[4096];
	size_t n = 0;
	struct module *m;
	struct error e = {0};
	gzFile gz;

	(void)state;
	assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, (const u8 *)text, sizeof(text) - 1, xz, &n,
						 sizeof(xz)),
			 LZMA_OK);
	write_file("kernel-1.traceg", text, sizeof(text) - 1);
	write_file("kernel-3.traceg.xz", xz, n);
	gz = gzopen(file_named("kernel-2.traceg.gz"), "wb");
	assert_int_equal(gzwrite(gz, text, sizeof(text) - 1), sizeof(text) - 1);
	gzclose(gz);
	write_file("kernelslist.g", list, sizeof(list) - 1);
	assert_int_equal(trace_load(file_named("kernelslist.g"), false, &m, &e), STATUS_OK);
	assert_int_equal(m->nkernel, 3);
	assert_ptr_not_equal(m->kernel[1].trace, m->kernel[0].trace);
	for (u32 i = 0; i < 3; i++) {
		assert_int_equal(m->kernel[i].trace->records, 2);
		assert_string_equal(kernel_text(&m->kernel[i], 0), kernel_text(&m->kernel[0], 0));
	}
	module_free(m);
	/* cut short */
	write_file("kernel-3.traceg.xz", xz, n / 2);
	assert_int_equal(trace_load(file_named("kernelslist.g"), false, &m, &e), STATUS_USAGE);
	assert_non_null(strstr(e.message, "damaged"));
}

/* A file that a list names again is read once: its kernels share what it holds. */
static void named_again(void **state)
{
	static const char text[] = HEAD5 CTA(2, "0000 ffffffff 1 R9 IADD3 1 R3 0 0 \n" EXIT_LINE);
	static const char list[] = "kernel-1.traceg\nkernel-1.traceg\n";
	struct module *m;
	struct error e = {0};

	(void)state;
	write_file("kernel-1.traceg", text, sizeof(text) - 1);
	write_file("kernelslist.g", list, sizeof(list) - 1);
	assert_int_equal(trace_load(file_named("kernelslist.g"), false, &m, &e), STATUS_OK);
	assert_int_equal(m->nkernel, 2);
	assert_ptr_equal(m->kernel[1].trace, m->kernel[0].trace);
	assert_ptr_equal(m->kernel[1].inst, m->kernel[0].inst);
	assert_string_equal(m->kernel[1].name, m->kernel[0].name);
	module_free(m);
}

#define HARDWARE_LINES \
	"0000 ffffffff 1 R1 LDC 0 0 0 \n" \
	"0010 ffffffff 1 R2 S2R 0 0 0 \n" \
	"0020 ffffffff 1 R3 POPC 1 R2 0 0 \n" \
	"0030 ffffffff 1 R4 IADD3 2 R1 R3 0 0 \n"

/* With trace.hardware constant loads, special registers and bit counts have classes of their own, also of kernels that
 * share what was read, and without it again those of Accel-Sim; other instructions keep theirs. */
static void hardware(void **state)
{
	static const char text[] = HEAD5 CTA(5, HARDWARE_LINES EXIT_LINE);
	static const char list[] = "kernel-1.traceg\nkernel-1.traceg\n";
	static const u8 class[2][4] = {{CLASS_INT, CLASS_INT, CLASS_INT, CLASS_INT},
				       {CLASS_CONST, CLASS_SHFL, CLASS_SFU, CLASS_INT}};
	struct config c;
	struct module *m;
	struct error e = {0};

	(void)state;
	config_default(&c);
	write_file("kernel-1.traceg", text, sizeof(text) - 1);
	write_file("kernelslist.g", list, sizeof(list) - 1);
	assert_int_equal(trace_load(file_named("kernelslist.g"), false, &m, &e), STATUS_OK);
	for (u32 i = 0; i < 4; i++) {
		c.trace_hardware = i % 2;
		assert_int_equal(kernel_otherwise(&m->kernel[0], &c) != NULL, i > 0);
		for (u32 k = 0; k < m->nkernel; k++)
			kernel_make(&m->kernel[k], &c);
		for (u32 k = 0; k < m->nkernel; k++) {
			assert_null(kernel_otherwise(&m->kernel[k], &c));
			for (u32 n = 0; n < 4; n++)
				assert_int_equal(m->kernel[k].inst[n].class, class[i % 2][n]);
		}
	}
	module_free(m);
	m = load(HEAD5 CTA(2, "0000 ffffffff 1 R9 IADD3 1 R3 0 0 \n" EXIT_LINE));
	c.trace_hardware = 1;
	assert_null(kernel_otherwise(&m->kernel[0], &c));
	module_free(m);
}

/* They take their time then: a chain of a special register (lat.shfl) and a bit count (lat.sfu), each lat.int before. A
 * constant has no address in a trace, so a cache of constants is not asked. */
static void hardware_takes_time(void **state)
{
	static const char text[] = HEAD5 CTA(5, HARDWARE_LINES EXIT_LINE);
	struct config c;
	u64 issued[3], before = run_as(text, false, true, &issued[0]), after = run_as(text, true, true, &issued[1]);

	(void)state;
	config_default(&c);
	assert_int_equal(after - before, c.lat_shfl + c.lat_sfu - 2 * c.lat_int);
	assert_int_equal(run_as(text, true, false, &issued[2]), after);
	assert_int_equal(issued[1], issued[0]);
	assert_int_equal(issued[2], issued[0]);
}

/* The session's machine runs from its start to the end: its hash there; n: what it issued, by class. */
static u64 run_again(u32 n[CLASS_COUNT])
{
	struct sim told;
	struct error e = {0};
	u64 hash;

	must("restart");
	assert_int_equal(sim_open(&told, &session.sim.m->config, &session.policy, &session.program, &e), STATUS_OK);
	told.bus.want = EVENT_BIT(EVENT_ISSUE);
	memset(n, 0, CLASS_COUNT * sizeof(*n));
	while (!sim_finished(&told) && machine_gpu(told.m)->cycle < 100000) {
		sim_cycle(&told);
		for (u32 i = 0; i < told.bus.count; i++)
			n[told.bus.record[i].b]++;
	}
	hash = sim_hash(&told);
	sim_close(&told);
	must("run");
	assert_int_equal(sim_hash(&session.sim), hash);
	return hash;
}

/* A comparison that is refused in one line, which begins with some words. */
static void not_beside(const char *line, const char *said)
{
	struct error e = {0};

	assert_int_not_equal(command_run_line(&session, line, NULL, 0, &e), STATUS_OK);
	if (strstr(e.message, said) != e.message || strchr(e.message, '\n'))
		fail_msg("%s: %s", line, e.message);
}

/* In a sitting `restart` makes the kernels as the setting is then, one that is named twice, too; two machines do not
 * have them both ways. */
static void hardware_restarts(void **state)
{
	static const char text[] = HEAD(5, 90, "") CTA(6, "0000 ffffffff 1 R1 LDC 0 0 0 \n"
							  "0010 ffffffff 1 R2 S2R 0 0 0 \n"
							  "0020 ffffffff 1 R3 POPC 1 R2 0 0 \n"
							  "0030 ffffffff 1 R4 F2I.TRUNC.NTZ 1 R3 0 0 \n"
							  "0040 ffffffff 1 R5 IADD3 2 R1 R4 0 0 \n" EXIT_LINE);
	static const char list[] = "kernel-1.traceg\nkernel-1.traceg\n";
	const struct config *c = &session.config;
	u32 off[CLASS_COUNT], on[CLASS_COUNT], again[CLASS_COUNT];

	(void)state;
	write_file("kernel-1.traceg", text, sizeof(text) - 1);
	for (u32 times = 1; times <= 2; times++) {
		char *trace = xasprintf("trace %s", write_file("kernelslist.g", list, times * (sizeof(list) / 2)));
		const char *const line[] = {trace, "set l1i.perfect on"};
		u64 first, cycles;

		bed_session(line, ARRAY_LEN(line));
		first = run_again(off);
		cycles = machine_gpu(session.sim.m)->cycle;
		not_beside("compare trace.hardware=on", "trace.hardware changes the kernels of both");
		must("set trace.hardware on");
		assert_int_not_equal(run_again(on), first);
		assert_int_equal(machine_gpu(session.sim.m)->cycle,
				 cycles + times * (c->lat_shfl + 2 * c->lat_sfu - 3 * c->lat_int));
		not_beside("compare trace.hardware=off", "trace.hardware changes the kernels of both");
		not_beside("compare run 1", "run 1: trace.hardware changes the kernels of both");
		assert_int_equal(off[CLASS_INT], 5 * times);
		assert_int_equal(on[CLASS_INT], times);
		assert_int_equal(on[CLASS_CONST], times);
		assert_int_equal(on[CLASS_SHFL], times);
		assert_int_equal(on[CLASS_SFU], 2 * times);
		must("set trace.hardware off");
		assert_int_equal(run_again(again), first);
		assert_memory_equal(again, off, sizeof(off));
		close_session(NULL);
		free(trace);
	}
}

/* Kernels without such instructions and those of PTX are the same with it, also side by side. */
static void hardware_elsewhere(void **state)
{
	static const char text[] = HEAD5 CTA(2, "0000 ffffffff 1 R9 IADD3 1 R3 0 0 \n" EXIT_LINE);
	char *trace = xasprintf("trace %s", write_file("kernel-1.traceg", text, sizeof(text) - 1));
	const char *const line[] = {trace, "source scenarios/reduce.scn"};
	u32 off[CLASS_COUNT], on[CLASS_COUNT];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(line); i++) {
		u64 first;

		bed_session(&line[i], 1);
		first = run_again(off);
		must("compare trace.hardware=on");
		must("set trace.hardware on");
		assert_int_equal(run_again(on), first);
		assert_memory_equal(on, off, sizeof(off));
		must("compare run 1");
		close_session(NULL);
	}
	free(trace);
}

/* The time is over. */
static enum status poll_never(struct error *e)
{
	return error_set(e, STATUS_LIMIT, "the time is over");
}

/* A load that is interrupted says so and leaves nothing. */
static void interrupted(void **state)
{
	static const char text[] = HEAD5 CTA(2, "0000 ffffffff 1 R9 IADD3 1 R3 0 0 \n" EXIT_LINE);
	struct module *m;
	struct error e = {0};

	(void)state;
	write_file("kernel-1.traceg", text, sizeof(text) - 1);
	work_poll = poll_never;
	assert_int_equal(trace_load(file_named("kernel-1.traceg"), false, &m, &e), STATUS_LIMIT);
	work_poll = NULL;
	assert_string_equal(e.message, "the time is over");
	assert_null(m);
}

/* A chain of dependent instructions: one every lat.int + 1 cycles (a cycle for the operands, then the latency).
 * Independent ones: one every unit.int.interval. */
static void chain(void **state)
{
	static const char *const one = "%04x ffffffff 1 R%u IADD3 1 R%u 0 0 \n";
	u64 cycles[2][2], issued;

	(void)state;
	for (u32 dependent = 0; dependent < 2; dependent++)
		for (u32 longer = 0; longer < 2; longer++) {
			struct text t = {0};

			text_add(&t, "%s#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %u\n", HEAD5,
				 longer ? 31 : 21);
			for (u32 i = 0; i < (longer ? 30u : 20u); i++)
				text_add(&t, one, i * 16, dependent ? 4 : 4 + i, dependent ? 4 : 3);
			text_add(&t, "0f00 ffffffff 0 EXIT 0 0 0\n#END_TB\n");
			cycles[dependent][longer] = run(t.s, &issued);
			assert_int_equal(issued, longer ? 31 : 21);
			text_free(&t);
		}
	assert_int_equal(cycles[1][1] - cycles[1][0], 10 * (4 + 1));
	assert_int_equal(cycles[0][1] - cycles[0][0], 10 * 2);
}

/* Warps end with their records: an EXIT that names lanes that go on, a warp without records, one that ends before a
 * barrier, a barrier as the last record. */
static void ends(void **state)
{
	u64 issued;

	(void)state;
	run(HEAD5 CTA(3, "0000 ffffffff 0 EXIT 0 0 0 \n0010 00000001 1 R9 IADD3 1 R3 0 0 \n" EXIT_LINE), &issued);
	assert_int_equal(issued, 3);
	/* nothing comes back for a store, though the line names a result */
	run(HEAD5 CTA(3,
		      "0000 ffffffff 1 R9 STG.E 1 R6 4 1 0x1000 4 0 \n0010 ffffffff 1 R9 IADD3 1 R9 0 0 \n" EXIT_LINE),
	    &issued);
	assert_int_equal(issued, 3);
	run("-grid dim = (3,1,1)\n-block dim = (72,1,1)\n-binary version = 70\n-accelsim tracer version = 5\n#t\n"
	    "#BEGIN_TB\nthread block = 2,0,0\nwarp = 0\ninsts = 2\n0000 ffffffff 0 BAR.SYNC 0 0 0\n0010 ffffffff 0 EXIT 0 0 0\n"
	    "warp = 1\ninsts = 0\nwarp = 2\ninsts = 1\n0010 000000ff 0 EXIT 0 0 0\n#END_TB\n"
	    "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n0000 ffffffff 0 BAR.SYNC 0 0 0\n"
	    "warp = 1\ninsts = 2\n0000 ffffffff 0 BAR.SYNC 0 0 0\n0010 ffffffff 0 EXIT 0 0 0\n#END_TB\n",
	    &issued);
	assert_int_equal(issued, 3 + 3);
}

/* PCs that jump backwards, and one PC in two functions. */
static void jumps(void **state)
{
	struct module *m = load(HEAD5 CTA(
		6,
		"0000 ffffffff 1 R9 IADD3 1 R3 0 0 \n0010 ffffffff 0 BRA 0 0 0 \n0000 ffffffff 1 R9 IADD3 1 R3 0 0 \n"
		"0010 ffffffff 0 BRA 0 0 0 \n0000 ffffffff 1 R7 FADD 1 R3 0 0 \n" EXIT_LINE));
	static struct front_result r;

	(void)state;
	assert_int_equal(m->kernel[0].ninst, 4);
	assert_int_equal(m->kernel[0].inst[1].class, CLASS_FP32);
	issue(m, 1, &r);
	assert_int_equal(r.next, 0);
	assert_int_equal(r.taken, ~0u);
}

/* What is refused, with its line and what is said. */
static const struct {
	const char *text;
	u32 line;
	const char *says;
} bad_table[] = {
	{"", 0, "empty"},
	{"-grid dim = (1,1,1)\n", 1, "-block dim"},
	{"-grid dim = (1,1)\n", 1, "(x,y,z)"},
	{"-shmem = much\n", 1, "a number"},
	{"grid\n", 1, "-key = value"},
	{HEAD(7, 70, ""), 10, "at most version 6"},
	{HEAD(6, 90, "") CTA(1, "0000 ffffffff 1 Q1 MOV 0 0 0 0 NoVal\n"), 17, "R0 to R255 (or UR, P, UP)"},
	{HEAD(6, 90, "") CTA(1, "0000 ffffffff 1 UR HGMMA.64x64x16.F32 0 0 0 0 NoVal\n"), 17, "a register"},
	{HEAD(6, 90, "") CTA(1, "0000 ffffffff 1 R8 HGMMA.64x64x16.F32 0 2 0 0 0 NoVal\n"), 17, "group of products"},
	{HEAD(6, 90, "") CTA(1, "0000 00000001 0 UTMALDG.2D 0 16 zz 0 64 0 3 0\n"), 17, "an mbarrier"},
	{HEAD(6, 90, "") CTA(1, "0000 00000001 0 UTMALDG.2D 0 16 0x8 2 64 0 3 0\n"), 17, "a multicast"},
	{HEAD(6, 90, "") CTA(1, "0000 00000001 0 UTMALDG.2D 0 16 0x8 1 zz 64 0 3 0\n"), 17, "a multicast's CTAs"},
	{HEAD(6, 90, "") CTA(1, "0000 00000001 0 UTMALDG.2D 0 16 0x8 0 2000000 0 3 0\n"), 17, "bytes of a bulk copy"},
	{HEAD(6, 90, "") CTA(1, "0000 00000001 0 UTMALDG.2D 0 16 0x8 0 64 0 1 0\n"), 17, "address format 1"},
	{HEAD(6, 90, "") CTA(1, "0000 00000001 0 UTMALDG.2D 0 16 0x8 0 64 0 3 2 0x10\n"), 17, "another transfer"},
	{HEAD(6, 90, "") CTA(1, "0000 00000001 0 UTMALDG.2D 0 16 0x8 0 64 0 4 0x10 2\n"), 17, "another transfer"},
	{HEAD(5, 90, "") CTA(1, "0000 ffffffff 0 UTCBAR 0 0 0\n"), 17, "unknown opcode 'UTCBAR'"},
	{HEAD(5, 35, ""), 10, "Pascal"},
	{HEAD5, 11, "no instruction"},
	{"-grid dim = (9999,9999,9999)\n-block dim = (1,1,1)\n#\n", 3, "too large"},
	{"-grid dim = (1,1,1)\n-block dim = (99,99,1)\n#\n", 3, "too large"},
	{HEAD5 "words\n", 12, "#BEGIN_TB"},
	{HEAD5 "#BEGIN_TB\nthread block = 1,0,0\n", 13, "of a grid of 1,1,1"},
	{HEAD5 "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1\n", 14, "a block that has 1"},
	{HEAD5 "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n" EXIT_LINE "warp = 0\n", 17, "twice"},
	{HEAD5 "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n", 14, "insts = NUMBER"},
	{HEAD5 "#BEGIN_TB\nwarp = 0\ninsts = 1\n" EXIT_LINE "#END_TB\n", 16, "without 'thread block"},
	{HEAD5 CTA(2, EXIT_LINE), 20, "only 1"},
	{HEAD5 CTA(1, EXIT_LINE EXIT_LINE), 19, "#END_TB, not"},
	{HEAD5 "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n" EXIT_LINE, 16, "ends after 1 of 2"},
	{HEAD5 CTA(1, "00zz ffffffff 0 EXIT 0 0 0\n"), 18, "a PC"},
	{HEAD5 CTA(1, "0000 fffffff 0 EXIT 0 0 0\n"), 18, "eight hexadecimal"},
	{HEAD5 CTA(1, "0000 ffffffff 2 R1 R2 EXIT 0 0 0\n"), 18, "number of destinations"},
	{HEAD5 CTA(1, "0000 ffffffff 1 P1 MOV 0 0 0\n"), 18, "a register"},
	{HEAD5 CTA(1, "0000 ffffffff 1 R256 MOV 0 0 0\n"), 18, "a register"},
	{HEAD5 CTA(1, "0000 ffffffff 0\n"), 18, "missing opcode"},
	{HEAD5 CTA(1, "0000 ffffffff 0 MOV 9\n"), 18, "number of sources"},
	{HEAD5 CTA(1, "0000 ffffffff 0 LDG 0 3 1 0x0 0\n"), 18, "3 bytes"},
	{HEAD5 CTA(1, "0000 ffffffff 0 LDG 0 4 3 0x0 0\n"), 18, "address format"},
	{HEAD5 CTA(1, "0000 ffffffff 0 LDG 0 4 1 zero 0\n"), 18, "an address"},
	{HEAD5 CTA(1, "0000 ffffffff 0 LDG 0 4 1 0x0\n"), 18, "the distance"},
	{HEAD5 CTA(1, "0000 00000007 0 LDG 0 4 2 0x0 4\n"), 18, "of another lane"},
	{HEAD5 CTA(1, "0000 00000007 0 LDG 0 4 0 0x0 0x4\n"), 18, "of another lane"},
	{HEAD5 CTA(1, "0000 ffffffff 0 FROB.X 0 0 0\n"), 18, "unknown opcode 'FROB.X'"},
	{HEAD5 CTA(1, "0000 ffffffff 0 UMOV 0 0 0\n"), 18, "unknown opcode 'UMOV'"},
	{HEAD(2, 70, "") CTA(1, "0000 ffffffff 0 EXIT 0 0 0\n"), 17, "4 numbers"},
};

static void bad(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(bad_table); i++) {
		struct module *m = NULL;
		struct error e = {0};
		enum status st = trace_load(write_file("bad.traceg", bad_table[i].text, strlen(bad_table[i].text)),
					    false, &m, &e);

		if (st != STATUS_USAGE || m || e.line != bad_table[i].line || !strstr(e.message, bad_table[i].says))
			fail_msg("%u: status %d, line %u (want %u), `%s` (want `%s`)", i, st, e.line, bad_table[i].line,
				 e.message, bad_table[i].says);
		assert_non_null(strstr(e.file, "bad.traceg"));
	}
}

/* With the setting an unknown opcode is an integer instruction; a table of another architecture may have it. */
static void unknown(void **state)
{
	static const char text[] = HEAD5 CTA(2, "0000 ffffffff 1 R4 FROB 1 R3 0 0\n" EXIT_LINE);
	static const char ampere[] = HEAD(5, 80, "") CTA(2, "0000 ffffffff 0 UMOV 0 0 0\n" EXIT_LINE);
	struct module *m;
	struct error e = {0};

	(void)state;
	assert_int_equal(trace_load(write_file("u.traceg", text, sizeof(text) - 1), true, &m, &e), STATUS_OK);
	assert_int_equal(m->kernel[0].inst[0].class, CLASS_INT);
	assert_int_equal(m->kernel[0].inst[0].nwrite, 1);
	module_free(m);
	module_free(load(ampere));
}

/* Registers of all files in the text, those of vectors in timing; Hopper has Ampere's opcodes and Blackwell Hopper's.
 */
static void files(void **state)
{
	struct module *m = load(HEAD(6, 90, "") CTA(4, "0000 ffffffff 1 P0 ISETP.GE.AND 2 R3 UR4 0 0 0 NoVal\n"
						       "0010 ffffffff 1 UR5 R2UR 1 R7 0 0 0 Val 1 ff 32 0 1 2\n"
						       "0020 ffffffff 1 R8 VIADD 2 R6 UP1 0 4 0 NoVal\n" EXIT_LINE));
	const struct kernel *k = &m->kernel[0];

	(void)state;
	assert_string_equal(kernel_text(k, 0), "/*0000*/ ISETP.GE.AND P0, R3, UR4");
	assert_string_equal(kernel_text(k, 1), "/*0010*/ R2UR UR5, R7");
	assert_string_equal(kernel_text(k, 2), "/*0020*/ VIADD R8, R6, UP1");
	assert_int_equal(k->inst[0].nread, 1);
	assert_int_equal(k->inst[0].nwrite, 0);
	assert_int_equal(k->inst[1].class, CLASS_UNIFORM);
	assert_int_equal(k->inst[2].nwrite, 1);
	assert_int_equal(k->inst[2].class, CLASS_INT);
	module_free(m);
	module_free(load(HEAD(6, 120, "") CTA(3, "0000 ffffffff 1 UR4 UFADD 1 UR4 0 0 0 NoVal\n"
						 "0010 ffffffff 1 R8 VIMNMX 1 R6 0 0 0 NoVal\n" EXIT_LINE)));
}

/* A product of a warpgroup is 64 rows for four tensor cores. With n = 256, k = 16 and halves each core has 16 x 256 x
 * 16 products = 64 steps of m16n8k8 = 256 quarters at the rate of mma.sync; at the full rate 65 % of that: 166. */
static void groups(void **state)
{
	static const struct {
		const char *op;
		u32 work;
	} row[] = {{"HGMMA.64x256x16.F32", 166},	  {"HGMMA.64x64x16.F32.BF16", 42}, {"HGMMA.64x8x16.F16", 5},
		   {"QGMMA.64x128x32.F32.E4M3.E4M3", 83}, {"IGMMA.64x128x32.S8.S8", 83},   {"HGMMA", 0}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		char text[1024];
		struct module *m;

		snprintf(text, sizeof(text),
			 HEAD(6, 90, "") CTA(2, "0000 ffffffff 1 R24 %s 2 UR8 R24 1 0 0 0 NoVal\n" EXIT_LINE),
			 row[i].op);
		m = load(text);
		assert_int_equal(m->kernel[0].inst[0].class, CLASS_TENSOR);
		assert_int_equal(m->kernel[0].inst[0].work, row[i].work);
		/* nothing waits for the sum */
		assert_int_equal(m->kernel[0].inst[0].nwrite + m->kernel[0].inst[0].nread, 0);
		module_free(m);
	}
}

/* A bulk copy of two rows of 520 bytes: each is 33 lanes of 16 bytes, together 66, in records of 32, 32 and 2. */
static void bulk(void **state)
{
	const char *text = HEAD(6, 90, "")
		CTA(5, "0000 00000001 0 UTMALDG.2D 2 UR8 UR4 16 0x8 1 3 1040 0 3 2 0x10000 0x20000 0 0 NoVal\n"
		       "0010 00000001 0 UBLKCP.G.S 1 UR8 16 0x0 0 64 0 4 0x1000 2 256 0 0 NoVal\n"
		       "0020 00000000 0 UTMALDG.2D 2 UR8 UR4 16 0x8 0 1040 0 4 0x0 0 0 0 NoVal\n"
		       "0030 00000001 0 UBLKPF 1 UR8 16 0x0 0 64 0 4 0x1000 1 0 0 NoVal\n" EXIT_LINE);
	static struct front_result r;
	struct module *m = load(text);
	u64 issued;

	(void)state;
	assert_int_equal(m->kernel[0].trace->records, 3 + 4);
	assert_int_equal(m->kernel[0].inst[0].op, OP_COPY);
	assert_int_equal(m->kernel[0].inst[0].aux, ACCESS_PAST);
	assert_int_equal(m->kernel[0].inst[1].class, CLASS_STORE);
	assert_int_equal(m->kernel[0].inst[3].space, SPACE_NONE);
	module_free(m);
	issue(load(text), 0, &r);
	assert_int_equal(r.mask, ~0u);
	assert_int_equal(r.address[0], 0x10000);
	assert_int_equal(r.address[31], 0x10000 + 31 * 16);
	issue(load(text), 1, &r);
	assert_int_equal(r.address[0], 0x10000 + 32 * 16);
	assert_int_equal(r.address[1], 0x20000);
	issue(load(text), 2, &r);
	assert_int_equal(r.mask, 3);
	assert_int_equal(r.address[1], 0x20000 + 32 * 16);
	issue(load(text), 3, &r);
	assert_int_equal(r.mask, 15);
	assert_int_equal(r.address[1], 0x1010);
	assert_int_equal(r.address[2], 0x1100);
	issue(load(text), 4, &r);
	assert_int_equal(r.mask, 0);
	issue(load(text), 5, &r);
	assert_int_equal(r.mask, 1);
	run(text, &issued);
	assert_int_equal(issued, 3 + 1 + 1 + 1 + 1);
}

/* Barrier 1 of 64 threads, at which one warp arrives without waiting and one waits, then barrier 2 of two warps. */
static void barriers(void **state)
{
	static const char text[] =
		"-grid dim = (1,1,1)\n-block dim = (96,1,1)\n-binary version = 90\n-accelsim tracer version = 6\n#t\n"
		"#BEGIN_TB\nthread block = 0,0,0\ncluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n"
		"warp = 0\ninsts = 2\n0000 ffffffff 0 BAR.ARV 0 0 1 64 NoVal\n0040 ffffffff 0 EXIT 0 0 0 0 NoVal\n"
		"warp = 1\ninsts = 3\n0010 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 1 64 NoVal\n"
		"0020 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 2 64 NoVal\n0040 ffffffff 0 EXIT 0 0 0 0 NoVal\n"
		"warp = 2\ninsts = 2\n0020 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 2 64 NoVal\n0040 ffffffff 0 EXIT 0 0 0 0 NoVal\n"
		"#END_TB\n";
	struct module *m = load(text);
	u64 issued;

	(void)state;
	assert_int_equal(m->kernel[0].inst[0].op, OP_BAR_ARRIVE);
	assert_int_equal(m->kernel[0].inst[1].barrier, 1);
	assert_int_equal(m->kernel[0].inst[2].barrier, 2);
	module_free(m);
	run(text, &issued);
	assert_int_equal(issued, 2 + 3 + 2);
}

/* --- *.tracez, as its description says it --- */

static void put_word(struct text *t, u64 value, u32 bytes)
{
	text_addn(t, (const char *)&value, bytes);
}

/* A warp's data: instructions, parts, and each part's frame. */
static void put_warp(struct text *t, const char *const *part, u32 n, u32 insts, const ZSTD_CDict *dictionary)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();

	put_word(t, insts, 4);
	put_word(t, n, 4);
	for (u32 i = 0; i < n; i++) {
		char frame[1000];
		size_t size = dictionary ? ZSTD_compress_usingCDict(c, frame, sizeof(frame), part[i], strlen(part[i]),
								    dictionary)
					 : ZSTD_compressCCtx(c, frame, sizeof(frame), part[i], strlen(part[i]), 3);

		assert_false(ZSTD_isError(size));
		put_word(t, size, 4);
		text_addn(t, frame, size);
	}
	ZSTD_freeCCtx(c);
}

/* Two CTAs of two warps, written in the other order; the second warp of each has two parts. */
static void make_packed(struct text *t, bool with_dictionary)
{
	static const char words[] = " ffffffff 0 EXIT 0 0 0 0 NoVal\n ffffffff 1 R9 IADD3 1 R3 0 0 0 NoVal\n";
	const char *part[] = {"0000 ffffffff 1 R9 IADD3 1 R3 0 0 0 NoVal\n0010 ffffffff 1 R9 IADD3 1 R3 0 0 0 NoVal\n",
			      "0020 ffffffff 0 EXIT 0 0 0 0 NoVal"};
	ZSTD_CDict *dictionary = with_dictionary ? ZSTD_createCDict(words, sizeof(words) - 1, 3) : NULL;
	u64 at[2][2], index;

	text_add(t, "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-binary version = 90\n"
		    "-accelsim tracer version = 6\n-enable lineinfo = 0\n");
	text_addn(t, "", 1);
	put_word(t, with_dictionary ? sizeof(words) - 1 : 0, 4);
	put_word(t, 2, 4);
	if (with_dictionary)
		text_addn(t, words, sizeof(words) - 1);
	for (u32 cta = 0; cta < 2; cta++) {
		at[cta][0] = t->len;
		put_warp(t, part + 1, 1, 1, dictionary);
		at[cta][1] = t->len;
		put_warp(t, part, 2, 3, dictionary);
	}
	index = t->len;
	put_word(t, 2, 4);
	for (u32 cta = 2; cta-- > 0;) {
		put_word(t, cta, 4);
		for (u32 i = 0; i < 9; i++)
			put_word(t, 0, 4);
		put_word(t, 2, 4);
		for (u32 w = 0; w < 2; w++) {
			put_word(t, w ? 3 : 1, 4);
			put_word(t, w ? 2 : 1, 4);
			put_word(t, at[cta][w], 8);
			put_word(t, w ? 2 : 1, 4);
			if (w)
				put_word(t, 1, 4);
		}
	}
	put_word(t, index, 8);
	ZSTD_freeCDict(dictionary);
}

/* A *.tracez holds what its text would, with and without a dictionary; cut or changed anywhere it is refused, or is
 * another trace, but never more than that. */
static void packed(void **state)
{
	(void)state;
	for (u32 with = 0; with < 2; with++) {
		struct text t = {0};
		struct module *m;
		struct error e = {0};

		make_packed(&t, with);
		assert_int_equal(trace_load(write_file("kernel-1.tracez", t.s, t.len), false, &m, &e), STATUS_OK);
		assert_int_equal(m->kernel[0].trace->records, 2 * (1 + 3));
		assert_int_equal(m->kernel[0].ninst, 3);
		assert_int_equal(m->kernel[0].inst[2].op, OP_EXIT);
		module_free(m);
		for (size_t n = 1; n < t.len; n += 7) {
			m = NULL;
			if (!trace_load(write_file("kernel-1.tracez", t.s, n), false, &m, &e))
				fail_msg("cut after %zu of %zu bytes it was accepted", n, t.len);
		}
		for (size_t n = 0; n < t.len; n++) {
			t.s[n] = (char)~t.s[n];
			if (!trace_load(write_file("kernel-1.tracez", t.s, t.len), false, &m, &e))
				module_free(m);
			else
				assert_true(e.message[0]);
			t.s[n] = (char)~t.s[n];
		}
		text_free(&t);
	}
}

/* A list that names nothing, or what is not there. */
static void lists(void **state)
{
	static const char *const text[] = {"MemcpyHtoD,0x0,4\n", "kernel-9.traceg\n", "kernel/../../etc/passwd\n"};
	static const char *const says[] = {"names no kernel", "no such file", "the directory of the list"};
	struct module *m;
	struct error e = {0};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(text); i++) {
		assert_int_equal(trace_load(write_file("list.g", text[i], strlen(text[i])), false, &m, &e),
				 STATUS_USAGE);
		assert_non_null(strstr(e.message, says[i]));
	}
	assert_int_equal(trace_load(file_named("nothing.g"), false, &m, &e), STATUS_USAGE);
}

/* What a trace of n CTAs leaves in the heap. */
static size_t heap_of(u32 n)
{
	struct text t = {0};
	struct module *m;
	struct error e = {0};
	size_t before, used;

	text_add(
		&t,
		"-grid dim = (%u,1,1)\n-block dim = (32,1,1)\n-binary version = 70\n-accelsim tracer version = 5\n#t\n",
		n);
	for (u32 i = 0; i < n; i++) {
		text_add(&t, "#BEGIN_TB\nthread block = %u,0,0\nwarp = 0\ninsts = 100\n", i);
		for (u32 k = 0; k < 100; k++)
			text_add(&t, "%04x ffffffff 1 R8 LDG.E 1 R6 4 1 0x%x 4 0\n", k * 16, 4096 * i + k);
		text_add(&t, "#END_TB\n");
	}
	write_file("kernel-1.traceg", t.s, t.len);
	text_free(&t);
	before = mallinfo2().uordblks;
	assert_int_equal(trace_load(file_named("kernel-1.traceg"), false, &m, &e), STATUS_OK);
	used = mallinfo2().uordblks - before;
	assert_int_equal(m->kernel[0].trace->records, n * 100);
	module_free(m);
	return used;
}

/* A hundred times the records take no more memory: they are in the file. */
static void memory(void **state)
{
	(void)state;
	heap_of(10);
	assert_true(heap_of(1000) < heap_of(10) + 4096);
}

/* A folder for the files. */
static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/warpstep-test-XXXXXX");
	return !mkdtemp(folder);
}

static int drop_folder(void **state)
{
	static const char *const name[] = {
		"kernel-1.traceg", "kernel-2.traceg.gz", "kernel-3.traceg.xz", "kernelslist.g",
		"list.g",	   "bad.traceg",	 "u.traceg",	       "kernel-1.tracez"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(name); i++)
		unlink(file_named(name[i]));
	return rmdir(folder);
}

/* Every slice of a warp goes through the records that name lanes of its, in order: together they do what the warp does.
 */
static void slices(void **state)
{
	static const u32 masks[] = {~0u, 0x5, 0x80000001, 0x10, 0, ~0u, 0xff00, ~0u};
	struct module *m = load(HEAD5 CTA(8, "0000 ffffffff 1 R8 LDG.E 1 R6 4 1 0x1000 -4 0 \n"
					     "0010 00000005 1 R8 LDG.E 1 R6 4 2 0x2000 -256 7 \n"
					     "0020 80000001 1 R8 LDG.E 1 R6 4 0 0x3000 0x0000000000004004 0 \n"
					     "0030 00000010 1 R8 LDG.E 1 R6 4 2 0x5000 0 \n"
					     "0040 00000000 1 R8 LDG.E 1 R6 4 1 0x0 0 0 \n"
					     "0050 ffffffff 1 R8 LDG.E 1 R6 4 1 0x6000 0 0 \n"
					     "0060 0000ff00 1 R8 IADD3 3 R3 R255 R255 0 0 \n" EXIT_LINE));
	u32 seen[ARRAY_LEN(masks)] = {0};
	struct trace_place at;
	struct program p;

	(void)state;
	make_program(&p, m);
	for (u32 lanes = 0xff; lanes; lanes <<= 8) {
		const struct front_site site = {.lanes = 8};
		struct front_env env = {
			.launch = &p.launch[0], .site = &site, .context = (u32)__builtin_ctz(lanes) / 8};
		static struct front_result r;

		assert_true(trace_start(&m->kernel[0], 0, 0, lanes, false, &at));
		r.next_mask = at.mask;
		r.next = at.pc;
		env.cursor = at.cursor;
		do {
			u32 pc = r.next, mask = r.next_mask;

			trace_issue(&env, &m->kernel[0].inst[pc], &r);
			assert_int_equal(r.mask, mask);
			assert_int_equal(mask, masks[pc] & lanes);
			assert_false(seen[pc] & mask);
			if (pc == 1 && mask)
				assert_int_equal(r.address[2], 0x2000 - 256);
			seen[pc] |= mask;
			env.cursor = r.cursor;
		} while (!r.ended);
		assert_int_equal(r.exited, lanes);
	}
	assert_memory_equal(seen, masks, sizeof(masks));
	program_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(products),
		cmocka_unit_test(addresses),
		cmocka_unit_test(generic),
		cmocka_unit_test(widths),
		cmocka_unit_test(widths_of_opcodes),
		cmocka_unit_test(order_of_paths),
		cmocka_unit_test(versions),
		cmocka_unit_test(past),
		cmocka_unit_test(compressed),
		cmocka_unit_test(named_again),
		cmocka_unit_test(interrupted),
		cmocka_unit_test(chain),
		cmocka_unit_test(ends),
		cmocka_unit_test(jumps),
		cmocka_unit_test(bad),
		cmocka_unit_test(unknown),
		cmocka_unit_test(lists),
		cmocka_unit_test(memory),
		cmocka_unit_test(slices),
		cmocka_unit_test(files),
		cmocka_unit_test(groups),
		cmocka_unit_test(bulk),
		cmocka_unit_test(barriers),
		cmocka_unit_test(packed),
		cmocka_unit_test(hardware),
		cmocka_unit_test(hardware_takes_time),
		cmocka_unit_test(hardware_restarts),
		cmocka_unit_test(hardware_elsewhere),
	};

	return cmocka_run_group_tests_name("trace", tests, make_folder, drop_folder);
}
