/*
 * test_shadow.c - counts per instruction and the checks of kernels: they find what is wrong and nothing else, sums
 * equal the totals, going back takes them back, and nothing else notices them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "counters.h"
#include "events.h"
#include "lines.h"
#include "lang.h"
#include "machine.h"
#include "stats.h"
#include "session_ops.h"

#include <stdlib.h>
#include <string.h>

static const char all_on[] =
	"set stats.lines on\nset check.races on\nset check.uninitialized on\nset check.barriers on\n"
	"set check.banks on\nset check.coalescing on\n";
static const char all_off[] =
	"set stats.lines off\nset check.races off\nset check.uninitialized off\nset check.barriers off\n"
	"set check.banks off\nset check.coalescing off\n";

/* Run lines in a session; they must succeed. */
static void go(struct session *s, const char *lines)
{
	struct error e = {0};

	if (command_run_line(s, lines, NULL, 1, &e))
		fail_msg("%s: line %u: %s", lines, e.line, e.message);
}

/* A session that says nothing. */
static void open_session(struct session *s)
{
	static FILE *nowhere;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	session_open(s, &all_session_ops);
	s->out = nowhere;
}

/* A kernel of checks.ptx on two warps, with every check on, not yet run. */
static void stage(struct session *s, const char *kernel, const char *buffer)
{
	struct text t = {0};

	open_session(s);
	text_add(
		&t,
		"gpu tiny\nmodule tests/ptx/checks.ptx\nbuffer out u32[1024] %s\nlaunch %s grid 1 block 64 args out\n%s",
		buffer, kernel, all_on);
	go(s, t.s);
	text_free(&t);
}

/* Findings of a kind on SM 0, and the first of them. */
static u32 findings(const struct session *s, u32 kind, struct finding *first)
{
	const struct findings *f = shadow_findings(&s->sim, 0);
	u32 n = 0;

	for (u32 i = 0; f && i < f->n; i++) {
		if (f->item[i].kind != kind)
			continue;
		if (!n++)
			*first = f->item[i];
	}
	return n;
}

/* The opcode of an instruction begins so. */
static void assert_inst(const struct session *s, u32 pc, const char *begins)
{
	const struct kernel *k = s->program.launch[0].kernel;

	assert_true(pc < k->ninst);
	if (strncmp(kernel_text(k, pc), begins, strlen(begins)))
		fail_msg("instruction %u is %s, not %s", pc, kernel_text(k, pc), begins);
}

struct race_row {
	const char *kernel;
	u32 write_write, read_write, write_read, unwritten, barriers, events;
	i32 same; /* of write after write: -1 do not look, 0 none, 1 all */
	const char *at, *with;
};

