/*
 * test_idempotence.c - which instructions trip, by hand: each rule of PTX, launches that give two parameters one buffer
 * or two, traces, synthetic kernels; and random programs, executed, of which no unmarked instruction overwrites what
 * the program reads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "idempotence.h"
#include "ops.h"
#include "ptx_bed.h"
#include "synth.h"
#include "trace.h"

#include <unistd.h>

/* Parameters: three pointers, a number of 64 bits, one of 32; %rd1 to %rd3 have the pointers (PCs 0 to 2), %rd4 and %r1
 * the numbers (3, 4), %r2 the thread (5), %rd5 its offset (6). The body begins at 7. */
#define HEAD \
	".version 7.0\n.target sm_75\n.address_size 64\n.global .align 4 .b8 variable[64];\n" \
	".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 n, .param .u32 m)\n{\n" \
	".reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .shared .align 8 .b8 sh[64]; .local .align 8 .b8 lo[64];\n" \
	"ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u64 %rd4, [n]; ld.param.u32 %r1, [m];\n" \
	"mov.u32 %r2, %tid.x; mul.wide.u32 %rd5, %r2, 4;\n"
#define TAIL "ret;\n}\n"

/* What a launch gives for a, b, c: letters of buffers, x y z; the same letter is the same buffer, one in lower case at
 * an offset; 0 a null pointer. */
static void give_buffers(struct bed *b, const char *letters)
{
	static const char *const name[] = {"X", "Y", "Z"};
	u64 at[3], zero = 0;

	for (u32 i = 0; i < 3; i++)
		at[i] = add_buffer(b, name[i], 1024);
	for (u32 i = 0; i < 3; i++) {
		u64 value = letters[i] >= 'x' ? at[letters[i] - 'x'] + 512 : at[(letters[i] - 'X') & 3];

		give(b, letters[i] == '0' ? &zero : &value, 8);
	}
	give(b, &(u64){100}, 8);
	give_int(b, 100);
}

/* "PC reason" of all instructions that trip, a semicolon behind each but the last. */
static const char *marks_text(const struct idempotence *x, const struct program *p)
{
	static char out[1000];
	size_t n = 0;
	u32 marked = 0;

	out[0] = '\0';
	for (u32 pc = 0; pc < x->ninst; pc++) {
		struct text why = {0};

		if (!idempotence_trips(x, pc, ~0u))
			continue;
		marked++;
		idempotence_reason(x, p, pc, &why);
		n += (size_t)snprintf(out + n, sizeof(out) - n, "%s%u %s", n ? "; " : "", pc, why.s);
		text_free(&why);
	}
	assert_int_equal(marked, x->marked);
	return out;
}

/* The marks of a body with these buffers. */
static void assert_marks(const char *what, const char *body, const char *letters, const char *want)
{
	char *text = xasprintf("%s%s%s", HEAD, body, TAIL);
	struct idempotence *x;
	struct bed b;

	bed_text(&b, text, "k", 1, 32);
	give_buffers(&b, letters);
	x = idempotence_make(&b.program, &b.launch);
	if (strcmp(marks_text(x, &b.program), want) != 0)
		fail_msg("%s, %s: `%s`, not `%s`", what, letters, marks_text(x, &b.program), want);
	idempotence_free(x);
	bed_fill(&b);
	bed_close(&b);
	free(text);
}

