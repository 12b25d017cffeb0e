/* test_expr.c - expressions: precedence, values, names, and errors with their column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "events.h"
#include "expr.h"
#include "lang.h"
#include "session_bed.h"

#include <stdlib.h>
#include <string.h>

/* Compile and evaluate; the status of whichever failed. */
static enum status value_of(const char *text, struct value *v, struct error *e)
{
	struct expr *x;
	enum status st;

	*e = (struct error){0};
	st = expr_compile(&session, text, &x, e);
	if (st)
		return st;
	st = expr_eval(&session, x, NULL, v, e);
	expr_free(x);
	return st;
}

struct row {
	const char *text;
	i64 want;
};

/* Whole numbers, as C gives them. */
static void whole_numbers(void **state)
{
	/* clang-format off */
	static const struct row row[] = {
		{"1 + 2 * 3", 7}, {"(1 + 2) * 3", 9}, {"10 - 4 - 3", 3}, {"100 / 10 / 5", 2}, {"7 % 4 * 2", 6},
		{"-7 / 2", -3}, {"-7 % 2", -1}, {"2 + 3 << 1", 10}, {"1 << 2 + 3", 32}, {"1 << 63 >> 63", -1},
		{"5 & 3 == 3", 5 & (3 == 3)}, {"1 | 2 ^ 3 & 1", 1 | (2 ^ (3 & 1))}, {"1 < 2 == 1", 1}, {"3 > 2 > 1", 0},
		{"!0 + !5", 1}, {"~0", -1}, {"- - 5", 5}, {"-+-5", 5}, {"!!7", 1}, {"0x1F", 31}, {"0xffffffffffffffff", -1},
		{"0 || 0", 0}, {"0 || 3", 1}, {"2 && 3", 1}, {"2 && 0", 0}, {"1 || 1 / 0", 1}, {"0 && 1 / 0", 0},
		{"1 ? 2 : 3", 2}, {"0 ? 2 : 3", 3}, {"0 ? 1 : 0 ? 2 : 3", 3}, {"1 ? 0 ? 5 : 6 : 7", 6}, {"1 ? 2 : 1 / 0", 2},
		{"1 || 0 && 0", 1}, {"1 == 1 && 2 != 3", 1}, {"1 <= 1", 1}, {"2 >= 3", 0}, {"9223372036854775807 + 1", INT64_MIN},
		{"(1 << 63) / -1", INT64_MIN}, {"(1 << 63) % -1", 0}, {"10", 10}, {"010", 10},
		{"1.5 < 2", 1}, {"1.0 == 1", 1}, {"2 > 1.999", 1}, {"((((1))))", 1}, {"  1\t+ 1  ", 2},
		{"status.long != outcome.long", 1}, {"event.issue", EVENT_ISSUE}, {"class.sfu", CLASS_SFU}, {"stage.seal", STAGE_SEAL},
		{"pipeline", SLOT_PIPELINE}, {"long", WARP_LONG}, {"l1d.line", 128}, {"$sm", 0}, {"$_hits", 0},
	};
	/* clang-format on */
	struct value v;
	struct error e;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		if (value_of(row[i].text, &v, &e) || v.kind != VALUE_INT || v.i != row[i].want)
			fail_msg("%s: got %lld (%s)", row[i].text, (long long)v.i, e.message);
	}
}

