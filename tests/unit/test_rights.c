/*
 * test_rights.c - what lines of files may do: every command that reads or writes, in every wrapper that can hold a
 * line, is refused unless the user trusts the file, whoever runs it and when.
 *
 * A case is a line of the table `deeds` in a wrapper of the table `wrappers`. Without trust some step of it must be
 * refused for want of a right, and what it would write must not be there; with trust nothing is refused so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "command.h"
#include "lesson.h"
#include "rights.h"
#include "session_bed.h"
#include "tui.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/warpstep-rights-XXXXXX"; /* in/ is the scenario's, out/ lies outside */

/* What a line does: the name of its command, the line up to the file's name, which of the files outside that is, what
 * stands behind it; kept: with trust the file is there as soon as the line has run. */
static const struct deed {
	const char *command, *line, *file, *behind;
	bool kept;
} deeds[] = {
	{"source", "source ", "lines.scn", "", false},
	{"gpu", "gpu ", "mine.gpu", "", false},
	{"module", "module ", "kernels.ptx", "", false},
	{"trace", "trace ", "kernelslist.g", "", false},
	{"trace", "trace kernelslist.g cubin ", "bytes", "", false},
	{"sweep", "sweep scenario ", "lines.scn", "", false},
	{"sweep", "sweep gpu ", "mine.gpu", "", false},
	{"sweep", "sweep module ", "kernels.ptx", "", false},
	{"sweep", "sweep module ", "kern*.ptx", "", false},
	{"buffer", "buffer other u8[4] file ", "bytes", "", false},
	{"check", "check a file ", "bytes", "", false},
	{"directory", "directory ", "", "", false},
	{"info", "info module ", "kernels.ptx", "", false},
	{"ask", "ask kernel ", "kernels.ptx", " until 1", false},
	{"version", "version right ", "kernels.ptx", " \"x\"", false},
	{"answer", "answer ", "kernels.ptx", "", false},
	{"dump", "dump a ", "written", "", true},
	{"save", "save session ", "written", "", true},
	{"screen", "screen dump ", "written", "", true},
	{"screen", "screen dump ", "written", " --attrs", true},
	{"log", "log ", "written", "", true},
	{"record", "record ", "written", "", false},
	{"export", "export csv ", "written", "", false},
};

/* How the files outside are named in a line of a file in in/: their folder. */
static const char *const ways[] = {"../out/", "link/", "./link/../out/", NULL /* the whole path */};

#define LESSON "part \"P\"\n"
#define ASK "ask number \"How many?\" 4\n"

/* What holds a line: the command that does, the scenario, in which @ is the line; what is typed then; what is typed
 * before it is opened. file2: another file of the scenario's folder. */
