/*
 * test_blocks.c - back-pressure goes to the instruction that causes it: a load whose bank conflict keeps the LSU busy;
 * and on real kernels what a second reckoning, cycle by cycle, comes to.
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

#include "lines.h"

#include <stdlib.h>
#include <string.h>

static int open_none(void **state)
{
	(void)state;
	return bed_session(NULL, 0);
}

/* The counts of an instruction of launch 0. */
static struct line_count count_at(u32 pc)
{
	struct line_count c;

	sim_sync(&session.sim);
	assert_true(shadow_line(&session.sim, 0, pc, &c));
	return c;
}

/* Warp-cycles in which the pipeline did not take a ready warp. */
static u64 pressed(const struct line_count *c)
{
	return c->statuses[WARP_LSU] + c->statuses[WARP_UNIT] + c->statuses[WARP_COLLECTOR];
}

/* One warp, one collector unit, a queue of one. The first load keeps the banks busy for 32 cycles; the second stands in
 * the queue, the third in the collector unit, where it has come two cycles after the first was taken: so the fourth
 * waits 30 cycles, and not for one of those but for the first. */
static void conflict(void **state)
{
	u64 others = 0, all = 0, waited = 0;
	struct line_count last;

	(void)state;
	must("gpu tiny");
	must("set sm.collectors 1");
	must("set lsu.queue 1");
	must("set stats.lines on");
	must("module tests/ptx/pressed.ptx");
	must("buffer out u32[32]");
	must("launch pressed grid 1 block 32 args out");
	must("run");
	for (u32 pc = 0; pc < session.program.launch[0].kernel->ninst; pc++) {
		struct line_count c = count_at(pc);

		all += c.blocks;
		waited += pressed(&c);
		others += pc > 8 ? c.blocks : 0;
	}
	assert_int_equal(all, waited);
	assert_int_equal(count_at(8).shared_cycles, 32);
	assert_int_equal(count_at(8).blocks, 30);
	assert_int_equal(others, 1);
	last = count_at(11);
	assert_int_equal(pressed(&last), 30);
}

/* Of each SM, the last access to shared memory, as events tell it. */
static struct {
	u32 warp, generation, pc;
} served[64];

/* Take them from the records of the cycle that is over. */
static void note_served(void)
{
	const struct bus *b = &session.sim.bus;

	for (u32 i = 0; i < b->count; i++) {
		const struct record *r = &b->record[i];
		const struct warp *w =
			r->kind == EVENT_SHARED ? machine_sm_section(session.sim.m, r->sm, SECTION_WARP) : NULL;

		if (!w)
			continue;
		served[r->sm].warp = r->warp;
		served[r->sm].pc = r->pc;
		served[r->sm].generation = w[r->warp].generation;
	}
}

/* For which instruction a context waits, reckoned from the machine as it stands: pc; NONE32: its own. */
static u32 waits_for(u32 sm, u32 context, u32 status)
{
	const struct machine *m = session.sim.m;
	const struct sm *state = machine_sm_section(session.sim.m, sm, SECTION_SM);
	const struct warp *w = machine_sm_section(session.sim.m, sm, SECTION_WARP);
	const struct ring_slot *queue = machine_sm_section(session.sim.m, sm, SECTION_LSUQ);
	const struct memop *op = machine_sm_section(session.sim.m, sm, SECTION_MEMOP);
	u32 n = m->config.sm_collectors, best = NONE32;
	const struct collector *cu = (struct collector *)machine_sm_section(session.sim.m, sm, SECTION_COLLECTOR) +
				     (size_t)(context % m->config.sm_subcores) * n;

	if (status == WARP_LSU && state->shared_busy >= machine_gpu(session.sim.m)->cycle && served[sm].pc != NONE32)
		return w[served[sm].warp].generation == served[sm].generation ? served[sm].pc : NONE32;
	if (status == WARP_LSU && state->lsu_count) {
		op += queue[state->lsu_head].memop;
		return w[op->context].generation == op->generation ? op->pc : NONE32;
	}
	for (u32 i = 0; i < n; i++)
		if (cu[i].context != NONE16 && (best == NONE32 || (i32)(cu[i].age - cu[best].age) < 0))
			best = i;
	return best == NONE32 || w[cu[best].context].generation != cu[best].generation ? NONE32 : cu[best].pc;
}

/* Add what the cycle that is over comes to. */
static void reckon(u64 *blocks)
{
	for (u32 sm = 0; sm < session.sim.m->config.gpu_sms; sm++)
		for (u32 i = 0; i < session.sim.m->contexts; i++) {
			const struct warp *w = machine_sm_section(session.sim.m, sm, SECTION_WARP);
			const struct slot *slot = machine_sm_section(session.sim.m, sm, SECTION_SLOT);
			u32 status = sim_warp_status(&session.sim, sm, i), pc;

			if (status != WARP_LSU && status != WARP_UNIT && status != WARP_COLLECTOR)
				continue;
			pc = waits_for(sm, i, status);
			blocks[pc == NONE32 ? slot[w[i].slot].pc : pc]++;
		}
}

/* A second reckoning, cycle by cycle, comes to the same; so does a run in which SMs sleep or do not. */
static void same_reckoned(void **state)
{
	static const char *const scenario[] = {"scenarios/matmul.scn", "scenarios/transpose.scn",
					       "scenarios/subcore/bank-conflict.scn"};

	(void)state;
	for (u32 k = 0; k < ARRAY_LEN(scenario); k++) {
		static u64 blocks[4096], first[4096];
		struct session old = session;
		struct error e = {0};
		u32 n;

		memset(blocks, 0, sizeof(blocks));
		session_open(&session, &all_session_ops);
		session.out = old.out;
		assert_int_equal(command_run_file(&session, scenario[k], &e), STATUS_OK);
		must("set stats.lines on");
		must("step 0");
		session.sim.bus.want |= EVENT_BIT(EVENT_SHARED);
		for (u32 i = 0; i < ARRAY_LEN(served); i++)
			served[i].pc = NONE32;
		n = session.program.launch[0].kernel->ninst;
		assert_true(n < ARRAY_LEN(blocks));
		for (u64 cycle = 1; cycle <= 1500; cycle++) {
			go(cycle);
			note_served();
			reckon(blocks);
		}
		for (u32 pc = 0; pc < n; pc++) {
			first[pc] = count_at(pc).blocks;
			if (first[pc] != blocks[pc])
				fail_msg("%s: %u: %llu, reckoned %llu", scenario[k], pc, (unsigned long long)first[pc],
					 (unsigned long long)blocks[pc]);
		}
		must("set engine.sleep off");
		must("goto 0");
		must("goto 1500");
		for (u32 pc = 0; pc < n; pc++)
			assert_int_equal(count_at(pc).blocks, first[pc]);
		session_close(&session);
		session = old;
	}
}

int main(void)
{
	const struct CMUnitTest test[] = {cmocka_unit_test(conflict), cmocka_unit_test(same_reckoned)};

	return cmocka_run_group_tests(test, open_none, close_session);
}
