/*
 * test_points.c - program points: what they are, their scores and the priority of every instruction, by hand for small
 * graphs; merging, step by step; the same of PTX, of a synthetic kernel and of a trace with branches.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "ops.h"
#include "points.h"
#include "ptx.h"
#include "synth.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CODE 64
#define FAR 255

/* A kernel written as words: . an instruction, L a load, B3 a branch to 3 that may fall through, J3 one that does not.
 */
struct code {
	struct kernel k;
	struct inst inst[MAX_CODE];
};

static void write_code(struct code *c, const char *text)
{
	*c = (struct code){.k = {.inst = c->inst}};
	for (; *text; text++) {
		struct inst *in = &c->inst[c->k.ninst];

		if (*text == ' ')
			continue;
		*in = (struct inst){.op = OP_NOP, .class = CLASS_INT, .target = c->k.ninst + 1};
		if (*text == 'L')
			*in = (struct inst){.op = OP_LD, .class = CLASS_LOAD, .target = c->k.ninst + 1};
		if (*text == 'B' || *text == 'J') {
			in->op = OP_BRA;
			in->guard.kind = *text == 'B' ? OPERAND_PRED : OPERAND_NONE;
			in->target = (u32)strtoul(text + 1, (char **)(uintptr_t)&text, 10);
			text--;
		}
		c->k.ninst++;
	}
}

/* The points as "L2 B4:1 L7", a load's score only where a merge left one; > before a branch whose way is the target's.
 */
static const char *points_text(const struct points *p)
{
	static char out[400];
	size_t n = 0;

	out[0] = '\0';
	for (u32 i = 0; i < p->n; i++) {
		const struct point *x = &p->point[i];
		const char *gap = i ? " " : "", *way = p->way[x->pc] ? ">" : "";

		if (x->kind == POINT_LOAD && !x->score)
			n += (size_t)snprintf(out + n, sizeof(out) - n, "%sL%u", gap, x->pc);
		else
			n += (size_t)snprintf(out + n, sizeof(out) - n, "%s%s%c%u:%u", gap, way, "LBJ"[x->kind],
					      x -> pc, x -> score);
	}
	return out;
}

/* What every instruction's priority is, the one behind the last included. */
static void assert_priorities(const struct points *p, const u32 *want)
{
	for (u32 pc = 0; pc <= p->ninst; pc++) {
		if (p->priority[pc] != want[pc])
			fail_msg("instruction %u: priority %u, not %u", pc, p->priority[pc], want[pc]);
		assert_int_equal(points_priority(p, pc), want[pc]);
	}
}

/* Graphs of which all can be found by hand. */
static const struct {
	const char *what, *code, *points;
	u32 useless, priority[MAX_CODE];
} graph[] = {
	{"a straight line with two loads", ". . L . . . L .", "L2 L6", 0, {2, 1, 0, 3, 2, 1, 0, FAR, FAR}},
	{"a loop with a load in its body, and one behind it",
	 ". L . . B1 . . L .",
	 "L1 >B4:1 L7",
	 0,
	 {1, 0, 3, 2, 1, 2, 1, 0, FAR, FAR}},
	{"a loop without loads before a load", ". . . B1 . L .", "L5", 1, {5, 4, 3, 2, 1, 0, FAR, FAR}},
	{"a branch around code with a load further on", "B4 . . L L", ">B0:1 L3 L4", 0, {1, 2, 1, 0, 0, FAR}},
	{"a branch around code with a load nearer by", "B4 . L . . . L", "L2 L6", 1, {2, 1, 0, 3, 2, 1, 0, FAR}},
	{"both ways are equal: it falls through", "B3 . L . L", "L2 L4", 1, {2, 1, 0, 1, 0, FAR}},
	{"a jump over a load to a later one", ". J5 L . . . L", ">J1:2 L2 L6", 0, {3, 2, 0, 3, 2, 1, 0, FAR}},
	{"a jump that says what falling through would", "J2 . L", ">J0:1 L2", 0, {1, 1, 0, FAR}},
	{"a loop that is left in its middle",
	 ". L . B6 . J1 . L",
	 "L1 >B3:2 >J5:1 L7",
	 0,
	 {1, 0, 3, 2, 2, 1, 1, 0, FAR}},
	{"a loop for ever before a load", ". . J0 L", ">J2:255 L3", 0, {FAR, FAR, FAR, 0, FAR}},
	{"loops within loops, the load outside", ". . B1 . B0 . . L", "L7", 2, {7, 6, 5, 4, 3, 2, 1, 0, FAR}},
	{"loops within loops, the load inside the outer one",
	 "L . B1 . B0 .",
	 "L0 >B4:1",
	 1,
	 {0, 4, 3, 2, 1, FAR, FAR}},
	{"a jump back that is as far as falling through would be stays",
	 ". L . J0 . L",
	 "L1 >J3:2 L5",
	 0,
	 {1, 0, 3, 2, 1, 0, FAR}},
	{"a jump that says nothing else than falling through would", "J3 . L . L", "L2 L4", 1, {2, 1, 0, 1, 0, FAR}},
	/* algorithm 1, lines 11 to 24: the score of the jump depends on that of a branch that comes later in a turn of
	 * the loop; from the jump it is itself, 0, 1 (taken) and 4 before the load */
	{"a jump to before a branch: scores sink in several turns",
	 ". B4 . J0 . L",
	 ">B1:2 >J3:4 L5",
	 0,
	 {3, 2, 5, 4, 1, 0, FAR}},
	{"no load at all", ". B0 . J0", ">J3:255", 1, {FAR, FAR, FAR, FAR, FAR}},
	{"a load behind the last branch only by way of it",
	 ". B0 L J5 . . L",
	 "L2 >J3:2 L6",
	 1,
	 {2, 1, 0, 2, 2, 1, 0, FAR}},
};

