/* test_config.c - settings by name and text, rules across them, occupancy against published and hand-made numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "config.h"

/* Every row: its default lies in its range, its text reads back, its name finds it. */
static void test_rows(void **state UNUSED)
{
	struct config c;
	struct error e;
	char text[32];
	u32 value;

	config_default(&c);
	assert_int_equal(config_check(&c, &e), STATUS_OK);
	for (u32 i = 0; i < SETTING_COUNT; i++) {
		const struct setting *row = &setting_table[i];

		assert_int_equal(config_get(&c, i), row->def);
		assert_true(row->def >= row->min && row->def <= row->max);
		assert_int_equal(setting_find(row->name, &e), i);
		assert_int_equal(setting_parse(i, setting_text(i, row->def, text), &value, &e), STATUS_OK);
		assert_int_equal(value, row->def);
		assert_true(row->flags == FLAG_LAYOUT || row->flags == FLAG_TIMING || row->flags == FLAG_HOST ||
			    row->flags == (FLAG_HOST | FLAG_VIEW) || row->flags == (FLAG_HOST | FLAG_BOUND));
		config_set(&c, i, row->max);
		assert_int_equal(config_get(&c, i), row->max);
	}
	assert_int_equal(c.gpu_sms, setting_table[SET_gpu_sms].max);
}

/* Beginnings of names, and names that are none. */
static void test_find(void **state UNUSED)
{
	static const struct {
		const char *name;
		int id;
		const char *says;
	} row[] = {{"gpu.sms", SET_gpu_sms, NULL},
		   {"gpu.sm", SET_gpu_sms, NULL},
		   {"sm.sub", SET_sm_subcores, NULL},
		   {"sm.", -1, "ambiguous"},
		   {"sm.wraps", -1, "did you mean 'sm.warps'"},
		   {"", -1, "`set` lists"},
		   {"qqqqqqqqqq", -1, "`set` lists"},
		   {"sm.registers", SET_sm_registers, NULL}};
	struct error e;

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		assert_int_equal(setting_find(row[i].name, &e), row[i].id);
		if (row[i].says)
			assert_non_null(strstr(e.message, row[i].says));
	}
}

/* Values out of kind or range say what would be right. */
static void test_parse(void **state UNUSED)
{
	static const struct {
		u32 id;
		const char *text;
		bool good;
		u32 value;
		const char *says;
	} row[] = {
		{SET_sm_warps, "48", true, 48, NULL},
		{SET_sm_warps, "0x30", true, 48, NULL},
		{SET_sm_warps, "0", false, 0, "1 to 256"},
		{SET_sm_warps, "257", false, 0, "1 to 256"},
		{SET_sm_warps, "-1", false, 0, "whole number"},
		{SET_sm_warps, "", false, 0, "whole number"},
		{SET_sm_warps, "99999999999999999999999", false, 0, "out of range"},
		{SET_l1d_enabled, "on", true, 1, NULL},
		{SET_l1d_enabled, "off", true, 0, NULL},
		{SET_l1d_enabled, "1", false, 0, "off, on"},
		{SET_sched_pool, "shared", true, 1, NULL},
		{SET_l1d_line, "64", true, 64, NULL},
		{SET_l1d_line, "48", false, 0, "32, 64, 128"},
		{SET_engine_lanes, "avx2", true, 2, NULL},
		{SET_time_rows, "slices", true, TIME_WARPS, NULL}, /* former words */
		{SET_trace_unknown, "refuse", true, 0, NULL},
		{SET_trace_unknown, "accept", false, 0, "(one of reject, int)"},
	};
	struct error e;
	u32 value = 0;

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		assert_int_equal(setting_parse(row[i].id, row[i].text, &value, &e),
				 row[i].good ? STATUS_OK : STATUS_FAILED);
		if (row[i].good)
			assert_int_equal(value, row[i].value);
		else
			assert_non_null(strstr(e.message, row[i].says));
	}
}

/* The values of each kind of setting, without former words; a value is printed by its word of today. */
static void test_values(void **state UNUSED)
{
	static const struct {
		u32 id;
		const char *says;
	} row[] = {{SET_sm_warps, "1 to 256"},
		   {SET_l1d_line, "32, 64, 128"},
		   {SET_l1d_enabled, "off, on"},
		   {SET_time_rows, "gangs, warps, subcore"},
		   {SET_assign_table, "4 or 16 digits from 0 to 3"}};
	char word[32];

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct text says = {0};

		setting_values(row[i].id, &says);
		assert_string_equal(says.s, row[i].says);
		text_free(&says);
	}
	assert_string_equal(setting_text(SET_time_rows, TIME_WARPS, word), "warps");
	assert_int_equal(setting_find("style.colour", NULL), SET_style_colour);
	assert_string_equal(setting_table[SET_style_colour].name, "style.color");
}

