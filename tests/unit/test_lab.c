/*
 * test_lab.c - labs: a try runs on a machine of its own and is judged by the scenario's checks and the lab's aim; it
 * leaves the student's machine as it is, takes no settings of the student's, and what is wrong with a lab is found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "lesson.h"
#include "session_bed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/test_labXXXXXX";
static char *said;
static size_t said_length;

static int begin(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : 1;
}

static int end(void **state)
{
	static const char *const file[] = {"my.cu", "my.ptx", "cc", "session", "answers"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(file); i++) {
		char *path = xasprintf("%s/%s", folder, file[i]);

		unlink(path);
		free(path);
	}
	return rmdir(folder);
}

static void open_session(void)
{
	session_open(&session, &all_session_ops);
	session.out = open_memstream(&said, &said_length);
}

/* A lab as a student opens it, at its question. */
static void open_lab(const char *path)
{
	struct error e;

	open_session();
	if (command_run_file(&session, path, &e))
		fail_msg("%s: %s", path, e.message);
	must("lesson");
}

static void close_all(void)
{
	FILE *out = session.out;

	session_close(&session);
	fclose(out);
	free(said);
	said = NULL;
}

/* A command, typed; its status. */
static enum status typed(const char *line, struct error *e)
{
	*e = (struct error){0};
	return command_run_line(&session, line, NULL, 0, e);
}

/* A command that must fail; what it says. */
static const char *refused(const char *line)
{
	static struct error e;

	if (!typed(line, &e))
		fail_msg("%s: it ran", line);
	return e.message;
}

/* What a command prints that must succeed. */
static const char *printed(const char *line)
{
	fflush(session.out);
	rewind(session.out);
	must(line);
	fputc('\0', session.out);
	fflush(session.out);
	return said;
}

/* Both texts are in what a command prints. */
static void says(const char *line, const char *text, const char *more)
{
	const char *out = printed(line);

	if (!strstr(out, text) || !strstr(out, more))
		fail_msg("%s: %s", line, out);
}

static const struct lesson_answer *answer_of(u32 ask)
{
	for (u32 i = 0; i < session.lesson->n; i++)
		if (session.lesson->item[i].kind == LESSON_ASK && !ask--)
			return &session.lesson->item[i].answer;
	return NULL;
}

/* Neither a try nor what cannot be tried moves the student's machine, nor takes what has been set on it into account:
 * a kernel whose lanes lie apart needs 16 lines in each of 1,024 accesses, wherever the student stands. */
static void a_try_changes_nothing(void **state)
{
	u64 hash;
	u32 lines;

	(void)state;
	open_lab("scenarios/labs/01-coalesce.scn");
	must("set lsu.loads 9");
	must("restart");
	must("goto 1000");
	must("break event issue");
	hash = sim_hash(&session.sim);
	lines = session.nscript;
	says("answer a", "Try 1, a: results right, but kernel.0.cycles is ", "16384 lines of memory");
	says("answer b", "Try 2, b: wrong results: out[", "Each number is to be computed once.");
	assert_non_null(strstr(refused("answer scenarios/labs/kernels/pad.ptx"), "launched: scale; it has: transpose"));
	assert_non_null(strstr(refused("answer tests/tap"), "neither the letter"));
	assert_non_null(strstr(refused("answer nosuch.ptx"), "no such file"));
	assert_non_null(strstr(refused("answer d"), "neither the letter"));
	assert_true(sim_hash(&session.sim) == hash && session_now(&session).cycle == 1000);
	assert_true(session.nscript == lines && session.breaks->n == 1 && session.config.lsu_loads == 9);
	assert_true(answer_of(0)->state == ANSWER_OPEN && answer_of(0)->tries == 2);
	must("step 5");
	says("answer C)", "Right (try 3): with C) ", "`compare scenarios/labs/kernels/coalesce_c.ptx`");
	assert_true(answer_of(0)->state == ANSWER_RIGHT && answer_of(0)->tries == 3);
	assert_int_equal(session_now(&session).cycle, 1005);
	assert_non_null(strstr(refused("answer c"), "no question is open"));
	close_all();
}

/* A try has the scenario's settings, so that what makes the student's machine fast makes no kernel right. */
static void settings_are_the_scenarios(void **state)
{
	i64 slow;

	(void)state;
	open_lab("scenarios/labs/03-latency.scn");
	must("set ideal.l1d on");
	must("restart");
	must("run");
	slow = number_of("kernel.0.cycles");
	assert_true(slow < 7000);
	says("answer a", "results right, but kernel.0.cycles is 14,648 (aim: below 7,000)", "Hint: ");
	close_all();
}

