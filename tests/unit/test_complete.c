/* test_complete.c - completion: what is offered behind the words of a line, and never the names of files where none is
 * wanted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "complete.h"
#include "lang.h"
#include "session_ops.h"

#include <readline/readline.h>

static struct session session;

/* The matches of the last word of a line, after the common part; NULL where readline would look for files. */
static char **matches(const char *line)
{
	static const char breaks[] = " \t\n\"\\'`@$><=;|&{(";
	static char room[200];
	size_t start = strlen(line);

	while (start && !strchr(breaks, line[start - 1]))
		start--;
	snprintf(room, sizeof(room), "%s", line);
	rl_line_buffer = room;
	rl_point = rl_end = (int)strlen(line);
	rl_attempted_completion_over = 0;
	return complete_line(line + start, (int)start, (int)strlen(line));
}

static void matches_free(char **match)
{
	for (u32 i = 0; match && match[i]; i++)
		free(match[i]);
	free(match);
}

/* Whether a word is among the matches of a line. */
static bool offers(const char *line, const char *word)
{
	char **match = matches(line);
	bool found = false;

	for (u32 i = match && match[1] ? 1 : 0; match && match[i]; i++)
		found |= !strcmp(match[i], word);
	matches_free(match);
	return found;
}

/* Every line offers its word, and not the other one. */
static void test_offers(void **state UNUSED)
{
	static const struct {
		const char *line, *word, *not ;
	} row[] = {{"bre", "break", "boat"},
		   {"print sm[0].", "sm[0].warp[", "sm[0].sm["},
		   {"print sm[0].", "sm[0].warps", "warp["},
		   {"print sm[0].wa", "sm[0].warp[", "sm[0].ctas"},
		   {"watch sm[1].warp[5].d", "sm[1].warp[5].depth", "sm[1].warp[5].slot"},
		   {"print sm[0].warp[sm[0].ctas].d", "sm[0].warp[sm[0].ctas].depth", "sm[0].warp[sm[0].ctas].slot"},
		   {"display launch[0].", "launch[0].issued", "launch[0].pc"},
		   {"print gpu.", "gpu.cycle", "gpu["},
		   {"until war", "warp[", "sm["},
		   {"break ", "stall", "scenarios"},
		   {"break ", "issue", "long"},
		   {"break ", "matmul16", "a"},
		   {"break ", "L__BB0_2", "sm"},
		   {"break stall ", "long", "stall"},
		   {"break stall l", "long", "short"},
		   {"tb stall long ", "for", "long"},
		   {"b stall long ", "->", "bank"},
		   {"break stall long -> ", "short", "for"},
		   {"break lost ", "pipeline", "collector"},
		   {"break event ", "release", "stall"},
		   {"break event issue ", "lanes", "bank"},
		   {"break conflict ", "depth", "->"},
		   {"break l1dmiss if ", "ipc", "stall"},
		   {"break grant if ", "bank", "stall"},
		   {"break pc ", "matmul16", "stall"},
		   {"watch ", "rise", "stall"},
		   {"watch rise ", "ipc", "fall"},
		   {"watch ", "c", "stall"},
		   {"print ", "a", "warps"},
		   {"until ", "slots.issued", "break"},
		   {"set sched.pool ", "shared", "on"},
		   {"set check.races ", "on", "shared"},
		   {"set l1d.mshrs ", "64", "on"},
		   {"gpu ", "volta", "tiny.gpu"},
		   {"gpu volta ", "sms", "volta"},
		   {"policy ", "order=", "sm"},
		   {"policy order=", "lrr", "shuffle"},
		   {"policy assign=", "srr", "lrr"},
		   {"focus ", "warp", "all"},
		   {"info warps ", "all", "matmul16"},
		   {"info kernel ", "matmul16", "all"},
		   {"help ", "break", "ipc"},
		   {"help ", "settings", "ipc"},
		   {"finish ", "cta", "sm"},
		   {"disable ", "slow", "stall"},
		   {"condition slow ", "ipc", "slow"},
		   {"delete 1 ", "slow", "ipc"},
		   {"launch ", "matmul16", "grid"},
		   {"launch matmul16 ", "grid", "matmul16"},
		   {"launch matmul16 grid 1 block 32 args ", "c", "matmul16"},
		   {"buffer x f32[4] ", "random", "a"},
		   {"check c ", "formula", "grid"},
		   {"check ", "c", "formula"},
		   {"trace list.g ", "cubin", "grid"},
		   {"synthetic k ", "stride", "a"},
		   {"synthetic k mix ", "fp32", "a"},
		   {"with l2.latency 4 ", "--", "break"},
		   {"with l2.latency 4 -- ", "run", "--"},
		   {"step -s ", "issue", "release"},
		   {"next ", "issue", "stall"},
		   {"goto ", "spot", "ipc"},
		   {"explain ", "break", "matmul16"},
		   {"explain ", "ipc", "matmul16"},
		   {"document ", "mine", "break"},
		   {"mi", "mine", "break"},
		   {"shortc", "shortcut", "break"},
		   {"save ", "session", "break"},
		   {"animate 5 ", "for", "sm"},
		   {"why ", "slot", "ipc"},
		   {"show ", "banks", "ipc"},
		   {"sort ", "warps", "wait"},
		   {"sort warps ", "wait", "banks"},
		   {"sort warps -", "-wait", "wait"},
		   {"sort ctas ", "since", "wait"},
		   {"break livelock ", "every", "for"},
		   {"export ", "kanata", "ipc"}};

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		if (!offers(row[i].line, row[i].word))
			fail_msg("'%s' does not offer %s", row[i].line, row[i].word);
		if (offers(row[i].line, row[i].not ))
			fail_msg("'%s' offers %s", row[i].line, row[i].not );
		assert_int_equal(rl_attempted_completion_over, 1);
	}
}

