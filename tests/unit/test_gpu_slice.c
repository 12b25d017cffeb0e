/* test_gpu_slice.c - slices of GPUs: numbers by hand, every slice of every preset, what a session makes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gpu_slice.h"
#include "paths.h"
#include "script.h"
#include "session_bed.h"
#include "token.h"

/* 80 SMs, 32 channels, 64 L2 slices: 2.5 SMs per channel and 1.25 per L2 slice, as a V100 has them. */
static struct config whole_of_80(void)
{
	struct config c;

	config_default(&c);
	c.gpu_sms = 80;
	c.gpu_clock = 1500;
	c.dram_channels = 32;
	c.dram_clock = 900;
	c.dram_latency = 92;
	c.dram_cl = 12;
	c.dram_refi = 0;
	c.l2_slices = 64;
	c.l2_bytes = 98304;
	c.l2_ways = 24;
	c.l2_latency = 184;
	c.icnt_latency = 10;
	return c;
}

/* 5 x 32 / 80 = 2 channels and 5 x 64 / 80 = 4 L2 slices: exact, and nothing else changes. */
static void test_exact(void **state UNUSED)
{
	struct config whole = whole_of_80(), slice = whole, expected = whole;
	struct text says = {0};

	gpu_slice_take(&slice, 5);
	expected.gpu_sms = 5;
	expected.dram_channels = 2;
	expected.l2_slices = 4;
	assert_memory_equal(&slice, &expected, sizeof(slice));
	gpu_slice_words(&whole, &slice, &says);
	assert_string_equal(says.s, "5 of 80 SMs, 2 of 32 DRAM channels, 4 of 64 L2 slices");
	text_free(&says);
	slice = whole;
	gpu_slice_take(&slice, 80);
	assert_memory_equal(&slice, &whole, sizeof(slice));
}

/* 2 SMs: 0.8 channels and 1.6 L2 slices, of which there are 1 and 2. Clocks of 0.8: DRAM 900 to 720 MHz, L2 and
 * crossbar 1500 to 1200. Latencies in clocks x 0.8: 92 to 73.6, CL 12 to 9.6, L2 184 to 147.2, crossbar 10 to 8. What
 * is a rate of the channel (RRD 3, burst) stays. An L2 slice of 98304 x 0.8 = 78643 bytes: 25.6 sets of 24 x 128. */
static void test_clocks(void **state UNUSED)
{
	struct config whole = whole_of_80(), c = whole;

	gpu_slice_take(&c, 2);
	assert_int_equal(c.dram_channels, 1);
	assert_int_equal(c.dram_clock, 720);
	assert_int_equal(c.dram_latency, 74);
	assert_int_equal(c.dram_cl, 10);
	assert_int_equal(c.dram_rrd, whole.dram_rrd);
	assert_int_equal(c.dram_burst, whole.dram_burst);
	assert_int_equal(c.dram_refi, 0);
	assert_int_equal(c.l2_slices, 2);
	assert_int_equal(c.l2_clock, 1200);
	assert_int_equal(c.l2_latency, 147);
	assert_int_equal(c.l2_bytes, 26 * 24 * 128);
	assert_int_equal(c.icnt_clock, 1200);
	assert_int_equal(c.icnt_latency, 8);
	assert_true(gpu_slice_sets(SET_dram_cl) && gpu_slice_sets(SET_l2_bytes) && gpu_slice_sets(SET_gpu_sms));
	assert_false(gpu_slice_sets(SET_dram_rrd) || gpu_slice_sets(SET_l1d_bytes) || gpu_slice_sets(SET_gpu_clock));
}

/* 7 SMs: 2.8 channels and 5.6 L2 slices are 3 and 6, 7 % too much: nothing makes up for a tenth or less. */
static void test_tenth(void **state UNUSED)
{
	struct config whole = whole_of_80(), c = whole;

	gpu_slice_take(&c, 7);
	assert_int_equal(c.dram_channels, 3);
	assert_int_equal(c.l2_slices, 6);
	assert_int_equal(c.dram_clock, whole.dram_clock);
	assert_int_equal(c.l2_bytes, whole.l2_bytes);
}

/* 80 SMs get a CTA each in 80 cycles, 5 of them 5: one in 16. L2 slices under a polynomial are a power of two: of 12
 * SMs 9.6, which is nearer to 8 (1.2) than to 16 (1.67). Two halves have an even number: 2 SMs, which ask one half,
 * have 1.6 L2 slices there, so 2 of 4 (with 1 of 2 it would be 1.6 instead of 1.25 times). */
