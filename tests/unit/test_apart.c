/*
 * test_apart.c - lanes of a warp that part: who meets, who waits for good, whose turn it is, and what old GPUs refuse.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "counters.h"
#include "events.h"
#include "session_ops.h"
#include "lang.h"
#include "machine.h"
#include "meet.h"
#include "ops.h"
#include "why.h"

#include <string.h>

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A session with launches of a module by hand; each line is a command. */
static void begin(struct session *s, const char *module, const char *const *line)
{
	struct error e = {0};

	session_open(s, &all_session_ops);
	s->out = fopen("/dev/null", "w");
	s->quiet = s->batch = true;
	assert_int_equal(command_run_line(s, "gpu tiny", NULL, 0, &e), STATUS_OK);
	assert_int_equal(command_run_line(s, module, NULL, 0, &e), STATUS_OK);
	assert_int_equal(command_run_line(s, "buffer f u32[32] zero", NULL, 0, &e), STATUS_OK);
	for (; *line; line++)
		if (command_run_line(s, *line, NULL, 0, &e))
			fail_msg("%s: %s", *line, e.message);
	assert_int_equal(session_make(s, &e), STATUS_OK);
}

static void end(struct session *s)
{
	FILE *out = s->out;

	session_close(s);
	fclose(out);
}

/* Run to the end with the clock, which ends as said; its message. */
static void run(struct session *s, enum status want, char *message, size_t size)
{
	struct error e = {0};

	timeline_go(s->timeline, (struct position){200000, 0});
	assert_true(sim_finished(&s->sim));
	assert_int_equal(session_end_status(s, &e), want);
	snprintf(message, size, "%s", e.message);
}

/* The same without; returns how it ended. */
static enum status functional(struct session *s, struct store *out, char *message, size_t size)
{
	struct functional_result count;
	struct error e = {0};
	struct sim fresh;
	u32 applied;
	enum status st;

	timeline_fork(s->timeline, (struct position){0, 0}, &fresh, &applied);
	store_fork(out, &fresh.store);
	st = functional_run(&s->program, out, 100000, &count, &e);
	snprintf(message, size, "%s", e.message);
	sim_close(&fresh);
	return st;
}

/* A kernel whose parts wait for each other for good: a deadlock, explained; and without the clock. */
static void deadlock(const char *launch, const char *const *said)
{
	struct session s;
	struct text out = {0};
	struct store values;
	char message[sizeof(((struct error *)0)->message)];

	begin(&s, "module tests/ptx/apart.ptx", LINES(launch));
	run(&s, STATUS_DEADLOCK, message, sizeof(message));
	assert_int_equal(sim_warp_status(&s.sim, 0, 0), WARP_GANG);
	assert_true(why_deadlock(&s, &s.sim, &out, NULL));
	for (; *said; said++)
		if (!strstr(out.s, *said))
			fail_msg("%s: no '%s' in\n%s", launch, *said, out.s);
	text_free(&out);
	assert_int_equal(functional(&s, &values, message, sizeof(message)), STATUS_DEADLOCK);
	assert_non_null(strstr(message, "wait for each other at instructions that do not match"));
	store_free(&values);
	end(&s);
}

static void deadlocks(void **state)
{
	(void)state;
	deadlock(
		"launch kinds grid 1 block 32 args f",
		LINES("warp 0 (SM 0, CTA 0) waits for its own lanes", "    lanes 16-31 wait in 3: vote.sync.ballot.b32",
		      "    lanes 0-15 wait in 5: shfl.sync.idx.b32 r1, r0, 3, 31, 0xffffffff for lanes 16-31, which wait "
		      "in a different instruction or with a different mask"));
	deadlock("launch ring grid 1 block 32 args f", LINES("  lanes 0-7 wait in", "for lanes 8-15, which wait",
							     "  lanes 8-15 wait in", "for lanes 16-31, which wait"));
	deadlock("launch chained grid 1 block 64 args f", LINES("waits for its own lanes", "for lanes 0-15"));
	deadlock("launch products grid 1 block 32 args f", LINES("  lanes 0-15 wait in", "mma.sync"));
}

/* The word of each lane at the end, with the clock and without. */
static void values(const char *module, const char *const *line, const u32 *want)
{
	struct session s;
	struct store other;
	u32 got[WARP_LANES];
	char message[sizeof(((struct error *)0)->message)];

	begin(&s, module, line);
	run(&s, STATUS_OK, message, sizeof(message));
	store_read(&s.sim.store, s.program.buffer[0].address, got, sizeof(got));
	assert_memory_equal(got, want, sizeof(got));
	assert_int_equal(functional(&s, &other, message, sizeof(message)), STATUS_OK);
	store_read(&other, s.program.buffer[0].address, got, sizeof(got));
	assert_memory_equal(got, want, sizeof(got));
	store_free(&other);
	end(&s);
}

