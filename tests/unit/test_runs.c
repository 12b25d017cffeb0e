/*
 * test_runs.c - the runs of a sitting: which machines are the same run, what is told of them; an earlier one is made
 * again as it was, whatever the files are now; reload takes a run that is known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "compare.h"
#include "machine.h"
#include "reload.h"
#include "runs.h"
#include "session_bed.h"
#include "source_text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/test_runsXXXXXX";
static const char *const files[] = {"turn.scn", "turn.ptx", "turn.cu"};

static char *in_folder(const char *name)
{
	return xasprintf("%s/%s", folder, name);
}

/* Write a file of the folder: one of tests/compare, with `from` in it made `to` wherever it stands (NULL: as it is). */
static void put(const char *file, const char *as, const char *from, const char *to)
{
	char *path = xasprintf("tests/compare/%s", file), *target = in_folder(as), *text, *at, *next;
	size_t n;
	FILE *out = fopen(target, "w");

	assert_int_equal(file_read(path, 1 << 20, &text, &n, NULL), STATUS_OK);
	assert_true(!from || strstr(text, from));
	for (at = text; from && (next = strstr(at, from)); at = next + strlen(from)) {
		fwrite(at, 1, (size_t)(next - at), out);
		fputs(to, out);
	}
	fputs(at, out);
	fclose(out);
	free(text);
	free(path);
	free(target);
}

/* The second version under the first one's names. */
static void put_second(void)
{
	put("turn2.ptx", "turn.ptx", "\"turn2.cu\"", "\"turn.cu\"");
	put("turn2.cu", "turn.cu", NULL, NULL);
}

static void gone(const char *file)
{
	char *path = in_folder(file);

	unlink(path);
	free(path);
}

static int begin(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : 1;
}

static int end(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(files); i++)
		gone(files[i]);
	return rmdir(folder);
}

static int open_scene(void **state)
{
	char *path = in_folder("turn.scn");
	struct error e = {0};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(files); i++)
		put(files[i], files[i], NULL, NULL);
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	if (command_run_file(&session, path, &e))
		fail_msg("%s", e.message);
	free(path);
	return 0;
}

static u64 now(void)
{
	return timeline_now(session.timeline).cycle;
}

/* The i-th run. */
static const struct run *row(u32 i)
{
	assert_true(session.runs && i < session.runs->n);
	return &session.runs->run[i];
}

static u32 rows(void)
{
	return session.runs ? session.runs->n : 0;
}

/* What is changed in a run, and its version. */
static void says(u32 i, const char *version, const char *changed)
{
	struct text t = {0};

	runs_version_text(&session, row(i), &t);
	assert_string_equal(t.s, version);
	text_clear(&t);
	runs_changes_text(&session, row(i), &t);
	assert_string_equal(t.len ? t.s : "", changed);
	text_free(&t);
}

/* A line must fail, with this in its message. */
static void fails(const char *line, const char *part)
{
	struct error e = {0};

	assert_int_not_equal(command_run_line(&session, line, NULL, 0, &e), STATUS_OK);
	if (!strstr(e.message, part))
		fail_msg("%s: %s", line, e.message);
}

/* The same machine is the same run, however it came to its end; other settings or policies are another. */
static void same_and_others(void **state)
{
	u64 first, second;

	(void)state;
	fails("compare run 1", "no run has come");
	must("goto 300");
	assert_int_equal(rows(), 0);
	must("run");
	first = now();
	assert_true(rows() == 1 && row(0)->number == 1 && row(0)->end.cycles == first);
	assert_true(row(0)->end.judged.passed == 1 && !row(0)->end.judged.failed);
	must("goto 10");
	must("goto 100000");
	must("restart");
	must("set time.zoom 2"); /* how it is looked at */
	must("continue");
	assert_int_equal(rows(), 1);
	must("set lat.int 8");
	must("restart");
	assert_ptr_equal(runs_present(&session), NULL);
	must("run");
	second = now();
	assert_true(rows() == 2 && row(1)->end.cycles == second && second != first);
	assert_ptr_equal(runs_present(&session), row(1));
	must("policy order=lrr");
	must("restart");
	must("run");
	says(0, "turn.ptx v1", "");
	says(1, "turn.ptx v1", "lat.int 8");
	says(2, "turn.ptx v1", "order=lrr");
	must("set lat.int 1"); /* as before */
	must("policy default");
	must("restart");
	assert_ptr_equal(runs_present(&session), row(0));
	must("run");
	assert_true(rows() == 3 && now() == first);
}

/* What is set before the first cycle is the machine's; what is set later is told, and no machine is made like it. */
static void on_the_way(void **state)
{
	u64 cycles;

	(void)state;
	must("run");
	must("goto 0");
	must("set lat.int 8");
	must("run");
	assert_true(rows() == 2 && !row(1)->changes);
	must("compare run 2");
	assert_true(session.compare->end[COMPARE_B] == row(1)->end.cycles &&
		    session.compare->end[COMPARE_A] == row(1)->end.cycles);
	must("goto 500");
	must("set lat.int 20");
	must("run");
	cycles = now();
	assert_true(rows() == 3 && row(2)->changes == 1 && row(2)->end.cycles == cycles);
	must("goto 600");
	must("run"); /* once more the same way */
	assert_int_equal(rows(), 3);
	says(2, "turn.ptx v1", "lat.int 20, 1 change during the run");
	fails("compare run 3", "changed on its way");
	must("goto 900");
	must("set lat.int 8"); /* as in the second run, but not from the start */
	must("run");
	assert_true(rows() == 4 && row(3)->changes == 2);
	must("launch turn grid 4,4 block 16,16 args b a 128");
	fails("compare run 1", "other launches");
	must("restart");
	must("run");
	assert_true(rows() == 5 && row(4)->launches == 2);
	must("compare run 5");
}

