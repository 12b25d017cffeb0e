/*
 * test_why_three.c - what `why` says of every status that is met: the thing waited for, the instruction that will give
 * it, the cycle.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "events.h"
#include "machine.h"
#include "why.h"
#include "session_ops.h"
#include "lang.h"

#include <string.h>

/*
 * Links of a chain, any of which will do: thing: register, queue, bank, unit, line; who: the instruction or warp that
 * gives it up. What releases a fetch is no instruction, but a line of code or a lookup; a fence, the line writes; a
 * warp that is done leaves with its CTA.
 */
static const struct {
	const char *thing, *who;
} rule[WARP_STATUS_COUNT] = {[WARP_DONE] = {"cta", "warp cta"},
			     [WARP_BARRIER] = {"barrier released", "warp none barrier released"},
			     [WARP_FENCE] = {"fence", "request fence"},
			     [WARP_FETCH] = {"fetch decode end", "l1i jump decode lookup end"},
			     [WARP_LONG] = {"register", "register"},
			     [WARP_SHORT] = {"register", "register"},
			     [WARP_LSU] = {"lsu loads", "lsu load holder"},
			     [WARP_UNIT] = {"collector", "holder"},
			     [WARP_COLLECTOR] = {"collector banks", "holder"},
			     [WARP_PAUSED] = {"policy", "candidate issued chosen"},
			     [WARP_ELIGIBLE] = {"candidate", "candidate issued chosen"},
			     [WARP_ISSUED] = {"issued", "issued"}};

/* Whether a link of one of these kinds is in the chain. */
static bool has(const json_t *chain, const char *kinds)
{
	char list[128], word[34];

	snprintf(list, sizeof(list), " %s ", kinds);
	for (size_t i = 0; i < json_array_size(chain); i++) {
		snprintf(word, sizeof(word), " %.30s ",
			 json_string_value(json_object_get(json_array_get(chain, i), "link")));
		if (strstr(list, word))
			return true;
	}
	return false;
}

/* Whether the chain says in which cycle it is over, from now on; or that it is not within what was looked at. */
static bool says_when(const json_t *chain, const char *text, u64 now)
{
	for (size_t i = 0; i < json_array_size(chain); i++) {
		const json_t *o = json_array_get(chain, i), *cycle = json_object_get(o, "cycle");

		if (cycle && (u64)json_integer_value(cycle) > now &&
		    strcmp(json_string_value(json_object_get(o, "link")), "request"))
			return true;
	}
	return strstr(text, " by cycle ") || strstr(text, "none will ever be fetched");
}

static u32 reads_seen;

/* An operand that has lost is read in the cycle that is said: in a fork, its bank then grants that register. */
static void check_read(const struct session *s, u32 sm, u32 sub, const char *text)
{
	const char *at = strstr(text, "waits for r");
	unsigned long long cycle;
	unsigned reg, bank, place, of;
	bool granted = false;
	struct sim fork;

	if (!at || sscanf(at, "waits for r%u (bank %u, position %u of %u, read in cycle %llu)", &reg, &bank, &place,
			  &of, &cycle) != 5)
		return;
	sim_fork(&fork, &s->sim);
	fork.bus.want = EVENT_BIT(EVENT_GRANT) | EVENT_BIT(EVENT_REUSE);
	while (machine_gpu(fork.m)->cycle < cycle)
		sim_cycle(&fork);
	for (u32 i = 0; i < fork.bus.count; i++)
		granted |= fork.bus.record[i].sm == sm && fork.bus.record[i].sub == sub &&
			   fork.bus.record[i].a == bank && fork.bus.record[i].b == reg;
	sim_close(&fork);
	if (!granted)
		fail_msg("no such read in cycle %llu:\n%s", cycle, text);
	reads_seen++;
}

