/*
 * test_heat.c - the heat of blocks in the panes code and source: which instructions the pipeline's back-pressure comes
 * from, as `stats lines` counts it, and where warps stand for it; every share once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "lines.h"
#include "pane.h"
#include "session_bed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The counts of every instruction of the first launch, and their sums. */
static struct line_row *counts(u32 *n, u64 *pipeline, u64 *blocks)
{
	struct line_row *row = lines_collect(&session, session.program.launch[0].kernel, n);

	*pipeline = *blocks = 0;
	for (u32 i = 0; i < *n; i++) {
		const u64 *x = row[i].count.statuses;

		*pipeline += x[WARP_LSU] + x[WARP_UNIT] + x[WARP_COLLECTOR];
		*blocks += row[i].count.blocks;
	}
	return row;
}

/* A share of a row is this; shares are kept with a decimal or more. */
static void share(json_t *row, const char *key, u64 part, u64 whole)
{
	double want = whole ? 100.0 * (double)part / (double)whole : 0;

	if (fabs(json_number_value(json_object_get(row, key)) - want) > 0.051)
		fail_msg("%s is %f, not %f", key, json_number_value(json_object_get(row, key)), want);
}

static void of_instructions(void **state)
{
	u32 seen = 0;

	(void)state;
	must("set code.heat blocks");
	for (u64 cycle = 200; cycle < 3000; cycle += 400) {
		json_t *data, *row;
		struct line_row *count;
		u64 pipeline, blocks;
		u32 n;
		size_t i;

		go(cycle);
		count = counts(&n, &pipeline, &blocks);
		assert_int_equal(pipeline, blocks); /* each wait comes from somewhere, here from the one kernel */
		data = pane_json(&session, PANE_code);
		assert_int_equal(json_array_size(json_object_get(data, "code")), n);
		json_array_foreach (json_object_get(data, "code"), i, row) {
			const struct line_count *c = &count[i].count;

			assert_null(json_object_get(row, "stall"));
			share(row, "block", c->blocks, blocks);
			share(row, "pipe", c->statuses[WARP_LSU] + c->statuses[WARP_UNIT] + c->statuses[WARP_COLLECTOR],
			      pipeline);
			assert_int_equal(json_integer_value(json_object_get(row, "issued")), c->issues);
			seen += c->blocks > 0;
		}
		json_decref(data);
		free(count);
	}
	assert_true(seen > 20);
}

/* Of lines the shares of their instructions: all of them, and the instructions without a line, are the whole. */
static void of_lines(void **state)
{
	json_t *data = pane_json(&session, PANE_source), *row;
	double block = 0, pipe = 0;
	u64 pipeline, blocks;
	u32 n;
	struct line_row *count = counts(&n, &pipeline, &blocks);
	size_t i;

	(void)state;
	json_array_foreach (json_object_get(data, "source"), i, row) {
		if (!json_is_integer(json_object_get(row, "line")))
			continue; /* an instruction below its line */
		block += json_number_value(json_object_get(row, "block"));
		pipe += json_number_value(json_object_get(row, "pipe"));
	}
	for (u32 pc = 0; pc < n; pc++) {
		const u64 *x = count[pc].count.statuses;

		if (count[pc].line)
			continue;
		block += 100 * (double)count[pc].count.blocks / (double)blocks;
		pipe += 100 * (double)(x[WARP_LSU] + x[WARP_UNIT] + x[WARP_COLLECTOR]) / (double)pipeline;
	}
	free(count);
	if (fabs(block - 100) > 1.5 || fabs(pipe - 100) > 1.5)
		fail_msg("lines have %f of the blocks, %f of the waits", block, pipe);
	json_decref(data);
}

/* Back to stalls; and without counts there is no heat of either kind. */
static void chosen(void **state)
{
	json_t *data, *row;

	(void)state;
	must("set code.heat stalls");
	data = pane_json(&session, PANE_code);
	row = json_array_get(json_object_get(data, "code"), 0);
	assert_non_null(json_object_get(row, "stall"));
	assert_null(json_object_get(row, "block"));
	json_decref(data);
	must("set stats.lines off");
	must("set code.heat blocks");
	data = pane_json(&session, PANE_code);
	row = json_array_get(json_object_get(data, "code"), 0);
	assert_null(json_object_get(row, "issued"));
	assert_null(json_object_get(row, "block"));
	json_decref(data);
}

static int open_matmul(void **state)
{
	(void)state;
	bed_session(NULL, 0);
	must("source scenarios/matmul.scn");
	must("set stats.lines on");
	must("step 0");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_instructions),
		cmocka_unit_test(of_lines),
		cmocka_unit_test(chosen),
	};

	return cmocka_run_group_tests(tests, open_matmul, close_session);
}