static void scores_are_those_found_by_hand(void **state)
{
	(void)state;
	for (u32 i = 0; i < sizeof(graph) / sizeof(graph[0]); i++) {
		struct code c;
		struct points *p;

		write_code(&c, graph[i].code);
		p = points_make(&c.k, 1000, 8, true);
		if (strcmp(points_text(p), graph[i].points) != 0 || p->useless != graph[i].useless)
			fail_msg("%s: %s, %u useless", graph[i].what, points_text(p), p->useless);
		assert_priorities(p, graph[i].priority);
		assert_int_equal(p->nmerge, 0);
		points_free(p);
	}
}

/* Of branches those that go backward are considered alone: elf.branches backward. */
static void branches_that_go_forward_are_left_out(void **state)
{
	static const struct {
		const char *code, *points;
		u32 branches, priority[MAX_CODE];
	} rows[] = {
		{"B4 . . L L", "L3 L4", 0, {3, 2, 1, 0, 0, FAR}},
		{". L . B6 . J1 . L", "L1 >J5:1 L7", 1, {1, 0, 4, 3, 2, 1, 1, 0, FAR}},
		/* to itself is backward */
		{". J1 L", ">J1:255 L2", 1, {FAR, FAR, 0, FAR}},
		{". J5 L . . . L", "L2 L6", 0, {2, 1, 0, 3, 2, 1, 0, FAR}},
	};
	struct config config = {.elf_points = 1000, .elf_bits = 8, .elf_branches = BRANCHES_BACKWARD};

	(void)state;
	for (u32 i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct code c;
		struct points *p;

		write_code(&c, rows[i].code);
		p = points_under(&c.k, &config);
		assert_string_equal(points_text(p), rows[i].points);
		assert_int_equal(p->branches, rows[i].branches);
		assert_priorities(p, rows[i].priority);
		points_free(p);
	}
}

/* Five points into four, three, ..., one: the nearest two first, of equals the first; distances as they are. */
static void five_points_become_four_and_fewer(void **state)
{
	static const char code[] = ". . L . . L L . . . L . . . . L .";
	static const struct {
		u32 limit;
		const char *points;
		u32 priority[MAX_CODE];
	} rows[] = {
		{5, "L2 L5 L6 L10 L15", {2, 1, 0, 2, 1, 0, 0, 3, 2, 1, 0, 4, 3, 2, 1, 0, FAR, FAR}},
		{4, "L2 L6:1 L10 L15", {2, 1, 0, 2, 1, 0, 0, 3, 2, 1, 0, 4, 3, 2, 1, 0, FAR, FAR}},
		{3, "L6:4 L10 L15", {2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 4, 3, 2, 1, 0, FAR, FAR}},
		{2, "L10:4 L15", {6, 5, 4, 3, 2, 1, 0, 3, 2, 1, 0, 4, 3, 2, 1, 0, FAR, FAR}},
		{1, "L15:5", {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 4, 3, 2, 1, 0, FAR, FAR}},
	};
	struct code c;

	(void)state;
	write_code(&c, code);
	for (u32 i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct points *p = points_make(&c.k, rows[i].limit, 8, true);

		assert_string_equal(points_text(p), rows[i].points);
		assert_int_equal(p->nmerge, 5 - rows[i].limit);
		assert_priorities(p, rows[i].priority);
		points_free(p);
	}
}

