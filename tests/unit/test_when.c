/*
 * test_when.c - when: stretches against a look at every cycle; who: accesses against the store's events and against
 * what places hold cycle by cycle; neither changes the machine.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "events.h"
#include "machine.h"
#include "session_bed.h"
#include "when.h"
#include "who.h"

#include <stdlib.h>
#include <string.h>

#define CYCLES 900

static struct expr *compiled(const char *text)
{
	struct error e = {0};
	struct expr *x = NULL;

	if (expr_compile(&session, text, &x, &e))
		fail_msg("%s: %s", text, e.message);
	return x;
}

static u64 hash(void)
{
	return sim_hash(&session.sim);
}

/* --- when --- */

/* The expression in every cycle from..to, as it is there. */
static void look_at_all(const char *text, u64 from, u64 to, bool *out)
{
	for (u64 c = from; c <= to; c++) {
		go(c);
		out[c] = number_of(text) != 0;
	}
}

/* when_find() tells of each cycle what a walk to it shows. */
static void check_when(const char *text, u64 from, u64 to)
{
	bool *seen = xcalloc(to + 2, sizeof(*seen));
	struct expr *x = compiled(text);
	struct error e = {0};
	struct when w;
	u64 cycles = 0, n = 0, before;

	look_at_all(text, from, to, seen);
	before = hash();
	assert_int_equal(when_find(&session, x, from, to, &w, &e), STATUS_OK);
	assert_true(before == hash());
	for (u64 c = from; c <= to; c++) {
		cycles += seen[c];
		n += seen[c] && (c == from || !seen[c - 1]);
	}
	assert_int_equal(w.cycles, cycles);
	assert_int_equal(w.n, n);
	assert_int_equal(w.nkept, n);
	for (u32 i = 0; i < w.nkept; i++) {
		const struct when_stretch *k = &w.kept[i];

		for (u64 c = k->from; c <= k->to; c++)
			assert_true(seen[c]);
		assert_true(k->from == from || !seen[k->from - 1]);
		assert_true(k->to == to || !seen[k->to + 1]);
		assert_true(k->to - k->from <= w.longest.to - w.longest.from);
	}
	if (n) {
		assert_int_equal(w.first.from, w.kept[0].from);
		assert_int_equal(w.last.to, w.kept[n - 1].to);
	}
	when_free(&w);
	expr_free(x);
	free(seen);
}

static void test_when_walks(void **state)
{
	(void)state;
	go(CYCLES);
	check_when("warp[1].status == long", 1, CYCLES);
	check_when("sub[0].eligible == 0", 1, 300);
	check_when("sm[0].long > 4", 100, 300);
	check_when("ipc > 1.2", 1, 300);
	check_when("$cycle % 7 < 3", 1, 200);
	check_when("1", 50, 60);
	check_when("0", 50, 60);
}

static void test_when_tallies(void **state)
{
	(void)state;
	for (u64 c = 10; c < 400; c += 37) {
		i64 all = 0;

		go(c);
		for (u32 i = 0; i < session.sim.m->contexts; i++)
			all += sim_warp_status(&session.sim, 0, i) == WARP_SHORT;
		assert_int_equal(number_of("sm[0].short"), all);
	}
}

/* A value that is not there yet is counted and does not hold. */
static void test_when_without_value(void **state)
{
	struct expr *x;
	struct error e = {0};
	struct when w;

	(void)state;
	go(CYCLES);
	x = compiled("warp[0].reg[0][0] >= 0");
	assert_int_equal(when_find(&session, x, 0, 50, &w, &e), STATUS_OK);
	assert_true(w.without > 0 && w.cycles + w.without == 51);
	assert_true(strlen(w.why.message) > 0);
	when_free(&w);
	assert_int_equal(when_find(&session, x, 1u << 30, NEVER - 2, &w, &e), STATUS_FAILED);
	when_free(&w);
	expr_free(x);
}

/* --- who --- */

/* Accesses to a place up to now. */
static struct who looked(const char *place, bool writes)
{
	struct who w = {.reads = !writes, .writes = writes, .to = session_now(&session).cycle};
	struct error e = {0};

