/* test_breaks.c - stops: the same in both directions of time, counts that belong to the position, lists, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "breaks.h"
#include "events.h"
#include "machine.h"
#include "rights.h"
#include "session_bed.h"

#include <stdlib.h>
#include <string.h>

#define MOST 4000

/* The same as `watch`. */
static struct breakpoint *add_watch(const char *text)
{
	struct breakpoint *b = NULL;
	struct error e = {0};

	if (breaks_add(&session, break_kind_table[BREAK_watch], text, 1, false, &b, &e))
		fail_msg("watch %s: %s", text, e.message);
	return b;
}

static u64 now(void)
{
	return timeline_now(session.timeline).cycle;
}

/* Run to the end; the cycles of the stops. */
static u32 run_forward(u64 *cycle)
{
	u32 n = 0;

	while (timeline_run(session.timeline, breaks_watcher(session.breaks), NEVER) == STOP_HIT) {
		assert_true(n < MOST);
		cycle[n++] = now();
	}
	return n;
}

/* Run back to the beginning; every stop must be the one before, with a hit count less by one. The last one may be where
 * the program ended, and so the machine stands. */
static void run_back(const struct breakpoint *b, const u64 *cycle, u32 n)
{
	n -= n && cycle[n - 1] == now();
	while (timeline_reverse(session.timeline, breaks_watcher(session.breaks)) == STOP_HIT) {
		assert_true(n > 0);
		n--;
		if (now() != cycle[n])
			fail_msg("%s %s: back to %llu, not %llu", b->kind->name, b->text, (unsigned long long)now(),
				 (unsigned long long)cycle[n]);
		assert_int_equal(breakpoint_hits(&session, b), n + 1);
	}
	assert_int_equal(n, 0);
	assert_int_equal(now(), 0);
	assert_int_equal(breakpoint_hits(&session, b), 0);
}

/* One stop: at least `least` stops forward, the same backward, the same forward again. */
static void both_ways(struct breakpoint *b, u32 least)
{
	static u64 cycle[MOST], again[MOST];
	u32 n;

	go(0);
	n = run_forward(cycle);
	if (n < least)
		fail_msg("%s %s: %u stops", b->kind->name, b->text, n);
	assert_int_equal(breakpoint_hits(&session, b), n);
	run_back(b, cycle, n);
	assert_int_equal(run_forward(again), n);
	assert_memory_equal(cycle, again, n * sizeof(*cycle));
	breaks_delete(session.breaks, b->number);
	go(0);
}

/* Every kind, forwards and backwards. */
static void same_both_ways(void **state)
{
	(void)state;
	both_ways(add_break("cycle 100"), 1);
	both_ways(add_break("250"), 1);
	both_ways(add_break("pc 3"), 2);
	both_ways(add_break("toy"), 2);
	both_ways(add_break("event ctastart"), 1);
	both_ways(add_break("l1dmiss if warp == 1"), 1);
	both_ways(add_break("issue class 1 if cta == 1"), 1);
	both_ways(add_break("if inst.warp > 50"), 1);
	both_ways(add_break("if inst.warp % 16 == 0"), 2);
	both_ways(add_break("stall long for 8"), 1);
	both_ways(add_break("stall long for 8 if warp == 1"), 1);
	both_ways(add_break("lost long for 5"), 1);
	both_ways(add_break("stall long -> issued"), 1);
	both_ways(add_break("stall long->issued as woken if warp == 1"), 1);
	both_ways(add_break("stall issued -> fetch"), 1);
	both_ways(add_break("lost pipeline"), 1);
	both_ways(add_break("ctastart"), 1);
	both_ways(add_break("ctaend"), 1);
	both_ways(add_break("kernelstart"), 1);
	both_ways(add_break("kernelend"), 1);
	both_ways(add_break("conflict depth 1"), 1);
	both_ways(add_break("conflict if depth >= 1 && bank == 0"), 1);
	both_ways(add_watch("mem.lines"), 2);
	both_ways(add_watch("rise sm[0].warps"), 1);
	both_ways(add_watch("fall sm[0].warps if cycle > 10"), 1);
	both_ways(add_watch("above 40 inst.warp"), 1);
	both_ways(add_watch("below 1 sm[0].ctas"), 1);
	both_ways(add_watch("warp[1].status"), 5);
}

