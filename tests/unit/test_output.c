/*
 * test_output.c - printf and assert of device code: what each conversion gives, what is wrong with a call, and that
 * what is kept is a function of the position, however the machine gets there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "ops.h"
#include "session_bed.h"

#include "outputs.h"
#include "ptx.h"

#include <stdlib.h>
#include <string.h>

#define FORMAT STORE_GLOBAL_BASE
#define ARGUMENTS (STORE_GLOBAL_BASE + 8192)
#define STRING (STORE_GLOBAL_BASE + 12288)
#define BYTES 16384

/* One call in global memory alone. */
static struct {
	struct buffer buffer;
	struct program program;
	struct store store;
	u64 imm[2];
	struct kernel kernel;
	struct launch launch;
	struct front_env env;
	struct inst inst;
	struct print_result result;
	u32 at; /* bytes of arguments */
} bed;

static int open_bed(void **state)
{
	(void)state;
	bed.buffer = (struct buffer){.name = (char *)(uintptr_t) "b", .address = FORMAT, .bytes = BYTES};
	bed.program = (struct program){.buffer = &bed.buffer, .nbuffer = 1, .global_bytes = BYTES};
	store_init(&bed.store, 0, 0, BYTES);
	bed.kernel = (struct kernel){.imm = bed.imm, .nimm = 2};
	bed.launch = (struct launch){.kernel = &bed.kernel};
	bed.env = (struct front_env){.launch = &bed.launch, .program = &bed.program, .store = &bed.store};
	bed.inst = (struct inst){.op = OP_VPRINTF,
				 .nsrc = 2,
				 .src = {{.kind = OPERAND_IMM, .value = 0}, {.kind = OPERAND_IMM, .value = 1}}};
	return 0;
}

static int close_bed(void **state)
{
	(void)state;
	store_free(&bed.store);
	return 0;
}

/* A call is to come with this format. */
static void format(const char *s)
{
	store_poke(&bed.store, FORMAT, s, strlen(s) + 1);
	bed.imm[0] = FORMAT;
	bed.imm[1] = ARGUMENTS;
	bed.at = 0;
}

/* Its next argument. */
static void arg32(u32 n)
{
	store_poke(&bed.store, ARGUMENTS + bed.at, &n, 4);
	bed.at += 4;
}
static void arg64(u64 n)
{
	bed.at = round_up(bed.at, 8);
	store_poke(&bed.store, ARGUMENTS + bed.at, &n, 8);
	bed.at += 8;
}
static void arg_real(double d)
{
	u64 bits;

	memcpy(&bits, &d, 8);
	arg64(bits);
}

/* It prints this and gives that. */
static void prints(const char *text, i32 value, enum print_problem problem)
{
	front_print(&bed.env, &bed.inst, 3, &bed.result);
	assert_int_equal(bed.result.length, strlen(text));
	assert_memory_equal(bed.result.text, text, strlen(text));
	assert_int_equal(bed.result.value, value);
	assert_int_equal(bed.result.problem, problem);
}

/* Whole numbers of all sizes. */
static void integers(void **state)
{
	(void)state;
	format("%d %i|%u %o|%x %X %#x");
	arg32((u32)-5);
	arg32(7);
	arg32(0xffffffff);
	arg32(8);
	arg32(0xbeef);
	arg32(0xbeef);
	arg32(255);
	prints("-5 7|4294967295 10|beef BEEF 0xff", 7, PRINT_FINE);
	format("%lld %llu %ld %lx|%d");
	arg64((u64)-1);
	arg64(~0ULL);
	arg64(1ULL << 40);
	arg64(1ULL << 36);
	arg32(9);
	prints("-1 18446744073709551615 1099511627776 1000000000|9", 5, PRINT_FINE);
	format("%hd %hu %hhd %hhu");
	arg32(65537);
	arg32(65538);
	arg32(384 + 127);
	arg32(259);
	prints("1 2 -1 3", 4, PRINT_FINE);
	format("%5d|%-5d|%05d|%+d|% d|%.3d|%*d|%-*d|%*d");
	for (u32 i = 0; i < 6; i++)
		arg32(42);
	arg32(4);
	arg32(1);
	arg32(4);
	arg32(2);
	arg32((u32)-4);
	arg32(3);
	prints("   42|42   |00042|+42| 42|042|   1|2   |3   ", 12, PRINT_FINE);
}

/* Real numbers are doubles, aligned to 8 bytes. */
static void reals(void **state)
{
	(void)state;
	format("%d %f %5.2f|%e|%g|%.*f|%08.3f");
	arg32(1);
	arg_real(0.5);
	arg_real(3.14159);
	arg_real(12345.678);
	arg_real(1e-5);
	arg32(1);
	arg_real(2.25);
	arg_real(-1.5);
	prints("1 0.500000  3.14|1.234568e+04|1e-05|2.2|-001.500", 8, PRINT_FINE);
	format("%f %f %a");
	arg_real(1.0 / 0.0);
	arg_real(-0.0);
	arg_real(1.0);
	prints("inf -0.000000 0x1p+0", 3, PRINT_FINE);
}

