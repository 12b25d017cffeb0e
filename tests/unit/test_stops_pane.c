/*
 * test_stops_pane.c - the pane breakpoints: a row for each stop, hits and the last of them as functions of the
 * position, its cursor and what its keys do; `goto stop N`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "../../src/tui/desk.h"
#include "session_bed.h"

#include <stdlib.h>
#include <string.h>

/* The pane's row of a stop, NULL: it has none; free *data. */
static json_t *row_of(u32 number, json_t **data)
{
	json_t *row;
	size_t i;

	*data = pane_json(&session, PANE_breakpoints);
	json_array_foreach (json_object_get(*data, "breakpoints"), i, row)
		if (json_integer_value(json_object_get(row, "number")) == number)
			return row;
	return NULL;
}

/* A number of a stop's row; -1: it has none. */
static i64 cell(u32 number, const char *column)
{
	json_t *data, *row = row_of(number, &data), *x = json_object_get(row, column);
	i64 n = json_is_integer(x) ? json_integer_value(x) : -1;

	assert_non_null(row);
	json_decref(data);
	return n;
}

/* A text of a stop's row is this. */
static void says(u32 number, const char *column, const char *want)
{
	json_t *data, *row = row_of(number, &data);

	assert_non_null(row);
	assert_string_equal(json_string_value(json_object_get(row, column)), want);
	json_decref(data);
}

/* Press a key of the focused pane; its line, "" where it has none. */
static void press(const char *key, const char *want)
{
	const struct key_row *row = key_find(&session, key);
	char *line = row ? key_line(&session, row) : NULL;

	assert_non_null(row);
	assert_string_equal(line ? line : "", want);
	if (line)
		must(line);
	free(line);
}

static int open_stops(void **state)
{
	(void)state;
	bed_session(NULL, 0);
	must("source scenarios/matmul.scn");
	must("layout breakpoints");
	must("goto 100");
	must("break event release if sm == 0");
	must("watch rise cta.finished as ended");
	must("tbreak cycle 5000");
	must("break event bankconflict"); /* of another kind: it may never be met */
	must("commands 1\nsilent\nend");
	return 0;
}

/* What stands in the rows. */
static void rows(void **state)
{
	(void)state;
	says(1, "breakpoint", "event release");
	says(1, "condition", "sm == 0");
	says(1, "state", "on");
	says(2, "breakpoint", "watch rise cta.finished as ended");
	says(3, "state", "once");
	must("disable 4");
	says(4, "state", "off");
	must("ignore 2 5");
	assert_int_equal(cell(2, "ignore"), 5);
	assert_int_equal(cell(2, "last"), -1);
	assert_int_equal(cell(2, "hits"), 0);
	must("ignore 2 0");
}

/* At every position hits and last are what a list of the events says, however the machine came there. */
static void functions_of_the_position(void **state)
{
	u64 at[64];
	u32 n = 0;
	u64 hash;

	(void)state;
	go(0);
	must("delete");
	must("break event release if sm == 0");
	u32 number = session.breaks->list[0]->number;
	for (must("continue"); n < 12; must("continue"))
		at[n++] = timeline_now(session.timeline).cycle;
	hash = sim_hash(&session.sim);
	for (u32 i = 0; i < 200; i++) {
		u64 cycle = mix64(i) % (at[n - 1] + 10);
		u32 hits = 0;

		go(cycle);
		while (hits < n && at[hits] <= cycle)
			hits++;
		assert_int_equal(cell(number, "hits"), hits);
		assert_int_equal(cell(number, "last"), hits ? (i64)at[hits - 1] : -1);
		assert_int_equal(cell(number, "sm"), hits ? 0 : -1);
	}
	must("back");
	go(at[n - 1]);
	must("continue");
	assert_int_equal(sim_hash(&session.sim), hash); /* nobody has touched the machine */
	must("delete");
}

/* `goto stop` goes where the pane says, and focuses who met it. */
static void goes_where_it_was_met(void **state)
{
	struct error e = {0};
	char line[32];
	u32 number;
	i64 last;

	(void)state;
	go(0);
	must("break stall short for 4");
	number = session.breaks->list[0]->number;
	must("continue");
	must("continue");
	must("step 20");
	must("focus warp 9");
	last = cell(number, "last");
	assert_true(last > 0);
	snprintf(line, sizeof(line), "goto stop %u", number);
	press("Enter", line);
	assert_int_equal(timeline_now(session.timeline).cycle, last);
	assert_int_equal(session.focus.warp, cell(number, "warp"));
	assert_int_equal(session.focus.sm, cell(number, "sm"));
	go(1);
	assert_int_equal(command_run_line(&session, "goto stop 999", NULL, 0, &e), STATUS_FAILED);
	must("delete");
}

/* The cursor stays with its stop, and goes to the next where that is taken away. */
static void cursor_and_keys(void **state)
{
	char line[5][32];
	u32 first;
	struct error e = {0};

	(void)state;
	must("break cycle 7000");
	must("break cycle 8000");
	must("break cycle 9000");
	first = session.breaks->list[0]->number;
	for (u32 i = 0; i < 3; i++)
		snprintf(line[i], sizeof(line[i]), "delete %u", first + i);
	snprintf(line[3], sizeof(line[3]), "disable %u", first + 1);
	snprintf(line[4], sizeof(line[4]), "enable %u", first + 1);
	press("Down", "pane cursor +1");
	press("Space", line[3]);
	says(first + 1, "state", "off");
	press("Space", line[4]);
	says(first + 1, "state", "on");
	press("Delete", line[1]);
	press("Delete", line[2]);
	press("Up", "pane cursor -1");
	press("Delete", line[0]);
	press("Delete", "");
	assert_int_equal(command_run_line(&session, "pane cursor +1", NULL, 0, &e), STATUS_FAILED);
	assert_string_equal(desk_of(&session)->message, "delete {stop}: no breakpoints");
}

/* Before there is a machine, and when it is gone. */
static void without_a_machine(void **state)
{
	(void)state;
	close_session(NULL);
	bed_session(NULL, 0);
	must("break event release");
	says(1, "state", "on");
	assert_int_equal(cell(1, "hits"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows),
		cmocka_unit_test(functions_of_the_position),
		cmocka_unit_test(goes_where_it_was_met),
		cmocka_unit_test(cursor_and_keys),
		cmocka_unit_test(without_a_machine),
	};

	return cmocka_run_group_tests(tests, open_stops, close_session);
}