/* One warp: all three. Returns its status. */
static u32 check_warp(struct session *s, const char *scenario, u32 sm, u32 warp)
{
	u32 status = sim_warp_status(&s->sim, sm, warp);
	u64 now = timeline_now(s->timeline).cycle;
	json_t *result, *chain;
	struct text out = {0};

	if (status == WARP_STATUS_COUNT)
		return status;
	result = json_object();
	why_warp(s, &s->sim, sm, warp, &out, result);
	chain = json_object_get(result, "chain");
	assert_non_null(rule[status].thing);
	if (!has(chain, rule[status].thing) || !has(chain, rule[status].who) || !says_when(chain, out.s, now))
		fail_msg("%s, cycle %llu, SM %u warp %u, %s: no %s in\n%s", scenario, (unsigned long long)now, sm, warp,
			 warp_status_table[status].name,
			 !has(chain, rule[status].thing) ? rule[status].thing
			 : !has(chain, rule[status].who) ? rule[status].who
							 : "cycle",
			 out.s);
	check_read(s, sm, warp % s->sim.m->config.sm_subcores, out.s);
	json_decref(result);
	text_free(&out);
	return status;
}

/* The first warp that is paused, which is rare: all three of it, too. */
static u32 check_paused(struct session *s, const char *path)
{
	timeline_go(s->timeline, (struct position){0, 0});
	while (!sim_finished(&s->sim) && timeline_now(s->timeline).cycle < 8000) {
		timeline_go(s->timeline, (struct position){timeline_now(s->timeline).cycle + 1, 0});
		for (u32 i = 0; i < s->sim.m->contexts; i++)
			if (sim_warp_status(&s->sim, 0, i) == WARP_PAUSED)
				return 1u << check_warp(s, path, 0, i);
	}
	return 0;
}

/* A scenario, its warps in turn, in cycles all over it; what was met. */
static u32 walk(const char *path, const char *change, u32 looks)
{
	struct session s;
	struct error e = {0};
	u32 met = 0;
	u64 end;

	session_open(&s, &all_session_ops);
	s.out = fopen("/dev/null", "w");
	s.quiet = s.batch = true;
	if (command_run_file(&s, path, &e) || (change && command_run_line(&s, change, NULL, 0, &e)) ||
	    session_make(&s, &e))
		fail_msg("%s: %s", path, e.message);
	timeline_enable(s.timeline);
	timeline_run(s.timeline, NULL, 60000);
	end = timeline_now(s.timeline).cycle;
	for (u32 i = 0; i < looks; i++) {
		u32 n = s.sim.m->contexts, sms = s.sim.m->config.gpu_sms;

		timeline_go(s.timeline, (struct position){1 + (i % 3 ? mix64(i) % (end - 2) : i * 3), 0});
		for (u32 k = 0; k < 4; k++) {
			u32 status =
				check_warp(&s, path, (u32)(mix64(i + 77 * k) % sms), (u32)((mix64(i) + 5 * k) % n));

			met |= status < WARP_STATUS_COUNT ? 1u << status : 0;
		}
	}
	if (change && !strncmp(change, "policy", 6))
		met |= check_paused(&s, path);
	fclose(s.out);
	session_close(&s);
	return met;
}

static void all_three(void **state)
{
	static const struct {
		const char *path, *change;
	} row[] = {{"scenarios/default.scn", NULL},
		   {"scenarios/conv2d.scn", NULL},
		   {"scenarios/conv2d.scn", "set const.perfect off"},
		   {"scenarios/hotspot.scn", NULL},
		   {"scenarios/reduce.scn", NULL},
		   {"scenarios/histogram256.scn", NULL},
		   {"scenarios/bfs.scn", NULL},
		   {"scenarios/transpose.scn", "set lsu.loads 8"},
		   {"scenarios/matmul.scn", "policy order=two-level"},
		   {"scenarios/scan.scn", NULL},
		   {"scenarios/bandwidth.scn", NULL}};
	u32 met = 0, wanted = 1u << WARP_DONE | 1u << WARP_BARRIER | 1u << WARP_FETCH | 1u << WARP_LONG |
			      1u << WARP_SHORT | 1u << WARP_LSU | 1u << WARP_UNIT | 1u << WARP_COLLECTOR |
			      1u << WARP_PAUSED | 1u << WARP_ELIGIBLE | 1u << WARP_ISSUED;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		met |= walk(row[i].path, row[i].change, row[i].change ? 100 : 40);
	assert_true(reads_seen > 5);
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		if (wanted >> i & 1 && !(met >> i & 1))
			fail_msg("%s was not met", warp_status_table[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_three)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