/* A branch that goes into the load behind it: its score is taken off, once. */
static void a_branch_goes_into_a_load(void **state)
{
	static const u32 want[] = {0, 3, 2, 1, 0, 2, 1, 0, FAR};
	struct code c;
	struct points *p;

	(void)state;
	write_code(&c, "L . . B0 . . . L");
	p = points_make(&c.k, 2, 8, true);
	assert_string_equal(points_text(p), "L0 L7:3");
	assert_int_equal(p->merge->gone, 3);
	assert_int_equal(p->merge->into, 7);
	assert_int_equal(p->merge->distance, 4);
	assert_priorities(p, want);
	points_free(p);
}

/* No load has a point before it: the branch of the highest score is dropped, one that never falls through last. */
static void a_branch_is_dropped(void **state)
{
	struct code c;
	struct points *p;

	(void)state;
	write_code(&c, "L . B0 . B0 . J0");
	p = points_make(&c.k, 3, 8, true);
	assert_string_equal(points_text(p), "L0 >B4:1 >J6:1");
	assert_int_equal(p->dropped, 1);
	assert_int_equal(p->merge->into, ~0u);
	points_free(p);
	p = points_make(&c.k, 1, 8, true);
	assert_string_equal(points_text(p), "L0");
	assert_int_equal(p->dropped, 3);
	points_free(p);
	/* of two the one from which it is farther: 1 and 4 */
	write_code(&c, "L . . B0 . . . B1");
	p = points_make(&c.k, 2, 8, true);
	assert_string_equal(points_text(p), "L0 >B3:1");
	assert_int_equal(p->merge->gone, 7);
	points_free(p);
	/* the load behind a jump is not where its warps go */
	write_code(&c, "L . J0 L . . . L");
	p = points_make(&c.k, 3, 8, true);
	assert_string_equal(points_text(p), "L0 >J2:1 L7:4");
	points_free(p);
}

/* Fewer bits: distances saturate earlier, and branches that lead nowhere near say nothing. */
static void few_bits_saturate(void **state)
{
	static const u32 want[] = {3, 3, 3, 2, 1, 0, 3, 3, 3, 3, 3};
	struct code c;
	struct points *p;

	(void)state;
	write_code(&c, ". . . . . L . . . B0");
	p = points_make(&c.k, 32, 2, true);
	assert_string_equal(points_text(p), "L5");
	assert_int_equal(p->most, 3);
	assert_priorities(p, want);
	points_free(p);
	p = points_make(&c.k, 32, 8, true);
	assert_string_equal(points_text(p), "L5 >B9:6");
	points_free(p);
	/* so does the score of a load: "the maximum score is limited by the bitwidth of the score field" (3.3.1). Of a
	 * distance of at least 3 to the load at 10 it is taken off. */
	write_code(&c, "L . . . . . . . . . L");
	p = points_make(&c.k, 1, 2, true);
	assert_string_equal(points_text(p), "L10:3");
	assert_priorities(p, (u32[]){3, 3, 3, 3, 3, 2, 1, 0, 2, 1, 0, 3});
	points_free(p);
}

static void no_room_is_no_points(void **state)
{
	struct code c;
	struct points *p;

	(void)state;
	write_code(&c, ". L B0");
	p = points_make(&c.k, 0, 8, true);
	assert_int_equal(p->n, 0);
	for (u32 pc = 0; pc <= 3; pc++)
		assert_int_equal(p->priority[pc], FAR);
	points_free(p);
}

