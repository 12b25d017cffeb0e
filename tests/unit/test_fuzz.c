/* test_fuzz.c - the fuzzers' seeds, whole and cut short, and inputs that once broke something: none breaks anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "../fuzz/targets.h"

#include <dirent.h>

/* A file of a folder to feed: whole, and cut short at many places. */
static void feed_file(const char *folder, const char *name, void (*feed)(const u8 *data, size_t size))
{
	char *path = path_join(folder, name), *data = NULL;
	struct error e;
	size_t size;

	assert_int_equal(file_read(path, 1 << 20, &data, &size, &e), STATUS_OK);
	feed((const u8 *)data, size);
	for (size_t i = 1; i < 24; i++)
		feed((const u8 *)data, size * i / 24);
	free(data);
	free(path);
}

/* Feed every file of a folder whose name begins and ends so; how many there were. */
static u32 replay(const char *folder, const char *begin, const char *end, void (*feed)(const u8 *data, size_t size))
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
		feed_file(folder, entry->d_name, feed);
		n++;
	}
	closedir(dir);
	return n;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands),
		cmocka_unit_test(ptx),
		cmocka_unit_test(expressions),
		cmocka_unit_test(traces),
	};

	return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
