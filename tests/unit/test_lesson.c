/* test_lesson.c - lessons: nothing shows an answer before it has been given, answers are the machine's own, and what
 * was answered stays whatever becomes of the machine. */
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

/* What has been printed since the last look. */
static char *said;
static size_t said_length;

/* A command that must fail; returns what it says. */
static const char *refused(const char *line)
{
	static struct error e;

	e = (struct error){0};
	if (!command_run_line(&session, line, NULL, 0, &e))
		fail_msg("%s: it ran", line);
	return e.message;
}

/* Forget what has been printed. */
static void hush(void)
{
	fflush(session.out);
	rewind(session.out);
}

/* Has a text been printed since? */
static bool notice_subscribed(const char *text)
{
	fputc('\0', session.out);
	fflush(session.out);
	return strstr(said, text) != NULL;
}

/* A lesson as a student opens it. */
static void open_file(const char *path)
{
	struct error e;

	session_open(&session, &all_session_ops);
	session.out = open_memstream(&said, &said_length);
	session.trust = true;
	if (command_run_file(&session, path, &e))
		fail_msg("%s: %s", path, e.message);
}

static void close_all(void)
{
	FILE *out = session.out;

	session_close(&session);
	fclose(out);
	free(said);
	said = NULL;
}

/* Everything that moves the machine, changes it, or looks ahead, by its row. */
static void a_question_holds_back(void **state)
{
	static const char *const line[] = {"step",
					   "step 5",
					   "next",
					   "stepi",
					   "continue",
					   "until 10",
					   "advance pc 3",
					   "while cycle < 9",
					   "animate 1",
					   "finish",
					   "run",
					   "run --functional",
					   "restart",
					   "reverse-step",
					   "reverse-continue",
					   "goto 10",
					   "goto 0",
					   "back",
					   "forward",
					   "undo",
					   "with lat.int 20 -- step 10",
					   "with lat.int 20 -- print cycle",
					   "why",
					   "why slot 0.0",
					   "why warp 1 at 3",
					   "alone 0",
					   "export csv /tmp/lessons.csv",
					   "source scenarios/vecadd.scn",
					   "define x\n",
					   "repeat i 0..3",
					   "policy order=lrr",
					   "set gpu.sms 2",
					   "set var a[0] = 1",
					   "buffer z u32[4]",
					   "launch halves grid 1 block 64 args a out",
					   "break race",
					   "watch out[3]",
					   "display out[3]",
					   "preempt cta 0",
					   "check out formula 0",
					   "expect out[3] == 96",
					   "note \"x\"",
					   "part \"x\"",
					   "ask \"now?\" out[3]",
					   "lesson next",
					   "lesson check",
					   "lesson restore 1 \"0 0\"",
					   "info deadlock",
					   "dump out /tmp/lessons.dump",
					   "checkpoint a",
					   "commands 1",
					   "dprintf issue, \"x\"",
					   "spark ipc"};

	(void)state;
	open_file("scenarios/faults/race.scn");
	must("lesson");
	u64 hash = sim_hash(&session.sim);

	for (u32 i = 0; i < ARRAY_LEN(line); i++) {
		const char *why = refused(line[i]);

		if (!strstr(why, "not available until the question is answered: 'What is out[3]") &&
		    strncmp(line[i], "lesson restore", 14))
			fail_msg("%s: %s", line[i], why);
		if (!lesson_open(&session) || hash != sim_hash(&session.sim))
			fail_msg("%s: the machine has moved, or the question is closed", line[i]);
	}
	close_all();
}

/* No command runs while a question waits unless its row says so; those that move never do. */
static void rows_that_stay_open_move_nothing(void **state)
{
	(void)state;
	open_file("scenarios/faults/race.scn");
	for (u32 i = 0; i < COMMAND_COUNT; i++)
		if (command_table[i]->flags & COMMAND_OPEN)
			assert_false(command_table[i]->flags & COMMAND_MOVES);
	close_all();
}

/* What may be looked at shows what has been: the answer is in none of it. */
static void what_is_seen_has_been(void **state)
{
	static const char *const line[] = {"print out[3]",  "print out[0..31]",
					   "show warps",    "show timeline",
					   "show stats",    "info kernels",
					   "stats",	    "x/8dw out",
					   "layout banks",  "pane notes",
					   "lesson",	    "lesson back",
					   "lesson report", "set style.signs ascii",
					   "list race.cu:3"};
	struct error e;

	(void)state;
	open_file("scenarios/faults/race.scn");
	must("lesson");
	hush();
	for (u32 i = 0; i < ARRAY_LEN(line); i++)
		command_run_line(&session, line[i], NULL, 0, &e);
	assert_false(notice_subscribed("64 96") || notice_subscribed("it is 96"));
	hush();
	must("give up");
	assert_true(notice_subscribed("Given up: the answer is 96."));
	close_all();
}

