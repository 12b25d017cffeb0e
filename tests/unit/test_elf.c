/*
 * test_elf.c - policy elf: who issues, cycle by cycle, against a trace worked out by hand; who is fetched for; when
 * priorities are calculated anew; what follows from points; what shorthands set.
 */
#include "core_bed.h"

#include "policy_elf.h"
#include "session_bed.h"

#define FAR 255

/* What ELF keeps of the SM. */
static struct elf *own(struct bed *b)
{
	return (struct elf *)(uintptr_t)scheme_own(b->sim.m, SCHEME_elf, 0);
}

/* The priorities of its slots. */
static u8 *table(struct bed *b)
{
	return (u8 *)(own(b) + 1);
}

/* The kernel and the warps of bed_stall(): A, B, C (waits for A), a load, its user, EXIT. */
static struct bed *stall_bed(u32 points)
{
	struct bed *b = bed_stall(SCHEME_elf);

	b->config.elf_points = points;
	return b;
}

/*
 * Priorities along the kernel: 3 2 1 0, then 255.
 * 3, 4	all are equal, so the oldest: A of 0; now it is nearest: B. Its C waits until 8. 5, 6: warp 1, until 10.
 * 7	A of 2. 8: C of 0 is ready, one from its load, and goes first; so do 9 its load, 10, 11 C and load of 1.
 * 12..14	B of 2, then its C and load (C since 12). 15, 16: warp 3; its C waits until 20.
 * 19	the line is back: U of 0, 1, 2, all 255: warp 3 issued last and is not ready, so the oldest.
 * 20, 21	C of 3 before them, and its load, a hit, back in 31. 22..26: EXIT of 0, U and EXIT of 1, of 2.
 */
static void the_nearest_to_its_load_goes_first(void **state)
{
	struct bed *b = stall_bed(32);

	(void)state;
	bed_expect(b, 0,
		   "00"
		   "11"
		   "2"
		   "00"
		   "11"
		   "222"
		   "33"
		   ".."
		   "0"
		   "33"
		   "0"
		   "11"
		   "22"
		   "...."
		   "33");
	assert_int_equal(own(b)->start, 4);
	assert_int_equal(own(b)->load, 4);
	assert_int_equal(own(b)->branch + own(b)->stack + own(b)->far, 0);
	bed_close(b);
}

/* Without points it is gto: the trace of test_core_schedulers.c. It keeps nothing. */
static void without_points_it_is_gto(void **state)
{
	struct bed *b = stall_bed(0);

	(void)state;
	bed_expect(b, 0,
		   "00"
		   "11"
		   "22"
		   "00"
		   "11"
		   "22"
		   "33"
		   "..."
		   "33"
		   "00"
		   "11"
		   "22"
		   "..."
		   "33");
	assert_int_equal(own(b)->start + own(b)->load + own(b)->far, 0);
	bed_close(b);
}

/* The choice of a fetch among some slots after one for slot `last`. */
static u32 fetched(struct bed *b, u16 last, u64 want)
{
	b->sim.view[0].sub->fetch_last = last;
	return scheme_elf.decide.fetch(&b->sim.view[0].look_fetch[0], &want);
}

/* Slots 0, 2 belong to scheduler 0, slots 1, 3 to 1: the best of the one behind that of the last fetch. */
static void fetches_interleave_the_orders(void **state)
{
	struct bed *b = stall_bed(32);
	static const u8 priority[] = {5, 1, 3, 9};

	(void)state;
	b->config.sm_schedulers = 2;
	policy_put(&b->policy, POLICY_fetch, SCHEME_elf);
	bed_open(b);
	bed_run_to(b, 3);
	memcpy(table(b), priority, sizeof(priority));
	assert_int_equal(fetched(b, NONE16, 15), 2);
	assert_int_equal(fetched(b, 2, 15), 1);
	assert_int_equal(fetched(b, 0, 15), 1);
	assert_int_equal(fetched(b, 1, 15), 2);
	assert_int_equal(fetched(b, 3, 9), 0);
	assert_int_equal(fetched(b, 1, 10), 1); /* the other scheduler wants none */
	assert_int_equal(fetched(b, 0, 5), 2);
	/* equal ones: the oldest, but before it the one that issued last */
	memset(table(b), 7, 4);
	assert_int_equal(fetched(b, 0, 15), 1);
	b->sim.view[0].sched[1].last = 3;
	assert_int_equal(fetched(b, 0, 15), 1); /* it has not issued from there */
	b->sim.view[0].slot[3].since = 1;
	assert_int_equal(fetched(b, 0, 15), 3);
	bed_close(b);
}