/* Files are readline's own business, where a file is wanted; nowhere else. */
static void test_files(void **state UNUSED)
{
	static const char *const file[] = {"source ",
					   "module ",
					   "save session ",
					   "log ",
					   "export csv ",
					   "dump c ",
					   "screen dump ",
					   "buffer x f32[4] file ",
					   "check c file ",
					   "trace list.g cubin ",
					   "trace list.g cubin a.cubin "};
	static const char *const none[] = {"break stall long for ", "step ",	 "echo ",
					   "condition slow if (",   "nonsense ", "print \"open"};

	for (u32 i = 0; i < ARRAY_LEN(file); i++) {
		assert_null(matches(file[i]));
		if (rl_attempted_completion_over)
			fail_msg("'%s' takes no file", file[i]);
	}
	for (u32 i = 0; i < ARRAY_LEN(none); i++) {
		matches_free(matches(none[i]));
		if (!rl_attempted_completion_over)
			fail_msg("'%s' takes a file", none[i]);
	}
}

/* Words come with what they mean. */
static void test_docs(void **state UNUSED)
{
	static const struct {
		const char *line, *word;
	} row[] = {{"", "step"},	   {"break ", "stall"},	     {"break stall ", "long"},
		   {"set ", "l2.latency"}, {"policy order=", "lrr"}, {"explain ", "ipc"}};

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		matches_free(matches(row[i].line));
		if (!complete_doc(row[i].word))
			fail_msg("'%s': %s means nothing", row[i].line, row[i].word);
	}
}

/* Behind every command, whatever its arguments are: nothing breaks, and a word is offered once. */
static void test_every_command(void **state UNUSED)
{
	char line[80];

	for (u32 i = 0; i < COMMAND_COUNT; i++) {
		const char *const more[] = {" ", " x ", " x y ", " -s ", " = ", " if "};

		for (u32 k = 0; k < ARRAY_LEN(more); k++) {
			char **match;

			snprintf(line, sizeof(line), "%s%s", command_table[i]->name, more[k]);
			match = matches(line);
			for (u32 m = 2; match && match[1] && match[m]; m++)
				assert_true(strcmp(match[m], match[m - 1]) != 0);
			matches_free(match);
		}
	}
}

static int open_session(void **state UNUSED)
{
	static const char *const line[] = {"break stall long for 9 as slow", "checkpoint spot 3",
					   "alias shortcut = step 3"};
	struct error e;

	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	session.quiet = session.batch = true;
	complete_session(&session);
	assert_int_equal(command_run_file(&session, "scenarios/default.scn", &e), STATUS_OK);
	for (u32 i = 0; i < ARRAY_LEN(line); i++)
		assert_int_equal(command_run_line(&session, line[i], NULL, 0, &e), STATUS_OK);
	assert_int_equal(text_run(&session, "define mine\nstep\nend\n", "test", true, &e), STATUS_OK);
	return 0;
}

static int close_session(void **state UNUSED)
{
	FILE *out = session.out;

	complete_session(NULL);
	session_close(&session);
	fclose(out);
	return 0;
}

/* A lab is answered with a letter of its versions or with a file of CUDA or PTX; nothing is offered where no question
 * is open. */
static void test_lab(void **state UNUSED)
{
	static const char kernels[] = "answer scenarios/labs/kernels/coalesce";
	static struct session lab;
	struct error e;

	assert_false(offers("answer ", "a"));
	session_open(&lab, &all_session_ops);
	lab.out = fopen("/dev/null", "w");
	lab.quiet = lab.batch = true;
	assert_int_equal(command_run_file(&lab, "scenarios/labs/01-coalesce.scn", &e), STATUS_OK);
	complete_session(&lab);
	assert_false(offers("answer ", "a"));
	assert_int_equal(command_run_line(&lab, "lesson", NULL, 0, &e), STATUS_OK);
	assert_true(offers("answer ", "a") && offers("answer ", "c") && !offers("answer ", "d"));
	assert_true(offers("answer ", "scenarios/") && !offers("answer ", "README.md"));
	assert_true(offers(kernels, "scenarios/labs/kernels/coalesce.cu"));
	assert_true(offers(kernels, "scenarios/labs/kernels/coalesce_b.ptx"));
	assert_true(offers("answer scenarios/labs/ker", "scenarios/labs/kernels/"));
	assert_false(offers("answer scenarios/labs/", "scenarios/labs/01-coalesce.scn"));
	complete_session(&session);
	fclose(lab.out);
	session_close(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offers),	      cmocka_unit_test(test_files), cmocka_unit_test(test_docs),
		cmocka_unit_test(test_every_command), cmocka_unit_test(test_lab),
	};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