/* Characters, strings and pointers. */
static void texts(void **state)
{
	(void)state;
	store_poke(&bed.store, STRING, "warp", 5);
	format("%c%c %s|%6s|%.2s|%s|%p %%|\n");
	arg32('o');
	arg32('k');
	arg64(STRING);
	arg64(STRING);
	arg64(STRING);
	arg64(0);
	arg64(0x1234);
	prints("ok warp|  warp|wa|(null)|0x1234 %|\n", 7, PRINT_FINE);
	format("none\n");
	prints("none\n", 0, PRINT_FINE);
	format("");
	prints("", 0, PRINT_FINE);
}

/* What is no conversion stands as it is and takes nothing. */
static void bad_formats(void **state)
{
	static const char *const bad[] = {"%y", "%", "100%", "%5", "%n", "%lf%lld%llld", "%ls", "%F", "%.", "% -"};
	static const char *const want[] = {"%y", "%", "100%", "%5", "%n", "1.0000002%llld", "%ls", "%F", "%.", "% -"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(bad); i++) {
		bool mixed = i == 5;

		format(bad[i]);
		if (mixed) {
			arg_real(1);
			arg64(2);
		} else {
			arg64(STRING);
		}
		if (i == 6) { /* %ls is a string as %s is */
			prints("warp", 1, PRINT_FINE);
			continue;
		}
		prints(want[i], mixed ? 2 : 0, PRINT_FORMAT);
	}
}

/* 32 arguments are taken; the conversion of one more stands as it is. */
static void many(void **state)
{
	struct text f = {0}, want = {0};

	(void)state;
	for (u32 i = 0; i < 34; i++) {
		text_add(&f, "%%d,");
		text_add(&want, i < 32 ? "%u," : "%%d,", i);
	}
	format(f.s);
	for (u32 i = 0; i < 34; i++)
		arg32(i);
	prints(want.s, 32, PRINT_MANY);
	text_free(&f);
	text_free(&want);
}

/* Memory that is not there. */
static void bad_memory(void **state)
{
	(void)state;
	format("%d");
	bed.imm[0] = 0;
	prints("", -1, PRINT_MEMORY);
	bed.imm[0] = 100;
	prints("", -2, PRINT_MEMORY);
	bed.imm[0] = FORMAT + BYTES - 2;
	store_poke(&bed.store, FORMAT + BYTES - 2, "ab", 2);
	prints("", -2, PRINT_MEMORY);
	format("a%sb");
	arg64(77);
	prints("a(unreadable: 0x4d)b", 1, PRINT_MEMORY);
	format("%d %d");
	bed.imm[1] = FORMAT + BYTES - 4;
	front_print(&bed.env, &bed.inst, 0, &bed.result);
	assert_int_equal(bed.result.value, -2);
	assert_int_equal(bed.result.problem, PRINT_MEMORY);
}

/* Text that is too long is cut, and that is told. */
static void long_text(void **state)
{
	(void)state;
	format("%9999d");
	arg32(1);
	front_print(&bed.env, &bed.inst, 0, &bed.result);
	assert_int_equal(bed.result.problem, PRINT_LONG);
	assert_true(bed.result.length < PRINT_BYTES);
	format("%3000d%3000d");
	arg32(1);
	arg32(2);
	front_print(&bed.env, &bed.inst, 0, &bed.result);
	assert_int_equal(bed.result.problem, PRINT_LONG);
	assert_int_equal(bed.result.length, PRINT_BYTES);
	assert_int_equal(bed.result.value, 2);
}

/* --- in the machine --- */

static int open_roots(void **state)
{
	static const char *const line[] = {"gpu volta",
					   "set gpu.sms 6",
					   "module scenarios/kernels/roots.ptx",
					   "buffer a f32[8192] random 1 1 100",
					   "launch roots grid 64 block 128 args a 7",
					   "step 0"};

	(void)state;
	return bed_session(line, ARRAY_LEN(line));
}

/* All that has been printed, a line each. */
static char *all_output(void)
{
	struct text t = {0};
	const struct output_record **list;
	u32 n;

	text_addn(&t, "", 0);
	list = outputs_sorted(&session.sim, &n);
	for (u32 i = 1; i < n; i++) { /* by cycle, SM, warp, lane */
		const struct output_record *a = list[i - 1], *b = list[i];
		u64 x[2] = {a->sm * 65536ull + a->warp, b->sm * 65536ull + b->warp};

		assert_true(a->cycle < b->cycle || (a->cycle == b->cycle && x[0] <= x[1]));
		assert_true(a->cycle < b->cycle || x[0] < x[1] || a->lane < b->lane);
	}
	for (u32 i = 0; i < n; i++) {
		text_add(&t, "%llu %u %u %u %u: ", (unsigned long long)list[i]->cycle, list[i]->sm, list[i]->warp,
			 list[i]->cta, list[i]->thread);
		output_lines(list[i], "", &t);
	}
	free(list);
	return t.s;
}