/* Unsigned numbers: literals above 2^63 - 1, and whatever is calculated with them, as in C. */
static void unsigned_numbers(void **state)
{
	static const struct {
		const char *text, *want, *hex;
	} row[] = {
		{"9223372036854775808", "9223372036854775808", "0x8000000000000000"},
		{"0xffffffffffffffff", "18446744073709551615", "0xffffffffffffffff"},
		{"18446744073709551615 / 2", "9223372036854775807", "0x7fffffffffffffff"},
		{"0xffffffffffffffff % 10", "5", "0x5"},
		{"0xffffffffffffffff > 1", "1", "0x1"},
		{"1 < 0xffffffffffffffff", "1", "0x1"},
		{"0xffffffffffffffff >> 60", "15", "0xf"},
		{"0x8000000000000000 << 1", "0", "0x0"},
		{"0xffffffffffffffff + 2", "1", "0x1"},
		{"0xfffffffffffffffe * 1", "18446744073709551614", "0xfffffffffffffffe"},
		{"~0x8000000000000000", "9223372036854775807", "0x7fffffffffffffff"},
		{"-9223372036854775808", "-9223372036854775808", "0x8000000000000000"},
		{"-9223372036854775809", "9223372036854775807", "0x7fffffffffffffff"},
		{"0xffffffffffffffff == -1", "1", "0x1"},
		{"0xffffffffffffffff != -1", "0", "0x0"},
		{"0xffffffffffffffff * 1.0", "1.84467441e+19", "1.84467441e+19"},
		{"0xffffffffffffffff | 1", "18446744073709551615", "0xffffffffffffffff"},
		{"1 ? 0xffffffffffffffff : 0", "18446744073709551615", "0xffffffffffffffff"},
		{"1e19", "1e+19", "0x8ac7230489e80000"},
		{"-1e18", "-1e+18", "0xf21f494c589c0000"},
		{"1e30", "1e+30", "1e+30"},
	};
	struct text plain = {0}, hex = {0};
	struct value v;
	struct error e;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		if (value_of(row[i].text, &v, &e))
			fail_msg("%s: %s", row[i].text, e.message);
		text_clear(&plain);
		text_clear(&hex);
		value_format(v, 0, &plain);
		value_format(v, 'x', &hex);
		if (strcmp(plain.s, row[i].want) || strcmp(hex.s, row[i].hex))
			fail_msg("%s: %s %s", row[i].text, plain.s, hex.s);
	}
	text_free(&plain);
	text_free(&hex);
}

/* Real numbers: as soon as one side is real. */
static void real_numbers(void **state)
{
	static const struct {
		const char *text;
		double want;
	} row[] = {
		{"1 / 2.0", 0.5}, {"1.5 * 2", 3}, {".5 + .25", 0.75},	{"1e3", 1000},	       {"2.5e-1", 0.25},
		{"7.0 / 2", 3.5}, {"-1.5", -1.5}, {"1 ? 1.5 : 2", 1.5}, {"1 + 2 * 0.25", 1.5}, {"3. + 1", 4},
	};
	struct value v;
	struct error e;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (value_of(row[i].text, &v, &e) || v.kind != VALUE_REAL || v.r != row[i].want)
			fail_msg("%s: got %g (%s)", row[i].text, v.r, e.message);
}

/* What is refused, in which column, and with which words in the message. */
static void errors(void **state)
{
	static const struct {
		const char *text;
		u32 column;
		const char *words;
	} row[] = {
		{"", 1, "unexpected end of expression: expected a value"},
		{"1 +", 4, "expected a value after '+'"},
		{"(1 + 2", 7, "expected ')' for the '(' in column 1"},
		{"1 2", 3, "an operator or the end"},
		{"1 = 2", 3, "an operator"},
		{"1 ? 2", 6, "expected ':' for the '?'"},
		{"* 3", 1, "unexpected '*' in expression: expected a value"},
		{"c[1", 4, "expected ']' for the '[' in column 2 after '1'"},
		{"18446744073709551616", 1, "too large"},
		{"1e400", 1, "1.79769e+308 for real numbers"},
		{"2 * -1e999", 6, "too large"},
		{"0x10000000000000000", 1, "too large"},
		{"12abc", 1, "not a number"},
		{"1 / 0", 3, "division by zero"},
		{"5 % 0", 3, "division by zero"},
		{"1.5 / 0", 5, "division by zero"},
		{"1 << 64", 3, "shift count 64"},
		{"1 >> -1", 3, "shift count -1"},
		{"1.5 % 2", 5, "needs integers"},
		{"~1.5", 1, "needs an integer"},
		{"slots.isued", 1, "did you mean 'slots.issued'"},
		{"1 + nothing", 5, "unknown name 'nothing'"},
		{"$nope", 1, "unknown variable"},
		{"sm[0].warp[1].colour", 15, "no field 'colour'"},
		{"sm[0].statuses", 15, "expected '[' and an index"},
		{"sm[0]", 1, "no buffer"},
		{"l1d.sets", 1, "unknown name"},
		{"subcore.issued", 1, "is an array"},
		{"\x01", 1, "\\x01"},
		{"sm[0].", 7, "expected a name after '.'"},
		{"status.nope", 1, "unknown name"},
		{"lanes", 1, "a field of an event"},
	};
	struct value v;
	struct error e;

	(void)state;
	session.live = false;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		if (!strcmp(row[i].text, "sm[0]"))
			continue;
		if (!value_of(row[i].text, &v, &e))
			fail_msg("%s: taken, %lld", row[i].text, (long long)v.i);
		if (e.column != row[i].column || !strstr(e.message, row[i].words))
			fail_msg("%s: column %u: %s", row[i].text, e.column, e.message);
	}
}