/* Each kernel has what is wrong with it, once, and nothing else. */
static void each_kernel(void **state)
{
	static const struct race_row row[] = {
		{"unordered", .write_read = 1, .events = 2, .same = -1, .at = "ld.shared", .with = "st.shared"},
		{"ordered", .same = -1},
		{"reads_first", .read_write = 1, .unwritten = 1, .events = 2, .same = -1, .at = "st.shared",
		 .with = "ld.shared"},
		{"all_store_seven", .write_write = 1, .events = 2, .same = 1, .at = "st.shared", .with = "st.shared"},
		{"all_store_tid", .write_write = 1, .events = 2, .same = 0, .at = "st.shared", .with = "st.shared"},
		{"bytes", .same = -1},
		{"atomics", .unwritten = 1, .same = -1},
		{"global_in_turn", .same = -1},
		{"two_barriers", .barriers = 1, .same = -1},
		{"global_late_read", .write_read = 1, .events = 1, .same = -1, .at = "@p1 ld.global",
		 .with = "@p0 st.global"},
		{"global_late_write", .read_write = 1, .events = 1, .same = 1, .at = "@p0 st.global",
		 .with = "@p1 ld.global"},
		{"global_flag", .same = -1},
		{"global_no_fence", .write_read = 1, .events = 1, .same = -1, .at = "ld.global",
		 .with = "@p0 st.global"},
		{"copied", .same = -1},
		{"copied_left", .write_read = 1, .events = 2, .same = -1, .at = "ld.shared", .with = "cp.async"},
		{"copied_late", .write_read = 1, .events = 2, .same = -1, .at = "ld.shared", .with = "cp.async"},
		{"copied_over", .write_write = 1, .events = 2, .same = 1, .at = "cp.async", .with = "cp.async"},
	};
	struct session s;
	struct finding f;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		const u32 want[] = {row[i].write_write, row[i].read_write, row[i].write_read, row[i].unwritten,
				    row[i].barriers};

		stage(&s, row[i].kernel, "zero");
		go(&s, "run");
		for (u32 k = 0; k < FINDING_KIND_COUNT; k++)
			if (findings(&s, k, &f) != want[k])
				fail_msg("%s: %u findings of %s", row[i].kernel, findings(&s, k, &f), finding_name[k]);
		if (sim_event_count(&s.sim, EVENT_RACE) != row[i].events)
			fail_msg("%s: %llu races", row[i].kernel,
				 (unsigned long long)sim_event_count(&s.sim, EVENT_RACE));
		for (u32 k = 0; k <= FINDING_WRITE_READ && row[i].at; k++) {
			if (!findings(&s, k, &f))
				continue;
			assert_inst(&s, f.pc, row[i].at);
			assert_inst(&s, f.pc2, row[i].with);
			assert_true(row[i].same < 0 || f.same == (row[i].same ? f.count : 0));
		}
		session_close(&s);
	}
}

/* Who raced with whom, and where. */
static void who_and_where(void **state)
{
	struct session s;
	struct finding f = {0};

	(void)state;
	stage(&s, "unordered", "zero");
	go(&s, "run");
	assert_int_equal(findings(&s, FINDING_WRITE_READ, &f), 1);
	assert_int_equal(f.thread / 32 + f.thread2 / 32, 1);
	assert_int_equal(f.thread ^ f.thread2, 32);
	assert_int_equal(f.address, 4 * f.thread2);
	assert_int_equal(s.program.launch[0].kernel->inst[f.pc].source_line, 5);
	assert_int_equal(s.program.launch[0].kernel->inst[f.pc2].source_line, 4);
	session_close(&s);
}

/* Stores to global memory: out[1] = 5 by both warps is the same value, out[0] = 0 and 1 is not. */
static void global_stores(void **state)
{
	struct session s;
	const struct findings *f;

	(void)state;
	stage(&s, "global_stores", "fill 5");
	go(&s, "run");
	f = shadow_findings(&s.sim, 0);
	assert_non_null(f);
	assert_int_equal(f->n, 2);
	for (u32 i = 0; i < 2; i++) {
		bool five = f->item[i].address == s.program.buffer[0].address + 4;

		assert_int_equal(f->item[i].kind, FINDING_WRITE_WRITE);
		if (five)
			assert_int_equal(f->item[i].same, f->item[i].count);
		else
			assert_true(f->item[i].same < f->item[i].count);
	}
	session_close(&s);
}

/* Global memory that nothing was said of, and some of which the user wrote. */
static void unwritten_global(void **state)
{
	struct session s;
	struct finding f = {0};

	(void)state;
	stage(&s, "reads_global", "");
	go(&s, "run");
	assert_int_equal(findings(&s, FINDING_UNWRITTEN, &f), 1);
	assert_int_equal(f.space, SPACE_GLOBAL);
	assert_int_equal(f.count, 2);
	assert_int_equal(sim_event_count(&s.sim, EVENT_UNINITIALISED), 2);
	session_close(&s);
	stage(&s, "reads_global", "zero");
	go(&s, "run");
	assert_int_equal(findings(&s, FINDING_UNWRITTEN, &f), 0);
	session_close(&s);
	stage(&s, "reads_global", "");
	go(&s, "goto 1");
	{
		u32 words[32] = {0};

		sim_poke(&s.sim, s.program.buffer[0].address, words, sizeof(words));
	}
	go(&s, "run");
	assert_int_equal(findings(&s, FINDING_UNWRITTEN, &f), 1);
	assert_int_equal(f.address, s.program.buffer[0].address + 128);
	session_close(&s);
}

