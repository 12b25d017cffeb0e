/*
 * compile.c - modules are made anew from their CUDA source (compile.h).
 *
 * The source is the file beside the module that its .file names and that has the module's name but for what follows the
 * dot. The program is run as it is, without a shell, on words of which %i and %o have been put in; it reads nothing,
 * and what it prints is shown when it has ended. It writes a file of its own beside the module, which takes its place
 * when the program has succeeded.
 */
#include "compile.h"

#include "interrupt.h"
#include "rights.h"
#include "scene.h"
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS 50	 /* between two looks at whether it is to end */
#define MOST_SAID 20000u /* bytes of what it prints that are shown */
#define NOT_FOUND 127	 /* its status where there is no such program */

enum status compile_set(struct session *s, const char *command, u32 column, struct error *e)
{
	if (!strstr(command, "%i") || !strstr(command, "%o"))
		return usage_at(e, column, "compile: missing %s in the command (%%i: the source, %%o: the PTX file)",
				strstr(command, "%i") ? "%o" : "%i");
	free(s->compile);
	s->compile = xstrdup(command);
	s->compile_from = rights_keep(s, rights_now(s));
	return STATUS_OK;
}

void compile_free(struct session *s)
{
	free(s->compile);
	lines_free(s->allowed, s->nallowed);
	s->compile = NULL;
	s->allowed = NULL;
	s->nallowed = 0;
}

/* --- what is run --- */

char *compile_source(const struct module *m)
{
	const char *slash = strrchr(m->path, '/'), *base = slash ? slash + 1 : m->path;
	size_t stem = strcspn(base, ".");

	for (u32 i = 0; i < m->nsource; i++) {
		const char *name = source_name(m, i);
		char *path;

		if (!name || strncmp(name, base, stem) || name[stem] != '.' || !strcmp(name, base))
			continue;
		path = xasprintf("%.*s%s", (int)(base - m->path), m->path, name);
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	return NULL;
}

/* What is made of what. */
struct making {
	const char *in, *out; /* source, PTX */
	const char *dir;      /* where the module is that the scenario has loaded */
};

/* A word of the command with the files in it; xmalloc'ed. */
static char *word_filled(const char *word, const struct making *m)
{
	struct text t = {0};

	text_addn(&t, "", 0);
	for (; *word; word++) {
		if (word[0] == '%' && word[1] && strchr("iod", word[1]))
			text_add(&t, "%s", *++word == 'i' ? m->in : *word == 'o' ? m->out : m->dir);
		else
			text_addn(&t, word, 1);
	}
	return t.s;
}

/* May these words be run? The user is asked once for each. */
static enum status may_run(struct session *s, const char *words, struct error *e)
{
	char *answer;
	bool yes;

	if (rights_full(s, s->compile_from))
		return STATUS_OK;
	for (u32 i = 0; i < s->nallowed; i++)
		if (!strcmp(s->allowed[i], words))
			return STATUS_OK;
	if (!s->interactive || !s->answer)
		return error_set(
			e, STATUS_FAILED,
			"compile: a file of commands may not run programs (type the command, or start with --trust)");
	session_print(s, "the scenario asks to run: %s\n", safe_text(words));
	interrupt_pause();
	answer = s->answer(s, "run it? (yes or no) ");
	interrupt_resume();
	yes = answer && !strcmp(answer, "yes");
	free(answer);
	if (!yes)
		return error_set(e, STATUS_FAILED, "compile: not run (the answer was not yes)");
	s->allowed = xrealloc(s->allowed, (s->nallowed + 1) * sizeof(*s->allowed));
	s->allowed[s->nallowed++] = xstrdup(words);
	return STATUS_OK;
}

/* In the process of the program. */
static void become(char **argv, int to) __attribute__((noreturn));
static void become(char **argv, int to)
{
	int nothing = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(to, 1) < 0 || dup2(to, 2) < 0)
		_exit(NOT_FOUND);
	execvp(argv[0], argv);
	_exit(NOT_FOUND);
}

/* Read what a program prints until it has closed its output; false: Ctrl-C, which ends it. */
static bool listen_to(int from, pid_t pid, struct text *said)
{
	char part[4096];

	for (;;) {
		struct pollfd p = {.fd = from, .events = POLLIN};
		ssize_t n;

		if (interrupt_wanted()) {
			kill(-pid, SIGKILL);
			return false;
		}
		if (poll(&p, 1, LOOK_MS) <= 0)
			continue;
		n = read(from, part, sizeof(part));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return true;
		if (said->len < MOST_SAID)
			text_addn(said, part, (size_t)n);
	}
}