	if (datum_parse(&session, place, 1, &w.datum, &e))
		fail_msg("%s: %s", place, e.message);
	if (who_find(&session, &w, &e))
		fail_msg("%s: %s", place, e.message);
	return w;
}

/* What the place holds at a cycle. */
static u64 value_at(const struct datum *x, u64 cycle)
{
	u64 v = 0;

	go(cycle);
	datum_read(&session.sim, x, &v);
	return v;
}

/* Each write found is seen by walking there; between them the place keeps its value. */
static void check_writes(const char *place, u32 least)
{
	u64 end = session_now(&session).cycle, before = hash();
	struct who w = looked(place, true);

	assert_true(before == hash());
	assert_true(w.n >= least);
	for (u64 i = 0; i < w.n; i++) {
		const struct access *a = who_access(&w, i);
		bool last = i + 1 == w.n || who_access(&w, i + 1)->cycle > a->cycle;

		if (i)
			assert_true(who_access(&w, i - 1)->after == a->before);
		if (!i || who_access(&w, i - 1)->cycle < a->cycle)
			assert_true(value_at(&w.datum, a->cycle - 1) == a->before);
		if (last)
			assert_true(value_at(&w.datum, a->cycle) == a->after);
	}
	assert_true(value_at(&w.datum, end) == w.now);
	who_free(&w);
}

static void test_who_walks(void **state)
{
	(void)state;
	go(CYCLES);
	check_writes("r18 lane 3", 4);
	check_writes("d0 lane 1", 3);
	check_writes("p0 lane 2", 1);
	check_writes("sm[0].warp[1].r13 lane 31", 2);
	check_writes("shared.f32[5]", 1);
	check_writes("shared.u8[21]", 1);
	must("run");
	check_writes("c[5]", 1);
	check_writes("global.u16[c + 6]", 1);
}

/* Sum of the first number of all records of a kind. */
static u64 records_of(u32 kind)
{
	struct sim fork;
	u64 sum = 0, end = session_now(&session).cycle;
	u32 applied;

	timeline_fork(session.timeline, (struct position){0, 0}, &fork, &applied);
	fork.bus.want = EVENT_BIT(kind);
	for (u64 c = 0; c < end; c++) {
		timeline_follow(session.timeline, &fork, &applied, (struct position){c + 1, 0});
		for (u32 i = 0; i < fork.bus.count; i++)
			sum += fork.bus.record[i].a;
	}
	sim_close(&fork);
	return sum;
}

/* Stores of all lanes are those to all elements. */
static void test_who_sums(void **state)
{
	u64 sum = 0;

	(void)state;
	must("run");
	for (u32 i = 0; i < 256; i++) {
		char place[16];
		struct who w;

		snprintf(place, sizeof(place), "c[%u]", i);
		w = looked(place, true);
		sum += w.n;
		who_free(&w);
	}
	assert_int_equal(sum, records_of(EVENT_STORE));
	assert_int_equal(sum, 256);
}

/* Elements are read as often as the program reads them: each of a by 16 lanes, once for each row of its tile. */
static void test_who_reads(void **state)
{
	struct who w;

	(void)state;
	must("run");
	w = looked("a[17]", false);
	assert_int_equal(w.n, 1);
	assert_int_equal(who_access(&w, 0)->lane, 17);
	assert_int_equal(who_access(&w, 0)->before, who_access(&w, 0)->after);
	who_free(&w);
	go(1);
	must("next");
	must("step 600");
	w = looked("shared.f32[17]", false);
	for (u64 i = 0; i < w.n; i++)
		assert_int_equal(who_access(&w, i)->kind, ACCESS_READ);
	who_free(&w);
}

