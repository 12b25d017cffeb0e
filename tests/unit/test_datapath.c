/*
 * test_datapath.c - the boxes of pane datapath: every warp and every instruction in flight stands in one, in each cycle
 * and in both directions; letters, registers and places are those of `why`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "datapath.h"
#include "session_bed.h"

/* Step through cycles of a scenario: the law, of every SM. */
static void law_over(const char *const *line, u32 n, u64 cycles)
{
	struct error e = {0};
	u32 flying = 0;

	assert_int_equal(bed_session(line, n), 0);
	assert_int_equal(session_make(&session, &e), STATUS_OK);
	for (u64 cycle = 1; cycle <= cycles && !sim_finished(&session.sim); cycle++) {
		go(cycle);
		for (u32 sm = 0; sm < session.sim.m->config.gpu_sms; sm++) {
			struct datapath d;
			u32 warps, inflight;

			datapath_open(&d, &session.sim, sm);
			if (!datapath_sum(&d, NONE32, &warps, &inflight))
				fail_msg("%s: cycle %llu SM %u: %u warps, %u in flight", line[0], cycle, sm, warps,
					 inflight);
			flying += inflight;
			datapath_close(&d);
		}
	}
	assert_true(flying > 0);
	fclose(session.out);
	session_close(&session);
}

#define LAW(cycles, ...) \
	do { \
		static const char *const line[] = {__VA_ARGS__}; \
		law_over(line, ARRAY_LEN(line), cycles); \
	} while (0)

static void every_instruction_has_a_place(void **state)
{
	(void)state;
	LAW(3000, "source scenarios/matmul.scn");
	LAW(3000, "source scenarios/subcore/register-cache.scn");
	LAW(3000, "source scenarios/atomic64.scn");
	LAW(3000, "source scenarios/histogram256.scn");
	LAW(2000, "source scenarios/vws/split.scn");
	LAW(2000, "source scenarios/vws/skew.scn");
	LAW(2000, "source scenarios/tlp/vt-figure5.scn");
	LAW(2000, "source scenarios/multi/switch.scn");
	LAW(2000, "source scenarios/elf/bypass.scn");
	LAW(2000, "source scenarios/synthetic.scn");
	LAW(2000, "source scenarios/pipeline.scn");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_instruction_has_a_place)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
