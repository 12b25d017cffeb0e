/*
 * info_interference.c - info interference: of the last cycles, how many warps of a kernel waited for what which kernel
 * held.
 *
 * Counted in a fork, cycle by cycle, in all SMs (interference.h). The sum is that of the statuses, which is shown.
 */
#include "info.h"
#include "interference.h"

#define DEFAULT_CYCLES 1000
#define MOST_CYCLES 1000000

/* Go through the cycles from..to in a fork. What the engine counted of the same statuses meanwhile; *done: the last
 * cycle. */
static u64 info_interference_count(struct waits *c, struct session *s, u64 from, u64 to, u64 *done)
{
	struct sim fork;
	u64 engine = 0;
	u32 applied;

	timeline_enable(s->timeline);
	timeline_fork(s->timeline, (struct position){from, 0}, &fork, &applied);
	sim_sync(&fork);
	for (u32 k = 0; k < WAIT_KINDS; k++)
		engine -= sim_status_sum(&fork, wait_status[k]);
	for (*done = from; *done < to && !timeline_interrupt; ++*done) {
		timeline_follow(s->timeline, &fork, &applied, (struct position){*done + 1, 0});
		for (u32 sm = 0; sm < sim_config(&fork)->gpu_sms; sm++)
			waits_count(c, &fork, sm);
	}
	sim_sync(&fork);
	for (u32 k = 0; k < WAIT_KINDS; k++)
		engine += sim_status_sum(&fork, wait_status[k]);
	sim_close(&fork);
	return engine;
}

/* The pairs that met; returns the sum of all. */
static u64 info_interference_print_pairs(const struct waits *c, struct session *s)
{
	struct columns t;
	u64 sum = 0;

	columns_open(&t, s, "kernel name held_by holder issue_slot paused collector unit lsu warp_cycles");
	for (u32 i = 0; i < c->n * c->n; i++) {
		const u64 *waits = waits_of(c, i / c->n, i % c->n);
		u64 all = waits[WAIT_SLOT] + waits[WAIT_PAUSED] + waits[WAIT_COLLECTOR] + waits[WAIT_UNIT] +
			  waits[WAIT_LSU];

		sum += all;
		if (!all)
			continue;
		columns_row(&t, i / c->n, safe_text(s->program.launch[i / c->n].name), i % c->n,
			    i / c->n == i % c->n ? "itself" : safe_text(s->program.launch[i % c->n].name));
		for (u32 k = 0; k < WAIT_KINDS; k++)
			columns_int(&t, waits[k]);
		columns_int(&t, all);
	}
	columns_close(&t, "interference",
		      "no warp waited for a scheduler, an operand collector unit, an execution unit or the LSU");
	return sum;
}

/* info interference [TIME] */
static enum status info_interference_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	u64 now = timeline_now(s->timeline).cycle, cycles = DEFAULT_CYCLES, done, engine, sum;
	struct waits c = {.n = s->program.nlaunch};

	if (ntokens) {
		if (session_time(s, token[0].s, &cycles, e) || !cycles || cycles > MOST_CYCLES || ntokens > 1)
			return usage_at(e, token[ntokens - 1].column,
					"`info interference` takes 1 to %u cycles, not '%s'", MOST_CYCLES,
					token_shown(token[ntokens - 1].s));
	}
	cycles = min_u64(cycles, now);
	c.count = xcalloc((size_t)c.n * c.n * WAIT_KINDS + 1, sizeof(*c.count));
	engine = info_interference_count(&c, s, now - cycles, now, &done);
	sum = info_interference_print_pairs(&c, s);
	free(c.count);
	session_print(s, "cycles %llu to %llu: %s warp-cycles, %s\n", now - cycles, done, thousands((i64)sum),
		      sum == engine ? "as the warp states count them" : "but the warp states count others");
	member_int(session_result(s), "sum", sum);
	member_int(session_result(s), "engine", engine);
	return STATUS_OK;
}

const struct info info_interference = {
	.name = "interference",
	.usage = "[TIME]",
	.doc = "contention between kernels: which kernel's warps waited for which kernel's warps (scheduler, operand collector, unit, LSU), in the last 1000 cycles or in TIME",
	.needs_machine = true,
	.run = info_interference_run,
};