/* Atomics on global memory, chained, and what the host has put there. */
static void test_who_atomics(void **state)
{
	u64 sum = 0;

	(void)state;
	must("run");
	for (u32 i = 0; i < 64; i++) {
		char place[16];
		struct who w;

		snprintf(place, sizeof(place), "n[%u]", i);
		w = looked(place, true);
		for (u64 k = 1; k < w.n; k++)
			assert_true(who_access(&w, k - 1)->after == who_access(&w, k)->before);
		if (w.n)
			assert_true(who_access(&w, w.n - 1)->after == w.now);
		sum += w.n;
		who_free(&w);
	}
	assert_int_equal(sum, records_of(EVENT_ATOMIC));
	assert_int_equal(sum, 128);
	go(500);
	check_writes("shared.u32[3]", 2);
	check_writes("shared.u8[13]", 2);
}

static const struct buffer *buffer_named(const char *name)
{
	u32 i = 0;

	while (strcmp(session.program.buffer[i].name, name))
		i++;
	return &session.program.buffer[i];
}

/* Every write that meets the place, whether it begins before it or behind its beginning: the last word of a warp's row
 * and the first of the next warp's, each by itself, both, and half of one. */
static void test_who_meets(void **state)
{
	static const struct {
		const char *type;
		u32 at, n, lane;
	} row[] = {{"u32", 31 * 4, 1, 31}, {"u32", 32 * 4, 1, 0}, {"u64", 31 * 4, 2, 0}, {"u16", 31 * 4 + 2, 1, 31}};
	char place[48];

	(void)state;
	must("run");
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct who w;

		snprintf(place, sizeof(place), "global.%s[%llu]", row[i].type,
			 (unsigned long long)(buffer_named("c")->address + row[i].at));
		w = looked(place, true);
		assert_int_equal(w.n, row[i].n);
		for (u32 k = 0; k < w.n; k++)
			assert_int_equal(who_access(&w, k)->kind, ACCESS_WRITE);
		if (w.n == 1)
			assert_int_equal(who_access(&w, 0)->lane, row[i].lane);
		else
			assert_int_equal(who_access(&w, 0)->lane + who_access(&w, 1)->lane, 31);
		who_free(&w);
	}
	must("goto 1");
}

static void test_who_host(void **state)
{
	struct who w;

	(void)state;
	go(200);
	must("set var c[3] = 7");
	go(300);
	w = looked("c[3]", true);
	assert_int_equal(w.n, 1);
	assert_int_equal(who_access(&w, 0)->kind, ACCESS_HOST);
	assert_int_equal(who_access(&w, 0)->cycle, 200);
	who_free(&w);
}

/* One CTA of matmul. */
static int open_matmul(void **state)
{
	static const char *const setup[] = {"gpu tiny",
					    "module scenarios/kernels/matmul.ptx",
					    "buffer a f32[256] iota 1",
					    "buffer b f32[256] iota 2",
					    "buffer c f32[256]",
					    "launch matmul16 grid 1,1 block 16,16 args a b c 16",
					    "step 1"};

	(void)state;
	return bed_session(setup, ARRAY_LEN(setup));
}

/* Histogram: warps of two CTAs add to the same elements. */
static int open_histogram(void **state)
{
	static const char *const setup[] = {"gpu tiny",
					    "module tests/ptx/histogram.ptx",
					    "buffer d u8[500] random 41 0 63 integer",
					    "buffer n u32[64]",
					    "launch histogram grid 2 block 64 args d n 500",
					    "step 1"};

	(void)state;
	return bed_session(setup, ARRAY_LEN(setup));
}

int main(void)
{
	const struct CMUnitTest matmul[] = {
		cmocka_unit_test(test_when_walks),	   cmocka_unit_test(test_when_tallies),
		cmocka_unit_test(test_when_without_value), cmocka_unit_test(test_who_walks),
		cmocka_unit_test(test_who_sums),	   cmocka_unit_test(test_who_reads),
		cmocka_unit_test(test_who_host),	   cmocka_unit_test(test_who_meets),
	};
	const struct CMUnitTest histogram[] = {cmocka_unit_test(test_who_atomics)};
	int failed = cmocka_run_group_tests_name("when and who", matmul, open_matmul, close_session);

	return failed | cmocka_run_group_tests_name("atomics", histogram, open_histogram, close_session);
}