static const struct wrapper {
	const char *command, *scenario, *typed, *first, *file2;
} wrappers[] = {
	{.command = "", .scenario = "@\n"},
	{.command = "source", .scenario = "source other.scn\n", .file2 = "@\n"},
	{.command = "sweep", .scenario = "sweep scenario other.scn\n", .file2 = "@\n"},
	{.command = "gpu", .scenario = "gpu ./other.scn\n", .file2 = "set gpu.sms 1\n@\n"},
	{.command = "with", .scenario = "with lat.int 5 -- @\n"},
	{.command = "repeat", .scenario = "repeat i 0..0\n@\nend\n"},
	{.command = "repeat", .scenario = "repeat i 0..0\nrepeat k 1..1\n@\nend\nend\n"},
	{.command = "define", .scenario = "define zz\n@\nend\nzz\n"},
	{.command = "define", .scenario = "define zz\n@\nend\n", .typed = "zz\n"},
	{.command = "define", .scenario = "define zz\n@\nend\n", .typed = "define mine\nzz\nend\nmine\n"},
	{.command = "define", .scenario = "mine @\n", .first = "define mine\n$arg0 $arg1 $arg2 $arg3 $arg4\nend\n"},
	{.command = "alias", .scenario = "alias zz = @\nzz\n"},
	{.command = "alias", .scenario = "alias zz = @\n", .typed = "zz\n"},
	{.command = "alias", .scenario = "alias zz = @\n", .typed = "alias mine = zz\nmine\n"},
	{.command = "alias", .scenario = "alias zz = @\n", .typed = "define mine\nzz\nend\nmine\n"},
	{.command = "finally", .scenario = "finally\n@\nend\n", .typed = "run\n"},
	{.command = "finally", .scenario = "finally\nrepeat i 0..0\n@\nend\nend\nrun\n"},
	{.command = "commands", .scenario = "break cycle 5\ncommands\n@\nend\n", .typed = "continue\n"},
	{.command = "commands", .scenario = "break cycle 5\ncommands\n@\nend\ncontinue\n"},
	{.command = "commands",
	 .scenario = "break cycle 5\ncommands\nsilent\nwith lat.int 5 -- @\nend\n",
	 .typed = "continue\n"},
	{.command = "key", .scenario = "key F9 = @\n", .typed = "PRESS F9\n"},
	{.command = "key", .scenario = "define zz\n@\nend\nkey F9 = zz\n", .typed = "PRESS F9\n"},
	{.command = "begin", .scenario = LESSON "begin @\n" ASK, .typed = "lesson\n"},
	{.command = "begin", .scenario = LESSON "begin @\nnote \"n\"\n", .typed = "lesson\n"},
	{.command = "begin",
	 .scenario = LESSON "begin define zz\n@\nend\n" ASK "after @\n",
	 .typed = "lesson\nanswer 4\n"},
	{.command = "after", .scenario = LESSON ASK "after @\n", .typed = "lesson\nanswer 4\n"},
	{.command = "after", .scenario = LESSON ASK "after @\n", .typed = "lesson\ngive up\n"},
	{.command = "after", .scenario = LESSON ASK "after @\n", .typed = "lesson walk\n"},
	{.command = "then", .scenario = LESSON ASK "after step\nthen @\n", .typed = "lesson\nanswer 4\n"},
	{.command = "then", .scenario = LESSON ASK "after step\nthen @\nlesson\ngive up\n"},
};

/* A text with every @ replaced by a line; xmalloc'ed. */
static char *filled(const char *text, const char *line)
{
	struct text out = {0};

	text_add(&out, "%s", "");
	for (; *text; text++)
		if (*text == '@')
			text_add(&out, "%s", line);
		else
			text_addn(&out, text, 1);
	return out.s;
}

/* A file of the folder. */
static void put(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", folder, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	free(path);
}

/* Does a file of the folder outside exist? It is gone then. */
static bool was_written(void)
{
	char *path = xasprintf("%s/out/written", folder);
	bool is = !unlink(path);

	free(path);
	return is;
}

/* Press a key that a line has bound: what stands behind it comes with its origin. */
static enum status press(const char *name, struct error *e)
{
	struct key_view k;
	u32 i = 0;

	while (key_row(&session, i, &k) && strcmp(k.name, name))
		i++;
	assert_non_null(k.command);
	return lines_run(&session, k.command, k.from, NULL, 0, e);
}

/* Was a step refused for want of a right? */
static bool is_refused(enum status st, const struct error *e)
{
	return st && strstr(e->message, "--trust");
}

/* Type lines, one after the other; whether one was refused so. */
static bool type(const char *text)
{
	bool refused = false;

	while (text && *text) {
		size_t n = strcspn(text, "\n");
		struct error e = {0};
		char *line;

		if (!strncmp(text, "define ", 7)) /* with its block */
			n = (size_t)(strstr(text, "\nend") + 4 - text);
		line = xstrndup(text, n);
		refused |= is_refused(!strncmp(line, "PRESS ", 6) ? press(line + 6, &e)
								  : text_run(&session, line, NULL, true, &e),
				      &e);
		free(line);
		text += n + (text[n] == '\n');
	}
	return refused;
}

static const char stage[] = "gpu tiny\nset gpu.sms 1\nbuffer a u8[4]\nsynthetic work iterations 2 body 4 mix int 100\n"
			    "launch work grid 1 block 32\n";

