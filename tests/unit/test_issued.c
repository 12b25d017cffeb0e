/*
 * test_issued.c - `*` beside an instruction means that this one issued: the rows of every pane that has both, and of
 * `info warps`, against the events of a second machine, in every cycle of a stretch of several scenarios; and that a
 * cycle shows the same when the machine comes back to it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "../../src/cmd/info.h"
#include "events.h"
#include "machine.h"
#include "pane.h"
#include "session_bed.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define CYCLES 800u

static struct sim told; /* it runs beside the session, and records what issues */
static u32 starred;	/* rows that were compared */

/* What a context of an SM issued in the last cycle; NULL: nothing. */
static const struct record *issue_of(u32 sm, u32 warp)
{
	const struct record *found = NULL;

	for (u32 i = 0; i < told.bus.count; i++) {
		const struct record *r = &told.bus.record[i];

		if (r->sm != sm || r->warp != warp)
			continue;
		assert_null(found); /* a context issues once in a cycle */
		found = r;
	}
	return found;
}

static i64 whole(json_t *row, const char *key)
{
	return json_integer_value(json_object_get(row, key));
}

/* The instruction that stands beside a context's status, against its issue, or the next one. */
static void check_beside(json_t *row, u32 sm, u32 warp, bool star)
{
	const struct record *r = issue_of(sm, warp);
	u32 mask, pc = sim_warp_pc(&session.sim, sm, warp, &mask);

	assert_int_equal(star, r != NULL);
	starred += star;
	pc = r ? r->pc : pc;
	if (pc != NONE32)
		assert_int_equal(whole(row, "pc"), pc);
	if (pc != NONE32)
		assert_int_equal(whole(row, "lanes"), r ? r->a : (u32)__builtin_popcount(mask));
	assert_int_equal(*json_string_value(json_object_get(row, "instruction")) != '\0', pc != NONE32);
}

/* The state of a row: pane warps calls it state, `info warps` status. */
static const char *state_in(json_t *row)
{
	json_t *state = json_object_get(row, "state");

	return json_string_value(state ? state : json_object_get(row, "status"));
}

/* Rows of a pane or of `info warps` that have a state each. */
static void check_warps(json_t *rows, u32 sm)
{
	json_t *row;
	size_t i;

	json_array_foreach (rows, i, row)
		check_beside(row, sm, (u32)whole(row, "warp"), !strcmp(state_in(row), "issued"));
}

/* The text that the pane code or source has of an instruction's warps begins with those that issued it. */
static void check_marks(json_t *rows, u32 sm, u32 launch)
{
	const struct kernel *k = session.sim.kernel[launch];
	json_t *row;
	size_t i;

	json_array_foreach (rows, i, row) {
		const char *has = json_string_value(json_object_get(row, "warps"));
		u32 stars = 0, want = 0, pc = (u32)whole(row, "pc");

		for (const char *at = strchr(has, '*'); at; at = strchr(at + 1, '*')) {
			u32 from, to, n = (u32)sscanf(at, "*%u-%u", &from, &to);

			to = n == 2 ? to : from;
			stars += to + 1 - from;
			for (u32 warp = from; warp <= to; warp++)
				assert_int_equal(issue_of(sm, warp)->pc, pc);
		}
		for (u32 n = 0; n < told.bus.count; n++)
			want += told.bus.record[n].sm == sm && told.bus.record[n].pc == pc &&
				sim_warp_status(&session.sim, sm, told.bus.record[n].warp) < WARP_STATUS_COUNT &&
				session.sim.kernel[told.bus.record[n].launch] == k;
		assert_int_equal(stars, want);
	}
}

/* Rows of small warps: one whose letters are all stars shows what each of them issued. */
static void check_gangs(json_t *rows, u32 sm)
{
	json_t *row;
	size_t i;

	json_array_foreach (rows, i, row) {
		const char *letters = json_string_value(json_object_get(row, "warps"));
		u32 first = (u32)whole(row, "parent") << session.sim.m->parent_shift, same = 0, stars = 0, n = 0;

		for (u32 k = 0; letters[k]; k++) {
			const struct record *r = letters[k] == '*' ? issue_of(sm, first + k) : NULL;

			stars += letters[k] == '*';
			n += letters[k] != '-';
			same += r && r->pc == whole(row, "pc");
		}
		if (stars == n)
			assert_int_equal(same, stars);
		starred += same;
	}
}

