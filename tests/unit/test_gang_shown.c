/* test_gang_shown.c - what `why slot` says where a gang took the scheduler before its order chose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

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

static int open_session(void **state)
{
	static const char *const line[] = {"source scenarios/default.scn", "policy order=oldest", "goto 200"};

	(void)state;
	return bed_session(line, ARRAY_LEN(line));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_gang_is_named)};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
