/*
 * test_set.c - set with a glob: all settings that match get the value or none does, and what is kept of it.
 *
 * By settings.def lat.d* are lat.div32, lat.div64 (1 to 500 cycles both) and lat.dmma (0 to 500); lat.t* are lat.tensor
 * (1 to 500) and, behind it, lat.tensor_step (0 to 100).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "session_bed.h"
#include "script.h"

#include <string.h>

static int open_bed(void **state UNUSED)
{
	static const char *const setup[] = {"gpu tiny", "synthetic s iterations 1000 mix int 1",
					    "launch s grid 1 block 32"};

	return bed_session(setup, ARRAY_LEN(setup));
}

static int close_bed(void **state UNUSED)
{
	fclose(session.out);
	session_close(&session);
	return 0;
}

/* A line that fails with a message. */
static void fails(const char *line, const char *says)
{
	struct error e = {0};

	assert_int_not_equal(command_run_line(&session, line, NULL, 0, &e), STATUS_OK);
	assert_string_equal(e.message, says);
}

/* Those that match, and no other. */
static void test_match(void **state UNUSED)
{
	i64 branch = number_of("lat.branch"), idiv = number_of("lat.idiv");

	must("set lat.d* 7");
	assert_true(number_of("lat.div32") == 7 && number_of("lat.div64") == 7 && number_of("lat.dmma") == 7);
	assert_true(number_of("lat.branch") == branch && number_of("lat.idiv") == idiv);
	fails("set latt.* 3", "no setting matches 'latt.*' (`set` lists all)");
	must("set lat.div?? = 9");
	assert_true(number_of("lat.div32") == 9 && number_of("lat.div64") == 9 && number_of("lat.dmma") == 7);
	fails("set lat.d* 1 2", "unexpected '2' (a setting has one value)");
	fails("with lat.d* 3 -- step 1", "with: takes one setting, not 'lat.d*' (`set` takes a glob)");
}

/* One that cannot take the value: none has it, whichever of them it is. */
static void test_none(void **state UNUSED)
{
	i64 tensor = number_of("lat.tensor"), step = number_of("lat.tensor_step");

	fails("set lat.t* 200",
	      "lat.tensor_step: 200 is out of range (0 to 100 cycles); no setting of 'lat.t*' has changed");
	fails("set lat.t* 0", "lat.tensor: 0 is out of range (1 to 500 cycles); no setting of 'lat.t*' has changed");
	assert_true(number_of("lat.tensor") == tensor && number_of("lat.tensor_step") == step);
}

/* A saved session has a line for each that has changed. */
static void test_kept(void **state UNUSED)
{
	u32 n = session.nscript;

	must("set lat.tensor 31");
	must("set lat.t* 31");
	assert_int_equal(session.nscript, n + 2);
	assert_string_equal(session.script[n + 1].text, "set lat.tensor_step 31\n");
	must("set lat.t* 32");
	assert_int_equal(session.nscript, n + 4);
	assert_string_equal(session.script[n + 2].text, "set lat.tensor 32\n");
	assert_string_equal(session.script[n + 3].text, "set lat.tensor_step 32\n");
}

/* In the cycle in which they are set, of which going back knows; undo takes all of them back. */
static void test_time(void **state UNUSED)
{
	struct error e = {0};
	u32 n;

	must("goto 60");
	n = session.nscript;
	must("set lat.t* 33");
	must("step 10");
	assert_true(number_of("lat.tensor") == 33 && number_of("lat.tensor_step") == 33);
	must("goto 59");
	assert_true(number_of("lat.tensor") == 32 && number_of("lat.tensor_step") == 32);
	must("goto 61");
	assert_true(number_of("lat.tensor") == 33 && number_of("lat.tensor_step") == 33);
	must("goto 60");
	assert_int_equal(text_run(&session, "set lat.t* 34", NULL, true, &e), STATUS_OK); /* as a user types it */
	assert_int_equal(session.nscript, n + 4);
	must("undo");
	assert_int_equal(session.nscript, n + 2);
	assert_true(number_of("lat.tensor") == 33 && number_of("lat.tensor_step") == 33);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_time),
	};

	return cmocka_run_group_tests(tests, open_bed, close_bed);
}