/* Every kind of event, whether it happens here or not. */
static void every_event(void **state)
{
	u32 happen = 0;

	(void)state;
	for (u32 i = 0; i < EVENT_COUNT; i++) {
		both_ways(add_break(event_table[i].name), 0);
		go(100000);
		happen += sim_event_count(&session.sim, (enum event_kind)i) > 0;
		go(0);
	}
	assert_true(happen > 12);
}

/* Jumping past stops, then back: those seen for the first time on the way back are the same. */
static void unseen_cycles(void **state)
{
	static u64 cycle[MOST];
	struct breakpoint *b = add_break("pc 3");
	u32 n;

	(void)state;
	go(0);
	n = run_forward(cycle);
	breaks_delete(session.breaks, b->number);
	b = add_break("pc 3");
	go(0);
	go(100000);
	for (u32 i = n; i--;) {
		assert_int_equal(timeline_reverse(session.timeline, breaks_watcher(session.breaks)), STOP_HIT);
		assert_int_equal(now(), cycle[i]);
	}
	assert_int_equal(timeline_reverse(session.timeline, breaks_watcher(session.breaks)), STOP_START);
	assert_int_equal(run_forward(cycle), n);
	breaks_delete(session.breaks, b->number);
	go(0);
}

/* The first hits are let pass, in both directions. */
static void ignore_counts(void **state)
{
	static u64 all[MOST], some[MOST];
	struct breakpoint *b = add_break("pc 3");
	u32 n, m;

	(void)state;
	go(0);
	n = run_forward(all);
	assert_true(n > 3);
	go(0);
	breakpoint_ignore(&session, b, 2);
	m = run_forward(some);
	assert_int_equal(m, n - 2);
	assert_memory_equal(some, all + 2, m * sizeof(*some));
	for (u32 i = m; i--;) {
		assert_int_equal(timeline_reverse(session.timeline, breaks_watcher(session.breaks)), STOP_HIT);
		assert_int_equal(now(), some[i]);
	}
	assert_int_equal(timeline_reverse(session.timeline, breaks_watcher(session.breaks)), STOP_START);
	breaks_delete(session.breaks, b->number);
	go(0);
}

/* Stop once, report, and see what it says and does. */
static bool report(struct text *t)
{
	bool resume = false;
	struct error e = {0};

	text_clear(t);
	text_add(t, "%s", "");
	assert_int_equal(timeline_run(session.timeline, breaks_watcher(session.breaks), NEVER), STOP_HIT);
	assert_int_equal(breaks_report(session.breaks, t, &resume, &e), 0);
	return resume;
}

/* Temporary ones go; disabled ones do not stop; lists run, silent ones say nothing, `continue` goes on. */
static void reports(void **state)
{
	struct text t = {0};
	struct breakpoint *b, *c;
	struct error e = {0};
	char *list[] = {(char[]){"silent"}, (char[]){"disable"}, (char[]){"continue"}};

	(void)state;
	assert_int_equal(breaks_add(&session, NULL, "cycle 20", 1, true, &b, &e), 0);
	c = add_break("cycle 30");
	assert_false(report(&t));
	assert_non_null(strstr(t.s, "cycle 20"));
	assert_int_equal(session.breaks->n, 1);
	assert_false(report(&t));
	assert_non_null(strstr(t.s, "cycle 30"));
	assert_int_equal(now(), 30);
	go(0);
	c->command = xcalloc(3, sizeof(char *));
	c->commands_from = rights_now(&session);
	for (c->ncommands = 0; c->ncommands < 3; c->ncommands++)
		c->command[c->ncommands] = xstrdup(list[c->ncommands]);
	assert_true(report(&t));
	assert_string_equal(t.s, "");
	assert_false(c->enabled);
	assert_int_equal(session.last_hits, 1);
	go(0);
	assert_true(timeline_run(session.timeline, breaks_watcher(session.breaks), NEVER) != STOP_HIT);
	breaks_delete(session.breaks, c->number);
	text_free(&t);
	go(0);
}

