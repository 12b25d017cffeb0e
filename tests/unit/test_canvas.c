/*
 * test_canvas.c - laws of every pane: what is drawn on the canvas stays inside, is printable, sums to what it says,
 * equals the engine's statistics, and drawing changes nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "counters.h"
#include "lang.h"
#include "machine.h"
#include "stats.h"
#include "pane.h"
#include "session_ops.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

static struct session session;

/* Run a command that must succeed. */
static void must(const char *line)
{
	struct error e = {0};

	if (command_run_line(&session, line, NULL, 0, &e))
		fail_msg("%s: %s", line, e.message);
}

/* A session with a scenario of the library, stopped at cycle 0, silent. */
static void session_begin(const char *scenario)
{
	char line[200];
	struct error e;

	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	session.quiet = session.batch = true;
	panes_keep(&session);
	snprintf(line, sizeof(line), "scenarios/%s", scenario);
	assert_int_equal(command_run_file(&session, line, &e), STATUS_OK);
	must("step 0");
}

static void session_end(void)
{
	FILE *out = session.out;

	session_close(&session);
	fclose(out);
}

/* Every character of a canvas may be printed, and its text is as wide as the canvas at most. */
static void check_cells(const struct canvas *c, const char *pane)
{
	for (u32 y = 0; y < c->height; y++) {
		struct text line = {0};
		u32 columns = 0;

		for (u32 x = 0; x < c->width; x++) {
			u32 ch = c->cell[(size_t)y * c->width + x].ch;

			if (ch < 0x20 || (ch >= 0x7f && ch < 0xa0) || (c->ascii && ch >= 0x80))
				fail_msg("%s %ux%u: character %x at %u,%u", pane, c->width, c->height, ch, x, y);
		}
		canvas_row_text(c, y, &line);
		for (size_t i = 0; i < line.len; i++)
			columns += ((u8)line.s[i] & 0xc0) != 0x80;
		assert_true(columns <= c->width);
		text_free(&line);
	}
}

/* Every pane in every size at one place; drawing changes nothing. */
static void check_panes(bool ascii)
{
	static const u32 size[][2] = {{200, 60}, {100, 30}, {80, 24}, {60, 10}, {40, 10}, {17, 4}, {3, 2}, {1, 1}};
	u64 before = sim_hash(&session.sim);

	for (u32 id = 0; id < PANE_COUNT; id++) {
		for (u32 k = 0; k < ARRAY_LEN(size); k++) {
			struct canvas c;

			canvas_init(&c, size[k][0], size[k][1], ascii);
			pane_draw(&session, (enum pane_id)id, &c, k == 3 ? 2 : 0, k == 4 ? "1" : NULL);
			check_cells(&c, pane_table[id]->name);
			canvas_free(&c);
		}
	}
	assert_true(sim_hash(&session.sim) == before);
}

/* The sum of every pane that has one holds here. */
static void check_sums(void)
{
	u32 sums = 0;

	for (u32 id = 0; id < PANE_COUNT; id++) {
		json_t *data = pane_json(&session, (enum pane_id)id), *holds = json_object_get(data, "holds");

		sums += holds != NULL;
		if (holds && !json_is_true(holds))
			fail_msg("%s: the sum does not hold in cycle %llu", pane_table[id]->name,
				 (unsigned long long)machine_gpu(session.sim.m)->cycle);
		json_decref(data);
	}
	assert_true(sums >= 6);
}

/* A statistic that must exist. */
static i64 stat(const char *name)
{
	struct value v = {0};

	if (!stat_get(&session, name, &v))
		fail_msg("no statistic %s", name);
	return v.i;
}

/* The member of a row of the pane's table. */
static i64 number(json_t *row, const char *key)
{
	json_t *x = json_object_get(row, key);

	if (!json_is_integer(x))
		fail_msg("no number %s", key);
	return (i64)json_integer_value(x);
}

/* The list of a pane. */
static json_t *table(json_t *data, const char *key)
{
	json_t *rows = json_object_get(data, key);

	assert_true(json_is_array(rows));
	return rows;
}

