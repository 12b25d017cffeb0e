/* test_memories.c - registers, shared, local and global memory as values: of the focused warp and of others, by type,
 * in ranges, by address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "expr.h"
#include "session_bed.h"

#include <stdlib.h>
#include <string.h>

/* The value of an expression. */
static double value_of(const char *text)
{
	struct expr *x = NULL;
	struct value v = {0};
	struct error e = {0};

	if (expr_compile(&session, text, &x, &e) || expr_eval(&session, x, NULL, &v, &e))
		fail_msg("%s: %s", text, e.message);
	expr_free(x);
	return value_as_real(v);
}

/* What is said of an expression or a command that is refused. */
static void refused(const char *line, const char *said)
{
	struct error e = {0};

	assert_int_not_equal(command_run_line(&session, line, NULL, 0, &e), STATUS_OK);
	if (!strstr(e.message, said))
		fail_msg("%s: %s", line, e.message);
}

/* A text with a number in it. */
static const char *numbered(const char *format, u32 n, u32 k)
{
	static char out[128];

	snprintf(out, sizeof(out), format, n, k); // NOLINT(clang-diagnostic-format-nonliteral)
	return out;
}

/* Warp W of CTA C, lane L: words 100 t, 100 t + 1, 100 t as a real, the lower half of 100 t + 1; t its thread. */
static void of_lanes(void **state)
{
	(void)state;
	for (u32 lane = 0; lane < 32; lane += 7) {
		assert_true(value_of(numbered("local[%u][0]", lane, 0)) == 100.0 * lane);
		assert_true(value_of(numbered("local.s32[%u][1]", lane, 0)) == 100.0 * lane + 1);
		assert_true(value_of(numbered("local.f32[%u][2]", lane, 0)) == 100.0 * lane);
		assert_true(value_of(numbered("warp[0].local.u16[%u][6]", lane, 0)) == 100.0 * lane + 1);
		assert_true(value_of(numbered("local.u8[%u][1]", lane, 0)) == 100 * lane / 256);
	}
	refused("print local[0][4]", "no element of local memory 4 (valid: 0 to 3)");
	refused("print local.u64[0][2]", "0 to 1");
	refused("print local[32][0]", "no lane 32");
	refused("print local.f16[0][0]", "unknown element type 'f16' (types: u8 s8");
	refused("print warp[5].local[0][0]", "warp 5 of SM 0 has no local memory");
}

/* CTA C has 1000 C + t in its tile; any of its warps leads there. */
static void of_ctas(void **state)
{
	(void)state;
	for (u32 i = 0; i < 32; i += 5)
		for (u32 warp = 0; warp < 2; warp++)
			assert_true(value_of(numbered("warp[%u].shared[%u]", warp, i)) == 1000.0 * warp + i);
	assert_true(value_of("shared.u16[9]") == 0 && value_of("shared.u8[8]") == 2);
	must("focus warp 1");
	assert_true(value_of("shared[3]") == 1003 && value_of("local[3][0]") == 300);
	assert_true(value_of("reg[0][5]") == value_of("sm[0].warp[1].reg[0][5]"));
	must("focus warp 0");
	refused("print shared[32]", "no element of shared memory 32 (valid: 0 to 31)");
	refused("print shared[1.5]", "must be an integer");
}

/* A buffer of 1, 2, 3, ...: by its address, in ranges. */
static void by_address(void **state)
{
	(void)state;
	assert_true(value_of("global[n]") == 1 && value_of("global.u32[n + 28]") == 8);
	assert_true(value_of("global.u64[n + 8]") == 3 + 4 * 4294967296.0);
	refused("print global[n + 32]", "no buffer contains 4 bytes at 0x");
	refused("print global.u64[n + 28]", "no buffer contains 8 bytes at 0x");
	refused("print global[n - 1]", "no buffer");
	refused("print global[0.5]", "address must be an integer");
	must("print n[2..5]");
	must("print n[$warp + 1]@3");
	must("print reg[0][0..31]");
	refused("print n[5..2]", "a range has 1 to 1024 elements");
	refused("print n[0]@0", "a range has 1 to 1024 elements");
	refused("print n[6..8]", "index out of range: 'n[8]'");
	refused("print n[0..0.5]", "must be a whole number");
	must("x/8dw n");
	refused("x/9dw n", "no buffer contains 4 bytes");
	refused("x/8qw n", "x/NFU: a number");
	refused("x/0x n", "out of range (1 to 1024)");
	refused("x/2fh n", "format f needs size w or g");
	refused("x 1.5", "must be a whole number");
}

/* The machine's hash here. */
static u64 hash_at(u64 cycle)
{
	go(cycle);
	return sim_hash(&session.sim);
}

/* What is written is there, and nothing else is another; going back takes it away, going on brings it again, undo takes
 * it back for good. */
static void written(void **state)
{
	static const struct {
		const char *line, *back, *place;
		double was, is;
	} row[] = {
		{"set var n[4] = 77", "set var n[4] = 5", "n[4]", 5, 77},
		{"set var global.u16[n + 2] = 3", "set var global.u16[n + 2] = 0", "global.u16[n + 2]", 0, 3},
		{"set var shared[3] = 0 - 1", "set var shared[3] = 3", "shared.s32[3]", 3, -1},
		{"set var warp[1].shared.u8[4] = 200", "set var warp[1].shared.u8[4] = 233", "warp[1].shared.u8[4]",
		 233, 200},
		{"set var local.f32[7][2] = 2.5", "set var local.f32[7][2] = 700", "local.f32[7][2]", 700, 2.5},
		{"set var warp[1].local[31][0] = $warp + 9", "set var warp[1].local[31][0] = 3100",
		 "warp[1].local[31][0]", 3100, 9},
	};
	u64 before = hash_at(600);
	char line[64];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		u64 after;

		assert_true(value_of(row[i].place) == row[i].was);
		must(row[i].line);
		assert_true(value_of(row[i].place) == row[i].is);
		after = hash_at(600);
		assert_true(after != before);
		go(590);
		assert_true(value_of(row[i].place) == row[i].was);
		assert_true(hash_at(600) == after && value_of(row[i].place) == row[i].is);
		must(row[i].back);
		assert_true(hash_at(600) == before);
	}
	snprintf(line, sizeof(line), "set var reg[0][3] = %.0f", value_of("reg[0][3]"));
	must("set var reg[0][3] = 1.5");
	assert_true(value_of("reg[0][3]") == 0x3fc00000);
	must("set var reg[0][3] = -1");
	assert_true(value_of("reg[0][3]") == 0xffffffff);
	must(line);
	refused("set var n[8] = 1", "index out of range: 'n[8]'");
	refused("set var n[0] = 0.5", "type u32 needs a whole number");
	refused("set var shared.u8[0] = 300", "300 does not fit type u8");
	refused("set var n[0] == 5", "missing `= VALUE`");
	refused("set var n[0] + 1 = 5", "left-hand side must be");
	refused("set var n[0] =", "expected a value");
	refused("set var warp[3].reg[0][0] = 5", "has no registers to show");
	assert_true(hash_at(600) == before);
}

/* A watch of shared memory stops where it is written, in both directions. */
static void watched(void **state)
{
	(void)state;
	must("goto 0");
	bed_watched("warp[1].shared[7]", 1007);
}

static int open_session(void **state)
{
	int failed = bed_locals();

	(void)state;
	must("step 600");
	return failed;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(of_lanes), cmocka_unit_test(of_ctas),
					   cmocka_unit_test(by_address), cmocka_unit_test(written),
					   cmocka_unit_test(watched)};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
