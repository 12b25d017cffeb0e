/*
 * test_own.c - what schemes keep for themselves has names: of an SM, of the GPU, alone or in arrays; it enters the
 * hash, goes back in time, and is 0 while nobody is told anything.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "expr.h"
#include "policy.h"
#include "settings.h"
#include "session_bed.h"

#define COUNT_FIELDS(F, A) \
	F(u32, issued, "warp instructions") \
	A(u16, by_four, 4, "of them, by instruction mod 4")
#define CELL_FIELDS(F, A) F(u8, times, "instructions of the warp in this context, mod 256")
#define ALL_FIELDS(F, A) F(u64, kernels, "kernels that began")
#define PAST_FIELDS(F, A) F(u32, at, "1 + the cycle in which kernel [index] began")
OWN_STRUCT(count, COUNT_FIELDS)
OWN_STRUCT(cell, CELL_FIELDS)
OWN_STRUCT(all, ALL_FIELDS)
OWN_STRUCT(past, PAST_FIELDS)

/* 13 cells in an SM: the arrays behind them begin at a multiple of 8 all the same. */
static u32 cells(const struct config *c)
{
	(void)c;
	return 13;
}

static u32 pasts(const struct config *c)
{
	(void)c;
	return 3;
}

static void told(const struct sched_view *v, const struct notice *n, void *own)
{
	struct count *count = own;
	u32 cell = own_offset(&scheme_trial[0], &v->m->config, IN_SM, 1);

	count->issued++;
	count->by_four[n->pc % 4]++;
	((struct cell *)((u8 *)own + cell))[n->context % 13].times++;
}

static void told_gpu(const struct gpu_view *v, const struct notice *n, struct scheme_bytes own)
{
	struct all *all = own.gpu;
	u32 past = own_offset(&scheme_trial[0], &v->m->config, IN_GPU, 3);

	all->kernels++;
	((struct past *)((u8 *)own.gpu + past))[n->launch % 3].at = (u32)v->cycle + 1;
}

static bool admit(const struct sched_view *v, u32 launch)
{
	(void)v;
	(void)launch;
	return true;
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {
	{.name = "trial_tally",
	 .doc = "",
	 .decide.cta_admit = admit,
	 .on_notice = told,
	 .on_notice_gpu = told_gpu,
	 .sm_local = true,
	 .subscribes = 1ULL << NOTICE_ISSUE | 1ULL << NOTICE_KERNEL_START,
	 .own = {OWN(count, "trial_tally", IN_SM, NULL), OWN(cell, "trial_tally.cell", IN_SM, cells),
		 OWN(all, "trial_tally", IN_GPU, NULL), OWN(past, "trial_tally.past", IN_GPU, pasts)}}};

/* From the beginning with or without the scheme. */
static void start(bool chosen)
{
	struct error e = {0};
	struct policy_choice p = session.policy;
	const char *says;

	policy_clear(&p, POLICY_cta_admit);
	if (chosen)
		policy_put(&p, POLICY_cta_admit, SCHEME_COUNT);
	must("restart");
	assert_int_equal(policy_apply(&session, &p, &says, &e), STATUS_OK);
	must("restart");
	must("goto 1");
}

static void names_tell_what_is_kept(void **state)
{
	i64 issued = 0, cells_sum = 0;

	(void)state;
	start(true);
	go(700);
	assert_true(number_of("sm[0].trial_tally.issued") > 100);
	assert_int_equal(number_of("sm[0].trial_tally.issued"), number_of("sm[0].events[event.issue]"));
	for (u32 i = 0; i < 4; i++)
		issued +=
			number_of((const char *[]){"sm[0].trial_tally.by_four[0]", "sm[0].trial_tally.by_four[1]",
						   "sm[0].trial_tally.by_four[2]", "sm[0].trial_tally.by_four[3]"}[i]);
	assert_int_equal(issued, number_of("sm[0].trial_tally.issued"));
	for (u32 i = 0; i < 13; i++) {
		char name[64];

		snprintf(name, sizeof(name), "sm[$sm].trial_tally.cell[%u].times", i);
		cells_sum += number_of(name);
	}
	assert_int_equal(cells_sum % 256, issued % 256);
	assert_int_equal(number_of("gpu.trial_tally.kernels"), 1);
	assert_int_equal(number_of("gpu.trial_tally.past[0].at"), number_of("launch[0].ready_at + 1"));
	assert_int_equal(number_of("gpu.trial_tally.past[2].at"), 0);
}

static void what_is_kept_goes_back_in_time(void **state)
{
	i64 then;
	u64 hash;

	(void)state;
	start(true);
	go(400);
	then = number_of("sm[0].trial_tally.issued");
	hash = sim_hash(&session.sim);
	go(900);
	assert_true(number_of("sm[0].trial_tally.issued") > then && sim_hash(&session.sim) != hash);
	go(400);
	assert_int_equal(number_of("sm[0].trial_tally.issued"), then);
	assert_true(sim_hash(&session.sim) == hash);
	/* every byte of it is in the hash */
	((struct count *)(void *)(uintptr_t)scheme_own(session.sim.m, SCHEME_COUNT, 0))->by_four[3] ^= 1;
	assert_true(sim_hash(&session.sim) != hash);
	((struct count *)(void *)(uintptr_t)scheme_own(session.sim.m, SCHEME_COUNT, 0))->by_four[3] ^= 1;
	assert_true(sim_hash(&session.sim) == hash);
}

/* Unchosen, it keeps nothing: the hash is that of a machine without it. */
static void nothing_is_kept_for_nobody(void **state)
{
	(void)state;
	start(false);
	go(700);
	assert_int_equal(number_of("sm[0].trial_tally.issued + gpu.trial_tally.kernels + gpu.trial_tally.past[0].at"),
			 0);
}

static void wrong_names_are_refused(void **state)
{
	static const char *const bad[] = {
		"sm[0].trial_tally.nothing", "sm[0].trial_tally.cell.times", "sm[0].trial_tally.cell[0].nothing",
		"gpu.trial_tally.issued",    "sm[0].nobody.issued",	     "gpu.trial_tally.past[0].kernels"};
	struct expr *x;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(bad); i++) {
		struct error e = {0};

		if (!expr_compile(&session, bad[i], &x, &e))
			fail_msg("%s is taken", bad[i]);
		assert_true(e.message[0]);
	}
}

static int setup(void **state)
{
	static const char *const lines[] = {"source scenarios/matmul.scn"};

	(void)state;
	return bed_session(lines, ARRAY_LEN(lines));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_tell_what_is_kept),
		cmocka_unit_test(what_is_kept_goes_back_in_time),
		cmocka_unit_test(nothing_is_kept_for_nobody),
		cmocka_unit_test(wrong_names_are_refused),
	};

	return cmocka_run_group_tests(tests, setup, close_session);
}