/* An input in the past cuts the future, and the hits in it. */
static void future_cut(void **state)
{
	static u64 cycle[MOST];
	struct breakpoint *b = add_break("pc 3");
	u32 n, half;

	(void)state;
	go(0);
	n = run_forward(cycle);
	half = n / 2;
	go(cycle[half] + 1);
	must("set lat.int 40");
	breaks_watcher(session.breaks);
	assert_int_equal(b->nhits, half + 1);
	run_forward(cycle);
	assert_true(b->nhits > half);
	for (u32 i = 1; i < b->nhits; i++)
		assert_true(b->hit[i].cycle > b->hit[i - 1].cycle);
	breaks_delete(session.breaks, b->number);
	must("set lat.int 4");
	must("restart");
	must("step 1");
	go(0);
}

/* What is refused, and why. Nothing is left behind. */
static void refused(void **state)
{
	static const struct {
		const char *text, *words;
	} row[] = {{"cycle", "missing cycle number"},
		   {"cycle x", "integer"},
		   {"cycle 5 6", "unexpected '6'"},
		   {"nowhere", "no launched kernel"},
		   {"pc", "missing location"},
		   {"pc 3000", "no instruction 3000"},
		   {"event", "name of an event"},
		   {"event isue", "did you mean 'issue'"},
		   {"issue colour 3", "no number 'colour'"},
		   {"issue class", "missing class"},
		   {"issue if nope", "unknown name 'nope'"},
		   {"issue if 1 +", "expected a value"},
		   {"issue if", "missing condition"},
		   {"if", "missing expression"},
		   {"if lanes > 3", "lanes"},
		   {"stall lng", "did you mean 'long'"},
		   {"stall long ->", "missing warp state"},
		   {"stall long -> shrt", "did you mean 'short'"},
		   {"stall long -> short 5", "unexpected '5'"},
		   {"stall long for 3 -> short", "only `if CONDITION` may follow"},
		   {"cycle 7 as 7x", "invalid name '7x'"},
		   {"cycle 7 as", "unexpected 'as'"},
		   {"cycle 7 as a b", "invalid name 'a b'"},
		   {"stall long for", "number of cycles"},
		   {"stall long for 0", "at least 1"},
		   {"stall long 5", "for N"},
		   {"lost nothing", "not an issue-slot outcome"},
		   {"cycle 99999999999999999999", "integer"},
		   {"watch", "missing expression"},
		   {"conflict bank 7", "no bank 7: a sub-core has 1"},
		   {"conflict depth 0", "at least 1"},
		   {"conflict depth", "missing depth"},
		   {"conflict colour 3", "(bank, depth)"},
		   {"imbalance 5", "for N"},
		   {"imbalance for 0", "at least 1"},
		   {"watch fall", "missing expression"},
		   {"stall", "missing warp state (`explain"},
		   {"stall long -> ", "missing warp state (`explain"},
		   {"lost", "not an issue-slot outcome"},
		   {"nowhere.cu:4", "no launched kernel"},
		   {"watch above x ipc", "must be followed by a number"},
		   {"watch nope", "unknown name 'nope'"}};
	struct breakpoint *b;
	u32 before = session.breaks->n;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct error e = {0};

		if (!breaks_add(&session, NULL, row[i].text, 1, false, &b, &e))
			fail_msg("%s: taken", row[i].text);
		if (!strstr(e.message, row[i].words))
			fail_msg("%s: %s", row[i].text, e.message);
	}
	assert_int_equal(session.breaks->n, before);
}

/* A transition is where the statuses of two cycles in a row say so: looked up cycle by cycle. */
static void transitions(void **state)
{
	static u64 cycle[MOST];
	struct breakpoint *b = add_break("stall long -> issued if sm == 0 && warp == 0");
	u32 n, found = 0, last = WARP_STATUS_COUNT;

	(void)state;
	go(0);
	n = run_forward(cycle);
	for (u64 c = 0; c <= timeline_tip(session.timeline).cycle; c++) {
		u32 status;

		go(c);
		status = sim_warp_status(&session.sim, 0, 0);
		if (last == WARP_LONG && status == WARP_ISSUED)
			assert_int_equal(cycle[found++], c);
		last = status;
	}
	assert_int_equal(found, n);
	assert_true(n > 0);
	breaks_delete(session.breaks, b->number);
	go(0);
}