/* A lab hides nothing, but the next step waits for it; hints by reason are not among those that are asked for. */
static void a_lab_is_open(void **state)
{
	(void)state;
	open_lab("scenarios/labs/12-deadlock.scn");
	assert_true(lesson_open(&session) && !lesson_hides(&session));
	must("goto 100");
	must("why");
	assert_non_null(strstr(refused("lesson next"), "`answer FILE`, `hint` or `give up`"));
	assert_non_null(strstr(refused("lesson check"), "not available until"));
	assert_non_null(strstr(refused("answer a extra"), "neither the letter"));
	says("answer a", "the run does not come to its end: livelock", "Hint: Blocks that wait stay on the SM");
	says("hint", "Which blocks wait", "");
	must("hint");
	assert_non_null(strstr(refused("hint"), "no further hint"));
	says("give up", "Given up after 1 try: with version c ", "the given kernel: cta.finished 0");
	assert_true(answer_of(0)->state == ANSWER_GIVEN_UP);
	close_all();
}

/* What a step begins with holds in its tries, too: races are looked for. */
static void begin_lines_count(void **state)
{
	(void)state;
	open_lab("scenarios/labs/11-race.scn");
	must("set check.races off");
	says("answer c", "events.race is 24 (aim: equal to 0)", "__syncwarp() those of a warp");
	says("answer a", "race_a.cu:13", "Does every thread reach every barrier?");
	says("answer b", "Right (try 3)", "events.race is 0");
	close_all();
}

/* A saved session has the lab with its tries. */
static void a_saved_lab_goes_on(void **state)
{
	char *save = xasprintf("save session %s/session", folder), *path = xasprintf("%s/session", folder);

	(void)state;
	open_lab("scenarios/labs/02-pad.scn");
	must("answer a");
	must("answer c");
	must("hint");
	must(save);
	close_all();
	open_session();
	session.trust = true;
	struct error e;
	if (command_run_file(&session, path, &e))
		fail_msg("%s", e.message);
	assert_true(answer_of(0)->state == ANSWER_OPEN && answer_of(0)->tries == 2 && answer_of(0)->hints == 1);
	says("answer b", "Right (try 3)", "shared.cycles is 256 ");
	close_all();
	free(save);
	free(path);
}

/* --- sources --- */

static void put(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", folder, name);
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
	free(path);
}

static bool there(const char *name)
{
	char *path = xasprintf("%s/%s", folder, name);
	bool is = !access(path, F_OK);

	free(path);
	return is;
}

