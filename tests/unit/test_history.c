/*
 * test_history.c - the panes memory, code and timeline: the letters of the past are the statuses that were, wherever
 * the machine comes from; sums hold at every cycle; requests and warps are shown where the machine has them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "../../src/tui/history.h"
#include "machine.h"
#include "pane.h"
#include "why.h"
#include "session_bed.h"

#include <math.h>
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
		data = pane_json(&session, PANE_timeline);
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

/* The value of statistic `name` at a cycle. */
static double stat_at(const char *name, u64 cycle)
{
	struct value v = {0};

	go(cycle);
	assert_true(stat_get(&session, name, &v));
	return value_as_real(v);
}

/* A spark line's column has what the engine's statistic gained in its cycles, per cycle; a ratio is that of the column;
 * what is no counter is the mean of its values. */
static void sparks_are_statistics(void **state)
{
	(void)state;
	must("spark inst.thread");
	must("spark ipc");
	must("spark subcore.issued[1] + rf.reads * 2");
	must("spark sm[0].ctas");
	for (u32 i = 0; i < 24; i++) {
		u32 zoom = i % 4, n;
		json_t *data, *sparks;
		u64 from;
		char line[32];

		snprintf(line, sizeof(line), "set time.zoom %u", zoom);
		must(line);
		go(100 + mix64(i + 77) % 700);
		data = pane_json(&session, PANE_timeline);
		from = (u64)json_integer_value(json_object_get(data, "from"));
		sparks = json_object_get(data, "sparks");
		n = (u32)json_array_size(json_object_get(sparks, "ipc"));
		for (u32 k = 0; k < 3; k++) {
			u32 x = (u32)(mix64(i * 3 + k) % (n - 1)); /* the last may hold fewer cycles */
			u64 before = from + ((u64)x << zoom) - 1, after = before + (1u << zoom);
			double cycles = (double)(after - before),
			       threads = stat_at("inst.thread", after) - stat_at("inst.thread", before),
			       warps = stat_at("inst.warp", after) - stat_at("inst.warp", before);
			double reads = stat_at("rf.reads", after) - stat_at("rf.reads", before), issued, ctas = 0;
			struct stat_handle h;
			struct value v, w;

			assert_true(stat_find("subcore.issued", &h) && stat_read(&session, h, 1, &w));
			go(after);
			assert_true(stat_read(&session, h, 1, &v));
			issued = value_as_real(v) - value_as_real(w);
			for (u64 c = before + 1; c <= after; c++) {
				go(c);
				ctas += ((struct sm *)machine_sm_section(session.sim.m, 0, SECTION_SM))->ctas;
			}
#define SPARK(name) json_real_value(json_array_get(json_object_get(sparks, name), x))
			assert_true(fabs(SPARK("inst.thread") - threads / cycles) < 1e-9);
			assert_true(fabs(SPARK("ipc") - warps / cycles) < 1e-9);
			assert_true(fabs(SPARK("subcore.issued[1] + rf.reads * 2") - (issued + 2 * reads) / cycles) <
				    1e-9);
			assert_true(fabs(SPARK("sm[0].ctas") - ctas / cycles) < 1e-9);
		}
		json_decref(data);
	}
	must("spark -d 0");
	must("set time.zoom 0");
}

static int open_session(void **state)
{
	static const char *const setup[] = {"gpu tiny", "set gpu.sms 2",
					    "synthetic toy iterations 40 body 12 mix int 3 load 2 distance 3",
					    "launch toy grid 12 block 128", "goto 900"};

	(void)state;
	return bed_session(setup, ARRAY_LEN(setup));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_of_the_past),
		cmocka_unit_test(an_input_forgets),
		cmocka_unit_test(sums_hold),
		cmocka_unit_test(the_mark_is_now),
		cmocka_unit_test(sparks_are_statistics),
	};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