/* Two versions: the first is made again with its kernels, its settings and its source, when the files are gone. */
static void versions(void **state)
{
	const struct session *b;
	const struct module *m;
	u64 first, second;

	(void)state;
	must("set lat.int 8");
	must("run");
	first = now();
	put_second();
	must("reload");
	must("run");
	second = now();
	assert_true(rows() == 2 && second < first);
	must("reload"); /* the same files once more */
	assert_true(rows() == 3 && row(2)->end.cycles == second);
	must("set lat.int 6");
	must("restart");
	put("turn.scn", "turn.ptx", NULL, NULL); /* no PTX at all */
	gone("turn.cu");
	says(1, "turn.ptx v2", "");
	says(2, "turn.ptx v2", "files read again");
	for (u32 i = 0; i < 2; i++) {
		must("compare run 1");
		b = &session.compare->side[COMPARE_B].session;
		m = b->program.launch[0].kernel->module;
		assert_true(session.compare->end[COMPARE_B] == first && session.compare->judged[COMPARE_B].passed == 1);
		assert_int_equal(b->sim.m->config.lat_int, 8);
		/* line 9 of turn.cu, line 10 of turn2.cu */
		assert_string_equal(source_line_text(b, m, 1, 9), "b[x * n + y] = a[y * n + x];");
		b = &session.compare->side[COMPARE_A].session;
		m = b->program.launch[0].kernel->module;
		assert_string_equal(source_line_text(b, m, 1, 10), "tile[threadIdx.y][threadIdx.x] = a[y * n + x];");
		must("compare lines");
	}
	must("compare run 1 lat.int=6 stats cycle");
	assert_true(session.compare->end[COMPARE_B] != first);
	must("compare run 1,2,3 stats cycle");
	must("compare run 2");
	assert_int_equal(session.compare->end[COMPARE_B], second);
	fails("compare swap", "earlier run");
	fails("compare run 4", "no run '4'");
	fails("compare run", "missing number");
	fails("compare run 1 gpu=h100", "all of the other machine");
	fails("compare scenario=turn.scn run 1", "all of the other machine");
}

/* reload runs no version whose end is known; one that is not becomes a run, too. */
static void known_is_not_run(void **state)
{
	struct reloaded r;
	struct error e;
	u64 cycles;

	(void)state;
	must("goto 300");
	put_second();
	assert_int_equal(session_reload(&session, &r, &e), STATUS_OK);
	assert_true(rows() == 2 && r.whole && row(0)->end.cycles == r.cycles[0] && row(1)->end.cycles == r.cycles[1]);
	assert_true(row(0)->end.issued > 0 && row(0)->end.issued != row(1)->end.issued);
	must("run"); /* the same as when it was run beside the other */
	assert_true(rows() == 2 && now() == r.cycles[1]);
	cycles = now();
	session.runs->run[1].end.cycles = 123; /* a number that no machine has */
	assert_int_equal(session_reload(&session, &r, &e), STATUS_OK);
	assert_true(r.whole && r.cycles[0] == 123 && r.cycles[1] == cycles);
	says(2, "turn.ptx v2", "files read again");
	put("turn.ptx", "turn.ptx", ".visible", "// once more\n.visible");
	must("reload");
	says(3, "turn.ptx v3", "");
	put("turn.ptx", "turn.ptx", NULL, NULL);
	must("reload");
	says(4, "turn.ptx v1", "");
}

/* Results that are wrong, and a machine that does not come to its end. */
static void goes_wrong(void **state)
{
	struct error e;

	(void)state;
	put("turn2.ptx", "turn.ptx", "st.global.f32", "// st.global.f32");
	fails("reload", "1 of 1 checks fail");
	assert_true(rows() == 2 && row(0)->end.judged.passed == 1 && !row(0)->end.judged.failed);
	assert_true(row(1)->end.judged.failed == 1 && row(1)->end.ended == STOP_FINISHED);
	must("set lat.int 8");
	must("restart");
	fails("run", "b[1] is 0");
	assert_true(rows() == 3 && row(2)->end.judged.failed == 1 && !row(2)->end.judged.passed);
	must("launch turn grid 8,8 block 16,16 args a b 4096"); /* rows that the buffers do not have */
	must("restart");
	assert_int_not_equal(command_run_line(&session, "run", NULL, 0, &e), STATUS_OK);
	assert_true(rows() == 4 && row(3)->end.ended == STOP_FAULT && row(3)->end.cycles == now());
}

/* The instructions of one scene have one order at a time. */
static void one_order(void **state)
{
	(void)state;
	must("run");
	must("set ptx.schedule on");
	must("restart");
	must("run");
	assert_int_equal(rows(), 2);
	fails("compare run 1", "ptx.schedule");
	must("goto 0"); /* the machine's kernel has stayed as it is */
	must("run");
	assert_int_equal(now(), row(1)->end.cycles);
	must("compare run 2");
	must("reload"); /* now they are two */
	must("compare run 1");
	assert_int_equal(session.compare->end[COMPARE_B], row(0)->end.cycles);
	must("compare run 2");
	assert_int_equal(session.compare->end[COMPARE_B], row(1)->end.cycles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(same_and_others, open_scene, close_session),
		cmocka_unit_test_setup_teardown(on_the_way, open_scene, close_session),
		cmocka_unit_test_setup_teardown(versions, open_scene, close_session),
		cmocka_unit_test_setup_teardown(known_is_not_run, open_scene, close_session),
		cmocka_unit_test_setup_teardown(goes_wrong, open_scene, close_session),
		cmocka_unit_test_setup_teardown(one_order, open_scene, close_session),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
