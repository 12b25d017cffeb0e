/* test_parse.c - lines to tokens, verbs to commands, numbers of every type. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expr.h"
#include "lang.h"
#include "values.h"
#include "session_ops.h"

/* What a line's tokens are, joined by |. */
static void test_tokens(void **state UNUSED)
{
	static const struct {
		const char *line, *want, *text;
	} row[] = {{"", "", ""},
		   {"   # only a comment", "", ""},
		   {"step 10", "step|10", "step 10"},
		   {"\tstep\t 10  ", "step|10", "\tstep\t 10"},
		   {"step 10 # ten", "step|10", "step 10"},
		   {"a#b # c", "a#b", "a#b"},
		   {"note \"two words\" 'and # more'", "note|two words|and # more", "note \"two words\" 'and # more'"},
		   {"echo \"a\\\"b\\\\c\\td\\ne\"", "echo|a\"b\\c\td\ne", "echo \"a\\\"b\\\\c\\td\\ne\""},
		   {"echo 'no \\escape'", "echo|no \\escape", "echo 'no \\escape'"},
		   {"echo a\"b c\"d ''", "echo|ab cd|", "echo a\"b c\"d ''"},
		   {"gpu tiny\r\n", "gpu|tiny", "gpu tiny"},
		   {"echo \xc3\xa9", "echo|\xc3\xa9", "echo \xc3\xa9"}};

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct words w;
		struct error e;
		struct text got = {0};

		assert_int_equal(words_parse(&w, row[i].line, strlen(row[i].line), &e), STATUS_OK);
		text_add(&got, "%s", "");
		for (u32 k = 0; k < w.n; k++)
			text_add(&got, "%s%s", k ? "|" : "", w.token[k].s);
		assert_string_equal(got.s, row[i].want);
		assert_string_equal(w.text, row[i].text);
		words_free(&w);
		text_free(&got);
	}
}

/* Columns count from 1 and ends are behind the closing quote. */
static void test_columns(void **state UNUSED)
{
	const char *line = "  buffer \"a b\" f32[4]";
	struct words w;
	struct error e;

	assert_int_equal(words_parse(&w, line, strlen(line), &e), STATUS_OK);
	assert_int_equal(w.n, 3);
	assert_int_equal(w.token[0].column, 3);
	assert_int_equal(w.token[1].column, 10);
	assert_int_equal(w.token[1].end, 14);
	assert_true(w.token[1].quoted && !w.token[0].quoted);
	assert_int_equal(w.token[2].column, 16);
	words_free(&w);
}

/* Lines that are refused, with the column of the fault. */
static void test_refused(void **state UNUSED)
{
	static const struct {
		const char *line;
		size_t length;
		u32 column;
	} row[] = {{"step \x01", 6, 6},	 {"st\0ep", 5, 3},    {"\x7f", 1, 1},		{"a \x1b[31m", 7, 3},
		   {"note \"abc", 9, 6}, {"note 'abc", 9, 6}, {"note \"a\\q\"", 10, 8}, {"note \"a\\", 8, 6}};

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct words w;
		struct error e;

		assert_int_equal(words_parse(&w, row[i].line, row[i].length, &e), STATUS_USAGE);
		assert_int_equal(e.column, row[i].column);
		words_free(&w);
	}
}

/* A line of a megabyte is a line. */
static void test_long(void **state UNUSED)
{
	size_t n = 1 << 20;
	char *line = xmalloc(n + 1);
	struct words w;
	struct error e;

	for (size_t i = 0; i < n; i++)
		line[i] = i % 2 ? ' ' : 'x';
	line[n] = '\0';
	assert_int_equal(words_parse(&w, line, n, &e), STATUS_OK);
	assert_int_equal(w.n, n / 2);
	assert_string_equal(w.token[w.n - 1].s, "x");
	words_free(&w);
	memset(line, 'y', n);
	assert_null(command_find(line, &e));
	assert_true(strlen(e.message) < 200);
	free(line);
}

