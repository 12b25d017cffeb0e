/*
 * test_multi.c - kernels that share a GPU: how SMs are divided, in which order kernels come, what the ways of a CTA to
 * make room cost, which is chosen, and how long a context takes to leave an SM and to come back.
 *
 * The numbers are computed by hand; the oracles of shares and orders are those that studies of spatial multitasking
 * give.
 */
#include "core_bed.h"
#include "blocks/blocks.h"

#include "policy_multi.h"

#define ANY 1000 /* SMs: more than there are */

static void shares(void **state)
{
	u32 share[3];

	(void)state;
	spatial_shares((u32[]){6, ANY, ANY}, 3, 30, share);
	assert_true(share[0] == 6 && share[1] == 12 && share[2] == 12);
	spatial_shares((u32[]){ANY, ANY, ANY}, 3, 16, share);
	assert_true(share[0] == 6 && share[1] == 5 && share[2] == 5);
	/* the second is satisfied only once the first has left it some */
	spatial_shares((u32[]){1, 11, ANY}, 3, 30, share);
	assert_true(share[0] == 1 && share[1] == 11 && share[2] == 18);
	/* nobody needs all */
	spatial_shares((u32[]){2, 3, 0}, 3, 30, share);
	assert_true(share[0] == 2 && share[1] == 3 && share[2] == 0);
	spatial_shares((u32[]){ANY, ANY, ANY}, 3, 2, share);
	assert_true(share[0] == 1 && share[1] == 1 && share[2] == 0);
}

static u32 resident(const struct bed *b, u32 sm, u32 launch)
{
	return kernel_on(b->sim.m, sm, launch)->resident;
}

/* With 2 SMs of 4 places, 6 CTAs of the first and 10 of the second: each SM has 3 and 1; what ends of the first makes
 * room for the second. */
static void leftover(void **state)
{
	struct bed *b = bed_pair(2, 6, 10, 0);

	(void)state;
	policy_put(&b->policy, POLICY_partition, SCHEME_leftover);
	bed_open(b);
	bed_run_to(b, 10);
	for (u32 i = 0; i < 2; i++)
		assert_true(resident(b, i, 0) == 3 && resident(b, i, 1) == 1);
	while (resident(b, 0, 0) + resident(b, 1, 0))
		sim_cycle(&b->sim);
	bed_run_to(b, bed_cycle(b) + 3);
	for (u32 i = 0; i < 2; i++)
		assert_int_equal(resident(b, i, 1), 4);
	bed_run(b);
	bed_close(b);
}

/* fcfs: no CTA of the second before the first has ended, whatever room there is. */
static void fcfs(void **state)
{
	struct bed *b = bed_pair(2, 3, 10, 0);

	(void)state;
	policy_put(&b->policy, POLICY_partition, SCHEME_fcfs);
	bed_open(b);
	bed_run_to(b, 2);
	while (launch_goes_on(machine_gpu_section(b->sim.m, SECTION_LAUNCH), &b->program.launch[0])) {
		assert_int_equal(resident(b, 0, 1) + resident(b, 1, 1), 0);
		sim_cycle(&b->sim);
	}
	bed_run_to(b, bed_cycle(b) + 6);
	assert_int_equal(resident(b, 0, 1) + resident(b, 1, 1), 8);
	bed_run(b);
	bed_close(b);
}

/* even: of four SMs the second kernel gets two, from which the CTAs of the first are flushed; smart: a kernel of five
 * CTAs gets the two that it fills of six; even: three all the same. */
static void divided(void **state)
{
	struct bed *b = bed_pair(4, 40, 40, 30);

	(void)state;
	policy_put(&b->policy, POLICY_partition, SCHEME_even);
	policy_put(&b->policy, POLICY_preempt, SCHEME_flush);
	bed_open(b);
	bed_run_to(b, 29);
	for (u32 i = 0; i < 4; i++)
		assert_int_equal(resident(b, i, 0), 4);
	bed_run_to(b, 45);
	for (u32 k = 0, n = 0; k < 2; k++, n = 0) {
		for (u32 i = 0; i < 4; i++)
			n += resident(b, i, k) == 4 && !resident(b, i, !k);
		assert_int_equal(n, 2);
	}
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_FLUSHED), 8);
	bed_close(b);
	for (u32 even = 0; even < 2; even++) {
		b = bed_pair(6, 60, 5, 30);
		policy_put(&b->policy, POLICY_partition, even ? SCHEME_even : SCHEME_smart);
		policy_put(&b->policy, POLICY_preempt, SCHEME_flush);
		bed_open(b);
		bed_run_to(b, 45);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_FLUSHED), even ? 12 : 8);
		bed_run(b);
		bed_close(b);
	}
}

