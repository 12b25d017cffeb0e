/* test_why_gang.c - what `why` says of slices in gangs: which warps issued together, which are in the way, what splits
 * the gang.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "counters.h"
#include "machine.h"
#include "why.h"
#include "session_bed.h"

#include <stdlib.h>
#include <string.h>

static u32 seen_mate[WARP_STATUS_COUNT], seen_own[WARP_STATUS_COUNT], seen_lost, seen_taken;

static char *said_of(u32 warp)
{
	struct text out = {0};

	why_warp(&session, &session.sim, 0, warp, &out, NULL);
	return out.s;
}

/* The slices that the text says stand or issued together, 0: none. */
static u32 slices_said(const char *text, const char *before)
{
	const char *at = strstr(text, before);

	return at ? (u32)strtoul(at + strlen(before), NULL, 10) : 0;
}

/* The gang of the table that a warp is in, as a mask; 0: none. */
static u32 gang_of(u32 warp)
{
	const struct gang *g =
		(struct gang *)machine_sm_section(session.sim.m, 0, SECTION_GANG) + warp / 8 * GANG_ENTRIES;

	for (u32 i = 0; i < GANG_ENTRIES; i++)
		if (g[i].mask >> warp % 8 & 1)
			return g[i].mask;
	return 0;
}

/* One that waits for mates: each of these that is in the way is named, and what it waits for. */
static void check_waiting(u32 warp, const char *text)
{
	u32 mask = gang_of(warp), first = warp & ~7u, named = 0;
	char line[64];

	assert_int_equal(slices_said(text, "the warp is in a gang of "), __builtin_popcount(mask));
	for (u32 left = mask; left; left &= left - 1) {
		u32 mate = first + (u32)__builtin_ctz(left), status = sim_warp_status(&session.sim, 0, mate);

		snprintf(line, sizeof(line), "warp %u was not ready: %s\n", mate, warp_status_table[status].name);
		if (status == WARP_GANG || status == WARP_ELIGIBLE || mate == warp)
			continue;
		assert_non_null(strstr(text, line));
		named++;
		seen_mate[status]++;
	}
	assert_true(named > 0);
	assert_non_null(strstr(text, "the gang splits if "));
}

/* One warp in the cycle; returns whether it is said to have issued in a gang. */
static bool check_one(u32 warp)
{
	const struct warp *w = (struct warp *)machine_sm_section(session.sim.m, 0, SECTION_WARP) + warp;
	u32 status = sim_warp_status(&session.sim, 0, warp);
	bool issued;
	char *text;

	if (status == WARP_STATUS_COUNT || status == WARP_DONE)
		return false;
	text = said_of(warp);
	issued = slices_said(text, "the warp issued in a gang of ") > 1;
	if (status == WARP_GANG && !w->stuck) {
		check_waiting(warp, text);
	} else if (status == WARP_ELIGIBLE && strstr(text, "Ready gangs, ")) {
		assert_non_null(strstr(text, "  <- this warp"));
		seen_lost++;
	} else if (gang_of(warp) && status != WARP_ISSUED && status != WARP_ELIGIBLE) {
		assert_non_null(strstr(text, "the warp is in a gang, "));
		seen_own[status]++;
	}
	assert_true(!issued || (status == WARP_ISSUED && strstr(text, "  <- issued")));
	free(text);
	return issued;
}

/* A scheduler that a gang took says so, and is not said to have put its warps in order for that. */
static void check_scheduler(u32 sub, bool taken)
{
	struct text out = {0};

	why_slot(&session, &session.sim, 0, sub, 0, &out, NULL);
	assert_int_equal(strstr(out.s, "took the scheduler for warp") != NULL, taken);
	seen_taken += taken;
	text_free(&out);
}

/* Warps that are said to have issued in gangs are as many as the engine counted. */
static void check_cycle(u64 cycle)
{
	u64 before, n = 0;
	u32 taken = 0;

	go(cycle - 1);
	sim_sync(&session.sim);
	before = sim_sm_stat(&session.sim, STAT_GANG_SLOTS);
	go(cycle);
	for (u32 i = 0; i < session.sim.m->contexts; i++)
		if (check_one(i)) {
			taken |= 1u << i % 8;
			n++;
		}
	for (u32 i = 0; i < 8; i++)
		check_scheduler(i, taken >> i & 1);
	sim_sync(&session.sim);
	assert_int_equal(n, sim_sm_stat(&session.sim, STAT_GANG_SLOTS) - before);
}

/* Every step of it cycles from..to of a scenario; where an SM is full, a few of its warps. */
static void look(const char *const *line, u32 n, const u64 *span, bool full)
{
	bed_session(line, n);
	must("goto 1");
	for (u64 cycle = span[0]; cycle <= span[1]; cycle += span[2]) {
		if (!full)
			check_cycle(cycle);
		go(cycle);
		for (u32 i = 0; full && i < session.sim.m->contexts; i += 37)
			check_one(i);
	}
	close_session(NULL);
}

/* Gangs that control parts, that wait for one slice's line, that two gangs a cycle are too few for. */
static void gangs_are_named(void **state)
{
	static const char *const split[] = {"source scenarios/vws/split.scn"};
	static const char *const skew[] = {"source scenarios/vws/skew.scn"};
	static const char *const group[] = {"source scenarios/vws/skew.scn", "set vws.split group",
					    "set vws.reform on"};
	static const char *const alone[] = {"source scenarios/vws/skew.scn", "set vws.split impatient"};

	(void)state;
	look(split, 1, (const u64[]){2, 60, 3}, false);
	look(split, 1, (const u64[]){6080, 6110, 2}, false);
	look(split, 1, (const u64[]){12000, 12012, 6}, true);
	look(skew, 1, (const u64[]){860, 940, 9}, false);
	look(group, 3, (const u64[]){7000, 7014, 6}, true);
	look(alone, 2, (const u64[]){900, 920, 5}, false);
	assert_true(seen_mate[WARP_LONG] && seen_own[WARP_LONG] && seen_own[WARP_SHORT]);
	assert_true(seen_lost && seen_taken);
}

/* What would part them depends on what may. */
static void what_parts_them(void **state)
{
	static const char *const line[] = {"source scenarios/vws/skew.scn", "break stall gang", "continue"};
	char *text;

	(void)state;
	bed_session(line, ARRAY_LEN(line));
	text = said_of(3);
	assert_non_null(strstr(text, "or some of its warps exit; it is not re-formed"));
	assert_non_null(strstr(text, "the next instruction needs r")); /* what the mate waits for, at length */
	assert_non_null(strstr(text, "L1D MSHR"));
	free(text);
	must("set vws.split group");
	must("set vws.reform on");
	text = said_of(3);
	assert_non_null(strstr(text, "(vws.split group)"));
	assert_non_null(strstr(text, "(vws.reform on)"));
	assert_null(strstr(text, "not re-formed"));
	free(text);
	close_session(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(gangs_are_named), cmocka_unit_test(what_parts_them)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