/* Names, aliases, unambiguous beginnings; the rest is refused with a suggestion. */
static void test_verbs(void **state UNUSED)
{
	static const char *const found[][2] = {{"step", "step"},
					       {"s", "step"},
					       {"n", "next"},
					       {"c", "continue"},
					       {"cont", "continue"},
					       {"fin", "finish"},
					       {"finis", "finish"},
					       {"u", "until"},
					       {"undo", "undo"},
					       {"r", "run"},
					       {"rs", "reverse-step"},
					       {"reverse-s", "reverse-step"},
					       {"ste", "step"},
					       {"stepi", "stepi"},
					       {"si", "stepi"},
					       {"rsi", "reverse-stepi"},
					       {"rc", "reverse-continue"},
					       {"rn", "reverse-next"},
					       {"g", "goto"},
					       {"b", "break"},
					       {"d", "delete"},
					       {"p", "print"},
					       {"p/x", "print"},
					       {"print/x", "print"},
					       {"i", "info"},
					       {"h", "help"},
					       {"q", "quit"},
					       {"syn", "synthetic"},
					       {"se", "set"}};
	static const char *const refused[][2] = {
		{"re", "reverse-step"},	   {"stpe", "did you mean 'step'"},	   {"", "unknown command"},
		{"/x", "unknown command"}, {"xyzzy", "`help` lists the commands"}, {"\x1b[2J", "\\x1b"}};
	struct error e;

	for (u32 i = 0; i < ARRAY_LEN(found); i++) {
		const struct command *c = command_find(found[i][0], &e);

		assert_non_null(c);
		assert_string_equal(c->name, found[i][1]);
	}
	for (u32 i = 0; i < ARRAY_LEN(refused); i++) {
		assert_null(command_find(refused[i][0], &e));
		assert_non_null(strstr(e.message, refused[i][1]));
	}
}

/* Every row is whole, and no name or alias is two commands'. */
static void test_rows(void **state UNUSED)
{
	for (u32 i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_table[i];
		struct text usage = {0};

		assert_non_null(c->run);
		assert_true(c->summary && *c->summary && !strchr(c->summary, 0x0a));
		assert_true(c->examples && *c->examples);
		for (u32 k = 0; k < MAX_ARGS && c->arg[k].type != ARG_END; k++)
			assert_true(c->arg[k].name && c->arg[k].doc);
		for (u32 k = 0; k < COMMAND_COUNT; k++) {
			assert_true(k == i || strcmp(command_table[k]->name, c->name));
			assert_true(k == i || !c->alias || strcmp(command_table[k]->name, c->alias));
			assert_true(k == i || !c->alias || !command_table[k]->alias ||
				    strcmp(command_table[k]->alias, c->alias));
		}
		command_usage(c, &usage);
		assert_int_equal(strncmp(usage.s, c->name, strlen(c->name)), 0);
		text_free(&usage);
	}
}

/* Numbers of a type, and those that it cannot hold. */
static void test_values(void **state UNUSED)
{
	static const struct {
		u8 type;
		const char *text;
		bool good;
		i64 i;
		double r;
	} row[] = {{VALUE_U8, "255", true, 255, 0},
		   {VALUE_U8, "256", false, 0, 0},
		   {VALUE_U8, "-1", false, 0, 0},
		   {VALUE_U8, "-0", true, 0, 0},
		   {VALUE_S8, "-128", true, -128, 0},
		   {VALUE_S8, "-129", false, 0, 0},
		   {VALUE_S8, "128", false, 0, 0},
		   {VALUE_S16, "0x7fff", true, 32767, 0},
		   {VALUE_U16, "65536", false, 0, 0},
		   {VALUE_S32, "-2147483648", true, -2147483648LL, 0},
		   {VALUE_S32, "2147483648", false, 0, 0},
		   {VALUE_U32, "4294967295", true, 4294967295LL, 0},
		   {VALUE_U64, "18446744073709551615", true, -1, 0},
		   {VALUE_U64, "18446744073709551616", false, 0, 0},
		   {VALUE_S64, "-9223372036854775808", true, INT64_MIN, 0},
		   {VALUE_S64, "9223372036854775808", false, 0, 0},
		   {VALUE_S32, "1.5", false, 0, 0},
		   {VALUE_S32, "", false, 0, 0},
		   {VALUE_S32, "-", false, 0, 0},
		   {VALUE_S32, "--1", false, 0, 0},
		   {VALUE_S32, "1x", false, 0, 0},
		   {VALUE_F32, "1.5", true, 0, 1.5},
		   {VALUE_F64, "-2.5e3", true, 0, -2500},
		   {VALUE_F64, "x", false, 0, 0},
		   {VALUE_F32, "0.1", true, 0, (double)0.1f},
		   {VALUE_F64, "1 ", false, 0, 0}};

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct error e;
		u8 bytes[8] = {0};
		struct value v;

		assert_int_equal(value_parse(row[i].type, row[i].text, bytes, &e),
				 row[i].good ? STATUS_OK : STATUS_USAGE);
		if (!row[i].good)
			continue;
		v = value_load(row[i].type, bytes);
		assert_int_equal(v.i, row[i].i);
		assert_true(v.r == row[i].r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tokens), cmocka_unit_test(test_columns), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_long),   cmocka_unit_test(test_verbs),   cmocka_unit_test(test_rows),
		cmocka_unit_test(test_values),
	};

	commands_given(all_session_ops.command);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