/* Live through a wrapper with a line; whether it was refused, or the error that it ended with. */
static bool live(const struct wrapper *w, const char *line, bool trust, char *why, size_t size)
{
	char *body = filled(w->scenario, line), *scenario = xasprintf("%s%s", stage, body);
	char *path = xasprintf("%s/in/x.scn", folder), *second = w->file2 ? filled(w->file2, line) : NULL;
	struct error e = {0};
	bool refused;
	enum status st;

	put("in/x.scn", scenario);
	put("in/other.scn", second ? second : "");
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	session.trust = trust;
	refused = type(w->first);
	st = command_run_file(&session, path, &e);
	refused |= is_refused(st, &e);
	snprintf(why, size, "%s", st ? e.message : "");
	refused |= type(w->typed);
	fclose(session.out);
	session.out = stdout;
	session_close(&session);
	free(second);
	free(path);
	free(scenario);
	free(body);
	return refused;
}

/* A line of a deed. */
static char *line_of(const struct deed *d, const char *way)
{
	return way ? xasprintf("%s%s%s%s", d->line, way, d->file, d->behind)
		   : xasprintf("%s%s/out/%s%s", d->line, folder, d->file, d->behind);
}

/* One deed in one wrapper. */
static void try_case(const struct deed *d, const struct wrapper *w, const char *way)
{
	char *line = line_of(d, way), why[sizeof(((struct error *)0)->message)];

	if (!live(w, line, false, why, sizeof(why)) || was_written())
		fail_msg("%s in %s: not refused (%s)", line, *w->command ? w->command : "a file", why);
	if (live(w, line, true, why, sizeof(why)))
		fail_msg("%s in %s: refused though trusted", line, *w->command ? w->command : "a file");
	if (!was_written() && d->kept)
		fail_msg("%s in %s: not done though trusted (%s)", line, *w->command ? w->command : "a file", why);
	free(line);
}

/* Everything that reads or writes, in everything that holds a line. */
static void test_all(void **state UNUSED)
{
	u32 n = 0;

	for (u32 i = 0; i < ARRAY_LEN(deeds); i++)
		for (u32 k = 0; k < ARRAY_LEN(wrappers); k++)
			for (u32 way = 0; way < ARRAY_LEN(ways); way++, n++)
				try_case(&deeds[i], &wrappers[k], ways[way]);
	print_message("%u cases: %zu lines that read or write, %zu wrappers\n", n, ARRAY_LEN(deeds),
		      ARRAY_LEN(wrappers));
}

/* Is a command among the deeds? */
static bool has_deed(const struct command *c)
{
	for (u32 i = 0; i < ARRAY_LEN(deeds); i++)
		if (!strcmp(deeds[i].command, c->name))
			return true;
	return false;
}

/* Is a command among the wrappers? */
static bool has_wrap(const struct command *c)
{
	for (u32 i = 0; i < ARRAY_LEN(wrappers); i++)
		if (!strcmp(wrappers[i].command, c->name))
			return true;
	return false;
}

/* A row says what its command does with files, and is tried above. */
static void test_rows(void **state UNUSED)
{
	session_open(&session, &all_session_ops);
	for (u32 i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_table[i];

		for (u32 k = 0; k < MAX_ARGS && c->arg[k].type != ARG_END; k++) {
			if (c->arg[k].type == ARG_PATH && !(c->flags & COMMAND_READS))
				fail_msg("%s takes a path, its row does not say that it reads", c->name);
			if (c->arg[k].type == ARG_OUTPUT && !(c->flags & COMMAND_WRITES))
				fail_msg("%s takes the name of an output, its row does not say that it writes",
					 c->name);
		}
		if (c->flags & (COMMAND_READS | COMMAND_WRITES) && !has_deed(c))
			fail_msg("%s reads or writes, and is not among the lines that are tried", c->name);
		/* tests/sweep/sweep.sh tries `job`, whose lines no session runs. */
		if (c->flags & COMMAND_RUNS && !has_wrap(c) && strcmp(c->name, "job") != 0)
			fail_msg("%s holds lines, and is not among the wrappers that are tried", c->name);
		if (c->flags & COMMAND_BLOCK && !(c->flags & COMMAND_RUNS) && strcmp(c->name, "document") != 0)
			fail_msg("%s takes lines, its row does not say that it runs them", c->name);
	}
	session_close(&session);
}