/* Bank conflicts and sectors as computed by hand: two warps, 2 cycles instead of 1, 32 sectors instead of 4. */
static void strides(void **state)
{
	struct session s;
	struct line_count c;
	u64 shared = 0, shared_best = 0, sectors = 0, sectors_best = 0;

	(void)state;
	stage(&s, "strided", "zero");
	go(&s, "run");
	for (u32 pc = 0; pc < s.program.launch[0].kernel->ninst; pc++) {
		assert_true(shadow_line(&s.sim, 0, pc, &c));
		shared += c.shared_cycles;
		shared_best += c.shared_best;
		sectors += c.sectors;
		sectors_best += c.sectors_best;
	}
	assert_int_equal(shared, 4);
	assert_int_equal(shared_best, 2);
	assert_int_equal(sectors, 64);
	assert_int_equal(sectors_best, 8);
	assert_int_equal(sim_event_count(&s.sim, EVENT_BANK_CONFLICT), 2);
	assert_int_equal(sim_event_count(&s.sim, EVENT_UNCOALESCED), 2);
	session_close(&s);
}

/* Of the cycles of an atomic those are told apart in which the 2^shift lanes of one word take turns. */
static void turns(void **state)
{
	(void)state;
	for (u32 i = 0; i < 12; i++) {
		u32 shift = i % 6, each = i / 6 * 2;
		struct session s;
		struct line_count c;
		u64 sum = 0, cycles = 0;
		char line[200];

		session_open(&s, &all_session_ops);
		s.out = fopen("/dev/null", "w");
		snprintf(
			line, sizeof(line),
			"gpu tiny\nset stats.lines on\nset shared.atomic %u\nmodule scenarios/course/kernels/conflict.ptx\n"
			"buffer out s32[32]\nlaunch votes grid 1 block 32 args out %u\nrun",
			each, shift);
		go(&s, line);
		for (u32 pc = 0; pc < s.program.launch[0].kernel->ninst; pc++) {
			assert_true(shadow_line(&s.sim, 0, pc, &c));
			sum += c.turns;
			cycles += c.turns ? c.shared_cycles : 0;
		}
		assert_int_equal(sum, ((1u << shift) - 1) * each);
		assert_int_equal(cycles, sum ? 1 + sum : 0);
		session_close(&s);
	}
}

/* The report of a barrier that half a warp reached. */
static void half_a_warp(void **state)
{
	struct session s;
	struct error e = {0};

	(void)state;
	stage(&s, "half", "zero");
	assert_int_equal(command_run_line(&s, "run", NULL, 1, &e), STATUS_CHECK);
	assert_non_null(strstr(e.message, "lanes 0-15 reached it"));
	assert_non_null(strstr(e.message, "lanes 16-31 are at pc"));
	assert_non_null(strstr(e.message, "checks.cu:4"));
	session_close(&s);
}

/* Every count of every instruction and what was found: everything that observers keep. */
static u64 observed(struct session *s)
{
	u64 sum = 0;
	u32 n;
	struct line_row *row = lines_collect(s, NULL, &n);

	for (u32 i = 0; i < n; i++) {
		const u64 *x = (const u64 *)(const void *)&row[i].count;

		for (u32 k = 0; k < sizeof(row[i].count) / sizeof(*x); k++)
			sum = mix64(sum + x[k]);
	}
	free(row);
	for (u32 i = 0; i < s->sim.m->config.gpu_sms; i++) {
		const struct findings *f = shadow_findings(&s->sim, i);
		const u8 *p = (const u8 *)f;

		for (u32 k = 0; f && k < sizeof(*f); k++)
			sum = sum * 31 + p[k];
	}
	return sum;
}

