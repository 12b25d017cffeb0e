/*
 * repl.c - commands from standard input: readline with completion and history on a terminal, plain lines elsewhere.
 */
#include "complete.h"
#include "lang.h"
#include "main.h"
#include "paths.h"
#include "rights.h"
#include "tips.h"
#include "tui.h"

#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <readline/readline.h>

extern const struct command command_source;

#define PROMPT "(warpstep) "
#define SECONDS_OF_DAY 86400

/* Standard input as a source: the line last read, and how it is read. */
struct input_lines {
	struct line_source source;
	char *line;
	size_t capacity;
	bool edited; /* readline reads it */
};

static volatile sig_atomic_t interrupted;

/* Ctrl-C where no move runs: a look into another time ends, a line that is being typed is dropped. */
static void on_interrupt(int number UNUSED)
{
	interrupted = 1;
	timeline_interrupt = 1;
}

/* A prompt is about to be shown: Ctrl-C does not end the program from here on. */
static void expect_interrupt(void)
{
	struct sigaction ours = {.sa_handler = on_interrupt};

	sigemptyset(&ours.sa_mask);
	sigaction(SIGINT, &ours, NULL);
	interrupted = 0;
	timeline_interrupt = 0;
}

/* readline has been woken by a signal: Ctrl-C empties the line. */
static int after_signal(void)
{
	if (!interrupted)
		return 0;
	interrupted = 0;
	timeline_interrupt = 0;
	rl_crlf();
	rl_on_new_line();
	rl_replace_line("", 1);
	rl_redisplay();
	return 0;
}

#define LEAST_COLUMNS 8

/* readline 8.2 divides by zero on a terminal of one column, and there is nothing to see on one of a few. */
static void redisplay(void)
{
	int rows, columns;

	rl_get_screen_size(&rows, &columns);
	if (columns < LEAST_COLUMNS)
		rl_set_screen_size(rows > 0 ? rows : 24, 80);
	rl_redisplay();
}

static struct session *waiting; /* it waits for a line */

static bool is_busy(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

	return interrupted || poll(&p, 1, 0) > 0;
}

/* Until a byte of the line is there, the next step back is prepared. */
static int next_byte(FILE *f)
{
	if (waiting->live && !is_busy())
		timeline_prepare(waiting->timeline, is_busy);
	return rl_getc(f);
}

/* A line from readline on the terminal as it is. */
static char *read_edited(struct session *s, const char *prompt)
{
	char *line;

	expect_interrupt();
	waiting = s;
	rl_getc_function = next_byte;
	rl_signal_event_hook = after_signal;
	rl_redisplay_function = redisplay;
	line = readline(prompt);
	rl_signal_event_hook = NULL;
	rl_getc_function = rl_getc;
	return line;
}

/* The next line from readline. */
static bool edited_next(struct line_source *self)
{
	struct input_lines *in = (struct input_lines *)self;
	const char *prompt = self->session && self->session->depth ? "> " : PROMPT;
	bool typed = true;

	free(in->line);
	self->from = &rights_user;
	in->line = tui_active() ? tui_line(self->session, prompt, &typed, &self->from)
				: read_edited(self->session, prompt);
	if (!in->line)
		return false;
	if (*in->line && typed)
		typed_keep(in->line);
	self->text = in->line;
	self->length = strlen(in->line);
	self->line++;
	return true;
}

/* The next line as it comes. */
static bool plain_next(struct line_source *self)
{
	struct input_lines *in = (struct input_lines *)self;
	ssize_t n;

	do {
		if (self->session && self->session->interactive) {
			expect_interrupt();
			fputs(self->session->depth ? "> " : PROMPT, self->session->out);
			outfile_flush(self->session->out);
		}
		n = getline(&in->line, &in->capacity, stdin);
		if (n < 0 && interrupted) {
			clearerr(stdin);
			fputc('\n', self->session->out);
		}
	} while (n < 0 && interrupted);
	if (n < 0)
		return false;
	self->text = in->line;
	self->length = (size_t)n - (in->line[n - 1] == '\n');
	in->line[self->length] = '\0';
	self->line++;
	return true;
}