/* Lanes that end complete a mask; lanes behind a guard meet at the next instruction; spinning lanes end. */
static void meetings(void **state)
{
	u32 want[WARP_LANES];

	(void)state;
	for (u32 l = 0; l < WARP_LANES; l++)
		want[l] = l < 16 ? l ^ 1 : l;
	values("module tests/ptx/apart.ptx", LINES("launch ends grid 1 block 32 args f"), want);
	for (u32 l = 0; l < WARP_LANES; l++)
		want[l] = l ^ 16;
	values("module tests/ptx/apart.ptx", LINES("launch guarded grid 1 block 32 args f"), want);
	values("module tests/ptx/apart.ptx", LINES("launch two grid 1 block 32 args f"), want);
	memset(want, 0, sizeof(want));
	want[0] = 9;
	values("module tests/ptx/apart.ptx", LINES("launch spin grid 1 block 32 args f"), want);
	values("module tests/ptx/apart.ptx", LINES("launch fenced grid 1 block 32 args f"), want);
	values("module tests/ptx/apart.ptx", LINES("set warp.patience 1", "launch spin grid 1 block 32 args f"), want);
	want[0] = 31;
	values("module tests/ptx/apart.ptx", LINES("launch before grid 1 block 32 args f"), want);
}

/* A path that waits lets one with lanes of its mask have the turn, though another lies nearer. */
static void whose_turn(void **state)
{
	static u32 regs[2 * WARP_LANES];
	const u64 imm[2] = {0xcf, 1};
	struct inst code[10] = {{.op = OP_SHFL_BFLY, .meet = MEET_MEMBERS, .ndst = 1, .nsrc = 4}};
	struct simt_entry stack[SIMT_DEPTH] = {{9, 10, 0xff}, {5, 9, 0x0f}, {6, 9, 0x30}, {0, 9, 0xc0}};
	struct paths p = {stack, 4, 0, 10, code};
	const struct kernel k = {.imm = (u64 *)(uintptr_t)imm};
	const struct launch l = {.kernel = &k, .apart = true};
	struct front_env env = {.launch = &l, .regs = regs, .active = 0xc0};
	struct front_result r = {.fault = FAULT_NONE};
	struct apart a = {.home = &p, .n = 1};
	struct meet m;

	(void)state;
	code[0].dst[0] = (struct operand){.kind = OPERAND_REG, .value = 1};
	code[0].src[0] = (struct operand){.kind = OPERAND_REG};
	code[0].src[1] = code[0].src[2] = (struct operand){.kind = OPERAND_IMM, .value = 1};
	code[0].src[3] = (struct operand){.kind = OPERAND_IMM};
	assert_true(apart_meet(&a, &env, &code[0], 0, &m, &r));
	assert_int_equal(m.lacks, 0x0f);
	assert_int_equal(a.why, APART_MEETING);
	assert_int_equal(p.depth, 4);
	assert_int_equal(stack[3].pc, 5);
	assert_int_equal(stack[3].mask, 0x0f);
	assert_int_equal(p.waits, 0xc0);
}

/* What a part gets that waited is due with the result of the other. */
static void results(void **state)
{
	struct session s;
	u32 due = 0;

	(void)state;
	begin(&s, "module tests/ptx/apart.ptx", LINES("launch guarded grid 1 block 32 args f"));
	for (u32 c = 1; c < 400 && !sim_finished(&s.sim); c++) {
		const struct slot *slot;
		const struct sm *sm;

		timeline_go(s.timeline, (struct position){c, 0});
		slot = machine_sm_section(s.sim.m, 0, SECTION_SLOT);
		sm = machine_sm_section(s.sim.m, 0, SECTION_SM);
		if (sm->events[EVENT_RENDEZVOUS] == 2 && !due)
			due = (u32)__builtin_popcountll(slot->pending_short[0]);
	}
	assert_int_equal(due, 2);
	end(&s);
}