/* Which loads count: global, local, generic; not shared, constant, parameter, not atomics. */
static void loads_of_ptx(void **state)
{
	static const char text[] =
		".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
		".reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<4>; .shared .align 4 .b8 sh[64]; .local .align 4 .b8 lo[64];\n"
		".reg .b64 %rl;\n"
		"ld.param.u64 %rd1, [a];\ncvta.to.global.u64 %rd2, %rd1;\nld.shared.u32 %r1, [sh];\n"
		"L:\nld.global.u32 %r2, [%rd2];\nld.u32 %r3, [%rd1];\natom.global.add.u32 %r4, [%rd2], 1;\n"
		"mov.u64 %rl, lo;\nst.local.u32 [%rl], %r4;\nld.local.u32 %r5, [%rl];\n"
		"setp.eq.u32 %p1, %r5, %r4;\n@%p1 bra L;\nst.global.u32 [%rd2], %r2;\nret;\n}\n";
	struct module *m;
	struct error e = {0};
	struct points *p;
	u32 n = 0;

	(void)state;
	if (ptx_load_text("t.ptx", text, strlen(text), &m, &e))
		fail_msg("%u:%u: %s", e.line, e.column, e.message);
	p = points_make(m->kernel, 32, 8, true);
	assert_int_equal(p->loads, 3);
	assert_int_equal(p->branches, 1);
	for (u32 i = 0; i < p->n; i++)
		n += p->point[i].kind == POINT_LOAD && m->kernel->inst[p->point[i].pc].op == OP_LD;
	assert_int_equal(n, 3);
	assert_int_equal(p->point[p->n - 1].kind, POINT_BRANCH);
	assert_int_equal(p->way[p->point[p->n - 1].pc], 1);
	points_free(p);
	module_free(m);
}

/* A synthetic kernel: a body with loads, and the branch back to its beginning. */
static void a_synthetic_loop(void **state)
{
	struct synth s;
	struct module *m;
	struct error e;
	struct points *p;
	u32 first = 0;

	(void)state;
	synth_default(&s);
	s.body = 12;
	s.iterations = 4;
	memset(s.mix, 0, sizeof(s.mix));
	s.mix[CLASS_INT] = 3;
	s.mix[CLASS_LOAD] = 1;
	assert_int_equal(synth_make("t", &s, &m, &e), STATUS_OK);
	p = points_make(m->kernel, 32, 8, true);
	while (m->kernel->inst[first].class != CLASS_LOAD)
		first++;
	assert_true(p->loads >= 2);
	assert_int_equal(p->branches, 1);
	assert_int_equal(p->point[p->n - 1].kind, POINT_BRANCH);
	assert_int_equal(p->point[p->n - 1].score, first + 1);
	points_free(p);
	module_free(m);
}

#define LINE(pc, mask, rest) pc " " mask " " rest "\n"
#define ALL "ffffffff"

#define TRACE_HEAD(threads) \
	"-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (" threads ",1,1)\n-shmem = 0\n-nregs = 16\n" \
	"-binary version = 70\n-shmem base_addr = 0x7f0000000000\n-local mem base_addr = 0x7f1000000000\n" \
	"-accelsim tracer version = 5\n-enable lineinfo = 0\n#traces\n#BEGIN_TB\n\nthread block = 0,0,0\n\n"
#define TRACE_END "\n#END_TB\n"

/* clang-format off */
/* A loop of a load and a stretch that some lanes skip: targets are where the lanes of a record went. */
static const char loop_trace[] =
	TRACE_HEAD("32") "warp = 0\ninsts = 17\n"
	/* 0 */ LINE("0000", ALL, "1 R1 IADD3 1 R1 0 0")
	/* 1 */ LINE("0010", ALL, "1 R2 LDG.E.SYS 1 R4 4 1 0x100 4 0")
	/* 2 */ LINE("0020", ALL, "0 BSSY 0 0 0")
	/* 3: the upper lanes go to 5; the lower ones run first */
	LINE("0030", "ffff0000", "0 BRA 0 0 0") LINE("0040", "0000ffff", "1 R1 IADD3 1 R1 0 0")
	/* 5: BSYNC; the lower lanes wait, the upper ones come */
	LINE("0050", "0000ffff", "0 BSYNC 0 0 0") LINE("0050", "ffff0000", "0 BSYNC 0 0 0")
	/* 6 */ LINE("0060", ALL, "1 R1 IADD3 1 R1 0 0")
	/* 7: back to 1 */ LINE("0070", ALL, "0 BRA 0 0 0")
	LINE("0010", ALL, "1 R2 LDG.E.SYS 1 R4 4 1 0x100 4 0") LINE("0020", ALL, "0 BSSY 0 0 0")
	/* 3: all go to 5 */ LINE("0030", ALL, "0 BRA 0 0 0") LINE("0050", ALL, "0 BSYNC 0 0 0")
	LINE("0060", ALL, "1 R1 IADD3 1 R1 0 0")
	/* 7: nobody goes back */ LINE("0070", "00000000", "0 BRA 0 0 0")
	LINE("0080", ALL, "1 R1 IADD3 1 R1 0 0") LINE("0090", ALL, "0 EXIT 0 0 0") TRACE_END;