/* n times what, then tail. */
static char *repeated(const char *what, u32 n, const char *tail)
{
	struct text t = {0};

	for (u32 i = 0; i < n; i++)
		text_add(&t, "%s", what);
	text_add(&t, "%s", tail);
	return t.s;
}

/* Depth and length are bounded, and a long flat chain is none of them. */
static void bounds(void **state)
{
	static const struct {
		const char *what;
		u32 n;
		const char *tail;
		bool fine;
	} row[] = {
		{"(", 60, "1", false},	      {"(", 100000, "1", false},   {"-", 60, "1", true},
		{"-", 100000, "1", false},    {"!", 65, "1", false},	   {"1 + ", 5000, "1", true},
		{"1 + ", 200000, "1", false}, {"1 ? 1 : ", 60, "1", true}, {"1 ? ", 100000, "1", false},
		{"1 && ", 3000, "1", true},   {"c[", 100000, "1", false},  {"a", 100000, "", false},
	};
	struct value v;
	struct error e;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		char *text = repeated(row[i].what, row[i].n, row[i].tail);

		if (!value_of(text, &v, &e) != row[i].fine)
			fail_msg("%s x %u: %s", row[i].what, row[i].n, e.message);
		free(text);
	}
}

static bool lookup_i(void *self, const char *name, struct value *out)
{
	*out = value_int(*(int *)self);
	return !strcmp(name, "i");
}

/* A scope's names come first; without it they are not known. */
static void scopes(void **state)
{
	struct record r = {.kind = EVENT_CONFLICT,
			   .sm = 1,
			   .warp = 7,
			   .sub = 0xff,
			   .launch = 2,
			   .cta = 9,
			   .pc = 33,
			   .a = 1,
			   .b = 5};
	int i = 41;
	struct expr_scope own = {.lookup = lookup_i, .self = &i}, event = {.record = &r};
	static const struct row row[] = {
		{"bank", 1},  {"depth", 5}, {"a", 1},	   {"b", 5},   {"warp", 7},
		{"sm", 1},    {"sub", -1},  {"kernel", 2}, {"cta", 9}, {"pc == 33 && depth > 4", 1},
		{"$warp", 0},
	};
	struct expr *x;
	struct value v;
	struct error e;
	u32 column;

	(void)state;
	assert_int_equal(expr_compile(&session, "2 * i + 1", &x, &e), 0);
	assert_string_equal(expr_unbound(x, 0, &column), "i");
	assert_int_equal(column, 5);
	assert_null(expr_unbound(x, 1, &column));
	assert_int_equal(expr_eval(&session, x, &own, &v, &e), 0);
	assert_int_equal(v.i, 83);
	assert_int_equal(expr_eval(&session, x, NULL, &v, &e), STATUS_FAILED);
	expr_free(x);
	for (u32 k = 0; k < ARRAY_LEN(row); k++) {
		assert_int_equal(expr_compile(&session, row[k].text, &x, &e), 0);
		if (expr_eval(&session, x, &event, &v, &e) || v.i != row[k].want)
			fail_msg("%s: %lld", row[k].text, (long long)v.i);
		expr_free(x);
	}
	assert_int_equal(expr_compile(&session, "register", &x, &e), 0);
	assert_int_equal(expr_eval(&session, x, &event, &v, &e), STATUS_FAILED);
	expr_free(x);
}

/* Formulas: every operand real, a division by zero 0. */
static void formulas(void **state)
{
	struct expr *x;
	struct value v;

	(void)state;
	assert_int_equal(expr_compile_formula(&session, "1 / 2", &x, NULL), 0);
	assert_int_equal(expr_eval(&session, x, NULL, &v, NULL), 0);
	assert_true(v.kind == VALUE_REAL && v.r == 0.5);
	expr_free(x);
	assert_int_equal(expr_compile_formula(&session, "1 / 0", &x, NULL), 0);
	assert_int_equal(expr_eval(&session, x, NULL, &v, NULL), 0);
	assert_true(v.r == 0);
	expr_free(x);
}