/* One order for all slots where the schedulers share them. */
static void a_shared_pool_has_one_order(void **state)
{
	struct bed *b = stall_bed(32);
	static const u8 priority[] = {5, 1, 3, 9};

	(void)state;
	b->config.sm_schedulers = 2;
	b->config.sched_pool = 1;
	policy_put(&b->policy, POLICY_fetch, SCHEME_elf);
	bed_open(b);
	bed_run_to(b, 3);
	memcpy(table(b), priority, sizeof(priority));
	assert_int_equal(fetched(b, 1, 15), 1);
	assert_int_equal(fetched(b, 0, 13), 2);
	/* equal ones: the one that issued last, else the oldest */
	memset(table(b), 7, 4);
	assert_int_equal(fetched(b, 0, 14), 1);
	b->sim.view[0].sched[0].last = 3;
	b->sim.view[0].slot[3].since = 1;
	assert_int_equal(fetched(b, 0, 14), 3);
	bed_close(b);
}

/* Equals, none of which issued last: the oldest by admission, in whatever slot it is. */
static void the_oldest_of_equals(void **state)
{
	struct bed *b = stall_bed(32);

	(void)state;
	bed_open(b);
	bed_run_to(b, 3);
	memset(table(b), 7, 4);
	for (u32 i = 0; i < 4; i++)
		b->sim.view[0].warp[i].age = (u32[]){9, 7, 2, 8}[i];
	assert_int_equal(scheme_elf.decide.order(&b->sim.view[0].look[0], &(u64){15}), 2);
	assert_int_equal(scheme_elf.decide.order(&b->sim.view[0].look[0], &(u64){11}), 1);
	assert_int_equal(scheme_elf.decide.order(&b->sim.view[0].look[0], &(u64){9}), 3);
	table(b)[0] = 6;
	assert_int_equal(scheme_elf.decide.order(&b->sim.view[0].look[0], &(u64){15}), 0);
	bed_close(b);
}

/*
 * Half of the warp takes a branch around a load to one that all reach. The way past it is the nearer one, and assumed:
 * those that go first, the taken way, are a calculation. Their jump to where all meet ends their way, and the warp goes
 * on with the others, which is one more; the jump of these goes where it must.
 */
