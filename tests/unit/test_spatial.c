/*
 * test_spatial.c - which SMs are a kernel's: rules of spatial multitasking (Adriaens, Compton, Kim, Schulte, HPCA 2012,
 * smart even) and of launches that ask for SMs, as divisions of SMs that stand in a state set by hand.
 */
#include "core_bed.h"

#include "policy_multi.h"

#define ANY 1000 /* SMs: more than there are */
#define MOST 6	 /* SMs */

/* Three launches of so many CTAs, all begun; SMs have four places, which the first launch has taken. */
static struct bed *three(u32 sms, u32 a, u32 b, u32 c)
{
	struct bed *bed = bed_pair(sms, a, b, 0);

	if (c)
		bed_launch(bed, 0, c, 32)->stream = 2;
	bed_open(bed);
	bed_run_to(bed, 5);
	return bed;
}

static struct launch_run *run_of(struct bed *b)
{
	return machine_gpu_section(b->sim.m, SECTION_LAUNCH);
}
static struct gpu_view view_of(struct bed *b)
{
	return (struct gpu_view){.m = b->sim.m,
				 .gpu = machine_gpu(b->sim.m),
				 .launch = b->launch,
				 .run = run_of(b),
				 .launches = b->program.nlaunch,
				 .cycle = bed_cycle(b)};
}
/* CTAs of a launch in an SM are said to be so many. */
static void holds(struct bed *b, u32 sm, u32 launch, u32 n)
{
	((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, sm, launch))->resident = n;
}

/* Divides the SMs, and says whose each is: "0012", a dot for nobody's. */
static const char *divided(struct bed *b, bool smart, struct spatial *own)
{
	static char text[MOST + 1];
	struct gpu_view v = view_of(b);
	u32 n = b->config.gpu_sms;

	spatial_divide(&v, smart, own);
	for (u32 i = 0; i < n; i++)
		text[i] = own[i].owner ? (char)('0' + own[i].owner - 1) : '.';
	text[n] = 0;
	return text;
}

/* Smart even: none gets more than it needs. 31 SMs, needs (10, any, any): an equal share is 10, which is all that the
 * first needs; 21 are left for two, 11 and 10. Of (11, any, any) nobody is satisfied: 11, 10, 10. */
static void who_needs_its_share_has_no_more(void **state)
{
	u32 share[3];

	(void)state;
	spatial_shares((u32[]){10, ANY, ANY}, 3, 31, share);
	assert_true(share[0] == 10 && share[1] == 11 && share[2] == 10);
	spatial_shares((u32[]){11, ANY, ANY}, 3, 31, share);
	assert_true(share[0] == 11 && share[1] == 10 && share[2] == 10);
	spatial_shares((u32[]){ANY, 10, 10}, 3, 31, share);
	assert_true(share[0] == 11 && share[1] == 10 && share[2] == 10);
}

/* A kernel needs SMs for its CTAs that have not ended, whether they have been dispatched or not: of 12 CTAs, four to an
 * SM, three at first, two for eight and for seven, one for four. */
static void what_has_ended_needs_no_sm(void **state)
{
	static const struct {
		u32 ended, dispatched;
		const char *want;
	} row[] = {{0, 0, "111000"},  {0, 12, "111000"}, {3, 12, "111000"}, {4, 8, "110000"},
		   {4, 12, "110000"}, {5, 12, "110000"}, {8, 12, "100000"}, {11, 12, "100000"}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = three(6, 60, 12, 0);
		struct spatial own[MOST] = {{0}};

		run_of(b)[1].finished = row[i].ended;
		run_of(b)[1].next_cta = row[i].dispatched;
		assert_string_equal(divided(b, true, own), row[i].want);
		bed_close(b);
	}
}