/* Run a program. *status: as a shell gives it. False: it could not be run, or Ctrl-C has ended it. */
static bool run(char **argv, struct text *said, int *status)
{
	int ends[2];
	bool whole;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	pid = fork();
	if (!pid)
		become(argv, ends[1]);
	close(ends[1]);
	whole = pid > 0 && listen_to(ends[0], pid, said);
	close(ends[0]);
	while (pid > 0 && waitpid(pid, status, 0) < 0 && errno == EINTR)
		continue;
	*status = pid > 0 && WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + (pid > 0 ? WTERMSIG(*status) : 0);
	return whole;
}

/* What it has printed, line by line. */
static void show(struct session *s, const struct text *said)
{
	for (const char *at = said->len ? said->s : ""; *at;) {
		size_t n = strcspn(at, "\n");
		char *line = xstrndup(at, n);

		session_print(s, "%s\n", safe_text(line));
		free(line);
		at += n + (at[n] != '\0');
	}
}

/* --- a module --- */

/* The words of the program, with the files; NULL behind the last. */
static char **words_of(const struct words *w, const struct making *m)
{
	char **argv = xcalloc(w->n + 1, sizeof(*argv));

	for (u32 i = 0; i < w->n; i++)
		argv[i] = word_filled(w->token[i].s, m);
	return argv;
}

static void words_drop(char **argv)
{
	for (u32 i = 0; argv && argv[i]; i++)
		free(argv[i]);
	free(argv);
}

/* As a line. */
static void words_shown(char **argv, struct text *out)
{
	for (u32 i = 0; argv[i]; i++) {
		text_add(out, i ? " " : "");
		word_add(out, argv[i]);
	}
}

/* Run the program; what it prints is shown. */
static enum status run_for(struct session *s, const struct words *w, const struct making *m, const char *shown,
			   struct error *e)
{
	char **argv = words_of(w, m);
	struct text said = {0};
	enum status st = STATUS_OK;
	int status = 0;

	if (!run(argv, &said, &status))
		st = interrupt_wanted() ? interrupt_status(s, e)
					: error_set(e, STATUS_FAILED, "compile: cannot run %s: %s", safe_text(argv[0]),
						    strerror(errno));
	else if (status == NOT_FOUND)
		st = error_set(e, STATUS_FAILED, "compile: cannot run %s (exit status %d)", safe_text(argv[0]), status);
	else if (status)
		st = error_set(e, STATUS_FAILED, "compile: exit status %d of %s: the old version stays", status,
			       safe_text(shown));
	show(s, &said);
	text_free(&said);
	words_drop(argv);
	return st;
}

/* The file that the program has written takes its place. A new one gets the rights that the user gives files. */
static bool take_place(const char *made, const char *place)
{
	mode_t mask = umask(0);
	struct stat was;

	umask(mask);
	return !chmod(made, stat(place, &was) ? 0666 & ~mask : was.st_mode & 0777) && !rename(made, place);
}

/* Make a file of its source: one of the program's own, which takes its place. */
static enum status make_file(struct session *s, const struct words *w, const struct making *m, struct error *e)
{
	char *made = xasprintf("%s.XXXXXX", m->out), **argv = words_of(w, m);
	struct text shown = {0};
	enum status st;
	int fd;

	words_shown(argv, &shown);
	words_drop(argv);
	st = may_run(s, shown.s ? shown.s : "", e);
	fd = st ? -1 : mkstemp(made);
	if (fd >= 0) {
		close(fd);
		st = run_for(s, w, &(struct making){m->in, made, m->dir}, shown.s, e);
	} else if (!st) {
		st = error_set(e, STATUS_FAILED, "compile: %s: %s", safe_text(m->out), strerror(errno));
	}
	if (!st && !take_place(made, m->out))
		st = error_set(e, STATUS_FAILED, "compile: %s: %s", safe_text(m->out), strerror(errno));
	if (fd >= 0 && st)
		unlink(made);
	free(made);
	text_free(&shown);
	return st;
}

enum status compile_modules(struct session *s, struct error *e)
{
	enum status st = STATUS_OK;
	struct words w;

	if (!s->compile)
		return STATUS_OK;
	st = words_parse(&w, s->compile, strlen(s->compile), e);
	for (u32 i = 0; i < s->scene->nmodule && !st; i++) {
		const struct module *m = s->scene->module[i];
		char *in = m->path && ends_with(m->path, ".ptx") ? compile_source(m) : NULL;
		char *dir = in ? path_dir(m->path) : NULL;

		if (in)
			st = make_file(s, &w, &(struct making){in, m->path, dir}, e);
		free(in);
		free(dir);
	}
	words_free(&w);
	return st;
}

enum status compile_file(struct session *s, const char *in, const char *out, const char *dir, struct error *e)
{
	enum status st;
	struct words w;

	if (!s->compile)
		return error_set(e, STATUS_FAILED,
				 "no compiler is known (`compile COMMAND` gives one; `help compile` has examples)");
	st = words_parse(&w, s->compile, strlen(s->compile), e);
	if (!st)
		st = make_file(s, &w, &(struct making){in, out, dir}, e);
	words_free(&w);
	return st;
}