/* Costs of CTAs that have issued some instructions each, of a kernel of which others have ended. */
static void costs(void **state)
{
	struct bed *b = bed_pair(1, 40, 1, 100000);
	struct kernel_mean mean = {.ended = 4,
				   .issued = 400,
				   .cycles = 3600, /* 100 each, at 9 cycles */
				   .all_issued = 700,
				   .held = 2000}; /* an IPC of 0.35 on an SM */
	struct kernel_mean none = {0}, fresh = {.all_issued = 700, .held = 2000};
	struct kernel_mean odd = {.all_issued = 710, .held = 2000}, idle = {.held = 2000};
	struct ctas_view v;
	struct way_cost c;
	struct warp *w;
	u64 bytes;

	(void)state;
	b->config.dram_channels = 1;
	b->config.dram_bytes = 8;
	b->config.dram_clock = b->config.gpu_clock / 2; /* 4 bytes a cycle */
	b->config.chimera_bound = 500;
	bed_open(b);
	bed_run_to(b, 5);
	v = (struct ctas_view){b->sim.m, b->sim.view[0].cta, b->sim.view[0].warp, 0, 1000};
	w = b->sim.view[0].warp;
	for (u32 i = 0; i < 4; i++)
		w[set_first(v.cta[i].contexts, CONTEXT_WORDS)].issued = (u32[]){60, 90, 120, 0}[i];
	/* a drain: 40 instructions more at 9 cycles; the CTA ahead has 120 */
	c = way_cost(&v, &mean, 15, 0, VERDICT_DRAIN);
	assert_true(c.latency == 360 && c.overhead == 60);
	c = way_cost(&v, &mean, 15, 2, VERDICT_DRAIN);
	assert_true(c.latency == 0 && c.overhead == 0);
	c = way_cost(&v, &none, 15, 0, VERDICT_DRAIN);
	assert_true(c.latency == NEVER && c.overhead == NEVER);
	/* a flush: what it has done */
	c = way_cost(&v, &mean, 15, 1, VERDICT_FLUSH);
	assert_true(c.latency == 0 && c.overhead == 90);
	/* a switch: the contexts of all four, 4096 bytes each, at 4 bytes a cycle: 4096 cycles, and as many to come
	 * back. At the kernel's IPC on an SM, 0.35, these are 2867.2 instructions, 2868; a quarter each is 717.
	 * That these four have issued 270 in 1000 cycles makes no difference. */
	bytes = cta_context_bytes(&v.cta[0]);
	assert_true(bytes == 4096 && v.cta[0].registers == 1024 && !v.cta[0].shared);
	c = way_cost(&v, &mean, 15, 1, VERDICT_SAVE);
	assert_true(c.latency == 4096 && c.overhead == 717);
	/* two of them: 2048 cycles, 1433.6 instructions, 717 each */
	c = way_cost(&v, &mean, 6, 1, VERDICT_SAVE);
	assert_true(c.latency == 2048 && c.overhead == 717);
	/* nothing has been measured: the time is known, the loss is the maximum, so that what is known comes first */
	c = way_cost(&v, &none, 15, 1, VERDICT_SAVE);
	assert_true(c.latency == 4096 && c.overhead == NEVER);
	c = way_cost(&v, &idle, 15, 1, VERDICT_SAVE);
	assert_int_equal(c.overhead, NEVER);
	/* at 0.355 8192 cycles are 2908.16 instructions, 2909; a quarter of these is 727.25, 728 */
	c = way_cost(&v, &odd, 15, 1, VERDICT_SAVE);
	assert_int_equal(c.overhead, 728);
	c = sm_cost(&v, &none, 0, MENU_SWITCH);
	assert_true(c.latency == 4096 && c.overhead == NEVER);
	c = sm_cost(&v, &mean, 0, MENU_SWITCH);
	assert_true(c.latency == 4096 && c.overhead == 2868);
	/* the cheapest that is fast enough: 60 lost by draining in 360, 60 by flushing: the quicker; 30 by draining in
	 * 90 */
	assert_int_equal(way_chosen(&v, &mean, 15, 0, MENU_ALL, &c), VERDICT_FLUSH);
	assert_int_equal(way_chosen(&v, &mean, 15, 1, MENU_ALL, &c), VERDICT_DRAIN);
	assert_true(c.latency == 90 && c.overhead == 30);
	assert_int_equal(way_chosen(&v, &mean, 15, 3, MENU_ALL, &c), VERDICT_FLUSH);
	/* gone in as many cycles as the bound allows is in time, one later is not */
	b->sim.m->config.chimera_bound = 90;
	assert_int_equal(way_chosen(&v, &mean, 15, 1, MENU_ALL, &c), VERDICT_DRAIN);
	b->sim.m->config.chimera_bound = 89;
	assert_int_equal(way_chosen(&v, &mean, 15, 1, MENU_ALL, &c), VERDICT_FLUSH);
	/* a switch, too: of one CTA, in 1024 cycles and for 717 instructions, rather than the 5000 that it has done */
	w[set_first(v.cta[2].contexts, CONTEXT_WORDS)].issued = 5000;
	b->sim.m->config.chimera_bound = 1024;
	assert_int_equal(way_chosen(&v, &mean, 4, 2, MENU_ALL & ~(1u << VERDICT_DRAIN), &c), VERDICT_SAVE);
	assert_true(c.latency == 1024 && c.overhead == 717);
	b->sim.m->config.chimera_bound = 1023;
	assert_int_equal(way_chosen(&v, &mean, 4, 2, MENU_ALL & ~(1u << VERDICT_DRAIN), &c), VERDICT_FLUSH);
	w[set_first(v.cta[2].contexts, CONTEXT_WORDS)].issued = 120;
	b->sim.m->config.chimera_bound = 500;
	/* asked again, one that drains does so, and others as they would */
	u8 verdict[64] = {[3] = VERDICT_DRAIN};
	policy_put(&b->sim.m->policy, POLICY_preempt, SCHEME_chimera);
	((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, 0, 0))->ended = 4;
	((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, 0, 0))->ended_issued = 400;
	((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, 0, 0))->ended_cycles = 3600;
	ways_choose(b->sim.view[0].look, &(struct make_way){.ctas = 11, .surplus = 3}, verdict);
	assert_true(verdict[1] == VERDICT_DRAIN && verdict[2] == VERDICT_STAY && verdict[3] == VERDICT_DRAIN);
	verdict[3] = VERDICT_STAY;
	ways_choose(b->sim.view[0].look, &(struct make_way){.ctas = 11, .surplus = 3}, verdict);
	assert_int_equal(verdict[3], VERDICT_FLUSH);
	/* what has tripped cannot begin again; nothing but the switch is left that is known */
	((struct cta *)(uintptr_t)v.cta)[3].tripped = 1;
	assert_int_equal(way_chosen(&v, &none, 15, 3, MENU_ALL, &c), VERDICT_SAVE);
	assert_int_equal(way_chosen(&v, &fresh, 15, 3, MENU_ALL, &c), VERDICT_SAVE);
	assert_int_equal(way_chosen(&v, &mean, 15, 3, MENU_DRAIN | MENU_FLUSH, &c), VERDICT_DRAIN);
	assert_int_equal(c.latency, 900);
	/* an SM: the longest, and the sum */
	((struct cta *)(uintptr_t)v.cta)[3].tripped = 0;
	c = sm_cost(&v, &mean, 0, MENU_FLUSH);
	assert_true(c.latency == 0 && c.overhead == 270);
	bed_close(b);
}