/* clang-format off */
static const struct {
	const char *what, *body, *letters, *want;
} rule[] = {
	{"a vector addition",
	 "cvta.to.global.u64 %rd6, %rd1; cvta.to.global.u64 %rd7, %rd2; cvta.to.global.u64 %rd8, %rd3;\n"
	 "add.s64 %rd6, %rd6, %rd5; add.s64 %rd7, %rd7, %rd5; add.s64 %rd8, %rd8, %rd5;\n"
	 "ld.global.u32 %r3, [%rd6]; ld.global.u32 %r4, [%rd7]; add.s32 %r3, %r3, %r4; st.global.u32 [%rd8], %r3;\n", "XYZ", ""},
	{"an update in its place",
	 "add.s64 %rd6, %rd1, %rd5; ld.global.u32 %r3, [%rd6]; add.s32 %r3, %r3, 1; st.global.u32 [%rd6], %r3;\n",
	 "XYZ", "10 overwrites buffer X, which is read at 8"},
	{"a write that is read later, by another thread",
	 "add.s64 %rd6, %rd1, %rd5; st.global.u32 [%rd6], %r2; bar.sync 0; ld.global.u32 %r3, [%rd1];\n",
	 "XYZ", "8 overwrites buffer X, which is read at 10"},
	{"a generic store, a generic load", "ld.u32 %r3, [%rd1]; st.u32 [%rd1], %r3; st.u32 [%rd2], %r3;\n",
	 "XYZ", "8 overwrites buffer X, which is read at 7"},
	{"atomics, of a buffer that nothing else touches",
	 "ld.global.u32 %r3, [%rd1]; atom.global.add.u32 %r4, [%rd2], 1; red.global.add.u32 [%rd2], 1; atom.add.u32 %r4, [%rd2], 1;\n",
	 "XYZ", "8 atomic; 9 atomic; 10 atomic"},
	{"an atomic reads", "st.global.u32 [%rd2], %r2; atom.global.add.u32 %r4, [%rd2], 1;\n",
	 "XYZ", "7 overwrites buffer Y, which is read at 8; 8 atomic"},
	{"shared and local memory do not count, not even atomics, not by generic addresses",
	 "mov.u32 %r5, sh; st.shared.u32 [%r5], %r2; ld.shared.u32 %r3, [%r5]; atom.shared.add.u32 %r4, [%r5], 1;\n"
	 "mov.u64 %rd6, lo; st.local.u32 [%rd6], %r2; ld.local.u32 %r3, [%rd6]; cvta.local.u64 %rd7, %rd6; st.u32 [%rd7+4], %r3;\n"
	 "mov.u64 %rd8, sh; cvta.shared.u64 %rd9, %rd8; add.s64 %rd9, %rd9, %rd5; st.u32 [%rd9], %r3; atom.add.u32 %r4, [%rd9], 1;\n"
	 "ld.u32 %r3, [%rd7+4]; ld.global.u32 %r6, [%rd1]; st.global.u32 [%rd2], %r6;\n", "XYZ", ""},
	{"a selection may be either of two",
	 "setp.eq.u32 %p1, %r2, 0; selp.b64 %rd6, %rd1, %rd2, %p1; ld.global.u32 %r3, [%rd2]; st.global.u32 [%rd6], %r3;\n",
	 "XYZ", "10 overwrites buffer Y, which is read at 9"},
	{"a selection of two that are only written",
	 "setp.eq.u32 %p1, %r2, 0; selp.b64 %rd6, %rd1, %rd2, %p1; ld.global.u32 %r3, [%rd3]; st.global.u32 [%rd6], %r3;\n",
	 "XYZ", ""},
	{"a selection of an address and a number",
	 "setp.eq.u32 %p1, %r2, 0; selp.b64 %rd6, %rd1, 0, %p1; ld.global.u32 %r3, [%rd3]; st.global.u32 [%rd6], %r3;\n",
	 "XYZ", "10 may write to any buffer"},
	{"a guarded move may leave the register as it was",
	 "setp.eq.u32 %p1, %r2, 0; mov.u64 %rd6, %rd1; @%p1 mov.u64 %rd6, %rd2; ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd6], %r3;\n",
	 "XYZ", "11 overwrites buffer X, which is read at 10"},
	{"an unguarded one does not",
	 "mov.u64 %rd6, %rd1; mov.u64 %rd6, %rd2; ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd6], %r3;\n", "XYZ", ""},
	{"an address from memory, in a store",
	 "ld.global.u64 %rd6, [%rd1]; st.global.u32 [%rd6], %r2;\n", "XYZ", "8 may write to any buffer"},
	{"an address from memory, in a load",
	 "ld.global.u64 %rd6, [%rd1]; ld.global.u32 %r3, [%rd6]; st.global.u32 [%rd2], %r3;\n",
	 "XYZ", "9 the load at 8 may read any buffer"},
	{"an index from memory", "ld.global.u32 %r3, [%rd1]; mad.wide.u32 %rd6, %r3, 4, %rd2; ld.global.u32 %r3, [%rd6];\n"
	 "ld.global.u64 %rd7, [%rd1]; shl.b64 %rd7, %rd7, 2; add.s64 %rd7, %rd7, %rd3; st.global.u32 [%rd7], %r3;\n", "XYZ", ""},
	{"the sum of two addresses", "add.s64 %rd6, %rd1, %rd2; ld.global.u32 %r3, [%rd3]; st.global.u32 [%rd6], %r3;\n",
	 "XYZ", "9 may write to any buffer"},
	{"from one buffer to another by their distance",
	 "sub.s64 %rd6, %rd2, %rd1; add.s64 %rd7, %rd1, %rd6; ld.global.u32 %r3, [%rd2]; st.global.u32 [%rd7], %r3;\n",
	 "XYZ", "10 may write to any buffer"},
	{"a number taken from an address", "sub.s64 %rd6, %rd2, %rd4; ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd6], %r3;\n",
	 "XYZ", ""},
	{"an address taken from a number", "sub.s64 %rd6, %rd4, %rd2; ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd6], %r3;\n",
	 "XYZ", "9 may write to any buffer"},
	{"what is no offset, as a generic address", "cvta.shared.u64 %rd6, %rd2; ld.global.u32 %r3, [%rd1]; st.u32 [%rd6], %r3;\n",
	 "XYZ", "9 may write to any buffer"},
	{"a generic address as a number", "mov.u64 %rd6, 0x6fff00000000; ld.global.u32 %r3, [%rd1]; st.u32 [%rd6], %r3;\n", "XYZ", ""},
	{"an address in two halves",
	 "mov.b64 {%r3, %r4}, %rd1; mov.b64 %rd6, {%r3, %r4}; ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd6], %r5;\n",
	 "XYZ", "11 may write to any buffer"},
	{"an address through local memory, and an index",
	 "st.local.u64 [lo], %rd1; ld.local.u64 %rd6, [lo]; ld.global.u32 %r3, [%rd2]; st.global.u32 [%rd6], %r3;\n",
	 "XYZ", "10 may write to any buffer"},
	{"a distance through shared memory and 32 bits",
	 "sub.s64 %rd6, %rd2, %rd1; cvt.u32.u64 %r3, %rd6; st.shared.u32 [sh], %r3; ld.shared.u32 %r4, [sh];\n"
	 "cvt.s64.s32 %rd7, %r4; add.s64 %rd8, %rd1, %rd7; ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd8], %r5;\n",
	 "XYZ", "14 may write to any buffer"},
	{"what memory gives before an address goes there",
	 "L: ld.shared.u32 %r4, [sh]; cvt.s64.s32 %rd7, %r4; add.s64 %rd8, %rd1, %rd7; ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd8], %r5;\n"
	 "cvt.u32.u64 %r3, %rd2; st.shared.u32 [sh], %r3; setp.eq.u32 %p1, %r5, 0; @%p1 bra L;\n",
	 "XYZ", "11 may write to any buffer"},
	{"a half from another lane, from another place of the code",
	 "cvt.u32.u64 %r3, %rd2; mov.u32 %r4, 4; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;\n"
	 "shfl.sync.idx.b32 %r5, %r4, 0, 31, -1; cvt.u64.u32 %rd6, %r5; add.s64 %rd7, %rd1, %rd6; ld.global.u32 %r6, [%rd2];\n"
	 "st.global.u32 [%rd7], %r6; bra M; L: shfl.sync.idx.b32 %r5, %r3, 0, 31, -1; M:\n",
	 "XYZ", "15 may write to any buffer"},
	{"an index from another lane",
	 "shfl.sync.idx.b32 %r5, %r2, 0, 31, -1; mad.wide.u32 %rd7, %r5, 4, %rd1; ld.global.u32 %r6, [%rd2]; st.global.u32 [%rd7], %r6;\n",
	 "XYZ", ""},
	{"an address that moves on in a loop",
	 "mov.u64 %rd6, %rd1; mov.u32 %r3, 0; L: st.global.u32 [%rd6], %r2; add.s64 %rd6, %rd6, 4; add.s32 %r3, %r3, 1;\n"
	 "setp.lt.u32 %p1, %r3, %r1; @%p1 bra L; ld.global.u32 %r4, [%rd2];\n", "XYZ", ""},
	{"two addresses that change places in a loop",
	 "mov.u64 %rd6, %rd1; mov.u64 %rd7, %rd2; mov.u32 %r3, 0; L: st.global.u32 [%rd6], %r2; ld.global.u32 %r4, [%rd3];\n"
	 "mov.u64 %rd8, %rd6; mov.u64 %rd6, %rd7; mov.u64 %rd7, %rd8; add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1; @%p1 bra L;\n"
	 "ld.global.u32 %r4, [%rd2];\n", "XYZ", "10 overwrites buffer Y, which is read at 18"},
	{"the way around a store", "mov.u64 %rd6, %rd1; setp.eq.u32 %p1, %r2, 0; @%p1 bra L; mov.u64 %rd6, %rd2; bra M;\n"
	 "L: mov.u64 %rd6, %rd3; M: ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd6], %r3;\n", "XYZ", ""},
	{"a store that nothing reaches", "ld.global.u32 %r3, [%rd1]; bra L; st.global.u32 [%rd1], %r3; L:\n", "XYZ", ""},
	{"nothing is read: there is nothing to overwrite", "ld.param.u64 %rd6, [n]; st.global.u32 [%rd6], %r2; st.global.u32 [%rd1], %r2;\n",
	 "XYZ", ""},
	{"a number as an address", "ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd4], %r3;\n", "XYZ", "8 may write to any buffer"},
	{"a null pointer as an address", "ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd2], %r3;\n", "X0Z", "8 may write to any buffer"},
	{"a variable of the module", "ld.global.u32 %r3, [variable]; mov.u64 %rd6, variable; st.global.u32 [%rd6+4], %r3; st.global.u32 [%rd1], %r3;\n",
	 "XYZ", "9 overwrites buffer variable, which is read at 7"},
	{"a variable's address, generic", "cvta.global.u64 %rd6, variable; st.u32 [%rd6], %r2; ld.u32 %r3, [%rd1];\n", "XYZ", ""},
	{"half of an argument",
	 "ld.param.u32 %r3, [a]; ld.param.u32 %r4, [a+4]; mov.b64 %rd6, {%r3, %r4}; add.s64 %rd6, %rd6, 4; ld.global.u32 %r5, [%rd2];\n"
	 "st.global.u32 [%rd6], %r5;\n", "XYZ", "12 may write to any buffer"},
	{"half of an argument, as an index",
	 "ld.param.u32 %r3, [b]; cvt.u64.u32 %rd6, %r3; add.s64 %rd6, %rd6, %rd1; ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd6], %r5;\n",
	 "XYZ", "11 may write to any buffer"},
	{"a copy's loads and stores are those of a vector", "ld.global.v2.u64 {%rd6, %rd7}, [%rd1]; st.global.v2.u64 [%rd2], {%rd6, %rd7};\n",
	 "XYZ", ""},
	/* what the launch gives */
	{"two parameters, two buffers", "ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd2], %r3;\n", "XYZ", ""},
	{"two parameters, one buffer", "ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd2], %r3;\n", "XXZ", "8 overwrites buffer X, which is read at 7"},
	{"two parameters, two places of one buffer", "ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd2], %r3;\n", "YyZ", "8 overwrites buffer Y, which is read at 7"},
};
/* clang-format on */

