/*
 * test_find.c - what looks for words: `find` in panes and in the console, `help WORD`, the search of the list of keys
 * and commands.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "../../src/tui/desk.h"
#include "../../src/tui/input.h"
#include "complete.h"
#include "session_bed.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 80u

/* A line that must fail; what it says. */
static const char *refused(const char *line)
{
	static struct error e;

	e = (struct error){0};
	assert_int_not_equal(command_run_line(&session, line, NULL, 0, &e), STATUS_OK);
	return e.message;
}

/* What is printed by a line. */
static char *printed(const char *line)
{
	FILE *before = session.out;
	static char *text;
	static size_t n;

	session.out = open_memstream(&text, &n);
	must(line);
	fclose(session.out);
	session.out = before;
	return text;
}

/* --- find --- */

/* Rows of a pane, drawn whole, that hold a text: a bit set in `holds`; how many rows there are. */
static u32 rows_with(enum pane_id id, const char *text, bool *holds)
{
	u32 rows = pane_height(&session, id, WIDTH);
	struct canvas c;

	canvas_init(&c, WIDTH, rows, false);
	pane_draw(&session, id, &c, 0, NULL);
	for (u32 y = 0; y < rows; y++) {
		struct text line = {0};

		canvas_row_text(&c, y, &line);
		holds[y] = y && line.s && strcasestr(line.s, text);
		text_free(&line);
	}
	canvas_free(&c);
	return rows;
}

/* `find` goes through the rows that hold a text in order and round, with -b the other way. */
static void find_visits(enum pane_id id, const char *text, bool back)
{
	bool holds[4000];
	u32 rows = rows_with(id, text, holds), at = 0, n = 0;
	char line[80];

	for (u32 y = 0; y < rows; y++)
		n += holds[y];
	assert_true(n > 1);
	snprintf(line, sizeof(line), "find %s%s", back ? "-b " : "", text);
	for (u32 i = 0; i < 2 * n + 1; i++) {
		must(line);
		do
			at = (at + (back ? rows - 1 : 1)) % rows;
		while (!holds[at]);
		assert_int_equal(desk_of(&session)->found_at, at);
		snprintf(line, sizeof(line), back ? "find -b" : "find");
	}
}

static void find_in_panes(void **state)
{
	(void)state;
	must("layout code");
	find_visits(PANE_code, "fma", false);
	find_visits(PANE_code, "FMA.rn", false);
	find_visits(PANE_code, "ld.shared", true);
	must("pane warps");
	find_visits(PANE_warps, "st.shared", false);
}

/* What is found is on the screen and marked, and nothing else is; an empty text ends the marks. */
static void find_marks(void **state)
{
	struct canvas c;
	u32 marked = 0;

	(void)state;
	must("layout code");
	must("find add.s64");
	for (u32 pass = 0; pass < 2; pass++) {
		struct desk *d = desk_of(&session);

		canvas_init(&c, WIDTH, 24, false);
		frame_compose(&session, &c);
		for (u32 i = 0; i < d->nareas; i++)
			for (u32 y = d->area[i].y + 1;
			     d->area[i].pane == PANE_code && y < d->area[i].y + d->area[i].height; y++)
				for (u32 x = 0; x + 7 < WIDTH; x++) {
					const struct cell *cell = &c.cell[(size_t)y * WIDTH + x];

					if (cell->ch != 'a' || cell[3].ch != '.' || cell[4].ch != 's' ||
					    cell[5].ch != '6')
						continue;
					assert_true(pass || cell->focus);
					marked += cell->focus;
				}
		canvas_free(&c);
		assert_true(pass || marked);
		marked = 0;
		must("find \"\"");
		assert_int_equal(*d->found, '\0');
	}
	assert_non_null(strstr(refused("find"), "no search text yet"));
}

static void find_refuses(void **state)
{
	(void)state;
	must("pane code");
	assert_non_null(strstr(refused("find no_such_text"), "no row of pane code contains 'no_such_text'"));
	assert_non_null(
		strstr(refused("find 0123456789012345678901234567890123456789012345678901234567890123"), "60 bytes"));
	must("find \"\"");
}

/* In the console the line above comes next, as the lines stand. */
static void find_in_the_console(void **state)
{
	static const char *const said[] = {"one apple", "two", "three APPLES", "four", "five apples"};
	u32 last = NONE32;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(said); i++) {
		console_add(&session, said[i], strlen(said[i]));
		console_add(&session, "\n", 1);
	}
	must("pane console");
	must("find apple");
	for (u32 i = 0; i < 4; i++, must("find")) {
		const struct desk *d = desk_of(&session);
		u32 n = console_count(&session);
		static const u32 want[] = {4, 2, 0, 4};

		assert_string_equal(console_line(&session, n - 1 - d->found_at), said[want[i]]);
		assert_int_equal(d->scroll[PANE_console], d->found_at);
		assert_true(last == NONE32 || i == 3 || d->found_at > last);
		last = d->found_at;
	}
	must("find \"\"");
	must("layout code");
}

/* --- help WORD --- */

/* Things that have a name: each is spoken of where its own name is asked for, unless that is a command, a group or a
 * table. */
static void help_knows_names(void **state)
{
	u32 asked = 0;

	(void)state;
	for (u32 i = 0; i < SETTING_COUNT; i++) {
		char line[80], *text;

		snprintf(line, sizeof(line), "help %s", setting_table[i].name);
		text = printed(line);
		if (!strstr(text, setting_table[i].name) || !strstr(text, "`explain "))
			fail_msg("%s: %s", line, text);
		free(text);
		asked++;
	}
	assert_true(asked > 100);
}