/* A kernel's average IPC on an SM is what it has issued over the SM-cycles in which an SM had CTAs of it: of two SMs
 * one has two of three CTAs, the other has one and is left by the kernel earlier. */
static void average_ipc(void **state)
{
	struct bed *b = bed_pair(2, 3, 1, 150);
	u64 held[2][2] = {{0}}; /* by SM and launch */

	(void)state;
	bed_open(b);
	for (sim_cycle(&b->sim); !sim_finished(&b->sim); sim_cycle(&b->sim)) {
		for (u32 k = 0; k < 2; k++) {
			struct kernel_mean mean = kernel_mean(b->sim.m, k, bed_cycle(b));
			if (resident(b, 0, k) + resident(b, 1, k) == 0)
				continue;
			for (u32 i = 0; i < 2; i++)
				held[i][k] += resident(b, i, k) != 0;
			assert_int_equal(mean.held, held[0][k] + held[1][k]);
			if (!held[0][1] && !held[1][1])
				assert_int_equal(mean.all_issued, sim_sm_stat(&b->sim, STAT_INST_WARP));
		}
	}
	assert_true(held[0][0] != held[1][0] && held[0][1] + held[1][1] > 0);
	bed_close(b);
}

/* A context of so many bytes takes its time to leave: the CTA stands still, nothing of it issues, and it is gone when
 * they are; the next waits for the port; back in the SM it stands still for as long again. */
