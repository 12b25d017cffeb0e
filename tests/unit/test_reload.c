/*
 * test_reload.c - reload: the files as they are now make the session's machine, which stands where the focused warp
 * was; stops stay; what cannot be read changes nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "machine.h"
#include "reload.h"
#include "session_bed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/test_reloadXXXXXX";

/* Put a file of tests/compare into the folder under another name; with `from` in it made `to` (NULL: as it is). */
static void put(const char *file, const char *as, const char *from, const char *to)
{
	char *path = xasprintf("tests/compare/%s", file), *target = xasprintf("%s/%s", folder, as);
	static char bytes[100000];
	FILE *in = fopen(path, "r"), *out = fopen(target, "w");
	size_t n = fread(bytes, 1, sizeof(bytes) - 1, in);
	char *at;

	bytes[n] = '\0';
	at = from ? strstr(bytes, from) : NULL;
	assert_true(!from || at);
	if (at) {
		fwrite(bytes, 1, (size_t)(at - bytes), out);
		fputs(to, out);
		fputs(at + strlen(from), out);
	} else {
		fwrite(bytes, 1, n, out);
	}
	fclose(in);
	fclose(out);
	free(path);
	free(target);
}

static int begin(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : 1;
}

static int end(void **state)
{
	static const char *const file[] = {"tile.ptx", "tile.cu", "tile.scn", "cc", "ran", "next"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(file); i++) {
		char *path = xasprintf("%s/%s", folder, file[i]);

		unlink(path);
		free(path);
	}
	return rmdir(folder);
}

/* The scenario in the folder with the first version of its kernel, at a cycle. */
static void open_at(const char *cycle)
{
	char *path = xasprintf("%s/tile.scn", folder);
	struct error e = {0};

	put("tile.scn", "tile.scn", NULL, NULL);
	put("tile.ptx", "tile.ptx", NULL, NULL);
	put("tile.cu", "tile.cu", NULL, NULL);
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	if (command_run_file(&session, path, &e))
		fail_msg("%s", e.message);
	must(cycle);
	free(path);
}

static u64 now(void)
{
	return timeline_now(session.timeline).cycle;
}

/* The second version, whose file has the first one's name. */
static void put_second(void)
{
	put("tile2.ptx", "tile.ptx", "\"tile2.cu\"", "\"tile.cu\"");
	put("tile2.cu", "tile.cu", NULL, NULL);
}

/* The source line of the focused warp, 0: none. */
static u32 line_now(void)
{
	u32 mask, pc = sim_warp_pc(&session.sim, session.focus.sm, session.focus.warp, &mask);

	return pc == NONE32 ? 0 : session.program.launch[0].kernel->inst[pc].source_line;
}

/* Nothing has changed: the same machine, at the beginning of the focused warp's visit of its line. */
static void unchanged(void **state)
{
	static const u64 at[] = {1436, 5000};
	struct reloaded r;
	struct error e;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(at); i++) {
		u64 hash, cycle;
		char line[32];
		u32 there;

		snprintf(line, sizeof(line), "goto %llu", (unsigned long long)at[i]);
		open_at(line);
		must("focus sm 1 sub 0 warp 4");
		there = line_now();
		assert_true(there > 0);
		assert_int_equal(session_reload(&session, &r, &e), STATUS_OK);
		assert_true(r.whole && r.placed && r.cycles[0] == 7723 && r.cycles[1] == 7723);
		assert_true(r.judged[1].passed == 1 && !r.judged[1].failed && r.finished[0] && r.finished[1]);
		snprintf(line, sizeof(line), "tile.cu:%u", there);
		assert_string_equal(r.place, line);
		cycle = now();
		assert_in_range(cycle, 1, at[i]);
		hash = sim_hash(&session.sim);
		must("run");
		assert_int_equal(now(), 7723);
		close_session(NULL);
		open_at("goto 1");
		must("focus sm 1 sub 0 warp 4");
		for (u64 c = cycle - 1; c <= at[i]; c++) { /* it has not left the line in between */
			go(c);
			assert_true((line_now() == there) == (c >= cycle));
		}
		go(cycle);
		assert_true(sim_hash(&session.sim) == hash);
		close_session(NULL);
	}
}

