/* test_fuzz.c - the fuzzers' seeds, whole and cut short, and inputs that once broke something: none breaks anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "../fuzz/sessions.h"
#include "../fuzz/traces.h"

#include <dirent.h>

/* A file of a folder to feed, behind a few bytes: whole, and cut short at many places. */
static void feed_file(const char *folder, const char *name, const char *before,
		      void (*feed)(const u8 *data, size_t size))
{
	char *path = path_join(folder, name), *data = NULL;
	struct text all = {0};
	struct error e;
	size_t size;

	assert_int_equal(file_read(path, 1 << 20, &data, &size, &e), STATUS_OK);
	text_add(&all, "%s", before);
	text_addn(&all, data, size);
	guard_feed(feed, (const u8 *)all.s, all.len);
	for (size_t i = 1; i < 24; i++)
		guard_feed(feed, (const u8 *)all.s, all.len * i / 24);
	text_free(&all);
	free(data);
	free(path);
}

/* Feed every file of a folder whose name begins and ends so, behind a few bytes; how many there were. */
static u32 replay_behind(const char *before, const char *folder, const char *begin, const char *end,
			 void (*feed)(const u8 *data, size_t size))
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	u32 n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		size_t length = strlen(entry->d_name);

		if (strncmp(entry->d_name, begin, strlen(begin)) || length < strlen(end) ||
		    strcmp(entry->d_name + length - strlen(end), end))
			continue;
		feed_file(folder, entry->d_name, before, feed);
		n++;
	}
	closedir(dir);
	return n;
}

/* The same with nothing before. */
static u32 replay(const char *folder, const char *begin, const char *end, void (*feed)(const u8 *data, size_t size))
{
	return replay_behind("", folder, begin, end, feed);
}

static void commands(void **state)
{
	(void)state;
	assert_true(replay("tests/fuzz/seeds", "command-", "", fuzz_command) >= 2);
	replay("tests/fuzz/crashes", "command-", "", fuzz_command);
}

static void ptx(void **state)
{
	(void)state;
	assert_true(replay("tests/ptx", "", ".ptx", fuzz_ptx) >= 5);
	replay("tests/fuzz/crashes", "ptx-", "", fuzz_ptx);
}

static void expressions(void **state)
{
	(void)state;
	assert_true(replay("tests/fuzz/seeds", "expr-", "", fuzz_expr) >= 3);
	replay("tests/fuzz/crashes", "expr-", "", fuzz_expr);
}

static void traces(void **state)
{
	(void)state;
	assert_true(replay("tests/fuzz/seeds", "trace-", "", fuzz_trace) >= 1);
	replay("tests/fuzz/crashes", "trace-", "", fuzz_trace);
}

static void lists(void **state)
{
	(void)state;
	assert_true(replay("tests/fuzz/seeds", "list-", "", fuzz_list) >= 2);
	replay("tests/fuzz/crashes", "list-", "", fuzz_list);
}

/* Packed here by xz and by gzip, whole, with an end cut off, with a byte spoilt. */
static void packed(void **state)
{
	static const char *const before[] = {"a--", "b--", "c--", "a\xa0-", "b\xa0-", "a-\xc0", "b-\xc0"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(before); i++)
		assert_true(replay_behind(before[i], "tests/fuzz/seeds", "trace-", "", fuzz_packed) >= 1);
	replay("tests/fuzz/crashes", "packed-", "", fuzz_packed);
}

static void lessons(void **state)
{
	(void)state;
	assert_true(replay("tests/fuzz/seeds", "lesson-", "", fuzz_lesson) >= 1);
	replay("tests/fuzz/crashes", "lesson-", "", fuzz_lesson);
}

static void sessions(void **state)
{
	(void)state;
	assert_true(replay("tests/fuzz/seeds", "session-", "", fuzz_session) >= 2);
	replay("tests/fuzz/crashes", "session-", "", fuzz_session);
}

/* Every keeper around every seed, and one inside another. */
static void kept(void **state)
{
	char before[3] = "";

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(fuzz_keeper); i++) {
		before[0] = (char)('a' + i);
		before[1] = i % 2 ? '-' : (char)('a' + i / 2);
		assert_true(replay_behind(before, "tests/fuzz/seeds", "kept-", "", fuzz_kept) >= 5);
	}
	replay("tests/fuzz/crashes", "kept-", "", fuzz_kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands), cmocka_unit_test(ptx),	cmocka_unit_test(expressions),
		cmocka_unit_test(traces),   cmocka_unit_test(lists),	cmocka_unit_test(packed),
		cmocka_unit_test(lessons),  cmocka_unit_test(sessions), cmocka_unit_test(kept),
	};

	return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