/* A kernel that does not end is told no hint about its results or its speed. */
static void no_hint_without_an_end(void **state)
{
	char *answer = xasprintf("answer %s/my.ptx", folder);
	const char *out;

	(void)state;
	put("my.ptx",
	    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry scale(.param .u64 a, .param .u64 b, "
	    ".param .u32 n)\n{\nL:\n\tbra L;\n}\n");
	open_lab("scenarios/labs/01-coalesce.scn");
	out = printed(answer);
	assert_non_null(strstr(out, "my.ptx: the run does not come to its end: livelock"));
	assert_null(strstr(out, "Hint"));
	put("my.ptx",
	    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry scale(.param .u64 a, .param .u64 b, "
	    ".param .u32 n)\n{\n.reg .u64 %d<2>;\n.reg .u32 %r<2>;\nld.param.u64 %d1, [b];\nL:\n"
	    "atom.global.add.u32 %r1, [%d1], 1;\nbra L;\n}\n"); /* its counter goes on and on */
	session.max_cycles = 20000;
	says(answer, "Try 2, ", "the run does not come to its end: it still runs after 20,000 cycles\n");
	close_all();
	free(answer);
}

/* A compiler of ours writes a copy of what the source has as its first line, from the folder of the lab's module. */
static void a_source_is_compiled(void **state)
{
	char *compile = xasprintf("compile \"sh %s/cc %%i %%o %%d\"", folder), *answer, *source;
	struct error e;

	(void)state;
	answer = xasprintf("answer %s/my.cu", folder);
	source = xasprintf("source %s/answers", folder);
	put("cc", "cat \"$3/$(head -n 1 \"$1\")\" >\"$2\" || { echo \"$1:1:1: no such kernel\"; exit 3; }\n");
	put("my.cu", "coalesce_a.ptx\n");
	open_lab("scenarios/labs/01-coalesce.scn");
	session.interactive = false;
	assert_non_null(strstr(refused(answer), "may not run programs")); /* the scenario's compiler, unasked */
	must(compile);
	says(answer, "Try 1, ", "results right, but kernel.0.cycles is ");
	assert_true(there("my.ptx"));
	put("my.cu", "nosuch.ptx\n");
	fflush(session.out);
	rewind(session.out);
	assert_int_equal(typed(answer, &e), STATUS_FAILED);
	assert_non_null(strstr(e.message, "exit status 3"));
	fputc('\0', session.out);
	fflush(session.out);
	assert_non_null(strstr(said, "my.cu:1:1: no such kernel"));
	assert_int_equal(answer_of(0)->tries, 1);
	put("my.cu", "../../../tests/tap\n"); /* no PTX */
	assert_true(typed(answer, &e) != STATUS_OK);
	assert_int_equal(answer_of(0)->tries, 1);
	assert_non_null(strstr(refused("answer scenarios/labs/kernels/coalesce.cu"), "stay as they are"));
	put("answers", "answer my.cu\n"); /* a line of a file, which may read what lies beside it */
	assert_non_null(strstr(refused(source), "may not compile"));
	put("my.cu", "coalesce_c.ptx\n");
	says(answer, "Right (try 2)", "my.ptx`");
	close_all();
	free(compile);
	free(answer);
	free(source);
}

/* --- what an author does wrong --- */

/* A lab over the first lab's kernels; lines are added to it. */
static void open_own(void)
{
	open_session();
	must("gpu volta sms 1");
	must("module scenarios/labs/kernels/coalesce.ptx");
	must("buffer a f32[1024] iota");
	must("buffer out f32[1024]");
	must("launch scale grid 1 block 64 args a out 1024");
	must("finally\n  check out formula 3 * a[i] + 1\nend");
	must("part \"One\"");
}

static void lines_that_do_not_belong(void **state)
{
	static const struct {
		const char *line, *says;
	} row[] = {
		{"ask kernel scenarios/labs/kernels/coalesce.ptx", "expected `until`"},
		{"ask kernel scenarios/labs/kernels/coalesce.ptx for cycle < 3", "expected `until`"},
		{"ask kernel scenarios/labs/kernels/coalesce.ptx until", "missing EXPR"},
		{"ask kernel scenarios/labs/kernels/pad.ptx until cycle < 3", "not a module of this scenario"},
		{"ask kernel nosuch.ptx until cycle < 3", "not a module of this scenario"},
		{"version right scenarios/labs/kernels/coalesce.ptx \"x\"", "belongs to a question"},
		{"hint if 1 \"x\"", "belongs to a question"},
		{"ask number \"How many?\" cycle", NULL},
		{"version right scenarios/labs/kernels/coalesce.ptx \"x\"", "needs `ask kernel`"},
		{"hint if 1 \"x\"", "'hint if' needs `ask kernel`"},
		{"ask kernel scenarios/labs/kernels/coalesce.ptx until cycle < 3", NULL},
		{"after run", "does not belong to `ask kernel`"},
		{"tolerance 3", "does not belong to `ask kernel`"},
		{"wrong 3 \"x\"", "does not belong to `ask kernel`"},
		{"choice \"x\" if 1", "needs `ask choice`"},
		{"version good scenarios/labs/kernels/coalesce.ptx \"x\"", "'good' is not a verdict"},
		{"hint if 1 x", "TEXT in quotes"},
		{"hint if \"x\"", "expected `hint TEXT` or"},
		{"hint when 1 \"x\"", "expected `hint TEXT` or"},
		{"hint if 1 \"{\"", "'{' without its '}'"},
		{"hint if 1 \"x\"", NULL},
	};

	(void)state;
	open_own();
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (!row[i].says)
			must(row[i].line);
		else if (!strstr(refused(row[i].line), row[i].says))
			fail_msg("%s: %s", row[i].line, refused(row[i].line));
	close_all();
}

/* `lesson check` runs each version: a key that is not so, a try that no hint explains, a kernel that is right already,
 * an aim that cannot be computed. */
static void a_key_that_is_not_so(void **state)
{
	static const struct {
		const char *aim, *right, *key_a, *key_b, *hint, *says; /* says: NULL it is a lab */
	} row[] = {
		{"mem.lines < 100", "right", "short", "wrong", "hint if 1 \"x\"", NULL},
		{"mem.lines < 100", "right", "right", "wrong", "hint if 1 \"x\"", "version a is short, not right"},
		{"mem.lines < 100", "right", "wrong", "wrong", "hint if 1 \"x\"", "version a is short, not wrong"},
		{"mem.lines < 100", "right", "short", "short", "hint if 1 \"x\"", "version b is wrong, not short"},
		{"mem.lines < 100", "short", "short", "wrong", "hint if 1 \"x\"", "version c is right, not short"},
		{"mem.lines < 100", "right", "short", "wrong", "hint if failed > 0 \"x\"",
		 "no `hint if` for version a"},
		{"mem.lines < 100", "right", "short", "wrong", "hint if !failed \"x\"", "no `hint if` for version b"},
		{"mem.lines < 100", "right", "short", "wrong", "hint if fail \"x\"", "unknown name 'fail'"},
		{"mem.lines < 100", "right", "short", "wrong", "hint if 1 \"{mem.linez}\"", "unknown name 'mem.linez'"},
		{"mem.lines < 100", "right", "short", "wrong", "hint if 1 \"{failed} of {mem.lines}\"", NULL},
		{"mem.lines < 100", "right", "short", "wrong", "hint if 1 \"{answer}\"", "unknown name 'answer'"},
		{"cycle > 0", "right", "right", "wrong", "hint if 1 \"x\"", "the given kernel is right, not faulty"},
		{"cycle < 0", "short", "short", "wrong", "hint if 1 \"x\"", "no version is right"},
		{"cyclez < 0", "right", "short", "wrong", "hint if 1 \"x\"", "unknown name 'cyclez'"},
	};
	static const char *const kernel = "scenarios/labs/kernels/coalesce";

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		char *line[] = {xasprintf("ask kernel %s.ptx until %s", kernel, row[i].aim),
				xasprintf("version %s %s_a.ptx \"a\"", row[i].key_a, kernel),
				xasprintf("version %s %s_b.ptx \"b\"", row[i].key_b, kernel),
				xasprintf("version %s %s_c.ptx \"c\"", row[i].right, kernel)};
		struct error e;
		enum status st;

		open_own();
		for (u32 k = 0; k < ARRAY_LEN(line); k++) {
			must(line[k]);
			free(line[k]);
		}
		must(row[i].hint);
		fflush(session.out);
		rewind(session.out);
		st = typed("lesson check", &e);
		fputc('\0', session.out);
		fflush(session.out);
		if (st != (row[i].says ? STATUS_CHECK : STATUS_OK) ||
		    !strstr(said, row[i].says ? row[i].says : ": ok:"))
			fail_msg("row %u: status %d: %s", i, st, said);
		close_all();
	}
}

/* The parts of an aim that are not reached are said with what they come to; a part in brackets is one. The 1,024
 * numbers are 64 threads' of 16 each: 2 warps, 2 x 16 x 2 accesses, each of 16 lines. */
static void an_aim_part_by_part(void **state)
{
	static const struct {
		const char *aim, *says;
	} row[] = {
		{"mem.lines <= 64 && mem.instructions == 64", "but mem.lines is 1,024 (aim: at most 64)\n"},
		{"mem.lines<=64&&mem.instructions>100", "but mem.lines is 1,024 (aim: at most 64), mem.instructions is "
							"64 (aim: above 100)\n"},
		{"mem.instructions >= 2 * (40 + 1)", "but mem.instructions is 64 (aim: at least 82)\n"},
		{"mem.instructions << 1 > 200", "but mem.instructions << 1 is 128 (aim: above 200)\n"},
		{"mem.instructions != 1 << 6", "but mem.instructions is 64 (aim: not 64)\n"},
		{"(mem.lines > 2000 && cycle > 0) && cycle", "but (mem.lines > 2000 && cycle > 0) is not true\n"},
		{"mem.lines > 2000 || cycle < 0", "but mem.lines > 2000 || cycle < 0 is not true\n"},
		{"out[1 < 2] == mem.lines / 2048.0", "but out[1 < 2] is 4 (aim: equal to 0.5)\n"},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		char *ask = xasprintf("ask kernel scenarios/labs/kernels/coalesce.ptx until %s", row[i].aim);

		open_own();
		must(ask);
		must("lesson");
		says("answer scenarios/labs/kernels/coalesce.ptx", row[i].says, "results right, ");
		close_all();
		free(ask);
	}
}

/* The text of a hint says how many checks failed: of the one that there is. */
static void a_hint_counts_checks(void **state)
{
	(void)state;
	open_own();
	must("ask kernel scenarios/labs/kernels/coalesce.ptx until mem.lines < 100");
	must("hint if 1 \"{failed} of {mem.lines > 0} fails\"");
	must("lesson");
	says("answer scenarios/labs/kernels/coalesce_b.ptx", "wrong results: ", "Hint: 1 of 1 fails\n");
	says("answer scenarios/labs/kernels/coalesce_a.ptx", "results right, ", "Hint: 0 of 1 fails\n");
	close_all();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_try_changes_nothing), cmocka_unit_test(settings_are_the_scenarios),
		cmocka_unit_test(a_lab_is_open),	 cmocka_unit_test(begin_lines_count),
		cmocka_unit_test(a_saved_lab_goes_on),	 cmocka_unit_test(no_hint_without_an_end),
		cmocka_unit_test(a_source_is_compiled),	 cmocka_unit_test(lines_that_do_not_belong),
		cmocka_unit_test(a_key_that_is_not_so),	 cmocka_unit_test(an_aim_part_by_part),
		cmocka_unit_test(a_hint_counts_checks),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