/* The focus of a look at an SM: its first warp. */
static const struct warp *focus_on(u32 sm)
{
	const struct warp *warp = machine_sm_section(session.sim.m, sm, SECTION_WARP);

	session.focus = (struct focus){.sm = sm};
	while (session.focus.warp + 1 < session.sim.m->contexts && warp[session.focus.warp].cta == NONE16)
		session.focus.warp++;
	return &warp[session.focus.warp];
}

/* What the panes say of an SM, as a hash. */
static u64 said(u32 sm)
{
	static const enum pane_id id[] = {PANE_warps, PANE_code, PANE_source, PANE_gangs};
	u64 hash = 0;

	focus_on(sm);
	for (u32 i = 0; i < ARRAY_LEN(id); i++) {
		json_t *data = pane_json(&session, id[i]);
		char *text = json_dumps(data, JSON_SORT_KEYS);

		hash = XXH64(text, strlen(text), hash);
		free(text);
		json_decref(data);
	}
	return hash;
}

/* The panes of an SM against what issued. */
static void look(u32 sm)
{
	const struct warp *warp = focus_on(sm);
	json_t *warps = pane_json(&session, PANE_warps), *code = pane_json(&session, PANE_code),
	       *gangs = pane_json(&session, PANE_gangs);

	check_warps(json_object_get(warps, "warps"), sm);
	check_gangs(json_object_get(gangs, "gangs"), sm);
	if (warp->cta != NONE16)
		check_marks(json_object_get(code, "code"), sm, warp->launch);
	json_decref(warps);
	json_decref(code);
	json_decref(gangs);
}

/* What `info warps` says of an SM. */
static void check_info(u32 sm)
{
	char number[16];
	struct token t = {.s = number};
	struct error e = {0};

	snprintf(number, sizeof(number), "%u", sm);
	session.json = true;
	assert_int_equal(info_table[INFO_warps]->run(&session, &t, 1, &e), STATUS_OK);
	check_warps(json_object_get(session.result, "warps"), sm);
	json_decref(session.result);
	session.result = NULL;
	session.json = false;
}

/* A scenario's first cycles, or a trace's, with a line more before them; then some of them again, backwards. */
static void walk(const char *scenario, const char *more)
{
	u64 hash[CYCLES + 1] = {0}, last = 0, before;
	struct error e = {0};
	u32 sms;

	bed_session(NULL, 0);
	assert_int_equal(command_run_file(&session, scenario, &e), STATUS_OK);
	if (more)
		must(more);
	must("step 0");
	before = sim_hash(&session.sim);
	sms = session.sim.m->config.gpu_sms;
	assert_int_equal(sim_open(&told, &session.sim.m->config, &session.policy, &session.program, &e), STATUS_OK);
	assert_int_equal(sim_hash(&told), before);
	told.bus.want = EVENT_BIT(EVENT_ISSUE);
	starred = 0;
	while (last < CYCLES && !sim_finished(&session.sim)) {
		go(++last);
		sim_cycle(&told);
		sim_sync(&session.sim);
		look((u32)(last % sms));
		if (last % 16 == 0)
			check_info((u32)(last % sms));
		hash[last] = said((u32)(last % sms));
		if (last % 256 == 0)
			assert_int_equal(sim_hash(&told), sim_hash(&session.sim));
	}
	assert_true(starred > 100);
	for (u64 at = last; at > 0; at -= min_u64(at, 37)) {
		go(at);
		assert_int_equal(said((u32)(at % sms)), hash[at]);
	}
	sim_close(&told);
	close_session(NULL);
}

static void rows_tell_what_issued(void **state UNUSED)
{
	walk("scenarios/matmul.scn", NULL);
	walk("scenarios/bfs.scn", NULL);
	walk("scenarios/warpsync.scn", NULL);
	walk("scenarios/tlp/vt-types.scn", NULL);
}

/* More than one warp of a scheduler in a cycle. */
static void those_beside_the_chosen_one(void **state UNUSED)
{
	walk("scenarios/matmul.scn", "policy extra=steal");
}

static void gangs_of_slices(void **state UNUSED)
{
	walk("scenarios/vws/split.scn", NULL);
	walk("scenarios/vws/reform.scn", NULL);
	walk("scenarios/vws/slip.scn", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_tell_what_issued),
		cmocka_unit_test(those_beside_the_chosen_one),
		cmocka_unit_test(gangs_of_slices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