/* Another version: its machine, its cycles; a stop by line stops in it; line 18 of it reads what line 17 read. */
static void changed(void **state)
{
	struct reloaded r;
	struct error e;

	(void)state;
	open_at("goto 1600");
	must("break tile.cu:15");
	must("set lat.int 5");
	must("focus sm 1 sub 0 warp 4");
	i64 line_before = number_of("sm[1].warp[4].pc");
	assert_true(line_before > 0);
	put_second();
	assert_int_equal(session_reload(&session, &r, &e), STATUS_OK);
	assert_true(r.whole && r.cycles[0] != r.cycles[1]);
	assert_true(r.judged[1].passed == 1 && !r.judged[1].failed);
	assert_int_equal(session.config.lat_int, 5);
	assert_true(session.focus.sm == 1 && session.focus.warp == 4);
	go(0);
	must("continue");
	assert_int_equal(session.last_break, 1);
	must("delete");
	must("run");
	assert_int_equal(now(), r.cycles[1]);
	must("compare order=lrr"); /* nothing of the first version is looked at any more */
	must("stats lines");
	close_session(NULL);
}

/* A line that has moved is told by its text, one that has been changed by its number: tile2.cu has a line more above
 * its line 12, and its lines 14 and 18 are not as 13 and 17 were. */
static void at_the_same_line(void **state)
{
	struct reloaded r;
	struct error e;
	u32 moved = 0, stayed = 0;

	(void)state;
	for (u64 cycle = 40; cycle < 7000; cycle += 530) {
		char line[32];
		u32 before, want;

		snprintf(line, sizeof(line), "goto %llu", cycle);
		open_at(line);
		must("focus sm 0 sub 0 warp 4");
		before = line_now();
		want = before < 12 ? before : before + 1;
		put_second();
		assert_int_equal(session_reload(&session, &r, &e), STATUS_OK);
		snprintf(line, sizeof(line), "tile.cu:%u", want);
		if (before) {
			assert_string_equal(r.place, line);
			assert_true(!r.placed || line_now() == want);
			moved += r.placed && want != before;
			stayed += r.placed && want == before;
		}
		close_session(NULL);
	}
	assert_true(moved > 0 && stayed > 0);
}

/* A file that cannot be read, a kernel that is gone or takes other arguments, results that are wrong. */
static void what_goes_wrong(void **state)
{
	struct error e = {0};
	u64 hash;

	(void)state;
	open_at("goto 1436");
	must("break tile.cu:15");
	hash = sim_hash(&session.sim);
	put("tile.ptx", "tile.ptx", ".visible .entry tile(", ".visible .entry gone(");
	assert_true(command_run_line(&session, "reload", NULL, 0, &e) != STATUS_OK);
	assert_non_null(strstr(e.message, "tile"));
	put("tile.ptx", "tile.ptx", "bar.sync", "bar.sink");
	assert_true(command_run_line(&session, "reload", NULL, 0, &e) != STATUS_OK);
	assert_true(sim_hash(&session.sim) == hash && now() == 1436 && session.breaks->n == 1);
	must("step");
	must("reverse-step");
	assert_true(sim_hash(&session.sim) == hash);
	put("tile.ptx", "tile.ptx", "fma.rn.f32", "sub.f32 \t%f99, %f99, %f99; fma.rn.f32");
	if (command_run_line(&session, "reload", NULL, 0, &e) == STATUS_OK)
		fail_msg("%s", "%f99 is not declared");
	put("tile.ptx", "tile.ptx", "setp.lt.s32", "setp.ge.s32");
	assert_int_equal(command_run_line(&session, "reload", NULL, 0, &e), STATUS_CHECK);
	assert_non_null(strstr(e.message, "1 of 1 checks fail"));
	assert_true(sim_hash(&session.sim) != hash); /* it is the session's, all the same */
	close_session(NULL);
}

/* A compiler of ours: what it is told to do stands in the source's folder. */
static void put_compiler(const char *script)
{
	char *path = xasprintf("%s/cc", folder);
	FILE *f = fopen(path, "w");

	fprintf(f, "echo \"$@\" >>%s/ran\n%s\n", folder, script);
	fclose(f);
	free(path);
}

/* How often it has run. */
static u32 ran(void)
{
	char *path = xasprintf("%s/ran", folder), line[500];
	FILE *f = fopen(path, "r");
	u32 n = 0;

	while (f && fgets(line, sizeof(line), f))
		n++;
	if (f)
		fclose(f);
	free(path);
	return n;
}

