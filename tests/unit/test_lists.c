/*
 * test_lists.c - lists that commands print have a line for each row of their table, whatever rows there are: what
 * transcripts leave out, so that a row can be added.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "events.h"
#include "pane.h"
#include "policy.h"
#include "session_bed.h"
#include "stats.h"
#include "tui.h"
#include "breaks.h"
#include "command.h"
#include "../../src/cmd/explain.h"

#include <stdlib.h>
#include <string.h>

static const char *const subject[] = {
#define INFO(id) #id,
#include "info.def"
#undef INFO
};

/* What a command that must succeed prints; to be freed. */
static char *said(const char *line)
{
	FILE *quiet = session.out;
	char *text = NULL;
	size_t n;

	session.out = open_memstream(&text, &n);
	assert_non_null(session.out);
	must(line);
	fclose(session.out);
	session.out = quiet;
	return text;
}

/* Does a line begin with the name of a command that goes on behind a word? */
static bool of_longer(const char *at, const char *word)
{
	size_t length = strlen(word);

	for (u32 i = 0; i < COMMAND_COUNT; i++) {
		const char *name = command_table[i]->name;

		if (!strncmp(name, word, length) && name[length] == ' ' && !strncmp(at, name, strlen(name)))
			return true;
	}
	return false;
}

/* Lines that begin with a word behind `blanks` blanks; what stands behind it must hold `doc`. */
static u32 lines_of(const char *text, u32 blanks, const char *word, const char *doc)
{
	size_t length = strlen(word);
	u32 n = 0;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		const char *at = text + strspn(text, " ");

		if ((u32)(at - text) != blanks || strncmp(at, word, length) || !strchr(" ,\n", at[length]) ||
		    of_longer(at, word))
			continue;
		assert_non_null(memmem(at, strcspn(at, "\n"), doc, strlen(doc)));
		n++;
	}
	return n;
}

/* Lines of a text. */
static u32 lines_in(const char *text)
{
	u32 n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* The last line that ends in a colon, and what follows: a group, behind the help of a command of the same name. */
static const char *last_head(const char *text)
{
	const char *head = text;

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t n = strcspn(line, "\n");

		if (*line != ' ' && n && line[n - 1] == ':')
			head = line;
	}
	return head;
}

/* `help GROUP`: the commands of that group, each once, and no others; together all commands. */
static void help_has_every_command(void **state UNUSED)
{
	u32 all = 0;

	for (u32 g = 0; g < COMMAND_COUNT; g++) {
		u32 members = 0;
		char line[64], *text;

		for (u32 i = 0; i < COMMAND_COUNT; i++)
			members += !strcmp(command_table[i]->group, command_table[g]->group);
		snprintf(line, sizeof(line), "help %s", command_table[g]->group);
		text = said(line);
		assert_int_equal(lines_of(last_head(text), 2, command_table[g]->name, command_table[g]->summary), 1);
		assert_int_equal(lines_in(last_head(text)), 1 + members);
		free(text);
		text = said("help");
		all += lines_of(text, 2, command_table[g]->name, command_table[g]->summary);
		free(text);
	}
	assert_int_equal(all, COMMAND_COUNT);
}

/* One topic of `help`: a line for each row, and so many behind them. */
#define EVERY_ROW(topic, rows, more, row_name, row_doc) \
	do { \
		char *text = said("help " topic); \
		for (u32 i = 0; i < (rows); i++) \
			assert_int_equal(lines_of(text, 2, row_name, row_doc), 1); \
		assert_int_equal(lines_in(text), (rows) + (more)); \
		free(text); \
	} while (0)

static void help_has_every_row(void **state UNUSED)
{
	EVERY_ROW("settings", SETTING_COUNT, 1, setting_table[i].name, setting_table[i].doc);
	EVERY_ROW("events", EVENT_COUNT, 0, event_table[i].name, event_table[i].doc);
	EVERY_ROW("stages", STAGE_COUNT, 0, stage_table[i].name, stage_table[i].doc);
	EVERY_ROW("statistics", stat_table_rows, 1, stat_table[i].name, stat_table[i].doc);
	EVERY_ROW("hooks", POLICY_SLOTS, 0, slot_table[i].name, slot_table[i].doc);
	EVERY_ROW("panes", PANE_COUNT, 2, pane_table[i]->name, pane_table[i]->summary);
	EVERY_ROW("policies", SCHEME_COUNT + shorthand_table_rows, 0,
		  i == SCHEME_vt     ? "cta=vt" /* `policy vt` is the shorthand */
		  : i < SCHEME_COUNT ? scheme_table[i]->name
				     : shorthand_table[i - SCHEME_COUNT].name,
		  i < SCHEME_COUNT ? scheme_table[i]->doc : shorthand_table[i - SCHEME_COUNT].doc);
}

/* `help keys` has every key of the keyboard that does something, `help states` every letter. */
static void help_has_keys_and_states(void **state UNUSED)
{
	char *keys = said("help keys"), *states = said("help states");
	struct key_view k;

	for (u32 i = 0; key_row(&session, i, &k); i++) {
		char line[256];

		snprintf(line, sizeof(line), "  %-9s %-28s %s\n", k.name, k.command, k.doc);
		assert_non_null(strstr(keys, line));
	}
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++) {
		char name[32];

		snprintf(name, sizeof(name), "%c %s", warp_status_table[i].letter, warp_status_table[i].name);
		assert_int_equal(lines_of(states, 2, name, warp_status_table[i].doc), 1);
	}
	free(keys);
	free(states);
}