/* However the machine is run, the same is printed; every seventh thread prints once. */
static void same_however(void **state)
{
	static const char *const how[] = {"set engine.ahead off",   "set engine.threads 4", "set engine.order 7",
					  "set engine.major stage", "set engine.sleep off", "set stats.lines on"};
	char *first;
	u64 lost;

	(void)state;
	must("run");
	first = all_output();
	assert_int_equal(outputs_count(&session.sim, &lost), (8192 + 6) / 7);
	assert_int_equal(lost, 0);
	for (u32 i = 0; i < ARRAY_LEN(how); i++) {
		char *again;

		must(how[i]);
		must("restart");
		must("run");
		again = all_output();
		assert_string_equal(first, again);
		free(again);
	}
	free(first);
}

/* What has been printed up to a cycle is the same from either side; a replay doubles nothing. */
static void same_back(void **state)
{
	u64 end, cycle[4];
	char *text[4], *again;

	(void)state;
	must("restart");
	must("run");
	end = session_now(&session).cycle;
	must("goto 0");
	for (u32 i = 0; i < 4; i++) {
		cycle[i] = end * (i + 1) / 5;
		go(cycle[i]);
		text[i] = all_output();
	}
	for (u32 i = 4; i-- > 0;) {
		go(cycle[i]);
		again = all_output();
		assert_string_equal(text[i], again);
		free(again);
		free(text[i]);
	}
	go(0);
	assert_int_equal(outputs_count(&session.sim, NULL), 0);
}

/* The cycle of a line is that in which a stop at its instruction stops. */
static void cycle_of_line(void **state)
{
	const struct output_record **list;
	u32 n;

	(void)state;
	must("goto 0");
	must("break event output");
	must("continue");
	list = outputs_sorted(&session.sim, &n);
	assert_true(n > 0);
	for (u32 i = 0; i < n; i++)
		assert_int_equal(list[i]->cycle, session_now(&session).cycle);
	free(list);
	must("delete");
}

/* A changed input cuts what was printed behind it, and the assertion that fails names its thread. */
static void assertion(void **state)
{
	struct error e = {0};
	struct text said = {0};

	(void)state;
	must("goto 10");
	must("set var a[300] = -1");
	assert_int_equal(command_run_line(&session, "run", NULL, 0, &e), STATUS_CHECK);
	output_assertion(&session.sim, &said);
	assert_string_equal(said.s, "roots.cu:10: void roots(float *, int): block: [2,0,0], thread: [44,0,0] Assertion "
				    "`x >= 0` failed.");
	assert_non_null(strstr(e.message, said.s));
	text_free(&said);
	must("goto 10");
	assert_int_equal(outputs_count(&session.sim, NULL), 0);
	must("set var a[300] = 1");
	must("run");
	assert_int_equal(outputs_count(&session.sim, NULL), (8192 + 6) / 7);
}

/* Calls that are wrong are refused. */
static void bad_calls(void **state)
{
	static const char *const call[][2] = {
		{"call.uni (%r1), vprintf, (%rd1);", "'vprintf' has 2 arguments, not 1"},
		{"call.uni (%r1, %r2), vprintf, (%rd1, %rd2);", "'vprintf' has 1 result, not 2"},
		{"call.uni __assertfail, (%rd1);", "'__assertfail' has 4 arguments, not 1"},
		{"call.uni (%r1), vprintf, (%rd1, %r2);", "'%r2' has 32 bits, but 'vprintf' takes 64 here"},
		{"vprintf %r1, %rd1, %rd2;", "'vprintf'"},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(call); i++) {
		struct text t = {0};
		struct error e = {0};
		struct module *m = NULL;

		text_add(&t,
			 ".version 7.5\n.target sm_75\n.address_size 64\n.entry k()\n{\n.reg .b32 %%r<4>;\n.reg .b64 "
			 "%%rd<4>;\n%s\nexit;\n}\n",
			 call[i][0]);
		assert_int_equal(ptx_load_text("k.ptx", t.s, t.len, &m, &e), STATUS_USAGE);
		if (!strstr(e.message, call[i][1]))
			fail_msg("%s: %s", call[i][0], e.message);
		text_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest one[] = {
		cmocka_unit_test(integers),    cmocka_unit_test(reals),	    cmocka_unit_test(texts),
		cmocka_unit_test(bad_formats), cmocka_unit_test(many),	    cmocka_unit_test(bad_memory),
		cmocka_unit_test(long_text),   cmocka_unit_test(bad_calls),
	};
	const struct CMUnitTest all[] = {
		cmocka_unit_test(same_however),
		cmocka_unit_test(same_back),
		cmocka_unit_test(cycle_of_line),
		cmocka_unit_test(assertion),
	};
	int bad = cmocka_run_group_tests(one, open_bed, close_bed);

	return bad + cmocka_run_group_tests(all, open_roots, close_session);
}
