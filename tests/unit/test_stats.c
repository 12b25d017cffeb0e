/* test_stats.c - statistics: names, sums, formulas, arrays, and the hash of what ran. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "machine.h"
#include "stats.h"
#include "session_bed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A statistic that must exist. */
static double get(const char *name)
{
	struct value v;

	if (!stat_get(&session, name, &v))
		fail_msg("no statistic %s", name);
	return value_as_real(v);
}

struct seen {
	char *copy[1000];
	u32 n, arrays;
	double sum;
};

static void collect(void *self, const struct stat_value *v)
{
	struct seen *s = self;

	for (u32 i = 0; i < s->n; i++)
		assert_string_not_equal(s->copy[i], v->name);
	assert_true(s->n < 1000 && v->count >= 1 && v->doc[0]);
	s->copy[s->n++] = xstrdup(v->name);
	s->arrays += v->array;
	s->sum += v->text ? 0 : value_as_real(v->value[0]);
}

/* Collect what a glob gives; returns how many. */
static u32 match(const char *glob, bool host, struct seen *s)
{
	memset(s, 0, sizeof(*s));
	stats_each(&session, glob, host, collect, s);
	for (u32 i = 0; i < s->n; i++)
		free(s->copy[i]);
	return s->n;
}

/* Rows of the table that every launch has. */
static u32 rows_of_a_kernel(void)
{
	u32 n = 0;

	for (u32 i = 0; i < stat_table_rows; i++)
		n += stat_table[i].source == FROM_KERNEL;
	return n;
}

/* Every name is there once, under the names that the manual promises; globs choose. */
static void names(void **state)
{
	static const char *const promised[] = {"cycle",
					       "inst.warp",
					       "inst.thread",
					       "ipc",
					       "slots.issued",
					       "slots.total",
					       "warps.long",
					       "rf.reads",
					       "rf.conflict_cycles",
					       "subcore.issued",
					       "subcore.cov",
					       "l1i.misses",
					       "l1d.hits",
					       "l2.merges",
					       "dram.row_hits",
					       "mem.latency",
					       "occupancy.warps",
					       "cta.finished",
					       "kernel.0.cycles",
					       "kernel.0.inst.thread",
					       "events.issue",
					       "host.seconds",
					       "host.rate"};
	struct seen s;
	struct stat_handle h;
	u32 all = match(NULL, true, &s);

	(void)state;
	assert_int_equal(s.arrays, 1);
	assert_int_equal(match(NULL, false, &s), all - 2);
	assert_int_equal(match("host.*", true, &s), 2);
	assert_int_equal(match("config.hash", true, &s), 1);
	assert_int_equal(match("kernel.1.*", true, &s), rows_of_a_kernel());
	assert_int_equal(match("kernel.2.*", true, &s), 0);
	assert_int_equal(match("nothing", true, &s), 0);
	for (u32 i = 0; i < ARRAY_LEN(promised); i++)
		if (!stat_find(promised[i], &h))
			fail_msg("no statistic %s", promised[i]);
	assert_false(stat_find("kernel.x.cycles", &h));
	assert_false(stat_find("kernel.", &h));
	assert_false(stat_find("kernel.99999999999.cycles", &h));
}

/* What must add up does; formulas are what they say. */
static void sums(void **state)
{
	struct seen s;
	struct value v;
	struct stat_handle h;
	double sub = 0, squares = 0, mean;

	(void)state;
	match("slots.*", false, &s);
	assert_true(s.sum == 2 * get("slots.total") + get("slots.pipeline") &&
		    s.sum > 0); /* its causes make it once more */
	match("warps.*", false, &s);
	assert_true(s.sum == get("occupancy.warp_cycles") && s.sum > 0);
	assert_true(get("kernel.0.inst.warp") + get("kernel.1.inst.warp") == get("inst.warp"));
	assert_true(get("events.issue") == get("inst.warp"));
	assert_true(get("ipc") == get("inst.warp") / get("cycle") &&
		    get("ipc.thread") == get("inst.thread") / get("cycle"));
	assert_true(stat_find("subcore.issued", &h));
	assert_int_equal(stat_count(&session, h), 4);
	for (u32 i = 0; i < 4; i++) {
		assert_true(stat_read(&session, h, i, &v));
		sub += value_as_real(v);
	}
	assert_false(stat_read(&session, h, 4, &v));
	assert_true(sub == get("inst.warp"));
	mean = sub / 8;
	for (u32 i = 0; i < 8; i++) {
		const struct sub *x = machine_sm_section(session.sim.m, i / 4, SECTION_SUB);

		squares += ((double)x[i % 4].issued - mean) * ((double)x[i % 4].issued - mean);
	}
	assert_true(fabs(get("subcore.cov") - sqrt(squares / 8) / mean) < 1e-12);
}