static const char *const scenario[] = {"scenarios/bfs.scn",	 "scenarios/matmul.scn",    "scenarios/transpose.scn",
				       "scenarios/reduce.scn",	 "scenarios/synthetic.scn", "scenarios/collatz.scn",
				       "tests/ptx/histogram.scn"};

/* Open a scenario, with the checks if `on`. */
static void open_scenario(struct session *s, const char *path, bool on)
{
	struct error e = {0};

	open_session(s);
	if (command_run_file(s, path, &e))
		fail_msg("%s: %s", path, e.message);
	if (on)
		go(s, all_on);
}

/* Sums over instructions are the totals. */
static void sums(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(scenario); i++) {
		struct line_count sum = {0};
		struct session s;
		struct line_row *row;
		u32 n;

		open_scenario(&s, scenario[i], true);
		go(&s, "goto 1500");
		for (u32 end = 0; end < 2; end++) {
			memset(&sum, 0, sizeof(sum));
			row = lines_collect(&s, NULL, &n);
			for (u32 k = 0; k < n; k++) {
				u64 *to = (u64 *)(void *)&sum;
				const u64 *x = (const u64 *)(const void *)&row[k].count;

				for (u32 j = 0; j < sizeof(sum) / sizeof(*to); j++)
					to[j] += x[j];
			}
			free(row);
			assert_int_equal(sum.issues, sim_sm_stat(&s.sim, STAT_INST_WARP));
			assert_int_equal(sum.threads, sim_sm_stat(&s.sim, STAT_INST_THREAD));
			assert_int_equal(sum.accesses, sim_sm_stat(&s.sim, STAT_MEM_INSTS));
			assert_int_equal(sum.lines, sim_sm_stat(&s.sim, STAT_MEM_LINES));
			assert_int_equal(sum.sectors, sim_sm_stat(&s.sim, STAT_MEM_SECTORS));
			for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
				if (sum.statuses[k] != sim_status_sum(&s.sim, k))
					fail_msg("%s: %s: %llu at instructions, %llu in all", scenario[i],
						 warp_status_table[k].name, (unsigned long long)sum.statuses[k],
						 (unsigned long long)sim_status_sum(&s.sim, k));
			if (!end)
				go(&s, "run");
		}
		assert_int_equal(sum.shared_cycles, sim_sm_stat(&s.sim, STAT_SHARED_CYCLES));
		session_close(&s);
	}
}

/* With all checks or none the machine is the same; with them, in any order of SMs and without sleep, they say the same.
 */
static void nothing_notices(void **state)
{
	static const char *const host[] = {"set engine.order 7", "set engine.major stage", "set engine.sleep off"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(scenario); i++) {
		struct session a, b;
		u64 hash, seen;

		open_scenario(&a, scenario[i], false);
		go(&a, "run");
		hash = sim_hash(&a.sim);
		open_scenario(&b, scenario[i], true);
		go(&b, "run");
		assert_int_equal(sim_hash(&b.sim), hash);
		assert_int_equal(session_config_hash(&a), session_config_hash(&b));
		seen = observed(&b);
		session_close(&a);
		session_close(&b);
		for (u32 k = 0; k < ARRAY_LEN(host); k++) {
			open_scenario(&b, scenario[i], true);
			go(&b, host[k]);
			go(&b, "run");
			if (observed(&b) != seen)
				fail_msg("%s: %s changes what is observed", scenario[i], host[k]);
			session_close(&b);
		}
	}
}

