/* test_base.c - errors, text, files, names: what base.h promises. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base.h"
#include "width.h"

/* Every combination of place that an error can have. */
static void test_error_place(void **state UNUSED)
{
	static const struct {
		const char *file;
		u32 line, column;
		const char *want;
	} row[] = {
		{"a.ptx", 3, 7, "a.ptx:3:7: no such thing"},
		{"a.ptx", 3, 0, "a.ptx:3: no such thing"},
		{"a.ptx", 0, 0, "a.ptx: no such thing"},
		{NULL, 0, 0, "no such thing"},
	};
	struct error e;
	char buf[128];

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		assert_int_equal(
			error_at(&e, STATUS_USAGE, row[i].file, row[i].line, row[i].column, "no such %s", "thing"),
			STATUS_USAGE);
		assert_string_equal(error_format(&e, buf, sizeof(buf)), row[i].want);
	}
	assert_int_equal(error_set(NULL, STATUS_CHECK, "nobody listens"), STATUS_CHECK);
}

/* Messages and file names longer than the error's fields are cut, not spilt. */
static void test_error_long(void **state UNUSED)
{
	char name[4000], buf[4000];
	struct error e;

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	error_at(&e, STATUS_USAGE, name, 1, 1, "%s", name);
	assert_int_equal(strlen(e.file), sizeof(e.file) - 1);
	assert_int_equal(strlen(e.message), sizeof(e.message) - 1);
	error_format(&e, buf, 10);
	assert_int_equal(strlen(buf), 9);
}

/* A text grows past its first block and keeps what it had. */
static void test_text(void **state UNUSED)
{
	struct text t = {0};

	for (u32 i = 0; i < 1000; i++)
		text_add(&t, "%u,", i);
	assert_int_equal(t.len, strlen(t.s));
	assert_int_equal(t.len, 10 * 2 + 90 * 3 + 900 * 4);
	assert_string_equal(t.s + t.len - 4, "999,");
	text_clear(&t);
	assert_string_equal(t.s, "");
	text_addn(&t, "a\0b", 3);
	assert_int_equal(t.len, 3);
	assert_memory_equal(t.s, "a\0b", 4);
	text_free(&t);
	assert_null(t.s);
}

/* Nothing that steers a terminal passes; good UTF-8 does. */
static void test_text_safe(void **state UNUSED)
{
	static const struct {
		const char *in, *want;
	} row[] = {{"plain ~", "plain ~"},
		   {"\x1b[2J", "\\x1b[2J"},
		   {"a\tb\n\x7f", "a\\x09b\\x0a\\x7f"},
		   {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
		   {"\xc2\x9b"
		    "1m",
		    "\\xc2\\x9b"
		    "1m"},					 /* C1 control */
		   {"\xc0\xaf", "\\xc0\\xaf"},			 /* overlong */
		   {"\xed\xa0\x80", "\\xed\\xa0\\x80"},		 /* surrogate */
		   {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* above U+10FFFF */
		   {"\xe2\x82", "\\xe2\\x82"},			 /* cut short */
		   {"\xe2\x80\xae"
		    "x",
		    "\\xe2\\x80\\xae"
		    "x"}, /* right-to-left override */
		   {"\xff", "\\xff"},
		   {"", ""}};
	struct text t = {0};

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		text_clear(&t);
		text_add_safe(&t, row[i].in, strlen(row[i].in));
		assert_string_equal(t.s, row[i].want);
		assert_string_equal(safe_text(row[i].in), row[i].want);
	}
	text_free(&t);
	assert_string_not_equal(safe_text("one"), safe_text("two"));
}

/* A character as UTF-8, and its bytes as text_add_safe shows them; returns how many there are. */
static u32 utf8(u32 c, char out[5], char shown[17])
{
	static const u8 lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
	u32 n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (u32 i = n; i-- > 0; c >>= 6)
		out[i] = (char)(i || n == 1 ? (n == 1 ? c : 0x80 | (c & 0x3f)) : lead[n] | c);
	out[n] = '\0';
	for (u32 i = 0; i < n; i++)
		snprintf(shown + 4 * i, 5, "\\x%02x", (u8)out[i]);
	return n;
}

/* Characters that are not seen or that rearrange what stands around them are shown by their bytes; those beside them,
 * accents, wide characters and pictures stay. */
static void test_text_hidden(void **state UNUSED)
{
	static const struct {
		u32 first, last;
	} hidden[] = {{0x7f, 0x9f},	{0xad, 0xad},	  {0x34f, 0x34f},   {0x61c, 0x61c},	{0x115f, 0x1160},
		      {0x180b, 0x180f}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},	{0x3164, 0x3164},
		      {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0x1d173, 0x1d17a}, {0xe0000, 0xe01ef}};
	static const u32 seen[] = {' ',	   '~',	   0xa0,   0xe9,   0x301,  0x34e,  0x350,   0x5d0,   0x61b,   0x627,
				   0x0e01, 0x1161, 0x200a, 0x2010, 0x2027, 0x202f, 0x205f,  0x20ac,  0x3042,  0x7f51,
				   0xac00, 0xfdff, 0xfe10, 0xfefe, 0xff01, 0xfffd, 0x1f600, 0x20000, 0xdffff, 0xe1000};
	char in[5], shown[17];

	for (u32 i = 0; i < ARRAY_LEN(hidden); i++)
		for (u32 c = hidden[i].first; c <= hidden[i].last; c++) {
			utf8(c, in, shown);
			assert_string_equal(safe_text(in), shown);
		}
	for (u32 i = 0; i < ARRAY_LEN(seen); i++) {
		utf8(seen[i], in, shown);
		assert_string_equal(safe_text(in), in);
	}
}