/* Does a text have a word that begins so? */
static bool mentions(const char *text, const char *word)
{
	for (const char *at = text ? strcasestr(text, word) : NULL; at; at = strcasestr(at + 1, word))
		if (at == text || !strchr("abcdefghijklmnopqrstuvwxyz0123456789", at[-1] | 0x20))
			return true;
	return false;
}

/* `help WORD` of what is no name: commands whose summary has the word; if there are none, those whose details or
 * examples have it. */
static void help_finds_what_speaks_of_a_word(void **state UNUSED)
{
	static const struct {
		const char *given, *word;
	} row[] = {{"values", "value"}, {"machine", "machine"}, {"asciinema", "asciinema"}, {"numbers", "number"}};

	for (u32 r = 0; r < ARRAY_LEN(row); r++) {
		char *line = xasprintf("help %s", row[r].given), *text = said(line), *end;
		char *head = xasprintf("commands that mention '%s':\n", row[r].given);
		u32 lines = 0;
		bool deep = true;

		if (explain_knows(row[r].given)) {
			char *with = xasprintf("`explain %s` describes what has this name.\n%s", row[r].given, head);

			free(head);
			head = with;
		}
		for (u32 i = 0; i < COMMAND_COUNT; i++)
			deep &= !mentions(command_table[i]->summary, row[r].word);
		end = text + strlen(head);

		while (!strncmp(end, "  ",
				2)) /* commands come first, under a head of their own what else speaks of it */
			end += strcspn(end, "\n") + 1;
		assert_true(!*end || strstr(end, " NAME):\n"));
		*end = '\0';
		assert_int_equal(strncmp(text, head, strlen(head)), 0);
		for (u32 i = 0; i < COMMAND_COUNT; i++) {
			const struct command *c = command_table[i];
			bool wanted = deep ? mentions(c->details, row[r].word) || mentions(c->examples, row[r].word)
					   : mentions(c->summary, row[r].word);

			assert_int_equal(lines_of(text, 2, c->name, c->summary), wanted);
			lines += wanted;
		}
		assert_true(lines > 0);
		assert_int_equal(lines_in(text), lines_in(head) + lines);
		free(text);
		free(line);
		free(head);
	}
}

/* `show` and `info` alone say what there is. */
static void subjects_are_listed(void **state UNUSED)
{
	char *text = said("show");

	for (u32 i = 0; i < PANE_COUNT; i++)
		assert_int_equal(lines_of(text, 0, pane_table[i]->name, pane_table[i]->summary), 1);
	assert_int_equal(lines_in(text), PANE_COUNT);
	free(text);
	text = said("info");
	for (u32 i = 0; i < ARRAY_LEN(subject); i++)
		assert_int_equal(lines_of(text, 0, subject[i], ""), 1);
	assert_int_equal(lines_in(text), 1 + ARRAY_LEN(subject));
	free(text);
}

/* Does a row before a scheme's stand for the same order? */
static bool orders_alike(u32 scheme)
{
	for (u32 i = 0; i < scheme; i++)
		if (scheme_table[i]->decide.order == scheme_table[scheme]->decide.order)
			return true;
	return false;
}

/* `why slot` says of each order but the chosen one what it would do, once. */
static void why_asks_every_order(void **state UNUSED)
{
	char *text, *from, *to;

	must("gpu tiny");
	must("synthetic busy body 12 iterations 50 mix fp32 60 int 40 distance 3");
	must("launch busy grid 2 block 128");
	must("policy order=rba");
	must("goto 300");
	text = said("why slot 0.0");
	from = strstr(text, "other warp scheduling policies would select another");
	assert_non_null(from);
	from = strchr(from, '\n');
	to = strstr(from, "\n  outcome");
	assert_non_null(to);
	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		u32 n = 0;

		for (const char *at = from; scheme_table[i]->decide.order && at < to; at++) {
			size_t length = strlen(scheme_table[i]->name);

			n += *at == ' ' && !strncmp(at + 1, scheme_table[i]->name, length) &&
			     strchr(":, \n", at[1 + length]);
		}
		assert_int_equal(n, scheme_table[i]->decide.order && i != SCHEME_rba && !orders_alike(i));
	}
	free(text);
}

static int open_session(void **state UNUSED)
{
	return bed_session(NULL, 0);
}

/* Line ends and the blanks behind them as one blank: what is long goes on in the next line. */
static void unfold(struct text *t)
{
	size_t n = 0;

	for (const char *p = t->s; *p; p++)
		if (!strchr(" \n", *p) || !n || t->s[n - 1] != ' ')
			t->s[n++] = *p == '\n' ? ' ' : *p;
	t->s[n] = '\0';
}

/* What has a row stands in the help of the command that takes it. */
static void rows_in_help(void **state)
{
	struct text stops = {0}, stages = {0};
	(void)state;

	command_details(command_table[COMMAND_ID_break], &stops);
	for (u32 i = 0; i < BREAK_KIND_COUNT; i++)
		if ((strstr(stops.s, break_kind_table[i]->usage) != NULL) == (i == BREAK_watch))
			fail_msg("`help break` and the row of %s", break_kind_table[i]->name);
	command_details(command_table[COMMAND_ID_step], &stages);
	unfold(&stages);
	for (u32 i = 0; i < STAGE_COUNT; i++)
		if (!strstr(stages.s, stage_table[i].doc))
			fail_msg("`help step` does not say what stage %s does", stage_table[i].name);
	text_free(&stops);
	text_free(&stages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_has_every_command),
		cmocka_unit_test(help_has_every_row),
		cmocka_unit_test(help_has_keys_and_states),
		cmocka_unit_test(help_finds_what_speaks_of_a_word),
		cmocka_unit_test(subjects_are_listed),
		cmocka_unit_test(why_asks_every_order),
		cmocka_unit_test(rows_in_help),
	};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
