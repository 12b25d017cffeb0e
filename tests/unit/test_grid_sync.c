/*
 * test_grid_sync.c - grids that synchronize themselves: every CTA sees what all others wrote before the barrier, each
 * launch has a barrier of its own, and a grid that cannot be resident at once is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "ptx_bed.h"
#include "session_bed.h"

#define HEAD ".version 7.0\n.target sm_80\n.address_size 64\n"

/* The address of the barrier, from both registers. */
static const char address[] = HEAD
	".visible .entry k(.param .u64 out) { .reg .b32 %r<3>; .reg .b64 %d<3>; ld.param.u64 %d1, [out];\n"
	"mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; mov.b64 %d2, {%r2, %r1}; st.global.u64 [%d1], %d2; ret; }\n";

static void address_of_barrier(void **state)
{
	struct bed b;
	u64 out, at;

	(void)state;
	bed_text(&b, address, "k", 1, 1);
	assert_true(b.launch.kernel->grid_sync);
	assert_int_equal(b.module->nsymbol, 1);
	assert_true(b.module->symbol[0].common);
	assert_int_equal(b.module->symbol[0].size, 4096);
	out = give_buffer(&b, 8);
	bed_fill(&b);
	bed_good(&b);
	store_read(&b.store, out, &at, 8);
	assert_int_equal(at, b.module->symbol[0].address);
	bed_close(&b);
}

static void other_registers_are_refused(void **state)
{
	static const char text[] = HEAD ".entry k() { .reg .b32 %r<2>; mov.u32 %r1, %envreg3; ret; }\n";
	struct error e = {0};
	struct module *m;

	(void)state;
	assert_int_equal(ptx_load_text("t.ptx", text, strlen(text), &m, &e), STATUS_USAGE);
	assert_int_equal(e.line, 4);
	assert_int_equal(e.column, 44);
	assert_non_null(strstr(e.message, "'%envreg3' is not supported: the device runtime is not modeled"));
}

/* A session with the ring of the library on an SM that holds two CTAs of 256 threads (by registers). */
static void open_ring(void)
{
	static const char *const setup[] = {"gpu volta",
					    "set gpu.sms 2",
					    "set sm.ctas 2",
					    "module scenarios/kernels/gridsync.ptx",
					    "buffer a u32[1024] iota",
					    "buffer b u32[1024]"};

	assert_int_equal(bed_session(setup, ARRAY_LEN(setup)), 0);
}

static void close_ring(void)
{
	fclose(session.out);
	session_close(&session);
}

/* The error of the line, or of the run behind it. */
static void fails(const char *line, const char *says)
{
	struct error e = {0};

	if (!command_run_line(&session, line, NULL, 0, &e))
		command_run_line(&session, "run", NULL, 0, &e);
	if (strcmp(e.message, says))
		fail_msg("%s: %s", line, e.message);
}

static void grids_that_do_not_fit(void **state)
{
	(void)state;
	open_ring();
	fails("launch ring grid 4 block 256 args a b 1024 2 every 1ms sms 2 deadline 1ms",
	      "ring: synchronizes its grid, so 'deadline' is not allowed (a killed instance would leave the grid's barrier half full)");
	fails("launch ring grid 5 block 256 args a b 1024 2",
	      "ring synchronizes its grid, so its 5 CTAs must be resident at once, but 4 can be: 2 on each of 2 SMs (limited by CTA slots)");
	close_ring();
	open_ring();
	fails("launch ring grid 3 block 256 args a b 1024 2 sms 1",
	      "ring synchronizes its grid, so its 3 CTAs must be resident at once, but 2 can be: 2 on each of 1 SMs (limited by CTA slots)");
	close_ring();
	open_ring();
	must("launch ring_step grid 5 block 256 args a b 1024");
	must("run");
	close_ring();
}

/* Cell 0 after one step is c[1023] + 3 c[0] + c[1], of two steps likewise: 1024, then 1023 of neighbours. */
static void steps_see_each_other(void **state)
{
	(void)state;
	open_ring();
	must("launch ring grid 4 block 256 args a b 1024 2");
	must("launch ring grid 3 block 256 args a b 1024 2");
	must("run");
	/* four steps of c = left + 3 c + right keep a straight line but for its factor of 5: far from the ends 625 i */
	assert_int_equal(number_of("a[512]"), 625 * 512);
	/* each step reaches one cell further from the ends, where the line breaks: 1024 x 5 x 5 x 5 more at the edge */
	assert_int_equal(number_of("a[4]"), 625 * 4);
	assert_int_not_equal(number_of("a[3]"), 625 * 3);
	/* bit 31 turns with each of the four barriers of the two launches, each in an element of its own */
	assert_int_equal(number_of("grid.barrier[1]"), 0);
	assert_int_equal(number_of("grid.barrier[9]"), 0);
	close_ring();
	open_ring();
	must("launch ring grid 4 block 256 args a b 1024 1");
	must("launch ring grid 4 block 256 args b a 1024 3");
	must("run");
	assert_int_equal(number_of("grid.barrier[1]"), (i64)0x80000000);
	assert_int_equal(number_of("grid.barrier[9]"), (i64)0x80000000);
	close_ring();
}

/* Two modules have one variable for it. */
static void modules_share_the_barrier(void **state)
{
	char path[] = "/tmp/warpstep-grid-XXXXXX.ptx", line[80];
	int fd = mkstemps(path, 4);

	(void)state;
	assert_true(fd >= 0 && write(fd, address, strlen(address)) == (ssize_t)strlen(address));
	close(fd);
	open_ring();
	snprintf(line, sizeof(line), "module %s", path);
	must(line);
	must("buffer out u64[1]");
	must("launch ring grid 4 block 256 args a b 1024 1");
	must("launch k grid 1 block 1 args out");
	must("run");
	/* that of launch 1 */
	assert_int_equal(number_of("out[0]") - session.program.module[0]->symbol[0].address, 32);
	assert_int_equal(session.program.module[0]->symbol[0].address, session.program.module[1]->symbol[0].address);
	close_ring();
	unlink(path);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(address_of_barrier),	     cmocka_unit_test(other_registers_are_refused),
		cmocka_unit_test(grids_that_do_not_fit),     cmocka_unit_test(steps_see_each_other),
		cmocka_unit_test(modules_share_the_barrier),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