/* A stall stops once, when it has lasted as long as asked for, however long it lasts. */
static void stalls_stop_once(void **state)
{
	static u64 cycle[MOST];
	struct breakpoint *b = add_break("stall long for 8 if sm == 0 && warp == 1");
	u32 n, found = 0, run = 0, longest = 0;

	(void)state;
	go(0);
	n = run_forward(cycle);
	for (u64 c = 0; c <= timeline_tip(session.timeline).cycle; c++) {
		go(c);
		run = sim_warp_status(&session.sim, 0, 1) == WARP_LONG ? run + 1 : 0;
		longest = max_u32(longest, run);
		if (run == 8)
			assert_int_equal(cycle[found++], c);
	}
	assert_int_equal(found, n);
	assert_true(n > 0 && longest > 8);
	breaks_delete(session.breaks, b->number);
	go(0);
}

/* Lines of a text, which must all differ. */
static u32 different_lines(const char *text)
{
	u32 n = 0;

	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1, n++)
		for (const char *other = text; other < line; other = strchr(other, '\n') + 1)
			assert_false(!strncmp(line, other, (size_t)(end - line) + 1));
	return n;
}

/* At every stop of a kind that counts cycles in a row all that met it are listed, forwards and on the way back; asking
 * changes nothing. `many`: cycles in which more than one must have. */
static void stop_hits_all(const char *what, u32 many)
{
	struct breakpoint *b = add_break(what);
	u32 more = 0;

	go(0);
	for (u32 way = 0; way < 2; way++) {
		while ((way ? timeline_reverse(session.timeline, breaks_watcher(session.breaks))
			    : timeline_run(session.timeline, breaks_watcher(session.breaks), NEVER)) == STOP_HIT) {
			struct text lines = {0};
			u64 hash = sim_hash(&session.sim);
			u32 n = breakpoint_met_now(&session, b, &lines);

			assert_int_equal(different_lines(lines.s), n);
			assert_null(strstr(lines.s, " more\n"));
			assert_int_equal(sim_hash(&session.sim), hash);
			more += n > 1;
			text_free(&lines);
		}
	}
	if (more < many)
		fail_msg("%s: %u", what, more);
	breaks_delete(session.breaks, b->number);
	go(0);
}

static void all_that_met(void **state)
{
	(void)state;
	stop_hits_all("stall long for 8", 2);
	stop_hits_all("stall fetch", 2);
	stop_hits_all("stall long -> issued", 0);
	stop_hits_all("stall fetch -> issued if cta > 0", 0);
	stop_hits_all("lost long for 4", 0);
	stop_hits_all("lost fetch for 2", 2);
	stop_hits_all("imbalance for 2", 0);
}

/* The warp that a stop is about becomes the focused one; a stop about none leaves the focus. */
static void stops_focus(void **state)
{
	struct breakpoint *b = add_break("issue if sm == 1 && warp == 3");
	struct text t = {0};

	(void)state;
	go(0);
	session.focus = (struct focus){0};
	assert_false(report(&t));
	assert_int_equal(session.focus.sm, 1);
	assert_int_equal(session.focus.warp, 3);
	assert_int_equal(session.focus.sub, 3 % session.sim.m->config.sm_subcores);
	breaks_delete(session.breaks, b->number);
	b = add_watch("mem.lines");
	assert_false(report(&t));
	assert_int_equal(session.focus.warp, 3);
	breaks_delete(session.breaks, b->number);
	session.focus = (struct focus){0};
	text_free(&t);
	go(0);
}