/* Two ways that meet nowhere: the lower lanes go to 4 and end in 5, the upper ones end in 3; another warp goes to 5. */
static const char parting_trace[] =
	TRACE_HEAD("64") "warp = 0\ninsts = 6\n"
	LINE("0000", ALL, "1 R1 IADD3 1 R1 0 0") LINE("0008", "0000ffff", "0 BRA 0 0 0") LINE("0030", "0000ffff", "1 R1 IADD3 1 R1 0 0")
	LINE("0040", "0000ffff", "0 EXIT 0 0 0")
	LINE("0010", "ffff0000", "1 R1 IADD3 1 R1 0 0") LINE("0020", "ffff0000", "0 EXIT 0 0 0")
	"warp = 1\ninsts = 4\n"
	LINE("0008", ALL, "0 BRA 0 0 0") LINE("0040", "0000ffff", "0 EXIT 0 0 0")
	LINE("0010", "ffff0000", "1 R1 IADD3 1 R1 0 0") LINE("0020", "ffff0000", "0 EXIT 0 0 0") TRACE_END;
/* clang-format on */

static struct module *load_trace(const char *text)
{
	char path[] = "/tmp/warpstep-points-XXXXXX.traceg";
	FILE *f = fdopen(mkstemps(path, 7), "w");
	struct module *m;
	struct error e = {0};

	assert_non_null(f);
	fwrite(text, 1, strlen(text), f);
	fclose(f);
	if (trace_load(path, false, &m, &e))
		fail_msg("%u: %s", e.line, e.message);
	unlink(path);
	return m;
}

/* The first target is the branch's; ways that end apart meet nowhere. */
static void ways_of_a_trace_that_part(void **state)
{
	struct module *m = load_trace(parting_trace);
	const struct kernel *k = m->kernel;

	(void)state;
	assert_int_equal(k->ninst, 6);
	assert_int_equal(k->inst[1].target, 4);
	assert_true(inst_falls(k, &k->inst[1]));
	assert_int_equal(k->inst[1].reconverge, 6);
	assert_false(inst_falls(k, &k->inst[3]));
	assert_int_equal(k->inst[2].target, 3);
	module_free(m);
}

static void branches_of_a_trace(void **state)
{
	struct module *m = load_trace(loop_trace);
	const struct kernel *k = m->kernel;
	struct points *p = points_make(k, 32, 8, true);
	static const u32 target[] = {1, 2, 3, 5, 5, 6, 7, 1, 9, 10},
			 priority[] = {1, 0, 5, 4, 4, 3, 2, 1, FAR, FAR, FAR};

	(void)state;
	assert_int_equal(k->ninst, 10);
	for (u32 i = 0; i < k->ninst; i++)
		if (k->inst[i].target != target[i])
			fail_msg("instruction %u goes to %u, not %u", i, k->inst[i].target, target[i]);
	/* the two ways of 3 meet at 5, those of the loop behind it; nothing else parts */
	assert_int_equal(k->inst[3].reconverge, 5);
	assert_int_equal(k->inst[7].reconverge, 8);
	assert_int_equal(k->inst[0].reconverge, 1);
	assert_false(inst_falls(k, &k->inst[9]));
	assert_true(inst_falls(k, &k->inst[3]));
	assert_true(inst_falls(k, &k->inst[7]));
	assert_string_equal(points_text(p), "L1 >B3:4 >B7:1");
	assert_priorities(p, priority);
	points_free(p);
	module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scores_are_those_found_by_hand),
		cmocka_unit_test(branches_that_go_forward_are_left_out),
		cmocka_unit_test(five_points_become_four_and_fewer),
		cmocka_unit_test(a_branch_goes_into_a_load),
		cmocka_unit_test(a_branch_is_dropped),
		cmocka_unit_test(few_bits_saturate),
		cmocka_unit_test(no_room_is_no_points),
		cmocka_unit_test(loads_of_ptx),
		cmocka_unit_test(a_synthetic_loop),
		cmocka_unit_test(branches_of_a_trace),
		cmocka_unit_test(ways_of_a_trace_that_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