static void contexts_take_time(void **state)
{
	struct bed *b = bed_pair(1, 4, 1, 100000);
	const struct cta *cta;
	u64 cycles, issued;

	(void)state;
	b->config.dram_channels = 1;
	b->config.dram_bytes = 8;
	b->config.dram_clock = b->config.gpu_clock / 2;
	b->config.chimera_switch = SWITCH_TIME;
	bed_open(b);
	bed_run_to(b, 30);
	cta = b->sim.view[0].cta;
	cycles = (cta_context_bytes(&cta[0]) + 3) / 4;
	assert_int_equal(context_moves(&b->config, 4 * cycles), cycles);
	for (u32 i = 0; i < 2; i++)
		assert_int_equal(sim_depart(&b->sim, 0, i, LEAVE_SAVE, NULL), STATUS_OK);
	sim_cycle(&b->sim);
	assert_int_equal(cta[0].moves_at, 30 + cycles);
	assert_int_equal(cta[1].moves_at, 30 + 2 * cycles);
	issued = cta_issued(&cta[0], b->sim.view[0].warp);
	bed_run_to(b, 30 + cycles);
	assert_true(cta[0].leaving && cta_issued(&cta[0], b->sim.view[0].warp) == issued);
	assert_int_equal(b->sim.view[0].gpu->departing, 2);
	sim_cycle(&b->sim);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_SAVED), 1);
	bed_run_to(b, 30 + 2 * cycles + 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_SAVED), 2);
	assert_int_equal(b->sim.view[0].gpu->departing, 0);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_RESTORED), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_PREEMPT_MOVED), 16 * cycles);
	assert_true(bed_cycle(b) > 30 + 3 * cycles);
	bed_close(b);
}

/* Requests of a kind in the last cycle, of which there is one at most: its line is entered, its bytes are added. */
static void enter_line(const struct bed *b, u32 kind, u64 *line, u32 *n, u64 *bytes)
{
	for (u32 i = 0; i < b->sim.bus.count; i++) {
		const struct record *r = &b->sim.bus.record[i];

		if (r->kind != EVENT_REQUEST || r->a != kind)
			continue;
		assert_true(*n < 200);
		line[(*n)++] = r->address;
		*bytes += r->b * 32;
	}
}

/* Through the L2 a context is so many lines of a window of its own, written and later read, the same for each CTA; the
 * CTA stands still until the last one is answered. What others ask for goes first. */
static void contexts_through_memory(void **state)
{
	struct bed *b = bed_pair(1, 4, 1, 100000);
	u64 out[200], back[200], bytes, moved[2] = {0, 0}, issued;
	u32 nout = 0, nback = 0, lines;
	struct sm_view *v;

	(void)state;
	b->config.chimera_switch = SWITCH_MEMORY;
	b->config.sm_shared_unit = 32;
	b->launch[0].shared = 160; /* a last line that is not full */
	bed_open(b);
	bed_run_to(b, 30);
	v = &b->sim.view[0];
	bytes = cta_context_bytes(&v->cta[0]);
	lines = (u32)((bytes + 127) / 128);
	issued = cta_issued(&v->cta[0], v->warp);
	for (u32 i = 0; i < 2; i++)
		assert_int_equal(sim_depart(&b->sim, 0, i, LEAVE_SAVE, NULL), STATUS_OK);
	while (v->gpu->departing || nout == 0) {
		bool busy = v->port->out_count > 1;
		u32 before = nout;

		sim_cycle(&b->sim);
		enter_line(b, PACKET_SAVE, out, &nout, &moved[0]);
		assert_true(nout <= before + !busy);
		assert_true(sim_sm_stat(&b->sim, STAT_CTA_SAVED) || cta_issued(&v->cta[0], v->warp) == issued);
		enter_line(b, PACKET_RESTORE, back, &nback, &moved[1]);
		if (nout == lines && before < lines)
			assert_true(v->cta[0].moves_at == NEVER && v->move[0].unanswered && !v->move[0].unsent);
	}
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_SAVED), 2);
	assert_true(nout == 2 * lines && bed_cycle(b) > 30 + 2 * lines * 4);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		enter_line(b, PACKET_RESTORE, back, &nback, &moved[1]);
	}
	assert_int_equal(nback, 2 * lines);
	assert_memory_equal(out, back, nout * sizeof *out);
	for (u32 i = 0; i < nout; i++) {
		assert_true(out[i] >= CONTEXT_BASE && out[i] % 128 == 0);
		for (u32 k = 0; k < i; k++)
			assert_true(out[k] != out[i]);
	}
	assert_true(moved[0] == 2 * bytes && moved[1] == 2 * bytes);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_PREEMPT_MOVED), 4 * bytes);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), sim_sm_stat(&b->sim, STAT_REPLIES));
	assert_true(!v->gpu->moving && !v->sm->moving);
	bed_close(b);
}