static void calculations_are_counted_by_cause(void **state)
{
	struct bed *b = bed_new();
	u32 branch;

	(void)state;
	policy_put(&b->policy, POLICY_order, SCHEME_elf);
	bed_compare(b, 0, 0, SREG_LANEID, 16);
	branch = b->kernel[0].ninst;
	bed_branch(b, 0, 0, branch + 4, branch + 7);
	bed_alu(b, 0, CLASS_INT, 1, 1, 0);
	bed_load(b, 0, 4, BED_BASE);
	bed_branch(b, 0, BED_NO_PRED, branch + 7, branch + 7);
	bed_alu(b, 0, CLASS_INT, 2, 1, 0);
	bed_branch(b, 0, BED_NO_PRED, branch + 7, branch + 7);
	bed_alu(b, 0, CLASS_INT, 2, 1, 0);
	bed_load(b, 0, 5, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run_to(b, 200);
	assert_int_equal(own(b)->start, 1);
	assert_int_equal(own(b)->branch, 1);
	assert_int_equal(own(b)->stack, 1);
	assert_int_equal(own(b)->load, 2);
	assert_int_equal(own(b)->far, 0);
	bed_close(b);
}

/* With three bits a load that is 12 instructions off is out of reach; it comes within reach once. */
static void what_is_far_comes_within_reach(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	policy_put(&b->policy, POLICY_order, SCHEME_elf);
	b->config.elf_bits = 3;
	for (u32 i = 0; i < 12; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 4, 1, 0);
	bed_load(b, 0, 5, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run_to(b, 1);
	assert_int_equal(table(b)[0], 7);
	bed_run_to(b, 200);
	assert_int_equal(own(b)->start, 1);
	assert_int_equal(own(b)->far, 1);
	assert_int_equal(own(b)->load, 1);
	assert_int_equal(table(b)[0], 7);
	bed_close(b);
}

/* Switched on while warps run it knows all of them at once; where it does not decide it calculates. */
static void it_may_come_late(void **state)
{
	struct bed *b = stall_bed(32);
	struct policy_choice elf = b->policy;
	struct sim *s;

	(void)state;
	policy_default(&b->policy);
	s = bed_open(b);
	bed_run_to(b, 8);
	assert_int_equal(own(b)->start, 0);
	assert_int_equal(elf_priority(s->view[0].look, 0), FAR); /* nobody has looked for points */
	sim_points(s);
	for (u32 i = 0; i < 4; i++)
		assert_int_equal(elf_priority(s->view[0].look, i), elf_naive(s->view[0].look, i));
	sim_set_policy(s, &elf);
	assert_int_equal(own(b)->start, 4);
	for (u32 i = 0; i < 4; i++)
		assert_int_equal(table(b)[i], elf_naive(s->view[0].look, i));
	sim_set_policy(s, &elf);
	assert_int_equal(own(b)->start, 4);
	bed_run_to(b, 100);
	bed_check_sums(b);
	bed_close(b);
}

/* What warps and settings are under a line of `policy`. */
static void the_shorthand_sets_what_its_paper_does(void **state)
{
	static const char *const line[] = {"gpu gtx480", "synthetic k mix int 3 load 1 body 16",
					   "launch k grid 2 block 64"};

	(void)state;
	assert_int_equal(bed_session(line, ARRAY_LEN(line)), 0);
	must("policy elf++");
	must("restart");
	assert_int_equal(session.config.lsu_reexec, REEXEC_NEWCAR);
	assert_int_equal(session.config.lsu_reexec_entries, 32);
	assert_int_equal(session.config.l1i_prefetch, 16);
	assert_true(elf_decides(session.sim.m));
	assert_int_equal(session.policy.in[POLICY_order], 1 + SCHEME_elf);
	assert_int_equal(session.policy.in[POLICY_fetch], 1 + SCHEME_elf);
	must("goto 400");
	assert_true(number_of("elf.recalcs.load") > 0);
	assert_true(number_of("elf.recalcs == elf.recalcs.start + elf.recalcs.load + elf.recalcs.branch + "
			      "elf.recalcs.stack + elf.recalcs.far"));
	assert_int_equal(number_of("elf.recalcs.load"), number_of("sm[0].elf.load + sm[1].elf.load"));
	close_session(state);
}

/* Virtual Thread with its two queues of 30 loads (Yoon et al., ISCA 2016, sections IV.D and V.A); a slot takes the
 * scheme alone. Of several shorthands in a line each puts its settings in. */
static void virtual_thread_has_its_queues(void **state)
{
	static const char *const line[] = {"gpu fermi", "set gpu.sms 1", "synthetic k mix int 3 load 1 body 16",
					   "launch k grid 2 block 64"};

	(void)state;
	assert_int_equal(bed_session(line, ARRAY_LEN(line)), 0);
	must("policy cta=vt");
	assert_int_equal(session.config.lsu_reexec, REEXEC_OFF);
	must("policy default");
	must("policy vt smkpw");
	must("restart");
	assert_int_equal(session.config.lsu_reexec, REEXEC_CAR);
	assert_int_equal(session.config.lsu_reexec_entries, 30);
	assert_int_equal(session.config.lsu_reexec_inactive, 30);
	assert_int_equal(session.policy.in[POLICY_cta_virtual], 1 + SCHEME_vt);
	assert_int_equal(session.policy.in[POLICY_cta_swap], 1 + SCHEME_vt);
	assert_int_equal(session.policy.in[POLICY_partition], 1 + SCHEME_smkp);
	close_session(state);
}

/* Every shorthand's settings exist. */
static void shorthands_name_what_there_is(void **state)
{
	(void)state;
	assert_int_equal(bed_session(NULL, 0), 0);
	for (u32 i = 0; i < shorthand_table_rows; i++) {
		char text[64];

		snprintf(text, sizeof(text), "policy %s", shorthand_table[i].name);
		must(text);
	}
	close_session(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_to_its_load_goes_first),
		cmocka_unit_test(without_points_it_is_gto),
		cmocka_unit_test(fetches_interleave_the_orders),
		cmocka_unit_test(a_shared_pool_has_one_order),
		cmocka_unit_test(the_oldest_of_equals),
		cmocka_unit_test(calculations_are_counted_by_cause),
		cmocka_unit_test(what_is_far_comes_within_reach),
		cmocka_unit_test(it_may_come_late),
		cmocka_unit_test(the_shorthand_sets_what_its_paper_does),
		cmocka_unit_test(virtual_thread_has_its_queues),
		cmocka_unit_test(shorthands_name_what_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