/* A line of a file may end neither the user's log nor a film, nor give an abbreviation or a key another meaning. */
static void test_traps(void **state UNUSED)
{
	static const char *const bad[] = {"log off",
					  "record off",
					  "alias cont = step",
					  "alias ste = next",
					  "alias reverse-s = log",
					  "define fini\nstep\nend",
					  "key s = step",
					  "key q =",
					  "key Tab = step",
					  "alias mine = step",
					  "alias mine =",
					  "alias pal = next",
					  "alias pal =",
					  "define mine\nstep\nend",
					  "set memory.limit 1000000",
					  "set time.budget 60000",
					  "set export.l* 60000",
					  "set [me]*.limit 300",
					  "with export.limit 60000 -- step"};
	static const char *const typed[] = {"alias cont = step", "key s = step", "set memory.limit 1000000", "log off"};
	static const char *const good[] = {
		"set time.budget 100",	 "set export.limit 10", "set memory.limit 100", "alias look = info warps",
		"define far\nstep\nend", "key F9 = step",	"key F9 = next"};
	char *path = xasprintf("%s/in/x.scn", folder);
	struct error e = {0};

	session_open(&session, &all_session_ops);
	assert_int_equal(text_run(&session, "define mine\necho mine\nend\nalias pal = step", NULL, false, &e),
			 STATUS_OK);
	for (u32 i = 0; i < ARRAY_LEN(bad); i++) {
		put("in/x.scn", bad[i]);
		if (!command_run_file(&session, path, &e))
			fail_msg("%s: it ran", bad[i]);
	}
	assert_int_equal(config_get(&session.config, SET_memory_limit), 0); /* it came before the one that failed */
	for (u32 i = 0; i < ARRAY_LEN(good); i++) {
		put("in/x.scn", good[i]);
		if (command_run_file(&session, path, &e))
			fail_msg("%s: %s", good[i], e.message);
	}
	for (u32 i = 0; i < ARRAY_LEN(typed); i++)
		if (text_run(&session, typed[i], NULL, true, &e))
			fail_msg("%s, typed: %s", typed[i], e.message);
	session_close(&session);
	free(path);
}

/* Lines of the user's may do anything, also where a file's lines have them run: a list of a stop has no words of
 * theirs. */
static void test_users(void **state UNUSED)
{
	char *path = xasprintf("%s/in/x.scn", folder), *line;
	struct error e = {0};

	put("in/x.scn", stage);
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	assert_int_equal(command_run_file(&session, path, &e), STATUS_OK);
	line = xasprintf("break cycle 5\ncommands\ndump a %s/out/written\nend\n", folder);
	assert_int_equal(text_run(&session, line, NULL, true, &e), STATUS_OK);
	put("in/go.scn", "continue\n");
	free(path);
	path = xasprintf("%s/in/go.scn", folder);
	if (command_run_file(&session, path, &e))
		fail_msg("%s", e.message);
	assert_true(was_written());
	free(line);
	line = xasprintf("%s/init", folder);
	free(path);
	path = xasprintf("directory /tmp\ndump a %s/out/written\n", folder);
	put("init", path);
	if (init_run(&session, line, &e))
		fail_msg("%s", e.message);
	assert_true(was_written());
	fclose(session.out);
	session.out = stdout;
	session_close(&session);
	free(line);
	free(path);
}

/* Run a file of the folder that says these lines. */
static enum status run_file(const char *name, const char *lines, struct error *e)
{
	char *path = xasprintf("%s/%s", folder, name);
	enum status st;

	put(name, lines);
	st = command_run_file(&session, path, e);
	free(path);
	return st;
}

/* The machine in which an answer is computed writes nothing, also where the file is trusted: what is seen does. */
static void test_rehearsal(void **state UNUSED)
{
	char *scenario = xasprintf("%sfinally\ndump a ../out/written\nend\n" LESSON ASK "after run\n", stage);
	char *path = xasprintf("%s/in/x.scn", folder);
	struct error e = {0};

	put("in/x.scn", scenario);
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	session.trust = true;
	assert_int_equal(command_run_file(&session, path, &e), STATUS_OK);
	text_run(&session, "lesson check", NULL, true, &e); /* says that there is nothing behind the answer */
	assert_false(was_written());
	assert_int_equal(text_run(&session, "lesson", NULL, true, &e), STATUS_OK);
	assert_int_equal(text_run(&session, "answer 4", NULL, true, &e), STATUS_OK);
	assert_true(was_written());
	fclose(session.out);
	session.out = stdout;
	session_close(&session);
	free(scenario);
	free(path);
}

