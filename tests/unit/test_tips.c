/*
 * test_tips.c - tips and synonyms lead somewhere: every command that they name exists, and so does every name in it; a
 * tip that was followed is not shown again.
 */
#include "session_ops.h"
#include "lang.h"
#include "lesson.h"
#include "pane.h"
#include "synonyms.h"
#include "tips.h"
#include "tui.h"

#include "../../src/cmd/explain.h"
#include "../../src/cmd/info.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static struct session session;

static int open_all(void **state)
{
	(void)state;
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	return 0;
}

static int close_all(void **state)
{
	FILE *out = session.out;

	(void)state;
	session_close(&session);
	fclose(out);
	return 0;
}

/* Run a line: its status. */
static enum status run(const char *line)
{
	struct error e = {0};

	return command_run_line(&session, line, NULL, 0, &e);
}

/* Is a line a command with names that exist? */
static void check_line(const char *line)
{
	char verb[32], rest[96] = "";
	const struct command *c;
	struct error e = {0};

	assert_true(sscanf(line, "%31[^ ] %95[^\n]", verb, rest) >= 1);
	verb[strcspn(verb, "/")] = '\0';
	c = command_find(verb, &e);
	if (!c && !strcmp(verb, "give"))
		c = command_find("give up", &e);
	if (!c)
		fail_msg("%s: %s", line, e.message);
	if (!strcmp(c->name, "explain") && !explain_knows(rest))
		fail_msg("%s: nothing to explain", line);
	if (!strcmp(c->name, "show") && pane_find(rest, &e) < 0)
		fail_msg("%s: %s", line, e.message);
	if ((!strcmp(c->name, "help") && run(line)) || (!strcmp(c->name, "stats") && run(line)))
		fail_msg("%s fails", line);
	if (!strcmp(c->name, "info")) {
		bool found = false;

		for (u32 i = 0; i < INFO_COUNT; i++)
			found |= !strcmp(info_table[i]->name, rest);
		if (!found)
			fail_msg("%s: info has no such subject", line);
	}
}

/* What stands before a comma of a list. */
static void check_list(const char *list)
{
	for (const char *at = list; *at; at += strspn(at, ", ")) {
		size_t n = strcspn(at, ",");
		char *line = xstrndup(at, n);

		check_line(line);
		free(line);
		at += n;
	}
}

static void test_synonyms(void **state)
{
	(void)state;
	assert_int_equal(run("source scenarios/matmul.scn"), 0);
	assert_int_equal(run("goto 10"), 0);
	for (u32 i = 0; i < synonym_count; i++)
		check_list(synonym_table[i].see);
}

/* A word leads to one row alone. */
static void test_words(void **state)
{
	(void)state;
	for (u32 i = 0; i < synonym_count; i++)
		for (const char *at = synonym_table[i].words; *at; at += strspn(at, "|")) {
			size_t n = strcspn(at, "|");
			char *word = xstrndup(at, n);

			if (synonym_find(word) != &synonym_table[i])
				fail_msg("'%s' stands in two rows", word);
			free(word);
			at += n;
		}
	assert_non_null(synonym_find("Occupancy"));
	assert_non_null(synonym_find("bank conflicts"));
	assert_null(synonym_find("zebra"));
}

static void test_help(void **state)
{
	(void)state;
	assert_int_equal(run("help stall"), 0);
	assert_int_equal(run("help bank conflict"), 0);
	assert_int_equal(run("help warps"), 0);
	assert_int_not_equal(run("help zebra"), 0);
}

static void test_tips(void **state)
{
	(void)state;
	for (u32 i = 0; i < tip_count; i++) {
		const struct command *c = command_table[tip_table[i].command];

		check_line(tip_table[i].example);
		if (strncmp(tip_table[i].example, c->name, strlen(c->name)))
			fail_msg("tip %u: `%s` does not begin with %s", i + 1, tip_table[i].example, c->name);
		if (strlen(tip_table[i].example) + strlen(tip_table[i].text) > 110)
			fail_msg("tip %u is too long for the greeting", i + 1);
		for (u32 k = 0; k < i; k++)
			assert_int_not_equal(tip_table[k].command, tip_table[i].command);
	}
}

/* The first tip whose command was not used. */
static const char *next_tip(void)
{
	static char example[120];
	struct args a = {0};
	struct error e = {0};

	session.json = true;
	assert_int_equal(command_table[COMMAND_ID_tip]->run(&session, &a, &e), 0);
	session.json = false;
	snprintf(example, sizeof(example), "%s", json_string_value(json_object_get(session.result, "example")));
	json_decref(session.result);
	session.result = NULL;
	return example;
}

static void test_used(void **state)
{
	(void)state;
	assert_true(session.lang->used[COMMAND_ID_goto]); /* by the tests above */
	memset(session.lang->used, 0, sizeof(session.lang->used));
	session.lang->tips = 0;
	assert_string_equal(next_tip(), tip_table[0].example);
	assert_string_equal(next_tip(), tip_table[1].example);
	session.lang->used[tip_table[0].command] = true;
	session.lang->tips = 0;
	assert_string_equal(next_tip(), tip_table[1].example);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_synonyms), cmocka_unit_test(test_words),
					   cmocka_unit_test(test_help), cmocka_unit_test(test_tips),
					   cmocka_unit_test(test_used)};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