/* Names stand for numbers wherever a stop is named. */
static void names(void **state)
{
	struct breakpoint *b = add_break("cycle 20 as hot"), *other = NULL;
	struct text t = {0};
	struct error e = {0};

	(void)state;
	assert_ptr_equal(breaks_named(session.breaks, "hot"), b);
	assert_int_equal(breaks_add(&session, NULL, "cycle 30 as hot", 1, false, &other, &e), STATUS_FAILED);
	assert_non_null(strstr(e.message, "is already named 'hot'"));
	must("disable hot");
	assert_false(b->enabled);
	must("enable hot");
	must("ignore hot 1");
	assert_int_equal(b->ignore_rank, 1);
	must("ignore hot 0");
	must("condition hot cycle > 3");
	assert_non_null(b->condition);
	assert_false(report(&t));
	assert_non_null(strstr(t.s, "(hot): cycle 20"));
	text_clear(&t);
	breakpoint_text(b, &t);
	assert_string_equal(t.s, "cycle 20 as hot if cycle > 3");
	must("delete hot");
	assert_null(breaks_named(session.breaks, "hot"));
	assert_true(command_run_line(&session, "delete hot", NULL, 0, &e) != STATUS_OK);
	text_free(&t);
	go(0);
}

/* What a run did not meet is said, with the longest run where a length was asked for; what could not be looked up is
 * said. */
static void unmet(void **state)
{
	char said[400] = "";
	FILE *out = session.out;

	(void)state;
	session.out = fmemopen(said, sizeof(said), "w");
	must("break stall long for 4000");
	must("break stall issued for 1");
	must("break cycle 99999999");
	session.breaks->list[1]->enabled = false;
	go(0);
	must("continue");
	fclose(session.out);
	session.out = out;
	assert_non_null(strstr(said, "(stall long for 4000) was not hit: the longest lasted "));
	assert_non_null(strstr(said, "(cycle 99999999) was not hit"));
	assert_null(strstr(said, "(stall issued"));
	must("delete");
	go(0);
}

/* A saved script makes the same stops and displays again. */
static void saved(void **state)
{
	struct text t = {0};
	struct display *d;
	struct error e = {0};

	(void)state;
	session.breaks->next_number = 1;
	breakpoint_ignore(&session, add_break("stall long for 8 as slow if warp == 1"), 3);
	add_watch("rise mem.lines")->enabled = false;
	assert_int_equal(display_add(&session, 'x', "gpu.cycle + 1", 1, &d, &e), 0);
	breaks_save(session.breaks, &t);
	assert_string_equal(
		t.s,
		"break stall long for 8 as slow if warp == 1\nwatch rise mem.lines\ndisable 2\ndisplay/x gpu.cycle + 1\n");
	text_clear(&t);
	breaks_save_hits(session.breaks, &t);
	assert_string_equal(t.s, "ignore 1 3\n");
	text_clear(&t);
	display_text(&session, d, &t);
	assert_string_equal(t.s, "1: gpu.cycle + 1 = 0x1");
	text_free(&t);
}

/* Numbers and hits come back: a gap where one was deleted, the cycles of hits up to here, what is ignored after those.
 */
static void numbers_kept(void **state)
{
	struct text made = {0}, hits = {0}, again = {0};
	struct breakpoint *b;
	char ignore[40];

	(void)state;
	must("delete");
	must("undisplay");
	go(0);
	session.breaks->next_number = 4;
	b = add_break("event issue if warp == 0");
	must("number 9");
	must("break event ctastart");
	must("break event ctaend");
	must("delete 10");
	must("continue");
	for (u32 i = 0; i < 20; i++)
		must("continue");
	breakpoint_ignore(&session, b, 7);
	breaks_save(session.breaks, &made);
	breaks_save_hits(session.breaks, &hits);
	assert_string_equal(made.s,
			    "number 4\nbreak event issue if warp == 0\nnumber 9\nbreak event ctastart\nnumber 11\n");
	assert_true(breakpoint_hits(&session, b) > 16);
	snprintf(ignore, sizeof(ignore), "ignore 4 %llu\n",
		 breakpoint_hits(&session, b) + 7); /* before its hits are told */
	assert_non_null(strstr(hits.s, ignore));
	must("delete");
	session.breaks->next_number = 1;
	for (char *line = strtok(made.s, "\n"); line; line = strtok(NULL, "\n"))
		must(line);
	text_add(&again, "%s", hits.s);
	for (char *line = strtok(again.s, "\n"); line; line = strtok(NULL, "\n"))
		must(line);
	text_clear(&again);
	breaks_save_hits(session.breaks, &again);
	assert_string_equal(again.s, hits.s);
	must("break cycle 1");
	assert_int_equal(session.last_break, 11);
	must("delete");
	text_free(&made);
	text_free(&hits);
	text_free(&again);
}