/* Forwards, back, and forwards again; switched on late; off and on: what is observed is a function of the position. */
static void time_runs_both_ways(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(scenario); i++) {
		struct session s;
		u64 at_700, at_1400, never;

		open_scenario(&s, scenario[i], true);
		go(&s, "goto 700");
		at_700 = observed(&s);
		go(&s, "goto 1400");
		at_1400 = observed(&s);
		go(&s, "goto 700");
		assert_int_equal(observed(&s), at_700);
		go(&s, "goto 1400\nreverse-step 30\nstep 30");
		assert_int_equal(observed(&s), at_1400);
		session_close(&s);
		open_scenario(&s, scenario[i], false);
		go(&s, "goto 1500\ngoto 1400");
		never = observed(&s);
		go(&s, all_on);
		assert_int_equal(observed(&s), at_1400);
		go(&s, all_off);
		assert_int_equal(observed(&s), never);
		go(&s, all_on);
		go(&s,
		   "set check.races off\nset stats.lines off\nset check.banks off\nset check.coalescing off\ngoto 0\ngoto 900\ngoto 0");
		go(&s, all_on);
		go(&s, "goto 1400");
		assert_int_equal(observed(&s), at_1400);
		session_close(&s);
	}
}

/* A what-if keeps no shadow, though it begins before a setting that is applied on its way. */
static void forks_keep_none(void **state)
{
	struct session s;
	u64 before;

	(void)state;
	open_scenario(&s, scenario[0], true);
	go(&s, "step 700\nset dram.wr 7\nset sched.group 4\nstep 3");
	before = observed(&s);
	go(&s, "why slot 0.0\nwhy warp 0\nwhy slot 0.0 at 702");
	assert_int_equal(observed(&s), before);
	session_close(&s);
}

/* A synthetic kernel has addresses but no values: nothing can be said of them. */
static void no_values(void **state)
{
	struct session s;
	struct finding f;

	(void)state;
	open_scenario(&s, "scenarios/synthetic.scn", true);
	go(&s, "run");
	for (u32 k = 0; k < FINDING_KIND_COUNT; k++)
		assert_int_equal(findings(&s, k, &f), 0);
	session_close(&s);
}

/* What needs counts or a check switches it on, and finds what the run has had so far; not so what is no check's. */
static void switched_off(void **state)
{
	struct session s;
	struct error e = {0};
	struct finding f;

	(void)state;
	open_scenario(&s, scenario[1], false);
	go(&s, "step");
	go(&s, "break event issue");
	assert_int_equal(s.sim.shadow, 0);
	go(&s, "stats lines");
	assert_int_equal(s.sim.shadow, SHADOW_LINES);
	go(&s, "print events.uninitialized");
	assert_int_equal(s.sim.shadow, SHADOW_LINES | SHADOW_WRITTEN);
	go(&s, "break race");
	assert_int_equal(s.sim.shadow, SHADOW_LINES | SHADOW_WRITTEN | SHADOW_RACES);
	assert_int_equal(findings(&s, FINDING_WRITE_WRITE, &f), 0);
	go(&s, "stats lines matmul16\ninfo conflicts\ninfo checks");
	assert_int_equal(command_run_line(&s, "stats lines nothing", NULL, 1, &e), STATUS_FAILED);
	assert_int_equal(command_run_line(&s, "stats ipc matmul16", NULL, 1, &e), STATUS_USAGE);
	session_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kernel),	   cmocka_unit_test(who_and_where),
		cmocka_unit_test(global_stores),   cmocka_unit_test(unwritten_global),
		cmocka_unit_test(strides),	   cmocka_unit_test(turns),
		cmocka_unit_test(half_a_warp),	   cmocka_unit_test(sums),
		cmocka_unit_test(nothing_notices), cmocka_unit_test(time_runs_both_ways),
		cmocka_unit_test(forks_keep_none), cmocka_unit_test(no_values),
		cmocka_unit_test(switched_off),
	};

	return cmocka_run_group_tests_name("shadow", tests, NULL, NULL);
}