/* The machine's own cycle stays until the verdict; then the commands of the lesson run there. */
static void an_answer_is_the_machines(void **state)
{
	(void)state;
	open_file("scenarios/faults/race.scn");
	must("lesson");
	u64 hash = sim_hash(&session.sim);

	assert_non_null(strstr(refused("answer many"), "is not a number"));
	assert_true(lesson_open(&session) && hash == sim_hash(&session.sim));
	hush();
	must("answer 1216");
	assert_true(notice_subscribed("Wrong: the answer is 96; you answered 1216."));
	assert_true(notice_subscribed("which halves_repaired computes"));
	assert_null(lesson_open(&session));
	assert_int_equal(number_of("out[3]"), 96);
	must("lesson next");
	assert_int_equal(session_now(&session).cycle, 0);
	must("answer 700");
	assert_int_equal(session_now(&session).cycle, 739);
	assert_int_equal(lesson_score(session.lesson).right, 1);
	must("lesson next");
	assert_non_null(strstr(refused("answer z"), "not one of the choices"));
	must("answer b)");
	assert_int_equal(lesson_score(session.lesson).right, 2);
	assert_int_equal(lesson_score(session.lesson).closed, 3);
	assert_non_null(strstr(refused("lesson next"), "last step"));
	close_all();
}

/* A step begins as the scenario made the machine, whatever was set and however it was left. */
static void a_step_begins_anew(void **state)
{
	(void)state;
	open_file("scenarios/faults/race.scn");
	must("lesson");
	must("give up");
	must("policy order=lrr");
	must("set lat.int 20");
	must("break event issue");
	must("goto 0");
	must("step 20");
	must("lesson next");
	assert_int_equal(session_now(&session).cycle, 0);
	assert_int_equal(session.breaks->n, 0);
	assert_true(session.config.lat_int != 20);
	must("give up");
	assert_int_equal(session_now(&session).cycle, 739);
	close_all();
}

/* What has been answered stays: going back, again, undo, restart ask nothing twice and take nothing away. */
static void answers_stay(void **state)
{
	struct error e;

	(void)state;
	open_file("scenarios/faults/race.scn");
	must("lesson");
	must("answer 5");
	for (u32 i = 0; i < 5; i++)
		command_run_line(&session, "undo", NULL, 0, &e);
	assert_int_equal(lesson_score(session.lesson).questions, 3);
	must("restart");
	must("lesson again");
	assert_null(lesson_open(&session));
	assert_non_null(strstr(refused("answer 96"), "no question is open"));
	assert_non_null(strstr(refused("part \"again\""), "already begun"));
	must("lesson next");
	must("lesson back");
	assert_int_equal(session.lesson->shown, 0);
	assert_non_null(strstr(refused("run"), "In which cycle"));
	must("lesson");
	assert_int_equal(session.lesson->shown, 1);
	assert_int_equal(lesson_score(session.lesson).closed, 1);
	close_all();
}

/* A session that is saved with a question open comes back with it, and with what was answered. */
static void a_saved_lesson_goes_on(void **state)
{
	char path[] = "/tmp/test_lesson_XXXXXX";
	int fd = mkstemp(path);
	char *line = xasprintf("save session %s", path);

	(void)state;
	close(fd);
	open_file("scenarios/faults/race.scn");
	must("lesson");
	must("hint");
	must("answer 3");
	must("policy order=lrr");
	must("lesson next");
	must(line);
	close_all();
	open_file(path);
	unlink(path);
	free(line);
	assert_int_equal(session.lesson->step, 1);
	assert_non_null(strstr(refused("step"), "In which cycle"));
	assert_int_equal(lesson_score(session.lesson).closed, 1);
	assert_int_equal(session.lesson->item[session.lesson->n - 1].answer.state, ANSWER_NONE);
	must("answer 700");
	assert_int_equal(lesson_score(session.lesson).right, 1);
	must("lesson next");
	must("answer b");
	assert_int_equal(lesson_score(session.lesson).right, 2);
	close_all();
}

/* What was set, and where the machine stood, before the lesson began: a step begins at cycle 0 all the same, and so
 * does the machine in which its answer is computed. */
static void a_lesson_may_begin_late(void **state)
{
	(void)state;
	open_file("scenarios/faults/race.scn");
	must("goto 100");
	must("set lat.int 6");
	must("goto 460");
	must("lesson");
	assert_int_equal(session_now(&session).cycle, 0);
	must("give up");
	must("lesson next");
	must("give up");
	for (u32 i = 0; i < session.lesson->n; i++)
		if (session.lesson->item[i].ask == ASK_CYCLE)
			assert_int_equal(strtoul(session.lesson->item[i].answer.value, NULL, 10),
					 session_now(&session).cycle);
	close_all();
}