/* Continue to the end; the cycles of the stops and what each says is its number. */
static u32 numbered(u64 *cycle, u64 *number)
{
	struct error e = {0};
	u32 n = 0;

	for (;;) {
		u64 before = now();

		session.last_hits = NEVER;
		assert_int_equal(command_run_line(&session, "continue", NULL, 0, &e), STATUS_OK);
		if (session.last_hits == NEVER)
			return n;
		assert_true(n < MOST && now() > before);
		cycle[n] = now();
		number[n++] = session.last_hits;
	}
}

/* As a user goes there. */
static void go_there(u64 cycle)
{
	char line[64];

	snprintf(line, sizeof(line), "goto %llu", (unsigned long long)cycle);
	must(line);
}

/* A stop that is made late has the same numbers whatever way the machine goes: on from there, back to the beginning and
 * on again, over hits with `goto` and `step`. What lies before is met, and has no number. */
static void late_numbers(void **state)
{
	static u64 cycle[MOST], number[MOST], again[MOST], same[MOST];
	struct breakpoint *b;
	u32 n, before = 0, later;
	u64 made;

	(void)state;
	must("delete");
	go(0);
	must("goto 300");
	made = now();
	b = add_watch("rise inst.warp");
	n = numbered(cycle, number);
	assert_true(n > 40);
	for (u32 i = 0; i < n; i++)
		assert_int_equal(number[i], i + 1);
	go(0);
	later = numbered(again, same);
	while (again[before] <= made)
		before++;
	assert_true(before > 3 && later == before + n);
	for (u32 i = 0; i < later; i++) {
		assert_int_equal(same[i], i < before ? 0 : number[i - before]);
		assert_int_equal(again[i], i < before ? again[i] : cycle[i - before]);
	}
	while (now() > made) {
		must("reverse-continue");
		for (u32 i = 0; i < n; i++)
			if (cycle[i] == now())
				assert_int_equal(breakpoint_hits(&session, b), number[i]);
	}
	/* made again, and gone over hits without a stop */
	must("delete");
	go(made);
	b = add_watch("rise inst.warp");
	go_there(cycle[n / 2] - 2);
	must("step 2");
	assert_int_equal(breakpoint_hits(&session, b), number[n / 2]);
	must("continue");
	assert_int_equal(session.last_hits, number[n / 2 + 1]);
	/* off and on: it counts from there */
	must("disable");
	go_there(cycle[n - 3]);
	must("enable");
	must("continue");
	assert_int_equal(session.last_hits, 1);
	must("delete");
	go(0);
}

/* A small GPU with a synthetic kernel of two CTAs that loads. */
static int open_session(void **state)
{
	static const char *const setup[] = {"set gpu.sms 2",
					    "set sm.subcores 2",
					    "set sm.collectors 1",
					    "set sm.banks 1",
					    "set dram.latency 40",
					    "set icnt.latency 8",
					    "set l2.latency 12",
					    "synthetic toy iterations 4 body 8 mix int 3 load 1 distance 2",
					    "launch toy grid 2 block 128",
					    "step 1",
					    "goto 0"};

	(void)state;
	return bed_session(setup, ARRAY_LEN(setup));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_both_ways), cmocka_unit_test(every_event),      cmocka_unit_test(unseen_cycles),
		cmocka_unit_test(ignore_counts),  cmocka_unit_test(reports),	      cmocka_unit_test(future_cut),
		cmocka_unit_test(transitions),	  cmocka_unit_test(stalls_stop_once), cmocka_unit_test(names),
		cmocka_unit_test(stops_focus),	  cmocka_unit_test(refused),	      cmocka_unit_test(unmet),
		cmocka_unit_test(saved),	  cmocka_unit_test(numbers_kept),     cmocka_unit_test(late_numbers),
		cmocka_unit_test(all_that_met),
	};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
