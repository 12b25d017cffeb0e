/*
 * test_hacking.c - the example of a policy in warpstep-hacking(7) compiles, and does what the page says of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "expr.h"
#include "machine.h"
#include "policy.h"
#include "settings.h"
#include "session_bed.h"

#define SCHEME_throttle SCHEME_COUNT
#include "hacking_throttle.h"

/* Where loads miss, an SM does without a CTA, says so by name, and the event tells; without the scheme nothing does. */
static void the_throttle_throttles(void **state)
{
	struct policy_choice p = session.policy;
	struct error e = {0};
	const char *says;

	(void)state;
	must("run");
	assert_int_equal(number_of("events.throttle"), 0);
	policy_put(&p, POLICY_cta_limit, SCHEME_throttle);
	must("restart");
	assert_int_equal(policy_apply(&session, &p, &says, &e), STATUS_OK);
	must("restart");
	must("break throttle");
	must("continue");
	assert_int_equal(number_of("gpu.cycle % 2048"), 0);
	assert_int_equal(number_of("sm[0].throttle.less"), 1);
	assert_true(number_of("sm[0].throttle.missed") > 64);
	must("delete");
	must("run");
	assert_true(number_of("events.throttle") > 1);
}

/* A formula may name fields, with indices. */
static void formulas_read_fields(void **state)
{
	struct error e = {0};
	struct value v = {0};
	struct expr *x;

	(void)state;
	assert_int_equal(expr_compile_formula(&session, "sm[1].throttle.missed + sm[0].throttle.missed", &x, &e), 0);
	if (expr_eval(&session, x, NULL, &v, &e))
		fail_msg("%s", e.message);
	assert_true(v.r == (double)number_of("sm[0].throttle.missed + sm[1].throttle.missed") && v.r > 0);
	expr_free(x);
	assert_int_equal(expr_compile_formula(&session, "sm[1 / 2].throttle.missed", &x, &e), 0);
	assert_int_not_equal(expr_eval(&session, x, NULL, &v, &e), 0);
	expr_free(x);
}

static int setup(void **state)
{
	static const char *const line[] = {
		"gpu fermi",
		"set gpu.sms 2",
		"module scenarios/kernels/vecadd.ptx",
		"buffer a f32[65536] iota",
		"buffer b f32[65536] iota",
		"buffer c f32[65536]",
		"launch vecadd grid 256 block 256 args a b c 65536",
		"goto 1",
	};

	(void)state;
	return bed_session(line, ARRAY_LEN(line));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_throttle_throttles),
					   cmocka_unit_test(formulas_read_fields)};

	return cmocka_run_group_tests(tests, setup, close_session);
}