/* config.hash follows what changes a result, and nothing else. */
static void config_hash(void **state)
{
	u64 first = session_config_hash(&session), second;

	(void)state;
	assert_int_equal(get("host.seconds") >= 0, 1);
	must("set engine.sleep off");
	must("set time.budget 100");
	must("step 5");
	assert_true(session_config_hash(&session) == first);
	must("set lat.int 7");
	second = session_config_hash(&session);
	assert_true(second != first);
	must("set lat.int 4");
	assert_true(session_config_hash(&session) == first);
	must("set sm.banks 4");
	must("restart");
	assert_true(session_config_hash(&session) != first);
}

/* Before there is a machine nothing has a value, and nothing breaks. */
static void no_machine(void **state)
{
	struct session empty = {0};
	struct seen s = {0};
	struct value v;

	(void)state;
	config_default(&empty.config);
	stats_each(&empty, NULL, true, collect, &s);
	assert_int_equal(s.n, 0);
	assert_false(stat_get(&empty, "ipc", &v));
	assert_false(stat_get(&empty, "nothing", &v));
}

/* Two synthetic kernels on two SMs, run to the end. */
static int open_session(void **state)
{
	static const char *const setup[] = {"set gpu.sms 2",
					    "set sm.subcores 4",
					    "synthetic one iterations 5 body 8 mix int 3 load 1 distance 2",
					    "synthetic two iterations 3 body 6 mix fp32 1 distance 1",
					    "launch one grid 3 block 64",
					    "launch two grid 2 block 96",
					    "run"};

	(void)state;
	return bed_session(setup, ARRAY_LEN(setup));
}

/* What `stats` prints of a sum with parts: as many lines as there are, and what they add up to. */
static u32 parts_of(const char *said, const char *family, double *sum)
{
	u32 n = 0;

	*sum = 0;
	for (const char *line = said; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		char name[64], others[64] = "";
		double value;

		if (strncmp(line, "  ", 2) || strncmp(line + 2, family, strlen(family)))
			continue;
		if (sscanf(line, " %63s (%*u %63[^)]) %lf", name, others, &value) != 3)
			assert_int_equal(sscanf(line, " %63s %lf", name, &value), 2);
		*sum += value;
		n++;
	}
	return n;
}

/* A glance: of a sum at most six lines, which add up to it; no zeros; far fewer statistics than there are. */
static void glance(void **state)
{
	char *said = NULL;
	size_t size = 0;
	FILE *before = session.out, *f = open_memstream(&said, &size);
	double sum;

	(void)state;
	assert_non_null(f);
	must("synthetic three iterations 40 body 12 mix fp32 6 int 4 load 2 distance 4");
	must("launch three grid 8 block 512");
	must("restart");
	must("run");
	session.out = f;
	must("stats");
	session.out = before;
	fclose(f);
	assert_in_range(parts_of(said, "slots.", &sum), 2, 6);
	assert_true(sum == get("slots.total") && get("slots.pipeline") > 0);
	assert_in_range(parts_of(said, "warps.", &sum), 2, 6);
	assert_true(sum == get("occupancy.warp_cycles"));
	assert_null(strstr(said, " 0 "));
	assert_non_null(strstr(said, "warps.* ("));
	assert_non_null(strstr(said, "kernel.1.ipc"));
	assert_null(strstr(said, "l1d.refused.queue"));
	free(said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),       cmocka_unit_test(sums),	     cmocka_unit_test(glance),
		cmocka_unit_test(config_hash), cmocka_unit_test(no_machine),
	};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