static void test_rules(void **state UNUSED)
{
	struct config whole = whole_of_80(), c;

	whole.dispatch_interval = 1;
	c = whole;
	gpu_slice_take(&c, 5);
	assert_int_equal(c.dispatch_interval, 16);
	whole.l2_hash = 1;
	c = whole;
	gpu_slice_take(&c, 12);
	assert_int_equal(c.l2_slices, 8);
	assert_int_equal(c.dram_channels, 4);
	whole.l2_hash = 0;
	whole.l2_halves = 2;
	c = whole;
	gpu_slice_take(&c, 2);
	assert_int_equal(c.l2_slices, 4);
	assert_int_equal(c.l2_clock, 1200);
}

/* Within a tenth, and one more hundredth for whole MHz and sets? */
static void in_part(double part, double of, const char *what, const char *preset, u32 sms)
{
	if (part < of * 0.89 || part > of * 1.11)
		fail_msg("%s sms %u: %s of %f instead of %f", preset, sms, what, part, of);
}

/* Clocks of the L2 in a second, over all slices that the SMs ask: a half if they are the first two of two halves. */
static double l2_rate(const struct config *c)
{
	u32 asked = c->l2_halves > 1 && c->gpu_sms <= 2 ? c->l2_slices / 2 : c->l2_slices;

	return (double)asked * (c->l2_clock ? c->l2_clock : c->gpu_clock);
}

/* Every slice of every preset can be made, and each SM has its bandwidth of DRAM and L2, and its bytes of the L2. */
static void test_presets(void **state UNUSED)
{
	struct text names = {0};
	char name[64];
	const char *at;

	preset_names(&names, " ");
	at = names.s;
	while (word_take(&at, name, sizeof(name))) {
		struct config whole;
		char line[100];
		u32 n;

		snprintf(line, sizeof(line), "gpu %s", name);
		must(line);
		whole = session.config;
		n = whole.gpu_sms;
		for (u32 sms = 1; sms <= n; sms++) {
			struct config c = whole;
			double part = (double)sms / n;
			struct error e;

			gpu_slice_take(&c, sms);
			if (config_check(&c, &e))
				fail_msg("%s sms %u: %s", name, sms, e.message);
			in_part((double)dram_bandwidth(&c), (double)dram_bandwidth(&whole) * part, "DRAM bandwidth",
				name, sms);
			in_part(l2_rate(&c), l2_rate(&whole) * part, "L2 bandwidth", name, sms);
			in_part(l2_rate(&c) / (c.l2_clock ? c.l2_clock : c.gpu_clock) * c.l2_bytes,
				(double)whole.l2_slices * whole.l2_bytes * part, "L2 capacity", name, sms);
		}
	}
	text_free(&names);
}

/* The command is recorded as typed, an error changes nothing, and a machine out of proportion is said to be. */
static void test_session(void **state UNUSED)
{
	struct error e = {0};
	struct text words = {0};

	must("gpu volta sms 5");
	assert_int_equal(session.config.gpu_sms, 5);
	assert_int_equal(session.config.dram_channels, 2);
	assert_string_equal(session.script[session.nscript - 1].text, "gpu volta sms 5\n");
	gpu_words(&session.gpu, &session.config, &words);
	assert_string_equal(words.s, "a 5-SM slice of volta");
	text_clear(&words);
	gpu_memory_words(&session.gpu, &session.config, &words);
	assert_int_equal(words.len, 0);
	assert_int_equal(command_run_line(&session, "gpu volta sms 81", NULL, 0, &e), STATUS_USAGE);
	assert_int_equal(command_run_line(&session, "gpu volta sms 0", NULL, 0, &e), STATUS_USAGE);
	assert_int_equal(command_run_line(&session, "gpu volta sms", NULL, 0, &e), STATUS_USAGE);
	assert_int_equal(session.config.gpu_sms, 5);
	assert_int_equal(session.gpu.slice, 5);
	must("gpu fermi");
	must("set gpu.sms 3"); /* of 15 with the memory of 15: five times their part */
	text_clear(&words);
	gpu_words(&session.gpu, &session.config, &words);
	assert_string_equal(words.s, "3 SMs of fermi");
	text_clear(&words);
	gpu_memory_words(&session.gpu, &session.config, &words);
	assert_string_equal(words.s, "3 SMs share the memory system of 15: `gpu fermi sms 3` takes both in proportion");
	must("set dram.clock 185"); /* a fifth of 924 */
	text_clear(&words);
	gpu_memory_words(&session.gpu, &session.config, &words);
	assert_int_equal(words.len, 0);
	text_free(&words);
}

static int setup(void **state UNUSED)
{
	return bed_session(NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact), cmocka_unit_test(test_clocks),  cmocka_unit_test(test_tenth),
		cmocka_unit_test(test_rules), cmocka_unit_test(test_presets), cmocka_unit_test(test_session),
	};

	return cmocka_run_group_tests(tests, setup, close_session);
}