static void rules_of_ptx(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(rule); i++)
		assert_marks(rule[i].what, rule[i].body, rule[i].letters, rule[i].want);
}

/* The fields of a structure, loaded at once, are told apart. */
static void fields(void **state)
{
	static const char text[] =
		".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .align 16 .b8 s[16])\n{\n"
		".reg .b32 %r<4>; .reg .b64 %rd<4>;\nld.param.v2.u64 {%rd1, %rd2}, [s];\n"
		"ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1; ret;\n}\n";

	(void)state;
	for (u32 same = 0; same < 2; same++) {
		struct idempotence *x;
		struct bed b;
		u64 at[2];

		bed_text(&b, text, "k", 1, 32);
		at[0] = add_buffer(&b, "X", 64);
		at[1] = same ? at[0] : add_buffer(&b, "Y", 64);
		give(&b, at, 16);
		x = idempotence_make(&b.program, &b.launch);
		assert_string_equal(marks_text(x, &b.program), same ? "2 overwrites buffer X, which is read at 1" : "");
		idempotence_free(x);
		bed_fill(&b);
		bed_close(&b);
	}
}

/* More buffers than are told apart: what is beyond may be anything, nothing is forgotten. */
static void many_buffers(void **state)
{
	struct text t = {0};
	struct idempotence *x;
	struct bed b;

	(void)state;
	text_add(&t, ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(");
	for (u32 i = 0; i < 63; i++)
		text_add(&t, "%s.param .u64 p%u", i ? ", " : "", i);
	text_add(&t, ")\n{\n.reg .b32 %%r<4>; .reg .b64 %%rd<4>;\n");
	for (u32 i = 0; i < 63; i++)
		text_add(&t, "ld.param.u64 %%rd1, [p%u]; st.global.u32 [%%rd1], 1;\n", i);
	text_add(&t, "ld.param.u64 %%rd1, [p60]; ld.global.u32 %%r1, [%%rd1]; ret;\n}\n");
	bed_text(&b, t.s, "k", 1, 32);
	for (u32 i = 0; i < 63; i++)
		give_buffer(&b, 64);
	x = idempotence_make(&b.program, &b.launch);
	assert_string_equal(
		marks_text(x, &b.program),
		"121 overwrites buffer buffer, which is read at 127; 123 may write to any buffer; 125 may write to any buffer");
	idempotence_free(x);
	bed_fill(&b);
	bed_close(&b);
	text_free(&t);
}

#define LINE(pc, mask, rest) pc " " mask " " rest "\n"
#define ALL "ffffffff"
#define TRACE_HEAD \
	"-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n" \
	"-binary version = 70\n-shmem base_addr = 0x7f0000000000\n-local mem base_addr = 0x7f1000000000\n" \
	"-accelsim tracer version = 5\n-enable lineinfo = 0\n#traces\n"
#define BLOCK(n, insts) "#BEGIN_TB\n\nthread block = " n ",0,0\n\nwarp = 0\ninsts = " insts "\n"
#define BLOCK_END "\n#END_TB\n\n"

/* clang-format off */
/* Of the store at 2 the second block's hits a line that the first one reads later; those at 3 and 4 write lines that
 * nobody reads, to either side; 5 is shared memory; 6 and 7 are atomics, of which 7 goes to shared memory; 10 writes a
 * line that an atomic reads; 11 and 12 are shared memory by generic addresses. */
static const char stores_trace[] =
	TRACE_HEAD BLOCK("0", "11")
	/* 0 */ LINE("0000", ALL, "1 R1 IADD3 1 R1 0 0")
	/* 1 */ LINE("0010", ALL, "1 R2 LDG.E.SYS 1 R4 4 1 0x1000 4 0")
	/* 2 */ LINE("0020", ALL, "0 STG.E.SYS 2 R4 R2 4 1 0x2000 4 0")
	/* 3 */ LINE("0030", "00000001", "0 STG.E.SYS 2 R4 R2 4 1 0xffc 4 0")
	/* 4 */ LINE("0040", "00000001", "0 STG.E.SYS 2 R4 R2 4 1 0x1100 4 0")
	/* 5 */ LINE("0050", ALL, "0 STS 2 R4 R2 4 1 0x1000 4 0")
	/* 6 */ LINE("0060", "00000001", "0 RED.E.ADD.STRONG.GPU 2 R4 R2 4 1 0x4000 4 0")
	/* 8 */ LINE("0080", ALL, "1 R2 LDG.E.SYS 1 R4 4 1 0x3000 4 0")
	/* 10 */ LINE("00a0", "00000001", "0 STG.E.SYS 2 R4 R2 4 1 0x4040 4 0")
	/* 11 */ LINE("00b0", ALL, "1 R2 LD.E.SYS 1 R4 4 1 0x7f0000000100 4 0")
	/* 12 */ LINE("00c0", ALL, "0 ST.E.SYS 2 R4 R2 4 1 0x7f0000000100 4 0") BLOCK_END
	BLOCK("1", "3")
	/* 2 */ LINE("0020", "00000001", "0 STG.E.SYS 2 R4 R2 4 1 0x3040 4 0")
	/* 7 */ LINE("0070", "00000001", "1 R1 ATOMS.ADD 2 R4 R2 4 1 0x7f0000000010 4 0")
	/* 9 */ LINE("0090", ALL, "0 EXIT 0 0 0") BLOCK_END;
/* clang-format on */

/* The marks of a trace. */
static void assert_trace(const char *text, const char *want)
{
	char path[] = "/tmp/warpstep-idempotence-XXXXXX.traceg";
	FILE *f = fdopen(mkstemps(path, 7), "w");
	struct program p = {0};
	struct launch l = {0};
	struct idempotence *x;
	struct module *m;
	struct error e;

	assert_non_null(f);
	fwrite(text, 1, strlen(text), f);
	fclose(f);
	if (trace_load(path, false, &m, &e))
		fail_msg("%u: %s", e.line, e.message);
	unlink(path);
	l.kernel = m->kernel;
	x = idempotence_make(&p, &l);
	assert_string_equal(marks_text(x, &p), want);
	idempotence_free(x);
	module_free(m);
}

/* The store of lines that another block reads later trips, the reduction, and the store of a line that it reads. */
static void lines_of_a_trace(void **state)
{
	(void)state;
	assert_trace(stores_trace,
		     "2 overwrites a line that is read at 8; 6 atomic; 10 overwrites a line that is read at 6");
}

/* More lines than the table has at first: a load of 32 lines, 64 times; the stores write the last of them and one more.
 */
static void many_lines(void **state)
{
	struct text t = {0};

	(void)state;
	text_add(&t, "%s", TRACE_HEAD BLOCK("0", "66"));
	for (u32 i = 0; i < 64; i++)
		text_add(&t, "0000 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 0x%x 128 0\n", 0x100000 + i * 4096);
	text_add(&t, "0010 00000001 0 STG.E.SYS 2 R4 R2 4 1 0x13ff80 4 0\n");
	text_add(&t, "0020 00000001 0 STG.E.SYS 2 R4 R2 4 1 0x140000 4 0\n");
	text_add(&t, "%s", BLOCK_END);
	assert_trace(t.s, "1 overwrites a line that is read at 0");
	text_free(&t);
}

/* A synthetic kernel of 40 instructions, 10 iterations. */
static struct module *synthetic(u32 idempotent, u32 atomics)
{
	struct synth s;
	struct module *m;
	struct error e;

	synth_default(&s);
	s.body = 41;
	s.iterations = 10;
	s.idempotent = idempotent;
	s.mix[CLASS_INT] = 3;
	s.mix[CLASS_STORE] = 1;
	s.mix[CLASS_ATOMIC] = atomics;
	assert_int_equal(synth_make("t", &s, &m, &e), STATUS_OK);
	return m;
}

/* At 100 stores overwrite nothing; below, they do in the last part of the iterations, which the loop's branch opens;
 * atomics always trip. */
static void parts_of_a_synthetic_kernel(void **state)
{
	static const struct {
		u32 idempotent, atomics, from;
	} row[] = {{100, 0, 0}, {100, 1, 0}, {50, 0, 5}, {47, 1, 4}, {0, 0, 0}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct module *m = synthetic(row[i].idempotent, row[i].atomics);
		struct launch l = {.kernel = m->kernel};
		struct program p = {0};
		struct idempotence *x = idempotence_make(&p, &l);

		assert_int_equal(x->from, row[i].from);
		assert_int_equal(!x->marked, row[i].idempotent == 100 && !row[i].atomics);
		for (u32 pc = 0; pc < x->ninst; pc++) {
			const struct inst *in = &m->kernel->inst[pc];
			bool branch = in->op == OP_BRA;
			bool store = (in->class == CLASS_STORE || branch) && row[i].idempotent < 100;
			bool trips = store || in->class == CLASS_ATOMIC;

			assert_int_equal(idempotence_trips(x, pc, row[i].from), trips);
			assert_false(row[i].from && idempotence_trips(x, pc, row[i].from - 1));
			assert_int_equal(x->trip[pc].why == TRIP_DECLARED, store);
		}
		idempotence_free(x);
		module_free(m);
	}
}

/* --- random programs --- */

#define PROGRAMS 3000
#define STATEMENTS 24
#define STEPS 400
#define ROOM (1u << 16) /* bytes of a buffer; addresses begin in its middle and move by at most 56 bytes in a step */

/* Choices of one program: a seed and how many were made. */
struct dice {
	u64 seed, n;
};
static u32 roll(struct dice *d, u32 sides)
{
	return (u32)(mix64(mix64(d->seed) + d->n++) % sides);
}

/* A statement on addresses %rd6 to %rd10 and numbers %r3 to %r5 (offsets up to 56), a loop's counter in %r10. */
static void random_statement(struct dice *d, struct text *t, u32 at)
{
	u32 a = 6 + roll(d, 5), b = 6 + roll(d, 5), c = 6 + roll(d, 5), r = 3 + roll(d, 3), slot = roll(d, 3) * 8;
	u32 kind = roll(d, 15);
	const char *space = roll(d, 2) ? ".global" : "", *guard = roll(d, 4) ? "" : "@%p1 ";

	text_add(t, "L%u: ", at);
	/* every other program keeps its addresses whole and in registers */
	switch (kind >= 4 && kind < 8 && d->seed % 2 ? kind - 4 : kind) {
	case 0: text_add(t, "%smov.u64 %%rd%u, %%rd%u;", guard, a, b); break;
	case 1: text_add(t, "cvt.u64.u32 %%rd12, %%r%u; %sadd.s64 %%rd%u, %%rd12, %%rd%u;", r, guard, a, b); break;
	case 2: text_add(t, "cvt.u64.u32 %%rd12, %%r%u; %ssub.s64 %%rd%u, %%rd%u, %%rd12;", r, guard, a, b); break;
	case 3: text_add(t, "selp.b64 %%rd%u, %%rd%u, %%rd%u, %%p1;", a, b, c); break;
	case 4: text_add(t, "sub.s64 %%rd12, %%rd%u, %%rd%u; add.s64 %%rd%u, %%rd%u, %%rd12;", a, b, c, b); break;
	case 5: text_add(t, "%sst.local.u64 [lo+%u], %%rd%u;", guard, slot, a); break;
	case 6: text_add(t, "%sld.local.u64 %%rd%u, [lo+%u];", guard, a, slot); break;
	case 7: text_add(t, "mov.b64 {%%r7, %%r8}, %%rd%u; mov.b64 %%rd%u, {%%r7, %%r8};", a, b); break;
	case 8: text_add(t, "setp.gt.u32 %%p1, %%r%u, 24;", r); break;
	case 9: text_add(t, "add.s32 %%r%u, %%r%u, 24; and.b32 %%r%u, %%r%u, 56;", r, 3 + roll(d, 3), r, r); break;
	case 10: text_add(t, "mad.wide.u32 %%rd%u, %%r%u, 1, %%rd%u;", a, r, b); break;
	case 11: text_add(t, "atom%s.add.u32 %%r%u, [%%rd%u], 8; and.b32 %%r%u, %%r%u, 56;", space, r, a, r, r); break;
	case 12:
	case 13: text_add(t, "%sst%s.u32 [%%rd%u], %%r%u;", guard, space, a, r); break;
	default: text_add(t, "ld%s.u32 %%r%u, [%%rd%u]; and.b32 %%r%u, %%r%u, 56;", space, r, a, r, r);
	}
	if (!roll(d, 4))
		text_add(t, " add.s32 %%r10, %%r10, 1; setp.lt.u32 %%p2, %%r10, 20; @%%p2 bra L%u;",
			 roll(d, STATEMENTS));
	text_add(t, "\n");
}

/* The text of a program. */
static void random_text(struct dice *d, struct text *t)
{
	text_add(t, "%s",
		 HEAD "mov.u32 %r3, 0; mov.u32 %r4, 8; mov.u32 %r5, 32; mov.u32 %r10, 0; setp.ne.u32 %p1, %r1, 0;\n"
		      "st.local.u64 [lo], %rd4; st.local.u64 [lo+8], %rd4; st.local.u64 [lo+16], %rd4;\n");
	for (u32 i = 6; i <= 10; i++)
		text_add(t, "mov.u64 %%rd%u, %%rd%u;\n", i, 1 + roll(d, 3));
	for (u32 i = 0; i < STATEMENTS; i++)
		random_statement(d, t, i);
	text_add(t, TAIL);
}

/* What an access touched. */
struct access {
	u64 address;
	u32 pc, bytes;
};
struct accesses {
	struct access row[STEPS];
	u32 n;
};
/* What has been seen of all programs. */
struct seen {
	u32 overwrites, innocent; /* stores that overwrote what was read; stores that are not marked */
};

/* Run one thread until it ends, faults or has run long enough; collect its accesses to global memory. */
static void run_thread(struct bed *b, struct accesses *reads, struct accesses *writes)
{
	static u32 regs[(MAX_REGS + 1) * WARP_LANES], preds[MAX_PREDS];
	static u8 shared[4096], local[WARP_LANES * 4096];
	struct write_entry queue[2 * WARP_LANES];
	u32 nqueue = 0, pc = 0;
	u64 clock = 0;
	struct front_site site = {.clock = &clock, .sms = 1, .mhz = 1000};
	const struct kernel *k = b->launch.kernel;
	struct front_env env = {.launch = &b->launch,
				.program = &b->program,
				.store = &b->store,
				.regs = regs,
				.preds = preds,
				.shared = shared,
				.local = local,
				.queue = queue,
				.nqueue = &nqueue,
				.params = b->launch.param,
				.active = 1,
				.site = &site};

	memset(regs, 0, sizeof(regs));
	memset(local, 0, sizeof(local));
	reads->n = writes->n = 0;
	for (u32 i = 0; i < STEPS && pc < k->ninst; i++) {
		const struct inst *in = &k->inst[pc];
		struct front_result r = {.fault = FAULT_NONE};

		front_issue(&env, in, &r);
		if (r.fault != FAULT_NONE || r.exited)
			return;
		for (u32 q = 0; q < nqueue; q++)
			write_finish(&b->store, &queue[q], regs);
		nqueue = 0;
		if (r.mask & 1 && (in->op == OP_LD || in->op == OP_ST || in->op == OP_ATOM) &&
		    in->space != SPACE_LOCAL && in->space != SPACE_PARAM && r.address[0] >= STORE_GLOBAL_BASE) {
			struct access x = {r.address[0], pc, in->width};

			if (in->op != OP_ST)
				reads->row[reads->n++] = x;
			if (in->op != OP_LD)
				writes->row[writes->n++] = x;
		}
		pc = in->op == OP_BRA && r.taken ? in->target : pc + 1;
	}
}

/* No unmarked write touches what was read. */
static void judge(const struct idempotence *x, const struct accesses *reads, const struct accesses *writes,
		  const char *text, struct seen *seen)
{
	for (u32 i = 0; i < writes->n; i++) {
		const struct access *w = &writes->row[i];
		bool hits = false;

		for (u32 j = 0; j < reads->n; j++)
			hits |= w->address < reads->row[j].address + reads->row[j].bytes &&
				reads->row[j].address < w->address + w->bytes;
		if (hits && x->trip[w->pc].why == TRIP_NONE)
			fail_msg("instruction %u overwrites what is read and is not marked\n%s", w->pc, text);
		seen->overwrites += hits;
		seen->innocent += x->trip[w->pc].why == TRIP_NONE;
	}
}

/* Three buffers, of which two parameters may have the same; the executed stores that are not marked overwrite nothing.
 */
static void random_programs(void **state)
{
	static struct accesses reads, writes;
	struct seen seen = {0, 0};

	(void)state;
	for (u32 i = 0; i < PROGRAMS; i++) {
		struct dice d = {i, 0};
		struct text t = {0};
		struct idempotence *x;
		struct bed b;

		random_text(&d, &t);
		bed_text(&b, t.s, "k", 1, 1);
		for (u32 j = 0; j < 3; j++) {
			u64 at = add_buffer(&b, "buffer", ROOM) + ROOM / 2;

			give(&b, j && !roll(&d, 4) ? b.launch.param + b.launch.kernel->param[0].offset : (u8 *)&at, 8);
		}
		give(&b, &(u64){8}, 8);
		give_int(&b, (i32)roll(&d, 2));
		bed_fill(&b);
		launch_prepare(&b.launch);
		b.program.launch = &b.launch;
		b.program.nlaunch = 1;
		x = idempotence_make(&b.program, &b.launch);
		run_thread(&b, &reads, &writes);
		judge(x, &reads, &writes, t.s, &seen);
		idempotence_free(x);
		bed_close(&b);
		text_free(&t);
	}
	/* the programs do what they are made for */
	assert_true(seen.overwrites > PROGRAMS);
	assert_true(seen.innocent > PROGRAMS / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_of_ptx),	   cmocka_unit_test(fields),
		cmocka_unit_test(many_buffers),	   cmocka_unit_test(lines_of_a_trace),
		cmocka_unit_test(many_lines),	   cmocka_unit_test(parts_of_a_synthetic_kernel),
		cmocka_unit_test(random_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