/* Is there a file in the folder that the tests have not put there? */
static bool litter(void)
{
	char *line = xasprintf("test -z \"$(ls %s | grep -vxE 'tile.(ptx|cu|scn)|cc|ran|next')\"", folder);
	bool is = system(line) != 0;

	free(line);
	return is;
}

static const char *says;
static u32 asked;
static char *answer(struct session *s, const char *prompt)
{
	(void)s;
	(void)prompt;
	asked++;
	return says ? xstrdup(says) : NULL;
}

/* The module is what the program has written where %o stands; where it fails, what it was. */
static void compiles(void **state)
{
	char *line = xasprintf("compile \"sh %s/cc %%i %%o\"", folder);
	struct error e = {0};
	u64 hash, before;

	(void)state;
	open_at("goto 1430");
	hash = sim_hash(&session.sim);
	must(line);
	put("tile2.ptx", "next", "\"tile2.cu\"", "\"tile.cu\"");
	put_compiler("cat \"${1%/*}/next\" >\"$2\"");
	must("reload");
	assert_true(ran() == 1 && sim_hash(&session.sim) != hash && !litter());
	must("run");
	before = now();
	assert_true(before != 7723);
	put_compiler("echo it is wrong; exit 3");
	assert_int_equal(command_run_line(&session, "reload", NULL, 0, &e), STATUS_FAILED);
	assert_non_null(strstr(e.message, "status 3"));
	assert_true(ran() == 2 && now() == before && !litter());
	put_compiler("echo garbage >\"$2\""); /* the file is new, the machine is not */
	assert_true(command_run_line(&session, "reload", NULL, 0, &e) != STATUS_OK);
	assert_true(ran() == 3 && now() == before && !litter());
	must("goto 1");
	assert_int_equal(command_run_line(&session, "compile nvcc %i", NULL, 0, &e), STATUS_USAGE);
	assert_int_equal(command_run_line(&session, "compile nvcc %o", NULL, 0, &e), STATUS_USAGE);
	must("compile /nowhere/at/all %i %o");
	put("tile.ptx", "tile.ptx", NULL, NULL);
	assert_int_equal(command_run_line(&session, "reload", NULL, 0, &e), STATUS_FAILED);
	assert_non_null(strstr(e.message, "cannot run /nowhere/at/all"));
	assert_false(litter());
	close_session(NULL);
	free(line);
}

/* A scenario's program is run after the user has said yes to its words, once for each; or with --trust. */
static void asks_first(void **state)
{
	static const struct {
		const char *says;
		bool interactive, trust;
		u32 asked, ran;
	} row[] = {{"yes", true, false, 1, 2}, {"no", true, false, 2, 0},   {NULL, true, false, 2, 0},
		   {"y", true, false, 2, 0},   {"yes", false, false, 0, 0}, {"no", false, true, 0, 2}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		char *scene = xasprintf("%s/tile.scn", folder), *trace = xasprintf("%s/ran", folder);
		struct error e = {0};
		FILE *f;

		put("tile.scn", "tile.scn", NULL, NULL);
		put("tile.ptx", "tile.ptx", NULL, NULL);
		put("tile.cu", "tile.cu", NULL, NULL);
		put("tile.ptx", "next", NULL, NULL);
		put_compiler("cat \"${1%/*}/next\" >\"$2\"");
		unlink(trace);
		f = fopen(scene, "a");
		fprintf(f, "compile \"sh %s/cc %%i %%o\"\n", folder);
		fclose(f);
		session_open(&session, &all_session_ops);
		session.out = fopen("/dev/null", "w");
		session.trust = row[i].trust;
		assert_int_equal(command_run_file(&session, scene, &e), 0);
		session.interactive = row[i].interactive;
		session.answer = answer;
		says = row[i].says;
		asked = 0;
		for (u32 k = 0; k < 2; k++)
			assert_int_equal(command_run_line(&session, "reload", NULL, 0, &e),
					 row[i].ran ? STATUS_OK : STATUS_FAILED);
		assert_true(asked == row[i].asked && ran() == row[i].ran);
		session.interactive = false;
		close_session(NULL);
		free(scene);
		free(trace);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unchanged),	   cmocka_unit_test(changed),  cmocka_unit_test(at_the_same_line),
		cmocka_unit_test(what_goes_wrong), cmocka_unit_test(compiles), cmocka_unit_test(asks_first),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
