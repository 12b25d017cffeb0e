/*
 * test_history.c - the panes memory, code and timeline: the letters of the past are the statuses that were, wherever the
 * machine comes from; sums hold at every cycle; requests and warps are shown where the machine has them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "../../src/tui/history.h"
#include "pane.h"
#include "why.h"
#include "session_bed.h"

#include <stdlib.h>
#include <string.h>

/* The cycles from..to of SM sm, each compared with the machine there. */
static void compare(struct history **h, u32 sm, u64 from, u64 to)
{
	u64 here = timeline_now(session.timeline).cycle;

	assert_true(history_read(h, &session, sm, from, to));
	assert_true(history_from(*h) <= from && history_to(*h) >= to);
	for (u64 c = from; c <= to; c++) {
		const struct sched *sched = machine_sm_section(session.sim.m, sm, SECTION_SCHED);

		go(c);
		for (u32 i = 0; i < session.sim.m->contexts; i++)
			assert_int_equal(history_status(*h, c, i), sim_warp_status(&session.sim, sm, i));
		for (u32 i = 0; c && i < session.sim.m->schedulers; i++)
			assert_int_equal(history_outcome(*h, c, i), sched[i].outcome);
	}
	go(here);
}

/* Forwards, backwards, far away, another SM, beyond what was known: always what was. */
static void letters_of_the_past(void **state)
{
	struct history *h = NULL;

	(void)state;
	must("goto 900");
	compare(&h, 0, 500, 560);
	compare(&h, 0, 540, 620);
	compare(&h, 0, 100, 150);
	compare(&h, 1, 120, 180);
	compare(&h, 0, 0, 20);
	compare(&h, 0, 850, 900);
	history_free(h);
}

/* An input cuts the future: what was known of it is forgotten. */
static void an_input_forgets(void **state)
{
	struct history *h = NULL;

	(void)state;
	must("goto 900");
	assert_true(history_read(&h, &session, 0, 300, 800));
	must("goto 400");
	must("set dram.bytes 4");
	must("goto 900");
	compare(&h, 0, 380, 520);
	history_free(h);
	must("set dram.bytes 32");
	must("restart");
	must("goto 900");
}

/* A canvas as lines. */
static char *picture(enum pane_id id, u32 width, u32 height)
{
	struct canvas c;
	struct text t = {0};

	canvas_init(&c, width, height, false);
	pane_draw(&session, id, &c, 0, NULL);
	canvas_text(&c, &t);
	canvas_free(&c);
	return t.s ? t.s : xstrdup("");
}

/* All sums hold at random cycles, whole and zoomed, at sizes from hardly anything to large. */
static void sums_hold(void **state)
{
	static const enum pane_id pane[] = {PANE_memory, PANE_code, PANE_timeline};
	static const u32 size[][2] = {{200, 60}, {80, 24}, {40, 10}, {24, 4}, {1, 1}};

	(void)state;
	for (u32 i = 0; i < 40; i++) {
		must(i % 4 ? "set time.zoom 0" : "set time.zoom 3");
		go(1 + mix64(i) % 899);
		for (u32 p = 0; p < ARRAY_LEN(pane); p++)
			for (u32 s = 0; s < ARRAY_LEN(size); s++) {
				char *t = picture(pane[p], size[s][0], size[s][1]);

				assert_null(strstr(t, "✗"));
				if (size[s][0] >= 80 && !strstr(t, "✓"))
					fail_msg("no sum in\n%s", t);
				free(t);
			}
	}
	must("set time.zoom 0");
}

/* The letter above the mark of now is the status of now. */
static void the_mark_is_now(void **state)
{
	(void)state;
	for (u32 i = 0; i < 20; i++) {
		json_t *data;
		const char *row;
		u64 now = 20 + mix64(i + 9) % 800, from;
		u32 status;

		go(now);
		data = pane_data(&session, PANE_timeline);
		from = (u64)json_integer_value(json_object_get(data, "from"));
		row = json_string_value(json_object_get(json_object_get(data, "warps"), "0"));
		status = sim_warp_status(&session.sim, 0, 0);
		if (status < WARP_STATUS_COUNT) {
			assert_non_null(row);
			assert_int_equal(row[now - from], warp_status_table[status].letter);
		}
		json_decref(data);
	}
}

static int open_session(void **state)
{
	static const char *const setup[] = {"gpu tiny", "set gpu.sms 2", "synthetic toy iterations 40 body 12 mix int 3 load 2 distance 3", "launch toy grid 12 block 128", "goto 900"};

	(void)state;
	return bed_session(setup, ARRAY_LEN(setup));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_of_the_past), cmocka_unit_test(an_input_forgets), cmocka_unit_test(sums_hold),
		cmocka_unit_test(the_mark_is_now),
	};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