/* Jumps back are counted while others could have a turn, and only of lanes that have jumped. */
static void rounds(void **state)
{
	struct inst code[4] = {{.op = OP_LD}, {.op = OP_BRA, .flow = FLOW_ASKS, .reconverge = 2}, {.flow = FLOW_TELLS}};
	const struct simt_entry parted[2] = {{2, 4, 0xff}, {0, 2, 0x0f}};
	struct simt_entry stack[SIMT_DEPTH];
	struct paths p = {stack, 2, 0, 4, code};
	const struct launch l = {.apart = true, .patience = 3};
	const struct front_env env = {.launch = &l};
	const struct front_result r = {.taken = 0x0f};
	struct apart a = {.home = &p, .n = 1};

	(void)state;
	memcpy(stack, parted, sizeof(parted));
	for (u32 i = 1; i < 3; i++) {
		apart_moved(&a, &env, &l, &code[1], &r, 2);
		assert_int_equal(a.spins, i);
		assert_int_equal(a.why, APART_SAME);
	}
	apart_moved(&a, &env, &l, &code[1], &r, 2);
	assert_int_equal(a.why, APART_SPUN);
	assert_int_equal(stack[p.depth - 1].pc, 2);
	assert_int_equal(stack[p.depth - 1].mask, 0xf0);
	memcpy(stack, parted, sizeof(parted));
	p.depth = 2;
	a.spins = 2;
	stack[1].pc = 1;
	apart_moved(&a, &env, &l, &code[1], &r, 2);
	assert_int_equal(a.why, APART_SAME);
	assert_int_equal(a.spins, 2);
	stack[1].pc = 0;
	code[2].flow = 0;
	apart_moved(&a, &env, &l, &code[1], &r, 2);
	assert_int_equal(a.why, APART_SAME);
	assert_int_equal(a.spins, 0);
}

/* A kernel described by numbers shuffles for all lanes, if its lanes are to go their own ways: those that have left its
 * loop come and end. */
static void synthetic(void **state)
{
	(void)state;
	for (u32 i = 0; i < 2; i++) {
		const char *set = i ? "set warp.independent on" : "set warp.independent target";
		struct session s;
		const struct sm *sm;
		char message[sizeof(((struct error *)0)->message)];

		begin(&s, "module tests/ptx/apart.ptx",
		      LINES(set, "synthetic k body 12 iterations 8 diverge lanes mix int 4 shfl 2 load 1",
			    "launch k grid 4 block 64"));
		run(&s, STATUS_OK, message, sizeof(message));
		sm = machine_sm_section(s.sim.m, 0, SECTION_SM);
		assert_int_equal(i, sm->events[EVENT_RENDEZVOUS] > 20);
		assert_int_equal(i, sm->events[EVENT_PATH] > 20);
		end(&s);
	}
}

/* A lane waits for another warp, while the others of its warp could only come to a barrier: nobody has a turn. */
static void nobody(void **state)
{
	struct session s;
	const struct sm *sm;
	char message[sizeof(((struct error *)0)->message)];

	(void)state;
	begin(&s, "module tests/ptx/apart.ptx", LINES("set warp.patience 1", "launch barred grid 1 block 64 args f"));
	run(&s, STATUS_OK, message, sizeof(message));
	sm = machine_sm_section(s.sim.m, 0, SECTION_SM);
	assert_true(sm->stat[STAT_BRANCHES] > 500 + 10);
	assert_int_equal(sm->events[EVENT_PATH], 0);
	end(&s);
}

/* Half a warp at a barrier for which the other half does not come. */
static void barriers(void **state)
{
	struct session s;
	struct store values;
	char message[sizeof(((struct error *)0)->message)];

	(void)state;
	begin(&s, "module tests/ptx/apart.ptx", LINES("launch barrier grid 1 block 32 args f"));
	run(&s, STATUS_CHECK, message, sizeof(message));
	assert_non_null(strstr(message, "barrier reached by only some lanes of the warp"));
	assert_int_equal(functional(&s, &values, message, sizeof(message)), STATUS_CHECK);
	store_free(&values);
	end(&s);
}

/* Lanes that spin for ever: on sm_70, where both parts have their turns, and where they have none. */
static void livelocks(void **state)
{
	static const struct {
		const char *set, *launch, *said;
	} row[] = {{"set warp.independent target", "launch never grid 1 block 32 args f", "1 warp loops forever"},
		   {"set warp.independent off", "launch spin grid 1 block 32 args f",
		    "lanes fffffffe of the warp could change that value, but wait on the SIMT stack"},
		   {"set warp.patience 0", "launch spin grid 1 block 32 args f",
		    "lanes fffffffe of the warp could change that value, but wait on the SIMT stack"}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct session s;
		struct text out = {0};

		begin(&s, "module tests/ptx/apart.ptx", LINES(row[i].set, row[i].launch));
		timeline_go(s.timeline, (struct position){3000, 0});
		assert_int_equal(why_livelock(&s, &s.sim, LIVELOCK_MOST, true, &out, NULL), LIVELOCK_PROVEN);
		if (!strstr(out.s, row[i].said))
			fail_msg("%s: no '%s' in\n%s", row[i].launch, row[i].said, out.s);
		text_free(&out);
		end(&s);
	}
}