/* Format letters. */
static void formats(void **state)
{
	static const struct {
		struct value v;
		char format;
		const char *want;
	} row[] = {
		{{VALUE_INT, -1, 0, false}, 0, "-1"},
		{{VALUE_INT, -1, 0, false}, 'x', "0xffffffffffffffff"},
		{{VALUE_INT, 255, 0, false}, 'x', "0xff"},
		{{VALUE_INT, 5, 0, false}, 't', "0b101"},
		{{VALUE_INT, 0, 0, false}, 't', "0b0"},
		{{VALUE_INT, 8, 0, false}, 'o', "010"},
		{{VALUE_INT, -1, 0, false}, 'u', "18446744073709551615"},
		{{VALUE_INT, 65, 0, false}, 'c', "65 'A'"},
		{{VALUE_INT, 27, 0, false}, 'c', "27 '\\x1b'"},
		{{VALUE_INT, 0x3fc00000, 0, false}, 'f', "1.5"},
		{{VALUE_REAL, 0, 2.75, false}, 0, "2.75"},
		{{VALUE_REAL, 0, 2.75, false}, 'd', "2"},
		{{VALUE_REAL, 0, 1e300, false}, 'x', "1e+300"},
		{{VALUE_INT, -1, 0, true}, 'd', "18446744073709551615"},
		{{VALUE_INT, -2, 0, true}, 0, "18446744073709551614"},
		{{VALUE_INT, -1, 0, true},
		 't',
		 "0b11111111"
		 "11111111"
		 "11111111"
		 "11111111"
		 "11111111"
		 "11111111"
		 "11111111"
		 "11111111"},
	};
	struct text t = {0};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		text_clear(&t);
		value_format(row[i].v, row[i].format, &t);
		assert_string_equal(t.s, row[i].want);
	}
	text_free(&t);
}

/* Names of the machine that is there: statistics, fields, short forms, derived fields, buffers. */
static void machine_names(void **state)
{
	static const struct row row[] = {
		{"kernel[0].started", 2},
		{"cycle", 40},
		{"gpu.cycle", 40},
		{"$cycle", 40},
		{"slots.total", 160},
		{"cta.started", 2},
		{"kernel.0.iterations", 0},
		{"sm[0].warp[0].launch", 0},
		{"warp[1].index", 1},
		{"sm[0].warps", 4},
		{"launch[0].next_cta", 2},
		{"sm[0].warp[1].sub", 1},
		{"sm[0].cta[1].id", 1},
		{"sm[1 - 1].warp[$warp + 1].index == 1", 1},
		{"port[0].spare == 0", -2},
		{"n[3]", 3},
		{"n[1 + 1] + n[63]", 65},
		{"sm[9].warps", -1},
		{"warp[999].pc", -1},
		{"n[64]", -1},
		{"n[-1]", -1},
		{"kernel.7.cycles", -1},
		{"sm[0].stat[9999]", -1},
		{"sm[0].warp[0].reg[0][32]", -1},
		{"sm[1.5].warps", -1},
		{"slots.issued + slots.pipeline + slots.short + slots.fetch + slots.long + slots.barrier + slots.held + slots.idle == slots.total",
		 1},
	};
	static const char *const setup[] = {
		"set gpu.sms 1",
		"set sm.subcores 4",
		"buffer n u32[64] iota",
		"buffer a u32[8]",
		"synthetic toy iterations 10 body 8 mix int 1 distance 2",
		"launch toy grid 2 block 64",
		"step 40",
	};
	struct value v;
	struct error e;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(setup); i++)
		if (command_run_line(&session, setup[i], NULL, 0, &e))
			fail_msg("%s: %s", setup[i], e.message);
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		enum status st = value_of(row[i].text, &v, &e);

		if (row[i].want < 0 ? !st || !e.message[0] : st || v.i != row[i].want)
			fail_msg("%s: %lld %s", row[i].text, (long long)v.i, e.message);
	}
	assert_true(value_of("sm[0]", &v, &e) && strstr(e.message, "no buffer"));
	assert_int_equal(value_of("a", &v, &e), 0);
	assert_int_equal(v.i, (i64)session.program.buffer[1].address);
	scopes(NULL);
}

/* A fresh session that prints nowhere. */
static int open_session(void **state)
{
	(void)state;
	return bed_session(NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers), cmocka_unit_test(unsigned_numbers), cmocka_unit_test(real_numbers),
		cmocka_unit_test(errors),	 cmocka_unit_test(bounds),	     cmocka_unit_test(scopes),
		cmocka_unit_test(formulas),	 cmocka_unit_test(formats),	     cmocka_unit_test(machine_names),
	};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