static void help_of_a_word(void **state)
{
	char *text = printed("help barrier");

	(void)state;
	assert_non_null(strstr(text, "commands that mention"));
	assert_non_null(strstr(text, "settings"));
	assert_non_null(strstr(text, "check.barriers"));
	free(text);
	text = printed("help stalls"); /* of several things as of one */
	assert_non_null(strstr(text, "commands that mention"));
	free(text);
	text = printed("help step"); /* a command: its own help, and nobody else's */
	assert_null(strstr(text, "commands that mention"));
	assert_non_null(strstr(text, "Examples:"));
	free(text);
	assert_non_null(strstr(refused("help xyzzyplugh"), "xyzzyplugh"));
	assert_non_null(strstr(refused("help e"), "ambiguous command")); /* too little to look for */
}

/* Of a kind no more than a dozen, and how many more there are. */
static void help_counts_the_rest(void **state)
{
	char *text = printed("help gang");
	const char *at = strstr(text, "statistics (");
	u32 lines = 0, more = 0;

	(void)state;
	assert_non_null(at);
	for (at = strchr(at, '\n') + 1; !strncmp(at, "  ", 2); at = strchr(at, '\n') + 1, lines++)
		if (sscanf(at, "  … and %u more", &more) == 1)
			break;
	assert_int_equal(lines, 12);
	assert_true(more > 0);
	free(text);
}

/* --- the list of keys and commands --- */

/* A key of that list; the line that it runs. */
static char *pressed(u32 code)
{
	return overlay_key(&session, &(struct key){.code = code});
}

static void typed(const char *text)
{
	desk_help(&session);
	for (; *text; text++)
		assert_null(pressed((u8)*text));
}

/* The list as it is drawn. */
static char *list_shown(void)
{
	struct text out = {0};
	struct canvas c;

	canvas_init(&c, 160, 48, false);
	frame_compose(&session, &c);
	canvas_text(&c, &out);
	canvas_free(&c);
	return out.s;
}

/* Every setting is found by its name, with the line that tells of it. */
static void search_knows_names(void **state)
{
	(void)state;
	for (u32 i = 0; i < SETTING_COUNT; i++) {
		char *text;

		typed(setting_table[i].name);
		text = list_shown();
		if (!strstr(text, setting_table[i].name))
			fail_msg("%s: %s", setting_table[i].name, text);
		free(text);
	}
	desk_of(&session)->overlay = OVERLAY_NONE;
}

/* The line of what is chosen. */
static void runs(const char *search, u32 down, const char *line)
{
	char *got;

	typed(search);
	for (u32 i = 0; i < down; i++)
		pressed(K_DOWN);
	free(list_shown()); /* a choice beyond the end is put back */
	got = pressed('\r');
	if (!line)
		assert_null(got);
	else if (!got || strcmp(got, line))
		fail_msg("%s: %s", search, got ? got : "nothing");
	assert_int_equal(desk_of(&session)->overlay, OVERLAY_NONE);
	free(got);
}

static void search_runs(void **state)
{
	(void)state;
	must("pane code");
	runs("l1d.misses", 0, "stats l1d.misses");
	runs("L1D.MISSES", 0, "stats l1d.misses");
	runs("set code.registers", 0, "set code.registers on"); /* a key, with what it stands for now */
	runs("reverse-continue", 0, "reverse-continue");
	runs("reverse-continue", 1, "reverse-continue"); /* the key, then the command */
	runs("undo the last command", 0, "undo");
	runs("break.release", 99, NULL);
	runs("lat.fp32", 0, "explain lat.fp32");
	runs("bank conflict", 0, "help bank conflict"); /* words that have another name here come first */
	runs("occupan", 0, "help occupancy");
}

static void search_edits(void **state)
{
	char *text;

	(void)state;
	typed("undoq");
	text = list_shown();
	assert_non_null(strstr(text, "no match"));
	assert_null(pressed('\r'));
	free(text);
	typed("undoq");
	pressed(0x7f);
	text = list_shown();
	assert_null(strstr(text, "no match"));
	free(text);
	pressed(0x1b);
	assert_int_equal(desk_of(&session)->overlay, OVERLAY_NONE);
	typed("l"); /* one letter: no names of settings and the like, which would be hundreds */
	text = list_shown();
	assert_null(strstr(text, "explain lat."));
	free(text);
	pressed(0x1b);
}

/* The keys of the focused pane come first. */
static void search_begins_with_the_pane(void **state)
{
	char *text;

	(void)state;
	must("pane code");
	desk_help(&session);
	text = list_shown();
	assert_non_null(strstr(text, "{toggle}"));
	assert_true(strstr(text, "{toggle}") < strstr(text, "reverse-step"));
	free(text);
	pressed(0x1b);
}

static int open_matmul(void **state)
{
	(void)state;
	bed_session(NULL, 0);
	must("source scenarios/matmul.scn");
	must("goto 900");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find_in_panes),
		cmocka_unit_test(find_marks),
		cmocka_unit_test(find_refuses),
		cmocka_unit_test(find_in_the_console),
		cmocka_unit_test(help_knows_names),
		cmocka_unit_test(help_of_a_word),
		cmocka_unit_test(help_counts_the_rest),
		cmocka_unit_test(search_knows_names),
		cmocka_unit_test(search_runs),
		cmocka_unit_test(search_edits),
		cmocka_unit_test(search_begins_with_the_pane),
	};

	return cmocka_run_group_tests(tests, open_matmul, close_session);
}