/* Sums over all SMs of what subcores and kernels show are the statistics. */
static void check_numbers(void)
{
	u64 issued = 0, slots[SLOT_OUTCOME_COUNT] = {0};
	json_t *data, *rows;
	char name[64];

	for (u32 sm = 0; sm < session.sim.m->config.gpu_sms; sm++) {
		session.focus = (struct focus){.sm = sm};
		data = pane_json(&session, PANE_subcores);
		rows = table(data, "schedulers");
		for (size_t i = 0; i < json_array_size(rows); i++)
			issued += (u64)number(json_array_get(rows, i), "issued");
		rows = table(data, "outcomes");
		for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
			slots[i] += (u64)number(json_array_get(rows, i), "count");
		json_decref(data);
	}
	assert_int_equal(issued, stat("inst.warp"));
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++) {
		snprintf(name, sizeof(name), "slots.%s", slot_outcome_table[i].name);
		assert_int_equal(slots[i], stat(name));
	}
	data = pane_json(&session, PANE_kernels);
	rows = table(data, "kernels");
	for (size_t i = 0; i < json_array_size(rows); i++) {
		snprintf(name, sizeof(name), "kernel.%zu.inst.warp", i);
		assert_int_equal(number(json_array_get(rows, i), "issued"), stat(name));
		snprintf(name, sizeof(name), "kernel.%zu.cycles", i);
		assert_int_equal(number(json_array_get(rows, i), "cycles"), stat(name));
		snprintf(name, sizeof(name), "kernel.%zu.ctas", i);
		assert_int_equal(number(json_array_get(rows, i), "done"), stat(name));
	}
	json_decref(data);
}

/* The stats pane shows every statistic as it is. */
static void check_stats(void)
{
	json_t *data = pane_json(&session, PANE_stats), *rows = table(data, "stats");

	assert_true(json_array_size(rows) > 80);
	for (size_t i = 0; i < json_array_size(rows); i++) {
		json_t *row = json_array_get(rows, i), *value = json_object_get(row, "value");
		const char *name = json_string_value(json_object_get(row, "statistic"));
		struct value v;

		if (strchr(name, '[') || json_is_string(value))
			continue;
		assert_true(stat_get(&session, name, &v));
		if (v.kind == VALUE_INT)
			assert_int_equal(json_integer_value(value), v.i);
		else
			assert_true(json_real_value(value) == v.r);
	}
	json_decref(data);
}

/* Warps in each status as the pane shows them, over all SMs. */
static void count_statuses(u32 *count)
{
	memset(count, 0, WARP_STATUS_COUNT * sizeof(*count));
	for (u32 sm = 0; sm < session.sim.m->config.gpu_sms; sm++) {
		json_t *data, *rows;

		session.focus = (struct focus){.sm = sm};
		data = pane_json(&session, PANE_warps);
		rows = table(data, "warps");
		for (size_t i = 0; i < json_array_size(rows); i++)
			for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
				count[k] +=
					!strcmp(warp_status_table[k].name,
						json_string_value(json_object_get(json_array_get(rows, i), "state")));
		json_decref(data);
	}
	session.focus = (struct focus){0};
}

/* What a step adds to the warps' statistics is what the pane shows after it, unless a CTA came or went in that cycle.
 */
static bool check_statuses(void)
{
	i64 before[WARP_STATUS_COUNT], came = stat("events.ctastart") + stat("events.ctaend"), cycle = stat("cycle");
	u32 count[WARP_STATUS_COUNT];
	char name[64];

	for (u32 i = 0; i < WARP_STATUS_COUNT; i++) {
		snprintf(name, sizeof(name), "warps.%s", warp_status_table[i].name);
		before[i] = stat(name);
	}
	must("step");
	if (stat("cycle") != cycle + 1 || stat("events.ctastart") + stat("events.ctaend") != came)
		return false;
	count_statuses(count);
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++) {
		snprintf(name, sizeof(name), "warps.%s", warp_status_table[i].name);
		assert_int_equal(stat(name) - before[i], count[i]);
	}
	return true;
}

/* Strides of a walk: fewer in the quick tests. */
static u32 strides(void)
{
	return getenv("WARPSTEP_LONG") ? 60 : 16;
}

/* Walk through a scenario in strides of changing length; returns how often statuses could be compared. */
static u32 walk(const char *scenario, u32 stride)
{
	u32 compared = 0, n = 0;
	char line[64];

	session_begin(scenario);
	while (!sim_finished(&session.sim) && n < strides()) {
		snprintf(line, sizeof(line), "step %u", (u32)(1 + mix64(n) % stride));
		must(line);
		compared += check_statuses();
		session.focus.sm = n % session.sim.m->config.gpu_sms;
		if (n % 8 == 0)
			check_panes(n % 16 == 0);
		check_sums();
		check_numbers();
		if (n % 8 == 1)
			check_stats();
		n++;
	}
	check_panes(false);
	check_sums();
	session_end();
	return compared;
}

static void test_walk_default(void **state UNUSED)
{
	assert_true(walk("default.scn", 260) > 4);
}
static void test_walk_synthetic(void **state UNUSED)
{
	assert_true(walk("synthetic.scn", 150) > 4);
}

