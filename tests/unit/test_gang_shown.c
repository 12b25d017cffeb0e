/*
 * test_gang_shown.c - what `why slot` says where a gang took the scheduler before its order chose; whom the pane of
 * gangs counts, and whom it calls ready.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "machine.h"
#include "pane.h"
#include "policy.h"
#include "settings.h"
#include "why.h"
#include "session_bed.h"

#include <string.h>

/* The youngest of what is offered, alone. */
static bool youngest(const struct sched_view *v, const u64 *ready, u64 *gang)
{
	u32 best = NONE32;

	SET_EACH (i, ready, v->m->words)
		if (best == NONE32 || v->warp[v->slot[i].context].age > v->warp[v->slot[best].context].age)
			best = i;
	SET_ADD(gang, best);
	return true;
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {{.name = "youngest", .doc = "", .decide.gang = youngest}};

/* What `why slot 0.0` says. */
static char *said(void)
{
	struct text out = {0};

	why_slot(&session, &session.sim, 0, 0, 0, &out, NULL);
	return out.s;
}

/* Of every cycle in which the youngest of several candidates issued, that a gang took it; of no other. */
static void a_gang_is_named(void **state)
{
	struct policy_choice p = session.sim.m->policy;
	struct error e = {0};
	const char *says = NULL;
	u32 named = 0;

	(void)state;
	policy_put(&p, POLICY_gang, SCHEME_COUNT);
	assert_int_equal(policy_apply(&session, &p, &says, &e), STATUS_OK);
	for (u64 at = 300; at < 340; at++) {
		const struct sched *sched = machine_sm_section(session.sim.m, 0, SECTION_SCHED);
		char *text, *one;

		go(at);
		text = said();
		one = strstr(text, "1. warp ");
		bool other = sched->chosen != NONE16 && one && strstr(text, "2. warp ");

		assert_int_equal(strstr(text, "gang policy youngest took the scheduler") != NULL, other);
		named += other;
		free(text);
	}
	assert_true(named > 3);
}

/* --- the pane --- */

#define PARENTS 4

static const char *text_of(json_t *row, const char *key)
{
	return json_string_value(json_object_get(row, key));
}

/* What the pane says of a cycle: of each parent warp's small warps the letter and whether it is ready, '-' for those
 * that have no row; its rows' sizes, summed. */
struct shown {
	char letter[PARENTS][9], ready[PARENTS][9];
	u32 live[PARENTS];
};

static void look(struct shown *x)
{
	json_t *data = pane_json(&session, PANE_gangs), *row;
	size_t i;

	*x = (struct shown){0};
	for (u32 p = 0; p < PARENTS; p++) {
		strcpy(x->letter[p], "--------");
		strcpy(x->ready[p], "--------");
	}
	json_array_foreach (json_object_get(data, "gangs"), i, row) {
		u32 p = (u32)json_integer_value(json_object_get(row, "parent"));

		assert_true(p < PARENTS);
		x->live[p] += (u32)json_integer_value(json_object_get(row, "size"));
		for (u32 k = 0; k < 8; k++) {
			if (text_of(row, "warps")[k] == '-')
				continue;
			assert_int_equal(x->letter[p][k], '-'); /* in one row only */
			x->letter[p][k] = text_of(row, "warps")[k];
			x->ready[p][k] = text_of(row, "ready")[k];
		}
	}
	/* who is in a row, and who has finished: all that are resident */
	if (x->live[0]) {
		assert_int_equal(json_integer_value(json_object_get(data, "sum")), PARENTS * 8);
		assert_true(json_is_true(json_object_get(data, "holds")));
	}
	json_decref(data);
}

/* A CTA of four warps adds 116 elements: threads 116 to 127, three small warps of the last, end at once, the other five
 * go on. One gang issues in a cycle: a small warp that could have (e) is ready; one that waits for a load (L), in the
 * next cycle, too, is not. */
static void rows_count_and_are_ready(void **state)
{
	struct shown x = {0}, before;
	u32 last[9] = {0}, waited = 0, chosen = 0;

	(void)state;
	while (!sim_finished(&session.sim)) {
		before = x;
		must("step 1");
		look(&x);
		last[x.live[PARENTS - 1]]++;
		for (u32 p = 0; p < PARENTS; p++)
			for (u32 k = 0; k < 8; k++) {
				if (x.letter[p][k] == 'e')
					assert_int_equal(x.ready[p][k], '#');
				if (x.letter[p][k] == 'L' && before.letter[p][k] == 'L')
					assert_int_equal(before.ready[p][k], '-');
				chosen += x.letter[p][k] == 'e';
				waited += x.letter[p][k] == 'L';
			}
	}
	assert_true(waited > 100 && chosen > 10 && last[8] > 10 && last[5] > 100);
	for (u32 n = 1; n < 8; n++)
		assert_true(n == 5 || !last[n]);
}

static int open_gangs(void **state)
{
	static const char *const line[] = {"gpu i-vws",
					   "set vws.gangs_per_cycle 1",
					   "module scenarios/kernels/vecadd.ptx",
					   "buffer a f32[128] iota",
					   "buffer b f32[128] iota",
					   "buffer c f32[128]",
					   "launch vecadd grid 1 block 128 args a b c 116",
					   "step 0"};

	(void)state;
	return bed_session(line, ARRAY_LEN(line));
}

static int open_session(void **state)
{
	static const char *const line[] = {"source scenarios/default.scn", "policy order=oldest", "goto 200"};

	(void)state;
	return bed_session(line, ARRAY_LEN(line));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_gang_is_named)};

	const struct CMUnitTest pane[] = {cmocka_unit_test(rows_count_and_are_ready)};
	int failed = cmocka_run_group_tests_name("why", tests, open_session, close_session);

	return failed | cmocka_run_group_tests_name("pane", pane, open_gangs, close_session);
}