/* Need is looked at every spatial.window cycles, at the end of their last, while kernels share the SMs. */
static void need_is_looked_at_again(void **state)
{
	struct bed *b = three(4, 60, 60, 0);
	struct gpu_view v = view_of(b);

	(void)state;
	b->sim.m->config.spatial_window = 1000;
	assert_int_equal(scheme_smart.due(&v, 0), 999);
	assert_int_equal(scheme_smart.due(&v, 999), 999);
	assert_int_equal(scheme_smart.due(&v, 1000), 1999);
	run_of(b)[1].state = LAUNCH_DONE;
	assert_int_equal(scheme_smart.due(&v, 0), NEVER);
	run_of(b)[1].state = LAUNCH_WAITING;
	assert_int_equal(scheme_smart.due(&v, 0), NEVER);
	run_of(b)[1].state = LAUNCH_RUNNING;
	b->sim.m->config.spatial_window = 0;
	assert_int_equal(scheme_smart.due(&v, 0), NEVER);
	bed_close(b);
}

/* An SM of nobody is that of the kernel with most CTAs there. */
static void an_sm_is_its_tenants(void **state)
{
	struct bed *b = three(4, 60, 60, 0);
	struct spatial own[MOST] = {{0}};

	(void)state;
	for (u32 i = 0; i < 4; i++)
		for (u32 k = 0; k < 2; k++)
			holds(b, i, k, i % 2 == k ? 3 : 1);
	assert_string_equal(divided(b, false, own), "0101");
	bed_close(b);
}

/* Two SMs of the first of three kernels are given up, 0 and 1. Each of the others takes that which has CTAs of it, else
 * an empty one, else the first. */
static void who_takes_which(void **state)
{
	(void)state;
	for (u32 i = 0; i < 3; i++) {
		struct bed *b = three(4, 60, 60, 60);
		struct spatial own[MOST] = {{.owner = 1}, {.owner = 1}, {.owner = 1}, {.owner = 1}};

		if (i == 1)
			holds(b, 1, 1, 1);
		if (i == 2)
			b->sim.view[1].sm->ctas = 0;
		assert_string_equal(divided(b, false, own), i ? "2100" : "1200");
		bed_close(b);
	}
}

/* A launch that asks for two SMs gets them, one from each of two that share four; when it has ended each gets its own
 * back. */
static void who_lent_an_sm_gets_it_back(void **state)
{
	struct bed *b = three(4, 60, 60, 60);
	struct spatial own[MOST] = {{.owner = 2}, {.owner = 2}, {.owner = 1}, {.owner = 1}};

	(void)state;
	b->launch[2].sms = 2;
	assert_string_equal(divided(b, false, own), "2120");
	for (u32 i = 0; i < 4; i++)
		for (u32 k = 0; k < 3; k++)
			holds(b, i, k, 0);
	run_of(b)[2].state = LAUNCH_DONE;
	assert_string_equal(divided(b, false, own), "1100");
	bed_close(b);
}

/* Alone, too, it has as many as it asks for and no more, its CTAs spread evenly: 60 on two SMs, 30 each. */
static void who_asks_alone_has_no_more(void **state)
{
	struct bed *b = three(4, 60, 60, 0);
	struct spatial own[MOST] = {{0}};
	u32 n = 0;

	(void)state;
	run_of(b)[1].state = LAUNCH_WAITING;
	assert_string_equal(divided(b, false, own), "....");
	b->launch[0].sms = 2;
	divided(b, false, own);
	for (u32 i = 0; i < 4; i++) {
		n += own[i].owner == 1;
		assert_int_equal(
			spatial_wanted(&(struct sched_view){.m = b->sim.m, .sm_id = i, .launch = b->launch}, own, 0),
			own[i].owner ? 30 : 0);
	}
	assert_int_equal(n, 2);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_needs_its_share_has_no_more),
		cmocka_unit_test(what_has_ended_needs_no_sm),
		cmocka_unit_test(need_is_looked_at_again),
		cmocka_unit_test(an_sm_is_its_tenants),
		cmocka_unit_test(who_takes_which),
		cmocka_unit_test(who_lent_an_sm_gets_it_back),
		cmocka_unit_test(who_asks_alone_has_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