/* Rules across settings. */
static void test_check(void **state UNUSED)
{
	static const struct {
		u32 id, value;
		const char *says;
	} row[] = {{SET_sm_warps, 63, "multiple of sm.subcores"},
		   {SET_sm_subcores, 3, "power of two"},
		   {SET_sm_registers, 65537, "multiple of sm.subcores"},
		   {SET_sm_cta_shared, 98305, "must not exceed"},
		   {SET_l1d_bytes, 33000, "l1d.bytes"},
		   {SET_l1d_ways, 255, "l1d.ways"},
		   {SET_l2_ways, 17, "l2.bytes"},
		   {SET_l1i_line, 96, "power of two"},
		   {SET_dram_channels, 5, "l2.slices"},
		   {SET_dram_refi, 50, "dram.refi (50) must exceed the"}};

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct config c;
		struct error e;

		config_default(&c);
		config_set(&c, row[i].id, row[i].value);
		assert_int_equal(config_check(&c, &e), STATUS_FAILED);
		assert_non_null(strstr(e.message, row[i].says));
	}
}

/* Kepler of the Virtual Thread paper: 256 threads of 10 registers: 8 CTAs, bound by threads. */
static void test_kepler(void **state UNUSED)
{
	struct occupancy o;
	struct config c;
	struct error e;

	config_default(&c);
	c.sm_subcores = 1;
	c.sm_warps = 64;
	c.sm_ctas = 16;
	c.sm_threads = 2048;
	c.sm_registers = 65536;
	c.sm_register_unit = 256;
	c.sm_shared = c.sm_cta_shared = 49152;
	assert_int_equal(occupancy_of(&c, 256, 10, 0, &o, &e), STATUS_OK);
	assert_int_equal(o.ctas, 8);
	assert_int_equal(o.binding, LIMIT_THREADS);
	assert_int_equal(o.limit[LIMIT_CTAS], 16);
	assert_int_equal(o.limit[LIMIT_THREADS], 8);
	/* 10 x 32 = 320 registers of a warp are rounded to 512: 128 warps, 16 CTAs of 8 */
	assert_int_equal(o.limit[LIMIT_REGISTERS], 16);
	assert_int_equal(o.limit[LIMIT_SHARED], ~0u);
}

/* Hand-made cases on a machine of 4 sub-cores of 16384 registers. */
static void test_occupancy(void **state UNUSED)
{
	static const struct {
		u32 threads, regs, shared, ctas;
		u8 binding;
	} row[] = {
		{32, 0, 0, 32, LIMIT_CTAS}, /* CTA slots before 64 warps */
		{1024, 32, 0, 2, LIMIT_THREADS},
		{33, 32, 0, 32, LIMIT_THREADS},	   /* two warps: 32 CTAs both by slots and by threads */
		{256, 128, 0, 2, LIMIT_REGISTERS}, /* 4096 a warp: 4 warps a sub-core, 16 in all */
		{256, 255, 0, 1, LIMIT_REGISTERS}, /* 8160 -> 8192: 2 warps a sub-core */
		{96, 255, 0, 2, LIMIT_REGISTERS},  /* 8 warps in all, 3 a CTA */
		{64, 32, 40000, 2, LIMIT_SHARED},  /* 40000 -> 40192 */
		{64, 32, 98304, 1, LIMIT_SHARED},
	};
	struct occupancy o;
	struct config c;
	struct error e;

	config_default(&c);
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		assert_int_equal(occupancy_of(&c, row[i].threads, row[i].regs, row[i].shared, &o, &e), STATUS_OK);
		assert_int_equal(o.ctas, row[i].ctas);
		assert_int_equal(o.binding, row[i].binding);
	}
}

/* Blocks that do not fit at all say why. */
static void test_unfit(void **state UNUSED)
{
	static const struct {
		u32 threads, regs, shared;
		const char *says;
	} row[] = {{1024, 255, 0, "registers"}, {64, 32, 98305, "shared memory"}, {2080, 8, 0, "threads"}};
	struct occupancy o;
	struct config c;
	struct error e;

	config_default(&c);
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		assert_int_equal(occupancy_of(&c, row[i].threads, row[i].regs, row[i].shared, &o, &e), STATUS_FAILED);
		assert_int_equal(o.ctas, 0);
		assert_non_null(strstr(e.message, row[i].says));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),	  cmocka_unit_test(test_find),	 cmocka_unit_test(test_parse),
		cmocka_unit_test(test_check),	  cmocka_unit_test(test_values), cmocka_unit_test(test_kepler),
		cmocka_unit_test(test_occupancy), cmocka_unit_test(test_unfit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