/* Killed while its context leaves or comes back, a CTA's lines that are on their way are nobody's, and the next one in
 * its place is not taken for it. */
static void killed_on_the_way(void **state)
{
	(void)state;
	for (u32 back = 0; back < 2; back++) {
		struct bed *b = bed_pair(1, 4, 40, 0);
		struct sm_view *v;
		u64 answers = 0;

		b->config.chimera_switch = SWITCH_MEMORY;
		bed_open(b);
		bed_run_to(b, 30);
		v = &b->sim.view[0];
		assert_int_equal(sim_depart(&b->sim, 0, 0, LEAVE_SAVE, NULL), STATUS_OK);
		do
			sim_cycle(&b->sim);
		while ((back && !sim_sm_stat(&b->sim, STAT_CTA_RESTORED)) || v->move[0].unanswered < 3);
		assert_true(v->cta[0].launch == 0 && v->cta[0].moves_at == NEVER && v->gpu->moving == 1);
		answers = v->move[0].unanswered;
		retire_all(&b->sim, 0);
		assert_true(!v->gpu->moving && !v->sm->moving && !v->gpu->departing && !resident(b, 0, 0));
		sim_cycle(&b->sim);
		assert_int_equal(v->cta[0].launch, 1);
		assert_int_equal(sim_depart(&b->sim, 0, 0, LEAVE_SAVE, NULL), STATUS_OK);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_STALE_LINES), answers);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_SAVED), 1 + back);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_RESTORED), 1 + back);
		bed_close(b);
	}
}

/* Algorithm 3, lines 19 to 27: by overhead, those that meet a bound of 100 first, and so those that miss it, where the
 * switch is on the menu; else of these the one that is gone sooner. Each row: a is better by one menu or both. */
static void which_sm_goes(void **state)
{
	static const struct {
		struct way_cost a, b;
		bool chimera, drain;
	} row[] = {{{100, 9}, {100, 10}, true, true},	     {{50, 9}, {100, 8}, false, false},
		   {{50, 9}, {100, 9}, true, true},	     {{100, 900}, {101, 1}, true, true},
		   {{5722, 1064}, {5722, 1074}, true, true}, {{5722, 1074}, {5722, 1064}, false, false},
		   {{500, 30}, {200, 40}, true, false},	     {{200, 40}, {500, 30}, false, true},
		   {{200, 40}, {500, 40}, true, true},	     {{NEVER, NEVER}, {500, 40}, false, false}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		u32 chimera = MENU_DRAIN | 1u << VERDICT_FLUSH | 1u << VERDICT_SAVE;

		assert_int_equal(sm_cheaper(&row[i].a, &row[i].b, 100, chimera), row[i].chimera);
		assert_int_equal(sm_cheaper(&row[i].a, &row[i].b, 100, MENU_DRAIN), row[i].drain);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(shares),
					   cmocka_unit_test(leftover),
					   cmocka_unit_test(fcfs),
					   cmocka_unit_test(divided),
					   cmocka_unit_test(costs),
					   cmocka_unit_test(average_ipc),
					   cmocka_unit_test(which_sm_goes),
					   cmocka_unit_test(contexts_take_time),
					   cmocka_unit_test(contexts_through_memory),
					   cmocka_unit_test(killed_on_the_way)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