/* A line whose command an empty line repeats, as it was typed, else NULL; xmalloc'ed. */
static char *repeatable(struct session *s, const char *line, size_t length)
{
	struct words w;
	struct error e;
	const struct command *c = NULL;

	if (!words_parse(&w, line, length, &e) && w.n)
		c = alias_command(s->lang, w.token[0].s, &e);
	words_free(&w);
	return c && (c->flags & COMMAND_REPEATS) ? xstrndup(line, length) : NULL;
}

/* Is there nothing on a line? */
static bool is_empty(const struct line_source *src)
{
	for (size_t i = 0; i < src->length; i++)
		if (!strchr(" \t\r\n", src->text[i]))
			return false;
	return true;
}

enum status repl_load_default(struct session *s, struct error *e)
{
	char *path = path_find("default.scn");
	enum status st;

	s->lang->wants_default = false;
	if (!path)
		return STATUS_OK;
	s->scenario = xstrdup(path);
	st = command_run_file(s, path, e);
	free(path);
	return st;
}

/* The first command decides: one that sets a stage means that there shall be no other. */
static void settle_default(struct session *s, const struct line_source *src)
{
	const struct command *c = NULL;
	struct words w;
	struct error e;

	if (!words_parse(&w, src->text, src->length, &e) && w.n)
		c = alias_command(s->lang, w.token[0].s, &e);
	words_free(&w);
	if (!c)
		return;
	if ((c->flags & COMMAND_SETUP) || !strcmp(c->group, "setup") || c == &command_source)
		s->lang->wants_default = false;
	else if (repl_load_default(s, &e))
		report_error(s, &e);
}

/* Run one line; an empty one on a terminal repeats the last that can be, with what was typed behind the verb. */
static void run_line(struct session *s, struct line_source *src, char **last)
{
	struct lang *l = s->lang;
	bool again = s->interactive && is_empty(src) && *last;
	char *verb = again ? xstrdup(*last) : repeatable(s, src->text, src->length);
	struct error e;

	if (s->lang->wants_default)
		settle_default(s, src);
	if (again) {
		src->text = verb;
		src->length = strlen(verb);
	} else if (!is_empty(src)) {
		free(*last);
		*last = verb ? xstrdup(verb) : NULL;
	}
	if (line_run(s, src, &e) && !l->reported)
		report_error(s, &e);
	free(verb);
	outfile_flush(s->out);
	if (s->log)
		outfile_flush(s->log);
}

/* Does readline read what is typed? */
static bool is_edited(const struct session *s)
{
	const char *term = getenv("TERM");
	bool dumb = !term || !strcmp(term, "dumb") || s->plain;

	return tui_active() || (s->interactive && !dumb && !s->json && isatty(STDOUT_FILENO));
}

char *repl_answer(struct session *s, const char *prompt)
{
	char *line = NULL;
	size_t capacity = 0;
	ssize_t n;
	const struct line_origin *from;
	bool typed;

	if (tui_active())
		return tui_line(s, prompt, &typed, &from);
	if (is_edited(s))
		return read_edited(s, prompt);
	fputs(s->interactive ? prompt : "", s->out);
	outfile_flush(s->out);
	n = getline(&line, &capacity, stdin);
	if (n >= 0)
		return line;
	free(line);
	clearerr(stdin);
	return NULL;
}

void repl_loop(struct session *s)
{
	struct input_lines in = {
		.source = {.from = &rights_user,
			   .asked = s->interactive,
			   .session = s,
			   .file = s->interactive ? NULL : "stdin"},
		.edited = is_edited(s),
	};
	char *last = NULL;

	in.source.next = in.edited ? edited_next : plain_next;
	if (in.edited) {
		rl_readline_name = "warpstep";
		rl_attempted_completion_function = complete_line;
		complete_session(s);
		typed_open();
		if (!s->quiet && !s->lesson)
			tip_greet(s, (u64)time(NULL) / SECONDS_OF_DAY);
	}
	s->source = &in.source;
	unsaved_none(s);
	while (!s->quit && in.source.next(&in.source))
		run_line(s, &in.source, &last);
	s->source = NULL;
	if (in.edited)
		typed_close();
	if (s->interactive && !s->quit && !tui_active())
		session_print(s, "\n");
	free(in.line);
	free(last);
}