/* Names in braces, `wrong if`, tolerance, and what an author does wrong. */
static void what_an_author_writes(void **state)
{
	(void)state;
	session_open(&session, &all_session_ops);
	session.out = open_memstream(&said, &said_length);
	must("gpu tiny");
	must("synthetic work iterations 20 body 10 mix fp32 50 int 50");
	must("launch work grid 2 block 64");
	assert_non_null(strstr(refused("after run"), "belongs to a part"));
	assert_non_null(strstr(refused("ask number \"How many?\" cycle"), "belongs to a part"));
	must("part \"One\"");
	assert_non_null(strstr(refused("wrong 3 \"why\""), "belongs to a question"));
	assert_non_null(strstr(refused("ask number \"How many?\""), "missing EXPR"));
	must("ask number \"How many CTAs end?\" cta.finished");
	assert_non_null(strstr(refused("choice \"a\" if 1"), "needs `ask choice`"));
	assert_non_null(strstr(refused("tolerance wide"), "is not a tolerance"));
	assert_non_null(strstr(refused("after runn"), "did you mean 'run"));
	must("after run");
	must("wrong if answer > 2 \"{answer} is {answer - cta.finished} too many\"");
	must("ask cycle \"When?\"");
	must("tolerance 100%");
	must("after run");
	must("ask number \"Said already?\" cycle");
	must("wrong 0 \"it is so\"");
	assert_non_null(strstr(refused("lesson check"), "7 problems"));
	must("lesson");
	hush();
	must("answer 7");
	assert_true(notice_subscribed("Wrong: the answer is 2; you answered 7.\n7 is 5 too many"));
	must("lesson next");
	must("answer 1");
	assert_int_equal(lesson_score(session.lesson).right, 1);
	close_all();
}

/* `lesson check` prints what it computed beside what the file says; a key that is the wrong way round contradicts the
 * lines `wrong`, and a key without them is one, too. */
static void a_key_the_wrong_way_round(void **state)
{
	static const struct {
		const char *key, *wrong, *says, *problems;
	} row[] = {
		{"cta.finished == 2", "wrong b \"It ends both.\"", "question 1: ok: answer a) both; wrong: b\n", NULL},
		{"cta.finished != 2", "wrong b \"It ends both.\"", "question 1: not ok: answer b) one; wrong: b\n",
		 "2 problems"},
		{"cta.finished == 2", NULL, "question 1: not ok: answer a) both; wrong: nothing\n", "1 problem"},
		{"cta.finished != 2", NULL, "question 1: not ok: answer b) one; wrong: nothing\n", "1 problem"},
	};
	char line[80];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		session_open(&session, &all_session_ops);
		session.out = open_memstream(&said, &said_length);
		must("gpu tiny");
		must("synthetic work iterations 20 body 10 mix fp32 50 int 50");
		must("launch work grid 2 block 64");
		must("part \"One\"");
		must("ask choice \"How many CTAs end?\"");
		must("after run");
		snprintf(line, sizeof(line), "choice \"both\" if %s", row[i].key);
		must(line);
		snprintf(line, sizeof(line), "choice \"one\" if !(%s)", row[i].key);
		must(line);
		if (row[i].wrong)
			must(row[i].wrong);
		hush();
		if (row[i].problems)
			assert_non_null(strstr(refused("lesson check"), row[i].problems));
		else
			must("lesson check");
		assert_true(notice_subscribed(row[i].says));
		close_all();
	}
}

/* A wrong answer between the right one, 2, and those far off needs its explanation, too: a whole number that no line
 * `wrong` names, or a real one that is further off than `tolerance` says. */
static void answers_nearly_right(void **state)
{
	static const struct {
		const char *ask, *wrong, *says; /* says: NULL nothing is missing */
	} row[] = {
		{"cta.finished", "wrong if answer > 9 \"Less.\"", "no `wrong` for the answer 3\n"},
		{"cta.finished", "wrong if answer > 3 \"Less.\"", "no `wrong` for the answer 3\n"},
		{"cta.finished", "wrong if answer > 2 \"Less.\"", NULL},
		/* within 4 % are 1.92 to 2.08 */
		{"1.0 * cta.finished", "wrong if answer > 2.3 \"Less.\"", "no `wrong` for the answer 2."},
		{"1.0 * cta.finished", "wrong if answer > 2.08 \"Less.\"", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		char ask[80];

		session_open(&session, &all_session_ops);
		session.out = open_memstream(&said, &said_length);
		must("gpu tiny");
		must("synthetic work iterations 20 body 10 mix fp32 50 int 50");
		must("launch work grid 2 block 64");
		must("part \"One\"");
		snprintf(ask, sizeof(ask), "ask number \"How many CTAs end?\" %s", row[i].ask);
		must(ask);
		must("tolerance 4%");
		must("after run");
		must("wrong if answer < 2 \"More.\"");
		must(row[i].wrong);
		hush();
		if (row[i].says) {
			assert_non_null(strstr(refused("lesson check"), "1 problem"));
			assert_true(notice_subscribed(row[i].says));
		} else {
			must("lesson check");
		}
		close_all();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_question_holds_back),   cmocka_unit_test(rows_that_stay_open_move_nothing),
		cmocka_unit_test(what_is_seen_has_been),   cmocka_unit_test(an_answer_is_the_machines),
		cmocka_unit_test(a_step_begins_anew),	   cmocka_unit_test(answers_stay),
		cmocka_unit_test(a_saved_lesson_goes_on),  cmocka_unit_test(what_an_author_writes),
		cmocka_unit_test(a_lesson_may_begin_late), cmocka_unit_test(a_key_the_wrong_way_round),
		cmocka_unit_test(answers_nearly_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