/* The other scenarios of the library, each from another place on. */
static void test_walk_library(void **state UNUSED)
{
	glob_t found;
	u32 walked = 0, compared = 0;

	assert_int_equal(glob("scenarios/*.scn", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *name = strrchr(found.gl_pathv[i], '/') + 1;

		if (strcmp(name, "default.scn") && strcmp(name, "synthetic.scn")) {
			compared += walk(name, 90 + 40 * (u32)(i % 9));
			walked++;
		}
	}
	globfree(&found);
	assert_true(walked >= 8 && compared > 2 * walked); /* some scenarios are over in a few strides */
}

/* Inside a cycle, at its beginning and after its end the panes hold too; before there is a machine they say so. */
static void test_odd_places(void **state UNUSED)
{
	struct canvas c;
	struct text out = {0};

	session_begin("default.scn");
	check_panes(false);
	check_sums();
	must("step 301");
	for (u32 i = 0; i < STAGE_COUNT; i++) {
		must("step -s seal");
		must("reverse-step");
		check_sums();
	}
	must("step -s issue");
	check_panes(false);
	check_sums();
	session_end();
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	canvas_init(&c, 60, 3, false);
	pane_draw(&session, PANE_warps, &c, 0, NULL);
	canvas_text(&c, &out);
	assert_non_null(strstr(out.s, "no machine yet"));
	canvas_free(&c);
	text_free(&out);
	session_end();
}

/* Does the sum of a pane hold? */
static bool holds(enum pane_id id)
{
	json_t *data = pane_json(&session, id);
	bool is = json_is_true(json_object_get(data, "holds"));

	json_decref(data);
	return is;
}

/* A counter that is off by one shows: in the sum, in the title's cross and its style. */
static void test_wrong_sums(void **state UNUSED)
{
	struct canvas c;
	struct text out = {0};

	session_begin("default.scn");
	must("step 1500");
	struct sm *sm = machine_sm_section(session.sim.m, 0, SECTION_SM);
	struct bank *bank = machine_sm_section(session.sim.m, 0, SECTION_BANK);
	struct sched *sched = machine_sm_section(session.sim.m, 0, SECTION_SCHED);
	assert_true(holds(PANE_warps) && holds(PANE_ctas) && holds(PANE_kernels) && holds(PANE_banks) &&
		    holds(PANE_subcores));
	sm->warps++;
	assert_false(holds(PANE_warps));
	assert_false(holds(PANE_ctas));
	canvas_init(&c, 80, 2, false);
	pane_draw(&session, PANE_warps, &c, 0, NULL);
	canvas_text(&c, &out);
	assert_non_null(strstr(out.s, "Σ 32 ✗"));
	assert_int_equal(c.cell[76].style, STYLE_BAD);
	canvas_free(&c);
	text_free(&out);
	sm->warps--;
	sm->ctas++;
	assert_false(holds(PANE_ctas));
	assert_false(holds(PANE_kernels));
	sm->ctas--;
	bank->count++;
	assert_false(holds(PANE_banks));
	bank->count--;
	sm->outcomes[SLOT_LONG]++;
	assert_false(holds(PANE_subcores));
	sm->outcomes[SLOT_LONG]--;
	sm->stat[STAT_INST_WARP]++;
	assert_false(holds(PANE_stats));
	sm->stat[STAT_INST_WARP]--;
	sched->outcome = sched->outcome == SLOT_ISSUED ? SLOT_LONG : SLOT_ISSUED;
	assert_false(holds(PANE_events));
	session_end();
}

/* Cells of a pane that are marked as changed. */
static u32 marks(enum pane_id id)
{
	struct canvas c;
	u32 n = 0;

	canvas_init(&c, 80, 24, false);
	pane_draw(&session, id, &c, 0, NULL);
	for (u32 i = 0; i < c.width * c.height; i++)
		n += c.cell[i].changed;
	canvas_free(&c);
	return n;
}

/* Marks tell of the last stop: a step marks, standing still does not add, going back and forth is the same. */
static void test_changed(void **state UNUSED)
{
	u32 n;

	session_begin("default.scn");
	must("step 400");
	must("step");
	n = marks(PANE_warps);
	assert_true(n > 0 && n < 80 * 24 / 4);
	assert_int_equal(marks(PANE_warps), n);
	must("step 5");
	must("reverse-step 5");
	must("goto 401"); /* to where it stands */
	assert_int_equal(marks(PANE_warps), 0);
	must("step");
	must("restart");
	assert_int_equal(marks(PANE_warps), 0); /* what was kept is gone with the machine */
	session_end();
}

/* The picture of the last stop outlives writes to memory and registers by the machine. */
static void test_before(void **state UNUSED)
{
	struct pane_view v;
	u64 hash;

	session_begin("default.scn");
	must("step 900");
	hash = sim_hash(&session.sim);
	must("step 3000");
	assert_true(pane_view_before(&session, &v));
	assert_int_equal(machine_gpu(v.sim->m)->cycle, 900);
	assert_true(sim_hash((struct sim *)(uintptr_t)v.sim) == hash);
	session_end();
}

/* Filters choose rows, sorting orders them, and the sum goes on counting all. */
static void test_filter_sort(void **state UNUSED)
{
	json_t *data, *rows;
	i64 last = -1;
	struct error e;

	session_begin("default.scn");
	must("step 1000");
	must("filter warps fetch");
	must("sort warps wait");
	data = pane_json(&session, PANE_warps);
	rows = table(data, "warps");
	assert_true(json_array_size(rows) > 0 && json_array_size(rows) < 32);
	assert_int_equal(json_integer_value(json_object_get(data, "sum")), 32);
	for (size_t i = 0; i < json_array_size(rows); i++) {
		i64 wait = number(json_array_get(rows, i), "wait");

		assert_true(wait >= last);
		last = wait;
		assert_string_equal(json_string_value(json_object_get(json_array_get(rows, i), "s")), "F");
	}
	json_decref(data);
	must("sort warps -wait");
	data = pane_json(&session, PANE_warps);
	assert_int_equal(number(json_array_get(table(data, "warps"), 0), "wait"), last);
	json_decref(data);
	must("filter warps");
	data = pane_json(&session, PANE_warps);
	assert_int_equal(json_array_size(table(data, "warps")), 32);
	json_decref(data);
	assert_int_equal(pane_set_sort(&session, PANE_warps, "height", &e), STATUS_USAGE);
	assert_non_null(strstr(e.message, "wait"));
	assert_int_equal(pane_set_sort(&session, PANE_notes, "wait", &e), STATUS_FAILED);
	session_end();
}

/* `save session` brings filters and orders back, whatever stands in them. */
static void test_saved(void **state UNUSED)
{
	struct text out = {0};

	session_begin("default.scn");
	must("filter stats \"a \\\"b\\\\\\n\"");
	must("sort warps -wait");
	panes_save(&session, &out);
	assert_string_equal(out.s, "sort warps \"-wait\"\nfilter stats \"a \\\"b\\\\\\n\"\n");
	text_free(&out);
	session_end();
}

/* The events pane holds what a machine with every event switched on records, whatever way led there. */
static void test_events(void **state UNUSED)
{
	static const char *const way[] = {"step 300", "step",	 "step 7",    "reverse-step 3",
					  "step 600", "goto 20", "goto 2000", "step 40"};

	session_begin("default.scn");
	for (u32 i = 0; i < ARRAY_LEN(way); i++) {
		json_t *fresh, *data;

		must(way[i]);
		data = pane_json(&session, PANE_events);
		panes_close(&session); /* the recorder begins anew */
		fresh = pane_json(&session, PANE_events);
		assert_true(json_equal(data, fresh));
		assert_true(json_is_true(json_object_get(data, "holds")));
		assert_true(json_array_size(table(data, "events")) > 0);
		json_decref(data);
		json_decref(fresh);
	}
	session_end();
}

/* The console keeps the newest lines, escaped. */
static void test_console(void **state UNUSED)
{
	char line[32];

	session_begin("default.scn");
	console_free(&session);
	for (u32 i = 0; i < CONSOLE_LINES + 10; i++) {
		snprintf(line, sizeof(line), "line %u\n", i);
		console_add(&session, line, strlen(line));
	}
	console_add(&session, "\x1b[2Jnot", 7);
	console_add(&session, " yet\n", 5);
	assert_int_equal(console_count(&session), CONSOLE_LINES);
	assert_string_equal(console_line(&session, 0), "line 11");
	assert_string_equal(console_line(&session, CONSOLE_LINES - 1), "\\x1b[2Jnot yet");
	session_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_walk_default), cmocka_unit_test(test_walk_synthetic),
		cmocka_unit_test(test_walk_library), cmocka_unit_test(test_odd_places),
		cmocka_unit_test(test_wrong_sums),   cmocka_unit_test(test_changed),
		cmocka_unit_test(test_before),	     cmocka_unit_test(test_filter_sort),
		cmocka_unit_test(test_saved),	     cmocka_unit_test(test_events),
		cmocka_unit_test(test_console),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
