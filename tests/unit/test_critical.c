/* test_critical.c - critical: the path of a kernel of five instructions, by hand; of every scenario, its sum. */
#include "core_bed.h"

#include <glob.h>

#include "parts.h"
#include "session_bed.h"

/* A stretch as it should be. */
struct want {
	u64 from, to;
	u32 reason, pc;
};

/* Three instructions of which each reads the one before, one that reads nothing, and the end. */
static void test_five(void **state UNUSED)
{
	static const struct want want[] = {{3, 4, CRITICAL_FETCH, 0},	  {4, 5, CRITICAL_OPERANDS, 0},
					   {5, 9, CRITICAL_LATENCY, 0},	  {9, 10, CRITICAL_OPERANDS, 1},
					   {10, 14, CRITICAL_LATENCY, 1}, {14, 15, CRITICAL_ISSUE, 3},
					   {15, 16, CRITICAL_ISSUE, 4},	  {16, 0, CRITICAL_RETIRE, 4}};
	struct session s = {.live = true};
	struct bed *b = bed_new();
	struct critical c;
	struct error e;
	u64 hash;

	bed_alu(b, 0, CLASS_INT, 1, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 1, 1);
	bed_alu(b, 0, CLASS_INT, 3, 1, 2);
	bed_alu(b, 0, CLASS_INT, 4, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	s.sim = b->sim;
	s.program = b->program;
	for (u32 i = 0; i < s.sim.m->config.gpu_sms; i++)
		s.sim.view[i].sim = &s.sim;
	s.timeline = timeline_open(&s.sim, 1 << 20, 0);
	hash = sim_hash(&s.sim);
	assert_int_equal(critical_find(&s, 0, &c, &e), STATUS_OK);
	assert_int_equal(sim_hash(&s.sim), hash);
	assert_int_equal(c.n, ARRAY_LEN(want));
	for (u32 i = 0; i < c.n; i++) {
		assert_int_equal(c.stretch[i].from, want[i].from);
		assert_int_equal(c.stretch[i].to, i + 1 < c.n ? want[i].to : c.end);
		assert_int_equal(c.stretch[i].reason, want[i].reason);
		assert_int_equal(c.stretch[i].pc, want[i].pc);
	}
	assert_ptr_equal(critical_at(&c, 9), &c.stretch[2]);
	assert_null(critical_at(&c, 3));
	assert_null(critical_at(&c, c.end + 1));
	free(c.stretch);
	timeline_close(s.timeline);
	b->sim = s.sim;
	bed_close(b);
}

/* The stretches of a path stand without a gap, and add up to the kernel's cycles. */
static void assert_sums(const struct critical *c, const char *path)
{
	u64 at = c->first, sum = 0;

	for (u32 i = 0; i < c->n; i++) {
		if (c->stretch[i].from != at || c->stretch[i].to <= at)
			fail_msg("%s: kernel %u: a gap at %llu", path, c->launch, (unsigned long long)at);
		at = c->stretch[i].to;
		sum += at - c->stretch[i].from;
	}
	if (at != c->end || sum != c->end - c->first)
		fail_msg("%s: kernel %u: %llu of %llu cycles", path, c->launch, (unsigned long long)sum,
			 (unsigned long long)(c->end - c->first));
}

/* Folds leave nothing out. */
static void assert_folds(const struct critical *c)
{
	u32 n, at = 0;
	u64 sum = 0;
	struct fold *f = critical_fold(c, &session.program, &n);

	for (u32 i = 0; i < n; i++) {
		assert_int_equal(f[i].first, at);
		at += f[i].length * f[i].times;
		sum += f[i].cycles;
	}
	assert_int_equal(at, c->n);
	assert_int_equal(sum, c->end - c->first);
	free(f);
}

static u32 found_paths;

/* The path of a kernel of a scenario, beside what the run itself says. */
static void look(const char *path)
{
	struct critical c;
	struct error e = {0};
	FILE *out;
	u64 hash;

	session_open(&session, &all_session_ops);
	session.out = out = fopen("/dev/null", "w");
	session.quiet = session.batch = true;
	session.scenario = xstrdup(path);
	if (command_run_file(&session, path, &e))
		fail_msg("%s: %s", path, e.message);
	must("step 0");
	hash = sim_hash(&session.sim);
	for (u32 i = 0; i < session.program.nlaunch && i < 2; i++) {
		session.max_cycles = 200000;
		if (critical_find(&session, i, &c, &e))
			continue;
		found_paths++;
		assert_sums(&c, path);
		assert_folds(&c);
		assert_int_equal(sim_hash(&session.sim), hash);
		free(c.stretch);
	}
	session_close(&session);
	fclose(out);
}

/* Every scenario of the library; in the tests of CI every third, in the quick ones every sixth, of all folders. */
static void test_every_scenario(void **state UNUSED)
{
	static const char *const folder[] = {
		"scenarios/*.scn",     "scenarios/subcore/*.scn", "scenarios/tlp/*.scn",   "scenarios/elf/*.scn",
		"scenarios/vws/*.scn", "scenarios/multi/*.scn",	  "scenarios/faults/*.scn"};
	glob_t found;

	for (u32 i = 0; i < ARRAY_LEN(folder); i++)
		assert_int_equal(glob(folder[i], i ? GLOB_APPEND : 0, NULL, &found), 0);
	u32 each = getenv("WARPSTEP_LONG") ? 1 : getenv("WARPSTEP_MORE") ? 3 : 6;
	for (size_t i = 0; i < found.gl_pathc; i += each)
		look(found.gl_pathv[i]);
	assert_true(found_paths > 80 / each);
	globfree(&found);
}

/* The sum is the statistic's, whatever moment it is asked at. */
static void test_statistic(void **state)
{
	struct critical c;
	struct error e;

	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	must("gpu tiny");
	must("module tests/ptx/limits/bound.ptx");
	must("launch turns grid 6 block 128");
	must("launch conflict grid 2 block 64");
	for (u32 k = 0; k < 2; k++) {
		must(k ? "run" : "goto 700");
		for (u32 i = 0; i < 2; i++) {
			assert_int_equal(critical_find(&session, i, &c, &e), STATUS_OK);
			assert_sums(&c, "turns");
			if (k)
				assert_int_equal(c.end - c.first, number_of(i ? "kernel.1.cycles" : "kernel.0.cycles"));
			free(c.stretch);
		}
	}
	close_session(state);
}

/* Cycles of a path for some reasons, of a hundred. */
static u32 percent_for(const char *launch, u32 kernel, u64 reasons)
{
	struct critical c;
	struct error e;
	u64 sum = 0;
	u32 percent;
	void *unused = NULL;

	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	must("gpu volta");
	must("set gpu.sms 1");
	must("module tests/ptx/limits/bound.ptx");
	must("synthetic load body 12 iterations 10 mix load 50 int 50 distance 1 access random");
	must("synthetic idiv body 40 iterations 4 mix idiv 100 distance 1");
	must(launch);
	must("step 0");
	assert_int_equal(critical_find(&session, kernel, &c, &e), STATUS_OK);
	for (u32 i = 0; i < c.n; i++)
		sum += reasons >> c.stretch[i].reason & 1 ? c.stretch[i].to - c.stretch[i].from : 0;
	percent = (u32)(sum * 100 / (c.end - c.first));
	free(c.stretch);
	close_session(&unused);
	return percent;
}

/* What kernels that are bound by one thing spend their paths on. */
static void test_reasons(void **state UNUSED)
{
	u64 memory = 1ULL << CRITICAL_CROSSBAR | 1ULL << CRITICAL_DRAM | 1ULL << CRITICAL_BACK | 1ULL << CRITICAL_LSU |
		     1ULL << CRITICAL_L1D | 1ULL << CRITICAL_MEMORY;

	/* of the fifth wave of CTAs nobody waits for the launch, nor long for a place */
	assert_true(percent_for("launch idiv grid 160 block 1024", 0,
				1ULL << CRITICAL_LAUNCH | 1ULL << CRITICAL_DISPATCH) < 5);
	assert_true(percent_for("launch chase grid 1 block 32", 0, 1ULL << CRITICAL_SHARED) > 75);
	assert_true(percent_for("launch load grid 1 block 32", 0, memory) > 85);
	assert_true(percent_for("launch idiv grid 1 block 32", 0, 1ULL << CRITICAL_LATENCY) > 85);
	assert_true(percent_for("launch conflict grid 1 block 256", 0,
				1ULL << CRITICAL_SHARED | 1ULL << CRITICAL_OPERANDS | 1ULL << CRITICAL_RESOURCE) > 85);
}

/* The path of a kernel of chains.ptx and what its parts save. */
static void measure(const char *launch, struct critical *c)
{
	struct error e = {0};

	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	must("gpu volta");
	must("set gpu.sms 1");
	must("set l1i.perfect on");
	must("set lat.pipe 0");
	must("set lat.int 21");
	must("set shared.latency 20");
	must("module tests/ptx/limits/chains.ptx");
	must(launch);
	must("step 0");
	assert_int_equal(critical_find(&session, 0, c, &e), STATUS_OK);
	assert_int_equal(parts_measure(&session, c, NULL, &e), STATUS_OK);
	assert_true(c->measured);
	assert_int_equal(c->alone, c->end - c->first);
}

/* One chain: what the path says is what is saved. Each of the 50 turns waits five times for an integer result (three of
 * the four additions, the count, the predicate; the fourth comes while those are waited for): 21 cycles and one more
 * for the second half of the lanes, of which the 21 become 1, and the operands of the next are there up to 2 earlier.
 */
static void test_one_chain(void **state)
{
	struct critical c = {0};
	u64 sum[CRITICAL_REASONS];

	measure("launch adds grid 1 block 32", &c);
	critical_sums(&c, sum);
	assert_in_range(sum[CRITICAL_LATENCY], 250 * 22, 250 * 22 + 100);
	assert_in_range(c.alone - c.without[CRITICAL_LATENCY], 250 * 20, 250 * 22);
	assert_int_equal(c.without[CRITICAL_SHARED], 0);
	assert_int_equal(c.without[CRITICAL_ISSUE], 0);
	free(c.stretch);
	close_session(state);
}

/* Two chains: the longer one is the path, nearly all of it arithmetic. But without that the other one decides: 200
 * loads of which each waits 20 cycles for the one before, and one or two to issue and to be dispatched. */
static void test_two_chains(void **state)
{
	struct critical c = {0};
	u64 sum[CRITICAL_REASONS];

	measure("launch both grid 1 block 64", &c);
	critical_sums(&c, sum);
	assert_in_range(sum[CRITICAL_LATENCY], 250 * 21, 250 * 22 + 100);
	assert_true(sum[CRITICAL_LATENCY] * 100 > 85 * c.alone);
	assert_in_range(c.without[CRITICAL_LATENCY], 200 * 20, 200 * 23);
	assert_true(3 * (c.alone - c.without[CRITICAL_LATENCY]) < sum[CRITICAL_LATENCY]);
	free(c.stretch);
	close_session(state);
}

/* Every row of critical.def can be put into settings; what nothing frees changes none. */
static void test_rows(void **state UNUSED)
{
	struct config c, before;
	bool changed;

	for (u32 i = 0; i < CRITICAL_REASONS; i++) {
		config_default(&c);
		before = c;
		changed = part_free((enum critical_reason)i, &c);
		assert_int_equal(changed, memcmp(&c, &before, sizeof(c)) != 0);
		if (!*critical_table[i].free)
			assert_memory_equal(&c, &before, sizeof(c));
	}
	config_default(&c);
	c.icnt_latency = 41;
	assert_true(part_free(CRITICAL_BACK, &c));
	assert_int_equal(c.icnt_latency, 20);
	assert_int_equal(c.dram_latency, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_five),	     cmocka_unit_test(test_statistic),
					   cmocka_unit_test(test_reasons),   cmocka_unit_test(test_every_scenario),
					   cmocka_unit_test(test_one_chain), cmocka_unit_test(test_two_chains),
					   cmocka_unit_test(test_rows)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