/* Paths join as a shell user expects. */
static void test_paths(void **state UNUSED)
{
	static const struct {
		const char *dir, *rel, *want;
	} join[] = {{"a/b", "c", "a/b/c"}, {"a/", "c", "a/c"}, {".", "c", "c"}, {"", "c", "c"}, {"a", "/c", "/c"}};
	static const char *const dir[][2] = {{"a/b/c", "a/b"}, {"c", "."}, {"/c", "/"}};

	for (u32 i = 0; i < ARRAY_LEN(join); i++) {
		char *s = path_join(join[i].dir, join[i].rel);

		assert_string_equal(s, join[i].want);
		free(s);
	}
	for (u32 i = 0; i < ARRAY_LEN(dir); i++) {
		char *s = path_dir(dir[i][0]);

		assert_string_equal(s, dir[i][1]);
		free(s);
	}
}

/* Files: contents with NULs, empty, exactly at the limit, above it, missing, a directory. */
static void test_file_read(void **state UNUSED)
{
	char path[] = "/tmp/warpstep-test-XXXXXX", *out = NULL;
	int fd = mkstemp(path);
	struct error e;
	size_t len;

	assert_int_equal(file_read(path, 10, &out, &len, &e), STATUS_OK);
	assert_int_equal(len, 0);
	assert_string_equal(out, "");
	free(out);
	assert_int_equal(write(fd, "ab\0cd", 5), 5);
	assert_int_equal(file_read(path, 5, &out, &len, &e), STATUS_OK);
	assert_int_equal(len, 5);
	assert_memory_equal(out, "ab\0cd", 6);
	free(out);
	assert_int_equal(file_read(path, 4, &out, &len, &e), STATUS_USAGE);
	assert_non_null(strstr(e.message, "limit of 4 bytes"));
	assert_string_equal(e.file, path);
	close(fd);
	unlink(path);
	assert_int_equal(file_read(path, 4, &out, &len, &e), STATUS_USAGE);
	assert_non_null(strstr(e.message, "No such file"));
	assert_int_equal(file_read("/", 4, &out, NULL, &e), STATUS_USAGE);
	assert_non_null(strstr(e.message, "directory"));
}

/* A misspelt name finds its neighbour; a stranger finds none. */
static void test_nearest_name(void **state UNUSED)
{
	static const char *const names[] = {"step", "stats", "break", "continue", "reverse-step"};
	static const struct {
		const char *in, *want;
	} row[] = {{"setp", "step"},
		   {"stpe", "step"},
		   {"brake", "break"},
		   {"contnue", "continue"},
		   {"rev", "reverse-step"},
		   {"stat", "stats"},
		   {"xyzzy", NULL},
		   {"", NULL},
		   {"q", NULL}};
	char longer[200];

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		const char *got = nearest_name(row[i].in, names, ARRAY_LEN(names));

		if (row[i].want)
			assert_string_equal(got ? got : "(none)", row[i].want);
		else
			assert_null(got);
	}
	memset(longer, 's', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	assert_null(nearest_name(longer, names, ARRAY_LEN(names)));
	assert_null(nearest_name("step", names, 0));
}

/* A text folded whole to a width, and in pieces of a word each: the same. */
static void folds(u32 width, const char *in, const char *want)
{
	struct wrap whole = {.width = width}, pieces = {.width = width};
	struct text a = {0}, b = {0};

	wrap_add(&whole, &a, in, strlen(in));
	assert_string_equal(a.s ? a.s : "", want);
	for (const char *p = in, *next; *p; p = next) {
		next = p + strspn(p, " ");
		next += *p == '\n' ? 1 : strcspn(next, " \n");
		wrap_add(&pieces, &b, p, (size_t)(next - p));
	}
	assert_string_equal(b.s ? b.s : "", want);
	text_free(&a);
	text_free(&b);
}

/* What fits stays as it is; what does not goes on below its last column, or two cells in. */
static void test_wrap(void **state UNUSED)
{
	static const struct {
		u32 width;
		const char *in, *want;
	} row[] = {
		{20, "", ""},
		{20, "12345678901234567890\n", "12345678901234567890\n"},
		{20, "one two three four five six\nseven\n", "one two three four\n  five six\nseven\n"},
		{20, "  one two three four five\n", "  one two three four\n    five\n"},
		{20, "name    what it is and does\n", "name    what it is\n        and does\n"},
		{20, "a  b    far behind three\n", "a  b    far behind\n        three\n"},
		{20, "123456789012345  behind\n", "123456789012345\n  behind\n"},
		{10, "abcdefghijklmnopqrstuvwxyz\n", "abcdefghij\n  klmnopqr\n  stuvwxyz\n"},
		{10, "été été été été\n", "été été\n  été été\n"},
		{8, "中文字中文字\n", "中文字中\n  文字\n"},
		{1, "ab c\n", "a\nb\nc\n"},
		{10, "blanks    \n", "blanks    \n"},
		{10, "blanks           \n", "blanks\n"},
	};

	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		folds(row[i].width, row[i].in, row[i].want);
	assert_int_equal(text_columns("e\xcc\x81中 a"), 5);
}

/* The random numbers are the published splitmix64, on every machine. */
static void test_mix64(void **state UNUSED)
{
	assert_int_equal(mix64(0), 0xe220a8397b1dcdafULL);
	assert_int_equal(mix64(0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_error_place), cmocka_unit_test(test_error_long),	 cmocka_unit_test(test_text),
		cmocka_unit_test(test_text_safe),   cmocka_unit_test(test_text_hidden),	 cmocka_unit_test(test_paths),
		cmocka_unit_test(test_file_read),   cmocka_unit_test(test_nearest_name), cmocka_unit_test(test_mix64),
		cmocka_unit_test(test_wrap),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