/* A command of one file that another gives words to reads what both may: here nothing, for neither's folder holds the
 * other's. A definition's paths start where it stands. */
static void test_both(void **state UNUSED)
{
	struct error e = {0};
	char *line;

	put("in/mine", "1234");
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	assert_int_equal(run_file("in/x.scn",
				  "define take\nbuffer b u8[4] file $arg0\nend\nalias give = buffer c u8[4] file\n"
				  "define own\nbuffer d u8[4] file mine\nend\n",
				  &e),
			 STATUS_OK);
	for (u32 i = 0; i < 2; i++) {
		line = xasprintf("%s %s/in/mine\n", i ? "give" : "take", folder);
		assert_true(is_refused(run_file("out/y.scn", line, &e), &e));
		free(line);
		line = xasprintf("%s %s/out/bytes\n", i ? "give" : "take", folder);
		assert_true(is_refused(run_file("out/y.scn", line, &e), &e));
		free(line);
	}
	put("in-side", "1234"); /* its name begins as the folder's does */
	assert_true(is_refused(run_file("in/x.scn", "buffer h u8[4] file ../in-side\n", &e), &e));
	assert_true(is_refused(run_file("out/y.scn", "define relay\ntake $arg0\nend\nrelay bytes\n", &e), &e));
	if (text_run(&session, "take mine", NULL, true, &e) || text_run(&session, "own", NULL, true, &e))
		fail_msg("%s", e.message);
	line = xasprintf("%s/in/init", folder);
	put("in/init", "define kept\nbuffer f u8[4] file mine\nend\nalias short = buffer g u8[4] file\n");
	assert_int_equal(init_run(&session, line, &e), STATUS_OK);
	free(line);
	line = xasprintf("short %s/out/bytes", folder);
	if (text_run(&session, "kept", NULL, true, &e) || text_run(&session, line, NULL, true, &e))
		fail_msg("%s", e.message);
	free(line);
	fclose(session.out);
	session.out = stdout;
	session_close(&session);
}

/* Any name of a file is a word, and comes back from a saved session as it was. */
static void test_names(void **state UNUSED)
{
	static const char *const name[] = {"it's",	"a \"b\"", "k'\nlog out.log\n'", "back\\slash",
					   "tab\there", "# no",	   "\x01\x7f",		 "caf\xc3\xa9"};

	for (u32 i = 0; i < ARRAY_LEN(name); i++) {
		struct text line = {0};
		struct error e = {0};
		struct words w;

		word_add_quoted(&line, name[i]);
		assert_int_equal(words_parse(&w, line.s, line.len, &e), STATUS_OK);
		assert_int_equal(w.n, 1);
		assert_string_equal(w.token[0].s, name[i]);
		words_free(&w);
		text_clear(&line);
		word_add(&line, name[i]);
		assert_int_equal(words_parse(&w, line.s, line.len, &e), STATUS_OK);
		assert_string_equal(w.token[0].s, name[i]);
		words_free(&w);
		text_free(&line);
	}
}

/* The folder that all tests use. */
static int make_folder(void **state UNUSED)
{
	static const char *const name[] = {"in", "out"};
	char *path;

	if (!mkdtemp(folder))
		return -1;
	for (u32 i = 0; i < ARRAY_LEN(name); i++) {
		path = xasprintf("%s/%s", folder, name[i]);
		if (mkdir(path, 0700))
			return -1;
		free(path);
	}
	path = xasprintf("%s/in/link", folder);
	if (symlink("../out", path))
		return -1;
	free(path);
	put("out/lines.scn", "echo read\n");
	put("out/mine.gpu", "set gpu.sms 1\n");
	put("out/kernels.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n");
	put("out/bytes", "\1\2\3\4");
	put("out/kernelslist.g", "");
	return 0;
}

/* It goes. */
static int remove_folder(void **state UNUSED)
{
	char *line = xasprintf("rm -rf %s", folder);
	int st = system(line);

	free(line);
	return st;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),  cmocka_unit_test(test_all),  cmocka_unit_test(test_traps),
		cmocka_unit_test(test_users), cmocka_unit_test(test_both), cmocka_unit_test(test_rehearsal),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