/* Before sm_70: a mask that names lanes which are elsewhere is a fault; lanes that have ended do not matter. */
static void old_targets(void **state)
{
	u32 want[WARP_LANES] = {0};
	struct session s;
	struct store values_;
	char message[sizeof(((struct error *)0)->message)];

	(void)state;
	begin(&s, "module tests/ptx/apart60.ptx", LINES("launch sides grid 1 block 32 args f"));
	run(&s, STATUS_CHECK, message, sizeof(message));
	assert_non_null(strstr(message, "member mask names lanes that do not take part"));
	assert_non_null(strstr(message, "but lanes 16-31 do not"));
	assert_int_equal(functional(&s, &values_, message, sizeof(message)), STATUS_CHECK);
	store_free(&values_);
	end(&s);
	for (u32 l = 0; l < 24; l++)
		want[l] = l < 16 ? l ^ 3 : l ^ 1;
	values("module tests/ptx/apart60.ptx", LINES("launch halves grid 1 block 32 args f"), want);
}

/* What tells apart who stands where: two stacks of one warp, of 16 lanes each, with a shuffle in either. */
static void slices(void **state)
{
	static u32 regs[2 * WARP_LANES];
	const u64 imm[2] = {~0u, 31};
	struct inst code[3] = {{.op = OP_SHFL_IDX, .meet = MEET_MEMBERS, .ndst = 1, .nsrc = 4}};
	struct simt_entry stack[2][SIMT_DEPTH] = {{{0, 3, 0x0000ffff}}, {{1, 3, 0xffff0000}}};
	struct paths home[2] = {{stack[0], 1, 0, 3, code}, {stack[1], 1, 0, 3, code}};
	const struct kernel k = {.imm = (u64 *)(uintptr_t)imm};
	const struct launch l = {.kernel = &k, .apart = true};
	struct front_env env = {.launch = &l, .regs = regs, .active = 0x0000ffff};
	struct front_result r = {.fault = FAULT_NONE};
	struct apart a = {.home = home, .n = 2};
	struct meet m;

	(void)state;
	for (u32 i = 0; i < WARP_LANES; i++)
		regs[i] = i * 10;
	code[0].dst[0] = (struct operand){.kind = OPERAND_REG, .value = 1};
	code[0].src[0] = (struct operand){.kind = OPERAND_REG};
	code[0].src[1] = code[0].src[2] = (struct operand){.kind = OPERAND_IMM, .value = 1};
	code[0].src[3] = (struct operand){.kind = OPERAND_IMM};
	code[1] = code[0];
	assert_true(apart_asks(&code[0], 1, 2));
	assert_true(apart_meet(&a, &env, &code[0], 0, &m, &r));
	assert_true(a.stuck);
	assert_int_equal(m.lacks, 0xffff0000);
	assert_int_equal(home[0].waits, 0x0000ffff);
	assert_int_equal(meet_lacks(&env, home, 2, 0, 0), 0xffff0000);
	a = (struct apart){.home = home, .n = 2, .self = 1};
	env.active = 0xffff0000;
	assert_true(apart_meet(&a, &env, &code[1], 1, &m, &r));
	assert_false(a.stuck);
	assert_int_equal(m.nparts, 1);
	assert_int_equal(m.part[0].stack, 0);
	assert_int_equal(home[0].waits, 0);
	assert_int_equal(stack[0][0].pc, 1);
	assert_int_equal(stack[1][0].pc, 2);
	for (u32 i = 0; i < WARP_LANES; i++)
		assert_int_equal(regs[WARP_LANES + i], 310);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(deadlocks), cmocka_unit_test(meetings),    cmocka_unit_test(barriers),
		cmocka_unit_test(livelocks), cmocka_unit_test(old_targets), cmocka_unit_test(slices),
		cmocka_unit_test(synthetic), cmocka_unit_test(whose_turn),  cmocka_unit_test(rounds),
		cmocka_unit_test(nobody),    cmocka_unit_test(results),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
